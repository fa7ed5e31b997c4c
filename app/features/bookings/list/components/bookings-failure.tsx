import { LoadFailure } from '../../../../ui/load-failure.tsx'
import { BOOKINGS_LOAD_FAILED } from '../../messages.ts'

/** Replaces a list of bookings that could not be loaded. */
export function BookingsFailure({ heading }: { heading: string }) {
  return (
    <LoadFailure
      heading={heading}
      title={BOOKINGS_LOAD_FAILED}
      text="Your bookings are safe. Try again in a moment."
    />
  )
}
