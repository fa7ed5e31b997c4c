import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CARDS } from '../../../tests/booking-stage.ts'
import {
  aBookingForm,
  aBookingWorld,
  aBusiness,
  aPaidBooking,
  aUser,
  movesEvent,
} from '../../../tests/builders.ts'
import { agrees, asCustomer, asVendor, proposes } from '../../../tests/change-stage.ts'
import { booksWithDeposit } from '../../../tests/instalment-stage.ts'
import { OPERATOR, refundsAgainAsOperator, refundsAsOperator } from '../../../tests/payout-stage.ts'
import { issueLink } from '../../adapters/accounts/account-links.server.ts'
import type { CalendarReader } from '../../adapters/calendars/port.ts'
import { createDiskFileStore } from '../../adapters/file-store/disk.server.ts'
import type { FileStore } from '../../adapters/file-store/port.ts'
import { createPdfReader } from '../../adapters/pdfs/pdfjs.server.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import {
  changePhoto,
  deleteUnusedPhoto,
  noteSignIn,
  readPhoto,
  tellAddresses,
} from '../accounts/commands.server.ts'
import { passwordChangedMail } from '../accounts/mails.ts'
import { addException, blockTime } from '../availability/hours-commands.server.ts'
import { addOutsideCalendar, makeFeed } from '../availability/outside-calendar-commands.server.ts'
import { startBookingPayment } from '../bookings/checkout/commands.server.ts'
import { findBookingOffer } from '../bookings/checkout/queries.server.ts'
import { decideBooking } from '../bookings/decisions/commands.server.ts'
import { findCustomerNames, listBookingsOf } from '../bookings/list/calendar-queries.server.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { findAlbum } from '../businesses/album-queries.server.ts'
import { findBusiness } from '../businesses/queries.server.ts'
import { startConversation } from '../enquiries/commands.server.ts'
import { deleteUploads } from '../files/commands.server.ts'
import { subscribe } from '../newsletter/commands.server.ts'
import { addNotification } from '../notifications/commands.server.ts'
import { settleDisputes } from '../payments/dispute-commands.server.ts'
import { askAboutRefunds } from '../payments/refund-news-commands.server.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { listQuoteNotices } from '../quotes/notice-commands.server.ts'
import { findSale, saleJson } from '../sales/queries.server.ts'
import { formOf } from '../sales/rules.ts'
import {
  blankDeletedCustomers,
  chooseNewsletter,
  type DeletionDeps,
  deactivateAccount,
  declineOpenBookings,
  deleteAccount,
  forgetWhatIsOver,
  reactivateAccount,
} from './commands.server.ts'
import { exportAccount, isSubscribed, listOpenBookings } from './queries.server.ts'
import { DELETED_CUSTOMER, DELETED_REVIEWER, FORGET_AFTER_MS } from './rules.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let deps: DeletionDeps & { files: FileStore }
let folder: string
let owner: Awaited<ReturnType<typeof aUser>>
let business: Awaited<ReturnType<typeof aBusiness>>

beforeAll(async () => {
  world = await aBookingWorld()
  folder = mkdtempSync(join(tmpdir(), 'jubilee-files-'))
  deps = { ...world.deps, files: createDiskFileStore(folder), payouts: null, leavesAnAdmin: async () => true }
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  owner = await aUser(world.db)
  business = await aBusiness(world.db, { user_id: owner.id })
})

/** The services of conversations, on this world's database. */
const anEnquiryDeps = () => ({
  ...deps,
  pdfs: createPdfReader(),
  rateLimits: createRateLimits(world.db, world.clock.now),
  secret: world.deps.secret,
  mailInbound: null,
  masksContacts: false,
  endQuotes: async () => {},
  listQuoteNotices,
})

/** Runs those of the queued jobs that delete files. */
async function runFileJobs(queued: { name: string; data: unknown }[]): Promise<void> {
  for (const { name, data } of queued) {
    if (name === 'delete-uploads') await deleteUploads(deps, (data as { keys: string[] }).keys)
    if (name === 'delete-unused-photo')
      await deleteUnusedPhoto(deps, data as Parameters<typeof deleteUnusedPhoto>[1])
  }
}

/** A paid booking of the current business. */
async function aBooking(customerUserId: string | null = null, form = aBookingForm()) {
  return (await aPaidBooking(world, { businessId: business.id, form, customerUserId })).bookingId
}

