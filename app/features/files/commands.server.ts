import type { ExpressionBuilder } from 'kysely'
import { href } from 'react-router'
import sharp, { type Metadata, type Sharp } from 'sharp'
import type { Database, DatabaseTransaction, Tables } from '../../adapters/database/port.ts'
import type { FileStore, StoredFile } from '../../adapters/file-store/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { RateLimits } from '../../adapters/rate-limits/port.ts'
import { limitConcurrency, QueueFull } from '../../shared/concurrency-limit.ts'
import {
  accountSender,
  IMAGE_FORMATS,
  IMAGE_WIDTHS,
  type ImageFormat,
  type ImageVariant,
  isUploadKey,
  MAX_CONCURRENT_IMAGES,
  MAX_CONCURRENT_UPLOADS,
  MAX_UPLOAD_BYTES,
  MAX_UPLOAD_PIXELS,
  MAX_UPLOADS_WAITING,
  STORED_SIDE,
  STRAY_AFTER_MS,
  sniffImageType,
  UPLOAD_LIMIT,
  type UploadKind,
  type UploadSender,
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
export type UploadDeps = { rateLimits: RateLimits }

/** A stored picture, with the size and colour that a page needs to lay it out before it loads. */
export type UploadedImage = { url: string; width: number; height: number; colour: string }

/** The record that an upload is attached to. */
export type UploadOwner = `business:${string}` | `album:${string}` | `registration:${string}`

/** In place of an owner: the files are being deleted. The row outlives them, so that no failure of the store loses one. */
const DELETING = 'deleting'

const making = new Map<string, Promise<StoredFile | null>>()

const limitImages = limitConcurrency(MAX_CONCURRENT_IMAGES)
/** One at a time, so that a flood of uploads leaves the other slot to the pictures of pages. Senders take turns. */
const limitUploads = limitConcurrency(1, MAX_CONCURRENT_UPLOADS, MAX_UPLOADS_WAITING)
/** Uploads take turns with the pictures of pages. */
const UPLOADS = 'uploads'
/** The number of each sender's uploads that are being decoded or waiting. */
const activeUploads = new Map<string, number>()

/**
 * Reads a file that can be generated again. Generates and caches it if it's missing. Concurrent requests for the same
 * file share one generation.
 * @param key the file's key in the store
 * @param make draws or encodes the file; returns null if it has no source, which isn't cached
 */
export async function readOrMake<Made extends StoredFile | null>(
  files: FileStore,
  key: string,
  make: () => Promise<Made>,
): Promise<StoredFile | Made> {
  const cached = await files.read(key)
  if (cached) return cached
  const pending = making.get(key)
  if (pending) return pending as Promise<Made>
  const makeAndCache = async () => {
    const file = await limitImages(make)
    // Written outside the limit, so that a slow store doesn't block other pictures.
    if (file) await files.put(key, file)
    return file
  }
  const made = makeAndCache().finally(() => making.delete(key))
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
  /** More pixels than are decoded for a sender within a day. */
  | 'too_many_today'
  /** The account has too many uploads in progress. */
  | 'too_many_at_once'
  /** Too many uploads of all accounts are waiting. */
  | 'overrun'

/** Counts one upload of an account, of any kind. Call it before the body is read. @returns false over the limit */
export function mayUpload(rateLimits: RateLimits, userId: string): Promise<boolean> {
  return rateLimits.take(`upload:${userId}`, UPLOAD_LIMIT)
}

/**
 * Stores an uploaded picture. Detects its type by its content and re-encodes it upright, in sRGB, at most 2400 px a
 * side. This removes metadata (above all the GPS position) and any data hidden after the pixels (Decision 13). The
 * picture is unattached until a listing or registration attaches it.
 * @param input.businessName as typed so far, to name the stored file
 * @param input.index the position among the images of the form, from 0
 * @returns the key, and the picture for the page, or the refusal
 */
export async function keepUpload(
  deps: FileDeps & UploadDeps,
  userId: string,
  input: { kind: UploadKind; fileName: string; businessName: string; index: number; bytes: Uint8Array },
): Promise<{ ok: true; key: string; image: UploadedImage } | { ok: false; reason: UploadRefusal }> {
  const { kind, bytes } = input
  const drawn = await drawUpload(
    deps,
    { sender: accountSender(userId), bytes, maxBytes: MAX_UPLOAD_BYTES[kind] },
    drawForStore,
  )
  if (!drawn.ok) return drawn
  const { width, height, colour, file } = drawn.picture
  const key = await reserveKey(deps, userId, input, { width, height, colour })
  await deps.files.put(key, file)
  return { ok: true, key, image: { url: uploadUrl(key), width, height, colour } }
}

/**
 * Decodes an uploaded picture. The only path from uploaded bytes to a decoder: checks size, type, pixels and the sender's day
 * before it decodes. Senders take turns, and so do uploads and the pictures of pages.
 * @param draw resizes and encodes the decoded picture, which is upright and in sRGB
 * @returns the result of `draw`, or the refusal
 */
export async function drawUpload<Picture>(
  deps: UploadDeps,
  input: { sender: UploadSender; bytes: Uint8Array; maxBytes: number },
  draw: (decoded: Sharp, found: { hasAlpha: boolean }) => Promise<Picture>,
): Promise<{ ok: true; picture: Picture } | { ok: false; reason: UploadRefusal }> {
  const { sender, bytes } = input
  if (bytes.byteLength === 0) return { ok: false, reason: 'empty' }
  if (bytes.byteLength > input.maxBytes) return { ok: false, reason: 'too_large' }
  const active = activeUploads.get(sender.key) ?? 0
  if (active >= MAX_CONCURRENT_UPLOADS) return { ok: false, reason: 'too_many_at_once' }
  activeUploads.set(sender.key, active + 1)
  try {
    return await limitUploads(
      () => limitImages(() => decode(deps, { sender, bytes }, draw), UPLOADS),
      sender.key,
    )
  } catch (error) {
    if (error instanceof QueueFull) return { ok: false, reason: 'overrun' }
    throw error
  } finally {
    const left = (activeUploads.get(sender.key) ?? 1) - 1
    if (left > 0) activeUploads.set(sender.key, left)
    else activeUploads.delete(sender.key)
  }
}

async function decode<Picture>(
  deps: UploadDeps,
  { sender, bytes }: { sender: UploadSender; bytes: Uint8Array },
  draw: (decoded: Sharp, found: { hasAlpha: boolean }) => Promise<Picture>,
): Promise<{ ok: true; picture: Picture } | { ok: false; reason: UploadRefusal }> {
  const type = sniffImageType(bytes)
  if (!type) return { ok: false, reason: 'not_an_image' }
  const found = await readHead(bytes)
  // The decoder must detect the same type as `sniffImageType`.
  if (found?.format !== (type === 'avif' ? 'heif' : type)) return { ok: false, reason: 'not_an_image' }
  if (type === 'avif' && found.compression !== 'av1') return { ok: false, reason: 'not_an_image' }
  const pixels = found.width * found.height * (found.pages ?? 1)
  if (pixels > MAX_UPLOAD_PIXELS) return { ok: false, reason: 'too_many_pixels' }
  if (!(await takePixels(deps, sender, pixels))) return { ok: false, reason: 'too_many_today' }
  try {
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
    // Damaged, truncated and malicious files fail with various decoder errors, which need no distinction.
    return { ok: false, reason: 'not_an_image' }
  }
}

/** The metadata in a picture's header; null if the decoder can't read it. */
async function readHead(bytes: Uint8Array): Promise<Metadata | null> {
  return sharp(bytes, { limitInputPixels: false, failOn: 'error', pages: 1 })
    .metadata()
    .catch(() => null)
}

/** Counts a picture's pixels for the sender's day, unless it would exceed it. */
async function takePixels(
  { rateLimits }: UploadDeps,
  { key, megapixels }: UploadSender,
  pixels: number,
): Promise<boolean> {
  const uses = Math.ceil(pixels / 1_000_000)
  if (await rateLimits.take(`pixels:${key}`, megapixels, uses)) return true
  await rateLimits.giveBack(`pixels:${key}`, megapixels, uses)
  return false
}

type StoredPicture = { file: StoredFile; width: number; height: number; colour: string }

async function drawForStore(decoded: Sharp, { hasAlpha }: { hasAlpha: boolean }): Promise<StoredPicture> {
  const fitted = decoded.resize({
    width: STORED_SIDE,
    height: STORED_SIDE,
    fit: 'inside',
    withoutEnlargement: true,
  })
  // Only transparency needs WebP, which is slower to encode.
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

/** Reserves a unique key. A second picture with the same name in the same millisecond gets the next millisecond. */
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
 * Attaches uploads to a record, inside the transaction that saves it. All or nothing.
 * @param input.keys this user's uploads that are unattached, or attached to this record already
 * @returns the pictures by key, or null if one is missing, another user's or attached to another record
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
    .orderBy('key')
    .forUpdate()
    .execute()
  if (rows.length !== keys.length) return null
  await tx.updateTable('uploads').set({ attached_to: input.to }).where('key', 'in', keys).execute()
  return new Map(
    rows.map(({ key, width, height, colour }) => [key, { url: uploadUrl(key), width, height, colour }]),
  )
}

/**
 * Ends the uploads of a record except those in `keep`, inside its transaction: they are no longer served, and a job deletes
 * them. So a file store that is unavailable delays the deletion, and fails nothing.
 */
export async function dropUploads(
  { jobs }: { jobs: Jobs },
  tx: DatabaseTransaction,
  input: { from: UploadOwner; keep: readonly string[] },
): Promise<void> {
  let query = tx.updateTable('uploads').set({ attached_to: DELETING }).where('attached_to', '=', input.from)
  if (input.keep.length > 0) query = query.where('key', 'not in', [...input.keep])
  const keys = (await query.returning('key').execute()).map(({ key }) => key)
  if (keys.length > 0) await jobs.enqueue(tx, 'delete-uploads', { keys })
}

/**
 * Detaches an upload from a record, inside its transaction. It can be attached again for a day (`STRAY_AFTER_MS`), and is swept
 * then.
 */
export async function releaseUpload(
  tx: DatabaseTransaction,
  input: { key: string; from: UploadOwner; at: Date },
): Promise<void> {
  await tx
    .updateTable('uploads')
    .set({ attached_to: null, created_at: input.at })
    .where('key', '=', input.key)
    .where('attached_to', '=', input.from)
    .execute()
}

/**
 * Deletes unattached uploads with all their variants. Ignores attached ones. Run again after a failure, by its job or
 * by the sweep, it deletes the files that are left.
 */
export async function deleteUploads(
  { db, files }: Pick<FileDeps, 'db' | 'files'>,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    // From now on it's neither served nor attached, so its files can be deleted.
    const claimed = await db
      .updateTable('uploads')
      .set({ attached_to: DELETING })
      .where('key', '=', key)
      .where(isUnattached)
      .returning('key')
      .executeTakeFirst()
    if (!claimed && (await hasUpload(db, key))) continue
    await files.delete(key)
    for (const variant of everyVariant()) await files.delete(variantKey(key, variant))
    await db.deleteFrom('uploads').where('key', '=', key).where('attached_to', '=', DELETING).execute()
  }
}

function isUnattached(eb: ExpressionBuilder<Tables, 'uploads'>) {
  return eb.or([eb('attached_to', 'is', null), eb('attached_to', '=', DELETING)])
}

async function hasUpload(db: Database, key: string): Promise<boolean> {
  return (
    (await db.selectFrom('uploads').select('key').where('key', '=', key).executeTakeFirst()) !== undefined
  )
}

const SWEEP_BATCH = 200

/**
 * Deletes uploads that no listing or registration has attached within a day, and those whose deletion failed.
 * @returns the number of deleted pictures
 */
export async function sweepStrayUploads(deps: FileDeps): Promise<number> {
  const rows = await deps.db
    .selectFrom('uploads')
    .select('key')
    .where(isUnattached)
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
 * Reads a variant of an uploaded picture, generated at the first request.
 * @param key untrusted text from an address
 * @returns null if there is no such picture
 */
export async function readUpload(
  { db, files }: Pick<FileDeps, 'db' | 'files'>,
  key: string,
  variant: ImageVariant,
): Promise<StoredFile | null> {
  if (!isUploadKey(key)) return null
  const row = await db.selectFrom('uploads').select('attached_to').where('key', '=', key).executeTakeFirst()
  if (!row || row.attached_to === DELETING) return null
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
    // On a large picture, an effort above 2 takes seconds longer and saves only a few per cent.
    avif: () => resized.avif({ quality: 55, effort: 2 }),
    webp: () => resized.webp({ quality: 80, effort: 3 }),
    jpeg: () => resized.flatten({ background: '#ffffff' }).jpeg({ quality: 80, progressive: true }),
  }
  return { bytes: await encoded[format]().toBuffer(), contentType: `image/${format}` }
}
