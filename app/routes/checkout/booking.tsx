import { data, redirect } from 'react-router'
import { cancelBooking } from '../../features/bookings/cancellation-commands.server.ts'
import { findCancelling } from '../../features/bookings/cancellation-queries.server.ts'
import type { WithdrawAnswer } from '../../features/bookings/components/withdraw-button.tsx'
import { findBookingByLink } from '../../features/bookings/queries.server.ts'
import { isCalledOff } from '../../features/bookings/rules.ts'
import { cancelSchema, linkTokenSchema } from '../../features/bookings/schema.ts'
import { BookingScreen } from '../../features/bookings/screens/booking-screen.tsx'
import { type CancelAnswer, CancelScreen } from '../../features/bookings/screens/cancel-screen.tsx'
import { withdrawBooking } from '../../features/bookings/withdrawal-commands.server.ts'
import { listAlternatives } from '../../features/reviews/alternative-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services/deps.server.ts'
import { intentSchema, readForm } from '../../shared/form.ts'
import { notSent } from '../../ui/action-failure.ts'
import { listOnwardOf } from '../onward.server.ts'
import type { Route } from './+types/booking'

// The address is the key to the booking: keep it from search engines, other sites and shared caches. Where a form is sent
// without JavaScript, our own site has to learn the origin, or it takes the form for another site's.
export const meta: Route.MetaFunction = ({ location }) => [
  { name: 'referrer', content: isCancelPath(location.pathname) ? 'same-origin' : 'no-referrer' },
]

const isCancelPath = (pathname: string) => /\/cancel\/?$/.test(pathname)

/** A booking by its unguessable link, without signing in (Decision 3). Below it is the page for cancelling it. */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const { db, now } = services
  const known = linkTokenSchema.safeParse(params.linkToken).success
  const booking = known ? await findBookingByLink(db, params.linkToken) : null
  const isCancelling = booking !== null && isCancelPath(url.pathname)
  const cancelling = isCancelling ? await findCancelling(bookingDeps(services), params.linkToken) : null
  const isOff = booking?.stored.status === 'declined' && booking.cancellation !== null
  const alternatives = isOff
    ? await listAlternatives(db, { ...booking.stored, businessId: booking.stored.vendorId }, now())
    : []
  const isOver = booking !== null && isCalledOff(booking.stored.status)
  const onward = isOver ? await listOnwardOf(services, booking.stored, 'others') : []
  return data(
    { booking, cancelling, alternatives, onward, now: now().toISOString() },
    { status: booking ? 200 : 404 },
  )
}

/** Withdraws or cancels the booking. The link alone authorises it. */
export async function action({ params, request, context }: Route.ActionArgs) {
  const form = await readForm(request, [intentSchema, cancelSchema])
  const services = context.get(servicesContext)
  if (!linkTokenSchema.safeParse(params.linkToken).success) return notFound()
  const booking = await findBookingByLink(services.db, params.linkToken)
  if (!booking) return notFound()
  const order = { bookingId: booking.id, by: { linkToken: params.linkToken } }
  if (form.get('intent') !== 'cancel') {
    const outcome = await withdrawBooking(bookingDeps(services), order)
    return data<WithdrawAnswer>(outcome, { status: outcome.ok ? 200 : STATUS_OF[outcome.reason] })
  }
  const parsed = cancelSchema.safeParse(Object.fromEntries(form))
  // Without a readable quote, the answer is a new one.
  const signed = parsed.success ? parsed.data.quote : ''
  const outcome = await cancelBooking(bookingDeps(services), { ...order, signed })
  if (outcome.ok) throw redirect(booking.link)
  return data<CancelAnswer>(outcome, { status: outcome.reason === 'not_found' ? 404 : 409 })
}

const STATUS_OF = { not_found: 404, already_decided: 409 } as const
const notFound = () => data<WithdrawAnswer>({ ok: false, reason: 'not_found' }, { status: 404 })

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch (error) {
    // A booking that was cancelled leads back to its page.
    if (error instanceof Response && error.headers.has('location')) throw error
    return notSent<WithdrawAnswer | CancelAnswer>({ ok: false, reason: 'failed' })
  }
}

export default function BookingPage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { booking, cancelling } = loaderData
  if (booking && cancelling) {
    const answer = actionData && 'reason' in actionData ? (actionData as CancelAnswer) : undefined
    return (
      <CancelScreen booking={booking} cancelling={cancelling} answer={answer} linkToken={params.linkToken} />
    )
  }
  return <BookingScreen loaderData={loaderData} linkToken={params.linkToken} />
}
