import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Insertable, sql } from 'kysely'
import sharp from 'sharp'
import type { SecurityLog } from '../app/adapters/accounts/security-log.ts'
import type { Database, Tables } from '../app/adapters/database/port.ts'
import { createDiskFileStore } from '../app/adapters/file-store/disk.server.ts'
import type { FileStore } from '../app/adapters/file-store/port.ts'
import type { JobData, JobName, Jobs } from '../app/adapters/jobs/port.ts'
import { createLiveUpdates } from '../app/adapters/live-updates/notify.server.ts'
import { createOutbox } from '../app/adapters/mail/outbox.server.ts'
import type { MailMessage } from '../app/adapters/mail/port.ts'
import { createRenderedMail } from '../app/adapters/mail/rendered.server.ts'
import { createSandboxProvider, type SandboxProvider } from '../app/adapters/payments/sandbox.server.ts'
import { createPdfReader } from '../app/adapters/pdfs/pdfjs.server.ts'
import { createRateLimits } from '../app/adapters/rate-limits/database.server.ts'
import { createSecurityLog } from '../app/features/accounts/security-commands.server.ts'
import { acceptAgreement } from '../app/features/agreements/commands.server.ts'
import { DOCUMENTS } from '../app/features/agreements/rules.ts'
import { WEEKDAYS, type WeeklyHours } from '../app/features/availability/rules.ts'
import type { AvailabilitySettings } from '../app/features/availability/schema.ts'
import { startBookingPayment } from '../app/features/bookings/checkout/commands.server.ts'
import { createBookingDeps } from '../app/features/bookings/checkout/fulfilment-commands.server.ts'
import { REMIND_BEFORE_EVENT_MS, UNDECIDED_TIMES } from '../app/features/bookings/decisions/rules.ts'
import type { BookingDeps } from '../app/features/bookings/deps.server.ts'
import type { BookingForm } from '../app/features/bookings/form-rules.ts'
import { type BookingLinkMail, withBookingLink } from '../app/features/bookings/frame-mails.ts'
import { bookingLinkToken } from '../app/features/bookings/rules.ts'
import type { Facts } from '../app/features/businesses/fact-rules.ts'
import { markerColumns } from '../app/features/businesses/marker-commands.server.ts'
import { type Listing, type ListingInput, UNSET_FIELDS } from '../app/features/businesses/schema.ts'
import { startConversation, verifyConversation } from '../app/features/enquiries/commands.server.ts'
import type { EnquiryDeps } from '../app/features/enquiries/deps.server.ts'
import { registerEnquiryJobs } from '../app/features/enquiries/jobs.server.ts'
import { conversationLinkToken } from '../app/features/enquiries/rules.ts'
import { deleteUploads } from '../app/features/files/commands.server.ts'
import { troubleMail } from '../app/features/operators/mails.ts'
import { reportPayment } from '../app/features/payments/settlement-commands.server.ts'
import { queueVendor } from '../app/features/payouts/notice-commands.server.ts'
import { findStanding } from '../app/features/payouts/queries.server.ts'
import { findPoint } from '../app/features/places/queries.server.ts'
import { lockQuotedSale } from '../app/features/quotes/acceptance-commands.server.ts'
import { endQuoteBy } from '../app/features/quotes/commands.server.ts'
import { type QuoteLinkMail, withQuoteLink } from '../app/features/quotes/mails.ts'
import { listQuoteNotices } from '../app/features/quotes/notice-commands.server.ts'
import type { QuoteOffer } from '../app/features/quotes/rules.ts'
import { numberReceipt } from '../app/features/receipts/commands.server.ts'
import type { RegistrationDeps } from '../app/features/registrations/register-commands.server.ts'
import { listAlternatives } from '../app/features/reviews/alternative-queries.server.ts'
import { addSale } from '../app/features/sales/commands.server.ts'
import type { Sale } from '../app/features/sales/rules.ts'
import { newId } from '../app/shared/ids.ts'
import { openTestDatabase, type TestConnection } from './database.ts'

/** Builders fill in values that a test does not care about. Each creates a new record with its own id. */

const MELBOURNE = {
  id: 'melbourne-vic',
  name: 'Melbourne',
  state: 'VIC',
  latitude: -37.814,
  longitude: 144.9633,
  time_zone: 'Australia/Melbourne',
  population: 4_900_000,
} as const

