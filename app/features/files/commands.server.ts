import { href } from 'react-router'
import sharp, { type Sharp } from 'sharp'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { FileStore, StoredFile } from '../../adapters/file-store/port.ts'
import type { RateLimits } from '../../adapters/rate-limits/port.ts'
import { limitConcurrency, QueueFull } from '../../shared/concurrency-limit.ts'
import {
  IMAGE_FORMATS,
  IMAGE_WIDTHS,
  IMAGES_AT_ONCE,
  type ImageFormat,
  type ImageVariant,
  isUploadKey,
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_PIXELS,
  MAX_UPLOADS_WAITING,
  STORED_SIDE,
  STRAY_AFTER_MS,
  sniffImageType,
  UPLOAD_LIMIT,
  UPLOADS_OF_ACCOUNT_AT_ONCE,
  type UploadKind,
  uploadKey,
} from './rules.ts'

const FILES_PATH = href('/files/*', { '*': '' })

/** The address of an uploaded picture; `?w=` and `&f=` choose size and format. */
export function uploadUrl(key: string): string {
  return href('/files/*', { '*': key })
}

/** The key in the address of an uploaded picture, or null for any other address. */
export function keyOfUrl(url: string): string | null {
  if (!url.startsWith(FILES_PATH)) return null
  const key = url.slice(FILES_PATH.length)
  return isUploadKey(key) ? key : null
}

export type FileDeps = { db: Database; files: FileStore; now: () => Date }

/** A stored picture as pages lay it out before it arrives. */
export type UploadedImage = { url: string; width: number; height: number; colour: string }

/** What an upload can belong to. */
export type UploadOwner = `business:${string}` | `registration:${string}`

const making = new Map<string, Promise<StoredFile | null>>()

const inTurn = limitConcurrency(IMAGES_AT_ONCE)
/** One at a time: a flood of uploads leaves the other slot to pictures that pages wait for. */
const uploadInTurn = limitConcurrency(1, MAX_UPLOADS_WAITING)
/** How many uploads of an account are being decoded or wait for it. */
const underWayOf = new Map<string, number>()

/**
 * Reads a file that can be made again, making and keeping it when it is missing. Requests that ask for the same
 * one meanwhile wait for the one making.
 * @param key where it is kept
 * @param make draws or encodes it; null when there is nothing to make it from, which is not kept
 */
export async function readOrMake<Made extends StoredFile | null>(
  files: FileStore,
  key: string,
  make: () => Promise<Made>,
): Promise<StoredFile | Made> {
  const kept = await files.read(key)
  if (kept) return kept
  const underWay = making.get(key)
  if (underWay) return underWay as Promise<Made>
  const makeAndKeep = async () => {
    const file = await inTurn(make)
    // A store that is slow holds up nobody else's turn.
    if (file) await files.put(key, file)
    return file
  }
  const made = makeAndKeep().finally(() => making.delete(key))
  making.set(key, made)
  return made
}

const DECODE_LIMIT_SECONDS = 20
const JPEG_QUALITY = 90
const WEBP_QUALITY = 90

export type UploadRefusal =
  | 'too_large'
  | 'empty'
  | 'not_an_image'
  | 'too_many_pixels'
  /** Others of the same account are still being decoded. */
  | 'too_many_at_once'
  /** Too many of all accounts are waiting. */
  | 'overrun'

/** Counts one upload of an account, of whatever kind. Ask before the body is read. @returns false over the limit */
export function mayUpload(rateLimits: RateLimits, userId: string): Promise<boolean> {
  return rateLimits.take(`upload:${userId}`, UPLOAD_LIMIT)
}

/**
 * Takes a picture from somebody: looks at what it is by its content, and stores it drawn anew, upright, in sRGB, at most
 * 2400 px a side. Metadata (the camera's place above all) and whatever hides behind the pixels stay out (Decision 13).
 * It belongs to nothing until a listing or registration attaches it.
 * @param input.businessName as typed so far; names the stored file
 * @param input.index place among the images that are sent together, from 0
 * @returns its key and what a page needs to show it, or why it is refused
 */
export async function keepUpload(
  deps: FileDeps,
  userId: string,
  input: { kind: UploadKind; fileName: string; businessName: string; index: number; bytes: Uint8Array },
): Promise<{ ok: true; key: string; image: UploadedImage } | { ok: false; reason: UploadRefusal }> {
  const { kind, bytes } = input
  const drawn = await drawUpload({ userId, bytes, maxBytes: MAX_UPLOAD_BYTES[kind] }, drawForStore)
  if (!drawn.ok) return drawn
  const { width, height, colour, file } = drawn.picture
  const key = await reserveKey(deps, userId, input, { width, height, colour })
  await deps.files.put(key, file)
  return { ok: true, key, image: { url: uploadUrl(key), width, height, colour } }
}

