import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parseWithZod } from '@conform-to/zod/v4'
import { type SqlBool, sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aClock, agrees, aPlace, aUser, createKeptJobs } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { createDiskFileStore } from '../../adapters/file-store/disk.server.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { keepUpload } from '../files/commands.server.ts'
import { exportAccount } from '../privacy/queries.server.ts'
import { changeListing, type ListingDeps, publishListing } from './commands.server.ts'
import { factsOf } from './fact-rules.ts'
import { toExportedListing } from './owner-queries.server.ts'
import { selectBusinesses } from './queries.server.ts'
import { LISTING_INPUTS, type ListingInput, listingSchema } from './schema.ts'

type Typed = Record<
  Exclude<ListingInput, 'factsAsked' | 'images' | 'imageAlts' | 'submitKey' | 'seen' | 'anyway'>,
  string | string[]
>

/** Two different values for each field of the listing form. */
const FIRST: Typed = {
  name: 'Tide House',
  category: 'Venues',
  description: 'A hall by the water.',
  servicesOffered: 'Tables',
  maxGuests: '220',
  seated: '150',
  standing: '220',
  minHours: '4',
  setting: ['indoor'],
  included: ['room', 'staff'],
  stepFree: 'yes',
  parking: 'no',
  byo: '',
  dietary: ['vegan', 'halal'],
  languages: ['Greek'],
  travelKm: '',
  travelTo: [],
  services: ['winery'],
  location: 'Melbourne, VIC',
  price: '1200',
  secondPrice: '',
  priceUnit: 'perPerson',
  bookingTypes: ['perPerson'],
  policy: 'flexible',
  plan: 'full',
  depositPercent: '20',
  balanceDays: '30',
}
const SECOND: Typed = {
  name: 'Low Tide',
  category: 'Catering',
  description: 'Fish and chips for eighty.',
  servicesOffered: 'Fish, Chips',
  maxGuests: '80',
  seated: '',
  standing: '',
  minHours: '3',
  setting: [],
  included: [],
  stepFree: '',
  parking: '',
  byo: 'yes',
  dietary: ['kosher'],
  languages: ['Auslan', 'Tamil'],
  travelKm: '60',
  travelTo: ['NSW', 'ACT'],
  services: ['cake', 'coffee'],
  location: 'Sydney, NSW',
  price: '450',
  secondPrice: '85',
  priceUnit: 'perHour',
  bookingTypes: ['perPerson', 'perHour'],
  policy: 'long',
  plan: 'deposit',
  depositPercent: '12.5',
  balanceDays: '45',
}

/** The columns that saving the form doesn't write, and why. */
const NOT_WRITTEN = {
  markers_version: 'the version of the rules that wrote the markers',
  id: 'bookings and links refer to it',
  chose_terms: 'every save sets it',
  user_id: 'a listing stays with its owner',
  hidden_at: 'hiding and showing a listing write it',
  hidden_by: 'hiding and showing a listing write it',
  operator_reason: 'an operator who hides the listing writes it',
  owner_hidden_at: 'hiding and showing a listing write it',
  waiting_since: 'accepting the vendor agreement writes it',
  hidden_reason: 'a trigger writes it for the previous version (migration 0019)',
  deleted_at: 'deleting the listing writes it',
  created_at: 'publishing the listing writes it',
}

/** The columns that the export of an account leaves out, and why. */
const NOT_EXPORTED = {
  markers: 'made of the facts and the words, which are exported',
  markers_version: 'the version of the rules that wrote the markers',
  user_id: 'the export names the account once',
  chose_terms: 'the terms themselves are exported',
  seo_title: 'made of name and category',
  seo_description: 'the beginning of the description',
  hidden_at: 'not filled in by the vendor; My Listings shows it',
  hidden_by: 'not filled in by the vendor; My Listings shows it',
  operator_reason: 'written by an operator; My Listings shows it',
  owner_hidden_at: 'not filled in by the vendor',
  waiting_since: 'not filled in by the vendor; My Listings shows it',
  hidden_reason: 'the same in the text of the previous version',
  deleted_at: 'the export has no deleted listings',
}

