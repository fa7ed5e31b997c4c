import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import { newId, toSlug } from '../../shared/ids.ts'
import { lockByName } from '../../shared/locks.server.ts'
import { PREPARED } from '../../shared/prepared.server.ts'
import { isAgreed } from '../agreements/queries.server.ts'
import { attachUploads, dropUploads, keyOfUrl } from '../files/commands.server.ts'
import { findPlaceByText, findPoint } from '../places/queries.server.ts'
import type { PaymentPlan } from '../terms/rules.ts'
import { dropAlbum } from './album-commands.server.ts'
import type { Stated } from './fact-rules.ts'
import { markerColumns } from './marker-commands.server.ts'
import { lockOwnListing } from './owner-queries.server.ts'
import {
  type BusinessImage,
  listingVersion,
  MAX_IMAGES,
  offeredBookingTypes,
  type Pricing,
  seoDescription,
  seoTitle,
} from './rules.ts'
import { columnsOfFields, type Listing, type ListingFields } from './schema.ts'
import { isVisible } from './visible-queries.server.ts'

export type ListingDeps = {
  db: Database
  jobs: Jobs
  brand: string
  now: () => Date
}

/** Removing a listing needs its bookings, which belong to a later feature, so the caller passes the query in. */
export type RemovalDeps = ListingDeps & {
  countOpenBookings(
    tx: DatabaseTransaction,
    businessIds: readonly string[],
    now: Date,
  ): Promise<ReadonlyMap<string, number>>
}

export type ListingRefusal =
  /** The account is at the limit in the settings. */
  | 'too_many_listings'
  /** There is no such listing, or it's another user's. The refusal doesn't reveal which. */
  | 'not_found'
  | 'unknown_place'
  | 'ambiguous_place'
  /** More than three images in total (Decision 13). */
  | 'too_many_images'
  /** An image that was never uploaded, is another user's, or is on another listing. */
  | 'unknown_image'
  /** The form was made from an older version. Saving it would undo the changes in between. */
  | 'changed_meanwhile'

type Refused<Reason extends ListingRefusal = ListingRefusal> = {
  ok: false
  reason: Reason
  /** The version that is saved now, with 'changed_meanwhile'. */
  version?: string
}

const RANDOM_LENGTH = 6
/** For a name without a single Latin letter or digit. */
const FALLBACK_SLUG = 'business'

/** A saved listing. */
export type SavedListing = {
  ok: true
  id: string
  /** Whether it stays hidden until its owner accepts the vendor agreement. */
  isWaiting: boolean
}

/**
 * Publishes a new listing (Specification, section 7), or saves it hidden while its owner hasn't accepted the vendor
 * agreement. Generates its id from the name and six random characters, its SEO
 * texts and its dates. A second submission with the same submit key, as after a lost response, changes the listing of
 * the first one instead.
 * @param deps.maxListings the limit per account
 * @param listing an output of `listingSchema`
 */
export async function publishListing(
  deps: ListingDeps & { maxListings: number },
  userId: string,
  listing: Listing,
): Promise<SavedListing | Refused> {
  if (listing.images.length > MAX_IMAGES) return { ok: false, reason: 'too_many_images' }
  const place = await findPlaceByText(deps.db, listing.location)
  if (!place.ok) return place
  const ending = listing.submitKey ? endingFor(userId, listing.submitKey) : newId(RANDOM_LENGTH)
  const id = `${toSlug(listing.name) || FALLBACK_SLUG}-${ending}`
  const at = deps.now()
  const published = await deps.db.transaction().execute(async (tx) => {
    if (listing.submitKey) {
      const earlier = await lockEarlierSubmission(tx, userId, ending)
      if (earlier) return { ok: false as const, reason: 'published' as const, ...earlier }
    }
    if ((await countListings(tx, userId)) >= deps.maxListings)
      return { ok: false as const, reason: 'too_many_listings' as const }
    const images = await takeImages(tx, { userId, businessId: id, listing, present: [] })
    if (!images) return { ok: false as const, reason: 'unknown_image' as const }
    const isWaiting = !(await isAgreed(tx, { userId, now: at }))
    await tx
      .insertInto('businesses')
      .values({
        ...columnsOf(listing, deps.brand),
        ...markerColumns({
          ...listing,
          ...statedBy(listing, { maxGuests: null, facts: {} }),
          at: await findPoint(tx, place.placeId),
        }),
        id,
        user_id: userId,
        place_id: place.placeId,
        images: JSON.stringify(images),
        hidden_at: isWaiting ? at : null,
        hidden_by: isWaiting ? 'agreement' : null,
        waiting_since: isWaiting ? at : null,
        operator_reason: null,
        deleted_at: null,
        created_at: at,
        updated_at: at,
      })
      .execute()
    return { ok: true as const, id, isWaiting }
  })
  if (published.ok || published.reason !== 'published') return published
  // The form knows nothing of the listing that it published, so its own version of it is the first one.
  const seen = listing.seen ?? published.firstVersion
  return changeListing(deps, { userId, businessId: published.id }, { ...listing, seen })
}

