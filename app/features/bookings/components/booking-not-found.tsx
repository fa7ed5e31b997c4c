import { href } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'

/** The page of a booking's link that leads to no booking. */
export function BookingNotFound() {
  return (
    <>
      <title>Booking not found</title>
      <EmptyState
        heading="h1"
        title="There is no booking at this address"
        text="Open the link in your email again. It may have been cut off. If that doesn’t help, we can look it up for you."
        action={<ButtonLink to={href('/advice-support')}>Advice and support</ButtonLink>}
      />
    </>
  )
}
