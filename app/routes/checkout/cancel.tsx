import { data, redirect } from 'react-router'
import { cancelBooking } from '../../features/bookings/cancellation/commands.server.ts'
import { findCancelling } from '../../features/bookings/cancellation/queries.server.ts'
import {
  type CancelAnswer,
  CancelScreen,
} from '../../features/bookings/cancellation/screens/cancel-screen.tsx'
import { BookingScreen } from '../../features/bookings/list/screens/booking-screen.tsx'
import { cancelSchema } from '../../features/bookings/schema.ts'
import { DocumentLinks } from '../../features/tax/components/document-links.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services/deps.server.ts'
import { readForm } from '../../shared/form.ts'
import { notSent } from '../../ui/action-failure.ts'
import type { Route } from './+types/cancel'
import { findLinkedBooking, loadBooking } from './booking.server.ts'

// The address is the key to the booking: keep it from search engines, other sites and shared caches. Where a form is sent
// without JavaScript, our own site has to learn the origin, or it takes the form for another site's.
export const meta: Route.MetaFunction = () => [{ name: 'referrer', content: 'same-origin' }]

/** Loads the cancellation quote by the booking's unguessable link, or the booking itself if it can't be cancelled here. */
export async function loader(args: Route.LoaderArgs) {
  const page = await loadBooking(args)
  const deps = bookingDeps(args.context.get(servicesContext))
  const cancelling = page.booking && (await findCancelling(deps, args.params.linkToken))
  return data({ ...page, cancelling }, { status: page.booking ? 200 : 404 })
}

/** Cancels the booking. The link alone authorises it. */
export async function action(args: Route.ActionArgs) {
  const parsed = cancelSchema.safeParse(Object.fromEntries(await readForm(args.request, cancelSchema)))
  const booking = await findLinkedBooking(args)
  if (!booking) return data<CancelAnswer>({ ok: false, reason: 'not_found' }, { status: 404 })
  const { linkToken } = args.params
  // Without a readable quote, the answer is a new one.
  const signed = parsed.success ? parsed.data.quote : ''
  const order = { bookingId: booking.id, by: { linkToken }, signed }
  const outcome = await cancelBooking(bookingDeps(args.context.get(servicesContext)), order)
  if (outcome.ok) throw redirect(booking.link)
  return data<CancelAnswer>(outcome, { status: outcome.reason === 'not_found' ? 404 : 409 })
}

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    // A booking that was cancelled leads back to its page.
    if (error instanceof Response && error.headers.has('location')) throw error
    return notSent<CancelAnswer>({ ok: false, reason: 'failed' })
  }
}

export default function CancelPage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { booking, cancelling } = loaderData
  const { linkToken } = params
  if (!booking || !cancelling) {
    const documents = <DocumentLinks booking={linkToken} documents={loaderData.documents} />
    return <BookingScreen loaderData={loaderData} linkToken={linkToken} documents={documents} />
  }
  return <CancelScreen booking={booking} cancelling={cancelling} answer={actionData} linkToken={linkToken} />
}
