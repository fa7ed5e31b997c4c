import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useMounted } from '../../../../ui/use-mounted.ts'
import { parseTimeProblem, type TimeProblem } from '../../../availability/rules.ts'
import type { BookingFieldErrors } from '../../form-rules.ts'
import {
  type BookingDraftFields,
  bookingDraft,
  bookingQueryDraft,
  parseBookingDraft,
  withChosen,
} from './booking-draft.ts'

/** A booking that the payment screen handed back, with the server's errors or a time that is taken. */
export type ReturnedBooking = {
  booking: BookingDraftFields
  errors: BookingFieldErrors | null
  gone: TimeProblem | null
}

/**
 * The values that the booking form begins with: those of the address, replaced by those that were typed before or that
 * the payment screen handed back.
 * @param prefilled the values that the server read from the address
 * @returns `isRestored`: whether there are other values than the server's, so that the form has to begin anew
 */
export function useRestoredBooking(businessId: string, prefilled: BookingDraftFields) {
  const location = useLocation()
  const mounted = useMounted()
  // Storage and navigation state exist only in the browser, so the first render has the server's data alone.
  const [restored, setRestored] = useState<{ typed: BookingDraftFields; returned: ReturnedBooking } | null>(
    null,
  )
  if (mounted && !restored) {
    const returned = readReturned(location.state)
    const draft = { ...returned.booking, ...bookingDraft(businessId).read() }
    // Another choice on the business's page replaces the earlier one. A reload and the way back keep what was typed.
    const isNew = location.search !== '' && bookingQueryDraft(businessId).read()?.query !== location.search
    const chosen = isNew ? chosenFields(prefilled) : {}
    setRestored({ typed: withChosen(draft, chosen), returned })
  }
  useEffect(() => {
    if (!restored || location.search === '') return
    bookingQueryDraft(businessId).keep({ query: location.search })
    bookingDraft(businessId).keep(restored.typed)
  }, [businessId, location.search, restored])
  const typed: BookingDraftFields = { ...prefilled, ...restored?.typed }
  const returned = restored?.returned ?? null
  const isRestored =
    restored !== null && (restored.returned.errors !== null || Object.keys(restored.typed).length > 0)
  return { typed, returned, isRestored }
}

/** Reads the state that the payment screen hands back. */
function readReturned(state: unknown): ReturnedBooking {
  const { booking, fieldErrors, timeGone } = (typeof state === 'object' && state !== null ? state : {}) as {
    booking?: unknown
    fieldErrors?: BookingFieldErrors
    timeGone?: unknown
  }
  return {
    booking: parseBookingDraft(booking),
    errors: fieldErrors ?? null,
    gone: parseTimeProblem(timeGone),
  }
}

/** The fields that an address can fill in. */
function chosenFields({ date, time, quantity, bookingType }: BookingDraftFields): BookingDraftFields {
  return parseBookingDraft({ date, time, quantity, bookingType })
}
