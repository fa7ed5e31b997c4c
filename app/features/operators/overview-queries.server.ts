import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { type BarChart, layOutBars } from '../../shared/chart.server.ts'
import { addDays, type LocalDate, wallTimeAt, wallTimeToUtc } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { countPayoutTasks } from '../payouts/operator-queries.server.ts'
import { APPROVAL_ACTS } from './act-rules.ts'
import { countOpenApprovals } from './approval-queries.server.ts'
import { measureDisputes } from './dispute-queries.server.ts'
import { OPERATIONS_ZONE } from './messages.ts'
import { countPaymentTroubles } from './payment-queries.server.ts'
import { countWaitingReports } from './report-queries.server.ts'
import { NEW_MS, STUCK_AFTER_MS, VOLUME_DAYS } from './rules.ts'

/** One day in the operators' zone. */
export type VolumeDay = {
  day: LocalDate
  /**
   * Paid volume: the amounts of all card payments that succeeded on this day, deposits and balances alike. Gross: later
   * refunds and disputes don't reduce it.
   */
  paidCents: Cents
  payments: number
  /** Refunds that left on this day, whenever they were paid. Those that came back are left out. */
  refundedCents: Cents
}

export type Volume = { days: VolumeDay[]; paid: BarChart; refunded: BarChart }

/** Returns the paid volume of the last 30 days with today's, and lays out its charts on one scale. */
export async function findVolume(db: Database, now: Date): Promise<Volume> {
  const today = wallTimeAt(now, OPERATIONS_ZONE).date
  const first = addDays(today, 1 - VOLUME_DAYS)
  const begins = wallTimeToUtc(first, '00:00', OPERATIONS_ZONE)
  const [paid, refunded] = await Promise.all([
    sql<{ day: string; cents: string; count: number }>`
      select to_char(paid_at at time zone ${OPERATIONS_ZONE}, 'YYYY-MM-DD') as day, sum(amount_cents)::text as cents,
        count(*)::int as count
      from payments where paid_at >= ${begins} group by 1`.execute(db),
    sql<{ day: string; cents: string }>`
      select to_char(done_at at time zone ${OPERATIONS_ZONE}, 'YYYY-MM-DD') as day, sum(amount_cents)::text as cents
      from payment_actions
      where kind = 'refund' and state = 'done' and done_at >= ${begins}
        and coalesce(provider_status, '') not in ('failed', 'canceled')
      group by 1`.execute(db),
  ])
  const paidOn = new Map(paid.rows.map((row) => [row.day, row]))
  const refundedOn = new Map(refunded.rows.map((row) => [row.day, row]))
  const days = Array.from({ length: VOLUME_DAYS }, (_, index) => {
    const day = addDays(first, index)
    return {
      day,
      paidCents: Number(paidOn.get(day)?.cents ?? 0),
      payments: paidOn.get(day)?.count ?? 0,
      refundedCents: Number(refundedOn.get(day)?.cents ?? 0),
    }
  })
  const paidDollars = days.map(({ paidCents }) => [paidCents / 100])
  const refundedDollars = days.map(({ refundedCents }) => [refundedCents / 100])
  // On one scale, since they stand side by side.
  const largest = Math.max(0, ...paidDollars.flat(), ...refundedDollars.flat())
  return { days, paid: layOutBars(paidDollars, largest), refunded: layOutBars(refundedDollars, largest) }
}

/** The operators' work that waits, is late, or is new. Each number counts the rows of one list. */
export type Workload = {
  /** Paid bookings that their vendor should have answered, and those that may still be answered. */
  answersOverdue: number
  answersWaiting: number
  /** Refunds that should have left, are refused or came back; and all that are ordered and haven't left. */
  refundsFailing: number
  refundsDue: number
  paymentsStuck: number
  /** Disputes whose evidence is due within three days, and all that wait for our answer. */
  disputesDue: number
  disputesOpen: number
  balancesUnpaid: number
  /** Reports that have been open for more than a day, and all open ones. */
  reportsLate: number
  reportsOpen: number
  reviewsWaiting: number
  /** Registrations that the Australian Business Register has something against. */
  registrationsDenied: number
  newListings: number
  newRegistrations: number
  newAccounts: number
  /** Messages of the payment provider that wait for longer than they should, and when the last one came (ISO 8601). */
  webhooksLate: number
  lastWebhookAt: string | null
}

