import { href } from 'react-router'
import type { CustomerBooking, StoredBooking, VendorBooking } from '../features/bookings/rules.ts'
import type { loader as myBookings } from './account/my-bookings.tsx'
import type { loader as accountOverview } from './account/overview.tsx'
import type { loader as vendorBookings } from './dashboard/bookings.tsx'
import type { loader as listings } from './dashboard/list-business.tsx'
import type { loader as vendorOverview } from './dashboard/overview.tsx'
import { PUBLIC_PAGE_PATTERNS } from './public-pages.ts'

/**
 * The pages of the view 'See as this person' (Decision 45), and what each shows of its loader's data. A loader that isn't
 * here is never run in a view. Bookings are copied field by field, so the compiler asks about a new one.
 */

/** In the place of a secret. A link with it leads to a page that isn't part of the view. */
const HIDDEN = 'hidden'

type Loaded<Loader extends (...args: never[]) => unknown> = Awaited<ReturnType<Loader>>

const hidesText = (text: string | null) => (text === null ? null : HIDDEN)

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
    // People write these texts to each other.
    declineReason: hidesText(booking.declineReason),
    cancellation: booking.cancellation && {
      ...booking.cancellation,
      reason: hidesText(booking.cancellation.reason),
    },
    canWithdraw: false,
    terms: booking.terms,
    due: booking.due,
    decidedBy: booking.decidedBy,
    change: booking.change,
    timeZone: booking.timeZone,
    span: booking.span,
    event: booking.event,
    place: booking.place,
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
    cancellation: booking.cancellation && {
      ...booking.cancellation,
      reason: hidesText(booking.cancellation.reason),
    },
    paidCents: booking.paidCents,
    due: booking.due,
    // Its page has the typed offer.
    change: null,
    canChange: false,
    timeZone: booking.timeZone,
    decisions: [],
  }
}

const hiddenLink = () => href('/bookings/:linkToken', { linkToken: HIDDEN })

type Page = { pattern: string; redact(data: never): unknown }

const PAGES: Readonly<Record<string, Page>> = {
  'routes/account/my-bookings': {
    pattern: href('/my-bookings'),
    redact: (data: Loaded<typeof myBookings>): Loaded<typeof myBookings> => ({
      now: data.now,
      reviewable: [],
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
      upcoming: data.upcoming.map((booking) => ({ ...booking, link: hiddenLink() })),
    }),
  },
  'routes/dashboard/overview': {
    pattern: href('/dashboard'),
    redact: (data: Loaded<typeof vendorOverview>): Loaded<typeof vendorOverview> => ({
      overview: data.overview,
      insights: data.insights,
      ratings: data.ratings,
      registered: data.registered,
      waitingCount: data.waitingCount,
      listings: data.listings,
      hasPhotos: data.hasPhotos,
      photosPath: data.photosPath,
    }),
  },
  'routes/dashboard/bookings': {
    pattern: href('/dashboard/bookings'),
    redact: (data: Loaded<typeof vendorBookings>): Loaded<typeof vendorBookings> => ({
      // What the vendor is paid.
      shares: null,
      businesses: data.businesses,
      businessId: data.businessId,
      bookings: data.bookings.map(redactVendorBooking),
      graceMs: data.graceMs,
      cancelWarning: data.cancelWarning,
    }),
  },
  'routes/dashboard/list-business': {
    pattern: href('/dashboard/list-business'),
    redact: (data: Loaded<typeof listings>): Loaded<typeof listings> => ({
      listings: data.listings,
      picture: data.picture,
    }),
  },
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

/** Makes what a view shows of a loader's data; null for a loader that isn't part of it. */
export function redactorOf(routeId: string): ((data: unknown) => unknown) | null {
  if (OWN_LOADERS.has(routeId)) return (data) => data
  const page = PAGES[routeId]
  return page ? (data) => page.redact(data as never) : null
}
