import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RouterContextProvider } from 'react-router'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  aBusiness,
  aClock,
  agrees,
  aTypedListing,
  aUser,
  createKeptJobs,
  TYPED_REGISTRATION,
} from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { createDiskFileStore } from '../../adapters/file-store/disk.server.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import type { OwnListing } from '../../features/businesses/owner-queries.server.ts'
import { listingVersion } from '../../features/businesses/rules.ts'
import { findOwnRegistration } from '../../features/registrations/queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import * as upload from '../api/upload.ts'
import * as uploadedFile from '../api/uploaded-file.ts'
import * as listBusiness from './list-business.tsx'
import * as listingForm from './listing-form.tsx'
import * as overview from './overview.tsx'
import * as registerBusiness from './register-business.tsx'

let connection: Awaited<ReturnType<typeof openTestDatabase>>
let context: RouterContextProvider
let signedIn: string | null = null
let owner: string
let stranger: string
const folder = mkdtempSync(join(tmpdir(), 'jubilee-vendor-'))

beforeAll(async () => {
  connection = await openTestDatabase()
  context = new RouterContextProvider()
  // Only the services that these routes use; each test sets who is signed in.
  context.set(servicesContext, {
    db: connection.db,
    files: createDiskFileStore(folder),
    jobs: await createKeptJobs(connection.db),
    now: aClock().now,
    liveUpdates: { publish: async () => {} },
    businessRegister: null,
    rateLimits: createRateLimits(connection.db, aClock().now),
    config: {
      brand: 'Jubilee',
      publicUrl: new URL('http://localhost:3000'),
      maxListings: 50,
      payouts: { provider: 'off' },
      platform: { name: null, abn: null },
    },
    accounts: { findSession: async () => (signedIn ? { id: 's', user: personOf(signedIn) } : null) },
  } as unknown as Services)
})
afterAll(async () => {
  await connection.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  owner = (await aUser(connection.db)).id
  await agrees(connection.db, owner)
  stranger = (await aUser(connection.db)).id
  signedIn = null
})

/** The account of a vendor who has typed nothing but their address. */
const personOf = (uid: string) => ({
  uid,
  displayName: null,
  email: 'vendor@example.com',
  phoneNumber: null,
})

type Answer = { status: number; body: { ok?: boolean; reason?: string; [key: string]: unknown } }

async function call(
  run: (args: never) => unknown,
  options: {
    path?: string
    form?: FormData | Record<string, string>
    params?: Record<string, string>
    query?: string
  } = {},
): Promise<Answer> {
  const { path = '/', form, params = {}, query = '' } = options
  const request = new Request(`http://localhost:3000${path}${query}`, {
    method: form ? 'POST' : 'GET',
    ...(form ? { body: form instanceof FormData ? form : new URLSearchParams(form) } : {}),
  })
  try {
    const url = new URL(request.url)
    const answer = (await run({ request, url, context, params } as never)) as
      | Record<string, unknown>
      | Response
    if (answer instanceof Response) {
      const isJson = answer.headers.get('content-type')?.includes('json')
      return { status: answer.status, body: isJson ? ((await answer.json()) as Answer['body']) : {} }
    }
    // React Router's data() carries its status beside the body.
    if ('init' in answer && 'data' in answer) {
      const init = answer.init as { status?: number } | null
      return { status: init?.status ?? 200, body: answer.data as Answer['body'] }
    }
    return { status: 200, body: answer as Answer['body'] }
  } catch (thrown) {
    if (thrown instanceof Response) {
      return { status: thrown.status, body: { location: thrown.headers.get('location') } }
    }
    throw thrown
  }
}

const listing = aTypedListing()

