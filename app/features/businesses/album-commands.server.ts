import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import {
  attachUploads,
  dropUploads,
  keyOfUrl,
  releaseUpload,
  type UploadOwner,
} from '../files/commands.server.ts'
import { findAlbum } from './album-queries.server.ts'
import {
  type AlbumPicture,
  type AlbumStep,
  applyStep,
  MAX_ALBUM_PICTURES,
  REMOVED_FOR_MS,
} from './album-rules.ts'
import { lockOwnListing } from './owner-queries.server.ts'

type AlbumDeps = { db: Database; jobs: Jobs; now: () => Date }

const ownerOf = (businessId: string): UploadOwner => `album:${businessId}`

/**
 * Changes the album of a listing of this user by one step, under the listing's row: steps of several tabs follow each other.
 * @param step an output of `albumStepSchema`
 * @returns the album after it. Refuses with 'full' at `MAX_ALBUM_PICTURES`, and with 'unknown_image' for an image that isn't
 *   this user's upload or that belongs to something else
 */
export async function changeAlbum(
  deps: Omit<AlbumDeps, 'jobs'>,
  { userId, businessId }: { userId: string; businessId: string },
  step: AlbumStep,
): Promise<
  { ok: true; album: AlbumPicture[] } | { ok: false; reason: 'not_found' | 'full' | 'unknown_image' }
> {
  return deps.db.transaction().execute(async (tx) => {
    const listing = await lockOwnListing(tx, { userId, businessId })
    if (!listing) return { ok: false as const, reason: 'not_found' as const }
    const at = deps.now()
    const before = await findAlbum(tx, businessId)
    const isAdded = step.kind === 'add' && !before.some(({ url }) => url === step.url)
    if (isAdded && before.length >= MAX_ALBUM_PICTURES) return { ok: false as const, reason: 'full' as const }
    const added = isAdded ? await takePicture(tx, { userId, businessId, url: step.url, at }) : null
    if (isAdded && !added) return { ok: false as const, reason: 'unknown_image' as const }
    const album = applyStep(before, step, added)
    if (step.kind === 'remove') await removePicture(tx, { businessId, url: step.url, at })
    await saveAlbum(tx, { businessId, before, album, at })
    return { ok: true as const, album }
  })
}

/** The upload of an added picture, or the removed picture that is put back. null if there is neither. */
async function takePicture(
  tx: DatabaseTransaction,
  { userId, businessId, url, at }: { userId: string; businessId: string; url: string; at: Date },
): Promise<AlbumPicture | null> {
  const removed = await tx
    .selectFrom('album_pictures')
    .select(['url', 'width', 'height', 'colour', 'caption', 'alt'])
    .where('business_id', '=', businessId)
    .where('url', '=', url)
    .where('removed_at', '>', new Date(at.getTime() - REMOVED_FOR_MS))
    .executeTakeFirst()
  const key = keyOfUrl(url)
  // Only the demo's pictures aren't uploads.
  if (!key) return removed ?? null
  const taken = await attachUploads(tx, { userId, keys: [key], to: ownerOf(businessId) })
  const image = taken?.get(key)
  return image ? { ...image, caption: '', alt: '' } : null
}

/** Removes a picture from view. Its row and file stay for a day. Ends those that were removed earlier. */
async function removePicture(
  tx: DatabaseTransaction,
  { businessId, url, at }: { businessId: string; url: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('album_pictures')
    .set({ removed_at: at })
    .where('business_id', '=', businessId)
    .where('url', '=', url)
    .where('removed_at', 'is', null)
    .execute()
  const key = keyOfUrl(url)
  if (key) await releaseUpload(tx, { key, from: ownerOf(businessId), at })
  await tx
    .deleteFrom('album_pictures')
    .where('business_id', '=', businessId)
    .where('removed_at', '<', new Date(at.getTime() - REMOVED_FOR_MS))
    .execute()
}

/** Writes the pictures that a step has added, moved or described. */
async function saveAlbum(
  tx: DatabaseTransaction,
  {
    businessId,
    before,
    album,
    at,
  }: { businessId: string; before: readonly AlbumPicture[]; album: readonly AlbumPicture[]; at: Date },
): Promise<void> {
  const isAsBefore = (picture: AlbumPicture, position: number) => {
    const same = before[position]
    return same?.url === picture.url && same.caption === picture.caption && same.alt === picture.alt
  }
  const changed = album.flatMap((picture, position) =>
    isAsBefore(picture, position) ? [] : [{ ...picture, position }],
  )
  if (changed.length === 0) return
  await tx
    .insertInto('album_pictures')
    .values(
      changed.map((picture) => ({ ...picture, business_id: businessId, added_at: at, removed_at: null })),
    )
    .onConflict((conflict) =>
      conflict.columns(['business_id', 'url']).doUpdateSet(({ ref }) => ({
        position: ref('excluded.position'),
        caption: ref('excluded.caption'),
        alt: ref('excluded.alt'),
        removed_at: null,
      })),
    )
    .execute()
}

/** Deletes the album of a listing with its files, in the transaction that deletes the listing. */
export async function dropAlbum(
  deps: Pick<AlbumDeps, 'jobs'>,
  tx: DatabaseTransaction,
  businessId: string,
): Promise<void> {
  await tx.deleteFrom('album_pictures').where('business_id', '=', businessId).execute()
  await dropUploads(deps, tx, { from: ownerOf(businessId), keep: [] })
}

/** Deletes the albums of an account, in the transaction that deletes its listings and all its uploads. */
export async function forgetAlbums(tx: DatabaseTransaction, userId: string): Promise<void> {
  await tx
    .deleteFrom('album_pictures')
    .where('business_id', 'in', (eb) =>
      eb.selectFrom('businesses').select('businesses.id').where('user_id', '=', userId),
    )
    .execute()
}