/** Counts what the overview shows. */
export async function measureWorkload(db: Database, now: Date): Promise<Workload> {
  const stuckBefore = new Date(now.getTime() - STUCK_AFTER_MS)
  const newAfter = new Date(now.getTime() - NEW_MS)
  const [troubles, disputes, reportsLate, { rows }] = await Promise.all([
    countPaymentTroubles(db, now),
    measureDisputes(db, now),
    countWaitingReports(db, now),
    sql<CountRow>`
      select
        (select count(*) from bookings where status = 'pending' and decide_by < ${now}) as answers_overdue,
        (select count(*) from bookings where status = 'pending' and decide_by >= ${now}) as answers_waiting,
        (select count(distinct payment_id) from payment_actions
          where kind = 'refund' and state in ('due', 'claimed')) as refunds_due,
        (select count(*) from instalments
          where state in ('failed', 'needs_customer', 'overdue')
            or (state = 'charging' and decline_code is not null)) as balances_unpaid,
        (select count(*) from conversation_reports where closed_at is null) as reports_open,
        (select count(*) from reviews where not approved and rejected_reason is null) as reviews_waiting,
        (select count(*) from business_registrations where register_problem is not null) as registrations_denied,
        (select count(*) from businesses where deleted_at is null and created_at > ${newAfter}) as new_listings,
        (select count(*) from business_registrations where created_at > ${newAfter}) as new_registrations,
        (select count(*) from users where created_at > ${newAfter}) as new_accounts,
        (select count(*) from payment_events
          where processed_at is null and received_at < ${stuckBefore}) as webhooks_late,
        (select max(received_at) from payment_events) as last_webhook_at`.execute(db),
  ])
  const row = rows[0] as CountRow
  return {
    answersOverdue: Number(row.answers_overdue),
    answersWaiting: Number(row.answers_waiting),
    refundsDue: Number(row.refunds_due),
    disputesDue: disputes.due,
    disputesOpen: disputes.open,
    balancesUnpaid: Number(row.balances_unpaid),
    reportsLate,
    reportsOpen: Number(row.reports_open),
    reviewsWaiting: Number(row.reviews_waiting),
    registrationsDenied: Number(row.registrations_denied),
    newListings: Number(row.new_listings),
    newRegistrations: Number(row.new_registrations),
    newAccounts: Number(row.new_accounts),
    webhooksLate: Number(row.webhooks_late),
    lastWebhookAt: row.last_webhook_at ? new Date(row.last_webhook_at).toISOString() : null,
    paymentsStuck: troubles.stuck,
    refundsFailing: troubles.failing,
  }
}

type CountRow = Record<
  | 'answers_overdue'
  | 'answers_waiting'
  | 'refunds_due'
  | 'balances_unpaid'
  | 'reports_open'
  | 'reviews_waiting'
  | 'registrations_denied'
  | 'new_listings'
  | 'new_registrations'
  | 'new_accounts'
  | 'webhooks_late',
  string | number
> & { last_webhook_at: Date | string | null }

/** Counts what operators do about payouts: the tasks with a time, and the orders that wait for a second operator. */
export async function countPayoutWork(
  db: Database,
  about: Parameters<typeof countPayoutTasks>[1],
): ReturnType<typeof countPayoutTasks> {
  const [counts, orders] = await Promise.all([
    countPayoutTasks(db, about),
    countOpenApprovals(db, APPROVAL_ACTS.order),
  ])
  return { ...counts, tasks: counts.tasks + orders }
}
