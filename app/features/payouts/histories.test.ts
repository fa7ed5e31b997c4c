import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aBookingWorld } from '../../../tests/builders.ts'
import {
  Crash,
  crashAt,
  type Fault,
  holdHistories,
  loseAnswer,
  NO_ANSWER,
  survive,
} from '../../../tests/faults.ts'
import { findMoneyDifferences, findPurchaseDifferences } from '../../../tests/money-proof.ts'
import {
  aPaidVendor,
  books,
  finishesAccount,
  OPERATOR,
  payoutDepsOf,
  refundsAsOperator,
  restsPast,
} from '../../../tests/payout-stage.ts'
import { issuesAll } from '../../../tests/tax-stage.ts'
import { FAULT_POINTS } from '../../adapters/payments/fault-points.ts'
import type { PayoutProvider } from '../../adapters/payments/payout-port.ts'
import { measureBalance } from '../../adapters/payments/sandbox/balance.server.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { decideBooking } from '../bookings/decisions/commands.server.ts'
import { tellDeclines } from '../bookings/decisions/decline-commands.server.ts'
import { findBookingMoney, findMoneyOf } from '../ledger/queries.server.ts'
import { NO_MONEY, sharesOf } from '../ledger/rules.ts'
import { placeHold, placePayoutOrder, releaseHold } from '../operators/payout-commands.server.ts'
import { settleDisputes, sweepDisputes } from '../payments/dispute-commands.server.ts'
import { resolveFailedRefund } from '../payments/failed-refund-commands.server.ts'
import { askAboutRefunds } from '../payments/refund-news-commands.server.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { openPayoutAccount, refreshPayoutAccount, sweepPayoutAccounts } from './account-commands.server.ts'
import { sweepBankPayouts } from './bank-commands.server.ts'
import type { PayoutDeps } from './deps.server.ts'
import { receivePayoutEvent } from './event-commands.server.ts'
import { findObstacles, selectAccount } from './queries.server.ts'
import type { PayoutOrderKind } from './rules.ts'
import { sweepPayouts } from './settlement-commands.server.ts'

/**
 * Random histories of vendors' money, on the real commands, real SQL and the real sandbox. Bookings are approved, declined,
 * refunded in parts and disputed. Accounts are opened, looked at again, paused, emptied, closed and refused, banks return
 * payouts, operators hold money and settle debts. Webhooks arrive twice, late or never, answers get lost, the provider is away
 * for a time, two sweeps run at once, and the process dies at any named point or in the middle of an operator's order.
 * docs/payouts.md lists the safeguards that these find.
 */

/** Histories per run: four or five a second. */
const RUNS = Number(process.env.HISTORIES ?? 200)
/** A new seed each time. HISTORIES_SEED repeats the histories of another run. */
const SEED = Number(process.env.HISTORIES_SEED ?? randomInt(2 ** 31))
/** Histories that share a database, which grows: each lasts some months and looks at all work that is due. */
const HISTORIES_PER_WORLD = 25

type AccountMove = 'open' | 'complete' | 'review' | 'restrict' | 'close' | 'reject'
type Step =
  | { do: 'book'; card: string }
  | { do: 'decide'; which: 0 | 1; decision: 'approved' | 'declined' }
  | { do: 'refund'; which: 0 | 1; percent: number }
  | { do: 'dispute'; which: 0 | 1; step: 'open' | 'won' | 'lost' }
  | { do: 'account'; move: AccountMove }
  | { do: 'provider'; isAway: boolean }
  | { do: 'operator'; order: 'hold' | 'release' | PayoutOrderKind; which: 0 | 1; dies: boolean }
  | { do: 'webhooks'; twice: boolean }
  | { do: 'bank'; move: 'paid' | 'failed' }
  | { do: 'sweep'; twice: boolean; fault: Fault; against: 'nothing' | 'refund' | 'dispute' }
  | { do: 'wait'; ms: number }

