import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  booked,
  deps as bookingDeps,
  business,
  CARDS,
  decide,
  event,
  receive,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { findMoneyDifferences } from '../../../tests/money-proof.ts'
import { refundsAsOperator } from '../../../tests/payout-stage.ts'
import type { PayoutProvider } from '../../adapters/payments/payout-port.ts'
import { proofDeps } from '../../services/deps.server.ts'
import { newId } from '../../shared/ids.ts'
import { HOUR_MS } from '../../shared/time-units.ts'
import { postTransactions } from './commands.server.ts'
import { readMovements } from './movement-commands.server.ts'
import { MOVING, type ProofDeps, prove } from './proof-commands.server.ts'
import { findLastProof } from './proof-queries.server.ts'
import { findOwedCents, findTrialBalance } from './queries.server.ts'
import { charge, type Entry, LEDGER_CHECKS, withdrawableCents } from './rules.ts'

setBookingStage()

const PRICE = 45_500
/** 1.7 % and 30 cents. */
const FEE = 804
const operator = { userId: 'operator-1', email: 'operator@example.com' }

let deps: ProofDeps
beforeEach(() => {
  const { db, payments, clock } = world
  deps = proofDeps({ db, payouts: payments.payouts, now: clock.now })
})

const differencesOf = ({ checks }: Awaited<ReturnType<typeof prove>>) =>
  checks.filter(({ count }) => count > 0).map(({ name, differences }) => ({ name, differences }))
const chargeMovement = async (reference: string) =>
  world.db
    .selectFrom('sandbox_movements')
    .select(['id', 'amount_cents'])
    .where('reference', '=', reference)
    .where('kind', '=', 'charge')
    .executeTakeFirstOrThrow()

