import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  aBusiness,
  aClock,
  agrees,
  aListing,
  anUnavailableStore,
  aPaymentOf,
  aPlace,
  aUser,
  createKeptJobs,
  deleteQueuedUploads,
} from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { findPostgres } from '../../../tests/postgres.ts'
import { createDiskFileStore } from '../../adapters/file-store/disk.server.ts'
import type { FileStore } from '../../adapters/file-store/port.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { wallTimeToUtc } from '../../shared/dates.ts'
import { newId } from '../../shared/ids.ts'
import { HOUR_MS } from '../../shared/time-units.ts'
import { setAvailability } from '../availability/hours-commands.server.ts'
import { findSettingsVersion } from '../availability/hours-queries.server.ts'
import { defaultAvailability } from '../availability/rules.ts'
import { findBookingOffer } from '../bookings/checkout/queries.server.ts'
import { countOpenBookings } from '../bookings/open-queries.server.ts'
import { keepUpload } from '../files/commands.server.ts'
import { writtenSpan } from '../sales/rules.ts'
import { DEFAULT_TERMS, type PaymentPlan } from '../terms/rules.ts'
import {
  changeListing,
  countViews,
  hideListing,
  publishListing,
  type RemovalDeps,
  removeListing,
  showListing,
} from './commands.server.ts'
import { findOwnListing, listOwnListings } from './owner-queries.server.ts'
import { findBusiness } from './queries.server.ts'
import { listingVersion } from './rules.ts'
import type { Listing } from './schema.ts'

let connection: Awaited<ReturnType<typeof openTestDatabase>>
let jobs: Awaited<ReturnType<typeof createKeptJobs>>
let deps: RemovalDeps & { maxListings: number; files: FileStore; jobs: typeof jobs }
let clock: ReturnType<typeof aClock>
let userId: string
let strangerId: string
const folder = mkdtempSync(join(tmpdir(), 'jubilee-listings-'))

beforeAll(async () => {
  connection = await openTestDatabase()
  jobs = await createKeptJobs(connection.db)
  await aPlace(connection.db)
  for (const state of ['NSW', 'VIC'] as const) {
    await aPlace(connection.db, { id: `richmond-${state.toLowerCase()}`, name: 'Richmond', state })
  }
})
afterAll(async () => {
  await connection.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  clock = aClock()
  deps = {
    db: connection.db,
    jobs,
    files: createDiskFileStore(folder),
    brand: 'Jubilee',
    maxListings: 50,
    now: clock.now,
    countOpenBookings,
  }
  userId = (await aUser(connection.db)).id
  await agrees(connection.db, userId)
  strangerId = (await aUser(connection.db)).id
})

async function anImage(owner = userId) {
  const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#2f5d50' } })
    .jpeg()
    .toBuffer()
  const sent = await keepUpload({ ...deps, rateLimits: createRateLimits(connection.db, clock.now) }, owner, {
    kind: 'listing',
    fileName: 'a.jpg',
    businessName: 'Tide House',
    index: 0,
    bytes,
  })
  if (!sent.ok) throw new Error(sent.reason)
  return sent
}

async function published(overrides: Partial<Listing> = {}) {
  const outcome = await publishListing(deps, userId, aListing(overrides))
  if (!outcome.ok) throw new Error(outcome.reason)
  return outcome.id
}

/** A paid booking of a business, inserted directly. The tests of bookings cover how they are made. */
async function aBooking(
  businessId: string,
  overrides: {
    date?: string
    status?: 'pending' | 'approved' | 'declined' | 'withdrawn'
    payment_status?: 'paid' | 'refund due' | 'refunded'
    total_price_cents?: number
    created_at?: Date
  } = {},
) {
  const id = newId()
  const from = wallTimeToUtc(overrides.date ?? '2026-11-20', '16:00', 'Australia/Melbourne')
  const event = writtenSpan({ from, until: new Date(from.getTime() + 7 * HOUR_MS) })
  const sale = { id, ownerUserId: userId, businessId, event, unitPriceCents: 1_000, priceCents: 10_000 }
  await aPaymentOf(connection.db, sale, { paid_at: clock.now() })
  await connection.db
    .insertInto('bookings')
    .values({
      id,
      payment_row_id: id,
      vendor_id: businessId,
      vendor_name: 'Tide House & Co',
      customer_name: 'Kim Lee',
      email: 'kim@example.com',
      phone: '0411 222 333',
      date: '2026-11-20',
      time: '16:00',
      quantity: 10,
      booking_type: 'perPerson',
      total_price_cents: 10_000,
      payment_id: id,
      decided_at: null,
      reminded_at: null,
      remind_at: clock.now(),
      decide_by: clock.now(),
      created_at: clock.now(),
      ...overrides,
    })
    .execute()
  return id
}

