import { href, redirect } from 'react-router'
import { originOf } from '../../adapters/accounts/security-log.ts'
import { signedOutHeaders } from '../../features/accounts/commands.server.ts'
import { deactivateAccount } from '../../features/privacy/commands.server.ts'
import { listShownBusinessNames } from '../../features/privacy/queries.server.ts'
import { ConfirmDeactivationScreen } from '../../features/privacy/screens/confirm-deactivation-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/confirm-deactivation'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Deactivate your account', matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  return { businesses: await listShownBusinessNames(db, session.user.uid) }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  await readForm(request, [])
  const services = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  await deactivateAccount(services, session.user.uid, originOf(request))
  return redirect(`${href('/account-closed')}?how=deactivated`, {
    headers: signedOutHeaders(services.accounts.forgetCookies(), services.config.publicUrl),
  })
}

export default function ConfirmDeactivation({ loaderData }: Route.ComponentProps) {
  return <ConfirmDeactivationScreen loaderData={loaderData} />
}