/** The last six characters of a listing's id, derived from its owner and the submit key. */
function endingFor(userId: string, submitKey: string): string {
  const hash = createHash('sha256').update(`${userId}:${submitKey}`).digest()
  return hash.readBigUInt64BE().toString(36).padStart(RANDOM_LENGTH, '0').slice(-RANDOM_LENGTH)
}

/**
 * Finds the listing that an earlier submission of the same form published, even if deleted since. Waits while
 * that submission is still in progress.
 * @returns the listing's id and the version in which it was published, or null
 */
async function lockEarlierSubmission(
  tx: DatabaseTransaction,
  userId: string,
  ending: string,
): Promise<{ id: string; firstVersion: string } | null> {
  await lockByName(tx, 'listing', `${userId}:${ending}`)
  const found = await tx
    .selectFrom('businesses')
    .select(['id', 'created_at', 'max_guests'])
    .where('user_id', '=', userId)
    .where('id', 'like', `%-${ending}`)
    .executeTakeFirst()
  if (!found) return null
  const firstVersion = listingVersion({
    updatedAt: found.created_at.toISOString(),
    maxGuests: found.max_guests,
  })
  return { id: found.id, firstVersion }
}

/**
 * Changes a listing of this user. Deletes the files of images that it no longer has.
 * @param listing an output of `listingSchema`, which replaces all fields. If it has `seen`, only those of that version
 */
export async function changeListing(
  deps: ListingDeps,
  input: { userId: string; businessId: string },
  listing: Listing,
): Promise<SavedListing | Refused<Exclude<ListingRefusal, 'too_many_listings'>>> {
  const { userId, businessId } = input
  if (listing.images.length > MAX_IMAGES) return { ok: false, reason: 'too_many_images' }
  return deps.db.transaction().execute(async (tx) => {
    const present = await lockOwnListing(tx, input)
    if (!present) return { ok: false as const, reason: 'not_found' as const }
    const saved = { ok: true as const, id: businessId, isWaiting: present.hidden_by === 'agreement' }
    const version = listingVersion({
      updatedAt: present.updated_at.toISOString(),
      maxGuests: present.max_guests,
    })
    if (listing.seen && listing.seen !== version)
      return (await isSaved(tx, deps, { businessId, listing, images: present.images }))
        ? saved
        : { ok: false as const, reason: 'changed_meanwhile' as const, version }
    const place = await findPlaceByText(tx, listing.location)
    if (!place.ok) return place
    const images = await takeImages(tx, {
      userId,
      businessId,
      listing,
      present: present.images,
    })
    if (!images) return { ok: false as const, reason: 'unknown_image' as const }
    await tx
      .updateTable('businesses')
      .set({
        ...columnsOf(listing, deps.brand),
        ...markerColumns({
          ...listing,
          ...statedBy(listing, { maxGuests: present.max_guests, facts: present.facts }),
          at: await findPoint(tx, place.placeId),
        }),
        place_id: place.placeId,
        images: JSON.stringify(images),
        updated_at: deps.now(),
      })
      .where('id', '=', businessId)
      .execute()
    await dropUploads(deps, tx, {
      from: `business:${businessId}`,
      keep: images.flatMap((image) => keyOfUrl(image.url) ?? []),
    })
    return saved
  })
}

/** The statements that a save leaves stored. A form from before the facts leaves the stored ones as they are. */
function statedBy({ facts, maxGuests }: Listing, stored: Stated): Stated {
  return facts ? { maxGuests, facts } : stored
}

