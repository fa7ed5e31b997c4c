import { data, href } from 'react-router'
import type { CalendarEntry } from '../features/availability/calendar-rules.ts'
import type { HoursException } from '../features/availability/rules.ts'
import type { CustomerBooking, StoredBooking, VendorBooking } from '../features/bookings/rules.ts'
import type { loader as myBookings } from './account/my-bookings.tsx'
import type { loader as myProfile } from './account/my-profile.tsx'
import type { loader as accountOverview } from './account/overview.tsx'
import type { loader as availability } from './dashboard/availability.tsx'
import type { loader as vendorBookings } from './dashboard/bookings.tsx'
import type { loader as calendar } from './dashboard/calendar.tsx'
import type { loader as dashboardLayout } from './dashboard/layout.tsx'
import type { loader as listings } from './dashboard/list-business.tsx'
import type { loader as listingForm } from './dashboard/listing-form.tsx'
import type { loader as vendorOverview } from './dashboard/overview.tsx'
import { PUBLIC_PAGE_PATTERNS } from './public-pages.ts'

/**
 * The pages of the view 'See as this person' (Decision 45), with the data that each shows. A loader that isn't
 * here is never run in a view. Bookings are copied field by field, so the compiler asks about a new one.
 */

/** In the place of a secret. A link with it leads to a page that isn't part of the view. */
const HIDDEN = 'hidden'
/** In the place of a text that people read. */
const NOT_SHOWN = 'Not shown'

type Loaded<Loader extends (...args: never[]) => unknown> = Awaited<ReturnType<Loader>>

const hidesText = (text: string | null) => (text === null ? null : NOT_SHOWN)

function redactStored(stored: StoredBooking): StoredBooking {
  return {
    vendorId: stored.vendorId,
    vendorName: stored.vendorName,
    customerName: stored.customerName,
    email: HIDDEN,
    phone: HIDDEN,
    date: stored.date,
    time: stored.time,
    quantity: stored.quantity,
    bookingType: stored.bookingType,
    totalPrice: stored.totalPrice,
    paymentStatus: stored.paymentStatus,
    // The provider's id.
    paymentId: HIDDEN,
    createdAt: stored.createdAt,
    status: stored.status,
  }
}

function redactCustomerBooking(booking: CustomerBooking): CustomerBooking {
  return {
    id: booking.id,
    stored: redactStored(booking.stored),
    refund: booking.refund,
    otherRefunds: booking.otherRefunds,
    refundAccount: hidesText(booking.refundAccount),
    // People write these texts to each other.
    declineReason: hidesText(booking.declineReason),
    cancellation: booking.cancellation && {
      ...booking.cancellation,
      reason: hidesText(booking.cancellation.reason),
    },
    canWithdraw: false,
    takenOffCents: booking.takenOffCents,
    leftCents: booking.leftCents,
    bank: booking.bank,
    terms: booking.terms,
    due: booking.due,
    decidedBy: booking.decidedBy,
    change: booking.change,
    timeZone: booking.timeZone,
    span: booking.span,
    event: booking.event,
    place: booking.place,
    stated: booking.stated,
    contact: null,
    link: hiddenLink(),
  }
}

function redactVendorBooking(booking: VendorBooking): VendorBooking {
  const stored = redactStored(booking.stored)
  return {
    id: booking.id,
    listed: {
      businessId: booking.listed.businessId,
      name: booking.listed.name,
      email: HIDDEN,
      date: booking.listed.date,
      time: booking.listed.time,
      message: undefined,
      status: booking.listed.status,
      createdAt: booking.listed.createdAt,
    },
    stored,
    span: booking.span,
    refund: booking.refund,
    otherRefunds: booking.otherRefunds,
    declineReason: hidesText(booking.declineReason),
    waiting: booking.waiting,
    cancellation: booking.cancellation && {
      ...booking.cancellation,
      reason: hidesText(booking.cancellation.reason),
    },
    off: booking.off,
    payments: booking.payments,
    leftCents: booking.leftCents,
    bank: booking.bank,
    due: booking.due,
    // Its page has the typed offer.
    change: null,
    canChange: false,
    left: booking.left,
    timeZone: booking.timeZone,
    decisions: [],
  }
}

