import { Suspense, use, useEffect, useRef, useState } from 'react'
import { href, Link, PrefetchPageLinks, useLocation, useNavigate } from 'react-router'
import { addDays, isLocalDate, isLocalTime, wallTimeAt } from '../../../shared/dates.ts'
import { LOADING_VENDOR_TEXT } from '../../../shared/loading-texts.ts'
import type { Cents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { useDialogs } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LoadingText } from '../../../ui/skeleton.tsx'
import { useMounted } from '../../../ui/use-mounted.ts'
import { useTimeProblem } from '../../availability/browser/use-availability.ts'
import { useAvailabilityNews } from '../../availability/browser/use-availability-news.ts'
import { TimePicker } from '../../availability/components/time-picker.tsx'
import { lengthText } from '../../availability/messages.ts'
import {
  eventMinutesOf,
  eventSpan,
  formatEventSpan,
  MAX_HORIZON_DAYS,
  parseTimeProblem,
  type SlotRequest,
  type TimeProblem,
} from '../../availability/rules.ts'
import { ASK_FOR_QUOTE_TEXT, unitPriceText } from '../../businesses/messages.ts'
import { isBookable, offeredBookingTypes, unitPriceFor } from '../../businesses/rules.ts'
import { agreeTerms, type ListingTerms } from '../../terms/rules.ts'
import {
  type BookingDraftFields,
  bookingDraft,
  bookingQueryDraft,
  parseBookingDraft,
} from '../browser/booking-draft.ts'
import { type HandedBusiness, readHandedBusiness } from '../browser/business-handoff.ts'
import { toHandoff } from '../browser/payment-handoff.ts'
import { useWayBack } from '../browser/use-way-back.ts'
import type { BookableBusiness } from '../checkout-queries.server.ts'
import { BookingAside } from '../components/booking-aside.tsx'
import { totalParts } from '../components/booking-facts.tsx'
import { BookingForm } from '../components/booking-form.tsx'
import {
  BOOKING_NEEDS_SCRIPT,
  BUSINESS_NOT_CHECKED,
  bookTitle,
  VENDOR_FETCH_ERROR,
  VENDOR_NOT_FOUND,
} from '../messages.ts'
import { type BookingFieldErrors, defaultBookingType, maxQuantity } from '../rules.ts'
import { FormTerms } from './terms-sections.tsx'

type Found = BookableBusiness & { prefilled: BookingDraftFields }

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
  return isBookable(found.business) ? <Book key={id} found={found} /> : <PriceOnRequest found={found} />
}

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
          vendor={{ name: handed.name, location: handed.location, picture: handed.pictures[0] ?? null }}
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