const bookingRow = (id: string) =>
  world.db
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select([
      'bookings.customer_name',
      'email',
      'phone',
      'status',
      'payment_status',
      saleJson().as('sale'),
      'customer_user_id',
      'vendor_name',
    ])
    .where('bookings.id', '=', id)
    .executeTakeFirstOrThrow()

async function aSession(userId: string) {
  const id = crypto.randomUUID()
  await world.db
    .insertInto('sessions')
    .values({
      id,
      user_id: userId,
      token: id,
      expires_at: new Date(world.clock.now().getTime() + DAY_MS),
      ip_address: '203.0.113.9',
      user_agent: 'Firefox/140.0 Linux',
    })
    .execute()
}

async function blockOut(note: string) {
  const block = { from: '2027-05-01', fromTime: null, to: '2027-05-02', toTime: null, note }
  const own = { userId: owner.id, businessId: business.id }
  expect(await blockTime(world.deps, { ...own, block })).toMatchObject({ ok: true })
}

const countOf = async (
  table: 'sessions' | 'notifications' | 'known_devices' | 'business_registrations',
  userId: string,
) => (await world.db.selectFrom(table).select('user_id').where('user_id', '=', userId).execute()).length

describe('deactivating', () => {
  it('hides the businesses and signs out everywhere until the account is reactivated', async () => {
    const hiddenByOperator = await aBusiness(world.db, {
      user_id: owner.id,
      hidden_at: world.clock.now(),
      hidden_by: 'operator',
      operator_reason: 'pictures of somebody else',
    })
    await aSession(owner.id)
    await deactivateAccount(deps, owner.id)
    expect(await countOf('sessions', owner.id)).toBe(0)
    expect(await findBookingOffer(world.db, business.id)).toBeNull()
    expect(await findBusiness(world.db, business.id)).toBe('gone')

    await reactivateAccount(deps, owner.id)
    expect(await findBookingOffer(world.db, business.id)).not.toBeNull()
    expect(await findBusiness(world.db, business.id)).toMatchObject({ id: business.id })
    expect(await findBusiness(world.db, hiddenByOperator.id)).toBe('gone')
  })

  it('keeps existing bookings', async () => {
    const booking = await aBooking()
    await deactivateAccount(deps, owner.id)
    expect(await bookingRow(booking)).toMatchObject({ status: 'pending', payment_status: 'paid' })
  })

  it('changes nothing when repeated', async () => {
    await deactivateAccount(deps, owner.id)
    const first = await world.db
      .selectFrom('users')
      .select('deactivated_at')
      .where('id', '=', owner.id)
      .executeTakeFirstOrThrow()
    world.clock.forward(HOUR_MS)
    await deactivateAccount(deps, owner.id)
    const second = await world.db
      .selectFrom('users')
      .select('deactivated_at')
      .where('id', '=', owner.id)
      .executeTakeFirstOrThrow()
    expect(second.deactivated_at).toEqual(first.deactivated_at)
  })
})

