import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { deviceName } from '../accounts/rules.ts'
import { exportActivity } from '../accounts/security-queries.server.ts'
import { listAcceptances, listAgreementNotices } from '../agreements/queries.server.ts'
import { exportAlerts } from '../alerts/queries.server.ts'
import { findAvailability, listBlocks } from '../availability/hours-queries.server.ts'
import { findFeed, listOutsideCalendars } from '../availability/outside-calendar-queries.server.ts'
import { listChanges } from '../bookings/changes/queries.server.ts'
import { isOpenBooking } from '../bookings/open-queries.server.ts'
import { exportAlbums } from '../businesses/album-queries.server.ts'
import { toExportedListing } from '../businesses/owner-queries.server.ts'
import { exportPrefilled } from '../businesses/prefilled-queries.server.ts'
import { isVisible } from '../businesses/visible-queries.server.ts'
import { exportConversations } from '../enquiries/export-queries.server.ts'
import { exportIdentity } from '../income-reports/queries.server.ts'
import { exportPushDevices } from '../notifications/push-queries.server.ts'
import { listPayoutAccounts } from '../payouts/queries.server.ts'
import { exportQuotes } from '../quotes/retention-commands.server.ts'
import { listAnswers } from '../registrations/register-queries.server.ts'
import { isByReviewer } from '../reviews/queries.server.ts'
import { exportShortlist } from '../shortlists/queries.server.ts'
import { findAccountant } from '../tax/accountant-queries.server.ts'
import { exportDocuments } from '../tax/queries.server.ts'
import {
  cardOf,
  changesOf,
  datesAndSums,
  selectBookings,
  selectBookingsWithCard,
} from './booking-queries.server.ts'
import type { OpenBooking } from './rules.ts'

/**
 * Returns the open bookings of a vendor's businesses, soonest first. They prevent the account from being deleted
 * (Decision 19).
 */
export async function listOpenBookings(
  db: Database | DatabaseTransaction,
  input: { userId: string; now: Date },
): Promise<OpenBooking[]> {
  const rows = await db
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select([
      'bookings.id',
      'bookings.vendor_name',
      'bookings.customer_name',
      'bookings.total_price_cents',
      sql<string>`to_char(bookings.date, 'YYYY-MM-DD')`.as('date'),
      sql<string>`to_char(bookings.time, 'HH24:MI')`.as('time'),
    ])
    .where('sales.owner_user_id', '=', input.userId)
    .where(isOpenBooking(input.now))
    .orderBy('bookings.date')
    .orderBy('bookings.time')
    .orderBy('bookings.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    businessName: row.vendor_name,
    customerName: row.customer_name,
    date: row.date,
    time: row.time,
    totalCents: Number(row.total_price_cents),
  }))
}

