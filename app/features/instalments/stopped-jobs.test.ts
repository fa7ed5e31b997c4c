import { beforeEach, describe, expect, it } from 'vitest'
import { aBookingWorld } from '../../../tests/builders.ts'
import {
  approves,
  balanceOf,
  booksWithDeposit,
  confirms,
  DUE_AT,
  instalmentDeps,
  movesTo,
  REFUSED_CARD,
  runInstalmentJobs,
} from '../../../tests/instalment-stage.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { endOverdueBookings } from '../bookings/cancellation/commands.server.ts'
import { keepCardOfSetup, startCardSetup } from './card-commands.server.ts'

/** Instalments of a product whose jobs were stopped. The event is on 13 March 2027, 30 days after the balance's due day. */

let world: Awaited<ReturnType<typeof aBookingWorld>>
let deps: ReturnType<typeof instalmentDeps>
const REMINDER_AT = new Date(DUE_AT.getTime() - 7 * DAY_MS)
const day = (days: number) => new Date(DUE_AT.getTime() + days * DAY_MS)

beforeEach(async () => {
  world = await aBookingWorld()
  deps = instalmentDeps(world)
  return () => world.close()
})

async function booked() {
  const booking = await booksWithDeposit(world)
  await approves(world, booking)
  const { linkToken } = booking
  const setup = await startCardSetup(deps, { linkToken, setupKey: newId() })
  if (!setup.ok) throw new Error(setup.reason)
  await confirms(world, setup.clientSecret, REFUSED_CARD)
  await keepCardOfSetup(deps, world.payments, setup.reference)
  return booking
}

async function runsJobs() {
  await runInstalmentJobs(world, deps)
  await endOverdueBookings(world.deps)
}

/** The jobs run again from one morning to the next. */
async function passesDays(days: number) {
  for (let passed = 0; passed < days; passed++) {
    world.clock.forward(DAY_MS)
    await runsJobs()
  }
}

const statusOf = async (bookingId: string) =>
  (
    await world.db
      .selectFrom('bookings')
      .select('status')
      .where('id', '=', bookingId)
      .executeTakeFirstOrThrow()
  ).status
const mailsAbout = async (subject: RegExp) =>
  (await world.jobs.mails()).filter((mail) => subject.test(mail.subject))

describe('a card that is refused after the jobs were stopped', () => {
  it('for ten days gives the customer a week from then', async () => {
    const { paymentId, bookingId } = await booked()
    movesTo(world, REMINDER_AT)
    await runsJobs()
    movesTo(world, day(10))
    await runsJobs()
    const [mail] = await mailsAbout(/your card was refused/)
    expect(mail?.text).toContain('We’ll try again on Monday 22 February 2027')
    expect(mail?.text).toContain('Pay by Sunday 28 February 2027')
    const [notice] = await mailsAbout(/^Not paid yet/)
    expect(notice?.text).toContain('If it isn’t paid by Sunday 28 February 2027')
    await passesDays(6)
    expect(await statusOf(bookingId)).toBe('approved')
    await passesDays(1)
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'ended' })
    expect(await statusOf(bookingId)).toBe('withdrawn')
  })

  it('until after the event leaves the booking, and the rest stays due', async () => {
    const { paymentId, bookingId } = await booked()
    movesTo(world, REMINDER_AT)
    await runsJobs()
    movesTo(world, day(90))
    await runsJobs()
    const [mail] = await mailsAbout(/your card was refused/)
    expect(mail?.text).not.toContain('we’ll cancel')
    await passesDays(20)
    expect(await statusOf(bookingId)).toBe('approved')
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'needs_customer' })
    expect(await mailsAbout(/^Not paid yet/)).toEqual([])
  })
})

describe('jobs that stop after a card was refused', () => {
  it('keep the try that was promised before the booking may end, with a deadline that is still to come', async () => {
    const { paymentId, bookingId } = await booked()
    movesTo(world, REMINDER_AT)
    await runsJobs()
    movesTo(world, DUE_AT)
    await runsJobs()
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'failed' })
    movesTo(world, day(12))
    // Whichever job comes first.
    await endOverdueBookings(world.deps)
    await runsJobs()
    expect(await statusOf(bookingId)).toBe('approved')
    const mails = await mailsAbout(/your card was refused/)
    expect(mails.at(-1)?.text).toContain('Pay by Tuesday 2 March 2027')
  })

  it('until after the event don’t end its booking any more', async () => {
    const { paymentId, bookingId } = await booked()
    movesTo(world, REMINDER_AT)
    await runsJobs()
    movesTo(world, DUE_AT)
    await runsJobs()
    for (let passed = 1; passed < 7; passed++) {
      movesTo(world, day(passed))
      await runsJobs()
    }
    movesTo(world, day(7))
    await runInstalmentJobs(world, deps)
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'overdue' })
    movesTo(world, day(60))
    await runsJobs()
    expect(await statusOf(bookingId)).toBe('approved')
    expect(await balanceOf(world, paymentId)).toMatchObject({ state: 'needs_customer' })
  })
})