/** The columns that search doesn't index, and why. */
const NOT_INDEXED = {
  markers_version: 'the version of the rules that wrote the markers',
  user_id: 'visitors search for businesses, not for accounts',
  booking_types: 'a type that can be booked has a price, which is indexed',
  images: 'a picture has no words',
  policy: 'visitors don’t search by terms',
  deposit_basis_points: 'visitors don’t search by terms',
  balance_days_before: 'visitors don’t search by terms',
  chose_terms: 'visitors don’t search by terms',
  seo_title: 'made of name and category, which are indexed',
  seo_description: 'the beginning of the description, which is indexed',
  hidden_by: 'hidden_at removes a listing from the index',
  operator_reason: 'hidden_at removes a listing from the index',
  owner_hidden_at: 'hidden_at removes a listing from the index',
  waiting_since: 'hidden_at removes a listing from the index',
  hidden_reason: 'hidden_at removes a listing from the index',
  updated_at: 'lists are sorted by created_at',
}

const folder = mkdtempSync(join(tmpdir(), 'jubilee-columns-'))
let connection: Awaited<ReturnType<typeof openTestDatabase>>
let columns: string[]
let userId: string
/** The same listing after each of two saves. */
let before: Awaited<ReturnType<typeof readRow>>
let after: Awaited<ReturnType<typeof readRow>>