/**
 * Decodes a picture that somebody sent. The only way from sent bytes to a decoder: it checks size, type and pixels before
 * it decodes, and waits in the queue of all images.
 * @param draw resizes and encodes the decoded picture, which is upright and in sRGB
 * @returns what `draw` made, or why the picture is refused
 */
export async function drawUpload<Picture>(
  input: { userId: string; bytes: Uint8Array; maxBytes: number },
  draw: (decoded: Sharp, found: { hasAlpha: boolean }) => Promise<Picture>,
): Promise<{ ok: true; picture: Picture } | { ok: false; reason: UploadRefusal }> {
  const { userId, bytes } = input
  if (bytes.byteLength === 0) return { ok: false, reason: 'empty' }
  if (bytes.byteLength > input.maxBytes) return { ok: false, reason: 'too_large' }
  const underWay = underWayOf.get(userId) ?? 0
  if (underWay >= UPLOADS_OF_ACCOUNT_AT_ONCE) return { ok: false, reason: 'too_many_at_once' }
  underWayOf.set(userId, underWay + 1)
  try {
    return await uploadInTurn(() => inTurn(() => decode(bytes, draw)))
  } catch (error) {
    if (error instanceof QueueFull) return { ok: false, reason: 'overrun' }
    throw error
  } finally {
    const left = (underWayOf.get(userId) ?? 1) - 1
    if (left > 0) underWayOf.set(userId, left)
    else underWayOf.delete(userId)
  }
}

async function decode<Picture>(
  bytes: Uint8Array,
  draw: (decoded: Sharp, found: { hasAlpha: boolean }) => Promise<Picture>,
): Promise<{ ok: true; picture: Picture } | { ok: false; reason: UploadRefusal }> {
  const type = sniffImageType(bytes)
  if (!type) return { ok: false, reason: 'not_an_image' }
  try {
    const found = await sharp(bytes, { limitInputPixels: false, failOn: 'error', pages: 1 }).metadata()
    // The decoder must see the same type as we do.
    if (found.format !== (type === 'avif' ? 'heif' : type)) return { ok: false, reason: 'not_an_image' }
    if (type === 'avif' && found.compression !== 'av1') return { ok: false, reason: 'not_an_image' }
    if (found.width * found.height * (found.pages ?? 1) > MAX_UPLOAD_PIXELS)
      return { ok: false, reason: 'too_many_pixels' }
    const decoded = sharp(bytes, {
      limitInputPixels: MAX_UPLOAD_PIXELS,
      failOn: 'error',
      pages: 1,
      autoOrient: true,
    })
      .timeout({ seconds: DECODE_LIMIT_SECONDS })
      .toColourspace('srgb')
    return { ok: true, picture: await draw(decoded, found) }
  } catch {
    // A decoder refuses in its own words what is damaged, cut off or made to hurt; to us it is all the same.
    return { ok: false, reason: 'not_an_image' }
  }
}

type StoredPicture = { file: StoredFile; width: number; height: number; colour: string }

async function drawForStore(decoded: Sharp, { hasAlpha }: { hasAlpha: boolean }): Promise<StoredPicture> {
  const fitted = decoded.resize({
    width: STORED_SIDE,
    height: STORED_SIDE,
    fit: 'inside',
    withoutEnlargement: true,
  })
  // Only a transparent ground needs the slower format.
  const encoded = hasAlpha ? fitted.webp({ quality: WEBP_QUALITY }) : fitted.jpeg({ quality: JPEG_QUALITY })
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
  const { dominant } = await sharp(data)
    .flatten({ background: '#ffffff' })
    .resize(64, 64, { fit: 'cover' })
    .stats()
  return {
    file: { bytes: data, contentType: `image/${info.format}` },
    width: info.width,
    height: info.height,
    colour: `#${[dominant.r, dominant.g, dominant.b].map((part) => part.toString(16).padStart(2, '0')).join('')}`,
  }
}