const POINTS = FAULT_POINTS.filter((point) => /^(transfer|reversal)-/.test(point))
const which = fc.constantFrom(0 as const, 1 as const)
const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Fault>({ kind: 'none' }) },
  { weight: 3, arbitrary: fc.constantFrom(...POINTS).map((at): Fault => ({ kind: 'crash', at })) },
  { weight: 2, arbitrary: fc.constant<Fault>({ kind: 'lost-answer' }) },
  { weight: 1, arbitrary: fc.constant<Fault>({ kind: 'silence' }) },
)
const as = <Name extends string>(name: Name) => fc.constant(name)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: as('book'),
      card: fc.constantFrom('4242424242424242', '4000000000007726', '4000000000005126'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: as('decide'),
      which,
      decision: fc.constantFrom('approved' as const, 'approved' as const, 'declined' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: as('refund'), which, percent: fc.constantFrom(1, 33, 50, 100) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: as('dispute'),
      which,
      step: fc.constantFrom('open' as const, 'open' as const, 'won' as const, 'lost' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: as('account'),
      move: fc.constantFrom<AccountMove>(
        ...(['open', 'complete', 'complete', 'review', 'restrict', 'close', 'reject'] as const),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: as('provider'), isAway: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: as('operator'),
      order: fc.constantFrom(...(['hold', 'release', 'write_off', 'debt_paid', 'paid_by_bank'] as const)),
      which,
      dies: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: as('webhooks'), twice: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: as('bank'), move: fc.constantFrom('paid' as const, 'failed' as const) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: as('sweep'),
      twice: fc.boolean(),
      fault,
      against: fc.constantFrom('nothing' as const, 'nothing' as const, 'refund' as const, 'dispute' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: as('wait'),
      ms: fc.constantFrom(61_000, 2 * HOUR_MS, 2 * DAY_MS, 33 * DAY_MS),
    }),
  },
)
const none = { twice: false, fault: { kind: 'none' }, against: 'nothing' } as const
const plain = '4242424242424242'
const booked: Step[] = [
  { do: 'book', card: plain },
  { do: 'decide', which: 0, decision: 'approved' },
]
const over: Step[] = [...booked, { do: 'wait', ms: 33 * DAY_MS }]
const sent: Step[] = [{ do: 'account', move: 'complete' }, ...over, { do: 'sweep', ...none }]
const opening = fc.constantFrom<Step[]>(
  [],
  booked,
  over,
  [{ do: 'account', move: 'complete' }, ...over],
  sent,
  sent,
  [...sent, { do: 'wait', ms: 2 * DAY_MS }, { do: 'bank', move: 'paid' }],
)

type Chance = { verdict: 'won' | 'lost'; endsReady: boolean }
/** Histories that once failed, as their failure reported them. Every run starts with them. */
const KEPT: readonly { was: string; history: [Step[], Step[], Chance] }[] = [
  {
    was: 'the debt of a lost dispute, paid by the next booking',
    history: [
      sent,
      [
        { do: 'webhooks', twice: false },
        { do: 'dispute', which: 0, step: 'open' },
        { do: 'book', card: plain },
        { do: 'decide', which: 1, decision: 'approved' },
      ],
      { verdict: 'lost', endsReady: false },
    ],
  },
]

let world: Awaited<ReturnType<typeof aBookingWorld>>
let deps: PayoutDeps
/** How many histories this database has seen, and all transfers that histories have made. */
let lived = 0
let madeTransfers = 0
let isProviderAway = false
/** Transfers that were ordered although something that we knew of was in the way. */
const wrongTransfers: string[] = []
/** Whether a refund or a dispute is ordered while a sweep runs. */
let isRacing = false

async function openWorld(): Promise<void> {
  world = await aBookingWorld()
  lived = 0
  const { payouts } = world.payments
  deps = payoutDepsOf(world, {
    payouts: unlessAway({
      ...payouts,
      async transfer(input) {
        await checkTransfer(input.transferId)
        return payouts.transfer(input)
      },
    }),
  })
}

/** Closes the database, and proves the ledger of its histories. */
async function closeWorld(): Promise<void> {
  expect(await findMoneyDifferences(world.db)).toEqual([])
  const { count } = await world.db
    .selectFrom('sandbox_transfers')
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  madeTransfers += Number(count)
  await world.close()
}

beforeAll(openWorld)
afterAll(() => world.close())

/** The provider as long as it isn't away. */
function unlessAway(payouts: PayoutProvider): PayoutProvider {
  const reach =
    <Input, Answer>(call: (input: Input) => Promise<Answer>) =>
    async (input: Input): Promise<Answer | typeof NO_ANSWER> =>
      isProviderAway ? NO_ANSWER : call(input)
  return {
    ...payouts,
    createAccount: reach(payouts.createAccount),
    transfer: reach(payouts.transfer),
    reverse: reach(payouts.reverse),
    listTransfers: reach(payouts.listTransfers),
    listReversals: reach(payouts.listReversals),
    retrieveAccount: reach(payouts.retrieveAccount),
    listBankPayouts: reach(payouts.listBankPayouts),
  }
}

/** A transfer leaves after approval and the event, and with nothing in the way that was known when it was claimed. */
async function checkTransfer(transferId: string): Promise<void> {
  const row = await world.db
    .selectFrom('transfers')
    .innerJoin('bookings', 'bookings.id', 'transfers.booking_id')
    .innerJoin('sales', 'sales.id', 'transfers.payment_id')
    .select(['transfers.state', 'transfers.payment_id', 'bookings.status', 'sales.event_until'])
    .where('transfers.id', '=', transferId)
    .executeTakeFirstOrThrow()
  const { isRefundInTheWay, disputes } = await findObstacles(world.db, row.payment_id)
  // A refund or dispute that races this sweep may have come after the claim.
  const isBlocked = !isRacing && (isRefundInTheWay || disputes.some(({ isOpen }) => isOpen))
  const isOver = row.event_until.getTime() + deps.payoutDelayMs <= world.clock.now().getTime()
  if (row.state !== 'claimed' || row.status !== 'approved' || !isOver || isBlocked)
    wrongTransfers.push(transferId)
}

function withFault(given: Fault): PayoutDeps {
  if (given.kind === 'none') return deps
  if (given.kind === 'crash') return { ...deps, faultPoint: crashAt(given.at) }
  const lose = loseAnswer(given.kind)
  const { payouts } = deps
  const faulty: PayoutProvider = {
    ...payouts,
    transfer: lose(payouts.transfer),
    reverse: lose(payouts.reverse),
    listTransfers: lose(payouts.listTransfers),
    listReversals: lose(payouts.listReversals),
    retrieveAccount: lose(payouts.retrieveAccount),
  }
  return { ...deps, payouts: faulty }
}

type Booked = Awaited<ReturnType<typeof books>>

const accountStateOf = async (userId: string) =>
  (await selectAccount(world.db, { userId, provider: 'sandbox' }))?.state ?? 'none'

/** Completes the vendor's account, a new one if theirs is closed. Nothing helps a vendor whom the provider refuses. */
async function completeAccount(userId: string): Promise<void> {
  await refreshPayoutAccount(deps, { userId })
  if (isProviderAway || (await accountStateOf(userId)) === 'rejected') return
  await finishesAccount(world, userId)
}

/** An operator's hold, or order about a booking's debt or share. If the process dies, it does so before the commit. */
async function operate(
  userId: string,
  booking: Booked | undefined,
  { order, dies }: Extract<Step, { do: 'operator' }>,
): Promise<void> {
  let asked = 0
  const now = () => {
    // The log's entry comes last and asks for the time once more.
    if (dies && ++asked > 1) throw new Crash('in an operator’s order')
    return deps.now()
  }
  const using = { ...deps, now }
  const about = { operator: OPERATOR, reason: 'A complaint.' }
  if (order === 'hold') {
    await survive(placeHold(using, { ...about, vendorUserId: userId, bookingId: null }))
    return
  }
  if (order === 'release') return releaseAll(userId)
  if (!booking) return
  const { bookingId } = booking
  const money = await findMoneyOf(world.db, bookingId)
  const expectedCents = order === 'paid_by_bank' ? Math.max(0, money.payableCents) : money.receivableCents
  const amountCents = Math.ceil(expectedCents / 2)
  if (amountCents === 0) return
  await survive(placePayoutOrder(using, { ...about, kind: order, bookingId, amountCents, expectedCents }))
}

async function releaseAll(userId: string): Promise<void> {
  const holds = await world.db
    .selectFrom('payout_holds')
    .select('id')
    .where('vendor_user_id', '=', userId)
    .where('released_at', 'is', null)
    .execute()
  for (const { id } of holds) await releaseHold(deps, { operator: OPERATOR, holdId: id, reason: 'Settled.' })
}

async function live(steps: readonly Step[], chance: Chance) {
  const { db, clock, payments } = world
  const { business, userId } = await aPaidVendor(world, { isReady: false })
  const bookings: Booked[] = []
  const bookingOf = (at: 0 | 1) => bookings[at % Math.max(1, bookings.length)]
  const accountId = async () =>
    (await selectAccount(db, { userId, provider: 'sandbox' }))?.provider_account ?? null
  const refund = async (one: Booked, percent: number) => {
    const amountCents = Math.ceil((one.amountCents * percent) / 100)
    await refundsAsOperator(world.deps, {
      operator: OPERATOR,
      paymentId: one.paymentId,
      amountCents,
      reason: 'The heater failed.',
    })
  }
  const dispute = async (one: Booked, at: 'open' | 'won' | 'lost') => {
    if (at === 'open') await payments.openDispute(one.reference, 'dispute')
    else await payments.decideDispute(one.reference, at)
    await settleDisputes(world.deps, payments, { id: one.paymentId, provider_reference: one.reference })
  }

  for (const one of steps) {
    switch (one.do) {
      case 'book':
        if (bookings.length === 2) break
        if ((await accountStateOf(userId)) === 'rejected')
          await expect(books(world, business), 'bookings stop').rejects.toThrow('vendor_paused')
        else bookings.push(await books(world, business, { card: one.card, quantity: 7, isApproved: false }))
        break
      case 'decide': {
        const booking = bookingOf(one.which)
        if (!booking) break
        const { bookingId } = booking
        // A decision's mail is named after its time.
        clock.forward(1_000)
        await decideBooking(world.deps, { userId, bookingId, decision: one.decision, reason: 'It is torn.' })
        break
      }
      case 'refund': {
        const booking = bookingOf(one.which)
        if (booking) await refund(booking, one.percent)
        break
      }
      case 'dispute': {
        const booking = bookingOf(one.which)
        if (booking) await dispute(booking, one.step)
        break
      }
      case 'account': {
        if (one.move === 'open') {
          await openPayoutAccount(deps, { userId, email: `${userId}@example.com` })
          break
        }
        if (one.move === 'complete') {
          await completeAccount(userId)
          break
        }
        const account = await accountId()
        // The next sweep or webhook finds it.
        if (account) await payments.payouts.moveAccount(account, one.move)
        break
      }
      case 'provider':
        isProviderAway = one.isAway
        break
      case 'operator':
        await operate(userId, bookingOf(one.which), one)
        break
      case 'webhooks': {
        const account = await accountId()
        if (!account) break
        const events = await db
          .selectFrom('sandbox_events')
          .select(['id', 'type'])
          .where('sandbox_account_id', '=', account)
          .execute()
        for (const { id, type } of one.twice ? [...events, ...events.toReversed()] : events.slice(-1))
          await receivePayoutEvent(deps, { id, type, account, payout: null, payload: {} })
        break
      }
      case 'bank': {
        await payments.runDueWork()
        const account = await accountId()
        if (account) await payments.payouts.movePayout(account, one.move)
        await sweepBankPayouts(deps)
        break
      }
      case 'sweep': {
        const using = withFault(one.fault)
        const booking = bookingOf(0)
        isRacing = one.against !== 'nothing'
        await Promise.all([
          survive(sweepPayouts(using)),
          one.twice ? survive(sweepPayouts(using)) : null,
          booking && one.against === 'refund' ? refund(booking, 50) : null,
          booking && one.against === 'dispute' ? dispute(booking, 'open') : null,
        ])
        isRacing = false
        break
      }
      case 'wait':
        clock.forward(one.ms)
        await sweepPayoutAccounts(deps)
        await tellDeclines(world.deps)
        await performDueRefunds(world.deps)
        // A refund that comes back is looked for during five weeks only.
        await payments.runDueWork()
        await askAboutRefunds(world.deps)
        break
    }
    await checkAlways(bookings)
  }

  isProviderAway = false
  await settle(bookings, userId, chance)
  await checkAlways(bookings)
  const isReady = chance.endsReady && (await accountStateOf(userId)) === 'active'
  await checkAtRest(bookings, userId, isReady)
}

/** The process is up, banks decide, refunds arrive, operators pay back what came back, and the jobs run. */
async function settle(bookings: readonly Booked[], userId: string, chance: Chance): Promise<void> {
  const { db, clock, payments } = world
  await releaseAll(userId)
  if (chance.endsReady) await completeAccount(userId)
  for (const { reference } of bookings) {
    await payments.decideDispute(reference, chance.verdict)
    await sql`
      update sandbox_disputes set funds = 'reinstated' where sandbox_payment_id = ${reference} and status = 'won'
        and funds <> 'reinstated'`.execute(db)
  }
  for (let round = 0; round < 5; round++) {
    clock.forward(round === 2 ? 33 * DAY_MS : DAY_MS + HOUR_MS)
    await payments.runDueWork()
    for (const one of bookings)
      await settleDisputes(world.deps, payments, { id: one.paymentId, provider_reference: one.reference })
    await sweepDisputes(world.deps)
    await askAboutRefunds(world.deps)
    await tellDeclines(world.deps)
    await performDueRefunds(world.deps)
    await payOtherwise(bookings)
    // A refused vendor's held money goes back to the customers.
    if ((await accountStateOf(userId)) === 'rejected') for (const one of bookings) await refundAll(one)
    await sweepPayoutAccounts(deps)
    await sweepPayouts(deps)
  }
  await sweepBankPayouts(deps)
}

/** An operator refunds all of a payment that is left. */
async function refundAll({ paymentId, amountCents }: Booked): Promise<void> {
  const order = { operator: OPERATOR, paymentId, reason: 'The vendor can’t be paid.' }
  const refused = await refundsAsOperator(world.deps, { ...order, amountCents })
  if (!refused.ok && refused.reason === 'exceeds' && refused.leftCents > 0)
    await refundsAsOperator(world.deps, { ...order, amountCents: refused.leftCents })
}

/** An operator pays back another way what came back. */
async function payOtherwise(bookings: readonly Booked[]): Promise<void> {
  const rows = await world.db
    .selectFrom('payment_actions')
    .select(['id', 'payment_id', 'line'])
    .where('payment_id', 'in', ['', ...bookings.map(({ paymentId }) => paymentId)])
    .where('provider_status', '=', 'failed')
    .where('state', '=', 'done')
    .where('resolution', 'is', null)
    .execute()
  for (const row of rows)
    await world.db.transaction().execute((tx) =>
      resolveFailedRefund(world.deps, tx, {
        refund: { id: row.id, paymentId: row.payment_id, line: row.line },
        reference: newId(),
        note: 'By transfer',
        accountGivenAt: null,
      }),
    )
}

/** Checks the invariants that hold at every commit. */
async function checkAlways(bookings: readonly Booked[]): Promise<void> {
  const { db } = world
  const purchases = bookings.map(({ paymentId }) => paymentId)
  expect(await findPurchaseDifferences(db, purchases), 'the proof finds nothing').toEqual([])
  expect(wrongTransfers.splice(0), 'no transfer leaves before its time or past an obstacle').toEqual([])
  const money = await findBookingMoney(
    db,
    bookings.map(({ bookingId }) => bookingId),
  )
  for (const { bookingId, amountCents } of bookings) {
    const one = money.get(bookingId) ?? NO_MONEY
    expect(one.chargedCents, 'charged').toBe(amountCents)
    expect(one.chargedCents + one.coveredCents, 'all is accounted for').toBe(
      one.refundedCents +
        one.heldCents +
        one.earnedCents +
        one.commissionCents +
        one.disputedCents +
        one.lostCents,
    )
    expect(one.receivableCents, 'no debt below 0').toBeGreaterThanOrEqual(0)
  }
  const ids = ['', ...bookings.map(({ bookingId }) => bookingId)]
  const { rows } = await sql<{ wrong: string }>`
    select 'a debt shrank by ' || t.kind as wrong from ledger_postings p
      join ledger_transactions t on t.id = p.transaction_id
      where p.booking_id in (select json_array_elements_text(${JSON.stringify(ids)}::json))
        and p.account = 'vendor_receivable' and p.cents < 0 and t.kind not in ('transfer', 'adjustment', 'write_off')
    union all
    select 'a booking has several open transfers' from transfers
      where booking_id in (select json_array_elements_text(${JSON.stringify(ids)}::json)) and state in ('due', 'claimed')
      group by booking_id having count(*) > 1
    union all
    select 'the provider has more than was claimed' from sandbox_transfers s
      left join transfers t on t.id = s.transfer_id
      where s.transfer_group in (${sql.join(['', ...bookings.map(({ paymentId }) => paymentId)])})
        and (t.id is null or t.amount_cents <> s.amount_cents)`.execute(db)
  expect(rows).toEqual([])
}

/** Checks the invariants that hold once everything has settled. */
async function checkAtRest(bookings: readonly Booked[], userId: string, isReady: boolean): Promise<void> {
  const { db, clock } = world
  await issuesAll(world)
  expect(await findMoneyDifferences(db), 'the proof finds nothing').toEqual([])
  const money = await findBookingMoney(
    db,
    bookings.map(({ bookingId }) => bookingId),
  )
  const { availableCents } = await measureBalance(db, null, clock.now())
  for (const { bookingId } of bookings) {
    const one = money.get(bookingId) ?? NO_MONEY
    const shares = sharesOf(one.kept.cents, { basisPoints: 1_000, isGstRegistered: true })
    expect(one.commissionCents, 'commission is its rate of what is kept').toBe(shares.commissionCents)
    const { rows } = await sql<{ sent: string; netted: string; paid: string; open: string }>`
      select coalesce(sum(s.amount_cents - s.reversed_cents), 0) as sent,
        (select coalesce(sum(netted_cents), 0) from transfers where booking_id = ${bookingId}) as netted,
        (select coalesce(-sum(cents), 0) from ledger_postings
          where booking_id = ${bookingId} and account = 'vendor_receivable' and cents < 0) as paid,
        (select count(*) from transfers where booking_id = ${bookingId} and state = 'claimed') as open
      from sandbox_transfers s join transfers t on t.id = s.transfer_id where t.booking_id = ${bookingId}`.execute(
      db,
    )
    // A share may also have paid debts of other bookings, and other shares the debt of this one.
    const sentCents = Number(rows[0]?.sent) + Number(rows[0]?.netted) - Number(rows[0]?.paid)
    expect(Number(rows[0]?.open), 'no claim is left').toBe(0)
    expect(sentCents - one.receivableCents, 'no more is sent than the vendor’s share').toBeLessThanOrEqual(
      one.earnedCents,
    )
    expect(one.payableCents, 'what had to come back has come back, or is a debt').toBeGreaterThanOrEqual(0)
    // A transfer repeated after a dispute comes from our balance, which another booking's lost dispute may have emptied.
    const isCovered = one.payableCents <= availableCents
    if (isReady && isCovered) expect(one.payableCents, 'all that was earned is sent').toBe(0)
  }
  const { rows } = await sql<{ ours: string; theirs: string; vendor: string; account: string }>`
    select (select coalesce(sum(cents), 0) from ledger_balances where account = 'provider_balance') as ours,
      (select coalesce(sum(amount_cents), 0) from sandbox_movements where sandbox_account_id is null) as theirs,
      (select coalesce(-sum(p.cents), 0) from ledger_postings p join ledger_transactions t on t.id = p.transaction_id
        where p.vendor_user_id = ${userId} and p.account = 'provider_balance' and t.kind in ('transfer', 'reversal'))
        as vendor,
      (select coalesce(sum(m.amount_cents), 0) from sandbox_movements m
        join sandbox_accounts s on s.id = m.sandbox_account_id
        join payout_accounts a on a.id = s.account_id
        where a.vendor_user_id = ${userId} and m.kind in ('transfer', 'reversal')) as account`.execute(db)
  const [sums] = rows
  expect(Number(sums?.ours), 'the ledger has the provider’s balance').toBe(Number(sums?.theirs))
  expect(Number(sums?.vendor), 'the ledger has the vendor’s account').toBe(Number(sums?.account))
  const sentMails = (await world.jobs.mails()).map(({ messageId }) => messageId)
  const twice = sentMails.filter((messageId, nth) => sentMails.indexOf(messageId) !== nth)
  expect(twice, 'each mail once').toEqual([])
}

/** Lives a history in a database that few others have used. */
async function liveApart(first: readonly Step[], steps: readonly Step[], chance: Chance): Promise<void> {
  if (++lived > HISTORIES_PER_WORLD) {
    await closeWorld()
    await openWorld()
  }
  isProviderAway = false
  await restsPast(world)
  await live([...first, ...steps], chance)
}

const histories = fc.asyncProperty(
  opening,
  fc.array(step, { minLength: 2, maxLength: 12 }),
  fc.record({ verdict: fc.constantFrom('won' as const, 'lost' as const), endsReady: fc.boolean() }),
  liveApart,
)

it.each(KEPT)('vendors’ money stays right where it once did not: $was', { timeout: 60_000 }, ({ history }) =>
  liveApart(...history),
)

it(`vendors’ money stays right in ${RUNS} random histories`, { timeout: 3_600_000 }, async () => {
  process.stdout.write(`${RUNS} random histories of payouts of the seed ${SEED}\n`)
  const runs = await holdHistories(histories, { numRuns: RUNS, seed: SEED })
  await closeWorld()
  await openWorld()
  // Histories without transfers would prove little.
  expect(madeTransfers).toBeGreaterThan(runs / 4)
})
