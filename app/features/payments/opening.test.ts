import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aBookingWorld, aBusiness } from '../../../tests/builders.ts'
import { compareAll } from '../ledger/comparison-queries.server.ts'
import { findTrialBalance, proveLedger } from '../ledger/queries.server.ts'
import { listPurchases } from '../sales/queries.server.ts'
import { PAYMENT_COMPARISONS } from './comparison-queries.server.ts'
import { postMissingMoney } from './posting-commands.server.ts'

/**
 * The ledger of a market that had none: 5,000 bookings of 50 vendors, with partial and full refunds in every state, refunds
 * paid another way, and disputes in progress, won and lost.
 */

const BOOKINGS = 5_000

let world: Awaited<ReturnType<typeof aBookingWorld>>
beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())

async function fillMarket(): Promise<void> {
  const { db } = world
  const { id: businessId } = await aBusiness(db)
  await sql`
    insert into sales (id, owner_user_id, business_id, business_name, place, time_zone, gst_registered, link_hash,
      terms_version, customer_name, customer_email, customer_phone, date, time, quantity, booking_type, event_from,
      event_until, occupied_from, occupied_until, unit_price_cents, price_cents, created_at)
    select 'payment-' || n, 'vendor-' || n % 50, ${businessId}, 'The Walled Garden', 'Melbourne, VIC',
      'Australia/Melbourne', false, 'link-' || n, '1', 'Kim Lee', 'kim@example.com', '', '2026-06-01', '16:00', 1,
      'perPerson', now(), now(), now(), now(), 1 + n * 7919 % 900000, 1 + n * 7919 % 900000, now()
    from generate_series(1, ${BOOKINGS}) n`.execute(db)
  await sql`
    insert into payments (id, sale_id, submit_key, provider, provider_reference, amount_cents, state, expires_at, paid_at,
      created_at)
    select 'payment-' || n, 'payment-' || n, 'key-' || n, 'sandbox', 'charge-' || n, 1 + n * 7919 % 900000,
      case when n % 50 = 0 then 'expired' when n % 97 = 0 then 'failed' else 'paid' end, now(),
      '2026-01-01'::timestamptz + n * interval '1 hour', now()
    from generate_series(1, ${BOOKINGS}) n`.execute(db)
  await sql`
    insert into bookings (id, payment_row_id, line, vendor_id, vendor_name, customer_name, email, phone, date, time,
      quantity, booking_type, total_price_cents, payment_id, remind_at, decide_by, created_at)
    select 'booking-' || substr(id, 9), id, 1, ${businessId}, 'The Walled Garden', 'Kim Lee', 'kim@example.com', '',
      '2026-06-01', '16:00', 1, 'perPerson', amount_cents, provider_reference, now(), now(), paid_at
    from payments where state = 'paid' and substr(id, 9)::int % 31 <> 0`.execute(db)
  // Refunds of a part or all: done, on their way, waiting, cancelled, come back, and paid another way.
  await sql`
    insert into payment_actions (id, payment_id, line, kind, amount_cents, reason, due_at, created_at, state, done_at,
      provider_refund, provider_status, resolution, resolved_at)
    select 'refund-' || n, id, case when state = 'paid' and n % 31 <> 0 then 1 end, 'refund',
      case when n % 3 = 0 then amount_cents else (amount_cents + 1) / 2 end,
      case when state = 'failed' then 'wrong_amount' else 'declined' end, now(), paid_at,
      case n % 7 when 0 then 'due' when 1 then 'cancelled' else 'done' end,
      case when n % 7 > 1 then paid_at + interval '1 day' end,
      case when n % 7 > 2 then 'provider-refund-' || n end,
      case n % 7 when 3 then 'succeeded' when 4 then 'pending' when 5 then 'failed' when 6 then 'failed' end,
      case n % 7 when 6 then 'paid_otherwise' end, case n % 7 when 6 then now() end
    from (select payments.*, substr(id, 9)::int as n from payments) p
    where state <> 'expired' and (n % 4 = 0 or n % 97 = 0 or n % 31 = 0)`.execute(db)
  await sql`
    insert into disputes (id, payment_id, provider, provider_dispute, amount_cents, reason, status, funds,
      is_charge_refundable, opened_at, checked_at, closed_at)
    select 'dispute-' || n, id, 'sandbox', 'provider-dispute-' || n, amount_cents, 'fraudulent',
      (array['needs_response', 'won', 'lost', 'warning_closed'])[1 + n % 4],
      (array['withdrawn', 'reinstated', 'withdrawn', 'held'])[1 + n % 4], false, paid_at, now(),
      case when n % 4 > 0 then now() end
    from (select payments.*, substr(id, 9)::int as n from payments) p where state = 'paid' and n % 13 = 0`.execute(
    db,
  )
}

