import { data, href } from 'react-router'
import {
  BookingReceipt,
  CalendarLink,
  ReceiptLink,
  VendorContactCard,
} from '../../features/bookings/components/booking-receipt.tsx'
import { nextSentence } from '../../features/bookings/components/booking-status.tsx'
import { type WithdrawAnswer, WithdrawButton } from '../../features/bookings/components/withdraw-button.tsx'
import { findBookingByLink } from '../../features/bookings/queries.server.ts'
import { linkTokenSchema } from '../../features/bookings/schema.ts'
import { withdrawBooking } from '../../features/bookings/withdrawal-commands.server.ts'
import { useLiveUpdates } from '../../features/notifications/browser/use-live-updates.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services.server.ts'
import { intentSchema, readForm } from '../../shared/form.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LiveDataNote } from '../../ui/live-data-note.tsx'
import type { Route } from './+types/booking'

// The address is the key to the booking: no search engine, no other site and no shared cache gets to see it.
export const meta: Route.MetaFunction = () => [{ name: 'referrer', content: 'no-referrer' }]

/** A booking by its unguessable link, without signing in (Decision 3). */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext)
  const known = linkTokenSchema.safeParse(params.linkToken).success
  const booking = known ? await findBookingByLink(db, params.linkToken) : null
  return data({ booking }, { status: booking ? 200 : 404 })
}

/** Withdraws the booking: whoever has its link may. */
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

export default function BookingPage({ loaderData: { booking }, params }: Route.ComponentProps) {
  useLiveUpdates(booking ? [`booking-${params.linkToken}`] : [])
  if (!booking) {
    return (
      <>
        <title>Booking not found</title>
        <EmptyState
          heading="h1"
          title="There is no booking at this address"
          text="Open the link from your mail again; it may have been cut off. If that doesn’t help, we can look it up for you."
          action={<ButtonLink to={href('/advice-support')}>Advice and support</ButtonLink>}
        />
      </>
    )
  }
  const { stored } = booking
  return (
    <div className="page page-column section">
      <title>{`Your booking with ${stored.vendorName}`}</title>
      <h1>
        <span className="block text-lg leading-snug text-quiet">Your booking with</span> {stored.vendorName}
      </h1>
      <p className="lede mt-5" aria-live="polite">
        {nextSentence(booking)}
      </p>
      <div className="mt-8 flex flex-wrap gap-3 print:hidden">
        <CalendarLink booking={booking} />
        <ReceiptLink booking={booking} />
        <Button onClick={() => window.print()}>Print</Button>
        <WithdrawButton booking={booking} />
      </div>
      <div className="mt-10">
        <BookingReceipt booking={booking} />
      </div>
      <div className="mt-8">
        <VendorContactCard booking={booking} />
      </div>
      <LiveDataNote />
    </div>
  )
}
