import { data, href } from 'react-router'
import { parseBookingDraft } from '../../features/bookings/checkout/browser/booking-draft.ts'
import { findBookable, findBookedHere } from '../../features/bookings/checkout/queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services/deps.server.ts'
import { isLocalDate, isLocalTime } from '../../shared/dates.ts'
import { PRICE_UNITS } from '../../shared/money.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/book'
import '../../styles/whole.css'
import { BookScreen } from '../../features/bookings/checkout/screens/book-screen.tsx'
import { BookFailure } from '../../features/bookings/checkout/screens/book-sections.tsx'

export async function loader({ params, request, context, url }: Route.LoaderArgs) {
  const { db, now, config } = context.get(servicesContext)
  const { payoutTimes } = bookingDeps(context.get(servicesContext))
  const found = await findBookable(db, params.id, { now: now(), payoutTimes })
  if (!found) return data({ found: null }, { status: 404 })
  if (found === 'gone') return data({ found: null }, { status: 410 })
  const [session, booked] = await Promise.all([
    findSession({ request, context }),
    findBookedHere(db, {
      cookieHeader: request.headers.get('cookie'),
      secret: config.secret,
      businessId: params.id,
    }),
  ])
  const query = url.searchParams
  const prefilled = parseBookingDraft({
    fullName: session?.user.displayName,
    email: session?.user.needsEmail ? undefined : session?.user.email,
    phone: session?.user.phoneNumber,
    date: isLocalDate(query.get('date') ?? '') ? query.get('date') : undefined,
    time: isLocalTime(query.get('time') ?? '') ? query.get('time') : undefined,
    bookingType: PRICE_UNITS.find((unit) => unit === query.get('type')),
    quantity: /^[1-9]\d{0,4}$/.test(query.get('quantity') ?? '') ? query.get('quantity') : undefined,
  })
  return data({ found: { ...found, prefilled, booked } })
}

/** The page appears at once, with the data that the previous page passed on; the current row follows (Decision 10). */
export async function clientLoader({ serverLoader, url }: Route.ClientLoaderArgs) {
  if (url.pathname === window.location.pathname) return await serverLoader()
  // Rethrown by the page, but only if no business was passed on.
  return { pending: serverLoader().catch((unread: unknown) => ({ found: null, unread })) }
}

// The page renders its own title, because it waits for the vendor's name. For search engines, the canonical page is the
// business's.
export const meta: Route.MetaFunction = ({ matches, params, loaderData }) => {
  const site = matches[0]?.loaderData
  const description = {
    name: 'description',
    content: 'Choose a day and a time that are free, and book with a card.',
  }
  const isGone = loaderData && 'found' in loaderData && !loaderData.found
  if (!site || isGone) return [description, { name: 'robots', content: 'noindex' }]
  const business = new URL(href('/business/:id', { id: params.id }), site.publicOrigin)
  return [description, { tagName: 'link', rel: 'canonical', href: business.href }]
}

export default function BookPage({ loaderData, params }: Route.ComponentProps) {
  return <BookScreen loaderData={loaderData} id={params.id} />
}

export function ErrorBoundary() {
  return <BookFailure />
}