/** Whether a form's values are saved already: its answer was lost, and its owner has pressed the button again. */
async function isSaved(
  tx: DatabaseTransaction,
  { brand }: { brand: string },
  { businessId, listing, images }: { businessId: string; listing: Listing; images: BusinessImage[] },
): Promise<boolean> {
  if (JSON.stringify(images.map(({ url }) => url)) !== JSON.stringify(listing.images)) return false
  let same = tx.selectFrom('businesses').select('id').where('id', '=', businessId)
  for (const [column, value] of Object.entries(columnsOf(listing, brand)))
    same = same.where(sql<boolean>`${sql.ref(column)} is not distinct from ${value}`)
  return (await same.executeTakeFirst()) !== undefined
}

/**
 * Deletes a listing of this user with its images and leaves the tombstone (Decision 19). Hides a listing with open
 * bookings instead, so that its customers keep them.
 * @returns which of the two was done
 */
export async function removeListing(
  deps: RemovalDeps,
  input: { userId: string; businessId: string },
): Promise<
  | { ok: true; outcome: 'deleted' }
  | { ok: true; outcome: 'hidden'; openBookings: number }
  | { ok: false; reason: 'not_found' }
> {
  const { businessId } = input
  return deps.db.transaction().execute(async (tx) => {
    const present = await lockOwnListing(tx, input)
    if (!present) return { ok: false as const, reason: 'not_found' as const }
    const at = deps.now()
    const openBookings = (await deps.countOpenBookings(tx, [businessId], at)).get(businessId) ?? 0
    if (openBookings > 0) {
      await hideForOwner(tx, businessId, at)
      return { ok: true as const, outcome: 'hidden' as const, openBookings }
    }
    await tx
      .updateTable('businesses')
      .set({ deleted_at: at, images: '[]', updated_at: at })
      .where('id', '=', businessId)
      .execute()
    await dropUploads(deps, tx, { from: `business:${businessId}`, keep: [] })
    await dropAlbum(deps, tx, businessId)
    return { ok: true as const, outcome: 'deleted' as const }
  })
}

/**
 * Hides a listing of this user. Someone who agreed to hide it, because it had open bookings, never gets it deleted,
 * even if those bookings have ended since.
 * @returns the open bookings that it still has
 */
export async function hideListing(
  deps: Pick<RemovalDeps, 'db' | 'now' | 'countOpenBookings'>,
  input: { userId: string; businessId: string },
): Promise<{ ok: true; outcome: 'hidden'; openBookings: number } | { ok: false; reason: 'not_found' }> {
  const { businessId } = input
  return deps.db.transaction().execute(async (tx) => {
    const present = await lockOwnListing(tx, input)
    if (!present) return { ok: false as const, reason: 'not_found' as const }
    const at = deps.now()
    await hideForOwner(tx, businessId, at)
    const openBookings = (await deps.countOpenBookings(tx, [businessId], at)).get(businessId) ?? 0
    return { ok: true as const, outcome: 'hidden' as const, openBookings }
  })
}

async function hideForOwner(tx: DatabaseTransaction, businessId: string, at: Date): Promise<void> {
  await tx
    .updateTable('businesses')
    .set({ hidden_at: at, hidden_by: 'owner', updated_at: at })
    .where('id', '=', businessId)
    // Keeps an operator's hiding: the owner must not replace it with their own, which they could lift.
    .where(({ eb, or }) => or([eb('hidden_at', 'is', null), eb('hidden_by', '=', 'agreement')]))
    .execute()
  await tx
    .updateTable('businesses')
    .set({ owner_hidden_at: at, updated_at: at })
    .where('id', '=', businessId)
    .where('hidden_by', '=', 'operator')
    .execute()
}

/**
 * Shows a listing again that its owner had hidden. A listing that was never public waits for the vendor agreement. Refuses with
 * `hidden_by_operator` if anyone but the owner hid it (Decision 18).
 */
export async function showListing(
  deps: Pick<ListingDeps, 'db' | 'now'>,
  input: { userId: string; businessId: string },
): Promise<{ ok: true; isWaiting: boolean } | { ok: false; reason: 'not_found' | 'hidden_by_operator' }> {
  return deps.db.transaction().execute(async (tx) => {
    const present = await lockOwnListing(tx, input)
    if (!present) return { ok: false, reason: 'not_found' }
    const isWaiting = present.waiting_since !== null
    if (present.hidden_at === null || present.hidden_by === 'agreement') return { ok: true, isWaiting }
    if (present.hidden_by !== 'owner') return { ok: false, reason: 'hidden_by_operator' }
    await tx
      .updateTable('businesses')
      .set({
        hidden_at: present.waiting_since,
        hidden_by: isWaiting ? 'agreement' : null,
        updated_at: deps.now(),
      })
      .where('id', '=', input.businessId)
      .execute()
    return { ok: true, isWaiting }
  })
}

