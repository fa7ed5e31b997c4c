import type { ReactNode } from 'react'
import { formatDay } from '../../../../shared/dates.ts'
import { formatMoney } from '../../../../shared/money.ts'
import { ButtonLink } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { Picture, type PictureImage } from '../../../../ui/picture.tsx'
import { WithdrawButton } from '../../cancellation/components/withdraw-button.tsx'
import { keepTimesWhole, quantityText, withDots } from '../../components/booking-facts.tsx'
import { CalendarLink } from '../../components/booking-receipt.tsx'
import { ListedPaymentTag, nextSentence, StatusTag, shownAmount } from '../../components/booking-status.tsx'
import { DueLinks } from '../../components/due-links.tsx'
import { takenOffText } from '../../messages.ts'
import type { CustomerBooking } from '../../rules.ts'
import { isCalledOff } from '../../status-rules.ts'
import {
  dayMoneyText,
  nextStepDay,
  nextStepText,
  PAID_SO_FAR,
  STILL_TO_PAY,
  WHAT_COMES_NEXT,
} from '../my-bookings-messages.ts'
import { type ComingUp, groupByDay, spentAndDue } from '../my-bookings-rules.ts'
import { ShowMore } from './show-more.tsx'

/** The payments for a customer's coming bookings, the rest that is due, and the next steps. Renders nothing without bookings. */
export function ComingUpSummary({ summary }: { summary: ComingUp | null }) {
  if (!summary) return null
  const { spentCents, dueCents, steps } = summary
  return (
    <div className="mt-8 grid gap-x-14 gap-y-7 border-t border-line pt-6 print:mt-2 print:gap-y-3 print:pt-2 lg:grid-cols-[auto_minmax(0,1fr)]">
      <dl className="flex flex-wrap gap-x-10 gap-y-4 lg:grid lg:content-start">
        {[
          { name: PAID_SO_FAR, cents: spentCents },
          { name: STILL_TO_PAY, cents: dueCents },
        ].map(({ name, cents }) => (
          <div key={name}>
            <dt className="text-sm text-quiet">{name}</dt>
            <dd className="price text-2xl">{formatMoney(cents)}</dd>
          </div>
        ))}
      </dl>
      <div className="min-w-0">
        <h2 className="text-lg">{WHAT_COMES_NEXT}</h2>
        <dl className="mt-3 grid gap-y-3">
          {steps.map((step) => (
            <div
              key={`${step.kind} ${step.booking.id}`}
              className="grid gap-x-6 gap-y-0.5 sm:grid-cols-[15rem_minmax(0,1fr)]"
            >
              <dt className="figures font-semibold">{nextStepDay(step)}</dt>
              <dd className="[overflow-wrap:anywhere]">{nextStepText(step)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  )
}

/** A customer's bookings under a heading, grouped by the day of their event. Renders nothing when there are none. */
export function CustomerBookings({
  heading,
  bookings,
  pictures,
  withMoney,
  more,
  timeline,
  further,
  isScreenOnly = false,
  now,
}: {
  heading: string
  bookings: readonly CustomerBooking[]
  /** The first picture of each business that has one. */
  pictures: Readonly<Record<string, PictureImage>>
  /** Whether each day says what it costs. */
  withMoney?: boolean
  /** The link to more of them, with how many aren't shown. */
  more?: { rest: number; to: string }
  /** The line of a booking's payments. */
  timeline?: (booking: CustomerBooking) => ReactNode
  /** Further actions for a booking, after its own buttons. */
  further?: (booking: CustomerBooking) => ReactNode
  /** Left out on paper, where only what comes counts. */
  isScreenOnly?: boolean
  now: Date
}) {
  if (bookings.length === 0) return null
  return (
    <section
      className={classNames('mt-12 print:mt-4 print:break-inside-auto!', isScreenOnly && 'print:hidden')}
    >
      <h2 className="text-xl">{heading}</h2>
      <div className="print:columns-2 print:gap-x-8">
        {groupByDay(bookings).map(({ date, bookings: ofDay }) => (
          <div
            key={date}
            className="mt-5 border-t border-line pt-5 print:mt-2 print:break-inside-avoid print:pt-2"
          >
            <div className="flex items-center gap-4">
              <DateLeaf date={date} />
              <div className="min-w-0">
                <h3 className="text-lg">{formatDay(date)}</h3>
                {withMoney ? (
                  <p className="figures text-sm text-quiet">{dayMoneyText(spentAndDue(ofDay))}</p>
                ) : null}
              </div>
            </div>
            <ul>
              {ofDay.map((booking) => (
                <CustomerBookingItem
                  key={booking.id}
                  booking={booking}
                  picture={pictures[booking.stored.vendorId] ?? null}
                  timeline={timeline?.(booking)}
                  further={further?.(booking)}
                  now={now}
                />
              ))}
            </ul>
          </div>
        ))}
      </div>
      {more ? <ShowMore {...more} /> : null}
    </section>
  )
}

function CustomerBookingItem({
  booking,
  picture,
  timeline,
  further,
  now,
}: {
  booking: CustomerBooking
  picture: PictureImage | null
  timeline: ReactNode
  further: ReactNode
  now: Date
}) {
  const { stored, place } = booking
  return (
    <li className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-4 gap-y-4 py-5 sm:grid-cols-[184px_minmax(0,1fr)] sm:gap-x-7 print:block! print:py-2 [&+li]:border-t [&+li]:border-line">
      <Picture
        image={picture}
        alt=""
        sizes="(width >= 640px) 184px, 88px"
        ratio="4 / 3"
        className={`h-fit rounded-card sm:row-span-2 print:hidden! ${isCalledOff(stored.status) ? 'opacity-60' : ''}`}
      />
      <div className="min-w-0">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <h4 className="min-w-0 text-lg leading-tight [overflow-wrap:anywhere]">{stored.vendorName}</h4>
          <p className="flex flex-wrap gap-2">
            <StatusTag status={stored.status} cancellation={booking.cancellation} />
            <ListedPaymentTag booking={booking} />
          </p>
        </div>
        <p className="figures mt-1 text-balance">
          <time dateTime={booking.event.from}>{keepTimesWhole(booking.span)}</time>
        </p>
        <p className="figures text-sm text-quiet">
          {withDots([
            place,
            quantityText(stored.quantity, stored.bookingType),
            shownAmount(stored.totalPrice),
            takenOffText(booking.takenOffCents),
          ])}
        </p>
      </div>
      <div className="col-span-2 min-w-0 sm:col-span-1 sm:col-start-2">
        <p className="max-w-prose text-sm [overflow-wrap:anywhere]">{nextSentence(booking, now)}</p>
        {timeline}
        <div className="mt-4 flex flex-wrap gap-3 print:hidden">
          <DueLinks booking={booking} />
          <ButtonLink to={booking.link}>Details</ButtonLink>
          <CalendarLink booking={booking} now={now} />
          <WithdrawButton booking={booking} />
          {further}
        </div>
      </div>
    </li>
  )
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The day as a leaf of a calendar. Decorative, since the text beside it has the date. */
export function DateLeaf({ date }: { date: string }) {
  const [year, month, day] = date.split('-').map(Number)
  return (
    <div
      aria-hidden="true"
      className="figures hidden h-fit w-[76px] flex-none overflow-hidden rounded-card border border-line bg-surface text-center sm:block print:hidden!"
    >
      <span className="block bg-brand py-1 text-xs font-semibold text-on-brand">
        {MONTHS[(month ?? 1) - 1]} {year}
      </span>
      <span className="block py-2 font-display text-2xl">{day}</span>
    </div>
  )
}