async function aPictureForm(overrides: Record<string, string> = {}, bytes?: Uint8Array) {
  const picture = await sharp({ create: { width: 700, height: 400, channels: 3, background: '#2f5d50' } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.set(
    'file',
    new File([new Uint8Array(bytes ?? picture)], '../a\u0000 photo.jpg', { type: 'text/html' }),
  )
  for (const [name, value] of Object.entries({ kind: 'listing', ...overrides })) form.set(name, value)
  return form
}

const countBusinesses = async () =>
  (await connection.db.selectFrom('businesses').select('id').where('deleted_at', 'is', null).execute()).length

describe('as nobody', () => {
  it('refuses every write and changes nothing', async () => {
    const { id } = await aBusiness(connection.db, { user_id: owner })
    const before = await countBusinesses()
    for (const [what, answer] of [
      ['register', await call(registerBusiness.action, { form: TYPED_REGISTRATION })],
      [
        'change registration',
        await call(registerBusiness.action, { form: { ...TYPED_REGISTRATION, intent: 'change' } }),
      ],
      ['list', await call(listingForm.action, { form: listing })],
      ['edit', await call(listingForm.action, { form: listing, params: { id } })],
      ['delete', await call(listBusiness.action, { form: { intent: 'delete', businessId: id } })],
      ['hide', await call(listBusiness.action, { form: { intent: 'hide', businessId: id } })],
      ['show', await call(listBusiness.action, { form: { intent: 'show', businessId: id } })],
      ['upload', await call(upload.action, { form: await aPictureForm() })],
    ] as const) {
      expect(answer, what).toMatchObject({ status: 401, body: { ok: false, reason: 'signed_out' } })
    }
    expect(await countBusinesses()).toBe(before)
    expect(await connection.db.selectFrom('business_registrations').selectAll().execute()).toEqual([])
  })

  it('redirects guarded screens to login, while the listings show their own message', async () => {
    for (const [path, { loader }] of [
      ['/dashboard', overview],
      ['/dashboard/register-business', registerBusiness],
    ] as const) {
      expect(await call(loader, { path })).toMatchObject({
        status: 302,
        body: { location: `/login?next=${encodeURIComponent(path)}` },
      })
    }
    expect((await call(listBusiness.loader)).body.listings).toBeNull()
    expect((await call(listingForm.loader)).body.screen).toBe('logged-out')
    expect((await call(listingForm.loader, { params: { id: 'any' } })).body.screen).toBe('logged-out')
  })
})

describe('as someone else', () => {
  it('finds no other user’s listing, by id or by form field', async () => {
    const { id } = await aBusiness(connection.db, { user_id: owner, name: 'Before' })
    signedIn = stranger
    expect(await call(listingForm.loader, { params: { id } })).toMatchObject({ status: 404 })
    expect(await call(listingForm.action, { form: listing, params: { id } })).toMatchObject({
      status: 404,
      body: { reason: 'not_found' },
    })
    for (const intent of ['delete', 'hide', 'show']) {
      const form = { intent, businessId: id }
      expect(await call(listBusiness.action, { form })).toMatchObject({
        status: 404,
        body: { reason: 'not_found' },
      })
      expect(await call(listBusiness.action, { form: { ...form, userId: owner } })).toMatchObject({
        status: 400,
      })
    }
    const row = await connection.db
      .selectFrom('businesses')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ name: 'Before', user_id: owner, deleted_at: null, hidden_at: null })
    // No form has a field for the owner.
    for (const field of ['id', 'userId', 'user_id', 'businessId']) {
      const forged = { ...listing, [field]: owner }
      expect(await call(listingForm.action, { form: forged })).toMatchObject({ status: 400 })
      expect(await call(listingForm.action, { form: forged, params: { id } })).toMatchObject({ status: 400 })
    }
    const made = await call(listingForm.action, { form: listing })
    expect(made.body.ok).toBe(true)
    const own = await connection.db
      .selectFrom('businesses')
      .select('user_id')
      .where('id', '=', String(made.body.id))
      .executeTakeFirstOrThrow()
    expect(own.user_id).toBe(stranger)
    expect(made.body.id).not.toBe(id)
  })

  it('can’t replace a listing by naming its version', async () => {
    const { id } = await aBusiness(connection.db, { user_id: owner, name: 'Before' })
    signedIn = owner
    const screen = await call(listingForm.loader, { params: { id } })
    const seen = listingVersion(screen.body.listing as OwnListing)
    for (const [user, answer] of [
      [stranger, { status: 404, body: { reason: 'not_found' } }],
      [null, { status: 401, body: { reason: 'signed_out' } }],
    ] as const) {
      signedIn = user
      for (const form of [
        { ...listing, seen },
        { ...listing, seen: 'old', anyway: seen },
      ]) {
        const refused = await call(listingForm.action, { form, params: { id } })
        expect(refused).toMatchObject(answer)
        expect(refused.body.version).toBeUndefined()
      }
    }
  })

  it('can neither read nor change another user’s registration', async () => {
    signedIn = owner
    expect(await call(registerBusiness.action, { form: TYPED_REGISTRATION })).toMatchObject({
      body: { ok: true },
    })
    signedIn = stranger
    expect((await call(registerBusiness.loader)).body.registration).toBeNull()
    const form = { ...TYPED_REGISTRATION, intent: 'change', ownerName: 'Mallory' }
    expect(await call(registerBusiness.action, { form })).toMatchObject({ status: 404 })
    for (const field of ['userId', 'id']) {
      const forged = { ...form, [field]: owner }
      expect(await call(registerBusiness.action, { form: forged })).toMatchObject({ status: 400 })
    }
    expect((await findOwnRegistration(connection.db, owner))?.ownerName).toBe('Nia')
  })

  it('can’t replace a registration by naming its version', async () => {
    signedIn = owner
    await call(registerBusiness.action, { form: TYPED_REGISTRATION })
    const { version } = (await call(registerBusiness.loader)).body
    for (const [user, answer] of [
      [stranger, { status: 404, body: { reason: 'not_found' } }],
      [null, { status: 401, body: { reason: 'signed_out' } }],
    ] as const) {
      signedIn = user
      for (const seen of [{ seen: String(version) }, { seen: 'old', anyway: String(version) }]) {
        const form = new FormData()
        const posted = { ...TYPED_REGISTRATION, ...seen, intent: 'change', ownerName: 'Mallory' }
        for (const [name, value] of Object.entries(posted)) form.set(name, value)
        const refused = await call(registerBusiness.action, { form })
        expect(refused).toMatchObject(answer)
        expect(refused.body.version).toBeUndefined()
      }
    }
    expect((await findOwnRegistration(connection.db, owner))?.ownerName).toBe('Nia')
  })

  it('can’t use another user’s image in a listing or a registration', async () => {
    signedIn = owner
    const image = await call(upload.action, { form: await aPictureForm() })
    const logo = await call(upload.action, { form: await aPictureForm({ kind: 'logo' }) })
    const urlOf = (answer: Answer) => (answer.body.image as { url: string }).url
    signedIn = stranger
    expect(await call(listingForm.action, { form: { ...listing, images: urlOf(image) } })).toMatchObject({
      status: 404,
      body: { reason: 'unknown_image' },
    })
    expect(
      await call(registerBusiness.action, { form: { ...TYPED_REGISTRATION, logoUrl: urlOf(logo) } }),
    ).toMatchObject({
      status: 404,
      body: { reason: 'unknown_logo' },
    })
  })
})

