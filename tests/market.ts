import type { Database } from '../app/adapters/database/port.ts'
import { aBusiness, aPlace, aUser } from './builders.ts'

/** Inserts a small market: two vendors, three places, one hidden and one deleted listing. */
export async function aMarket(db: Database): Promise<void> {
  await aPlace(db, { id: 'geelong-vic', name: 'Geelong', latitude: -38.147, longitude: 144.36 })
  await aPlace(db, {
    id: 'perth-wa',
    name: 'Perth',
    state: 'WA',
    latitude: -31.95,
    longitude: 115.86,
    time_zone: 'Australia/Perth',
  })
  await aPlace(db)
  await aUser(db, { id: 'owner-1', name: 'Private Person' })
  await aUser(db, { id: 'owner-2' })
  const at = (day: number) => new Date(Date.UTC(2026, 0, day))
  await aBusiness(db, {
    id: 'quay-hall',
    user_id: 'owner-1',
    name: 'Quay Hall',
    description: 'A hall of 100% hardwood by the water.',
    created_at: at(1),
    images: JSON.stringify([
      { url: '/files/a', width: 1600, height: 1200, colour: '#aaaaaa' },
      { url: '/files/b', width: 1600, height: 1200, colour: '#bbbbbb' },
    ]),
  })
  await aBusiness(db, {
    id: 'bay-rooms',
    user_id: 'owner-2',
    name: 'Bay Rooms',
    place_id: 'geelong-vic',
    created_at: at(2),
    price_cents: 0,
  })
  await aBusiness(db, {
    id: 'west-shed',
    user_id: 'owner-2',
    name: 'West Shed',
    place_id: 'perth-wa',
    created_at: at(3),
    price_cents: 20_000,
    price_unit: 'perHour',
  })
  await aBusiness(db, {
    id: 'night-music',
    user_id: 'owner-1',
    name: 'Night Music',
    category: 'Sounds & DJ',
    description: 'A trio.',
    services_offered: ['Jazz', 'Waltzes'],
    created_at: at(4),
  })
  await aBusiness(db, { id: 'hidden-house', user_id: 'owner-2', hidden_at: at(5), created_at: at(5) })
  await aBusiness(db, { id: 'gone-garden', user_id: 'owner-1', deleted_at: at(6), created_at: at(6) })

  await db
    .insertInto('business_registrations')
    .values({
      id: 'registration-1',
      user_id: 'owner-1',
      business_name: 'Harbour & Co',
      abn: '51824753556',
      business_structure: 'Company',
      industry_type: 'Events',
      principal_address: '1 Secret Lane',
      business_phone: '03 5550 0000',
      business_email: 'office@harbour.example',
      website: 'https://harbour.example',
      owner_name: 'Private Person',
      owner_dob: '1980-01-01',
      owner_phone: '0400 000 000',
      owner_email: 'private@example.com',
      logo_url: '/files/logo',
      business_description: 'Rooms and music.',
    })
    .execute()

  const review = (id: string, businessId: string, rating: number, approved = true) => ({
    id,
    business_id: businessId,
    booking_id: null,
    user_id: null,
    author_name: `Guest ${id}`,
    rating,
    body: 'We danced.',
    approved,
    rejected_reason: null,
    moderated_at: null,
    created_at: at(Number(id)),
  })
  await db
    .insertInto('reviews')
    .values([
      review('1', 'quay-hall', 5),
      review('2', 'quay-hall', 4),
      review('3', 'quay-hall', 4),
      review('4', 'quay-hall', 1, false),
      review('5', 'night-music', 5),
      review('6', 'night-music', 5),
      review('7', 'hidden-house', 5),
      review('8', 'hidden-house', 5),
      review('9', 'hidden-house', 5),
    ])
    .execute()
}