describe('publishListing', () => {
  it('generates the id, the SEO texts and the dates', async () => {
    const id = await published()
    expect(id).toMatch(/^tide-house-and-co-[0-9a-z]{6}$/)
    const found = await findBusiness(connection.db, id)
    expect(found).toMatchObject({
      userId,
      name: 'Tide House & Co',
      price: '1200.50',
      location: 'Melbourne, VIC',
      servicesOffered: ['Tables', 'Chairs'],
      seoTitle: 'Tide House & Co | Venues | Jubilee',
      seoDescription: 'é'.repeat(150),
      createdAt: clock.now().toISOString(),
      updatedAt: clock.now().toISOString(),
    })
  })

  it('publishes one listing for two submissions of the same form, with the later values', async () => {
    const submitKey = newId()
    const image = await anImage()
    const first = await published({ submitKey, images: [image.image.url] })
    const again = await published({ submitKey, images: [image.image.url], name: 'Tide Rooms' })
    expect(again).toBe(first)
    expect(await findBusiness(connection.db, first)).toMatchObject({ name: 'Tide Rooms' })
    expect(await published({ submitKey: newId() })).not.toBe(first)
    // The same key from another user is a different submission.
    const other = await publishListing(deps, strangerId, aListing({ submitKey }))
    expect(other).toMatchObject({ ok: true })
    expect(other).not.toEqual({ ok: true, id: first, isWaiting: false })
    expect(await findBusiness(connection.db, first)).toMatchObject({ userId, name: 'Tide Rooms' })
  })

  it('doesn’t replace what was changed since with a form that is sent again', async () => {
    const submitKey = newId()
    const id = await published({ submitKey })
    clock.forward(60_000)
    const edited = aListing({ description: 'Edited on another device.' })
    expect(await changeListing(deps, { userId, businessId: id }, edited)).toEqual({
      ok: true,
      id,
      isWaiting: false,
    })
    const again = await publishListing(deps, userId, aListing({ submitKey }))
    expect(again).toMatchObject({ ok: false, reason: 'changed_meanwhile' })
    expect(await findBusiness(connection.db, id)).toMatchObject({ description: 'Edited on another device.' })
    // 'Save mine instead' sends the version that the refusal named.
    const seen = (again as { version: string }).version
    expect(await publishListing(deps, userId, aListing({ submitKey, seen }))).toEqual({
      ok: true,
      id,
      isWaiting: false,
    })
  })

  it('publishes one listing for two concurrent submissions of the same form', async () => {
    const submitKey = newId()
    const ids = await Promise.all([published({ submitKey }), published({ submitKey })])
    expect(new Set(ids).size).toBe(1)
  })

  it('doesn’t restore a deleted listing for its old submit key', async () => {
    const submitKey = newId()
    const id = await published({ submitKey })
    await removeListing(deps, { userId, businessId: id })
    const late = await publishListing(deps, userId, aListing({ submitKey }))
    expect(late).toEqual({ ok: false, reason: 'not_found' })
    expect(await findBusiness(connection.db, id)).toBe('gone')
  })

  it('generates an id for a name without a Latin letter', async () => {
    expect(await published({ name: '宴会' })).toMatch(/^business-[0-9a-z]{6}$/)
  })

  it('refuses an unknown place, and an ambiguous one without a state', async () => {
    expect(await publishListing(deps, userId, aListing({ location: 'Atlantis' }))).toEqual({
      ok: false,
      reason: 'unknown_place',
    })
    expect(await publishListing(deps, userId, aListing({ location: 'Richmond' }))).toEqual({
      ok: false,
      reason: 'ambiguous_place',
    })
    await published({ location: 'richmond nsw' })
  })

  it('attaches the user’s own images in order, with their real sizes', async () => {
    const [a, b] = [await anImage(), await anImage()]
    const id = await published({ images: [b.image.url, a.image.url] })
    const found = await findOwnListing(connection.db, { userId, businessId: id, now: clock.now() })
    expect(found?.pictures).toEqual([b.image, a.image])
    expect(found?.images).toEqual([b.image.url, a.image.url])
  })

  it('refuses images of other users or listings, unknown images, and a fourth image', async () => {
    const theirs = await anImage(strangerId)
    const used = await anImage()
    await published({ images: [used.image.url] })
    for (const url of [
      theirs.image.url,
      used.image.url,
      'https://evil.example/a.jpg',
      '/illustrations/venue-long-table/x',
      '/files/businessImages/none_1_0',
      'data:image/png;base64,AAAA',
    ]) {
      expect(await publishListing(deps, userId, aListing({ images: [url] })), url).toEqual({
        ok: false,
        reason: 'unknown_image',
      })
    }
    expect(await publishListing(deps, userId, aListing({ images: ['a', 'b', 'c', 'd'] }))).toEqual({
      ok: false,
      reason: 'too_many_images',
    })
  })
})

