import type { DatabaseTransaction } from '../../app/adapters/database/port.ts'
import { DEMO_OPERATOR_EMAIL } from '../../app/config/accounts.server.ts'
import { acceptAgreement } from '../../app/features/agreements/commands.server.ts'
import { DOCUMENTS } from '../../app/features/agreements/rules.ts'
import { blockSpan, defaultAvailability } from '../../app/features/availability/rules.ts'
import { rangeText } from '../../app/features/availability/slot-queries.server.ts'
import { columnsOf } from '../../app/features/businesses/commands.server.ts'
import { markerColumns } from '../../app/features/businesses/marker-commands.server.ts'
import { UNSET_FIELDS } from '../../app/features/businesses/schema.ts'
import type { Services } from '../../app/services.server.ts'
import { wallTimeAt } from '../../app/shared/dates.ts'
import { newId } from '../../app/shared/ids.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { dominantColour } from '../illustrations/draw.ts'
import { albumOf } from './albums.ts'
import { altOf } from './alts.ts'
import { demoBusinesses } from './businesses.ts'
import { demoBlocks, demoSettings } from './calendars.ts'
import { fillDemoConversations } from './conversations.ts'
import { DEMO_VENDOR_KEY, demoOwners } from './owners.ts'
import { beginDemoPast, fillDemoPast, findUnfinishedPast, finishDemoPast } from './past.ts'
import { fillDemoPlans } from './plans.ts'
import { demoReviews } from './reviews.ts'

const VIEW_DAYS = 30
// 3:2 at 1600 px, as an upload would be stored; the picture itself is drawn at its first request.
const IMAGE_SIZE = { width: 1600, height: 1067 }

/** Works only with the embedded database and a loopback address (Decision 24). */
export const demoAccounts = [
  { role: 'customer', name: 'Isla Brennan', email: 'customer@jubilee.example', password: 'celebrate' },
  { role: 'vendor', name: 'Matilda Okafor', email: 'vendor@jubilee.example', password: 'celebrate' },
  { role: 'operator', name: 'Tom Reilly', email: DEMO_OPERATOR_EMAIL, password: 'celebrate' },
] as const

/** Older than any listing, view or booking of theirs. */
const ACCOUNT_AGE_DAYS = 730

type DaysAgo = (days: number) => Date

/**
 * Fills an empty database with businesses, their vendors, reviews and three demo accounts. A database that already has
 * a business is left unchanged, so that edits and deletions last.
 * @param options.hasHistory whether `fillDemoHistory` follows. Tests begin without it
 * @returns whether the database was empty
 */
export async function fillDemoData(
  services: Services,
  options: { hasHistory: boolean } = { hasHistory: false },
): Promise<boolean> {
  const { db, config } = services
  const any = await db.selectFrom('businesses').select('id').limit(1).executeTakeFirst()
  if (any) return false

  const vendorId = await openDemoAccounts(services)
  const ownerIds = new Map(
    demoOwners.map(({ key }) => [key, key === DEMO_VENDOR_KEY ? vendorId : `demo-${key}`] as const),
  )
  const ownerId = (key: string) => ownerIds.get(key) ?? vendorId
  const startOfDay = Math.floor(services.now().getTime() / DAY_MS) * DAY_MS
  const daysAgo: DaysAgo = (days) => new Date(startOfDay - days * DAY_MS)

  // One transaction: if the start is interrupted here, the next one fills the database from scratch.
  await db.transaction().execute(async (tx) => {
    await fillOwners(tx, { ownerId, daysAgo })
    await fillAcceptances(tx, { ownerId, now: services.now() })
    await fillBusinesses(tx, { ownerId, daysAgo, brand: config.brand })
    await fillCalendars(tx, services.now())
    await fillViews(tx, daysAgo)
    await fillReviews(tx, daysAgo)
    if (options.hasHistory) await beginDemoPast(tx, services.now())
  })
  return true
}

/**
 * Adds what the demo's first page doesn't need: what waits now, the vendor's inbox, and a year of bookings. Runs once, while the
 * demo is being served. A process that ended meanwhile leaves it to the next one.
 */
export async function fillDemoHistory(services: Services): Promise<void> {
  const { db, sandbox, stopping } = services
  const begunAt = await findUnfinishedPast(services)
  if (!begunAt) return
  // Only the sandbox takes payments without a person.
  if (sandbox) await fillDemoPast(services, begunAt, 'recent')
  if (stopping.signal.aborted) return
  const any = await db.selectFrom('conversations').select('id').limit(1).executeTakeFirst()
  if (!any) {
    await fillDemoConversations(services)
    await fillDemoPlans(services)
  }
  if (sandbox) await fillDemoPast(services, begunAt, 'year')
  if (stopping.signal.aborted) return
  await finishDemoPast(services)
}