const countTransactions = async () => {
  const { rows } = await sql<{ kind: string; count: number; cents: string }>`
    select kind, count(distinct t.id)::int as count,
      coalesce(sum(p.cents) filter (where account in ('provider_balance', 'bank')), 0)::text as cents
    from ledger_transactions t join ledger_postings p on p.transaction_id = t.id group by kind order by kind`.execute(
    world.db,
  )
  return rows
}

/** The sums of the payments' own tables. */
const sumRows = async () => {
  const { rows } = await sql<Record<'charged' | 'refunded' | 'cameBack' | 'atBank', string>>`
    select
      (select sum(case state when 'failed' then (select amount_cents from payment_actions a where a.payment_id = payments.id)
        else amount_cents end) from payments where state in ('paid', 'failed')) as charged,
      (select sum(amount_cents * case when resolution = 'paid_otherwise' then 2 else 1 end) from payment_actions
        where state = 'done') as refunded,
      (select sum(amount_cents) from payment_actions where provider_status = 'failed') as "cameBack",
      (select sum(amount_cents) from disputes where funds = 'withdrawn') as "atBank"`.execute(world.db)
  const [row] = rows
  return {
    charged: Number(row?.charged),
    refunded: Number(row?.refunded),
    cameBack: Number(row?.cameBack),
    atBank: Number(row?.atBank),
  }
}

/** The filled rows have neither line items nor bookings. */
const POSTED = PAYMENT_COMPARISONS.filter(({ name }) => /posted|commission|ledger/.test(name))
const comparesPayments = () => compareAll(world.db, POSTED, listPurchases)

it('the ledger of an older market matches the payments’ tables, and is opened once', async () => {
  await fillMarket()
  const { db, deps } = world
  const [before] = await compareAll(db, POSTED.slice(0, 1), listPurchases)
  expect(before?.count).toBeGreaterThan(BOOKINGS * 0.9)
  // Another process begins too, and ends early.
  await Promise.all([postMissingMoney(deps), postMissingMoney(deps, 2)])
  const checks = [...(await proveLedger(db)), ...(await comparesPayments())]
  expect(checks.filter(({ count }) => count > 0)).toEqual([])

  const posted = await countTransactions()
  const rows = await sumRows()
  const centsOf = (kind: string) => Number(posted.find((one) => one.kind === kind)?.cents ?? 0)
  expect({
    charged: centsOf('opening'),
    refunded: -centsOf('refund'),
    cameBack: centsOf('refund_failed'),
    atBank: -centsOf('dispute_opened') - centsOf('dispute_won'),
  }).toEqual(rows)
  const balances = await findTrialBalance(db)
  expect(balances.provider_balance + balances.bank).toBe(
    rows.charged - rows.refunded + rows.cameBack - rows.atBank,
  )
  expect(balances.commission + balances.gst_on_commission, 'no commission was agreed').toBe(0)

  expect(await postMissingMoney(deps)).toBe(0)
  expect(await countTransactions()).toEqual(posted)
}, 300_000)
