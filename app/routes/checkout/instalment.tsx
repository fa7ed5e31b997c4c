import { data } from 'react-router'
import { instalmentDepsOf } from '../../features/bookings/fulfilment-commands.server.ts'
import { linkTokenSchema } from '../../features/bookings/schema.ts'
import { ChangeScreen } from '../../features/bookings/screens/change-screen.tsx'
import { InstalmentScreen } from '../../features/bookings/screens/instalment-screen.tsx'
import { keepCardOfSetup, startCardSetup } from '../../features/instalments/card-commands.server.ts'
import { openInstalmentPayment } from '../../features/instalments/charge-commands.server.ts'
import { findInstalmentByLink, findNextInstalment } from '../../features/instalments/queries.server.ts'
import {
  CHANGE_STEP,
  type InstalmentAnswer,
  instalmentSchema,
  instalmentStepSchema,
} from '../../features/instalments/schema.ts'
import { providerOf } from '../../features/payments/providers.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { bookingDeps } from '../../services/deps.server.ts'
import { readForm } from '../../shared/form.ts'
import type { Route } from './+types/instalment'
import { changeAction, loadChange } from './change.server.ts'

// The address is the key to the booking: keep it from search engines, other sites and shared caches. Where a form is sent
// without JavaScript, our own site has to learn the origin, or it takes the form for another site's.
export const meta: Route.MetaFunction = ({ params }) => [
  { name: 'referrer', content: params.step === CHANGE_STEP ? 'same-origin' : 'no-referrer' },
]

/**
 * The next instalment of a booking by its unguessable link, to pay it or to change its card, and the page on which its date or
 * guests are changed. No account is needed, except by the vendor, who changes a booking by its id.
 */
export async function loader({ params, request, context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  if (params.step === CHANGE_STEP) {
    const page = await loadChange({ params, request, context, url })
    return data({ kind: 'change', page } as const, { status: page ? 200 : 404 })
  }
  const step = readStep(params)
  const due = step ? await findInstalmentByLink(services, params.linkToken) : null
  return data({ kind: 'instalment', step, due } as const, { status: due ? 200 : 404 })
}

/** Opens the payment, begins and ends the change of the card, or changes the booking. The link alone authorises it. */
export async function action({ params, request, context, url }: Route.ActionArgs) {
  if (params.step === CHANGE_STEP) return changeAction({ params, request, context, url })
  const parsed = instalmentSchema.safeParse(Object.fromEntries(await readForm(request, instalmentSchema)))
  if (!readStep(params)) return refusal('unknown_booking')
  if (!parsed.success) return refusal('unreadable')
  const services = context.get(servicesContext)
  const deps = instalmentDepsOf(bookingDeps(services))
  const { linkToken } = params
  switch (parsed.data.intent) {
    case 'open': {
      const opened = await openInstalmentPayment(deps, linkToken)
      if (!opened.ok) return refusal(opened.reason)
      // A payment has one amount, and without its secret no card can pay it.
      if (opened.amountCents !== parsed.data.shownCents) return refusal('amount_changed')
      return data<InstalmentAnswer>({ intent: 'open', ...opened })
    }
    case 'setup': {
      const started = await startCardSetup(deps, { linkToken, setupKey: parsed.data.setupKey })
      if (!started.ok) return refusal(started.reason)
      return data<InstalmentAnswer>({ intent: 'setup', ...started })
    }
    case 'keep': {
      const found = await findNextInstalment(services.db, linkToken)
      const provider = found && providerOf(deps, found.first)
      if (!provider) return refusal('unknown_booking')
      const kept = await keepCardOfSetup(deps, provider, parsed.data.reference, found.first.id)
      return kept.ok ? data<InstalmentAnswer>({ intent: 'keep', ...kept }) : refusal(kept.reason)
    }
  }
}

/** Also after a refusal, which says that something has changed. */
export const shouldRevalidate = () => true

function readStep({ step, linkToken }: { step: string; linkToken: string }) {
  const parsed = instalmentStepSchema.safeParse(step)
  return parsed.success && linkTokenSchema.safeParse(linkToken).success ? parsed.data : null
}

const STATUS_OF = {
  unknown_booking: 404,
  nothing_due: 409,
  amount_changed: 409,
  unknown_setup: 409,
  unreadable: 422,
  time_gone: 409,
  balance_unpaid: 409,
  too_small: 409,
  provider_unavailable: 503,
} as const

const refusal = (reason: keyof typeof STATUS_OF) =>
  data<InstalmentAnswer>({ ok: false, reason }, { status: STATUS_OF[reason] })

export default function InstalmentPage({ loaderData, actionData, params }: Route.ComponentProps) {
  const { linkToken } = params
  if (loaderData.kind === 'instalment') return <InstalmentScreen {...loaderData} linkToken={linkToken} />
  const answer = actionData && 'text' in actionData ? actionData : undefined
  return <ChangeScreen page={loaderData.page} answer={answer} bookingKey={linkToken} />
}
