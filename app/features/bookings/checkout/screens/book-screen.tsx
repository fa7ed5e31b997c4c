import { type ComponentProps, Suspense, use, useMemo, useState } from 'react'
import { href, Link, PrefetchPageLinks, useLocation, useNavigate } from 'react-router'
import { addDays, isLocalDate, isLocalTime, wallTimeAt } from '../../../../shared/dates.ts'
import { LOADING_VENDOR_TEXT } from '../../../../shared/loading-texts.ts'
import type { Cents } from '../../../../shared/money.ts'
import { formatEventSpan } from '../../../../shared/time-span.ts'
import { Banner } from '../../../../ui/banner.tsx'
import { LoadingText } from '../../../../ui/skeleton.tsx'
import { useMounted } from '../../../../ui/use-mounted.ts'
import { useTimeProblem } from '../../../availability/browser/use-availability.ts'
import { useAvailabilityNews } from '../../../availability/browser/use-availability-news.ts'
import { TimePicker } from '../../../availability/components/time-picker.tsx'
import { lengthText } from '../../../availability/messages.ts'
import {
  eventMinutesOf,
  eventSpan,
  MAX_HORIZON_DAYS,
  type SlotLength,
  type SlotRequest,
} from '../../../availability/rules.ts'
import { periodAsked, readAsked } from '../../../businesses/asked-rules.ts'
import { unitPriceText } from '../../../businesses/messages.ts'
import { isBookable, offeredBookingTypes, unitPriceFor } from '../../../businesses/rules.ts'
import { maxQuantity } from '../../../pricing/rules.ts'
import { payTodayText } from '../../../terms/deposit-messages.ts'
import { depositOf, depositOfTerms } from '../../../terms/deposit-rules.ts'
import { agreeTerms, type ListingTerms } from '../../../terms/rules.ts'
import { totalParts } from '../../components/booking-facts.tsx'
import { defaultBookingType } from '../../form-rules.ts'
import {
  BOOKING_NEEDS_SCRIPT,
  BUSINESS_NOT_CHECKED,
  bookedForText,
  bookTitle,
  SEE_YOUR_BOOKING,
  VENDOR_NOT_FOUND,
} from '../../messages.ts'
import { FormTerms } from '../../screens/terms-sections.tsx'
import { type BookingDraftFields, bookingDraft, parseBookingDraft } from '../browser/booking-draft.ts'
import { type HandedBusiness, readHandedBusiness } from '../browser/business-handoff.ts'
import { toHandoff } from '../browser/payment-handoff.ts'
import { type ReturnedBooking, useRestoredBooking } from '../browser/use-restored-booking.ts'
import { BookingAside } from '../components/booking-aside.tsx'
import { BookingForm } from '../components/booking-form.tsx'
import type { BookableBusiness } from '../queries.server.ts'
import { AlertAndBack, PriceOnRequest } from './book-sections.tsx'

type Found = BookableBusiness & {
  prefilled: BookingDraftFields
  /** The booking that this browser has just paid for, with the business. */
  booked: { date: string; link: string } | null
}

/** The business; null when it can't be booked. */
type BookAnswer = { found: Found | null }

/** The business as the form needs it. Without the server's response its zone, event lengths and terms are unknown. */
type Bookable = Omit<Found, 'business' | 'eventMinutes'> & {
  business: HandedBusiness & { terms?: ListingTerms }
  eventMinutes: Found['eventMinutes'] | null
}

/** The zone in Australia where each day begins last. By its clock no future event counts as past. */
const LATEST_ZONE = 'Australia/Perth'

/**
 * A handed business that the server could not be asked about. The server checks price and time on the way to payment.
 */
function unreadBookable(business: HandedBusiness): Bookable {
  const now = new Date()
  const first = wallTimeAt(now, LATEST_ZONE).date
  return {
    business,
    timeZone: LATEST_ZONE,
    eventMinutes: null,
    maxGuests: null,
    days: { first, last: addDays(first, MAX_HORIZON_DAYS) },
    now: now.toISOString(),
    payoutTimes: null,
    prefilled: {},
    booked: null,
  }
}

