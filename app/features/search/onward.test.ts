import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness, aPlace, setsAvailability } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import type { DatabaseConnection } from '../../adapters/database/port.ts'
import { listOnward } from './onward-queries.server.ts'
import { NEAR_KM } from './rules.ts'

let connection: DatabaseConnection
const now = new Date('2026-11-20T01:00:00Z')
const context = { nearKm: NEAR_KM, now }

beforeAll(async () => {
  connection = await openTestDatabase()
  const { db } = connection
  await aPlace(db, { id: 'yarraville-vic', name: 'Yarraville', latitude: -37.8167, longitude: 144.8833 })
  await aPlace(db, { id: 'mildura-vic', name: 'Mildura', latitude: -34.1889, longitude: 142.1583 })
  await aPlace(db, { id: 'perth-wa', name: 'Perth', state: 'WA', latitude: -31.95, longitude: 115.86 })
  const inYarraville = { place_id: 'yarraville-vic' }
  await aBusiness(db, { ...inYarraville, id: 'hall' })
  await aBusiness(db, { ...inYarraville, id: 'small-hall' })
  await setsAvailability(db, 'small-hall', { maxGuests: 20 })
  await aBusiness(db, {
    ...inYarraville,
    id: 'camera',
    category: 'Photographers',
    description: 'Weddings and christenings.',
  })
  await aBusiness(db, {
    place_id: 'mildura-vic',
    id: 'kitchen',
    category: 'Catering',
    description: 'A wedding feast.',
  })
  await aBusiness(db, { place_id: 'perth-wa', id: 'band', category: 'Sounds & DJ' })
})
afterAll(() => connection?.close())

const booking = { businessId: 'hall', date: '2027-03-20', bookingType: 'perPerson' as const, quantity: 10 }

describe('the links that lead on from a booking', () => {
  it('name the day and place, and lead to others of the trade that are free for as many', async () => {
    expect(await listOnward(connection.db, { ...booking, wanted: 'others' }, context)).toEqual([
      {
        text: 'Venues free on 20 March near Yarraville',
        to: '/venues?date=2027-03-20&guests=10&near=1&place=Yarraville%2C+VIC',
      },
    ])
  })

  it('never lead to the business itself alone, or to nothing', async () => {
    expect(await listOnward(connection.db, { ...booking, quantity: 90, wanted: 'others' }, context)).toEqual(
      [],
    )
    const camera = { ...booking, businessId: 'camera', wanted: 'others' as const }
    expect(await listOnward(connection.db, camera, context)).toEqual([])
    expect(await listOnward(connection.db, { ...booking, businessId: 'x', wanted: 'more' }, context)).toEqual(
      [],
    )
  })

  it('name other trades that are free nearby, or else in the state', async () => {
    const links = await listOnward(connection.db, { ...booking, wanted: 'more' }, context)
    expect(links.map(({ text }) => text)).toEqual([
      'Catering free on 20 March in VIC',
      'Photographers free on 20 March near Yarraville',
    ])
    expect(links[0]?.to).toBe('/catering?date=2027-03-20&place=VIC')
  })
})