describe('deleting a vendor', () => {
  it('fails until all open bookings are declined, and their refunds go out without the account', async () => {
    const pending = await aBooking()
    const approved = await aBooking()
    await world.db.updateTable('bookings').set({ status: 'approved' }).where('id', '=', approved).execute()
    const other = await aBusiness(world.db)
    expect(await deleteAccount(deps, owner.id)).toEqual({ ok: false, reason: 'open_bookings' })
    expect(await findBusiness(world.db, business.id)).toMatchObject({ id: business.id })
    expect(await listOpenBookings(world.db, { userId: other.user_id, now: world.clock.now() })).toEqual([])

    const waiting = { userId: owner.id, bookingId: pending, decision: 'declined' } as const
    expect(await decideBooking(world.deps, waiting)).toMatchObject({ ok: true })
    // Another vendor's call reaches none of them.
    expect(await declineOpenBookings(world.deps, other.user_id)).toEqual({ declined: 0, refused: 0 })
    expect(await declineOpenBookings(world.deps, owner.id)).toEqual({ declined: 2, refused: 0 })
    expect(await declineOpenBookings(world.deps, owner.id)).toEqual({ declined: 0, refused: 0 })
    // At once, also the one whose decline was waiting: a closing account can undo nothing.
    const declined = (await world.jobs.mails()).filter(({ subject }) => subject.startsWith('Declined: '))
    expect(declined).toHaveLength(2)
    expect(await deleteAccount(deps, owner.id)).toEqual({ ok: true })

    // Refunds work without the account.
    world.clock.forward(2 * HOUR_MS)
    await performDueRefunds(world.deps)
    for (const id of [pending, approved]) {
      expect(await bookingRow(id)).toMatchObject({ status: 'declined', payment_status: 'refunded' })
    }
  })

  it('succeeds once the event is over, and leaves the customer their booking', async () => {
    const booking = await aBooking()
    await world.db.updateTable('bookings').set({ status: 'approved' }).where('id', '=', booking).execute()
    await movesEvent(world.db, booking, '2026-11-01')
    expect(await deleteAccount(deps, owner.id)).toEqual({ ok: true })
    // The customer keeps their booking.
    expect(await bookingRow(booking)).toMatchObject({ customer_name: 'Kim Lee', vendor_name: business.name })
  })

  it('removes account, businesses, files, notifications and newsletter entry, and leaves tombstones', async () => {
    const { db } = world
    await aSession(owner.id)
    await noteSignIn(world.deps, { userId: owner.id, userAgent: 'Firefox/140.0 Linux' })
    const newsletter = { ...world.deps, ...deps }
    await subscribe(newsletter, owner.email)
    await db
      .transaction()
      .execute((tx) =>
        addNotification(
          tx,
          { userId: owner.id, kind: 'x', title: 'x', body: '', link: '/', eventKey: `x:${owner.id}` },
          world.clock.now(),
        ),
      )
    const picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#2F5D50' } })
      .png()
      .toBuffer()
    const photo = await changePhoto(
      { ...deps, rateLimits: createRateLimits(world.db, world.clock.now) },
      { userId: owner.id, bytes: picture },
    )
    const name = photo.ok ? (photo.url.split('/').at(-1) ?? '') : ''
    expect(await readPhoto(deps.files, name)).not.toBeNull()
    const key = `businessImages/Garden_1700000000000_${Math.floor(Math.random() * 1e9)}`
    await deps.files.put(key, { bytes: picture, contentType: 'image/png' })
    await db
      .insertInto('uploads')
      .values({
        key,
        user_id: owner.id,
        width: 40,
        height: 20,
        colour: '#2F5D50',
        attached_to: `business:${business.id}`,
      })
      .execute()
    await db
      .insertInto('album_pictures')
      .values({
        ...{ business_id: business.id, url: '/files/businessImages/x', position: 0, width: 40, height: 20 },
        ...{ colour: '#2F5D50', caption: 'Ines', alt: '', added_at: world.clock.now(), removed_at: null },
      })
      .execute()
    const review = await db
      .insertInto('reviews')
      .values({
        id: crypto.randomUUID(),
        business_id: (await aBusiness(db)).id,
        booking_id: null,
        user_id: owner.id,
        author_name: 'Robin V.',
        rating: 5,
        body: 'Lovely.',
        rejected_reason: null,
        moderated_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()

    expect(await deleteAccount(deps, owner.id)).toEqual({ ok: true })

    expect(await db.selectFrom('users').select('id').where('id', '=', owner.id).execute()).toEqual([])
    for (const table of ['sessions', 'notifications', 'known_devices', 'business_registrations'] as const) {
      expect(await countOf(table, owner.id)).toBe(0)
    }
    expect(await isSubscribed(db, owner.email)).toBe(false)
    expect(await findBusiness(db, business.id)).toBe('gone')
    expect(await findAlbum(db, business.id)).toEqual([])
    const mails = await world.jobs.mails()
    const queued = await world.jobs.takeAll()
    await runFileJobs(queued)
    // A job may run twice.
    await runFileJobs(queued)
    expect(await db.selectFrom('uploads').select('key').where('user_id', '=', owner.id).execute()).toEqual([])
    expect(await deps.files.read(key)).toBeNull()
    expect(await readPhoto(deps.files, name)).toBeNull()
    expect(
      await db
        .selectFrom('reviews')
        .select(['user_id', 'author_name'])
        .where('id', '=', review.id)
        .executeTakeFirst(),
    ).toEqual({ user_id: null, author_name: DELETED_REVIEWER })
    expect(mails.findLast(({ to }) => to === owner.email)?.subject).toBe('Your Jubilee account is deleted')
    expect(await deleteAccount(deps, owner.id)).toEqual({ ok: false, reason: 'not_found' })
  })
})

describe('a photo', () => {
  const aPhoto = () =>
    sharp({ create: { width: 40, height: 20, channels: 3, background: '#2F5D50' } })
      .png()
      .toBuffer()

  it('stays while its account has it, whatever is queued', async () => {
    const kept = await changePhoto(
      { ...deps, rateLimits: createRateLimits(world.db, world.clock.now) },
      { userId: owner.id, bytes: await aPhoto() },
    )
    if (!kept.ok) throw new Error(kept.reason)
    await runFileJobs(await world.jobs.takeAll())
    expect(await readPhoto(deps.files, kept.url.split('/').at(-1) ?? '')).not.toBeNull()
  })

  it('goes if its account was deleted while it was stored', async () => {
    const { put } = deps.files
    const files = {
      ...deps.files,
      put: async (...input: Parameters<typeof put>) => {
        await deleteAccount(deps, owner.id)
        await put.apply(deps.files, input)
      },
    }
    const kept = await changePhoto(
      { ...deps, files, rateLimits: createRateLimits(world.db, world.clock.now) },
      { userId: owner.id, bytes: await aPhoto() },
    )
    if (!kept.ok) throw new Error(kept.reason)
    await runFileJobs(await world.jobs.takeAll())
    expect(await readPhoto(deps.files, kept.url.split('/').at(-1) ?? '')).toBeNull()
  })
})

describe('the security log of an account', () => {
  const origin = { userAgent: 'Firefox/140.0 Linux', network: '203.0.113.0/24' }
  const kindsOf = async (userId: string) => {
    const rows = await world.db
      .selectFrom('security_events')
      .select('kind')
      .where('user_id', '=', userId)
      .orderBy('recorded_at')
      .execute()
    return rows.map(({ kind }) => kind)
  }

  it('records that it was deactivated, reactivated and deleted, and outlives it for 180 days', async () => {
    await deactivateAccount(deps, owner.id, origin)
    await reactivateAccount(deps, owner.id, origin)
    await deleteAccount(deps, owner.id, origin)
    const kinds = ['account-deactivated', 'account-reactivated', 'account-deleted']
    expect(await kindsOf(owner.id)).toEqual(kinds)
    const rows = await world.db
      .selectFrom('security_events')
      .selectAll()
      .where('user_id', '=', owner.id)
      .execute()
    expect(rows).toMatchObject(kinds.map(() => ({ device: 'Firefox on Linux', network: '203.0.113.0/24' })))
    expect(JSON.stringify(rows)).not.toContain(owner.email)
    const in180Days = new Date(Date.now() + 180 * DAY_MS)
    await forgetWhatIsOver({ ...deps, realNow: () => new Date(in180Days.getTime() - 60_000) })
    expect(await kindsOf(owner.id)).toEqual(kinds)
    await forgetWhatIsOver({ ...deps, realNow: () => new Date(in180Days.getTime() + 60_000) })
    expect(await kindsOf(owner.id)).toEqual([])
  })

  it('records no deletion that is refused', async () => {
    await aBooking()
    expect(await deleteAccount(deps, owner.id, origin)).toMatchObject({ ok: false })
    expect(await kindsOf(owner.id)).toEqual([])
  })
})

describe('deleting a vendor’s calendars', () => {
  it('removes settings, blocked times, feed and outside calendars, also of deleted businesses, but no booking’s slot', async () => {
    const { db } = world
    const bookingId = await aBooking()
    const removed = await aBusiness(db, { user_id: owner.id, deleted_at: world.clock.now() })
    const other = await aBusiness(db)
    await blockOut('Family')
    for (const { id, user_id } of [business, other]) {
      const own = { userId: user_id, businessId: id }
      expect(await makeFeed(world.deps, own)).toMatchObject({ ok: true })
      const exception = { from: '2027-05-01', to: '2027-05-01', hours: [], note: '' }
      expect(await addException(world.deps, { ...own, exception })).toMatchObject({ ok: true })
      const calendars: CalendarReader = {
        read: async () => ({ ok: true, unchanged: false, etag: '', events: [] }),
      }
      const calendar = { ...own, name: 'Mine', url: 'https://calendar.example/secret.ics' }
      expect(
        await addOutsideCalendar({ ...world.deps, calendars, findCustomerNames, listBookingsOf }, calendar),
      ).toMatchObject({ ok: true })
    }
    const decided = { userId: owner.id, bookingId, decision: 'approved' } as const
    await decideBooking(world.deps, decided)
    world.clock.forward(200 * DAY_MS)
    expect(await deleteAccount(deps, owner.id)).toEqual({ ok: true })
    const left = async (businessId: string) => {
      const tables = [
        'availability_settings',
        'availability_exceptions',
        'calendar_feeds',
        'outside_calendars',
        'slots',
      ] as const
      const counts = tables.map(async (table) => {
        const rows = await db
          .selectFrom(table)
          .select('business_id')
          .where('business_id', '=', businessId)
          .execute()
        return rows.length
      })
      return Promise.all(counts)
    }
    expect(await left(business.id)).toEqual([0, 0, 0, 0, 1])
    expect(await left(removed.id)).toEqual([0, 0, 0, 0, 0])
    expect(await left(other.id)).toEqual([1, 1, 1, 1, 0])
    world.clock.forward(-200 * DAY_MS)
  })
})

describe('deleting a customer', () => {
  it('deletes their conversations, also those that they began as a guest', async () => {
    const customer = await aUser(world.db)
    const other = await aUser(world.db)
    const enquiries = anEnquiryDeps()
    const start = (from: { userId: string | null; email: string }) =>
      startConversation(enquiries, {
        businessId: business.id,
        wish: 'question',
        eventDate: null,
        guests: null,
        budgetCents: null,
        message: { body: 'Is it free?', files: [], submitKey: crypto.randomUUID() },
        customer: { ...from, name: 'Kim Lee' },
        address: crypto.randomUUID(),
      })
    await start({ userId: customer.id, email: customer.email })
    await start({ userId: null, email: customer.email })
    await start({ userId: other.id, email: other.email })
    const exported = await exportAccount(world.db, {
      userId: customer.id,
      verifiedEmail: customer.email,
      now: world.clock.now(),
    })
    expect(exported).toMatchObject({ conversations: [{ side: 'customer' }, { side: 'customer' }] })
    expect(await deleteAccount(deps, customer.id)).toEqual({ ok: true })
    const rows = await world.db
      .selectFrom('conversations')
      .select('customer_user_id')
      .where('business_id', '=', business.id)
      .execute()
    expect(rows).toEqual([{ customer_user_id: other.id }])
  })

  it('blanks past bookings at once, and upcoming ones after their event', async () => {
    const customer = await aUser(world.db, { email: 'kim-account@example.com' })
    const form = aBookingForm({ email: customer.email })
    const over = await aBooking(customer.id, form)
    const toCome = await aBooking(customer.id, form)
    // Made as a guest with the same, verified address.
    const asGuest = await aBooking(null, form)
    const strangers = await aBooking(null)
    for (const id of [over, strangers]) await movesEvent(world.db, id, '2026-11-01')

    expect(await deleteAccount(deps, customer.id)).toEqual({ ok: true })
    const blank = { customer_name: DELETED_CUSTOMER, email: '', phone: '' }
    expect(await bookingRow(over)).toMatchObject({
      ...blank,
      sale: { customer: { fullName: DELETED_CUSTOMER, email: '', phone: '' }, quantity: 10 },
    })
    for (const id of [toCome, asGuest]) {
      expect(await bookingRow(id)).toMatchObject({ customer_name: 'Kim Lee', email: customer.email })
    }
    const notifications = await world.db
      .selectFrom('notifications')
      .select('event_key')
      .where('user_id', '=', owner.id)
      .execute()
    expect(notifications.map(({ event_key }) => event_key).toSorted()).toEqual(
      [toCome, asGuest, strangers].map((id) => `booking-new:${id}`).toSorted(),
    )
    // March 2027 has passed.
    world.clock.forward(150 * DAY_MS)
    await blankDeletedCustomers(deps)
    for (const id of [toCome, asGuest]) {
      expect(await bookingRow(id)).toMatchObject({ ...blank, sale: { customer: { email: '' } } })
    }
    expect(await bookingRow(strangers)).toMatchObject({ customer_name: 'Kim Lee' })
    world.clock.forward(-150 * DAY_MS)
  })

  it('leaves guest bookings with the account’s unconfirmed address alone', async () => {
    const imposter = await aUser(world.db, { email: 'not-mine@example.com', email_verified: false })
    const booking = await aBooking(null, aBookingForm({ email: 'not-mine@example.com' }))
    await movesEvent(world.db, booking, '2026-11-01')
    await deleteAccount(deps, imposter.id)
    expect(await bookingRow(booking)).toMatchObject({
      email: 'not-mine@example.com',
      customer_user_id: null,
    })
  })
})

describe('data that has served its purpose', () => {
  const month = FORGET_AFTER_MS / DAY_MS
  const days = (count: number) => new Date(world.clock.now().getTime() + count * DAY_MS)
  const typedOf = async (id: string) => {
    const sale = await findSale(world.db, id)
    return sale && formOf(sale)
  }

  async function anAttempt(state: 'open' | 'processing' | 'failed' | 'cancelled' | 'expired', at: Date) {
    const submitKey = crypto.randomUUID()
    const order = { amount: 45_500, submitKey, businessId: business.id, customerUserId: null }
    expect(await startBookingPayment(world.deps, { ...order, booking: aBookingForm() })).toMatchObject({
      ok: true,
    })
    const { id } = await world.db
      .updateTable('payments')
      .set({ state, updated_at: at })
      .where('submit_key', '=', submitKey)
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  it('keeps the customer’s details of an unsuccessful payment for a month, and no longer', async () => {
    const old = [
      await anAttempt('failed', days(-month - 1)),
      await anAttempt('cancelled', days(-month - 1)),
      await anAttempt('expired', days(-month - 1)),
    ]
    const kept = [
      await anAttempt('expired', days(-month + 1)),
      await anAttempt('open', days(-month - 1)),
      await anAttempt('processing', days(-month - 1)),
    ]
    const booking = await aBooking()
    await world.db
      .updateTable('payments')
      .set({ updated_at: days(-400) })
      .where('sale_id', 'in', (eb) =>
        eb.selectFrom('sales').select('id').where('owner_user_id', '=', owner.id),
      )
      .where('state', '=', 'paid')
      .execute()
    await forgetWhatIsOver({ ...deps, realNow: deps.now })
    for (const id of old)
      expect(await typedOf(id)).toMatchObject({
        fullName: DELETED_CUSTOMER,
        email: '',
        phone: '',
        date: '2027-03-13',
      })
    for (const id of kept) expect(await typedOf(id)).toMatchObject({ email: 'kim@example.com' })
    expect(await bookingRow(booking)).toMatchObject({
      customer_name: 'Kim Lee',
      sale: { customer: { email: 'kim@example.com' } },
    })
  })

  it('keeps expired sessions and processed payment events for a month', async () => {
    const ended = async (at: Date) => {
      await aSession(owner.id)
      await world.db
        .updateTable('sessions')
        .set({ expires_at: at })
        .where('user_id', '=', owner.id)
        .where('expires_at', '>', world.clock.now())
        .execute()
    }
    await ended(days(-month - 1))
    await ended(days(-month + 1))
    await aSession(owner.id)
    const events = ['old', 'new', 'waits'].map((name) => `${name}-${owner.id}`)
    await world.db
      .insertInto('payment_events')
      .values(
        events.map((event_id, index) => ({
          provider: 'sandbox',
          event_id,
          type: 'payment_intent.succeeded',
          provider_reference: null,
          payload: JSON.stringify({ receipt_email: 'kim@example.com' }),
          received_at: days(-month - 2),
          processed_at: [days(-month - 1), days(-month + 1), null][index] ?? null,
        })),
      )
      .execute()
    await forgetWhatIsOver({ ...deps, realNow: deps.now })
    expect(await countOf('sessions', owner.id)).toBe(2)
    const { rows } = await sql<{ payload: object }>`
      select payload from payment_events where event_id like ${`%-${owner.id}`}
      order by processed_at nulls last`.execute(world.db)
    const full = { receipt_email: 'kim@example.com' }
    expect(rows.map(({ payload }) => payload)).toEqual([{}, full, full])
  })
})

describe('the data export', () => {
  it('contains everything stored about the account, and no other person’s data', async () => {
    const customer = await aUser(world.db, { email: 'export@example.com', name: 'Ines Moreau' })
    await aBooking(customer.id, aBookingForm({ email: customer.email, fullName: 'Ines Moreau' }))
    const exported = JSON.stringify(
      await exportAccount(world.db, {
        userId: customer.id,
        verifiedEmail: customer.email,
        now: world.clock.now(),
      }),
    )
    expect(exported).toContain('export@example.com')
    expect(exported).toContain(business.name)
    expect(exported).not.toContain(owner.email)
    await blockOut('Painters')
    const vendors = await exportAccount(world.db, {
      userId: owner.id,
      verifiedEmail: owner.email,
      now: world.clock.now(),
    })
    expect(vendors).toMatchObject({
      businesses: [
        {
          id: business.id,
          album: [],
          factsToConfirm: {},
          price: '45.50',
          priceUnit: 'perPerson',
          secondPrice: '210.00',
          secondPriceUnit: 'perHour',
          availability: { timeZone: 'Australia/Melbourne', capacity: 50 },
          blockedTimes: [{ from: new Date('2027-04-30T14:00:00Z'), note: 'Painters' }],
          outsideCalendars: [],
          calendarFeed: null,
        },
      ],
      bookingsOfMyBusinesses: [{ totalPrice: '455.00', status: 'pending' }],
      bookings: [],
    })
    expect(JSON.stringify(vendors)).not.toMatch(/Ines|export@example\.com/)
    expect(exported + JSON.stringify(vendors)).not.toMatch(/token|password/i)
  })
})

describe('the data export of a booking', () => {
  const date = () => new Date(world.clock.now().getTime() + 80 * DAY_MS).toISOString().slice(0, 10)

  const vendorOf = async (bookingId: string) =>
    (
      await world.db
        .selectFrom('bookings')
        .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
        .select('sales.owner_user_id')
        .where('bookings.id', '=', bookingId)
        .executeTakeFirstOrThrow()
    ).owner_user_id

  /** As its customer and its vendor get it. */
  async function exportedOf({ bookingId, reference }: { bookingId: string; reference: string | null }) {
    const vendorId = await vendorOf(bookingId)
    const now = world.clock.now()
    const customer = (await exportAccount(world.db, {
      userId: owner.id,
      verifiedEmail: 'kim@example.com',
      now,
    })) as { bookings: { paymentId: string | null }[] }
    const vendor = await exportAccount(world.db, { userId: vendorId, verifiedEmail: null, now })
    return { mine: customer.bookings.find(({ paymentId }) => paymentId === reference), vendor }
  }

  it('includes its payments, and the saved card for its customer alone', async () => {
    const booked = await booksWithDeposit(world, { date: date() })
    const { paymentId } = booked
    await refundsAsOperator(world.deps, {
      operator: OPERATOR,
      paymentId,
      amountCents: 20_000,
      reason: 'Heater.',
    })
    const { mine, vendor } = await exportedOf(booked)
    const payments = [
      { amount: '1740.00', takenOff: '0.00', state: 'paid', paidAt: expect.any(String) },
      { amount: '6760.00', takenOff: '200.00', state: 'scheduled', paidAt: null },
    ]
    expect(mine).toMatchObject({
      payments,
      savedCard: {
        brand: 'visa',
        lastFour: '4242',
        expiresMonth: 12,
        expiresYear: 2030,
        consent: expect.stringContaining('You agree that'),
        deletedAt: null,
      },
    })
    expect(vendor).toMatchObject({ bookingsOfMyBusinesses: [{ payments }] })
    expect(JSON.stringify(vendor)).not.toMatch(/savedCard|4242|You agree that/)
  })

  it('includes one payment and no card for a price that was paid at once', async () => {
    const booked = await aPaidBooking(world, { businessId: business.id, form: aBookingForm() })
    const { mine } = await exportedOf(booked)
    expect(mine).toMatchObject({ payments: [{ amount: '455.00', state: 'paid' }], savedCard: null })
  })

  it('shows a payment as it was charged, whatever a change has lowered since, and what a bank has returned', async () => {
    const form = aBookingForm({ date: date() })
    const paid = await aPaidBooking(world, { businessId: business.id, form })
    const linkToken = await bookingLinkToken(world.deps.secret, paid.paymentId)
    const booked = { ...paid, linkToken }
    const userId = await vendorOf(booked.bookingId)
    const { deps: using, payments } = world
    await decideBooking(using, { userId, bookingId: booked.bookingId, decision: 'approved' })
    await proposes(using, booked, asVendor(userId), { quantity: 5 })
    expect(await agrees(using, booked, asCustomer(booked))).toMatchObject({ ok: true })
    await performDueRefunds(using)
    await payments.openDispute(booked.reference, 'dispute')
    await payments.decideDispute(booked.reference, 'lost')
    await settleDisputes(using, payments, { id: booked.paymentId, provider_reference: booked.reference })
    const sums = {
      totalPrice: '227.50',
      payments: [{ amount: '455.00', state: 'paid' }],
      refunds: [{ amount: '227.50', reason: 'changed' }],
      returnedByBank: [{ amount: '227.50', at: expect.any(String) }],
    }
    const { mine, vendor } = await exportedOf(booked)
    expect(mine).toMatchObject(sums)
    expect(vendor).toMatchObject({ bookingsOfMyBusinesses: [sums] })
  })

  it('shows a refund that came back as failed, and as done once it was refunded again', async () => {
    const booked = await booksWithDeposit(world, { card: CARDS.refundFails, date: date() })
    const refundId = async () =>
      (
        await world.db
          .selectFrom('payment_actions')
          .select('id')
          .where('payment_id', '=', booked.paymentId)
          .executeTakeFirstOrThrow()
      ).id
    const refunds = async () => (await exportedOf(booked)).mine
    await decideBooking(world.deps, {
      userId: await vendorOf(booked.bookingId),
      bookingId: booked.bookingId,
      decision: 'declined',
      isAtOnce: true,
    })
    world.clock.forward(world.deps.refundGraceMs)
    await performDueRefunds(world.deps)
    world.clock.forward(DAY_MS)
    await world.payments.runDueWork()
    await askAboutRefunds(world.deps)
    const refund = { amount: '1740.00', reason: 'declined', resolution: null }
    expect(await refunds()).toMatchObject({ refunds: [{ ...refund, state: 'failed' }] })
    await refundsAgainAsOperator(world.deps, { operator: OPERATOR, refundId: await refundId() })
    expect(await refunds()).toMatchObject({ refunds: [{ ...refund, state: 'done' }] })
  })
})

describe('the newsletter in the settings', () => {
  it('can be turned on and off', async () => {
    const on = (wanted: boolean) => chooseNewsletter({ ...world.deps }, { email: owner.email, wanted })
    await on(true)
    expect(await isSubscribed(world.db, owner.email)).toBe(true)
    await on(false)
    await on(false)
    expect(await isSubscribed(world.db, owner.email)).toBe(false)
  })
})

describe('a sign-in on a new device', () => {
  it('sends a mail once for each new device, except for the first', async () => {
    const mailsTo = async () => {
      const { rows } = await sql<{ data: object }>`
        select data from kept_jobs where name = 'send-account-link'`.execute(world.db)
      // The queue never stores the link.
      for (const { data } of rows) expect(Object.keys(data).sort()).toEqual(['device', 'kind', 'userId'])
      return rows.length
    }
    const signIn = (userAgent: string) => noteSignIn(world.deps, { userId: owner.id, userAgent })
    await signIn('Firefox/140.0 Linux')
    expect(await mailsTo()).toBe(0)
    await signIn('Mozilla/5.0 (iPhone) Version/19.0 Safari/604.1')
    expect(await mailsTo()).toBe(1)
    await signIn('Firefox/140.0 Linux')
    await signIn('Mozilla/5.0 (iPhone) Version/19.0 Safari/604.1')
    expect(await mailsTo()).toBe(1)
  })
})

describe('a change of the password', () => {
  it('mails the present address and those that the account left in the last seven days', async () => {
    const left = async (email: string, daysAgo: number) =>
      issueLink(world.db, {
        kind: 'undo-email-change',
        userId: owner.id,
        email,
        now: new Date(world.deps.now().getTime() - daysAgo * DAY_MS),
      })
    await left('left-lately@example.com', 6)
    await left('left-lately@example.com', 5)
    await left('left-long-ago@example.com', 7.5)
    const other = await aUser(world.db)
    await issueLink(world.db, {
      kind: 'undo-email-change',
      userId: other.id,
      email: 'of-another@example.com',
      now: world.deps.now(),
    })
    const before = (await world.jobs.mails()).length
    const to = { email: owner.email, name: 'Robin', emailVerified: true }
    await tellAddresses(world.deps, to, (one) => passwordChangedMail(one, world.deps))
    const told = (await world.jobs.mails()).slice(before).map((mail) => mail.to)
    expect(told).toEqual([owner.email, 'left-lately@example.com'])
  })
})
