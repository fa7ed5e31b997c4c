import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { LiveDataNote } from '../../../../ui/live-data-note.tsx'
import { Picture, type PictureImage } from '../../../../ui/picture.tsx'
import { useLiveUpdates } from '../../../notifications/browser/use-live-updates.ts'
import { CancelLink } from '../../cancellation/components/cancel-link.tsx'
import { WithdrawButton } from '../../cancellation/components/withdraw-button.tsx'
import { ChangeLink } from '../../changes/components/change-link.tsx'
import { keepTimesWhole } from '../../components/booking-facts.tsx'
import {
  BookingReceipt,
  CalendarLink,
  ReceiptLink,
  VendorContactCard,
} from '../../components/booking-receipt.tsx'
import { nextSentence } from '../../components/booking-status.tsx'
import { DueLinks } from '../../components/due-links.tsx'
import { RefundAccountLink } from '../../components/refund-account-link.tsx'
import { hasEventEnded } from '../../decisions/rules.ts'
import { CONFIRMED, FREE_INSTEAD, STILL_LOOKING } from '../../messages.ts'
import type { Alternative, CustomerBooking } from '../../rules.ts'
import { BookingTimeline } from '../../screens/terms-sections.tsx'
import { OnwardLinks } from '../components/onward-links.tsx'
import '../components/booking-steps.css'
import { BookingNotFound } from '../../components/booking-not-found.tsx'

/** A customer's booking with its live status, receipt and withdrawal. */
export function BookingScreen({
  loaderData: { booking, picture, alternatives, onward, now },
  linkToken,
  documents,
  review,
}: {
  loaderData: {
    booking: CustomerBooking | null
    /** The first picture of its business. */
    picture: PictureImage | null
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
  /** The step to a review, once it can be written. */
  review?: ReactNode
}) {
  useLiveUpdates(booking ? [`booking-${linkToken}`] : [])
  if (!booking) return <BookingNotFound />
  const { stored } = booking
  const isConfirmed = stored.status === 'approved' && !hasEventEnded(booking.event, new Date(now))
  return (
    <div className="page page-column section">
      <title>{`Your booking with ${stored.vendorName}`}</title>
      <div className="grid items-start gap-x-10 gap-y-6 sm:grid-cols-[minmax(0,1fr)_200px]">
        <span className="sm:order-last print:hidden">
          <Picture
            image={picture}
            alt=""
            sizes="(width >= 640px) 200px, 92vw"
            ratio="16 / 9"
            className="rounded-card sm:aspect-square!"
          />
        </span>
        <div className="min-w-0">
          {isConfirmed ? (
            <p className="mb-2 flex items-center gap-2 text-lg font-semibold text-success">
              <Icon name="circle-check" className="size-6" />
              {CONFIRMED}
            </p>
          ) : null}
          <h1>
            <span className="block text-lg leading-snug text-quiet">Your booking with</span>{' '}
            {stored.vendorName}
          </h1>
          <p className="figures mt-4 text-lg font-semibold text-balance">
            <time dateTime={booking.event.from}>{keepTimesWhole(booking.span)}</time>
          </p>
          <p className="mt-1 text-quiet">{booking.place}</p>
        </div>
      </div>
      <p className="lede mt-6 print:mt-3 print:max-w-none [overflow-wrap:anywhere]" aria-live="polite">
        {nextSentence(booking, new Date(now))}
      </p>
      <div className="booking-steps mt-6 print:hidden">
        <RefundAccountLink booking={booking} />
        <DueLinks booking={booking} />
        {review}
        <CalendarLink booking={booking} now={new Date(now)} variant={isConfirmed ? 'brand' : 'secondary'} />
        <ChangeLink booking={booking} now={now} />
        <ReceiptLink booking={booking} />
        {documents}
        <Button onClick={() => window.print()}>Print</Button>
        <WithdrawButton booking={booking} />
        <CancelLink booking={booking} now={now} />
      </div>
      <BookingTimeline booking={booking} now={now} />
      <div className="mt-10 print:mt-4">
        <BookingReceipt booking={booking} />
      </div>
      <FreeInstead alternatives={alternatives} />
      <OnwardLinks heading={STILL_LOOKING} links={onward} />
      <div className="mt-8 print:mt-4">
        <VendorContactCard booking={booking} />
      </div>
      <LiveDataNote />
    </div>
  )
}

/** The businesses that could take the place of one whose vendor has called the booking off. */
function FreeInstead({ alternatives }: { alternatives: readonly Alternative[] }) {
  if (alternatives.length === 0) return null
  return (
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
  )
}
