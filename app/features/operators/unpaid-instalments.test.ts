import { afterAll, beforeAll, expect, it } from 'vitest'
import { aBookingWorld } from '../../../tests/builders.ts'
import {
  aDepositBusiness,
  approves,
  BALANCE_CENTS,
  balanceOf,
  booksWithDeposit,
  confirms,
  DUE_AT,
  GOOD_CARD,
  instalmentDeps,
  movesTo,
  REFUSED_CARD,
  runInstalmentJobs,
} from '../../../tests/instalment-stage.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { endOverdueBookings } from '../bookings/cancellation/commands.server.ts'
import { keepCardOfSetup, startCardSetup } from '../instalments/card-commands.server.ts'
import { extendInstalment } from '../instalments/commands.server.ts'
import { listUnpaidInstalments } from './instalment-queries.server.ts'
import { findPaymentTrail } from './payment-trail-queries.server.ts'

/** The operators' view of balances that were due and aren't paid. */

let world: Awaited<ReturnType<typeof aBookingWorld>>
beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())

const listed = (words = '') => listUnpaidInstalments(world.db, { words })

async function booksWith(card: string, given: { businessId?: string; date?: string } = {}) {
  const booked = await booksWithDeposit(world, given)
  await approves(world, booked)
  const deps = instalmentDeps(world)
  const setup = await startCardSetup(deps, { linkToken: booked.linkToken, setupKey: newId() })
  if (!setup.ok) throw new Error(setup.reason)
  await confirms(world, setup.clientSecret, card)
  await keepCardOfSetup(deps, world.payments, setup.reference)
  return booked
}

it('a balance that a card refuses is listed from its first try until its booking ends, the next to end first', async () => {
  const first = await booksWith(REFUSED_CARD)
  const { id: otherId } = await aDepositBusiness(world)
  const extended = await booksWith(REFUSED_CARD, { businessId: otherId })
  const paid = await booksWith(GOOD_CARD, { businessId: otherId })
  movesTo(world, new Date(DUE_AT.getTime() - 7 * DAY_MS))
  await runInstalmentJobs(world)
  expect(await listed()).toEqual([])

  movesTo(world, DUE_AT)
  await runInstalmentJobs(world)
  expect((await balanceOf(world, paid.paymentId)).state).toBe('paid')
  await extendInstalment(instalmentDeps(world), { firstPaymentId: extended.paymentId })
  const now = await listed()
  expect(now).toMatchObject([
    {
      paymentId: first.paymentId,
      businessName: 'Harbour Light Pavilion',
      customerName: 'Kim Lee',
      email: 'kim@example.com',
      amountCents: BALANCE_CENTS,
      dueAt: DUE_AT.toISOString(),
      state: 'failed',
      declineCode: 'generic_decline',
      nextTryAt: new Date(DUE_AT.getTime() + DAY_MS).toISOString(),
      endsAt: new Date(DUE_AT.getTime() + 7 * DAY_MS).toISOString(),
      isExtended: false,
    },
    {
      paymentId: extended.paymentId,
      endsAt: new Date(DUE_AT.getTime() + 14 * DAY_MS).toISOString(),
      isExtended: true,
    },
  ])
  expect(now[0]?.span).toContain('2027')
  expect((await listed('harbour light')).length).toBe(2)
  expect((await listed('kim@')).length).toBe(2)
  expect((await listed(first.reference)).map(({ paymentId }) => paymentId)).toEqual([first.paymentId])
  expect(await listed('100%')).toEqual([])

  // While a card is being tried again, its instalment stays in the list.
  const being = world.db.updateTable('instalments').where('payment_id', '=', first.paymentId)
  await being.set({ state: 'charging' }).where('state', '=', 'failed').execute()
  expect(await listed()).toMatchObject([{ state: 'charging' }, {}])
  await being.set({ state: 'failed' }).where('state', '=', 'charging').execute()

  for (const days of [1, 3, 5, 7]) {
    movesTo(world, new Date(DUE_AT.getTime() + days * DAY_MS))
    await runInstalmentJobs(world)
  }
  expect(await listed()).toMatchObject([
    { paymentId: first.paymentId, state: 'overdue', nextTryAt: null },
    { paymentId: extended.paymentId, state: 'needs_customer', nextTryAt: null },
  ])
  await endOverdueBookings(world.deps)
  expect((await listed()).map(({ paymentId }) => paymentId)).toEqual([extended.paymentId])
})

it('the page of a payment shows each instalment of its purchase', async () => {
  const booked = await booksWith(GOOD_CARD, { date: '2027-11-13' })
  const { due_at } = await balanceOf(world, booked.paymentId)
  const trail = await findPaymentTrail(world.db, booked.paymentId, world.clock.now())
  expect(trail?.instalments).toEqual([
    { number: 1, amountCents: 174_000, dueAt: world.clock.now().toISOString(), state: 'paid' },
    { number: 2, amountCents: BALANCE_CENTS, dueAt: due_at.toISOString(), state: 'scheduled' },
  ])
})