describe('the proof', () => {
  it('finds nothing after charges, refunds and disputes, and posts the provider’s fees', async () => {
    const before = await findTrialBalance(world.db)
    const { paymentId } = await booked()
    await refundsAsOperator(bookingDeps, {
      operator,
      paymentId,
      amountCents: 500,
      reason: 'The heater failed.',
    })
    const disputed = await booked({}, CARDS.disputed)
    await receive(bookingDeps, event(disputed.reference, newId(), 'charge.dispute.created'))
    world.clock.forward(2 * HOUR_MS)
    expect(await prove(deps)).toMatchObject({ differenceCount: 0, failure: null })
    await Promise.all([readMovements(deps), readMovements(deps)])
    expect(await prove(deps)).toMatchObject({ differenceCount: 0 })
    const after = await findTrialBalance(world.db)
    expect(after.provider_fees - before.provider_fees).toBe(2 * FEE)
    expect(after.losses - before.losses, 'the fee of the dispute').toBe(2_500)
    const balance = await world.payments.payouts.retrieveBalance()
    expect(balance.ok && balance.availableCents + balance.pendingCents).toBe(after.provider_balance)
    const fees = await world.db
      .selectFrom('ledger_transactions')
      .select(['vendor_user_id', 'booking_id'])
      .where('payment_id', '=', paymentId)
      .where('kind', '=', 'fee')
      .execute()
    expect(fees).toEqual([{ vendor_user_id: business.user_id, booking_id: expect.any(String) }])
    expect(await findLastProof(world.db)).toMatchObject({
      differenceCount: 0,
      checks: { length: LEDGER_CHECKS.length },
      availableCents: balance.ok && balance.availableCents,
    })
  })

  it('lists exactly the movement that was changed at the provider', async () => {
    const { reference } = await booked()
    const movement = await chargeMovement(reference)
    world.clock.forward(2 * HOUR_MS)
    expect(differencesOf(await prove(deps))).toEqual([])
    const setAmount = (cents: number) =>
      sql`update sandbox_movements set amount_cents = ${cents} where id = ${movement.id}`.execute(world.db)
    await setAmount(PRICE - 100)
    expect(differencesOf(await prove(deps))).toEqual([
      { name: 'movements_are_posted', differences: [{ subject: reference, cents: -100 }] },
    ])
    await setAmount(PRICE)
    expect(differencesOf(await prove(deps))).toEqual([])
  })

  it('lists a movement and a transaction without the other, an hour later', async () => {
    const { reference } = await booked()
    const key = `charge:${newId()}:1`
    await world.db.transaction().execute((tx) =>
      postTransactions(tx, [
        {
          ...charge(700),
          key,
          vendorUserId: null,
          bookingId: null,
          paymentId: null,
          providerReference: `sb_unknown_${key}`,
          at: world.clock.now(),
        },
      ]),
    )
    await sql`
      insert into sandbox_movements (id, kind, reference, amount_cents, created_at, available_at)
      values ('sbm_by_hand', 'refund', 'sbr_by_hand', -300, ${world.clock.now()}, ${world.clock.now()})`.execute(
      world.db,
    )
    const early = differencesOf(await prove(deps)).flatMap(({ differences }) => differences)
    expect(early).toEqual([])
    world.clock.forward(2 * HOUR_MS)
    expect(differencesOf(await prove(deps))).toEqual([
      {
        name: 'movements_are_posted',
        differences: [
          { subject: `sb_unknown_${key}`, cents: -700 },
          { subject: 'sbr_by_hand', cents: -300 },
        ].toSorted((one, other) => (one.subject < other.subject ? -1 : 1)),
      },
    ])
    await sql`delete from sandbox_movements where id = 'sbm_by_hand'`.execute(world.db)
    await sql`delete from provider_movements where id = 'sbm_by_hand'`.execute(world.db)
    // Corrected by another transaction, as an operator would.
    await world.db.transaction().execute((tx) =>
      postTransactions(tx, [
        {
          kind: 'adjustment',
          postings: [
            { account: 'provider_balance', cents: -700 },
            { account: 'customer_money_held', cents: 700 },
          ],
          key: `adjustment:${key}`,
          vendorUserId: null,
          bookingId: null,
          paymentId: null,
          providerReference: `sb_unknown_${key}`,
          at: world.clock.now(),
        },
      ]),
    )
    expect(differencesOf(await prove(deps))).toEqual([])
    expect(reference).not.toBe('')
  })

  it('lists a balance that its movements don’t make', async () => {
    await booked()
    const payouts = {
      ...world.payments.payouts,
      retrieveBalance: async () => {
        const balance = await world.payments.payouts.retrieveBalance()
        return balance.ok ? { ...balance, availableCents: balance.availableCents - 5 } : balance
      },
    }
    expect(differencesOf(await prove({ ...deps, payouts }))).toEqual([
      { name: 'provider_balance_moved', differences: [{ subject: 'sandbox', cents: -5 }] },
    ])
  })

  /** The provider, whose balance is only asked for after another customer has paid, a number of times. */
  function whileCustomersPay(times: number) {
    let left = times
    return {
      ...world.payments.payouts,
      retrieveBalance: async () => {
        if (left-- > 0) await booked()
        return world.payments.payouts.retrieveBalance()
      },
    }
  }

  it('says that money is moving and looks again, as long as customers pay between its two looks', async () => {
    const heard: number[] = []
    const tellMoving = (look: number) => heard.push(look)
    expect(await prove({ ...deps, payouts: whileCustomersPay(4), tellMoving })).toMatchObject({
      differenceCount: 0,
      failure: null,
    })
    expect(heard, 'the look that found it').toEqual([2, 3, 4])
  })

  it('gives up after ten looks, without calling what moved a difference', async () => {
    const heard: number[] = []
    const tellMoving = (look: number) => heard.push(look)
    const payouts = whileCustomersPay(Number.MAX_SAFE_INTEGER)
    expect(await prove({ ...deps, payouts, tellMoving })).toMatchObject({
      differenceCount: 0,
      failure: MOVING,
    })
    expect(heard).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('finds nothing in the tables while bookings are paid, declined and refunded at the same time', async () => {
    let isMoving = true
    let moved = 0
    const move = async () => {
      while (isMoving) {
        const { bookingId, paymentId } = await booked()
        await refundsAsOperator(bookingDeps, { operator, paymentId, amountCents: 500, reason: 'Cold.' })
        await decide(bookingId, 'declined')
        moved++
      }
    }
    const moving = move()
    // Small pages, so that many commits fall between them. No look begins before something has moved since the last.
    for (let look = 0; look < 3; look++) {
      const before = moved
      do expect(await findMoneyDifferences(world.db, { purchases: 2, transactions: 3 })).toEqual([])
      while (moved === before)
    }
    isMoving = false
    await moving
    expect(await findMoneyDifferences(world.db)).toEqual([])
  })

  it('proves the ledger alone while the provider is away, and says so', async () => {
    // Later than the proof before.
    world.clock.forward(1)
    const payouts = {
      ...world.payments.payouts,
      listMovements: async () => ({ ok: false, reason: 'unreachable', message: 'No answer.' }) as const,
    }
    expect(await prove({ ...deps, payouts })).toMatchObject({
      failure: 'No answer.',
      checks: { length: LEDGER_CHECKS.length - 3 },
    })
    expect(await findLastProof(world.db)).toMatchObject({ failure: 'No answer.', availableCents: null })
    expect(await prove({ ...deps, payouts: null })).toMatchObject({
      failure: null,
      checks: { length: LEDGER_CHECKS.length - 3 },
    })
  })

  it('lists a payment that the ledger does not have', async () => {
    const { paymentId } = await booked()
    await sql`update payments set amount_cents = amount_cents + 1 where id = ${paymentId}`.execute(world.db)
    expect(differencesOf(await prove(deps))).toEqual([
      {
        name: 'payments_are_posted',
        differences: [
          {
            subject: paymentId,
            cents: 1,
            detail: "charged $455.01 by its state 'paid', $455.00 in the ledger",
          },
        ],
      },
      {
        name: 'payments_agree',
        differences: [{ subject: paymentId, cents: 1, detail: '$455.01, its line items $455.00' }],
      },
    ])
    await sql`update payments set amount_cents = amount_cents - 1 where id = ${paymentId}`.execute(world.db)
  })
})

describe('a fee without a charge', () => {
  it('posts to the provider’s fees, and back when the provider returns it', async () => {
    const before = await findTrialBalance(world.db)
    const payouts = (amountCents: number, id: string) => ({
      ...world.payments.payouts,
      listMovements: async (): ReturnType<PayoutProvider['listMovements']> => {
        const at = world.clock.now()
        const movement = {
          id,
          kind: 'fee',
          reference: null,
          amountCents,
          feeCents: 0,
          at,
          availableAt: at,
        } as const
        return { ok: true, next: null, movements: [movement] }
      },
    })
    await readMovements({ ...deps, payouts: payouts(-250, 'sbm_fee') })
    const charged = await findTrialBalance(world.db)
    expect(charged.provider_fees - before.provider_fees).toBe(250)
    await readMovements({ ...deps, payouts: payouts(250, 'sbm_fee_back') })
    expect(await findTrialBalance(world.db)).toEqual(before)
    await sql`delete from provider_movements where kind = 'fee'`.execute(world.db)
  })
})

describe('our own payout to the bank', () => {
  it('moves the balance to the bank, and back if the bank returns it', async () => {
    const before = await findTrialBalance(world.db)
    const move = (id: string, cents: number) =>
      sql`
        insert into sandbox_movements (id, kind, reference, amount_cents, created_at, available_at)
        values (${id}, 'payout', 'po_1', ${cents}, ${world.clock.now()}, ${world.clock.now()})`.execute(
        world.db,
      )
    await move('sbm_out', -1_000)
    await readMovements(deps)
    const out = await findTrialBalance(world.db)
    expect([out.bank - before.bank, out.provider_balance - before.provider_balance]).toEqual([1_000, -1_000])
    await move('sbm_back', 1_000)
    await readMovements(deps)
    await readMovements(deps)
    expect(await findTrialBalance(world.db)).toEqual(before)
    world.clock.forward(2 * HOUR_MS)
    expect(differencesOf(await prove(deps))).toEqual([])
  })
})

describe('what is free to withdraw', () => {
  it('subtracts the money that is owed and the reserve from the available balance', () => {
    const sums = { availableCents: 1_500, balanceCents: 1_500, owedCents: 1_000 }
    expect(withdrawableCents({ ...sums, reserveBasisPoints: 1_000 })).toEqual({
      leftCents: 0,
      owedCents: 1_000,
      reserveCents: 100,
      freeCents: 400,
    })
    expect(withdrawableCents({ ...sums, reserveBasisPoints: 10_000 }).freeCents).toBe(-500)
  })

  it('subtracts what has left since the provider was asked, such as a transfer', () => {
    const sums = { availableCents: 855_180, balanceCents: 72_180, owedCents: 0 }
    expect(withdrawableCents({ ...sums, reserveBasisPoints: 1_000 })).toEqual({
      leftCents: 783_000,
      owedCents: 0,
      reserveCents: 0,
      freeCents: 72_180,
    })
  })

  it('does not offset what one vendor is owed with what another was paid too much', async () => {
    const vendors = [newId(), newId()] as const
    const before = await findOwedCents(world.db)
    const post = (vendorUserId: string, entry: Entry) =>
      world.db.transaction().execute((tx) =>
        postTransactions(tx, [
          {
            ...entry,
            key: `adjustment:${vendorUserId}`,
            vendorUserId,
            bookingId: null,
            paymentId: null,
            providerReference: null,
            at: world.clock.now(),
          },
        ]),
      )
    const entryOf = (payableCents: number): Entry => ({
      kind: 'adjustment',
      postings: [
        { account: 'vendor_payable', cents: payableCents },
        { account: 'losses', cents: -payableCents },
      ],
    })
    await post(vendors[0], entryOf(-70_000))
    await post(vendors[1], entryOf(50_000))
    expect((await findOwedCents(world.db)) - before).toBe(70_000)
  })
})
