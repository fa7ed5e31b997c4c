import { data } from 'react-router'
import { instalmentDepsOf } from '../../features/bookings/checkout/fulfilment-commands.server.ts'
import { isLinkToken } from '../../features/bookings/schema.ts'
import { InstalmentScreen } from '../../features/bookings/screens/instalment-screen.tsx'
import { openInstalmentPayment } from '../../features/instalments/charge-commands.server.ts'
import { type InstalmentAnswer, payInstalmentSchema } from '../../features/instalments/schema.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services/deps.server.ts'
import { readForm } from '../../shared/form.ts'
import type { Route } from './+types/pay'
import { loadInstalment, refusal } from './instalment.server.ts'

// The address is the key to the booking: keep it from search engines, other sites and shared caches.
export const meta: Route.MetaFunction = () => [{ name: 'referrer', content: 'no-referrer' }]

/** The next instalment of a booking by its unguessable link, to pay it now. */
export const loader = (args: Route.LoaderArgs) => loadInstalment(args)

/** Opens the payment. The link alone authorises it. */
export async function action({ params: { linkToken }, request, context }: Route.ActionArgs) {
  const parsed = payInstalmentSchema.safeParse(
    Object.fromEntries(await readForm(request, payInstalmentSchema)),
  )
  if (!isLinkToken(linkToken)) return refusal('unknown_booking')
  if (!parsed.success) return refusal('unreadable')
  const deps = instalmentDepsOf(bookingDeps(context.get(servicesContext)))
  const opened = await openInstalmentPayment(deps, linkToken)
  if (!opened.ok) return refusal(opened.reason)
  // A payment has one amount, and without its secret no card can pay it.
  if (opened.amountCents !== parsed.data.shownCents) return refusal('amount_changed')
  return data<InstalmentAnswer>({ intent: 'open', ...opened })
}

/** Also after a refusal, which says that something has changed. */
export const shouldRevalidate = () => true

export default function PayPage({ loaderData, params }: Route.ComponentProps) {
  return <InstalmentScreen step="pay" due={loaderData.due} linkToken={params.linkToken} />
}
