import { href } from 'react-router'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LiveDataNote } from '../../../ui/live-data-note.tsx'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import {
  BookingReceipt,
  CalendarLink,
  ReceiptLink,
  VendorContactCard,
} from '../components/booking-receipt.tsx'
import { nextSentence } from '../components/booking-status.tsx'
import { WithdrawButton } from '../components/withdraw-button.tsx'
import type { CustomerBooking } from '../rules.ts'

/** A customer's booking with its live status, receipt and withdrawal. */
export function BookingScreen({
  loaderData: { booking },
  linkToken,
}: {
  loaderData: { booking: CustomerBooking | null }
  linkToken: string
}) {
  useLiveUpdates(booking ? [`booking-${linkToken}`] : [])
  if (!booking) {
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
  const { stored } = booking
  return (
    <div className="page page-column section">
      <title>{`Your booking with ${stored.vendorName}`}</title>
      <h1>
        <span className="block text-lg leading-snug text-quiet">Your booking with</span> {stored.vendorName}
      </h1>
      <p className="lede mt-5 [overflow-wrap:anywhere]" aria-live="polite">
        {nextSentence(booking)}
      </p>
      <div className="mt-8 flex flex-wrap gap-3 print:hidden">
        <CalendarLink booking={booking} />
        <ReceiptLink booking={booking} />
        <Button onClick={() => window.print()}>Print</Button>
        <WithdrawButton booking={booking} />
      </div>
      <div className="mt-10">
        <BookingReceipt booking={booking} />
      </div>
      <div className="mt-8">
        <VendorContactCard booking={booking} />
      </div>
      <LiveDataNote />
    </div>
  )
}
