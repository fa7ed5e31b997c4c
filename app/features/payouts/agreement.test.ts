import { beforeEach, describe, expect, it } from 'vitest'
import { aBookingWorld, aBusiness, aUser } from '../../../tests/builders.ts'
import { aPaidVendor, books, payoutDepsOf } from '../../../tests/payout-stage.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { acceptAgreement } from '../agreements/commands.server.ts'
import { findAgreementStanding } from '../agreements/queries.server.ts'
import { DOCUMENTS, FORMER_VENDOR_AGREEMENTS } from '../agreements/rules.ts'
import { findBusiness } from '../businesses/queries.server.ts'
import { tellOfNewAgreement } from './agreement-commands.server.ts'
import { sweepPayouts } from './settlement-commands.server.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
beforeEach(async () => {
  world = await aBookingWorld()
  return () => world.close()
})

/** A vendor who has accepted the agreement before the one in force. */
async function formerVendor() {
  const vendor = await aPaidVendor(world)
  await world.db
    .updateTable('acceptances')
    .set({ ...FORMER_VENDOR_AGREEMENTS[0] })
    .where('user_id', '=', vendor.userId)
    .execute()
  return vendor
}

const standingOf = async (userId: string) =>
  (await findAgreementStanding(world.db, { userId, now: world.clock.now() })).state

/** Sweeps once the booking's share is due, and returns the states and held reasons of its transfers. */
async function sweeps(bookingId: string) {
  await sweepPayouts(payoutDepsOf(world))
  const rows = await world.db
    .selectFrom('transfers')
    .select(['state', 'held_reason'])
    .where('booking_id', '=', bookingId)
    .execute()
  return rows.map((row) => [row.state, row.held_reason])
}

describe('a vendor who has accepted an earlier agreement', () => {
  it('gets one mail about the new one, and is paid for 14 days after that', async () => {
    const { business, userId } = await formerVendor()
    const { bookingId } = await books(world, business)
    world.clock.forward(33 * DAY_MS)
    // However long nobody has told them.
    expect(await standingOf(userId)).toBe('changed')
    await tellOfNewAgreement(payoutDepsOf(world))
    await tellOfNewAgreement(payoutDepsOf(world))
    const told = (await world.jobs.mails()).filter(({ subject }) => /new vendor agreement/.test(subject))
    expect(told).toHaveLength(1)
    world.clock.forward(14 * DAY_MS - 1)
    expect(await standingOf(userId)).toBe('changed')
    expect(await sweeps(bookingId)).toEqual([['made', null]])
  })

  it('waits after that until they accept the new one', async () => {
    const { business, userId } = await formerVendor()
    const { bookingId } = await books(world, business)
    await tellOfNewAgreement(payoutDepsOf(world))
    world.clock.forward(33 * DAY_MS)
    expect(await standingOf(userId)).toBe('missing')
    expect(await sweeps(bookingId)).toEqual([['due', 'no_agreement']])
    const { version } = DOCUMENTS.vendor_agreement
    await acceptAgreement({ db: world.db, now: world.clock.now }, { userId, version })
    world.clock.forward(DAY_MS)
    expect(await sweeps(bookingId)).toEqual([['made', null]])
  })

  it('differs from a vendor with the present one, who gets no mail, and from one without any acceptance', async () => {
    const { userId } = await aPaidVendor(world)
    await tellOfNewAgreement(payoutDepsOf(world))
    expect((await world.jobs.mails()).filter(({ subject }) => /agreement/.test(subject))).toEqual([])
    await world.db.deleteFrom('acceptances').where('user_id', '=', userId).execute()
    expect(await standingOf(userId)).toBe('missing')
  })
})

describe('a vendor who has listed since before the agreement was asked for', () => {
  it('gets one request, at the account’s own address, and their listing stays public', async () => {
    const { db } = world
    const { id: userId } = await aUser(db, { email: 'old-hand@example.com', name: 'Robin Vale' })
    const { id } = await aBusiness(db, { user_id: userId })
    const deps = payoutDepsOf(world)
    await tellOfNewAgreement(deps)
    await tellOfNewAgreement(deps)
    const told = (await world.jobs.mails()).filter(({ to }) => to === 'old-hand@example.com')
    expect(told.map(({ subject }) => subject)).toEqual(['Please accept our vendor agreement'])
    expect(told[0]?.text).toContain('/dashboard/agreement')
    expect(told[0]?.text).toMatch(/^[^\n]+\n\nHi Robin,/)
    world.clock.forward(100 * DAY_MS)
    await tellOfNewAgreement(deps)
    expect(await findBusiness(db, id)).toMatchObject({ id })
    const notices = await db
      .selectFrom('notifications')
      .select('link')
      .where('user_id', '=', userId)
      .execute()
    expect(notices).toEqual([{ link: '/dashboard/agreement' }])
  })

  it('isn’t greeted by name at an address that nobody has proved', async () => {
    const { db } = world
    const { id: userId } = await aUser(db, { email: 'victim@example.com', email_verified: false })
    await aBusiness(db, { user_id: userId })
    await tellOfNewAgreement(payoutDepsOf(world))
    const [told] = (await world.jobs.mails()).filter(({ to }) => to === 'victim@example.com')
    expect(told?.text).toMatch(/^[^\n]+\n\nHello,/)
  })
})