/** `pending` after a navigation inside the site, so that the screen shows before the server has responded. */
type BookData = BookAnswer | { pending: Promise<BookAnswer | { found: null; unread: unknown }> }

/** The booking form of one business. It shows at once with the data that the previous page handed over. */
export function BookScreen({ loaderData, id }: { loaderData: BookData; id: string }) {
  const { state } = useLocation()
  const mounted = useMounted()
  const handed = mounted ? readHandedBusiness(state, id) : null
  return (
    <Suspense key={id} fallback={<Arriving handed={handed} />}>
      <Arrived loaderData={loaderData} handed={handed} id={id} />
    </Suspense>
  )
}

/** The screen once the server has responded: the form, or why this business can't be booked. */
function Arrived({
  loaderData,
  handed,
  id,
}: {
  loaderData: BookData
  handed: HandedBusiness | null
  id: string
}) {
  const answer = 'pending' in loaderData ? use(loaderData.pending) : loaderData
  if ('unread' in answer) {
    if (!handed || !isBookable(handed)) throw answer.unread
    return <Book key={id} found={unreadBookable(handed)} isUnread />
  }
  const { found } = answer
  if (!found) return <AlertAndBack text={VENDOR_NOT_FOUND} />
  return isBookable(found.business) ? (
    <Book key={id} found={found} />
  ) : (
    <PriceOnRequest business={found.business} />
  )
}

/** The vendor as the price beside the form shows them. */
const vendorOf = ({ name, location, pictures }: HandedBusiness) => ({
  name,
  location,
  picture: pictures[0] ?? null,
})

/** The screen until the server has responded: what is known of the business already. */
function Arriving({ handed }: { handed: HandedBusiness | null }) {
  if (!handed) {
    return (
      <>
        <title>{LOADING_VENDOR_TEXT}</title>
        <LoadingText heading="Booking">{LOADING_VENDOR_TEXT}</LoadingText>
      </>
    )
  }
  return (
    <Frame
      name={handed.name}
      aside={
        <BookingAside
          vendor={vendorOf(handed)}
          price={unitPriceText(handed.priceCents, handed.priceUnit)}
          totalCents={null}
          compactOnPhone
        />
      }
    >
      <LoadingText>{LOADING_VENDOR_TEXT}</LoadingText>
    </Frame>
  )
}

/** The title, and the form beside the booking's price. */
function Frame({
  name,
  aside,
  children,
}: {
  name: string
  aside: React.ReactNode
  children: React.ReactNode
}) {
  return (
    <div className="page pt-8 pb-16 md:pt-14 md:pb-24">
      <title>{bookTitle(name)}</title>
      <h1 className="max-w-[18ch] [overflow-wrap:anywhere]">{bookTitle(name)}</h1>
      <div className="mt-6 grid items-start gap-8 md:mt-10 md:grid-cols-[minmax(0,1fr)_280px] md:gap-12 lg:grid-cols-[minmax(0,640px)_360px] lg:justify-between">
        <div className="md:order-last md:self-stretch">{aside}</div>
        <div className="min-w-0">{children}</div>
      </div>
    </div>
  )
}

