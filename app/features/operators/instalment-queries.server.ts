import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { deadlineOf } from '../sales/plan-queries.server.ts'
import { EXTENSION_DAYS, type InstalmentState, overdueAt } from '../sales/plan-rules.ts'
import { saleJson } from '../sales/queries.server.ts'
import { spanText } from '../sales/rules.ts'
import { matchesWords } from './payment-queries.server.ts'
import { PAGE_SIZE } from './rules.ts'

/** An instalment that was due and isn't paid. Times are ISO 8601, UTC. */
export type UnpaidInstalment = {
  id: string
  /** The first payment of its purchase. */
  paymentId: string
  businessName: string
  customerName: string
  email: string
  /** 'Saturday 14 March 2027, 4:00 pm to 11:00 pm, Melbourne time'. */
  span: string
  amountCents: Cents
  dueAt: string
  state: InstalmentState
  /** Why the card was refused, in the provider's word; null where none was tried. */
  declineCode: string | null
  /** When the card is tried again; null when the customer has to act. */
  nextTryAt: string | null
  /** When the booking ends if nothing is paid; null where it stands. */
  endsAt: string | null
  /** Whether the vendor has given more time. */
  isExtended: boolean
}

/**
 * Lists the instalments of open bookings that were due and aren't paid, the next to end its booking first.
 * @param input.words part of a name, an email, a business or a reference; '' for all
 */
export async function listUnpaidInstalments(
  db: Database,
  { words }: { words: string },
): Promise<UnpaidInstalment[]> {
  const rows = await db
    .selectFrom('instalments')
    .innerJoin('payments', 'payments.id', 'instalments.payment_id')
    .innerJoin('sales', 'sales.id', 'instalments.payment_id')
    .selectAll('instalments')
    .select(saleJson().as('sale'))
    .where((eb) =>
      eb.or([
        eb('instalments.state', 'in', ['failed', 'needs_customer', 'overdue']),
        // Refused and being tried again, or without a payment since the provider doesn't create it.
        eb.and([eb('instalments.state', '=', 'charging'), eb('instalments.decline_code', 'is not', null)]),
      ]),
    )
    .$if(words !== '', (query) => query.where(matchesWords(words)))
    .orderBy(
      sql`greatest(due_at, unpaid_since) + case when extended_at is null then interval '0' else make_interval(days => ${EXTENSION_DAYS}) end`,
    )
    .orderBy('instalments.id')
    .limit(PAGE_SIZE)
    .execute()
  return rows.map(({ sale, ...row }) => ({
    id: row.id,
    paymentId: row.payment_id,
    businessName: sale.businessName,
    customerName: sale.customer.fullName,
    email: sale.customer.email,
    span: spanText(sale),
    amountCents: Number(row.amount_cents),
    dueAt: row.due_at.toISOString(),
    state: row.state,
    declineCode: row.decline_code,
    nextTryAt: row.try_at?.toISOString() ?? null,
    endsAt: overdueAt(deadlineOf(row, { sale }), sale.timeZone)?.toISOString() ?? null,
    isExtended: row.extended_at !== null,
  }))
}