describe('the second price of a listing', () => {
  const stored = async (id: string) => {
    const row = await connection.db
      .selectFrom('businesses')
      .select(['price_cents', 'price_unit', 'second_price_cents', 'second_price_unit', 'booking_types'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const cents = row.second_price_cents === null ? null : Number(row.second_price_cents)
    return { ...row, price_cents: Number(row.price_cents), second_price_cents: cents }
  }
  const own = (id: string) => findOwnListing(connection.db, { userId, businessId: id, now: clock.now() })

  it('joins the first price, which stays the price of the record', async () => {
    const id = await published()
    expect(await findBusiness(connection.db, id)).toMatchObject({
      price: '1200.50',
      priceUnit: 'perPerson',
      secondPrice: { unit: 'perHour', cents: 45_000 },
    })
    expect(await stored(id)).toMatchObject({ booking_types: ['perPerson', 'perHour'] })
    expect(await own(id)).toMatchObject({ unpricedUnit: null })
  })

  it('can be changed, swapped with the first price, and removed', async () => {
    const id = await published()
    const change = (listing: Partial<Listing>) =>
      changeListing(deps, { userId, businessId: id }, aListing(listing))
    await change({ secondPrice: { unit: 'perHour', cents: 50_000 } })
    expect(await stored(id)).toMatchObject({ second_price_cents: 50_000, second_price_unit: 'perHour' })
    await change({
      priceCents: 50_000,
      priceUnit: 'perHour',
      secondPrice: { unit: 'perPerson', cents: 50_000 },
    })
    expect(await findBusiness(connection.db, id)).toMatchObject({
      priceUnit: 'perHour',
      priceCents: 50_000,
      secondPrice: { unit: 'perPerson', cents: 50_000 },
    })
    await change({ secondPrice: null })
    expect(await stored(id)).toEqual({
      price_cents: 120_050,
      price_unit: 'perPerson',
      second_price_cents: null,
      second_price_unit: null,
      booking_types: ['perPerson'],
    })
  })

  it('stays unset for a listing with one price for two booking types, which its owner sees', async () => {
    const once = { user_id: userId, second_price_cents: null, second_price_unit: null }
    const { id } = await aBusiness(connection.db, once)
    expect(await findBusiness(connection.db, id)).toMatchObject({ secondPrice: null })
    expect(await own(id)).toMatchObject({ unpricedUnit: 'perHour' })
    // Nothing is rewritten until the owner saves.
    expect(await stored(id)).toMatchObject({ booking_types: ['perPerson', 'perHour'] })
    const onRequest = await aBusiness(connection.db, { ...once, price_cents: 0 })
    expect(await own(onRequest.id)).toMatchObject({ unpricedUnit: null })
    const oneUnit = await aBusiness(connection.db, { ...once, booking_types: ['perPerson'] })
    expect(await own(oneUnit.id)).toMatchObject({ unpricedUnit: null })
  })

  it.each([
    ['changes the unit', { price_unit: 'perHour' }],
    ['unticks a booking type', { booking_types: ['perPerson'] }],
    ['sets the price on request', { price_cents: 0 }],
  ] as const)('disappears when a version without second prices %s', async (_change, set) => {
    const id = await published()
    await connection.db
      .updateTable('businesses')
      .set(set as never)
      .where('id', '=', id)
      .execute()
    expect(await stored(id)).toMatchObject({ second_price_cents: null, second_price_unit: null })
    expect(await findBusiness(connection.db, id)).toMatchObject({ secondPrice: null })
    const searched = await connection.db
      .selectFrom('search_listings')
      .select('second_price_unit')
      .where('business_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(searched.second_price_unit).toBeNull()
  })

  it('stays when a version without second prices changes other columns', async () => {
    const id = await published()
    await connection.db
      .updateTable('businesses')
      .set({ price_cents: 9_900, price_unit: 'perPerson', booking_types: ['perPerson', 'perHour'] })
      .where('id', '=', id)
      .execute()
    expect(await stored(id)).toMatchObject({ price_cents: 9_900, second_price_cents: 45_000 })
  })

  it('can’t exceed its limits in the database', async () => {
    const id = await published()
    for (const second_price_cents of [0, -1, 100_000_000]) {
      await expect(
        connection.db.updateTable('businesses').set({ second_price_cents }).where('id', '=', id).execute(),
      ).rejects.toThrow(/second price/)
    }
  })
})

describe('the terms of a listing', () => {
  const DEPOSIT: PaymentPlan = { kind: 'deposit', depositBasisPoints: 1_250, balanceDaysBefore: 45 }
  const termsOf = async (id: string) => {
    const business = await findBusiness(connection.db, id)
    const offer = await findBookingOffer(connection.db, id)
    if (!business || business === 'gone') throw new Error(`${id} is not shown`)
    expect(offer?.terms).toEqual(business.terms)
    return business.terms
  }

  it('default to the moderate policy and payment in full unless the vendor chose others', async () => {
    expect(await termsOf(await published())).toEqual({ policy: 'moderate', plan: { kind: 'full' } })
    const id = await published({ policy: 'long', plan: DEPOSIT })
    expect(await termsOf(id)).toEqual({ policy: 'long', plan: DEPOSIT })
  })

  it('stay when a form without them is saved, and change one by one', async () => {
    const id = await published({ policy: 'long', plan: DEPOSIT })
    const save = (listing: Partial<Listing>) =>
      changeListing(deps, { userId, businessId: id }, aListing(listing))
    await save({})
    expect(await termsOf(id)).toEqual({ policy: 'long', plan: DEPOSIT })
    await save({ policy: 'flexible' })
    expect(await termsOf(id)).toEqual({ policy: 'flexible', plan: DEPOSIT })
    await save({ plan: { kind: 'full' } })
    expect(await termsOf(id)).toEqual({ policy: 'flexible', plan: { kind: 'full' } })
  })

  it('can’t exceed their limits in the database, nor be half a plan', async () => {
    const id = await published()
    for (const half of [
      sql`policy = 'strict'`,
      sql`deposit_basis_points = 999, balance_days_before = 30`,
      sql`deposit_basis_points = 3001, balance_days_before = 30`,
      sql`deposit_basis_points = 2000, balance_days_before = 13`,
      sql`deposit_basis_points = 2000, balance_days_before = 61`,
      sql`deposit_basis_points = 2000`,
    ]) {
      const wrong = sql`update businesses set ${half} where id = ${id}`
      await expect(wrong.execute(connection.db)).rejects.toThrow(/check constraint/)
    }
  })
})

describe('the listing limit of an account', () => {
  it('counts hidden listings, but not deleted ones or those of other users', async () => {
    deps.maxListings = 2
    const first = await published()
    await aBusiness(connection.db, { user_id: userId, hidden_at: clock.now() })
    await aBusiness(connection.db, { user_id: strangerId })
    expect(await publishListing(deps, userId, aListing())).toEqual({ ok: false, reason: 'too_many_listings' })
    expect((await publishListing(deps, strangerId, aListing())).ok).toBe(true)
    await removeListing(deps, { userId, businessId: first })
    await published()
  })

  it.skipIf(!findPostgres())(
    'holds when many listings are published concurrently on PostgreSQL',
    async () => {
      const server = await openTestDatabase()
      try {
        await aPlace(server.db)
        const racing = { ...deps, db: server.db, maxListings: 3 }
        const outcomes = await Promise.all(
          Array.from({ length: 8 }, () => publishListing(racing, userId, aListing())),
        )
        expect(outcomes.filter(({ ok }) => ok)).toHaveLength(3)
        expect(await listOwnListings(server.db, userId, clock.now())).toHaveLength(3)
      } finally {
        await server.close()
      }
    },
    60_000,
  )
})

describe('changeListing', () => {
  it('changes everything except the id, the owner and the creation date', async () => {
    const id = await published()
    clock.forward(60_000)
    const outcome = await changeListing(
      deps,
      { userId, businessId: id },
      aListing({ name: 'Low Tide', category: 'Catering', location: 'Richmond, VIC', priceCents: 0 }),
    )
    expect(outcome).toEqual({ ok: true, id, isWaiting: false })
    expect(await findBusiness(connection.db, id)).toMatchObject({
      id,
      userId,
      name: 'Low Tide',
      category: 'Catering',
      location: 'Richmond, VIC',
      price: '0.00',
      seoTitle: 'Low Tide | Catering | Jubilee',
      createdAt: new Date(clock.now().getTime() - 60_000).toISOString(),
      updatedAt: clock.now().toISOString(),
    })
  })

  it('keeps, adds, reorders and removes images, and deletes the removed files', async () => {
    const [a, b, c] = [await anImage(), await anImage(), await anImage()]
    const id = await published({ images: [a.image.url, b.image.url] })
    await changeListing(deps, { userId, businessId: id }, aListing({ images: [c.image.url, a.image.url] }))
    const found = await findOwnListing(connection.db, { userId, businessId: id, now: clock.now() })
    expect(found?.pictures).toEqual([c.image, a.image])
    await deleteQueuedUploads(deps)
    expect(await deps.files.read(b.key)).toBeNull()
    expect(await deps.files.read(a.key)).not.toBeNull()
  })

  it('saves the change while the file store is away, and deletes the removed files later', async () => {
    const image = await anImage()
    const id = await published({ images: [image.image.url] })
    const away = { ...deps, files: anUnavailableStore(deps.files) }
    expect(await changeListing(away, { userId, businessId: id }, aListing({ images: [] }))).toEqual({
      ok: true,
      id,
      isWaiting: false,
    })
    expect(await deps.files.read(image.key)).not.toBeNull()
    await deleteQueuedUploads(deps)
    expect(await deps.files.read(image.key)).toBeNull()
  })

  it('stores what images show, keeps it if the form has no texts, and removes an emptied one', async () => {
    const [a, b] = [await anImage(), await anImage()]
    const images = [a.image.url, b.image.url]
    const id = await published({ images, imageAlts: { [a.image.url]: 'A long table under lights' } })
    const picturesAfter = async (imageAlts?: Record<string, string>) => {
      await changeListing(
        deps,
        { userId, businessId: id },
        aListing({ images, ...(imageAlts && { imageAlts }) }),
      )
      return (await findOwnListing(connection.db, { userId, businessId: id, now: clock.now() }))?.pictures
    }
    const described = { ...a.image, alt: 'A long table under lights' }
    expect(await picturesAfter()).toEqual([described, b.image])
    expect(await picturesAfter({ [b.image.url]: 'The bay at dusk' })).toEqual([
      a.image,
      { ...b.image, alt: 'The bay at dusk' },
    ])
    expect(await picturesAfter({})).toEqual([a.image, b.image])
  })

  it('keeps images that were never uploaded, such as drawn ones', async () => {
    const drawn = { url: '/illustrations/venue-long-table/x', width: 1600, height: 1067, colour: '#abc' }
    const { id } = await aBusiness(connection.db, { user_id: userId, images: JSON.stringify([drawn]) })
    expect(
      await changeListing(deps, { userId, businessId: id }, aListing({ images: [drawn.url] })),
    ).toMatchObject({ ok: true })
    const found = await findOwnListing(connection.db, { userId, businessId: id, now: clock.now() })
    expect(found?.pictures).toEqual([drawn])
  })

  it('changes nothing if an image is not the owner’s', async () => {
    const own = await anImage()
    const theirs = await anImage(strangerId)
    const id = await published({ images: [own.image.url] })
    const wanted = aListing({ name: 'Changed', images: [own.image.url, theirs.image.url] })
    expect(await changeListing(deps, { userId, businessId: id }, wanted)).toEqual({
      ok: false,
      reason: 'unknown_image',
    })
    expect(await findBusiness(connection.db, id)).toMatchObject({ name: 'Tide House & Co' })
    expect(await deps.files.read(own.key)).not.toBeNull()
  })
})

describe('a listing form that was made from an older version', () => {
  const versionOf = async (id: string) => {
    const own = await findOwnListing(connection.db, { userId, businessId: id, now: clock.now() })
    if (!own) throw new Error(`${id} is not there`)
    return listingVersion(own)
  }
  const change = (id: string, listing: Partial<Listing>) =>
    changeListing(deps, { userId, businessId: id }, aListing(listing))

  it('changes nothing, and gets the version that is saved now', async () => {
    const id = await published()
    const seen = await versionOf(id)
    clock.forward(60_000)
    expect(await change(id, { seen, priceCents: 99_900 })).toEqual({ ok: true, id, isWaiting: false })
    const stale = await change(id, { seen, description: 'By the water.' })
    expect(stale).toEqual({ ok: false, reason: 'changed_meanwhile', version: await versionOf(id) })
    expect(await findBusiness(connection.db, id)).toMatchObject({
      priceCents: 99_900,
      description: aListing().description,
    })
  })

  it('can be saved once its vendor has seen the newer version', async () => {
    const id = await published()
    const seen = await versionOf(id)
    clock.forward(60_000)
    await change(id, { seen, priceCents: 99_900 })
    expect(await change(id, { seen: await versionOf(id), name: 'Low Tide' })).toEqual({
      ok: true,
      id,
      isWaiting: false,
    })
    expect(await findBusiness(connection.db, id)).toMatchObject({ name: 'Low Tide', priceCents: 120_050 })
  })

  it('changes nothing after the availability screen changed the maximum number of guests', async () => {
    const id = await published({ maxGuests: 100 })
    const seen = await versionOf(id)
    const usual = defaultAvailability('Venues', 'Australia/Melbourne')
    const settings = { ...usual, maxGuests: 150 }
    const guests = await findSettingsVersion(connection.db, id)
    const liveUpdates = { publish: async () => {} }
    expect(
      await setAvailability({ ...deps, liveUpdates } as never, {
        userId,
        businessId: id,
        settings,
        expectedVersion: guests,
      }),
    ).toEqual({ ok: true })
    expect(await change(id, { seen, maxGuests: 100 })).toMatchObject({ reason: 'changed_meanwhile' })
    expect(await findBusiness(connection.db, id)).toMatchObject({ maxGuests: 150 })
  })

  it('can be saved if it names no version, since forms that name none may still be open', async () => {
    const id = await published()
    clock.forward(60_000)
    await change(id, { priceCents: 99_900 })
    expect(await change(id, { name: 'Low Tide' })).toEqual({ ok: true, id, isWaiting: false })
  })

  it('finds no listing for another vendor, whatever version it names', async () => {
    const id = await published()
    const seen = await versionOf(id)
    for (const listing of [aListing({ seen }), aListing({ seen: 'another' })]) {
      expect(await changeListing(deps, { userId: strangerId, businessId: id }, listing)).toEqual({
        ok: false,
        reason: 'not_found',
      })
    }
  })
})

describe('removeListing', () => {
  it('deletes the listing and its images, and leaves a tombstone', async () => {
    const image = await anImage()
    const id = await published({ images: [image.image.url] })
    expect(await removeListing(deps, { userId, businessId: id })).toEqual({ ok: true, outcome: 'deleted' })
    expect(await findBusiness(connection.db, id)).toBe('gone')
    await deleteQueuedUploads(deps)
    expect(await deps.files.read(image.key)).toBeNull()
    expect(await listOwnListings(connection.db, userId, clock.now())).toEqual([])
    expect(await removeListing(deps, { userId, businessId: id })).toEqual({ ok: false, reason: 'not_found' })
    expect(await changeListing(deps, { userId, businessId: id }, aListing())).toEqual({
      ok: false,
      reason: 'not_found',
    })
  })

  it('deletes the listing while the file store is away, and its images later', async () => {
    const image = await anImage()
    const id = await published({ images: [image.image.url] })
    const away = { ...deps, files: anUnavailableStore(deps.files) }
    expect(await removeListing(away, { userId, businessId: id })).toEqual({ ok: true, outcome: 'deleted' })
    expect(await deps.files.read(image.key)).not.toBeNull()
    await deleteQueuedUploads(deps)
    expect(await deps.files.read(image.key)).toBeNull()
  })

  it('hides a listing with an open booking, and deletes it once the event is over', async () => {
    const image = await anImage()
    const id = await published({ images: [image.image.url] })
    // It's noon on 20 November in Melbourne, so an event of today is still open.
    await aBooking(id, { date: '2026-11-20', status: 'approved' })
    expect(await removeListing(deps, { userId, businessId: id })).toEqual({
      ok: true,
      outcome: 'hidden',
      openBookings: 1,
    })
    expect(await findBusiness(connection.db, id)).toBe('gone')
    const [listing] = await listOwnListings(connection.db, userId, clock.now())
    expect(listing).toMatchObject({ hidden: { by: 'owner', reason: '' } })
    expect(await countOpenBookings(connection.db, [id], clock.now())).toEqual(new Map([[id, 1]]))
    await deleteQueuedUploads(deps)
    expect(await deps.files.read(image.key)).not.toBeNull()
    expect(await showListing(deps, { userId, businessId: id })).toEqual({ ok: true, isWaiting: false })
    expect(await findBusiness(connection.db, id)).toMatchObject({ id })
    // The event ends at 11 pm in Melbourne, which is noon in UTC.
    clock.forward(11 * HOUR_MS)
    expect(await removeListing(deps, { userId, businessId: id })).toEqual({ ok: true, outcome: 'deleted' })
  })

  it('deletes a listing whose bookings are declined, withdrawn, refunded or over', async () => {
    const id = await published()
    await aBooking(id, { date: '2026-12-01', status: 'declined', payment_status: 'refund due' })
    await aBooking(id, { date: '2026-12-01', status: 'withdrawn', payment_status: 'refunded' })
    await aBooking(id, { date: '2026-11-19', status: 'approved' })
    expect(await removeListing(deps, { userId, businessId: id })).toEqual({ ok: true, outcome: 'deleted' })
  })
})

describe('hideListing', () => {
  it('keeps a listing and its images although its last open booking has ended', async () => {
    const image = await anImage()
    const id = await published({ images: [image.image.url] })
    await aBooking(id, { date: '2026-11-20', status: 'approved' })
    clock.forward(11 * HOUR_MS)
    const hidden = { ok: true, outcome: 'hidden', openBookings: 0 }
    expect(await hideListing(deps, { userId, businessId: id })).toEqual(hidden)
    expect(await hideListing(deps, { userId, businessId: id })).toEqual(hidden)
    expect(await findBusiness(connection.db, id)).toBe('gone')
    const [listing] = await listOwnListings(connection.db, userId, clock.now())
    expect(listing).toMatchObject({ id, hidden: { by: 'owner', reason: '' } })
    await deleteQueuedUploads(deps)
    expect(await deps.files.read(image.key)).not.toBeNull()
    expect(await showListing(deps, { userId, businessId: id })).toEqual({ ok: true, isWaiting: false })
    expect(await findBusiness(connection.db, id)).toMatchObject({ id })
  })

  it('counts the bookings that are still open', async () => {
    const id = await published()
    await aBooking(id, { date: '2026-12-01' })
    expect(await hideListing(deps, { userId, businessId: id })).toEqual({
      ok: true,
      outcome: 'hidden',
      openBookings: 1,
    })
  })

  it('leaves an operator’s hiding, and hides the listing once that is lifted', async () => {
    const { id } = await aBusiness(connection.db, {
      user_id: userId,
      hidden_at: clock.now(),
      hidden_by: 'operator',
      operator_reason: 'Not a venue',
    })
    expect(await hideListing(deps, { userId, businessId: id })).toMatchObject({ outcome: 'hidden' })
    expect(
      await connection.db
        .selectFrom('businesses')
        .select(['hidden_by', 'owner_hidden_at'])
        .where('id', '=', id)
        .executeTakeFirst(),
    ).toEqual({ hidden_by: 'operator', owner_hidden_at: clock.now() })
  })

  it('finds no deleted listing', async () => {
    const id = await published()
    await removeListing(deps, { userId, businessId: id })
    expect(await hideListing(deps, { userId, businessId: id })).toEqual({ ok: false, reason: 'not_found' })
  })
})

describe('showListing', () => {
  it('refuses to show a listing that an operator has hidden, even after the owner tried to delete it', async () => {
    const { id } = await aBusiness(connection.db, {
      user_id: userId,
      hidden_at: clock.now(),
      hidden_by: 'operator',
      operator_reason: 'Not a venue',
    })
    await aBooking(id, { date: '2026-12-01' })
    expect(await removeListing(deps, { userId, businessId: id })).toMatchObject({ outcome: 'hidden' })
    expect(await showListing(deps, { userId, businessId: id })).toEqual({
      ok: false,
      reason: 'hidden_by_operator',
    })
    const [listing] = await listOwnListings(connection.db, userId, clock.now())
    expect(listing).toMatchObject({ hidden: { by: 'operator', reason: 'Not a venue' } })
    // Once the operator shows it, it is hidden by its owner.
    expect(
      await connection.db
        .selectFrom('businesses')
        .select('owner_hidden_at')
        .where('id', '=', id)
        .executeTakeFirst(),
    ).toEqual({ owner_hidden_at: clock.now() })
  })
})

describe('the hiding party of a listing', () => {
  const WORDS = 'by its owner'
  const standing = (id: string) =>
    connection.db
      .selectFrom('businesses')
      .select(['hidden_by', 'operator_reason', sql<string | null>`hidden_reason`.as('reason')])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const shown = { hidden_by: null, operator_reason: null, reason: null }

  it.each([
    ['by its owner', 'owner', null],
    ['its account is disabled', 'disabling', null],
    ['its owner’s account is deactivated', 'deactivation', null],
    [`by an operator: ${WORDS}`, 'operator', WORDS],
    ['Not a venue', 'operator', 'Not a venue'],
    [null, 'operator', ''],
  ])('follows from the text that the previous version writes: %s', async (reason, hiddenBy, words) => {
    const id = await published()
    const write = (at: Date | null, text: string | null) =>
      sql`update businesses set hidden_at = ${at}, hidden_reason = ${text} where id = ${id}`.execute(
        connection.db,
      )
    await write(clock.now(), 'by an operator: first')
    await write(clock.now(), reason)
    expect(await standing(id)).toEqual({ hidden_by: hiddenBy, operator_reason: words, reason })
    await write(null, null)
    expect(await standing(id)).toEqual(shown)
  })

  it.each([
    ['owner', null, 'by its owner'],
    ['disabling', null, 'its account is disabled'],
    ['deactivation', null, 'its owner’s account is deactivated'],
    ['operator', WORDS, `by an operator: ${WORDS}`],
  ] as const)(
    'can be read as text by the previous version: %s',
    async (hidden_by, operator_reason, reason) => {
      const hidden = { hidden_at: clock.now(), hidden_by, operator_reason }
      const { id } = await aBusiness(connection.db, hidden)
      expect(await standing(id)).toEqual({ hidden_by, operator_reason, reason })
      const change = (to: object) =>
        connection.db.updateTable('businesses').set(to).where('id', '=', id).execute()
      await change({ hidden_at: null, hidden_by: null, operator_reason: null })
      expect(await standing(id)).toEqual(shown)
      await change(hidden)
      await change({ hidden_at: clock.now(), hidden_by: 'operator', operator_reason: 'Again' })
      expect(await standing(id)).toMatchObject({ reason: 'by an operator: Again' })
    },
  )

  it('can only have four values, by a constraint of the database', async () => {
    const { id } = await aBusiness(connection.db)
    const hide = sql`update businesses set hidden_at = now(), hidden_by = 'somebody' where id = ${id}`
    await expect(hide.execute(connection.db)).rejects.toThrow(/hiding_party/)
  })
})

describe('another user', () => {
  it('can’t read, change, hide, show or delete a listing', async () => {
    const id = await published()
    const input = { userId: strangerId, businessId: id }
    expect(await findOwnListing(connection.db, { ...input, now: clock.now() })).toBeNull()
    expect(await listOwnListings(connection.db, strangerId, clock.now())).toEqual([])
    expect(await changeListing(deps, input, aListing({ name: 'Mine now', policy: 'long' }))).toEqual({
      ok: false,
      reason: 'not_found',
    })
    expect(await removeListing(deps, input)).toEqual({ ok: false, reason: 'not_found' })
    expect(await hideListing(deps, input)).toEqual({ ok: false, reason: 'not_found' })
    expect(await showListing(deps, input)).toEqual({ ok: false, reason: 'not_found' })
    expect(await findBusiness(connection.db, id)).toMatchObject({
      name: 'Tide House & Co',
      userId,
      terms: DEFAULT_TERMS,
    })
  })
})

describe('countViews', () => {
  it('counts a view on the date at the place of the business', async () => {
    const perth = await aPlace(connection.db, {
      id: 'perth-wa',
      name: 'Perth',
      state: 'WA',
      time_zone: 'Australia/Perth',
    })
    const melbourneId = await published()
    const { id: perthId } = await aBusiness(connection.db, { user_id: userId, place_id: perth.id })
    // It's 1:30 am on the 21st in Melbourne, but still the 20th in Perth.
    clock.forward(13.5 * HOUR_MS)
    const visitors = [melbourneId, perthId, melbourneId].map((businessId) => ({
      businessId,
      viewerUserId: null,
    }))
    await countViews(deps, visitors)
    await countViews(deps, [{ businessId: melbourneId, viewerUserId: strangerId }])
    const days = async (businessId: string) =>
      (
        await sql<{ day: string; views: number }>`select day::text, views from business_views
          where business_id = ${businessId} order by day`.execute(connection.db)
      ).rows
    expect(await days(melbourneId)).toEqual([{ day: '2026-11-21', views: 3 }])
    expect(await days(perthId)).toEqual([{ day: '2026-11-20', views: 1 }])
  })

  it('doesn’t count the owner, or views of hidden, deleted and unknown businesses', async () => {
    const id = await published()
    const { id: hidden } = await aBusiness(connection.db, { hidden_at: clock.now() })
    const { id: deleted } = await aBusiness(connection.db, { deleted_at: clock.now() })
    await countViews(deps, [
      { businessId: id, viewerUserId: userId },
      ...[hidden, deleted, 'no-such-business'].map((businessId) => ({ businessId, viewerUserId: null })),
    ])
    const counted = await connection.db
      .selectFrom('business_views')
      .selectAll()
      .where('business_id', 'in', [id, hidden, deleted])
      .execute()
    expect(counted).toEqual([])
  })

  it('counts every one of many concurrent views', async () => {
    const id = await published()
    await Promise.all(
      Array.from({ length: 20 }, () => countViews(deps, [{ businessId: id, viewerUserId: null }])),
    )
    expect((await listOwnListings(connection.db, userId, clock.now()))[0]?.recentViews).toBe(20)
  })

  it('adds up the views of the last 30 days', async () => {
    const id = await published()
    await connection.db
      .insertInto('business_views')
      .values([
        { business_id: id, day: '2026-11-20', views: 4 },
        { business_id: id, day: '2026-11-01', views: 2 },
        { business_id: id, day: '2026-10-01', views: 100 },
      ])
      .execute()
    const [listing] = await listOwnListings(connection.db, userId, clock.now())
    expect(listing?.recentViews).toBe(6)
  })
})