/** The booking form, beside its price and total, which follow what is typed. */
function Book({ found, isUnread }: { found: Bookable; isUnread?: boolean }) {
  const { business, timeZone, maxGuests, prefilled } = found
  const navigate = useNavigate()
  const { search } = useLocation()
  const mounted = useMounted()
  const { typed, returned, isRestored } = useRestoredBooking(business.id, prefilled)
  const [latest, setLatest] = useState<BookingDraftFields | null>(null)
  const shown = latest ?? typed
  const type =
    offeredBookingTypes(business).find((each) => each === shown.bookingType) ?? defaultBookingType(business)
  // Once the field was edited, an empty one no longer means the initial 1.
  const quantity = Number(latest ? latest.quantity : (typed.quantity ?? 1))
  const total = totalParts(business, quantity, type, maxGuests)
  const length = { bookingType: type, quantity: boundedQuantity(shown.quantity, type) }
  const { freeSlot, timeProblem, news } = useSlot(business.id, { shown, length, returned })
  const agreed = freeSlot && total ? agreedOf(found, freeSlot, total.totalCents) : null
  const period = periodAsked(readAsked(search))
  const payText = total && payTextOf(found, { agreed, shown, period, totalCents: total.totalCents })
  return (
    <Frame
      name={business.name}
      aside={
        <BookingAside
          vendor={vendorOf(business)}
          date={shown.date}
          time={shown.time}
          price={total?.words ?? unitPriceText(unitPriceFor(business, type) ?? business.priceCents, type)}
          totalCents={total?.totalCents ?? null}
          payText={payText}
          compactOnPhone
        />
      }
    >
      <BookNotes isUnread={isUnread} booked={found.booked} />
      <BookingForm
        key={isRestored ? 'restored' : 'new'}
        offer={{ ...business, timeZone }}
        days={found.days}
        now={found.now}
        maxGuests={maxGuests}
        placeLabel={business.location}
        terms={agreed && <FormTerms {...agreed} />}
        payText={payText}
        typed={typed}
        serverErrors={returned?.errors ?? null}
        timeProblem={timeProblem}
        eventText={freeSlot && eventTextOf(found, freeSlot)}
        renderPicker={(onPick, fields) => (
          <SlotPicker found={found} shown={shown} length={length} news={news} onPick={onPick}>
            {fields}
          </SlotPicker>
        )}
        onTyped={(fields) => {
          setLatest(fields)
          bookingDraft(business.id).keep(fields)
        }}
        onProceed={(booking, totalCents) => {
          bookingDraft(business.id).keep(parseBookingDraft(booking))
          void navigate(href('/payment'), { state: toHandoff(booking, totalCents, business) })
        }}
      />
      {/* With its script prefetched, the payment screen can report a lost connection. */}
      {mounted ? <PrefetchPageLinks page={href('/payment')} /> : null}
    </Frame>
  )
}

/** The notes above the form: without JavaScript, where the server couldn't be asked about the business, and once it is booked. */
function BookNotes({ isUnread, booked }: { isUnread: boolean | undefined } & Pick<Bookable, 'booked'>) {
  return (
    <>
      <noscript>
        <div className="mb-8">
          <Banner>{BOOKING_NEEDS_SCRIPT}</Banner>
        </div>
      </noscript>
      {isUnread ? (
        <div className="mb-8">
          <Banner>{BUSINESS_NOT_CHECKED}</Banner>
        </div>
      ) : null}
      {booked ? (
        <div className="mb-8">
          <Banner tone="success">
            {bookedForText(booked.date)}{' '}
            <Link className="link" to={booked.link}>
              {SEE_YOUR_BOOKING}
            </Link>
          </Banner>
        </div>
      ) : null}
    </>
  )
}

/** The free days and times, around the fields that they fill in. */
function SlotPicker({
  found: { business, timeZone, eventMinutes, days },
  shown,
  length,
  news,
  onPick,
  children,
}: {
  found: Bookable
  shown: BookingDraftFields
  length: SlotLength
} & Pick<ComponentProps<typeof TimePicker>, 'news' | 'onPick' | 'children'>) {
  const { search } = useLocation()
  const period = useMemo(() => periodAsked(readAsked(search)), [search])
  return (
    <TimePicker
      businessId={business.id}
      // The number of guests doesn't change the free times.
      length={length.bookingType === 'perHour' ? length : { ...length, quantity: 1 }}
      first={days.first}
      last={days.last}
      date={shown.date ?? ''}
      time={shown.time ?? ''}
      period={period}
      event={eventMinutes === null ? null : { timeZone, eventMinutes }}
      news={news}
      onPick={onPick}
    >
      {children}
    </TimePicker>
  )
}

