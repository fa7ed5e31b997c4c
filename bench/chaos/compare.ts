import { sql } from 'kysely'
import type { Database } from '../../app/adapters/database/port.ts'
import type { Ledger } from './ledger.ts'
import type { TakenPayment } from './provider.ts'

/** One invariant: how many rows were checked, and each violation. */
export type Check = { what: string; count: number; wrong: string[] }

/** Counts the work that has to finish before the comparison. */
export async function listUnfinished(db: Database): Promise<Record<string, number>> {
  const { rows } = await sql<{ what: string; count: number }>`
    select 'payments' as what, count(*)::int as count from payments where state in ('open', 'processing')
    union all
    select 'refunds', count(*)::int from payment_actions where kind = 'refund' and state in ('due', 'claimed')
    union all
    select 'jobs', count(*)::int from jobs.job
      where state in ('created', 'retry', 'active') and name not like '\\_\\_pgboss%' and name in ('send-mail', 'send-booking-mail', 'send-account-link')`.execute(
    db,
  )
  return Object.fromEntries(rows.map(({ what, count }) => [what, count]))
}

/**
 * Compares the provider with the database both ways, and the acknowledgements with both.
 * @param provider every payment ever made there
 */
export async function compare(db: Database, provider: TakenPayment[], ledger: Ledger): Promise<Check[]> {
  const payments = await db.selectFrom('payments').select(['id', 'provider_reference', 'state']).execute()
  const bookings = await db
    .selectFrom('bookings')
    .select(['id', 'payment_id', 'payment_row_id', 'status', 'payment_status'])
    .execute()
  const refunds = await db
    .selectFrom('payment_actions')
    .innerJoin('payments', 'payments.id', 'payment_actions.payment_id')
    .select(['provider_reference', 'payment_actions.state'])
    .where('kind', '=', 'refund')
    .where('payment_actions.state', '=', 'done')
    .execute()
  const bookingsOf = Map.groupBy(bookings, ({ payment_id }) => payment_id)
  const refundsOf = Map.groupBy(refunds, ({ provider_reference }) => provider_reference)
  const there = new Map(provider.map((payment) => [payment.reference, payment]))
  const paid = provider.filter(({ isPaid }) => isPaid)

  /** The problem of a payment that the provider has taken; null if it is exactly one booking or one full refund. */
  function problemOf(taken: TakenPayment): string | null {
    const booked = bookingsOf.get(taken.reference) ?? []
    const back = refundsOf.get(taken.reference) ?? []
    if (booked.length > 1) return `${booked.length} bookings`
    if (taken.refunds > 1 || back.length > 1) return `${taken.refunds} refunds there, ${back.length} here`
    if (taken.refunds !== back.length) return `${taken.refunds} refunds there, ${back.length} here`
    if (taken.refunds === 1 && taken.refundedCents !== taken.amountCents) return 'partly refunded'
    const [booking] = booked
    if (!booking) return taken.refunds === 1 ? null : 'neither booked nor refunded'
    const isRefunded = booking.payment_status === 'refunded'
    return isRefunded === (taken.refunds === 1) ? null : `${booking.payment_status}, ${taken.refunds} refunds`
  }

  const takenTwice = [...Map.groupBy(paid, ({ paymentId }) => paymentId)].filter(([, all]) => all.length > 1)
  const overlapping = await sql<{ one: string }>`
    select one.id as one from slots one join slots other
      on one.business_id = other.business_id and one.id < other.id and one.during && other.during
    where one.kind = 'booking' and other.kind = 'booking' and (one.is_exclusive or other.is_exclusive)`.execute(
    db,
  )
  const unheld = await sql<{ id: string }>`
    select coalesce(bookings.id, slots.booking_id) as id from bookings
      full join slots on slots.booking_id = bookings.id
    where (slots.id is null and bookings.status in ('pending', 'approved'))
      or (slots.kind = 'booking' and (bookings.id is null or bookings.status in ('declined', 'withdrawn')))`.execute(
    db,
  )
  const gaps = await sql<{ seller: string }>`
    select seller_user_id as seller from receipt_numbers group by 1
    having count(*) <> max(number) or count(*) <> count(distinct number)`.execute(db)
  const numbered = await sql<{ id: string }>`
    select bookings.id from bookings left join receipt_numbers on booking_id = bookings.id where number is null`.execute(
    db,
  )

  const stored = <Row>(rows: Row[], read: (row: Row) => string | null) => new Set(rows.map(read))
  const references = stored(payments, ({ provider_reference }) => provider_reference)
  const byId = new Map(bookings.map((booking) => [booking.id, booking]))
  const emails = stored(await db.selectFrom('users').select('email').execute(), ({ email }) => email)
  const letters = await sql<{ email: string }>`select email from newsletter`.execute(db)
  const subscribed = stored(letters.rows, ({ email }) => email)
  const businesses = await db.selectFrom('businesses').select(['id', 'description']).execute()
  const descriptions = new Map(businesses.map(({ id, description }) => [id, description]))
  const without = (told: Iterable<string>, found: ReadonlySet<string | null>) =>
    [...told].filter((one) => !found.has(one))

  return [
    {
      what: 'payments taken by the provider: not exactly one booking or one full refund',
      count: paid.length,
      wrong: paid.flatMap((taken) => {
        const problem = problemOf(taken)
        return problem ? [`${taken.reference}: ${problem}`] : []
      }),
    },
    {
      what: 'payments taken by the provider: twice for one payment of ours',
      count: paid.length,
      wrong: takenTwice.map(([id]) => id),
    },
    {
      what: 'bookings: not paid at the provider',
      count: bookings.length,
      wrong: bookings.filter(({ payment_id }) => !there.get(payment_id)?.isPaid).map(({ id }) => id),
    },
    {
      what: 'payments paid here: unknown or unpaid there',
      count: payments.filter(({ state }) => state === 'paid').length,
      wrong: payments
        .filter(
          ({ state, provider_reference }) => state === 'paid' && !there.get(provider_reference ?? '')?.isPaid,
        )
        .map(({ id }) => id),
    },
    {
      what: 'bookings: with a time that is booked twice',
      count: bookings.length,
      wrong: overlapping.rows.map(({ one }) => one),
    },
    {
      what: 'bookings: without their time, or a time without its booking',
      count: bookings.length,
      wrong: unheld.rows.map(({ id }) => id),
    },
    {
      what: 'receipts: gaps in a series, or missing',
      count: bookings.length,
      wrong: [...gaps.rows.map(({ seller }) => seller), ...numbered.rows.map(({ id }) => id)],
    },
    {
      what: 'acknowledged payments: lost',
      count: ledger.payments.size,
      wrong: without(ledger.payments, references),
    },
    {
      what: 'acknowledged bookings: lost',
      count: ledger.bookings.size,
      wrong: [...ledger.bookings].flatMap(([id, { reference }]) =>
        byId.get(id)?.payment_id === reference ? [] : [id],
      ),
    },
    {
      what: 'acknowledged decisions: lost',
      count: ledger.decisions.size,
      wrong: [...ledger.decisions].flatMap(([id, { told, possible }]) => {
        const status = byId.get(id)?.status ?? 'lost'
        const isRight = possible.has(status as never) || (told === null && status === 'pending')
        return isRight ? [] : [`${id}: ${status}, told ${told}`]
      }),
    },
    {
      what: 'acknowledged edits: lost',
      count: ledger.edits.size,
      wrong: [...ledger.edits].flatMap(([id, { told, possible }]) =>
        told === null || possible.has(descriptions.get(id) ?? '')
          ? []
          : [`${id}: ${descriptions.get(id)?.slice(0, 20)}, told ${told.slice(0, 20)}`],
      ),
    },
    {
      what: 'acknowledged new accounts: lost',
      count: ledger.signUps.size,
      wrong: without(ledger.signUps, emails),
    },
    {
      what: 'acknowledged newsletter subscriptions: lost',
      count: ledger.subscriptions.size,
      wrong: without(ledger.subscriptions, subscribed),
    },
    {
      what: 'people signed out against their will',
      count: ledger.signedOutCount(),
      wrong: Array.from({ length: ledger.signedOutCount() }, () => 'a person'),
    },
  ]
}