/** Inserts a place, Melbourne by default. An existing place with this id stays as it is. */
export async function aPlace(db: Database, overrides: Partial<Insertable<Tables['places']>> = {}) {
  const place = { ...MELBOURNE, ...overrides }
  await db
    .insertInto('places')
    .values(place)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  return place
}

export async function aUser(db: Database, overrides: Partial<Insertable<Tables['users']>> = {}) {
  const id = overrides.id ?? newId()
  return db
    .insertInto('users')
    .values({
      id,
      name: 'Robin Vale',
      email: `${id}@example.com`,
      email_verified: true,
      image: null,
      phone: '0400 000 000',
      deactivated_at: null,
      disabled_at: null,
      disabled_reason: null,
      ...overrides,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Open at all times, for many bookings at once and years ahead, so that tests can book without a fixed clock. */
export const ALWAYS_FREE: AvailabilitySettings = {
  capacity: 50,
  maxGuests: null,
  weekly: Object.fromEntries(
    WEEKDAYS.map((day) => [day, [{ opensMinute: 0, closesMinute: 1_440 }]]),
  ) as WeeklyHours,
  eventMinutes: 420,
  setupMinutes: 120,
  cleanupMinutes: 60,
  noticeMinutes: 0,
  horizonDays: 36_500,
}

/** Stores a business's availability settings. Fields without an override are as permissive as possible. */
export async function setsAvailability(
  db: Database,
  businessId: string,
  overrides: Partial<AvailabilitySettings> = {},
): Promise<void> {
  const settings = { ...ALWAYS_FREE, ...overrides }
  const columns = {
    capacity: settings.capacity,
    max_guests: settings.maxGuests,
    weekly: JSON.stringify(settings.weekly),
    event_minutes: settings.eventMinutes,
    setup_minutes: settings.setupMinutes,
    cleanup_minutes: settings.cleanupMinutes,
    notice_minutes: settings.noticeMinutes,
    horizon_days: settings.horizonDays,
    updated_at: new Date(),
  }
  await db
    .insertInto('availability_settings')
    .values({ ...columns, business_id: businessId })
    .onConflict((conflict) => conflict.column('business_id').doUpdateSet(columns))
    .execute()
}

/**
 * A venue at $45.50 a person and $210 an hour, free at all times for many at once (`setsAvailability` narrows that).
 * Its owner is created too, unless `user_id` is given.
 */
/** Makes a user a vendor who has accepted the vendor agreement, so that what they list is public at once. */
export async function agrees(db: Database, userId: string): Promise<void> {
  const { version } = DOCUMENTS.vendor_agreement
  await acceptAgreement({ db, now: () => new Date('2026-11-01T00:00:00Z') }, { userId, version })
}

export async function aBusiness(db: Database, overrides: Partial<Insertable<Tables['businesses']>> = {}) {
  const place = await aPlace(db, overrides.place_id ? { id: overrides.place_id } : {})
  const listing = {
    name: 'The Walled Garden',
    category: 'Venues' as const,
    description: 'A walled garden with room for a long table.',
    services_offered: ['Tables', 'Lights'],
    ...overrides,
  }
  const id = overrides.id ?? `walled-garden-${newId(6)}`
  const business = await db
    .insertInto('businesses')
    .values({
      id,
      user_id: overrides.user_id ?? (await aUser(db)).id,
      ...listing,
      ...markerColumns({
        ...listing,
        servicesOffered: listing.services_offered,
        maxGuests: listing.max_guests ?? null,
        facts: JSON.parse(listing.facts ?? '{}') as Facts,
        at: await findPoint(db, place.id),
      }),
      price_cents: 4_550,
      price_unit: 'perPerson',
      second_price_cents: 21_000,
      second_price_unit: 'perHour',
      booking_types: ['perPerson', 'perHour'],
      place_id: place.id,
      images: '[]',
      seo_title: 'The Walled Garden | Venues | Jubilee',
      seo_description: 'A walled garden with room for a long table.',
      hidden_at: null,
      hidden_by: null,
      deleted_at: null,
      ...overrides,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await setsAvailability(db, business.id, { maxGuests: business.max_guests })
  return business
}

/** The required fields of the listing form, as a vendor types them. */
export function aTypedListing(overrides: Partial<Record<ListingInput, string>> = {}) {
  return {
    name: 'Tide House',
    category: 'Venues',
    description: 'A hall by the water.',
    price: '1,200.50',
    location: 'Melbourne, VIC',
    servicesOffered: 'Tables, Chairs',
    ...overrides,
  }
}

/** The fields of a business registration as typed. */
export const TYPED_REGISTRATION = {
  businessName: 'Nia & Co',
  abn: '51 824 753 556',
  businessStructure: 'Sole Trader',
  industryType: 'Florist',
  principalAddress: '1 Sample Street',
  businessPhone: '0355501234',
  businessEmail: 'shop@example.com',
  ownerName: 'Nia',
  ownerDob: '1990-02-03',
  ownerPhone: '0400000000',
  ownerEmail: 'nia@example.com',
}

/** A checked listing with a price for each unit. */
export function aListing(overrides: Partial<Listing> = {}): Listing {
  return {
    ...UNSET_FIELDS,
    name: 'Tide House & Co',
    category: 'Venues',
    description: `${'é'.repeat(160)} end`,
    priceCents: 120_050,
    priceUnit: 'perPerson',
    secondPrice: { unit: 'perHour', cents: 45_000 },
    location: 'Melbourne, VIC',
    servicesOffered: ['Tables', 'Chairs'],
    facts: {},
    images: [],
    ...overrides,
  }
}

/** A customer's booking form: ten people on a Saturday in March 2027. */
export function aBookingForm(overrides: Partial<BookingForm> = {}): BookingForm {
  return {
    fullName: 'Kim Lee',
    email: 'kim@example.com',
    phone: '0411 222 333',
    date: '2027-03-13',
    time: '16:00',
    quantity: 10,
    bookingType: 'perPerson',
    ...overrides,
  }
}

/** The services of conversations in a world of bookings. */
export function enquiryDepsOf(deps: BookingDeps): EnquiryDeps {
  return {
    ...deps,
    files: createDiskFileStore(join(tmpdir(), 'jubilee-no-files')),
    pdfs: createPdfReader(),
    rateLimits: createRateLimits(deps.db, deps.now),
    mailInbound: null,
    masksContacts: false,
    endQuotes: (tx, ended) => endQuoteBy(deps, tx, ended),
    listQuoteNotices,
  }
}

/** The conversation of a guest who has confirmed their address, for tests of bookings. */
export async function aGuestConversation(deps: BookingDeps, business: { id: string; user_id: string }) {
  const enquiries = enquiryDepsOf(deps)
  const guest = { name: 'Kim Lee', email: `${newId(8)}@example.com` }
  const { id, link } = await aConversation({ deps: enquiries, db: deps.db }, { business, guest })
  await verifyConversation(enquiries, { by: link })
  return { id, ...link }
}

/** A quote of three lines for $5,240.00, of which $450.00 are optional. */
export function anOffer(overrides: Partial<QuoteOffer> = {}): QuoteOffer {
  return {
    lines: [
      { id: '1', label: 'Long-table dinner', quantity: 80, unitPriceCents: 5_500, isOptional: false },
      { id: '2', label: 'Floral arch', quantity: 1, unitPriceCents: 45_000, isOptional: true },
      { id: '3', label: 'Waiting staff', quantity: 3, unitPriceCents: 13_000, isOptional: false },
    ],
    note: 'Lovely to hear from you.',
    date: '2027-03-13',
    time: '16:00',
    minutes: 300,
    bookingType: 'perPerson',
    quantity: 80,
    guests: 80,
    terms: { policy: 'moderate', plan: { kind: 'full' } },
    validTo: '2026-11-27',
    holdHours: 0,
    ...overrides,
  }
}

/** Moves the event of a booking to another day, from 16:00 to 23:00 in Melbourne's summer. */
export async function movesEvent(db: Database, bookingId: string, date: string): Promise<void> {
  const event = { from: `${date}T05:00:00.000Z`, until: `${date}T12:00:00.000Z` }
  await db.updateTable('bookings').set({ date }).where('id', '=', bookingId).execute()
  const [event_from, event_until] = [new Date(event.from), new Date(event.until)]
  await db
    .updateTable('sales')
    .set({ event_from, event_until, occupied_from: event_from, occupied_until: event_until })
    .where('id', '=', (eb) => eb.selectFrom('bookings').select('payment_row_id').where('id', '=', bookingId))
    .execute()
}

/** A sale of ten people on 13 March 2027, paid at once, from before there were terms and commission. */
export function aSale(overrides: Partial<Sale> = {}): Sale {
  const id = overrides.id ?? newId()
  const event = overrides.event ?? { from: '2027-03-13T05:00:00.000Z', until: '2027-03-13T12:00:00.000Z' }
  const { date, time, quantity, bookingType, ...customer } = aBookingForm()
  return {
    id,
    ownerUserId: 'a-vendor',
    customerUserId: null,
    termsVersion: '1',
    customer,
    businessId: 'a-business',
    businessName: 'Tide House & Co',
    place: 'Melbourne, VIC',
    facts: null,
    timeZone: 'Australia/Melbourne',
    abn: null,
    gstRegistered: false,
    date,
    time,
    quantity,
    bookingType,
    event,
    occupied: event,
    unitPriceCents: 4_550,
    priceCents: 45_500,
    commission: null,
    terms: null,
    quote: null,
    answerWithinMs: null,
    ...overrides,
  }
}

/** Stores the first payment of a sale without a checkout. @returns its id */
export async function aPaymentOf(
  db: Database,
  sale: Partial<Sale> = {},
  overrides: Partial<Insertable<Tables['payments']>> = {},
): Promise<string> {
  const full = aSale(sale)
  const now = overrides.created_at ?? new Date('2026-11-20T01:00:00Z')
  await db.transaction().execute(async (tx) => {
    await addSale(tx, { sale: full, linkHash: full.id, now: new Date(now) })
    await tx
      .insertInto('payments')
      .values({
        id: full.id,
        sale_id: full.id,
        submit_key: full.id,
        provider: 'sandbox',
        provider_reference: full.id,
        amount_cents: full.priceCents,
        last_error: null,
        expires_at: now,
        checked_at: null,
        paid_at: null,
        created_at: now,
        ...overrides,
      })
      .execute()
  })
  return full.id
}

/** The services of the registration commands. Nobody listens to their live updates. */
export function registrationDepsOf<JobsGiven extends Jobs>(given: {
  db: Database
  jobs: JobsGiven
  now: () => Date
}): RegistrationDeps & { jobs: JobsGiven } {
  return {
    ...given,
    liveUpdates: { publish: async () => {} },
    brand: 'Jubilee',
    publicUrl: new URL('http://localhost:3000'),
    queueVendor,
  }
}

/** A clock that stands still until it is moved. */
export function aClock(start = '2026-11-20T01:00:00Z') {
  let at = new Date(start).getTime()
  return {
    now: () => new Date(at),
    forward(ms: number) {
      at += ms
    },
  }
}

/** The security log, which reports a lost event as a failure. */
export function aSecurityLog(db: Database): SecurityLog {
  const onLost = (error: unknown) => {
    throw error
  }
  return createSecurityLog({ db, secret: TEST_SECRET, onLost, now: () => new Date() })
}

/**
 * Jobs that are stored in a table and never run, so that a test sees exactly the committed ones. A job of a rolled-back
 * transaction is missing.
 */
export async function createKeptJobs(db: Database): Promise<
  Jobs & {
    /** As they would be sent. */
    mails(): Promise<MailMessage[]>
    /** Removes the stored jobs and returns them, in their order. */
    takeAll(): Promise<{ name: JobName; data: unknown }[]>
  }
> {
  await sql`create table if not exists kept_jobs (number serial primary key, name text, data jsonb)`.execute(
    db,
  )
  const scheduled = () => {
    throw new Error('These jobs are stored, not run.')
  }
  return {
    async enqueue(tx, name, data) {
      await sql`insert into kept_jobs (name, data) values (${name}, ${JSON.stringify(data)})`.execute(tx)
    },
    handle: scheduled,
    schedule: scheduled,
    holdSchedules: scheduled,
    runSchedules: scheduled,
    count: scheduled,
    start: scheduled,
    stop: async () => {},
    async takeAll() {
      const taken = await sql<{ name: JobName; data: unknown }>`
        with taken as (delete from kept_jobs returning *) select name, data from taken order by number`.execute(
        db,
      )
      return taken.rows
    },
    async mails() {
      const found = await sql<{ data: MailMessage | BookingLinkMail | QuoteLinkMail }>`
        select data from kept_jobs where name in ('send-mail', 'send-booking-mail', 'send-quote-mail') order by number`.execute(
        db,
      )
      return Promise.all(
        found.rows.map(async ({ data }) => {
          if ('paymentId' in data)
            return withBookingLink(data, await bookingLinkToken(TEST_SECRET, data.paymentId))
          if ('conversationId' in data)
            return withQuoteLink(data, await conversationLinkToken(TEST_SECRET, data.conversationId))
          return data
        }),
      )
    },
  }
}

/** A file store whose deletions fail. */
export function anUnavailableStore(files: FileStore): FileStore {
  return {
    ...files,
    delete: async () => {
      throw new Error('the file store is away')
    },
  }
}

/** Takes the stored jobs, and runs those that delete uploads. */
export async function deleteQueuedUploads(deps: {
  db: Database
  files: FileStore
  jobs: Awaited<ReturnType<typeof createKeptJobs>>
}): Promise<void> {
  for (const { name, data } of await deps.jobs.takeAll())
    if (name === 'delete-uploads') await deleteUploads(deps, (data as JobData['delete-uploads']).keys)
}

/**
 * A conversation of a signed-in customer with a business, made by the product's own command.
 * @returns both sides as participants
 */
export async function aConversation(
  { deps, db }: { deps: EnquiryDeps; db: Database },
  overrides: {
    business?: { id: string; user_id: string }
    guest?: { name: string; email: string }
    customer?: { id: string; name: string; email: string }
    body?: string
    files?: File[]
    eventDate?: string
  } = {},
) {
  const business = overrides.business ?? (await aBusiness(db))
  const customer = overrides.guest ? null : (overrides.customer ?? (await aUser(db)))
  const started = await startConversation(deps, {
    businessId: business.id,
    wish: 'question',
    eventDate: overrides.eventDate ?? '2027-03-13',
    guests: 80,
    budgetCents: 500_000,
    message: {
      body: overrides.body ?? 'Is the garden free that day?',
      files: overrides.files ?? [],
      submitKey: newId(),
    },
    customer: customer
      ? { userId: customer.id, name: customer.name, email: customer.email }
      : { userId: null, name: 'Kim Lee', email: 'kim@example.com', ...overrides.guest },
    address: newId(),
  })
  if (!started.ok) throw new Error(started.reason)
  const id = started.conversationId
  const link = { linkToken: await conversationLinkToken(deps.secret, id) }
  return {
    id,
    business,
    link,
    vendor: { userId: business.user_id, verifiedEmail: null },
    customer: customer ? { userId: customer.id, verifiedEmail: customer.email } : link,
  }
}

/** A message as typed. */
export const aMessage = (body = 'Thank you.', files: File[] = []) => ({ body, files, submitKey: newId() })

/** An animated WebP image. Its pages differ, since encoders merge identical ones. */
export async function anAnimation(
  pages: number,
  width: number,
  height: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const frames = Array.from({ length: pages }, (_, page) =>
    sharp({ create: { width, height, channels: 3, background: { r: page * 7, g: 90, b: 80 } } })
      .png()
      .toBuffer(),
  )
  const animation = sharp(await Promise.all(frames), { join: { animated: true } })
  return new Uint8Array(await animation.webp({ effort: 0 }).toBuffer())
}

export const TEST_SECRET = 'a secret for tests, long enough to be one'

/** The services of the commands of conversations on their own database, with a fixed clock and a folder for files. */
export async function anEnquiryWorld(openDatabase: () => Promise<TestConnection> = openTestDatabase) {
  const connection = await openDatabase()
  const { db } = connection
  const clock = aClock()
  const jobs = await createKeptJobs(db)
  const liveUpdates = await createLiveUpdates(connection)
  const folder = await mkdtemp(join(tmpdir(), 'jubilee-messages-'))
  const deps: EnquiryDeps = {
    db,
    jobs,
    liveUpdates,
    files: createDiskFileStore(join(folder, 'files')),
    pdfs: createPdfReader(),
    rateLimits: createRateLimits(db, clock.now),
    now: clock.now,
    secret: TEST_SECRET,
    brand: 'Jubilee',
    publicUrl: new URL('http://localhost:3000'),
    mailInbound: 'reply.jubilee.example',
    masksContacts: false,
    endQuotes: (tx, ended) => endQuoteBy(deps, tx, ended),
    listQuoteNotices,
  }
  const outbox = createOutbox(join(folder, 'outbox'), clock.now)
  const mail = createRenderedMail(outbox, { ...deps, runBy: 'Jubilee is run by Long Table Pty Ltd.' })
  const handlers = new Map<JobName, (data: never) => Promise<void>>()
  const registry: Jobs = {
    ...jobs,
    handle: (name, work) => void handlers.set(name, work as (data: never) => Promise<void>),
    schedule: () => {},
  }
  registerEnquiryJobs({ ...deps, jobs: registry }, mail)
  return {
    connection,
    db,
    clock,
    jobs,
    deps,
    outbox,
    mail,
    /** Runs the job of each minute and all that are queued. */
    async runJobs() {
      await handlers.get('tell-of-messages')?.({} as never)
      for (const { name, data } of await jobs.takeAll()) await handlers.get(name)?.(data as never)
    },
    async close() {
      await liveUpdates.close()
      await connection.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Books with the sandbox card that succeeds, as the form and the payment screen do.
 * @param order.form fields that differ from those of `aBookingForm`
 * @param order.customerUserId null for a guest
 */
export async function aPaidBooking(
  { deps, payments }: Awaited<ReturnType<typeof aBookingWorld>>,
  order: {
    businessId: string
    form?: Parameters<typeof aBookingForm>[0]
    customerUserId?: string | null
  },
): Promise<{ bookingId: string; paymentId: string; reference: string }> {
  const started = await startBookingPayment(deps, {
    amount: 45_500,
    submitKey: newId(),
    businessId: order.businessId,
    booking: aBookingForm(order.form),
    customerUserId: order.customerUserId ?? null,
  })
  if (!started.ok || started.alreadyPaid) throw new Error(JSON.stringify(started))
  const { clientSecret, paymentId, reference } = started
  await payments.confirmCard({
    clientSecret,
    cardNumber: '4242424242424242',
    expiry: '12 / 30',
    cvc: '123',
  })
  const reported = await reportPayment(deps, { clientSecret })
  if (!reported.ok || !reported.purchaseId) throw new Error(JSON.stringify(reported))
  return { bookingId: reported.purchaseId, paymentId, reference }
}

/**
 * The dependencies of the booking commands on their own database, with a fixed clock and the sandbox provider.
 * @param openDatabase for a test that needs the embedded database
 */
export async function aBookingWorld(openDatabase: () => Promise<TestConnection> = openTestDatabase) {
  const connection = await openDatabase()
  const { db } = connection
  const clock = aClock()
  const jobs = await createKeptJobs(db)
  const liveUpdates = await createLiveUpdates(connection)
  const payments: SandboxProvider = createSandboxProvider({
    db,
    secret: TEST_SECRET,
    now: clock.now,
    webhookUrl: () => 'http://127.0.0.1:9/webhooks/payments',
  })
  payments.setWebhookFault('never')
  const deps = createBookingDeps({
    db,
    providers: [payments],
    jobs,
    liveUpdates,
    now: clock.now,
    secret: TEST_SECRET,
    brand: 'Jubilee',
    publicUrl: new URL('http://localhost:3000'),
    refundGraceMs: 900_000,
    holdMs: 900_000,
    paymentExpiryMs: 900_000,
    undecided: UNDECIDED_TIMES,
    remindBeforeEventMs: REMIND_BEFORE_EVENT_MS,
    commission: { basisPoints: 1_000, isGstRegistered: true },
    payoutTimes: null,
    findAlternatives: (tx, booking) => listAlternatives(tx, booking, clock.now()),
    numberReceipt: async (tx, receipt) => {
      await numberReceipt(tx, receipt)
    },
    findStanding: (tx, userId) => findStanding(tx, { userId, provider: 'sandbox', isAccountRequired: false }),
    lockQuotedSale: (tx, paymentId) => lockQuotedSale({ liveUpdates, now: clock.now }, tx, paymentId),
    faultPoint: () => {},
    async tellOperators(tx, trouble) {
      await jobs.enqueue(
        tx,
        'send-mail',
        troubleMail(trouble, 'operator@example.com', {
          brand: 'Jubilee',
          publicUrl: new URL('http://localhost:3000'),
        }),
      )
    },
  })
  return {
    connection,
    db,
    clock,
    jobs,
    payments,
    deps,
    async close() {
      await payments.settleDeliveries()
      await liveUpdates.close()
      await connection.close()
    },
  }
}
