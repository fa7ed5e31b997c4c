import { z } from 'zod'
import { type AlbumStep, MAX_CAPTION_LENGTH } from './album-rules.ts'
import { MAX_ALT_LENGTH } from './schema.ts'

const MAX_URL_LENGTH = 300

const url = z.string().min(1).max(MAX_URL_LENGTH)
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

export type AlbumRefusal =
  | 'signed_out'
  | 'too_often'
  | 'malformed'
  /** There is no such listing, or it's another user's. */
  | 'not_found'
  | 'full'
  /** An image that was never uploaded, is another user's, or has been deleted since. */
  | 'unknown_image'
