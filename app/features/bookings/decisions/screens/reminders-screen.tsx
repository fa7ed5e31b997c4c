import { Form, href } from 'react-router'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { SendFailure } from '../../../../ui/send-failure.tsx'
import { BookingNotFound } from '../../components/booking-not-found.tsx'

/** Ends the mails about a coming event when the button is pressed. @param props.booking null for an unknown link */
export function RemindersScreen({
  booking,
  isDone,
}: {
  booking: { vendorName: string; linkToken: string } | null
  isDone: boolean
}) {
  if (!booking) return <BookingNotFound />
  const heading = isDone ? 'No more reminders' : 'Stop the reminders?'
  return (
    <div className="page page-column section">
      <title>{heading}</title>
      <h1>{heading}</h1>
      <p className="lede mt-5 [overflow-wrap:anywhere]" role={isDone ? 'status' : undefined}>
        {isDone
          ? `We won’t email you again that your booking with ${booking.vendorName} is coming up. If something about it changes, we still will.`
          : `We email you six weeks, one week and one day before your booking with ${booking.vendorName}.`}
      </p>
      <Form method="post" className="mt-8 flex flex-wrap items-center gap-3">
        {isDone ? null : (
          <Button type="submit" variant="primary">
            Stop the reminders
          </Button>
        )}
        <ButtonLink to={href('/bookings/:linkToken', { linkToken: booking.linkToken })}>
          See your booking
        </ButtonLink>
        <SendFailure />
      </Form>
    </div>
  )
}