function Book({ found, isUnread }: { found: Bookable; isUnread?: boolean }) {
  const { business, timeZone, eventMinutes, maxGuests, days, now, prefilled } = found
  const navigate = useNavigate()
  const location = useLocation()
  const mounted = useMounted()
  // Storage and navigation state exist only in the browser, so the first render has the server's data alone.
  const [restored, setRestored] = useState<{ typed: BookingDraftFields; returned: Returned } | null>(null)
  if (mounted && !restored) {
    const returned = readReturned(location.state)
    const draft = { ...returned.booking, ...bookingDraft(business.id).read() }
    // Another choice on the business's page replaces the earlier one. A reload and the way back keep what was typed.
    const isNew = location.search !== '' && bookingQueryDraft(business.id).read()?.query !== location.search
    const chosen = isNew ? chosenFields(prefilled) : {}
    setRestored({ typed: { ...draft, ...chosen }, returned })
  }
  useEffect(() => {
    if (!restored || location.search === '') return
    bookingQueryDraft(business.id).keep({ query: location.search })
    bookingDraft(business.id).keep(restored.typed)
  }, [business.id, location.search, restored])
  const typed: BookingDraftFields = { ...prefilled, ...restored?.typed }
  const returned = restored?.returned
  const hasMore = restored !== null && (returned?.errors || Object.keys(restored.typed).length > 0)

  const [latest, setLatest] = useState<BookingDraftFields | null>(null)
  const shown = latest ?? typed
  const shownType =
    offeredBookingTypes(business).find((type) => type === shown.bookingType) ?? defaultBookingType(business)
  const unitPrice = unitPriceFor(business, shownType) ?? business.priceCents
  // Once the field was edited, an empty one no longer means the initial 1.
  const quantity = Number(latest ? latest.quantity : (typed.quantity ?? 1))
  const total = totalParts(business, quantity, shownType, maxGuests)
  const length = { bookingType: shownType, quantity: boundedQuantity(shown.quantity, shownType) }
  const slotRequest = readSlotRequest(shown, length)
  const returnedRequest = returned ? readSlotRequest(returned.booking, length) : null
  const news = useAvailabilityNews(business.id, true)
  const timeProblem = useTimeProblem(
    business.id,
    slotRequest,
    returned?.gone && returnedRequest ? { slotRequest: returnedRequest, problem: returned.gone } : null,
    news,
  )
  const eventText =
    slotRequest && !timeProblem && eventMinutes !== null
      ? `${formatEventSpan(eventSpan({ timeZone, eventMinutes }, slotRequest), timeZone)} (${lengthText(eventMinutesOf({ eventMinutes }, slotRequest))})`
      : null

  const terms = slotRequest && !timeProblem && total ? termsOf(found, slotRequest, total.totalCents) : null

  return (
    <Frame
      name={business.name}
      aside={
        <BookingAside
          vendor={{ name: business.name, location: business.location, picture: business.pictures[0] ?? null }}
          date={shown.date}
          time={shown.time}
          price={total?.words ?? unitPriceText(unitPrice, shownType)}
          totalCents={total?.totalCents ?? null}
          compactOnPhone
        />
      }
    >
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
      <BookingForm
        key={hasMore ? 'restored' : 'new'}
        offer={{ ...business, timeZone }}
        days={days}
        now={now}
        maxGuests={maxGuests}
        placeLabel={business.location}
        terms={terms}
        typed={typed}
        serverErrors={returned?.errors ?? null}
        timeProblem={timeProblem}
        eventText={eventText}
        renderPicker={(onPick, fields) => (
          <TimePicker
            businessId={business.id}
            // The number of guests doesn't change the free times.
            length={shownType === 'perHour' ? length : { bookingType: shownType, quantity: 1 }}
            first={days.first}
            last={days.last}
            date={shown.date ?? ''}
            time={shown.time ?? ''}
            event={eventMinutes === null ? null : { timeZone, eventMinutes }}
            news={news}
            onPick={onPick}
          >
            {fields}
          </TimePicker>
        )}
        onTyped={(found) => {
          setLatest(found)
          bookingDraft(business.id).keep(found)
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

/** Renders the terms of a slot request. Null if the server couldn't be asked about the business. */
function termsOf(
  { business: { terms: listing }, timeZone, eventMinutes, payoutTimes, now: loadedAt }: Bookable,
  slotRequest: SlotRequest,
  priceCents: Cents,
): React.ReactNode {
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
  return <FormTerms terms={terms} event={event} now={now} isFarAhead={isFarAhead} />
}

type Returned = { booking: BookingDraftFields; errors: BookingFieldErrors | null; gone: TimeProblem | null }

/**
 * Reads the state that the payment screen hands back: the booking, with the server's errors or a time that is taken.
 */
function readReturned(state: unknown): Returned {
  const { booking, fieldErrors, timeGone } = (typeof state === 'object' && state !== null ? state : {}) as {
    booking?: unknown
    fieldErrors?: BookingFieldErrors
    timeGone?: unknown
  }
  return {
    booking: parseBookingDraft(booking),
    errors: fieldErrors ?? null,
    gone: parseTimeProblem(timeGone),
  }
}

/** The fields that an address can fill in. */
function chosenFields({ date, time, quantity, bookingType }: BookingDraftFields): BookingDraftFields {
  return parseBookingDraft({ date, time, quantity, bookingType })
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

function PriceOnRequest({ found: { business } }: { found: Found }) {
  return (
    <div className="page page-column section">
      <title>{bookTitle(business.name)}</title>
      <h1>{bookTitle(business.name)}</h1>
      <p className="price mt-6 text-2xl">Price on request</p>
      <p className="lede mt-3">
        {business.name} sets a price for each event. Ask for a quote, and book once it suits you.
      </p>
      <p className="mt-8 flex flex-wrap gap-3">
        <ButtonLink variant="primary" to={href('/business/:id/ask', { id: business.id })}>
          {ASK_FOR_QUOTE_TEXT}
        </ButtonLink>
        <ButtonLink to={href('/business/:id', { id: business.id })}>See {business.name}</ButtonLink>
      </p>
    </div>
  )
}

/** Shows an alert when the screen opens, and not again when it renders again. */
function useAlertOnce(text: string, afterwards?: () => void) {
  const { alert } = useDialogs()
  const shown = useRef(false)
  useEffect(() => {
    if (shown.current) return
    shown.current = true
    void alert(text).then(afterwards)
  }, [alert, afterwards, text])
}

/** Alerts, then goes one page back (Specification, section 2). */
function AlertAndBack({ text }: { text: string }) {
  useAlertOnce(text, useWayBack())
  return (
    <>
      <title>{text}</title>
      <EmptyState
        heading="h1"
        title={text}
        text="It may no longer be listed, or the address is mistyped."
        action={
          <Link className="link" to={href('/venues-vendors')}>
            See venues and vendors
          </Link>
        }
      />
    </>
  )
}

/** Shown when the vendor could not be loaded, with another try. */
export function BookFailure() {
  useAlertOnce(VENDOR_FETCH_ERROR)
  return (
    <>
      <title>{VENDOR_FETCH_ERROR}</title>
      <EmptyState
        heading="h1"
        title={VENDOR_FETCH_ERROR}
        text="Your details are saved. Check your connection and try again."
        action={
          <Button variant="brand" onClick={() => window.location.reload()}>
            Try again
          </Button>
        }
      />
    </>
  )
}
