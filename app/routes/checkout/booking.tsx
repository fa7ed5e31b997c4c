import { data, href } from 'react-router'
import type { WithdrawAnswer } from '../../features/bookings/cancellation/components/withdraw-button.tsx'
import { withdrawBooking } from '../../features/bookings/cancellation/withdrawal-commands.server.ts'
import { BookingScreen } from '../../features/bookings/list/screens/booking-screen.tsx'
import { WRITE_A_REVIEW } from '../../features/reviews/messages.ts'
import { DocumentLinks } from '../../features/tax/components/document-links.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services/deps.server.ts'
import { intentSchema, readForm } from '../../shared/form.ts'
import { notSent } from '../../ui/action-failure.ts'
import { ButtonLink } from '../../ui/button.tsx'
import type { Route } from './+types/booking'
import { findLinkedBooking, loadBooking } from './booking.server.ts'

// The address is the key to the booking: keep it from search engines, other sites and shared caches.
export const meta: Route.MetaFunction = () => [{ name: 'referrer', content: 'no-referrer' }]

/** A booking by its unguessable link, without signing in (Decision 3). */
export async function loader(args: Route.LoaderArgs) {
  const page = await loadBooking(args)
  return data(page, { status: page.booking ? 200 : 404 })
}

/** Withdraws the booking. The link alone authorises it. */
export async function action(args: Route.ActionArgs) {
  await readForm(args.request, intentSchema)
  const booking = await findLinkedBooking(args)
  if (!booking) return data<WithdrawAnswer>({ ok: false, reason: 'not_found' }, { status: 404 })
  const { linkToken } = args.params
  const order = { bookingId: booking.id, by: { linkToken } }
  const outcome = await withdrawBooking(bookingDeps(args.context.get(servicesContext)), order)
  return data<WithdrawAnswer>(outcome, { status: outcome.ok ? 200 : STATUS_OF[outcome.reason] })
}

const STATUS_OF = { not_found: 404, already_decided: 409 } as const

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction()
  } catch {
    return notSent<WithdrawAnswer>({ ok: false, reason: 'failed' })
  }
}

export default function BookingPage({ loaderData, params }: Route.ComponentProps) {
  const { linkToken } = params
  const documents = <DocumentLinks booking={linkToken} documents={loaderData.documents} />
  const review = loaderData.canReview ? (
    <ButtonLink variant="primary" to={href('/bookings/:linkToken/review', { linkToken })}>
      {WRITE_A_REVIEW}
    </ButtonLink>
  ) : null
  return <BookingScreen loaderData={loaderData} linkToken={linkToken} documents={documents} review={review} />
}
