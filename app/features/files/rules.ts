import { normalForm } from '../../shared/normal-form.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { trimEndWhere } from '../../shared/trim-end.ts'
/** The widths in which images are served, from a card on a phone to the business page on a high-density screen. */
export const IMAGE_WIDTHS = [320, 480, 640, 800, 960, 1280, 1600] as const
export const IMAGE_FORMATS = ['avif', 'webp', 'jpeg'] as const

export type ImageFormat = (typeof IMAGE_FORMATS)[number]
export type ImageVariant = { width: number; format: ImageFormat }

const DEFAULT_VARIANT: ImageVariant = { width: 1280, format: 'jpeg' }

/**
 * Reads the width and format in an address: '?w=640&f=webp'. The default is a JPEG of 1280 px, which every program can
 * show.
 * @param fallback the variant of an address without a width or format
 * @returns null for a width or format that isn't served
 */
export function readVariant(
  query: URLSearchParams,
  fallback: ImageVariant = DEFAULT_VARIANT,
): ImageVariant | null {
  const width = query.has('w') ? Number(query.get('w')) : fallback.width
  const format = query.get('f') ?? fallback.format
  if (!IMAGE_WIDTHS.some((known) => known === width)) return null
  const known = IMAGE_FORMATS.find((name) => name === format)
  return known ? { width, format: known } : null
}

/** The purposes of an uploaded picture. */
export const UPLOAD_KINDS = ['listing', 'album', 'logo'] as const
export type UploadKind = (typeof UPLOAD_KINDS)[number]

/** The folder of each kind (Specification, section 7). */
export const UPLOAD_FOLDERS = {
  listing: 'businessImages',
  album: 'businessImages',
  logo: 'businessLogos',
} as const satisfies Record<UploadKind, string>

/**
 * The largest file of each kind, in bytes. The limit of a listing's image is in the specification (section 9). It has
 * none for a logo, and this one is enough for a photo from a phone. Browsers shrink an album's pictures first; those that can't
 * send the photo as it is.
 */
export const MAX_UPLOAD_BYTES = {
  listing: 2_097_152,
  album: 10_485_760,
  logo: 5_242_880,
} as const satisfies Record<UploadKind, number>

/**
 * Width times height, times the frames of an animation. The largest phone cameras take 50 megapixels, which decode to
 * 200 MB at most.
 */
export const MAX_UPLOAD_PIXELS = 50_000_000

/** The longer side of a stored picture, in pixels: 1.5 times the largest width that is served. */
export const STORED_SIDE = 2400

/**
 * The file types that a picker offers, in the format of react-dropzone's `accept`. The server checks only the content.
 */
export const UPLOAD_TYPES: Record<string, string[]> = {
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/webp': ['.webp'],
  'image/avif': ['.avif'],
  'image/gif': ['.gif'],
}

/** A logo is shown small and may have a transparent background, so its default is a small WebP. */
const DEFAULT_LOGO_VARIANT: ImageVariant = { width: 320, format: 'webp' }

/** Reads the width and format in the address of an uploaded picture. null for a variant that isn't served. */
export function readUploadVariant(key: string, query: URLSearchParams): ImageVariant | null {
  const isLogo = key.startsWith(`${UPLOAD_FOLDERS.logo}/`)
  return readVariant(query, isLogo ? DEFAULT_LOGO_VARIANT : DEFAULT_VARIANT)
}

export type SniffedType = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'

/**
 * The type of a picture by its first bytes. Ignores its name and the Content-Type of the client. Only these five types
 * ever reach a decoder: no SVG, no PDF, no TIFF.
 * @returns null for anything else
 */
export function sniffImageType(bytes: Uint8Array): SniffedType | null {
  const starts = (signature: readonly number[], at = 0) =>
    signature.every((byte, index) => bytes[at + index] === byte)
  if (starts([0xff, 0xd8, 0xff])) return 'jpeg'
  if (starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png'
  if (starts(ascii('RIFF')) && starts(ascii('WEBP'), 8)) return 'webp'
  if (starts(ascii('GIF87a')) || starts(ascii('GIF89a'))) return 'gif'
  if (starts(ascii('ftyp'), 4) && (starts(ascii('avif'), 8) || starts(ascii('avis'), 8))) return 'avif'
  return null
}

/** Whether the first bytes are a PDF's. */
export function isPdf(bytes: Uint8Array): boolean {
  return ascii('%PDF-').every((byte, index) => bytes[index] === byte)
}

function ascii(text: string): number[] {
  return Array.from(text, (letter) => letter.charCodeAt(0))
}

const MAX_NAME_LENGTH = 80

/**
 * Makes a file name safe: only letters without accents, digits, hyphens, single dots and underscores remain. Folders
 * are removed, and NULs, emoji and everything else become underscores. A name of nothing else becomes 'image'.
 */
export function safeName(name: string): string {
  const cleaned = normalForm(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/^.*[/\\]/s, '')
    .replace(/[^A-Za-z0-9.-]+/g, '_')
    .replace(/\.{2,}/g, '.')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/^[._-]+/, '')
  return trimEndWhere(cleaned, /[._-]/) || 'image'
}

/**
 * The storage key of a picture: `businessLogos/{timestamp}_{file name}` for a logo, and
 * `businessImages/{name with underscores}_{timestamp}_{index}` for a listing's image (Specification, section 7). The
 * name is that of the business, or of the file while the business has none.
 * @param input.at milliseconds since 1970
 * @param input.index the position among the images of the form, from 0
 */
export function uploadKey(
  kind: UploadKind,
  input: { businessName: string; fileName: string; index: number; at: number },
): string {
  if (kind === 'logo') return `${UPLOAD_FOLDERS.logo}/${input.at}_${safeName(input.fileName)}`
  const name = safeName((input.businessName.trim() || input.fileName).replace(/[/\\]/g, ' ')).replaceAll(
    '.',
    '_',
  )
  return `${UPLOAD_FOLDERS.listing}/${name}_${input.at}_${input.index}`
}

/** Whether a text has the format of an upload's key. Checked before any lookup. */
export function isUploadKey(key: string): boolean {
  return /^business(Images|Logos)\/[A-Za-z0-9._-]{1,150}$/.test(key) && !key.includes('..')
}

/** The age at which an unattached picture is deleted. */
export const STRAY_AFTER_MS = DAY_MS

/** The uploads per account: images of listings, logos and profile photos together. */
export const UPLOAD_LIMIT = { max: 60, windowMs: 10 * MINUTE_MS }

/**
 * Pictures decoded or encoded concurrently in this process. Decoding is heavy, so more would only slow down each one.
 */
export const MAX_CONCURRENT_IMAGES = 2
/** Uploads of one sender in progress or waiting: twice the images of a listing form. */
export const MAX_CONCURRENT_UPLOADS = 6
/** Those of all senders. Each waiting upload holds up to 10 MB in memory. */
export const MAX_UPLOADS_WAITING = 40

/** The person who sends a picture: their turns and their day are counted by the key. */
export type UploadSender = { key: string; megapixels: { max: number; windowMs: number } }

/**
 * The sender of an account's pictures, wherever they are attached: to listings, profiles and messages. A day of 5,000
 * megapixels is 100 photos of the largest phone cameras, and some three minutes of one processor.
 */
export function accountSender(userId: string): UploadSender {
  return { key: `account:${userId}`, megapixels: { max: 5_000, windowMs: DAY_MS } }
}

/** The sender of a guest's pictures. @param by the network address, or the email address of a confirmed guest */
export function guestSender(by: string): UploadSender {
  return { key: `guest:${by}`, megapixels: { max: 2_000, windowMs: DAY_MS } }
}
