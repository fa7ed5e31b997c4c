import { z } from 'zod'
import { type AlbumStep, MAX_CAPTION_LENGTH } from './album-rules.ts'
import { MAX_ALT_LENGTH } from './schema.ts'

const MAX_URL_LENGTH = 300

/** The path of an upload, or of one of the demo's pictures. */
const PICTURE_PATH = /^\/[\w./-]+$/
const url = z.string().max(MAX_URL_LENGTH).regex(PICTURE_PATH)
/** A text in one line. It is tidied rather than refused, as that of a listing's image. */
const line = (max: number) =>
  z
    .string()
    .max(max * 10)
    .transform((text) =>
      text
        .toWellFormed()
        .replace(/[\s\p{C}]+/gu, ' ')
        .trim()
        .slice(0, max),
    )
const caption = line(MAX_CAPTION_LENGTH)
const alt = line(MAX_ALT_LENGTH)

/** A change of an album, as the browser posts it. */
export const albumStepSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('add'),
    url,
    caption: caption.default(''),
    alt: alt.default(''),
    after: url.nullable().optional(),
  }),
  z.object({ kind: z.literal('move'), url, after: url.nullable() }),
  z.object({ kind: z.literal('describe'), url, caption: caption.optional(), alt: alt.optional() }),
  z.object({ kind: z.literal('remove'), url }),
]) satisfies z.ZodType<AlbumStep, unknown>

/** Whose page posts a step. Pages from before it was sent don't say. */
export const albumSenderSchema = z.object({ userId: z.string().optional() })

export type AlbumRefusal =
  /** Or another tab has logged in as somebody else. */
  | 'signed_out'
  | 'too_often'
  | 'malformed'
  /** There is no such listing, or it's another user's. */
  | 'not_found'
  | 'full'
  /** An image that was never uploaded, is another user's, or has been deleted since. */
  | 'unknown_image'