/** A view of a business's page, by a signed-in user or a visitor (null). */
export type View = { businessId: string; viewerUserId: string | null }

/**
 * Counts views of businesses' pages, on the current date at each one's place (Decision 23). Stores nothing about the
 * viewers. Ignores views by the owner, and of businesses that are hidden, deleted or unknown.
 */
export async function countViews(
  deps: Pick<ListingDeps, 'db' | 'now'>,
  views: readonly View[],
): Promise<void> {
  const businessIds = views.map(({ businessId }) => businessId)
  const viewerIds = views.map(({ viewerUserId }) => viewerUserId)
  // All processes lock the rows in the same order, or two of them could wait for each other.
  await sql`
    insert into business_views as counted (business_id, day, views)
    select businesses.id,
      (${deps.now().toISOString()}::timestamptz at time zone places.time_zone)::date,
      count(*)
    from unnest(${businessIds}::text[], ${viewerIds}::text[]) as view (business_id, viewer_id)
      join businesses on businesses.id = view.business_id
      join places on places.id = businesses.place_id
    where ${isVisible()}
      and businesses.user_id is distinct from view.viewer_id
    group by 1, 2
    order by 1
    on conflict (business_id, day) do update set views = counted.views + excluded.views
    ${PREPARED}`.execute(deps.db)
}

/** The columns that the listing form sets, except the place and the images, which need a lookup. */
export function columnsOf(
  listing: ListingFields & Pricing & Pick<Listing, 'policy' | 'plan'> & Pick<Listing, 'facts'>,
  brand: string,
) {
  const { policy, plan, facts } = listing
  const { max_guests, ...fields } = columnsOfFields(listing)
  return {
    ...fields,
    ...(facts && { max_guests, facts: JSON.stringify(facts) }),
    ...(policy && { policy, chose_terms: true }),
    ...(plan && columnsOfPlan(plan)),
    price_cents: listing.priceCents,
    price_unit: listing.priceUnit,
    second_price_cents: listing.secondPrice?.cents ?? null,
    second_price_unit: listing.secondPrice?.unit ?? null,
    booking_types: offeredBookingTypes(listing),
    seo_title: seoTitle(listing.name, listing.category, brand),
    seo_description: seoDescription(listing.description),
  }
}

function columnsOfPlan(plan: PaymentPlan) {
  const isDeposit = plan.kind === 'deposit'
  return {
    deposit_basis_points: isDeposit ? plan.depositBasisPoints : null,
    balance_days_before: isDeposit ? plan.balanceDaysBefore : null,
  }
}

/** Makes whatever else adds a listing to this account wait until this transaction ends. */
export async function lockListingsOf(tx: DatabaseTransaction, userId: string): Promise<void> {
  await lockByName(tx, 'listings', userId)
}

/** Counts an account's listings. Concurrent counts wait until this transaction ends. */
async function countListings(tx: DatabaseTransaction, userId: string): Promise<number> {
  await lockListingsOf(tx, userId)
  const { count } = await tx
    .selectFrom('businesses')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The images of a save, from those of the listing and the owner's uploads. null if one is neither. */
async function takeImages(
  tx: DatabaseTransaction,
  input: { userId: string; businessId: string; listing: Listing; present: BusinessImage[] },
): Promise<BusinessImage[] | null> {
  const { images: wanted, imageAlts } = input.listing
  const present = new Map(input.present.map((image) => [image.url, image]))
  const keys = wanted.filter((url) => !present.has(url)).map(keyOfUrl)
  if (keys.includes(null)) return null
  const sent = await attachUploads(tx, {
    userId: input.userId,
    keys: keys.filter((key) => key !== null),
    to: `business:${input.businessId}`,
  })
  if (!sent) return null
  return wanted.flatMap((url) => {
    const image = present.get(url) ?? sent.get(keyOfUrl(url) ?? '')
    if (!image || !imageAlts) return image ?? []
    const { alt: _, ...bare } = image as BusinessImage
    const alt = imageAlts[url]
    return alt ? { ...bare, alt } : bare
  })
}
