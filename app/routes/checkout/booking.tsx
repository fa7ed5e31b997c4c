import { data } from 'react-router'
import type { WithdrawAnswer } from '../../features/bookings/components/withdraw-button.tsx'
import { findBookingByLink } from '../../features/bookings/queries.server.ts'
import { linkTokenSchema } from '../../features/bookings/schema.ts'
import { BookingScreen } from '../../features/bookings/screens/booking-screen.tsx'
import { withdrawBooking } from '../../features/bookings/withdrawal-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services.server.ts'
import { intentSchema, readForm } from '../../shared/form.ts'
import type { Route } from './+types/booking'

// The address is the key to the booking: keep it from search engines, other sites and shared caches.
export const meta: Route.MetaFunction = () => [{ name: 'referrer', content: 'no-referrer' }]

/** A booking by its unguessable link, without signing in (Decision 3). */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext)
  const known = linkTokenSchema.safeParse(params.linkToken).success
  const booking = known ? await findBookingByLink(db, params.linkToken) : null
  return data({ booking }, { status: booking ? 200 : 404 })
}

/** Withdraws the booking. The link alone authorises it. */
export async function action({ params, request, context }: Route.ActionArgs) {
  await readForm(request, intentSchema)
  const services = context.get(servicesContext)
  if (!linkTokenSchema.safeParse(params.linkToken).success) return notFound()
  const booking = await findBookingByLink(services.db, params.linkToken)
  if (!booking) return notFound()
  const outcome = await withdrawBooking(bookingDeps(services), {
    bookingId: booking.id,
    by: { linkToken: params.linkToken },
  })
  return data<WithdrawAnswer>(outcome, { status: outcome.ok ? 200 : STATUS_OF[outcome.reason] })
}

const STATUS_OF = { not_found: 404, already_decided: 409 } as const
const notFound = () => data<WithdrawAnswer>({ ok: false, reason: 'not_found' }, { status: 404 })

export async function clientAction({ serverAction }: Route.ClientActionArgs): Promise<WithdrawAnswer> {
  try {
    return await serverAction()
  } catch {
    return { ok: false, reason: 'failed' }
  }
}

export default function BookingPage({ loaderData, params }: Route.ComponentProps) {
  return <BookingScreen loaderData={loaderData} linkToken={params.linkToken} />
}
