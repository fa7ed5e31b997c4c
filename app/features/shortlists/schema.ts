import { z } from 'zod'
import { BUSINESS_ID } from '../businesses/rules.ts'
import { NOTE_TOO_LONG, type Reason } from './messages.ts'
import { MAX_NOTE_LENGTH } from './rules.ts'

const businessId = z.string().regex(BUSINESS_ID)

/** A press of a heart: the state that it should have, so that a repeated request changes nothing. */
export const heartSchema = z.object({ businessId, saved: z.boolean() })

/** A change of one entry. */
export const entrySchema = z.object({ intent: z.enum(['add', 'remove', 'restore']), businessId })

export const noteSchema = z.object({
  intent: z.literal('note'),
  businessId,
  note: z.string().trim().max(MAX_NOTE_LENGTH, NOTE_TOO_LONG),
  // The note that its writer saw. A form sent without JavaScript makes each line break two characters.
  seen: z
    .string()
    .max(2 * MAX_NOTE_LENGTH)
    .optional(),
})

/** A change of the whole list, or of the visitor's part in it. */
export const listSchema = z.object({ intent: z.enum(['share', 'unshare', 'join', 'leave']) })

/** Every form of the shortlist's page. */
export const shortlistFormSchema = z.union([entrySchema, noteSchema, listSchema])

/** The answer to a form of the shortlist's page. */
export type ShortlistAnswer =
  | { ok: true; removed: string }
  | { ok: true; restored: string }
  | { ok: true; noted: string }
  | { ok: true; sharing: 'share' | 'unshare' }
  | {
      ok: false
      reason: Reason
      typed: { businessId: string; note: string } | null
      /** The stored note, if it isn't the note that the writer of another saw. */
      present?: string
    }