/** Returns the names of an account's currently visible businesses. */
export async function listShownBusinessNames(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('businesses')
    .select('name')
    .where('user_id', '=', userId)
    .where(isVisible())
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Whether this address is subscribed to the newsletter. */
export async function isSubscribed(db: Database, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('newsletter')
    .select('email')
    .where('email', '=', email)
    .where('unsubscribed_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Exports everything stored about an account, with the specification's names. Other people's data stays out: bookings
 * of the account's businesses have dates and sums, but no customers.
 * @param input.verifiedEmail null while the address is not verified: guest bookings are then not the account's
 */
export async function exportAccount(
  db: Database,
  input: { userId: string; verifiedEmail: string | null; now: Date },
): Promise<object> {
  const kept = await readAccount(db, input)
  return {
    exportedAt: input.now.toISOString(),
    account: exportPerson(kept.user),
    sessions: kept.sessions.map((row) => ({
      device: deviceName(row.user_agent),
      userAgent: row.user_agent,
      address: row.ip_address,
      createdAt: row.created_at,
      lastUsedAt: row.updated_at,
    })),
    // Neither its secret nor its recovery codes.
    secondFactor: kept.factor ? { since: kept.factor.created_at } : null,
    passkeys: kept.passkeys.map((row) => ({
      name: row.name,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    })),
    notificationDevices: await exportPushDevices(db, input.userId),
    knownDevices: kept.devices.map((row) => ({ device: row.device, lastSignInAt: row.seen_at })),
    activity: await exportActivity(db, input.userId),
    newsletter: kept.newsletter
      ? {
          email: kept.newsletter.email,
          createdAt: kept.newsletter.created_at,
          unsubscribedAt: kept.newsletter.unsubscribed_at,
        }
      : null,
    // Their texts name other people.
    notifications: kept.notifications.map((row) => ({
      kind: row.kind,
      createdAt: row.created_at,
      readAt: row.read_at,
    })),
    bookings: kept.made.map((row) => ({
      ...datesAndSums(row),
      customerName: row.customer_name,
      email: row.email,
      phone: row.phone,
      paymentId: row.payment_id,
      savedCard: cardOf(row),
      changes: changesOf(kept.changes, row.id),
    })),
    ...(await exportConversations(db, input)),
    ...(await exportQuotes(db, input)),
    ...(await exportShortlist(db, input.userId)),
    ...(await exportAlerts(db, input)),
    reviews: kept.reviews.map((row) => ({
      businessId: row.business_id,
      rating: row.rating,
      text: row.body,
      approved: row.approved,
      createdAt: row.created_at,
    })),
    businessRegistration: kept.registration ? exportRegistration(kept.registration) : null,
    registerAnswers: kept.registration ? await exportAnswers(db, kept.registration) : [],
    businesses: await exportBusinesses(db, kept.businesses),
    bookingsOfMyBusinesses: kept.received.map((row) => ({
      ...datesAndSums(row),
      changes: changesOf(kept.changes, row.id),
    })),
    taxDocuments: await exportDocuments(
      db,
      input.userId,
      kept.made.map(({ id }) => id),
    ),
    taxOfficeReport: await exportIdentity(db, input.userId),
    accountant: await findAccountant(db, input.userId),
    acceptances: (await listAcceptances(db, input.userId)).map((row) => ({
      document: row.document,
      version: row.version,
      acceptedAt: row.accepted_at,
    })),
    agreementNotices: (await listAgreementNotices(db, input.userId)).map((row) => ({
      version: row.version,
      toldAt: row.told_at,
    })),
    payoutAccounts: (await listPayoutAccounts(db, input.userId)).map(({ state, bankLast4, activeSince }) => ({
      state,
      bankLast4,
      activeSince,
    })),
  }
}

/** Returns the account's listings with their albums and times. */
async function exportBusinesses(db: Database, rows: KeptAccount['businesses']) {
  const ids = rows.map(({ id }) => id)
  const [albums, prefilled] = await Promise.all([exportAlbums(db, ids), exportPrefilled(db, ids)])
  const times = new Map<string, object>()
  for (const id of ids) times.set(id, await exportTimes(db, id))
  return rows.map((row) => ({
    ...toExportedListing(row),
    album: albums.get(row.id) ?? [],
    factsToConfirm: prefilled.get(row.id) ?? {},
    ...times.get(row.id),
  }))
}

/** Everything stored about one account, as rows. */
type KeptAccount = Awaited<ReturnType<typeof readAccount>>

async function readAccount(
  db: Database,
  { userId, verifiedEmail }: { userId: string; verifiedEmail: string | null },
) {
  const user = await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  const [
    sessions,
    factor,
    passkeys,
    devices,
    newsletter,
    notifications,
    businesses,
    registration,
    reviews,
    made,
    received,
  ] = await Promise.all([
    db
      .selectFrom('sessions')
      .select(['user_agent', 'ip_address', 'created_at', 'updated_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    db
      .selectFrom('second_factors')
      .select('created_at')
      .where('user_id', '=', userId)
      .where('verified', '=', true)
      .executeTakeFirst(),
    db
      .selectFrom('passkeys')
      .select(['name', 'created_at', 'last_used_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    db
      .selectFrom('known_devices')
      .select(['device', 'seen_at'])
      .where('user_id', '=', userId)
      .orderBy('device')
      .execute(),
    verifiedEmail
      ? db.selectFrom('newsletter').selectAll().where('email', '=', verifiedEmail).executeTakeFirst()
      : undefined,
    db.selectFrom('notifications').selectAll().where('user_id', '=', userId).orderBy('created_at').execute(),
    db
      .selectFrom('businesses')
      .innerJoin('places', 'places.id', 'businesses.place_id')
      .selectAll('businesses')
      .select(['places.name as place_name', 'places.state'])
      .where('businesses.user_id', '=', userId)
      .where('businesses.deleted_at', 'is', null)
      .orderBy('businesses.created_at')
      .execute(),
    db
      .selectFrom('business_registrations')
      .selectAll()
      .select(sql<string>`to_char(owner_dob, 'YYYY-MM-DD')`.as('owner_dob_text'))
      .where('user_id', '=', userId)
      .executeTakeFirst(),
    db
      .selectFrom('reviews')
      .selectAll()
      .where(isByReviewer({ userId, verifiedEmail }))
      .orderBy('created_at')
      .execute(),
    selectBookingsWithCard(db)
      .where((eb) =>
        eb.or([
          eb('sales.customer_user_id', '=', userId),
          ...(verifiedEmail ? [eb('bookings.email', '=', verifiedEmail)] : []),
        ]),
      )
      .execute(),
    selectBookings(db).where('sales.owner_user_id', '=', userId).execute(),
  ])
  const changes = await listChanges(
    db,
    [...made, ...received].map(({ id }) => id),
  )
  return {
    user,
    changes,
    sessions,
    factor,
    passkeys,
    devices,
    newsletter,
    notifications,
    businesses,
    registration,
    reviews,
    made,
    received,
  }
}

function exportPerson(user: KeptAccount['user']) {
  return {
    uid: user.id,
    displayName: user.name,
    email: user.email,
    emailVerified: user.email_verified,
    phoneNumber: user.phone,
    photoUrl: user.image,
    createdAt: user.created_at,
    operatorRole: user.operator_role,
    mailPreferences: {
      signIns: user.mail_sign_ins,
      newBookings: user.mail_new_bookings,
      reminders: user.mail_reminders,
      reviews: user.mail_reviews,
    },
  }
}

/** Returns the Australian Business Register's answers about the registration's ABN, oldest first. */
async function exportAnswers(
  db: Database,
  registration: Pick<NonNullable<KeptAccount['registration']>, 'abn' | 'created_at'>,
) {
  const answers = await listAnswers(db, registration.abn)
  // Earlier ones were about another account's registration.
  const own = answers.filter(({ lastAt }) => lastAt >= registration.created_at)
  return own.map(({ id: _id, firstAt, lastAt, ...facts }) => ({
    ...facts,
    firstAnsweredAt: firstAt.toISOString(),
    lastAnsweredAt: lastAt.toISOString(),
  }))
}

function exportRegistration(registration: NonNullable<KeptAccount['registration']>) {
  return {
    businessName: registration.business_name,
    abn: registration.abn,
    acn: registration.acn,
    businessStructure: registration.business_structure,
    industryType: registration.industry_type,
    gstRegistered: registration.gst_registered,
    principalAddress: registration.principal_address,
    postalAddress: registration.postal_address,
    businessPhone: registration.business_phone,
    businessEmail: registration.business_email,
    website: registration.website,
    ownerName: registration.owner_name,
    ownerDob: registration.owner_dob_text,
    ownerPhone: registration.owner_phone,
    ownerEmail: registration.owner_email,
    logoUrl: registration.logo_url,
    businessDescription: registration.business_description,
    createdAt: registration.created_at,
  }
}

/**
 * Exports a vendor's availability settings of a business. Events of outside calendars are left out: the calendar itself
 * has them.
 */
async function exportTimes(db: Database, businessId: string): Promise<object> {
  const calendars = await listOutsideCalendars(db, businessId)
  return {
    availability: await findAvailability(db, businessId),
    blockedTimes: (await listBlocks(db, businessId)).map(({ from, until, note }) => ({ from, until, note })),
    // Only a hash of the feed's secret is stored.
    calendarFeed: await findFeed(db, businessId),
    outsideCalendars: calendars.map(({ name, url, lastSyncedAt }) => ({ name, url, lastSyncedAt })),
  }
}
