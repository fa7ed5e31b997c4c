import { formDraft } from '../../../ui/form-draft.ts'

/**
 * What somebody has typed into the booking form, as text and as far as they have come. It is kept for this tab, so
 * that going back, forward or reloading loses nothing, and is gone once the booking is paid.
 */
const TYPED_FIELDS = ['fullName', 'email', 'phone', 'date', 'time', 'quantity', 'bookingType'] as const
export type BookingDraftFields = Partial<Record<(typeof TYPED_FIELDS)[number], string>>

// Longer than any field takes; what is kept comes from this page, but anything may write there.
const MAX_TYPED_LENGTH = 500

/** Takes the fields out of anything that was stored or handed over; what is no text or number is left out. */
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

/** The draft of the booking form of one business; forgotten once the booking is paid. */
export const bookingDraft = (businessId: string) =>
  formDraft<BookingDraftFields>({ key: `booking-draft:${businessId}`, parse: parseBookingDraft })
