import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { DisputeSnapshot, DisputeStatus } from '../../adapters/payments/port.ts'
import type { Cents } from '../../shared/money.ts'
import { readPageKey } from '../../shared/page-keys.server.ts'
import type { BookingStatus } from '../bookings/status-rules.ts'
import { saleJson } from '../sales/queries.server.ts'
import { spanText } from '../sales/rules.ts'
import { AWAITED_STATUSES, isAnswered } from './dispute-rules.ts'
import { cursorMicros, cursorOf, isOlder } from './list-queries.server.ts'
import { DISPUTE_ALERT_MS, PAGE_SIZE } from './rules.ts'

/** A dispute with what is known of the booking. Times are ISO 8601, UTC. */
export type OperatorDispute = {
  id: string
  paymentId: string
  provider: string
  /** The provider's id of the dispute. */
  reference: string
  status: DisputeStatus
  funds: DisputeSnapshot['funds']
  /** The card network's ground, in the provider's word. */
  reason: string
  amountCents: Cents
  openedAt: string
  /** Until when evidence is taken; null if none is. */
  evidenceDueAt: string | null
  closedAt: string | null
  businessName: string
  customerName: string
  email: string
  /** 'Saturday 14 March 2027, 4:00 pm to 11:00 pm, Melbourne time'. */
  span: string
  /** Null if the payment is unfulfilled. */
  bookingStatus: BookingStatus | null
  /** Whether an answer waits for a second operator. */
  waitsForSecondOperator: boolean
}

/** Whether an answer to a dispute is under way or sent, by `isAnswered`. */
export async function isDisputeAnswered(
  db: Database | DatabaseTransaction,
  { id, status }: { id: string; status: DisputeStatus },
): Promise<boolean> {
  const newest = await db
    .selectFrom('dispute_answers')
    .select(['state', 'answered_status as answeredStatus'])
    .where('dispute_id', '=', id)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return isAnswered({ status }, newest ?? null)
}

/** Selects disputes with their payment and its booking. */
export function selectDisputes(db: Database) {
  return db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.payment_id')
    .innerJoin('sales', 'sales.id', 'payments.sale_id')
    .leftJoin('bookings', 'bookings.payment_row_id', 'payments.id')
    .select((eb) => [
      'disputes.id',
      'disputes.payment_id',
      'disputes.provider',
      'disputes.provider_dispute',
      'disputes.status',
      'disputes.funds',
      'disputes.reason',
      'disputes.amount_cents',
      'disputes.opened_at',
      'disputes.evidence_due_at',
      'disputes.closed_at',
      'disputes.created_at',
      saleJson().as('sale'),

      'bookings.status as booking_status',
      eb
        .exists(
          eb
            .selectFrom('approvals')
            .select('approvals.id')
            .where('approvals.subject_kind', '=', 'dispute')
            .whereRef('approvals.subject_id', '=', 'disputes.id')
            .where('approvals.settled_at', 'is', null),
        )
        .as('waits'),
    ])
}

/**
 * Lists disputes: open ones by their deadline, the earliest first; closed ones by their end, the newest first.
 */
export async function listDisputes(db: Database, show: 'open' | 'closed'): Promise<OperatorDispute[]> {
  const rows = await selectDisputes(db)
    .$if(show === 'open', (query) =>
      query
        .where('disputes.closed_at', 'is', null)
        .orderBy('disputes.evidence_due_at', (order) => order.asc().nullsLast()),
    )
    .$if(show === 'closed', (query) =>
      query.where('disputes.closed_at', 'is not', null).orderBy('disputes.closed_at', 'desc'),
    )
    .orderBy('disputes.id')
    .limit(PAGE_SIZE)
    .execute()
  return rows.map(toOperatorDispute)
}

/** A dispute with its position in a list by age. */
export type AgedDispute = OperatorDispute & { cursor: string }

/** Lists disputes, the newest first, for a downloaded list. @param range.before the cursor of the last row; null to begin */
export async function listDisputesByAge(
  db: Database,
  { show, before, limit }: { show: 'all' | 'open' | 'closed'; before: string | null; limit: number },
): Promise<AgedDispute[]> {
  const after = readPageKey(before)
  const rows = await selectDisputes(db)
    .select(cursorMicros('disputes'))
    .$if(show !== 'all', (query) =>
      query.where('disputes.closed_at', show === 'open' ? 'is' : 'is not', null),
    )
    .$if(after !== null, (query) => query.where(isOlder('disputes', after as NonNullable<typeof after>)))
    .orderBy('disputes.created_at', 'desc')
    .orderBy('disputes.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...toOperatorDispute(row), cursor: cursorOf(row) }))
}

type DisputeRow = Awaited<ReturnType<ReturnType<typeof selectDisputes>['execute']>>[number]

/** Converts a row of `selectDisputes`. */
export function toOperatorDispute(row: DisputeRow): OperatorDispute {
  return {
    id: row.id,
    paymentId: row.payment_id,
    provider: row.provider,
    reference: row.provider_dispute,
    status: row.status,
    funds: row.funds,
    reason: row.reason,
    amountCents: Number(row.amount_cents),
    openedAt: row.opened_at.toISOString(),
    evidenceDueAt: row.evidence_due_at?.toISOString() ?? null,
    closedAt: row.closed_at?.toISOString() ?? null,
    businessName: row.sale.businessName,
    customerName: row.sale.customer.fullName,
    email: row.sale.customer.email,
    span: spanText(row.sale),
    bookingStatus: row.booking_status,
    waitsForSecondOperator: Boolean(row.waits),
  }
}

/** Counts the disputes that wait for our answer, and those of them whose deadline is at most `DISPUTE_ALERT_MS` away. */
export async function measureDisputes(db: Database, now: Date): Promise<{ open: number; due: number }> {
  const row = await db
    .selectFrom('disputes')
    .select((eb) => [
      eb.fn.countAll().as('open'),
      eb.fn
        .countAll()
        .filterWhere('evidence_due_at', '<=', new Date(now.getTime() + DISPUTE_ALERT_MS))
        .as('due'),
    ])
    .where('closed_at', 'is', null)
    .where('status', 'in', AWAITED_STATUSES)
    .executeTakeFirstOrThrow()
  return { open: Number(row.open), due: Number(row.due) }
}
