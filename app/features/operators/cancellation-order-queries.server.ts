import type { Database } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { saleJson } from '../sales/queries.server.ts'

/** An operator's cancellation that waits for a second operator. */
export type CancellationOrder = {
  id: string
  paymentId: string
  businessName: string
  side: 'vendor' | 'customer'
  refundCents: Cents
  reason: string
  placedByEmail: string
  /** ISO 8601, UTC. */
  placedAt: string
}

/**
 * Lists the cancellations that wait for a second operator, oldest first.
 * @param firstPaymentId only those of one purchase
 */
export async function listCancellationOrders(
  db: Database,
  firstPaymentId?: string,
): Promise<CancellationOrder[]> {
  let query = db
    .selectFrom('cancellation_orders')
    .innerJoin('sales', 'sales.id', 'cancellation_orders.payment_id')
    .selectAll('cancellation_orders')
    .select(saleJson().as('sale'))
    .where('settled_at', 'is', null)
  if (firstPaymentId) query = query.where('cancellation_orders.payment_id', '=', firstPaymentId)
  const rows = await query.orderBy('placed_at').orderBy('cancellation_orders.id').execute()
  return rows.map((row) => ({
    id: row.id,
    paymentId: row.payment_id,
    businessName: row.sale.businessName,
    side: row.side,
    refundCents: Number(row.refund_cents),
    reason: row.reason,
    placedByEmail: row.placed_by_email,
    placedAt: row.placed_at.toISOString(),
  }))
}
