import { formDraft } from '../../../../ui/form-draft.ts'
import { bookingDraftKey } from '../../../businesses/asked-rules.ts'

/**
 * The fields of the booking form as typed so far, possibly incomplete or invalid. Stored for this tab, so that a reload
 * or going back and forward loses nothing, and deleted once the booking is paid.
 */
const TYPED_FIELDS = ['fullName', 'email', 'phone', 'date', 'time', 'quantity', 'bookingType'] as const
export type BookingDraftFields = Partial<Record<(typeof TYPED_FIELDS)[number], string>>

// Longer than any field. Other scripts can write to this storage too, so the length is capped.
const MAX_TYPED_LENGTH = 500

/** Reads the fields from a stored or handed-over value of any shape. Drops everything but texts and numbers. */
export function parseBookingDraft(found: unknown): BookingDraftFields {
  if (typeof found !== 'object' || found === null) return {}
  const typed: BookingDraftFields = {}
  for (const field of TYPED_FIELDS) {
    const value = (found as Record<string, unknown>)[field]
    if (typeof value === 'string' && value !== '') typed[field] = value.slice(0, MAX_TYPED_LENGTH)
    if (typeof value === 'number' && Number.isFinite(value)) typed[field] = String(value)
  }
  return typed
}

/** The typed fields once others were chosen. Another day has other free times, so the time typed for the day before ends. */
export function withChosen(typed: BookingDraftFields, chosen: BookingDraftFields): BookingDraftFields {
  const isOtherDay = Boolean(typed.date && chosen.date && typed.date !== chosen.date)
  const { time: _, ...untimed } = typed
  return { ...(isOtherDay ? untimed : typed), ...chosen }
}

/** The draft of one business's booking form. The success screen deletes it. */
export const bookingDraft = (businessId: string) =>
  formDraft<BookingDraftFields>({ key: bookingDraftKey(businessId), parse: parseBookingDraft })

/** The query with which one business's booking form last opened in this tab. A reload and the way back repeat it. */
export const bookingQueryDraft = (businessId: string) =>
  formDraft<{ query: string }>({
    key: `booking-query:${businessId}`,
    parse: ({ query }) => ({ query: typeof query === 'string' ? query : '' }),
  })