function redactEntry(entry: CalendarEntry): CalendarEntry {
  // The note of a blocked time and the events of another calendar are the vendor's alone.
  const isOfCustomer = entry.kind === 'booking' || entry.kind === 'hold'
  return {
    id: entry.id,
    businessId: entry.businessId,
    kind: entry.kind,
    event: entry.event,
    occupied: entry.occupied,
    title: isOfCustomer ? entry.title : NOT_SHOWN,
    bookingId: entry.bookingId,
    status: entry.status,
    calendarName: hidesText(entry.calendarName),
    due: entry.due,
    isConflict: entry.isConflict,
  }
}

const redactException = ({ from, to, hours, note }: HoursException): HoursException => ({
  from,
  to,
  hours,
  note: note && NOT_SHOWN,
})

const hiddenLink = () => href('/bookings/:linkToken', { linkToken: HIDDEN })

type Page = { pattern: string; redact(data: never): unknown }

const PAGES: Readonly<Record<string, Page>> = {
  'routes/account/my-bookings': {
    pattern: href('/my-bookings'),
    redact: (data: Loaded<typeof myBookings>): Loaded<typeof myBookings> => ({
      now: data.now,
      counts: data.counts,
      rest: data.rest,
      reviewable: [],
      summary: data.summary && {
        spentCents: data.summary.spentCents,
        dueCents: data.summary.dueCents,
        steps: data.summary.steps.map(({ booking, at, kind }) => ({
          booking: redactCustomerBooking(booking),
          at,
          kind,
        })),
      },
      upcoming: data.upcoming.map(redactCustomerBooking),
      past: data.past.map(redactCustomerBooking),
      off: data.off.map(redactCustomerBooking),
      pictures: data.pictures,
      unverifiedEmail: data.unverifiedEmail,
    }),
  },
  'routes/account/overview': {
    pattern: href('/userdashboard/user'),
    redact: (data: Loaded<typeof accountOverview>): Loaded<typeof accountOverview> => ({
      // They quote messages and link to bookings.
      notifications: [],
      unreadCount: data.unreadCount,
      name: data.name,
      email: data.email,
      emailVerified: data.emailVerified,
      unreadMessages: data.unreadMessages,
      isVendor: data.isVendor,
      tasks: data.tasks.map((task) => ({ ...task, to: hiddenLink() })),
      now: data.now,
      upcoming: data.upcoming.map((booking) => ({ ...booking, link: hiddenLink() })),
    }),
  },
  'routes/account/my-profile': {
    pattern: href('/my-profile'),
    redact: ({ user }: Loaded<typeof myProfile>): Loaded<typeof myProfile> => ({
      user: {
        uid: user.uid,
        displayName: user.displayName,
        email: user.email,
        emailVerified: user.emailVerified,
        phoneNumber: null,
        photoUrl: user.photoUrl,
        needsEmail: user.needsEmail,
      },
      // The real values belong to the operator's own session.
      proofAsked: { isDue: false, byPasskey: false, needsCode: false },
    }),
  },
  'routes/dashboard/overview': {
    pattern: href('/dashboard'),
    redact: (data: Loaded<typeof vendorOverview>): Loaded<typeof vendorOverview> => ({
      overview: data.overview,
      insights: data.insights,
      ratings: data.ratings,
      waitingCount: data.waitingCount,
      // The operator only looks, and earnings are hidden.
      tasks: data.tasks.map((task) => ({ ...task, cents: null, to: hiddenLink() })),
      later: data.later.map((task) => ({ ...task, cents: null, to: hiddenLink() })),
      contactEmail: data.contactEmail,
      now: data.now,
      listings: data.listings,
      firstSteps: data.firstSteps,
    }),
  },
  'routes/dashboard/bookings': {
    pattern: href('/dashboard/bookings'),
    redact: (data: Loaded<typeof vendorBookings>): Loaded<typeof vendorBookings> => ({
      // Hides the vendor's earnings.
      shares: null,
      businesses: data.businesses,
      businessId: data.businessId,
      bookings: data.bookings.map(redactVendorBooking),
      counts: data.counts,
      graceMs: data.graceMs,
      now: data.now,
      cancelWarning: data.cancelWarning,
    }),
  },
  'routes/dashboard/calendar': {
    pattern: href('/dashboard/calendar'),
    redact: ({ businesses, shown }: Loaded<typeof calendar>): Loaded<typeof calendar> => ({
      businesses,
      shown: shown && {
        businessId: shown.businessId,
        listings: shown.listings,
        today: shown.today,
        month: shown.month,
        entries: shown.entries.map(redactEntry),
        hours: shown.hours,
        closedDays: shown.closedDays,
        toDecide: shown.toDecide.map(redactEntry),
        unreadCalendars: shown.unreadCalendars.map(({ businessId }) => ({ name: NOT_SHOWN, businessId })),
      },
    }),
  },
  'routes/dashboard/availability': {
    pattern: href('/dashboard/availability'),
    redact: ({ businesses, shown }: Loaded<typeof availability>): Loaded<typeof availability> => ({
      businesses,
      shown: shown && {
        business: shown.business,
        takesPeople: shown.takesPeople,
        rules: { ...shown.rules, exceptions: shown.rules.exceptions.map(redactException) },
        usual: shown.usual,
        version: shown.version,
        today: shown.today,
        now: shown.now,
        exceptions: shown.exceptions.map((one) => ({ id: one.id, ...redactException(one) })),
        // The address of a calendar opens it.
        calendars: shown.calendars.map(({ id, lastSyncedAt, lastError, lastErrorEvent }) => ({
          id,
          name: NOT_SHOWN,
          url: HIDDEN,
          lastSyncedAt,
          lastError: hidesText(lastError),
          lastErrorEvent: hidesText(lastErrorEvent),
        })),
        feed: shown.feed,
      },
    }),
  },
  'edit-listing': {
    pattern: href('/dashboard/list-business/:id/edit', { id: ':id' }),
    redact: (answer: Loaded<typeof listingForm>): Loaded<typeof listingForm> => {
      const { data: form, init } = answer
      if (form.screen !== 'form') return answer
      // Rates of commission and times of payouts.
      const shown = { screen: form.screen, userId: form.userId, listing: form.listing, payouts: null }
      return (init ? data(shown, init) : data(shown)) as Loaded<typeof listingForm>
    },
  },
  'routes/dashboard/list-business': {
    pattern: href('/dashboard/list-business'),
    redact: (data: Loaded<typeof listings>): Loaded<typeof listings> => ({
      listings: data.listings,
      nextSteps: [],
      picture: data.picture,
    }),
  },
}