async function fillOwners(
  tx: DatabaseTransaction,
  { ownerId, daysAgo }: { ownerId: (key: string) => string; daysAgo: DaysAgo },
): Promise<void> {
  const others = demoOwners.filter(({ key }) => key !== DEMO_VENDOR_KEY)
  /** A week before the owner's first listing. */
  const joinedAt = (key: string) => {
    const listedDaysAgo = demoBusinesses
      .filter(({ ownerKey }) => ownerKey === key)
      .map(({ createdDaysAgo }) => createdDaysAgo)
    return daysAgo(Math.max(0, ...listedDaysAgo) + 7)
  }
  await tx
    .insertInto('users')
    .values(
      // These accounts have no password, so no one can sign in to them.
      others.map(({ key, name, email, phone }) => ({
        id: ownerId(key),
        name,
        email,
        phone,
        email_verified: true,
        created_at: joinedAt(key),
      })),
    )
    .execute()
  await tx
    .insertInto('business_registrations')
    .values(
      demoOwners.flatMap((owner) => {
        const registration = owner.registration
        if (!registration) return []
        return {
          id: `demo-registration-${owner.key}`,
          user_id: ownerId(owner.key),
          business_name: registration.businessName,
          abn: registration.abn,
          acn: registration.acn,
          business_structure: registration.businessStructure,
          industry_type: registration.industryType,
          gst_registered: registration.gstRegistered,
          principal_address: registration.principalAddress,
          business_phone: owner.phone,
          business_email: owner.email,
          website: registration.website,
          owner_name: owner.name,
          owner_dob: registration.ownerDob,
          owner_phone: owner.phone,
          owner_email: owner.email,
          created_at: joinedAt(owner.key),
        }
      }),
    )
    .execute()
}

/** Every demo vendor has accepted the vendor agreement, so that their listings may be public. */
async function fillAcceptances(
  tx: DatabaseTransaction,
  { ownerId, now }: { ownerId: (key: string) => string; now: Date },
): Promise<void> {
  for (const { key } of demoOwners) {
    const { version } = DOCUMENTS.vendor_agreement
    await acceptAgreement({ db: tx, now: () => now }, { userId: ownerId(key), version })
  }
}

async function fillBusinesses(
  tx: DatabaseTransaction,
  { ownerId, daysAgo, brand }: { ownerId: (key: string) => string; daysAgo: DaysAgo; brand: string },
): Promise<void> {
  const places = await tx
    .selectFrom('places')
    .select(['id', 'latitude', 'longitude'])
    .where(
      'id',
      'in',
      demoBusinesses.map(({ placeId }) => placeId),
    )
    .execute()
  const pointOf = (placeId: string) => {
    const point = places.find(({ id }) => id === placeId)
    if (!point) throw new Error(`no place is called ${placeId}`)
    return point
  }
  await tx
    .insertInto('businesses')
    .values(
      demoBusinesses.map((business) => ({
        id: business.id,
        user_id: ownerId(business.ownerKey),
        ...columnsOf({ ...UNSET_FIELDS, ...business, secondPrice: business.secondPrice ?? null }, brand),
        ...markerColumns({ ...UNSET_FIELDS, ...business, at: pointOf(business.placeId) }),
        chose_terms: true,
        place_id: business.placeId,
        images: JSON.stringify(
          business.images.map(({ scene, seed }) => ({
            url: `/illustrations/${scene}/${seed}`,
            ...IMAGE_SIZE,
            colour: dominantColour({ scene, seed }),
            alt: altOf(scene),
          })),
        ),
        created_at: daysAgo(business.createdDaysAgo),
        updated_at: daysAgo(business.createdDaysAgo),
      })),
    )
    .execute()
  await tx
    .insertInto('album_pictures')
    .values(
      demoBusinesses.flatMap(({ id, createdDaysAgo }) =>
        albumOf(id).map(({ scene, seed, caption }, position) => ({
          business_id: id,
          url: `/illustrations/${scene}/${seed}`,
          position,
          ...IMAGE_SIZE,
          colour: dominantColour({ scene, seed }),
          caption,
          // A caption says it already.
          alt: caption ? '' : (altOf(scene) ?? ''),
          added_at: daysAgo(createdDaysAgo),
          removed_at: null,
        })),
      ),
    )
    .execute()
}