/**
 * Checks the time that the form asks for.
 * @param options.returned the booking that the payment screen has handed back, with a time that was taken
 * @returns `freeSlot`: the slot request, unless it is incomplete or has a problem; `news`: changes with the free times
 */
function useSlot(
  businessId: string,
  {
    shown,
    length,
    returned,
  }: { shown: BookingDraftFields; length: SlotLength; returned: ReturnedBooking | null },
) {
  const slotRequest = readSlotRequest(shown, length)
  const returnedRequest = returned && readSlotRequest(returned.booking, length)
  const news = useAvailabilityNews(businessId, true)
  const timeProblem = useTimeProblem(
    businessId,
    slotRequest,
    returned?.gone && returnedRequest ? { slotRequest: returnedRequest, problem: returned.gone } : null,
    news,
  )
  return { freeSlot: timeProblem ? null : slotRequest, timeProblem, news }
}

/** The event's time in words, with its length; null while the length is unknown. */
function eventTextOf({ timeZone, eventMinutes }: Bookable, slotRequest: SlotRequest): string | null {
  if (eventMinutes === null) return null
  const span = formatEventSpan(eventSpan({ timeZone, eventMinutes }, slotRequest), timeZone)
  return `${span} (${lengthText(eventMinutesOf({ eventMinutes }, slotRequest))})`
}

/** The terms of a slot request. Null if the server couldn't be asked about the business. */
function agreedOf(
  { business: { terms: listing }, timeZone, eventMinutes, payoutTimes, now: loadedAt }: Bookable,
  slotRequest: SlotRequest,
  priceCents: Cents,
): ComponentProps<typeof FormTerms> | null {
  if (!listing || eventMinutes === null) return null
  const { date, time } = slotRequest
  const event = { date, time, timeZone }
  const now = new Date(loadedAt)
  const { from, until } = eventSpan({ timeZone, eventMinutes }, slotRequest)
  if (from <= now) return null
  const terms = agreeTerms({
    listing,
    priceCents,
    event,
    releasedAt: new Date(until.getTime() + (payoutTimes?.delayMs ?? 0)),
    now,
    holdLimitMs: payoutTimes?.holdLimitMs ?? null,
  })
  const isFarAhead = listing.plan.kind === 'full' && terms.instalments.length > 1
  return { terms, event, now, isFarAhead }
}

/**
 * The part of the total that is paid today, in words; null for the whole total.
 * @param about.agreed the exact terms, once the event's time is chosen
 */
function payTextOf(
  { business: { terms: listing }, payoutTimes, now }: Bookable,
  {
    agreed,
    shown,
    period,
    totalCents,
  }: {
    agreed: ReturnType<typeof agreedOf>
    shown: BookingDraftFields
    period: ReturnType<typeof periodAsked>
    totalCents: Cents
  },
): string | null {
  const { date = '' } = shown
  const deposit = agreed
    ? depositOfTerms(agreed.terms, agreed.event.timeZone)
    : listing &&
      depositOf({
        plan: listing.plan,
        priceCents: totalCents,
        event: { date: isLocalDate(date) ? date : '', time: '' },
        period,
        payoutTimes,
        now: new Date(now),
      })
  return deposit ? payTodayText(deposit) : null
}

/** The typed quantity if it is valid, else 1. */
function boundedQuantity(typed: string | undefined, type: SlotRequest['bookingType']): number {
  const quantity = Number(typed ?? 1)
  return Number.isInteger(quantity) && quantity >= 1 && quantity <= maxQuantity(type) ? quantity : 1
}

/** The slot request so far; null while date or time is missing. */
function readSlotRequest(
  { date = '', time = '' }: BookingDraftFields,
  length: Pick<SlotRequest, 'bookingType' | 'quantity'>,
) {
  return isLocalDate(date) && isLocalTime(time) ? { date, time, ...length } : null
}