/** Loaders of layouts that have nothing for an operator: what they add to each page, empty. */
const EMPTY_LAYOUTS: Readonly<Record<string, object>> = {
  // It asks the vendor to act.
  'routes/dashboard/layout': { paused: null, hasTax: false } satisfies Loaded<typeof dashboardLayout>,
}

/** Loaders that know of the view themselves, or show nothing of anybody. */
const OWN_LOADERS: ReadonlySet<string> = new Set(['root', 'routes/api/session'])

/** The route patterns that a view may open; each opened page is logged. */
export const VIEW_PAGE_PATTERNS: ReadonlySet<string> = new Set(
  Object.values(PAGES).map(({ pattern }) => pattern),
)

/** In place of a page that isn't part of a view. */
export const NOT_IN_VIEW_PATH = href('/not-in-view')

/** Without anything of the other account but its name, and not logged. */
export const VIEW_FRAME_PATTERNS: ReadonlySet<string> = new Set([href('/api/session'), NOT_IN_VIEW_PATH])

/** The same for everybody: rendered without cookies. */
export const VIEW_PUBLIC_PATTERNS: ReadonlySet<string> = new Set([
  ...PUBLIC_PAGE_PATTERNS,
  href('/files/*', { '*': '*' }),
  href('/photos/:name', { name: ':name' }),
  href('/illustrations/:scene/:seed/:ratio?', { scene: ':scene', seed: ':seed', ratio: ':ratio?' }),
])

/** Returns the function that redacts a loader's data for a view; null for a loader that isn't part of one. */
export function redactorOf(routeId: string): ((data: unknown) => unknown) | null {
  if (OWN_LOADERS.has(routeId)) return (data) => data
  const empty = EMPTY_LAYOUTS[routeId]
  if (empty) return () => empty
  const page = PAGES[routeId]
  return page ? (data) => page.redact(data as never) : null
}