async function fillCalendars(tx: DatabaseTransaction, now: Date): Promise<void> {
  const businesses = await tx
    .selectFrom('businesses')
    .innerJoin('places', 'places.id', 'businesses.place_id')
    .select(['businesses.id', 'businesses.category', 'businesses.max_guests', 'places.time_zone'])
    .execute()
  await tx
    .insertInto('availability_settings')
    .values(
      businesses.flatMap(({ id, category, max_guests, time_zone }) => {
        const changed = demoSettings[id]
        if (!changed) return []
        const set = { ...defaultAvailability(category, time_zone), ...changed }
        return {
          business_id: id,
          capacity: set.capacity,
          max_guests,
          weekly: JSON.stringify(set.weekly),
          event_minutes: set.eventMinutes,
          setup_minutes: set.setupMinutes,
          cleanup_minutes: set.cleanupMinutes,
          notice_minutes: set.noticeMinutes,
          horizon_days: set.horizonDays,
          updated_at: now,
        }
      }),
    )
    .execute()
  await tx
    .insertInto('slots')
    .values(
      businesses.flatMap(({ id, time_zone }) =>
        demoBlocks(id, wallTimeAt(now, time_zone).date).map((block) => {
          const during = rangeText(blockSpan(block, time_zone))
          return {
            id: newId(),
            business_id: id,
            kind: 'block' as const,
            during,
            event: during,
            time_zone,
            is_exclusive: false,
            expires_at: null,
            payment_id: null,
            booking_id: null,
            note: block.note,
            created_at: now,
          }
        }),
      ),
    )
    .execute()
}

/**
 * Deletes the passwords and sessions of the demo accounts: outside the demo no one may sign in with a known password,
 * wherever the data came from (Decision 24).
 */
export async function closeDemoAccounts({ db }: Services): Promise<void> {
  const demoUsers = db
    .selectFrom('users')
    .select('id')
    .where(
      'email',
      'in',
      demoAccounts.map(({ email }) => email),
    )
  await db.deleteFrom('account_credentials').where('user_id', 'in', demoUsers).execute()
  await db.deleteFrom('sessions').where('user_id', 'in', demoUsers).execute()
}

async function fillViews(tx: DatabaseTransaction, daysAgo: DaysAgo): Promise<void> {
  await tx
    .insertInto('business_views')
    .values(
      demoBusinesses.flatMap((business) =>
        Array.from({ length: Math.min(VIEW_DAYS, business.createdDaysAgo) }, (_, index) => ({
          business_id: business.id,
          day: daysAgo(index + 1)
            .toISOString()
            .slice(0, 10),
          // Listings are viewed more on weekends, when people plan parties.
          views: Math.round(business.pageViewsPerDay * (index % 7 < 2 ? 1.3 : 0.9)),
        })),
      ),
    )
    .execute()
}

async function fillReviews(tx: DatabaseTransaction, daysAgo: DaysAgo): Promise<void> {
  await tx
    .insertInto('reviews')
    .values(
      demoReviews.map((review, index) => ({
        id: `demo-review-${index + 1}`,
        business_id: review.businessId,
        author_name: review.authorName,
        rating: review.rating,
        body: review.body,
        approved: review.approved,
        created_at: daysAgo(review.daysAgo),
      })),
    )
    .execute()
}

/**
 * Inserts the accounts instead of signing them up, because the password policy is only for chosen passwords.
 * @returns the demo vendor's user id
 */
async function openDemoAccounts({ hostedAccounts, passwords, db, now }: Services): Promise<string> {
  const joinedAt = new Date(now().getTime() - ACCOUNT_AGE_DAYS * DAY_MS)
  for (const { name, email, password } of demoAccounts) {
    const times = { created_at: now(), updated_at: now() }
    // A hosted service stores the passwords: these accounts own the demo's businesses, but can't be signed in to.
    const hash = hostedAccounts ? null : await passwords.hash(password)
    await db.transaction().execute(async (tx) => {
      const user = await tx
        .insertInto('users')
        .values({ id: newId(), name, email, ...times, created_at: joinedAt })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!user || !hash) return
      await tx
        .insertInto('account_credentials')
        .values({
          id: newId(),
          user_id: user.id,
          account_id: user.id,
          provider_id: 'credential',
          password: hash,
          ...times,
        })
        .execute()
    })
  }
  await db.updateTable('users').set({ email_verified: true }).execute()
  await db
    .updateTable('users')
    .set({ phone: '0491 570 006' })
    .where('email', '=', 'vendor@jubilee.example')
    .execute()
  const vendor = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'vendor@jubilee.example')
    .executeTakeFirstOrThrow()
  return vendor.id
}
