import { href, type RouterContextProvider, redirect } from 'react-router'
import { mayWrite } from '../../features/accounts/commands.server.ts'
import { continueOnboarding } from '../../features/payouts/account-commands.server.ts'
import { beginningIn, withBeginning } from '../../features/payouts/setup-rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import { payoutDeps } from '../../services/deps.server.ts'
import { loadOrUnavailable } from '../load-or-unavailable.server.ts'
import { requireSession } from '../require-session.server.ts'

/**
 * The provider leads here when its link has expired or was used.
 * @returns never: it throws a redirect to a fresh link, or to the screen that says why not
 */
export function refreshOnboarding({
  request,
  context,
  url,
}: {
  request: Request
  context: Readonly<RouterContextProvider>
  url: URL
}): Promise<never> {
  return loadOrUnavailable(context, async () => {
    const { accounts, rateLimits } = context.get(servicesContext)
    const { user } = await requireSession({ request, url, context })
    const from = beginningIn(url.searchParams)
    const setup = (problem?: string) =>
      withBeginning(`${href('/dashboard/payouts/setup')}${problem ? `?problem=${problem}` : ''}`, from)
    const deps = payoutDeps(context.get(servicesContext))
    if (!deps) throw redirect(setup('provider_unavailable'))
    // A link of the provider changes the bank account, so it is as sensitive as the button that leads here.
    if (await accounts.proofs?.isDue(request, { needsFactor: true })) throw redirect(setup('proof_needed'))
    // The browser repeats a redirect that loops: the screen has a button instead.
    if (!(await mayWrite(rateLimits, user.uid))) throw redirect(setup())
    const link = await continueOnboarding(deps, { userId: user.uid, from })
    if (link.ok) throw redirect(link.url)
    throw redirect(setup(link.reason === 'no_account' ? undefined : link.reason))
  })
}
