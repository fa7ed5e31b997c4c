import { href } from 'react-router'
import { formatMoney } from '../../../shared/money.ts'
import { isPlaceholderEmail } from '../../../shared/placeholder-email.ts'
import { ButtonLink, buttonClass } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { paidCentsOf, returnedCentsOf } from '../../sales/amount-rules.ts'
import { dueText, PAID_NOW, STILL_DUE, TAKEN_OFF } from '../../terms/timeline-messages.ts'
import { RETURNED_BY_BANK } from '../bank-messages.ts'
import { hasEventEnded } from '../decisions/rules.ts'
import { type CustomerBooking, endRefundCentsOf } from '../rules.ts'
import { isCalledOff } from '../status-rules.ts'
import { Fact, keepTimesWhole, quantityText } from './booking-facts.tsx'
import { PaymentStatusTag, StatusTag, shownAmount } from './booking-status.tsx'

/** The facts of a paid booking for its customer, on screen and in print. */
export function BookingReceipt({ booking }: { booking: CustomerBooking }) {
  const { stored, place, terms, due } = booking
  const returnedCents = returnedCentsOf(booking.bank)
  return (
    <dl className="border-t border-line print:grid print:grid-cols-2 print:gap-x-8">
      <Fact label="Status">
        <StatusTag status={stored.status} cancellation={booking.cancellation} />
      </Fact>
      <Fact label="With">{stored.vendorName}</Fact>
      <Fact label="When">
        <time dateTime={booking.event.from}>{keepTimesWhole(booking.span)}</time>
      </Fact>
      <Fact label="Where">{place}</Fact>
      <Fact label="For">{quantityText(stored.quantity, stored.bookingType)}</Fact>
      {booking.stated.map(({ label, text }) => (
        <Fact key={label} label={label}>
          {text}
        </Fact>
      ))}
      <Fact label="Booked by">
        {stored.customerName}
        <br />
        <span className="font-normal text-quiet">
          {stored.email}
          <br />
          {stored.phone}
        </span>
      </Fact>
      <Fact label="Payment">
        <PaymentStatusTag booking={booking} />
      </Fact>
      <Fact label="Total">
        <span className="price text-xl">{shownAmount(stored.totalPrice)}</span>
      </Fact>
      {booking.takenOffCents > 0 ? <Fact label={TAKEN_OFF}>{formatMoney(booking.takenOffCents)}</Fact> : null}
      {booking.cancellation && stored.status === 'withdrawn' ? (
        <>
          <Fact label="Refund">
            {formatMoney(returnedCents > 0 ? endRefundCentsOf(booking) : booking.cancellation.refundCents)}
          </Fact>
          <Fact label="Kept by the vendor">
            {formatMoney(Math.min(booking.cancellation.keptCents, booking.leftCents))}
          </Fact>
        </>
      ) : null}
      {returnedCents > 0 ? <Fact label={RETURNED_BY_BANK}>{formatMoney(returnedCents)}</Fact> : null}
      {terms && due ? (
        <>
          <Fact label={PAID_NOW}>{formatMoney(paidCentsOf(terms))}</Fact>
          <Fact label={STILL_DUE}>{dueText({ ...due, at: new Date(due.at) }, booking.timeZone)}</Fact>
        </>
      ) : null}
      <Fact label="Reference">
        <span className="text-sm">{stored.paymentId}</span>
      </Fact>
    </dl>
  )
}

/** The way to the vendor, for a customer who has paid (Decision 20): a message first, which has the booking with it. */
export function VendorContactCard({ booking }: { booking: CustomerBooking }) {
  const { contact, stored } = booking
  if (!contact) return null
  return (
    <section
      aria-label="Contact the vendor"
      className="rounded-card bg-brand-soft p-5 md:p-6 print:bg-transparent print:p-0"
    >
      <h2 className="text-lg">Questions for {stored.vendorName}?</h2>
      {contact.name === stored.vendorName ? null : (
        <p className="mt-1 text-sm text-quiet">Ask {contact.name}.</p>
      )}
      <ButtonLink
        className="mt-4 print:hidden"
        to={href('/bookings/:linkToken/message', { linkToken: linkTokenOf(booking) })}
      >
        Message {stored.vendorName}
      </ButtonLink>
      {/* Paper can't be unfolded. */}
      <p className="hidden print:block">
        {[contact.phone, isPlaceholderEmail(contact.email) ? null : contact.email].filter(Boolean).join(', ')}
      </p>
      <details className="mt-2 print:hidden">
        <summary className="link inline-flex min-h-11 cursor-pointer items-center">Phone and email</summary>
        <ul className="grid gap-1">
          {contact.phone ? (
            <li>
              <a
                className="link inline-flex min-h-11 items-center gap-3"
                href={`tel:${contact.phone.replace(/\s/g, '')}`}
              >
                <Icon name="phone" className="size-5" />
                {contact.phone}
              </a>
            </li>
          ) : null}
          {isPlaceholderEmail(contact.email) ? null : (
            <li>
              <a
                className="link inline-flex min-h-11 items-center gap-3 [overflow-wrap:anywhere]"
                href={`mailto:${contact.email}`}
              >
                <Icon name="mail" className="size-5 flex-none" />
                {contact.email}
              </a>
            </li>
          )}
        </ul>
      </details>
    </section>
  )
}

/** Downloads the event as an iCalendar file. Renders nothing for a declined or withdrawn booking. */
export function CalendarLink({
  booking,
  now,
  variant = 'secondary',
}: {
  booking: CustomerBooking
  now: Date
  variant?: 'brand' | 'secondary'
}) {
  const { status } = booking.stored
  if (isCalledOff(status) || hasEventEnded(booking.event, now)) return null
  return (
    <a className={buttonClass({ variant })} href={`${booking.link}/calendar.ics`} download>
      <Icon name="calendar-plus" />
      Add to calendar
    </a>
  )
}

/** Opens the receipt as a PDF, whatever the booking's status. */
export function ReceiptLink({ booking }: { booking: CustomerBooking }) {
  return (
    <a
      className={buttonClass({ variant: 'secondary' })}
      href={`${booking.link}/receipt.pdf`}
      target="_blank"
      rel="noreferrer"
    >
      <Icon name="file-text" />
      Receipt (PDF)
    </a>
  )
}

/** The token of a booking's link, for subscribing to its changes. */
export function linkTokenOf(booking: CustomerBooking): string {
  return booking.link.split('/').at(-1) ?? ''
}
