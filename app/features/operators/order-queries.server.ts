import type { Database } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { saleJson } from '../sales/queries.server.ts'

/** An order of an operator that waits for a second person. */
export type WaitingOrder = {
  id: string
  kind: 'refund' | 'refund_again' | 'paid_otherwise' | 'cancellation' | 'payout' | 'dispute'
  businessName: string
  amountCents: Cents
  reason: string
  placedBy: string
  placedByEmail: string
  /** ISO 8601, UTC. */
  placedAt: string
  /** The payment, or the dispute, on whose page it is decided. Payouts are decided on their own screen. */
  subjectId: string
}

/** Lists every order that waits for a second person, oldest first. */
export async function listWaitingOrders(db: Database): Promise<WaitingOrder[]> {
  const [refunds, cancellations, payouts, answers] = await Promise.all([
    listRefundOrders(db),
    db
      .selectFrom('cancellation_orders as orders')
      .innerJoin('sales', 'sales.id', 'orders.payment_id')
      .select([
        'orders.id',
        'orders.payment_id',
        'orders.refund_cents',
        'orders.reason',
        saleJson().as('sale'),
      ])
      .select(['orders.placed_by', 'orders.placed_by_email', 'orders.placed_at'])
      .where('orders.settled_at', 'is', null)
      .execute(),
    db
      .selectFrom('payout_orders as orders')
      .innerJoin('bookings', 'bookings.id', 'orders.booking_id')
      .select(['orders.id', 'orders.amount_cents', 'orders.reason', 'bookings.vendor_name'])
      .select(['orders.placed_by', 'orders.placed_by_email', 'orders.placed_at', 'bookings.payment_row_id'])
      .where('orders.settled_at', 'is', null)
      .execute(),
    db
      .selectFrom('dispute_answers as answers')
      .innerJoin('disputes', 'disputes.id', 'answers.dispute_id')
      .innerJoin('payments', 'payments.id', 'disputes.payment_id')
      .innerJoin('sales', 'sales.id', 'payments.sale_id')
      .select([
        'answers.id',
        'answers.dispute_id',
        'disputes.amount_cents',
        'answers.reason',
        saleJson().as('sale'),
      ])
      .select(['answers.placed_by', 'answers.placed_by_email', 'answers.placed_at'])
      .where('answers.state', '=', 'waiting')
      .where('disputes.closed_at', 'is', null)
      .execute(),
  ])
  const orders: WaitingOrder[] = [
    ...refunds,
    ...cancellations.map((row) => ({
      ...placedOf(row),
      kind: 'cancellation' as const,
      businessName: row.sale.businessName,
      amountCents: Number(row.refund_cents),
      subjectId: row.payment_id,
    })),
    ...payouts.map((row) => ({
      ...placedOf(row),
      kind: 'payout' as const,
      businessName: row.vendor_name,
      amountCents: Number(row.amount_cents),
      subjectId: row.payment_row_id,
    })),
    ...answers.map((row) => ({
      ...placedOf(row),
      kind: 'dispute' as const,
      businessName: row.sale.businessName,
      amountCents: Number(row.amount_cents),
      subjectId: row.dispute_id,
    })),
  ]
  return orders.sort((one, other) => (one.placedAt < other.placedAt ? -1 : 1))
}

/**
 * Lists the refunds that wait for a second person.
 * @param firstPaymentId only those of one purchase
 */
export async function listRefundOrders(db: Database, firstPaymentId?: string): Promise<WaitingOrder[]> {
  let query = db
    .selectFrom('refund_orders as orders')
    .innerJoin('sales', 'sales.id', 'orders.payment_id')
    .select(['orders.id', 'orders.kind', 'orders.payment_id', 'orders.amount_cents', 'orders.reason'])
    .select(['orders.placed_by', 'orders.placed_by_email', 'orders.placed_at', saleJson().as('sale')])
    .where('orders.settled_at', 'is', null)
  if (firstPaymentId) query = query.where('orders.payment_id', '=', firstPaymentId)
  const rows = await query.execute()
  return rows.map((row) => ({
    ...placedOf(row),
    kind: row.kind,
    businessName: row.sale.businessName,
    amountCents: Number(row.amount_cents),
    subjectId: row.payment_id,
  }))
}

function placedOf(row: {
  id: string
  reason: string
  placed_by: string
  placed_by_email: string
  placed_at: Date
}) {
  return {
    id: row.id,
    reason: row.reason,
    placedBy: row.placed_by,
    placedByEmail: row.placed_by_email,
    placedAt: row.placed_at.toISOString(),
  }
}
