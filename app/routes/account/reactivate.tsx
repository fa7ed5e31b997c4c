import { data, href, redirect } from 'react-router'
import { originOf } from '../../adapters/accounts/security-log.ts'
import { signedInHeaders } from '../../features/accounts/commands.server.ts'
import { reactivateAccount } from '../../features/privacy/commands.server.ts'
import { ReactivateScreen } from '../../features/privacy/screens/reactivate-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { ownPath, readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/reactivate'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Reactivate your account', matches[0]?.loaderData)

/** Signing in to a deactivated account leads here (Decision 19). */
export async function loader({ request, context }: Route.LoaderArgs) {
  const session = await context.get(servicesContext).accounts.findDeactivatedSession(request)
  if (!session) throw redirect(href('/login'))
  return data({ name: session.user.displayName ?? session.user.email })
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { accounts, db, liveUpdates, now, config } = context.get(servicesContext)
  await readForm(request, [])
  const session = await accounts.findDeactivatedSession(request)
  if (!session) throw redirect(href('/login'))
  await reactivateAccount({ db, liveUpdates, now }, session.user.uid, originOf(request))
  return redirect(ownPath(url.searchParams.get('next'), href('/')), {
    headers: signedInHeaders([], config.publicUrl),
  })
}

export default function Reactivate({ loaderData }: Route.ComponentProps) {
  return <ReactivateScreen loaderData={loaderData} />
}
