import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { LiveDataNote } from '../../../../ui/live-data-note.tsx'
import { useLiveUpdates } from '../../../notifications/browser/use-live-updates.ts'
import { CancelLink } from '../../cancellation/components/cancel-link.tsx'
import { WithdrawButton } from '../../cancellation/components/withdraw-button.tsx'
import { ChangeLink } from '../../changes/components/change-link.tsx'
import {
  BookingReceipt,
  CalendarLink,
  ReceiptLink,
  VendorContactCard,
} from '../../components/booking-receipt.tsx'
import { nextSentence } from '../../components/booking-status.tsx'
import { DueLinks } from '../../components/due-links.tsx'
import { RefundAccountLink } from '../../components/refund-account-link.tsx'
import { FREE_INSTEAD, STILL_LOOKING } from '../../messages.ts'
import type { Alternative, CustomerBooking } from '../../rules.ts'
import { BookingTimeline } from '../../screens/terms-sections.tsx'
import { OnwardLinks } from '../components/onward-links.tsx'

/** A customer's booking with its live status, receipt and withdrawal. */
export function BookingScreen({
  loaderData: { booking, alternatives, onward, now },
  linkToken,
  documents,
}: {
  loaderData: {
    booking: CustomerBooking | null
    /** Businesses that could take the place of one whose vendor has called the booking off. */
    alternatives: readonly Alternative[]
    /** Searches for the same day, once the booking won't take place. */
    onward: readonly { text: string; to: string }[]
    /** ISO 8601, UTC. */
    now: string
  }
  linkToken: string
  /** Links to its invoices. */
  documents: ReactNode
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
        {nextSentence(booking, new Date(now))}
      </p>
      <div className="mt-8 flex flex-wrap gap-3 print:hidden">
        <RefundAccountLink booking={booking} />
        <DueLinks booking={booking} />
        <CalendarLink booking={booking} now={new Date(now)} />
        <ReceiptLink booking={booking} />
        {documents}
        <Button onClick={() => window.print()}>Print</Button>
        <ChangeLink booking={booking} now={now} />
        <WithdrawButton booking={booking} />
        <CancelLink booking={booking} now={now} />
      </div>
      <BookingTimeline booking={booking} now={now} />
      <div className="mt-10">
        <BookingReceipt booking={booking} />
      </div>
      {alternatives.length > 0 ? (
        <section className="mt-8">
          <h2 className="text-lg">{FREE_INSTEAD}</h2>
          <ul className="mt-2">
            {alternatives.map(({ id, name, location }) => (
              <li key={id}>
                <Link className="link inline-flex min-h-11 items-center" to={href('/business/:id', { id })}>
                  {name}, {location}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <OnwardLinks heading={STILL_LOOKING} links={onward} />
      <div className="mt-8">
        <VendorContactCard booking={booking} />
      </div>
      <LiveDataNote />
    </div>
  )
}
