import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import type { PictureImage } from '../../../ui/picture.tsx'
import { Tag } from '../../../ui/tag.tsx'
import type { ListedBooking } from '../booking-queries.server.ts'
import { OPERATIONS_ZONE } from '../messages.ts'
import type { OperatorPayment } from '../payment-queries.server.ts'
import { type Pictures, RowPicture } from './list-parts.tsx'
import { PaymentTags } from './payment-tags.tsx'

const time = (iso: string) => formatInstant(new Date(iso), OPERATIONS_ZONE)

/** A row of a list with a small picture: dense on wide screens, its facts below each other on a phone. */
export function ListRow({
  image,
  aside,
  children,
}: {
  image: PictureImage | null | undefined
  /** The content at the right, such as an amount and a time. */
  aside?: ReactNode
  children: ReactNode
}) {
  return (
    <li className="relative grid grid-cols-[48px_minmax(0,1fr)] gap-x-4 border-b border-line py-3.5 sm:grid-cols-[64px_minmax(0,1fr)]">
      <RowPicture image={image} />
      <div className="flex min-w-0 flex-wrap items-start justify-between gap-x-6 gap-y-1.5">
        <div className="min-w-0 grow basis-72">{children}</div>
        {aside ? (
          <div className="flex flex-wrap items-baseline gap-x-4 sm:flex-col sm:items-end">{aside}</div>
        ) : null}
      </div>
    </li>
  )
}

/** The actions of a row, side by side. An opened form takes the whole width. */
export function RowActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3.5 sm:gap-x-6 [&>details]:w-auto [&>details[open]]:basis-full">
      {children}
    </div>
  )
}

/** Payments, each leading to its own page. */
export function PaymentRows({
  payments,
  pictures,
  provider,
  heading: Heading = 'h2',
}: {
  payments: readonly OperatorPayment[]
  pictures: Pictures
  /** The provider in the settings. */
  provider: string
  heading?: 'h2' | 'h3'
}) {
  return (
    <ul className="mt-6 border-t border-line">
      {payments.map((payment) => (
        <ListRow
          key={payment.id}
          image={pictures[payment.businessId]}
          aside={
            <>
              <p className="price figures">{formatMoney(payment.amountCents)}</p>
              <p className="figures text-sm text-quiet">{time(payment.createdAt)}</p>
            </>
          }
        >
          <Heading className="text-base [overflow-wrap:anywhere]">
            <Link className="cover-link" to={href('/operations/payments/:id', { id: payment.id })}>
              {payment.businessName}
            </Link>
          </Heading>
          <p className="text-sm [overflow-wrap:anywhere]">
            {payment.customerName}, {payment.email}
          </p>
          <div className="mt-2">
            <PaymentTags payment={payment} provider={provider} />
          </div>
          {payment.lastError ? <p className="mt-2 text-sm text-quiet">{payment.lastError}</p> : null}
        </ListRow>
      ))}
    </ul>
  )
}

/** Bookings, each leading to the page of its payment. */
export function BookingRows({
  bookings,
  pictures,
  now,
  heading: Heading = 'h2',
}: {
  bookings: readonly ListedBooking[]
  pictures: Pictures
  /** ISO 8601. */
  now: string
  heading?: 'h2' | 'h3'
}) {
  return (
    <ul className="mt-6 border-t border-line">
      {bookings.map((booking) => {
        const isOverdue = booking.decideBy !== null && booking.decideBy < now
        return (
          <ListRow
            key={booking.id}
            image={pictures[booking.businessId]}
            aside={
              <>
                <p className="price figures">{formatMoney(booking.amountCents)}</p>
                <p className="figures text-sm text-quiet">{time(booking.createdAt)}</p>
              </>
            }
          >
            <Heading className="text-base [overflow-wrap:anywhere]">
              <Link className="cover-link" to={href('/operations/payments/:id', { id: booking.paymentId })}>
                {booking.businessName}
              </Link>
            </Heading>
            <p className="text-sm [overflow-wrap:anywhere]">
              {booking.customerName}, {booking.email}
            </p>
            <p className="figures text-sm text-quiet">{booking.span}</p>
            <p className="mt-2 flex flex-wrap gap-2">
              {isOverdue ? <Tag tone="error">answer overdue</Tag> : null}
              <Tag tone={booking.status === 'approved' ? 'success' : 'neutral'}>{booking.status}</Tag>
              {booking.paymentStatus === 'paid' ? null : <Tag tone="glow">{booking.paymentStatus}</Tag>}
            </p>
            {booking.decideBy ? (
              <p className="figures mt-1.5 text-sm text-quiet">
                {isOverdue ? 'The answer was due' : 'The vendor can answer until'} {time(booking.decideBy)}
              </p>
            ) : null}
          </ListRow>
        )
      })}
    </ul>
  )
}