describe('as the owner', () => {
  beforeEach(() => {
    signedIn = owner
  })

  it('uploads a picture, lists a business with it, and deletes both', async () => {
    const sent = await call(upload.action, {
      form: await aPictureForm({ businessName: 'Tide House', index: '1' }),
    })
    const { url } = sent.body.image as { url: string }
    expect(url).toMatch(/^\/files\/businessImages\/Tide_House_\d+_1$/)
    const made = await call(listingForm.action, { form: { ...listing, images: url } })
    expect(made).toMatchObject({ status: 200, body: { ok: true } })

    const serve = (query: string) =>
      uploadedFile.loader({
        request: new Request(`http://localhost:3000${url}${query}`),
        url: new URL(`http://localhost:3000${url}${query}`),
        context,
        params: { '*': url.slice('/files/'.length) },
      } as never)
    const answer = await serve('?w=320&f=webp')
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect((await sharp(await answer.arrayBuffer()).metadata()).width).toBe(320)
    expect((await serve('?w=321&f=webp')).status).toBe(404)
    expect((await serve('?w=320&f=html')).status).toBe(404)

    const removed = await call(listBusiness.action, {
      form: { intent: 'delete', businessId: String(made.body.id) },
    })
    expect(removed.body).toEqual({ ok: true, outcome: 'deleted' })
    expect((await serve('?w=320&f=webp')).status).toBe(404)
  })

  it('hides a business when told to hide it, and deletes one when told to delete it', async () => {
    const { id } = await aBusiness(connection.db, { user_id: owner })
    const hidden = await call(listBusiness.action, { form: { intent: 'hide', businessId: id } })
    expect(hidden).toMatchObject({ status: 200, body: { ok: true, outcome: 'hidden', openBookings: 0 } })
    expect((await call(listBusiness.loader)).body.listings).toEqual([
      expect.objectContaining({ id, hidden: { by: 'owner', reason: '' } }),
    ])
    const deleted = await call(listBusiness.action, { form: { intent: 'delete', businessId: id } })
    expect(deleted.body).toEqual({ ok: true, outcome: 'deleted' })
    expect((await call(listBusiness.loader)).body.listings).toEqual([])
  })

  it('answers a bad file with its status and reason', async () => {
    const page = new TextEncoder().encode('<html><script>alert(1)</script></html>')
    expect(await call(upload.action, { form: await aPictureForm({}, page) })).toMatchObject({
      status: 415,
      body: { ok: false, reason: 'not_an_image' },
    })
    expect(
      await call(upload.action, { form: await aPictureForm({}, new Uint8Array(2_097_153)) }),
    ).toMatchObject({
      status: 413,
      body: { reason: 'too_large' },
    })
    expect(await call(upload.action, { form: await aPictureForm({}, new Uint8Array(0)) })).toMatchObject({
      status: 422,
      body: { reason: 'empty' },
    })
    expect(await call(upload.action, { form: await aPictureForm({ kind: 'other' }) })).toMatchObject({
      status: 400,
    })
    expect(await call(upload.action, { form: { kind: 'listing', file: 'no file' } })).toMatchObject({
      status: 400,
    })
  })

  it('limits uploads to sixty pictures in ten minutes', async () => {
    await connection.db
      .insertInto('rate_limits')
      .values({ key: `upload:${owner}`, window_start: new Date('2026-11-20T01:00:00Z'), count: 60 })
      .execute()
    expect(await call(upload.action, { form: await aPictureForm() })).toMatchObject({
      status: 429,
      body: { reason: 'too_often' },
    })
  })

  it('reports missing fields in the specified words, and keeps the typed values', async () => {
    const answer = await call(listingForm.action, { form: { ...listing, name: ' ' } })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        reason: 'invalid_fields',
        result: {
          error: { '': ['Please fill in all required fields.'] },
          initialValue: { price: '1,200.50' },
        },
      },
    })
    const four = new FormData()
    for (const [name, value] of Object.entries(listing)) four.set(name, value)
    for (const url of ['/a', '/b', '/c', '/d']) four.append('images', url)
    expect(await call(listingForm.action, { form: four })).toMatchObject({
      status: 400,
      body: { result: { error: { images: ['You can only upload up to 3 images.'] } } },
    })
    expect(await call(listingForm.action, { form: { ...listing, location: 'Atlantis' } })).toMatchObject({
      status: 400,
      body: { reason: 'unknown_place', result: { error: { location: [expect.any(String)] } } },
    })
  })

  it('refuses a form made from an older version with what was typed, and replaces the newer one when told to', async () => {
    const { id } = await aBusiness(connection.db, { user_id: owner, name: 'Before' })
    const screen = await call(listingForm.loader, { params: { id } })
    const saved = listingVersion(screen.body.listing as OwnListing)
    const form = { ...listing, seen: '2026-01-01T00:00:00.000Z/' }
    expect(await call(listingForm.action, { form, params: { id } })).toMatchObject({
      status: 409,
      body: {
        reason: 'changed_meanwhile',
        version: saved,
        result: { initialValue: { name: listing.name, seen: form.seen } },
      },
    })
    const nameNow = async () =>
      ((await call(listingForm.loader, { params: { id } })).body.listing as OwnListing).name
    expect(await nameNow()).toBe('Before')
    expect(
      await call(listingForm.action, { form: { ...form, anyway: saved }, params: { id } }),
    ).toMatchObject({ status: 200, body: { ok: true } })
    expect(await nameNow()).toBe(listing.name)
  })

  it('lists and changes a business with a price for each booking type', async () => {
    const formOf = (fields: Record<string, string>) => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ ...listing, ...fields })) form.set(name, value)
      for (const type of ['perPerson', 'perHour']) form.append('bookingTypes', type)
      return form
    }
    const pricesOf = async (id: string) => {
      const screen = await call(listingForm.loader, { params: { id } })
      const { price, priceUnit, secondPrice } = screen.body.listing as Record<string, unknown>
      return { price, priceUnit, secondPrice }
    }
    const made = await call(listingForm.action, { form: formOf({ price: '84', secondPrice: '$450' }) })
    const id = String(made.body.id)
    expect(await pricesOf(id)).toEqual({
      price: '84.00',
      priceUnit: 'perPerson',
      secondPrice: { unit: 'perHour', cents: 45_000 },
    })

    // A refused change saves nothing, names the field, and returns the typed values.
    for (const [secondPrice, message] of [
      ['', 'Enter a price per hour, or untick ‘Per hour’.'],
      ['0', 'Enter a price above $0, or take bookings of one kind only.'],
      ['four fifty', 'Enter a price like 1200 or 1,200.50, without words.'],
      ['1,000,000', 'Enter a price of at most $999,999.99.'],
    ] as const) {
      expect(
        await call(listingForm.action, { form: formOf({ price: '90', secondPrice }), params: { id } }),
      ).toMatchObject({
        status: 400,
        body: {
          reason: 'invalid_fields',
          result: {
            error: { secondPrice: [message] },
            initialValue: { price: '90', bookingTypes: ['perPerson', 'perHour'] },
          },
        },
      })
    }
    expect(await pricesOf(id)).toMatchObject({ price: '84.00', secondPrice: { cents: 45_000 } })

    const changed = { priceUnit: 'perHour', price: '500', secondPrice: '96' }
    expect(await call(listingForm.action, { form: formOf(changed), params: { id } })).toMatchObject({
      status: 200,
    })
    expect(await pricesOf(id)).toEqual({
      price: '500.00',
      priceUnit: 'perHour',
      secondPrice: { unit: 'perPerson', cents: 9_600 },
    })
    signedIn = stranger
    expect(
      await call(listingForm.action, { form: formOf({ secondPrice: '1' }), params: { id } }),
    ).toMatchObject({ status: 404, body: { reason: 'not_found' } })
    signedIn = owner
    expect(await pricesOf(id)).toMatchObject({ secondPrice: { cents: 9_600 } })
    // Without its checkbox, the second price is removed.
    const { priceUnit: _, ...first } = changed
    expect(
      await call(listingForm.action, {
        form: { ...listing, ...first, bookingTypes: 'perHour' },
        params: { id },
      }),
    ).toMatchObject({ status: 200 })
    expect(await pricesOf(id)).toEqual({ price: '500.00', priceUnit: 'perHour', secondPrice: null })
  })

  it('registers once, and changes the registration afterwards', async () => {
    expect(await call(registerBusiness.action, { form: TYPED_REGISTRATION })).toMatchObject({
      status: 200,
      body: { ok: true, isChange: false },
    })
    // Pressed again after a lost answer, it is saved already. Other values are another registration.
    expect(await call(registerBusiness.action, { form: TYPED_REGISTRATION })).toMatchObject({ status: 200 })
    const other = { ...TYPED_REGISTRATION, businessName: 'Another Business' }
    expect(await call(registerBusiness.action, { form: other })).toMatchObject({
      status: 409,
      body: { reason: 'already_registered' },
    })
    const changed = { ...TYPED_REGISTRATION, intent: 'change', ownerName: 'Nia B' }
    expect(await call(registerBusiness.action, { form: changed })).toMatchObject({
      body: { ok: true, isChange: true },
    })
    expect((await call(registerBusiness.loader)).body.registration).toMatchObject({ ownerName: 'Nia B' })
    expect(
      await call(registerBusiness.action, { form: { ...TYPED_REGISTRATION, abn: '123' } }),
    ).toMatchObject({
      status: 400,
      body: { result: { error: { abn: ['Invalid ABN. Please enter a valid ABN.'] } } },
    })
  })

  it('refuses a registration form made from an older version with what was typed, and replaces the newer one when told to', async () => {
    await call(registerBusiness.action, { form: TYPED_REGISTRATION })
    const { version } = (await call(registerBusiness.loader)).body
    const form = {
      ...TYPED_REGISTRATION,
      intent: 'change',
      ownerName: 'Nia B',
      seen: '2026-01-01T00:00:00.000Z',
    }
    expect(await call(registerBusiness.action, { form })).toMatchObject({
      status: 409,
      body: { reason: 'changed_meanwhile', version, result: { initialValue: { ownerName: 'Nia B' } } },
    })
    const ownerNow = async () => (await findOwnRegistration(connection.db, owner))?.ownerName
    expect(await ownerNow()).toBe('Nia')
    const anyway = { ...form, anyway: String(version) }
    expect(await call(registerBusiness.action, { form: anyway })).toMatchObject({
      status: 200,
      body: { ok: true, isChange: true },
    })
    expect(await ownerNow()).toBe('Nia B')
    const endless = { ...form, seen: '2'.repeat(61) }
    expect(await call(registerBusiness.action, { form: endless })).toMatchObject({ status: 400 })
  })

  it('answers an unknown step with 400', async () => {
    expect(await call(listBusiness.action, { form: { intent: 'explode', businessId: 'x' } })).toMatchObject({
      status: 400,
    })
  })
})
