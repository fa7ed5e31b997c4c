import { data, href } from 'react-router'
import { parseBookingDraft } from '../../features/bookings/browser/booking-draft.ts'
import { findBookable } from '../../features/bookings/checkout-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { isLocalDate } from '../../shared/dates.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/book'
import '../../styles/whole.css'
import { BookFailure, BookScreen } from '../../features/bookings/screens/book-screen.tsx'

export async function loader({ params, request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  const found = await findBookable(db, params.id, now())
  if (!found) return data({ found: null }, { status: 404 })
  if (found === 'gone') return data({ found: null }, { status: 410 })
  const session = await findSession({ request, context })
  const asked = url.searchParams
  const prefilled = parseBookingDraft({
    fullName: session?.user.displayName,
    email: session?.user.needsEmail ? undefined : session?.user.email,
    phone: session?.user.phoneNumber,
    date: isLocalDate(asked.get('date') ?? '') ? asked.get('date') : undefined,
    quantity: /^[1-9]\d{0,4}$/.test(asked.get('quantity') ?? '') ? asked.get('quantity') : undefined,
  })
  return data({ found: { ...found, prefilled } })
}

/** The page stands at once, with what the page before handed over; the fresh row follows (Decision 10). */
export async function clientLoader({ serverLoader, url }: Route.ClientLoaderArgs) {
  if (url.pathname === window.location.pathname) return await serverLoader()
  // Thrown by the page, and only where no business was handed over.
  return { pending: serverLoader().catch((unread: unknown) => ({ found: null, unread })) }
}

// The title is the page's own element, since it waits for the vendor's name. To search engines it is the business's page.
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
