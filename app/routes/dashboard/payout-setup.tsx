import { data, href, redirect } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { proofSchema } from '../../features/accounts/schema.ts'
import { findAgreementStanding } from '../../features/agreements/queries.server.ts'
import { vendorAgreement } from '../../features/agreements/text-queries.server.ts'
import { acceptAndPublish } from '../../features/businesses/agreement-commands.server.ts'
import { findVendorZone } from '../../features/businesses/owner-queries.server.ts'
import { openPayoutAccount, refreshPayoutAccount } from '../../features/payouts/account-commands.server.ts'
import { setupSchema } from '../../features/payouts/schema.ts'
import { PayoutsFailure } from '../../features/payouts/screens/payouts-failure-screen.tsx'
import { BACK_PATHS, SetupScreen } from '../../features/payouts/screens/setup-screen.tsx'
import { SETUP_TITLE, type SetupRefusal } from '../../features/payouts/setup-messages.ts'
import { findPayoutSetup } from '../../features/payouts/setup-queries.server.ts'
import { beginningIn } from '../../features/payouts/setup-rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { payoutDeps } from '../../services/deps.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { askAgain, findProofAsked, PROOF_STATUSES } from '../ask-again.server.ts'
import { loadOrUnavailable } from '../load-or-unavailable.server.ts'
import { findSession, requireSession } from '../require-session.server.ts'
import type { Route } from './+types/payout-setup'
import { requirePayouts } from './payouts-on.server.ts'
import { findRegistrationStart } from './registration-start.server.ts'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta(SETUP_TITLE, matches[0]?.loaderData)

/**
 * Loads the setup screen of the signed-in vendor. The provider's form returns to the same screen. Nothing in that address is
 * trusted: the provider is asked about the vendor's account.
 */
export function loader({ request, context, url }: Route.LoaderArgs) {
  const provider = requirePayouts(context)
  const { db, now, config } = context.get(servicesContext)
  return loadOrUnavailable(context, async () => {
    const { user } = await requireSession({ request, url, context })
    const isBack = url.pathname === href('/dashboard/payouts/return')
    const deps = isBack ? payoutDeps(context.get(servicesContext)) : null
    const asked = deps && (await refreshPayoutAccount(deps, { userId: user.uid }))
    const isUnanswered = asked?.ok === false && asked.reason === 'provider_unavailable'
    const timeZone = await findVendorZone(db, user.uid)
    const setup = await findPayoutSetup(db, { userId: user.uid, provider, timeZone, now: now() })
    return {
      ...setup,
      from: beginningIn(url.searchParams),
      newRegistration:
        setup.state === 'not_registered'
          ? await findRegistrationStart(context.get(servicesContext), user)
          : null,
      today: wallTimeAt(now(), timeZone).date,
      agreement: vendorAgreement(config.platform),
      byPasskey: (await findProofAsked({ request, context }))?.byPasskey ?? false,
      problem: isUnanswered ? 'provider_unavailable' : problemOf(url.searchParams.get('problem')),
    }
  })
}

/** Why the link of the address could not be made. Only reasons that the refresh screen has are shown. */
function problemOf(text: string | null): SetupRefusal | null {
  const shown = ['provider_unavailable', 'provider_refused', 'rejected', 'proof_needed'] as const
  return shown.find((reason) => reason === text) ?? null
}

const STATUSES = {
  not_accepted: 422,
  other_version: 409,
  not_registered: 409,
  rejected: 409,
  provider_unavailable: 503,
  provider_refused: 502,
  too_often: 429,
  signed_out: 401,
  ...PROOF_STATUSES,
} as const satisfies Record<SetupRefusal, number>

/** Accepts the agreement where it isn't yet, then leads to a fresh form of the provider. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { rateLimits, db, now } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) return refuse('signed_out')
  const sent = await readForm(request, [setupSchema, proofSchema])
  const form = setupSchema.safeParse(Object.fromEntries(sent))
  requirePayouts(context)
  const deps = payoutDeps(context.get(servicesContext))
  if (!deps) return refuse('provider_unavailable')
  const { user } = session
  if (!form.success) return refuse('not_accepted')
  if (!(await mayWrite(rateLimits, user.uid))) return refuse('too_often')
  const { intent, accepted, version = '' } = form.data
  const proof =
    intent === 'accept' && !accepted
      ? null
      : await askAgain({ request, context }, sent, { needsFactor: true })
  if (proof) return refuse(proof)
  const from = beginningIn(url.searchParams)
  if (intent === 'accept') {
    if (!accepted) return refuse('not_accepted')
    const { state } = await findAgreementStanding(db, { userId: user.uid, now: now() })
    const kept = await acceptAndPublish({ db, now }, { userId: user.uid, version })
    if (!kept.ok) return refuse(kept.reason)
    // A vendor who is being paid already has nothing else to set up.
    if (state === 'changed') return redirect(BACK_PATHS[from], 303)
  }
  const opened = await openPayoutAccount(deps, { userId: user.uid, email: user.email, from })
  return opened.ok ? redirect(opened.url, 303) : refuse(opened.reason)
}

function refuse(problem: SetupRefusal) {
  return data({ problem }, { status: STATUSES[problem] })
}

export default function PayoutSetup({ loaderData, actionData }: Route.ComponentProps) {
  return <SetupScreen {...loaderData} problem={actionData?.problem ?? loaderData.problem} />
}

export const ErrorBoundary = PayoutsFailure