beforeAll(async () => {
  connection = await openTestDatabase()
  const { db } = connection
  const clock = aClock()
  const deps: ListingDeps & { maxListings: number } = {
    db,
    jobs: await createKeptJobs(db),
    brand: 'Jubilee',
    maxListings: 1,
    now: clock.now,
  }
  await aPlace(db)
  await aPlace(db, { id: 'sydney-nsw', name: 'Sydney', state: 'NSW', time_zone: 'Australia/Sydney' })
  userId = (await aUser(db)).id
  await agrees(db, userId)
  const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#2f5d50' } })
    .jpeg()
    .toBuffer()
  const sent = await keepUpload(
    { db, files: createDiskFileStore(folder), now: clock.now, rateLimits: createRateLimits(db, clock.now) },
    userId,
    {
      kind: 'listing',
      fileName: 'a.jpg',
      businessName: 'Tide House',
      index: 0,
      bytes,
    },
  )
  if (!sent.ok) throw new Error(sent.reason)

  const published = await publishListing(deps, userId, listingOf(FIRST))
  if (!published.ok) throw new Error(published.reason)
  before = await readRow()
  clock.forward(60_000)
  const input = { userId, businessId: published.id }
  const changed = await changeListing(deps, input, listingOf({ ...SECOND, images: sent.image.url }))
  expect(changed).toMatchObject({ ok: true })
  after = await readRow()

  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = 'businesses' order by ordinal_position`.execute(db)
  columns = rows.map(({ name }) => name)
})
afterAll(async () => {
  await connection.close()
  rmSync(folder, { recursive: true, force: true })
})

function listingOf(typed: Record<string, string | string[]>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(typed)) for (const one of [value].flat()) form.append(name, one)
  const submission = parseWithZod(form, { schema: listingSchema })
  if (submission.status !== 'success') throw new Error(JSON.stringify(submission.reply()))
  return submission.value
}

async function readRow() {
  const { db } = connection
  const row = await selectBusinesses(db).where('businesses.user_id', '=', userId).executeTakeFirstOrThrow()
  const { rows } = await sql<{
    json: Record<string, unknown>
  }>`select to_jsonb(b) as json from businesses b where user_id = ${userId}`.execute(db)
  return { row, json: rows[0]?.json ?? {} }
}

/** Expects that each column is either handled, or listed with the reason why not. */
function expectEvery(isHandled: (column: string) => boolean, reasons: Readonly<Record<string, string>>) {
  expect(columns.length).toBeGreaterThan(20)
  expect(columns.filter((column) => !isHandled(column))).toEqual(
    columns.filter((column) => Object.hasOwn(reasons, column)),
  )
  expect(columns).toEqual(expect.arrayContaining(Object.keys(reasons)))
}

it('saving the listing form writes every column of businesses, or leaves it alone for a reason', () => {
  expect(Object.keys(FIRST).sort()).toEqual(
    LISTING_INPUTS.filter(
      (name) => !['factsAsked', 'images', 'imageAlts', 'submitKey', 'seen', 'anyway'].includes(name),
    ).toSorted(),
  )
  expectEvery((column) => !isDeepStrictEqual(before.json[column], after.json[column]), NOT_WRITTEN)
})

it('the export of an account has every column of businesses, or leaves it out for a reason', async () => {
  const exported = toExportedListing(after.row)
  const isExported = (column: string) => {
    const changed = { ...after.row, ...otherThan(column, before.row, after.row) }
    return !isDeepStrictEqual(toExportedListing(changed as typeof after.row), exported)
  }
  expectEvery(isExported, NOT_EXPORTED)
  const account = await exportAccount(connection.db, { userId, verifiedEmail: null, now: new Date() })
  expect(account).toMatchObject({ businesses: [exported] })
})

it('saves, exports and finds a listing again by each fact of its category', async () => {
  const stated = factsOf('Catering', after.json.facts as Record<string, unknown>)
  expect(stated).toEqual({
    dietary: ['kosher'],
    minHours: 3,
    services: ['cake', 'coffee'],
    travelKm: 60,
    travelTo: ['NSW', 'ACT'],
    byo: true,
    languages: ['Auslan', 'Tamil'],
  })
  // The facts of a venue went with its category.
  expect(Object.keys(after.json.facts as object).sort()).toEqual(Object.keys(stated).sort())
  expect(toExportedListing(after.row)).toMatchObject({ maxGuests: 80, facts: stated })
  const { rows } = await sql<{ marker: string }>`select marker
    from search_listings, unnest(tsvector_to_array(words)) marker where marker ~ '^[kmq]/' order by 1`.execute(
    connection.db,
  )
  expect(rows.map(({ marker }) => marker).toSorted()).toEqual(
    [
      ...['k/Auslan', 'k/Tamil', 'k/byo', 'k/kosher', 'q/any'],
      ...['k/ACT', 'k/NSW', 'k/cake', 'k/coffee'],
    ].toSorted(),
  )
})

it('search indexes every column of businesses, or leaves it out for a reason', async () => {
  const { db } = connection
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.view_column_usage
      where view_schema = current_schema() and view_name = 'search_source' and table_name = 'businesses'`.execute(
    db,
  )
  const indexed = new Set(rows.map(({ name }) => name))
  expectEvery((column) => indexed.has(column), NOT_INDEXED)
})

it('a change of any indexed column rebuilds the row in the search index', async () => {
  const { db } = connection
  const forgotten: string[] = []
  for (const column of columns.filter((name) => !Object.hasOwn(NOT_INDEXED, name))) {
    const changed = { ...after.json, [column]: otherThan(column, before.json, after.json)[column] }
    const { rows } = await sql<{ beside: SqlBool }>`select is_beside_search(
      jsonb_populate_record(null::businesses, ${JSON.stringify(after.json)}::jsonb),
      jsonb_populate_record(null::businesses, ${JSON.stringify(changed)}::jsonb)) as beside`.execute(db)
    if (rows[0]?.beside !== false) forgotten.push(column)
  }
  expect(forgotten).toEqual([])
})

/** A different value of a column: that of the other save, or a value that neither save wrote. */
function otherThan(column: string, other: object, row: object): Record<string, unknown> {
  const [theirs, own] = [other, row].map((one) => (one as Record<string, unknown>)[column])
  // The export and the views contain the name of the place instead of its id.
  if (column === 'place_id') return { place_id: theirs, place_name: 'Elsewhere' }
  if (!isDeepStrictEqual(theirs, own)) return { [column]: theirs }
  const isTime = /_at$/.test(column)
  return { [column]: isTime ? new Date('2001-01-01T00:00:00Z') : 'other' }
}
