/** The widths that images are served in: cards on a phone up to the business page on a retina screen. */
export const IMAGE_WIDTHS = [320, 480, 640, 800, 960, 1280, 1600] as const
export const IMAGE_FORMATS = ['avif', 'webp', 'jpeg'] as const

export type ImageFormat = (typeof IMAGE_FORMATS)[number]
export type ImageVariant = { width: number; format: ImageFormat }

const DEFAULT_VARIANT: ImageVariant = { width: 1280, format: 'jpeg' }

/**
 * Reads the size and format that an address asks for: '?w=640&f=webp'. Without both it is a JPEG at 1280 px,
 * which every program shows.
 * @param fallback what an address without a size or format stands for
 * @returns null for a size or format that is not served
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

/** What a picture is sent for. */
export const UPLOAD_KINDS = ['listing', 'logo'] as const
export type UploadKind = (typeof UPLOAD_KINDS)[number]

/** Where each kind is kept (Specification, section 7). */
export const UPLOAD_FOLDERS = { listing: 'businessImages', logo: 'businessLogos' } as const satisfies Record<
  UploadKind,
  string
>

/**
 * The largest file of each kind in bytes. A listing's is the specification's (section 9); for a logo it says none,
 * and this one takes what a phone's camera makes.
 */
export const MAX_UPLOAD_BYTES = { listing: 2_097_152, logo: 5_242_880 } as const satisfies Record<
  UploadKind,
  number
>

/**
 * Width times height, times the pages of an animation. The largest cameras of phones make 50 million. Decoded, that is
 * 200 MB at worst.
 */
export const MAX_UPLOAD_PIXELS = 50_000_000

/** The longer side of a stored picture, in pixels: half as much again as the largest size that is served. */
export const STORED_SIDE = 2400

/** What a picker offers, in the form of react-dropzone's `accept`. The server looks at the content alone. */
export const UPLOAD_TYPES: Record<string, string[]> = {
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/webp': ['.webp'],
  'image/avif': ['.avif'],
  'image/gif': ['.gif'],
}

/** A logo stands beside a name and may have a transparent ground, so its plain address is small and WebP. */
const DEFAULT_LOGO_VARIANT: ImageVariant = { width: 320, format: 'webp' }

/** Reads the size and format that the address of an uploaded picture asks for; null for one that is not served. */
export function readUploadVariant(key: string, query: URLSearchParams): ImageVariant | null {
  const isLogo = key.startsWith(`${UPLOAD_FOLDERS.logo}/`)
  return readVariant(query, isLogo ? DEFAULT_LOGO_VARIANT : DEFAULT_VARIANT)
}

export type SniffedType = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'

/**
 * The type of a picture by its first bytes. Neither its name nor what the sender says of it counts, and nothing that
 * is not one of these five ever reaches a decoder: no SVG, no PDF, no TIFF.
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

function ascii(text: string): number[] {
  return Array.from(text, (letter) => letter.charCodeAt(0))
}

const MAX_NAME_LENGTH = 80

/**
 * Makes a name harmless: what is left has letters without accents, digits, hyphens, single dots and underscores. Paths,
 * NULs, emoji and everything else become underscores; a name of nothing else is 'image'.
 */
export function safeName(name: string): string {
  const cleaned = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/^.*[/\\]/s, '')
    .replace(/[^A-Za-z0-9.-]+/g, '_')
    .replace(/\.{2,}/g, '.')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/^[._-]+|[._-]+$/g, '')
  return cleaned || 'image'
}

/**
 * Where a picture is kept: a logo under `businessLogos/{timestamp}_{file name}`, a listing's image under
 * `businessImages/{name with underscores}_{timestamp}_{index}` (Specification, section 7). The name is the business's,
 * or the file's while the business has none yet.
 * @param input.at milliseconds since 1970
 * @param input.index place among the images that are sent together, from 0
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

/** Whether this can be the key of an upload: checked before anything is looked up by it. */
export function isUploadKey(key: string): boolean {
  return /^business(Images|Logos)\/[A-Za-z0-9._-]{1,150}$/.test(key) && !key.includes('..')
}

/** A picture that is not on a listing or a registration by then is swept away. */
export const STRAY_AFTER_MS = 24 * 3_600_000

/** How many pictures one account can send: of listings, logos and profile photos together. */
export const UPLOAD_LIMIT = { max: 60, windowMs: 10 * 60_000 }

/** Pictures in a decoder or encoder, in this process. Decoding is heavy: more at once would only make each later. */
export const IMAGES_AT_ONCE = 2
/** Twice what a listing form sends. */
export const UPLOADS_OF_ACCOUNT_AT_ONCE = 6
/** Bytes of up to 5 MB each, held in memory until their turn. */
export const MAX_UPLOADS_WAITING = 40
