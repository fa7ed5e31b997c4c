import { z } from 'zod'
import { isLocalDate } from '../../shared/dates.ts'
import { personName, plainText } from '../../shared/form-texts.ts'
import { looksLikeLink } from '../../shared/one-line.ts'
import { BUSINESS_ID } from '../businesses/rules.ts'
import { MAX_GUESTS } from '../pricing/limits.ts'
import { NAME_MISSING, NOTE_TOO_LONG, type Reason } from './messages.ts'
import { MAX_NOTE_LENGTH, MAX_TITLE_LENGTH } from './rules.ts'

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

/** The owner's title, day and guests. Each may be empty. */
export const aboutSchema = z.object({
  intent: z.literal('about'),
  // It stands in the preview of the link, so it leads nowhere.
  title: plainText({ max: MAX_TITLE_LENGTH }).refine((title) => !looksLikeLink(title)),
  date: z.string().refine((date) => date === '' || isLocalDate(date)),
  guests: z
    .string()
    .regex(/^\d{0,5}$/)
    .transform((text) => Number(text) || null)
    .refine((guests) => guests === null || guests <= MAX_GUESTS),
})

/** The name by which a browser votes. */
export const voterSchema = z.object({ intent: z.literal('name'), name: personName(NAME_MISSING) })

/** A heart of someone who votes: the state that it should have, so that a repeated form changes nothing. */
export const voteSchema = z.object({ intent: z.enum(['vote', 'unvote']), businessId })

/** The owner removes someone who votes. */
export const removeVoterSchema = z.object({
  intent: z.literal('remove-voter'),
  voter: z.string().regex(/^[\w-]{43}$/),
})

/** Every form of the shortlist's page. */
export const SHORTLIST_FORMS = [
  entrySchema,
  noteSchema,
  listSchema,
  aboutSchema,
  voterSchema,
  voteSchema,
  removeVoterSchema,
] as const
export const shortlistFormSchema = z.union(SHORTLIST_FORMS)

/** The answer to a form of the shortlist's page. */
export type ShortlistAnswer =
  | { ok: true; removed: string }
  | { ok: true; restored: string }
  | { ok: true; noted: string }
  | { ok: true; sharing: 'share' | 'unshare' }
  | { ok: true; voted: string }
  | { ok: true; unvoter: string }
  | {
      ok: false
      reason: Reason
      typed: { businessId: string; note: string } | null
      /** The stored note, if it isn't the note that the writer of another saw. */
      present?: string
      /** The typed values about the event, or the typed name of the voter. */
      about?: { title: string; date: string; guests: string }
      name?: string
    }