/** Two pictures of one name in one millisecond would meet in one key: the later one moves on by a millisecond. */
async function reserveKey(
  { db, now }: FileDeps,
  userId: string,
  input: { kind: UploadKind; fileName: string; businessName: string; index: number },
  picture: { width: number; height: number; colour: string },
): Promise<string> {
  for (let at = now().getTime(); ; at++) {
    const key = uploadKey(input.kind, { ...input, at })
    const row = await db
      .insertInto('uploads')
      .values({ key, user_id: userId, ...picture, attached_to: null, created_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .executeTakeFirst()
    if (row) return key
  }
}

/**
 * Ties uploads to what they belong to, inside the transaction that saves it.
 * @param input.keys those of this user that nothing has yet, or this thing has already
 * @returns the pictures by key, or null when one is missing, another user's or another thing's: then nothing is tied
 */
export async function attachUploads(
  tx: DatabaseTransaction,
  input: { userId: string; keys: readonly string[]; to: UploadOwner },
): Promise<Map<string, UploadedImage> | null> {
  const keys = [...new Set(input.keys)]
  if (keys.length === 0) return new Map()
  const rows = await tx
    .selectFrom('uploads')
    .select(['key', 'width', 'height', 'colour'])
    .where('key', 'in', keys)
    .where('user_id', '=', input.userId)
    .where((eb) => eb.or([eb('attached_to', 'is', null), eb('attached_to', '=', input.to)]))
    .forUpdate()
    .execute()
  if (rows.length !== keys.length) return null
  await tx.updateTable('uploads').set({ attached_to: input.to }).where('key', 'in', keys).execute()
  return new Map(
    rows.map(({ key, width, height, colour }) => [key, { url: uploadUrl(key), width, height, colour }]),
  )
}

/**
 * Unties every upload of a thing but those it keeps, inside its transaction. Call `deleteUploads` with the answer once
 * that has committed; if the process dies in between, the sweep finds them.
 * @returns the keys that belong to nothing now
 */
export async function detachUploads(
  tx: DatabaseTransaction,
  input: { from: UploadOwner; keep: readonly string[] },
): Promise<string[]> {
  let query = tx.updateTable('uploads').set({ attached_to: null }).where('attached_to', '=', input.from)
  if (input.keep.length > 0) query = query.where('key', 'not in', [...input.keep])
  const rows = await query.returning('key').execute()
  return rows.map((row) => row.key)
}

/** Deletes uploads that belong to nothing, with every size of them. Others are left alone. */
export async function deleteUploads(
  { db, files }: Pick<FileDeps, 'db' | 'files'>,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    const row = await db
      .deleteFrom('uploads')
      .where('key', '=', key)
      .where('attached_to', 'is', null)
      .returning('key')
      .executeTakeFirst()
    // Without its row nothing is served any more; the files follow.
    if (!row) continue
    await files.delete(key)
    for (const variant of everyVariant()) await files.delete(variantKey(key, variant))
  }
}

const SWEEP_BATCH = 200

/**
 * Deletes what was sent and never saved with a listing or registration within a day.
 * @returns how many pictures went
 */
export async function sweepStrayUploads(deps: FileDeps): Promise<number> {
  const rows = await deps.db
    .selectFrom('uploads')
    .select('key')
    .where('attached_to', 'is', null)
    .where('created_at', '<', new Date(deps.now().getTime() - STRAY_AFTER_MS))
    .orderBy('created_at')
    .limit(SWEEP_BATCH)
    .execute()
  await deleteUploads(
    deps,
    rows.map((row) => row.key),
  )
  return rows.length
}

/**
 * Reads an uploaded picture in one size and format, making it when it is asked for the first time.
 * @param key from an address: anything may be in it
 * @returns null when there is no such picture
 */
export async function readUpload(
  { db, files }: Pick<FileDeps, 'db' | 'files'>,
  key: string,
  variant: ImageVariant,
): Promise<StoredFile | null> {
  if (!isUploadKey(key)) return null
  const row = await db.selectFrom('uploads').select('key').where('key', '=', key).executeTakeFirst()
  if (!row) return null
  return readOrMake(files, variantKey(key, variant), async () => {
    const original = await files.read(key)
    return original ? encodeVariant(original.bytes, variant) : null
  })
}

function everyVariant(): ImageVariant[] {
  return IMAGE_WIDTHS.flatMap((width) => IMAGE_FORMATS.map((format) => ({ width, format })))
}

function variantKey(key: string, { width, format }: ImageVariant): string {
  return `variants/${key}/${width}.${format}`
}

async function encodeVariant(bytes: Uint8Array, { width, format }: ImageVariant): Promise<StoredFile> {
  const resized = sharp(bytes).resize({ width, withoutEnlargement: true })
  const encoded: Record<ImageFormat, () => Sharp> = {
    // Effort above 2 costs seconds on a large picture and saves a few per cent.
    avif: () => resized.avif({ quality: 55, effort: 2 }),
    webp: () => resized.webp({ quality: 80, effort: 3 }),
    jpeg: () => resized.flatten({ background: '#ffffff' }).jpeg({ quality: 80, progressive: true }),
  }
  return { bytes: await encoded[format]().toBuffer(), contentType: `image/${format}` }
}
