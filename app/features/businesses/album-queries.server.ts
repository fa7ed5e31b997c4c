import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { AlbumPicture } from './album-rules.ts'

/** The pictures of a listing's album, in its order. */
export async function findAlbum(
  db: Database | DatabaseTransaction,
  businessId: string,
): Promise<AlbumPicture[]> {
  return db
    .selectFrom('album_pictures')
    .select(['url', 'width', 'height', 'colour', 'caption', 'alt'])
    .where('business_id', '=', businessId)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .orderBy('url')
    .execute()
}

/**
 * The album of a listing with its name, for its owner.
 * @returns null if the listing is unknown, deleted or another user's
 */
export async function findOwnAlbum(
  db: Database,
  { userId, businessId }: { userId: string; businessId: string },
): Promise<{ name: string; isPublic: boolean; pictures: AlbumPicture[] } | null> {
  const listing = await db
    .selectFrom('businesses')
    .select(['name', 'hidden_at'])
    .where('id', '=', businessId)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!listing) return null
  const pictures = await findAlbum(db, businessId)
  return { name: listing.name, isPublic: listing.hidden_at === null, pictures }
}

/** The albums of listings in the account's export, by listing. Those with removed pictures name these as well. */
export async function exportAlbums(
  db: Database,
  businessIds: readonly string[],
): Promise<Map<string, object[]>> {
  if (businessIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('album_pictures')
    .selectAll()
    .where('business_id', 'in', [...businessIds])
    .orderBy('position')
    .execute()
  const byListing = Map.groupBy(rows, (row) => row.business_id)
  return new Map(
    [...byListing].map(([id, pictures]) => [
      id,
      pictures.map((row) => ({
        image: row.url,
        caption: row.caption,
        alt: row.alt,
        addedAt: row.added_at,
        removedAt: row.removed_at,
      })),
    ]),
  )
}
