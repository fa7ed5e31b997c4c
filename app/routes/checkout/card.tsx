import { data } from 'react-router'
import { instalmentDepsOf } from '../../features/bookings/checkout/fulfilment-commands.server.ts'
import { isLinkToken } from '../../features/bookings/schema.ts'
import { InstalmentScreen } from '../../features/bookings/screens/instalment-screen.tsx'
import { keepCardOfSetup, startCardSetup } from '../../features/instalments/card-commands.server.ts'
import { findNextInstalment } from '../../features/instalments/queries.server.ts'
import { changeCardSchema, type InstalmentAnswer } from '../../features/instalments/schema.ts'
import { providerOf } from '../../features/payments/providers.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services/deps.server.ts'
import { readForm } from '../../shared/form.ts'
import type { Route } from './+types/card'
import { loadInstalment, refusal } from './instalment.server.ts'

// The address is the key to the booking: keep it from search engines, other sites and shared caches.
export const meta: Route.MetaFunction = () => [{ name: 'referrer', content: 'no-referrer' }]

/** The card of a booking's next instalment by the booking's unguessable link, to replace it by another. */
export const loader = (args: Route.LoaderArgs) => loadInstalment(args)

/** Begins and ends the change of the card. The link alone authorises it. */
export async function action({ params: { linkToken }, request, context }: Route.ActionArgs) {
  const parsed = changeCardSchema.safeParse(Object.fromEntries(await readForm(request, changeCardSchema)))
  if (!isLinkToken(linkToken)) return refusal('unknown_booking')
  if (!parsed.success) return refusal('unreadable')
  const { db } = context.get(servicesContext)
  const deps = instalmentDepsOf(bookingDeps(context.get(servicesContext)))
  if (parsed.data.intent === 'setup') {
    const started = await startCardSetup(deps, { linkToken, setupKey: parsed.data.setupKey })
    return started.ok ? data<InstalmentAnswer>({ intent: 'setup', ...started }) : refusal(started.reason)
  }
  const found = await findNextInstalment(db, linkToken)
  const provider = found && providerOf(deps, found.first)
  if (!provider) return refusal('unknown_booking')
  const kept = await keepCardOfSetup(deps, provider, parsed.data.reference, found.first.id)
  return kept.ok ? data<InstalmentAnswer>({ intent: 'keep', ...kept }) : refusal(kept.reason)
}

/** Also after a refusal, which says that something has changed. */
export const shouldRevalidate = () => true

export default function CardPage({ loaderData, params }: Route.ComponentProps) {
  return <InstalmentScreen step="card" due={loaderData.due} linkToken={params.linkToken} />
}
