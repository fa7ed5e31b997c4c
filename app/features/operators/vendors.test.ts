import { beforeAll, describe, expect, it } from 'vitest'
import { setBookingStage, world } from '../../../tests/booking-stage.ts'
import { aBusiness, aUser } from '../../../tests/builders.ts'
import { aReport } from '../../../tests/monday-stage.ts'
import { aPaidVendor, books, OPERATOR } from '../../../tests/payout-stage.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { hideListing } from './listing-commands.server.ts'
import { listOperatorLog } from './log-queries.server.ts'
import type { Role } from './role-rules.ts'
import { phoneCore } from './rules.ts'
import { searchEverything } from './search-queries.server.ts'
import { countVendors, findVendorFacts, listVendors } from './vendor-queries.server.ts'

setBookingStage()

const find = async (words: string) =>
  (await listVendors(world.db, { words, limit: 50 })).map(({ userId }) => userId)
const factsOf = (userId: string, role: Role = 'admin') =>
  findVendorFacts(world.db, { userId, role, now: world.clock.now(), adminEmails: new Set() })

describe('the search for a vendor', () => {
  let vendorId: string
  let customerId: string
  beforeAll(async () => {
    const vendor = await aUser(world.db, { name: 'Oriel Quayle', phone: '+61 411 222 333' })
    vendorId = vendor.id
    await aPaidVendor(world, { userId: vendor.id, isReady: false })
    await world.db
      .updateTable('business_registrations')
      .set({
        ...{ business_name: 'Quayle & Daughters', abn: '33102417032', business_phone: '(03) 5550 9876' },
        ...{ business_email: 'office@quayle.example', owner_phone: '0400 111 222' },
      })
      .where('user_id', '=', vendorId)
      .execute()
    await aBusiness(world.db, { name: 'Lantern Barge', user_id: vendorId })
    customerId = (await aUser(world.db, { name: 'Oriel Quayle', phone: '+61 411 222 333' })).id
  })

  it.each([
    ['their name', 'oriel'],
    ['the registration’s name', 'Daughters'],
    ['a listing’s name', 'lantern b'],
    ['the business’s email address', 'quayle.example'],
    ['the ABN', '33 102 417 032'],
    ['the business’s phone', '03 5550 9876'],
    ['the same phone with the country’s code', '+61 3 5550 9876'],
    ['the owner’s phone', '0400111222'],
    ['the account’s phone', '0411 222 333'],
  ])('finds them by %s, and no customer', async (_, words) => {
    const found = await find(words)
    expect(found).toContain(vendorId)
    expect(found).not.toContain(customerId)
    expect(await countVendors(world.db, words)).toBe(found.length)
  })

  it.each([
    ['a part of an ABN', '33 102 417'],
    ['a part of a phone number', '5550 98'],
    ['a percent sign', '%%%'],
  ])('doesn’t find them by %s', async (_, words) => {
    expect(await find(words)).not.toContain(vendorId)
  })

  it('names them by their registration, with their listings, for every role', async () => {
    for (const role of ['support', 'finance', 'admin'] as const) {
      const asked = { words: 'Daughters', role, now: world.clock.now(), adminEmails: new Set<string>() }
      const { vendors } = await searchEverything(world.db, asked)
      expect(vendors).toMatchObject({ count: 1, rows: [{ name: 'Quayle & Daughters', listings: 2 }] })
    }
  })
})

describe('the digits of a phone number', () => {
  it.each([
    ['03 5550 1234', '355501234'],
    ['+61 (0)3 5550-1234', '355501234'],
    ['123456', '123456'],
    ['12345', null],
    ['1234567890123456', null],
    ['room 123456', null],
  ])('of %s are %s', (text, core) => {
    expect(phoneCore(text)).toBe(core)
  })
})

describe('a vendor’s page', () => {
  it('shows the account, its listings, bookings ahead, reports and the log', async () => {
    const { userId, business } = await aPaidVendor(world)
    const soon = await books(world, business, { daysAhead: 20, quantity: 10 })
    const later = await books(world, business, { daysAhead: 40, quantity: 20, isApproved: false })
    const hidden = await aBusiness(world.db, { name: 'Old Boathouse', user_id: userId })
    const deps = { ...world.deps }
    await hideListing(deps, { operator: OPERATOR, businessId: hidden.id, reason: 'A copy.' })
    const facts = await factsOf(userId)
    expect(facts).toMatchObject({
      account: { id: userId },
      registration: { businessName: 'Harbour Light', abn: '51824753556' },
      ahead: {
        count: 2,
        bookings: [
          { id: soon.bookingId, status: 'approved', cents: 145_000 },
          { id: later.bookingId, status: 'pending', cents: 290_000 },
        ],
      },
      disputes: [],
      reviews: [],
      reports: [],
      log: [{ action: 'hide-listing', reason: 'A copy.' }],
    })
    expect(facts?.listings.map(({ name, hiddenBy }) => [name, hiddenBy])).toEqual([
      ['Harbour Light Pavilion', null],
      ['Old Boathouse', 'operator'],
    ])
    world.clock.forward(21 * DAY_MS)
    expect((await factsOf(userId))?.ahead).toMatchObject({ count: 1, bookings: [{ id: later.bookingId }] })
  })

  it('shows reports and reviews to those who may read them, and logs no look', async () => {
    const { business } = await aReport()
    const logged = (await listOperatorLog(world.db)).length
    expect(await factsOf(business.user_id)).toMatchObject({
      reports: [{ reason: 'Wants cash.', outcome: null }],
    })
    expect(await factsOf(business.user_id, 'finance')).toMatchObject({ reports: null, reviews: null })
    expect(JSON.stringify(await factsOf(business.user_id))).not.toContain('Is the garden free')
    expect((await listOperatorLog(world.db)).length).toBe(logged)
  })

  it('is found by its id, also when a newer account is named like that id', async () => {
    const { userId } = await aPaidVendor(world)
    await aUser(world.db, { name: `Vendor ${userId}` })
    expect(await factsOf(userId)).toMatchObject({ account: { id: userId } })
  })

  it('isn’t there for nobody', async () => {
    expect(await factsOf('nobody')).toBeNull()
  })
})
