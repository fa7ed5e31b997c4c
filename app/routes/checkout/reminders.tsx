import { data } from 'react-router'
import { z } from 'zod'
import { endReminders } from '../../features/bookings/decisions/coming-up-commands.server.ts'
import { RemindersScreen } from '../../features/bookings/decisions/screens/reminders-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import type { Route } from './+types/reminders'
import { findLinkedBooking } from './booking.server.ts'

// The address is the key to the booking: keep it from search engines, other sites and shared caches. Where the form is sent
// without JavaScript, our own site has to learn the origin, or it takes the form for another site's.
export const meta: Route.MetaFunction = () => [{ name: 'referrer', content: 'same-origin' }]

/** Mail programs send this field when their own unsubscribe button is pressed (RFC 8058). */
const oneClickSchema = z.object({ 'List-Unsubscribe': z.string() })

/** Shows the button alone: mail programs open links to scan them. */
export async function loader(args: Route.LoaderArgs) {
  const booking = await findLinkedBooking(args)
  const { linkToken } = args.params
  return data(
    { booking: booking && { vendorName: booking.stored.vendorName, linkToken } },
    { status: booking ? 200 : 404 },
  )
}

/** Ends the mails about the coming event. The link alone authorises it. */
export async function action(args: Route.ActionArgs) {
  await readForm(args.request, oneClickSchema)
  const { db, now } = args.context.get(servicesContext)
  const booking = await findLinkedBooking(args)
  if (!booking) return data({ isDone: false }, { status: 404 })
  const ended = await endReminders({ db, now }, args.params.linkToken)
  return data({ isDone: ended.ok }, { status: ended.ok ? 200 : 404 })
}

export default function RemindersPage({ loaderData, actionData }: Route.ComponentProps) {
  return <RemindersScreen booking={loaderData.booking} isDone={actionData?.isDone ?? false} />
}
