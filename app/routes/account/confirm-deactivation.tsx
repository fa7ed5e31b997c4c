import { data, href, redirect } from 'react-router'
import { originOf } from '../../adapters/accounts/security-log.ts'
import { signedOutHeaders } from '../../features/accounts/commands.server.ts'
import { isLastAdmin } from '../../features/operators/people-queries.server.ts'
import { deactivateAccount } from '../../features/privacy/commands.server.ts'
import { listShownBusinessNames } from '../../features/privacy/queries.server.ts'
import { ConfirmDeactivationScreen } from '../../features/privacy/screens/confirm-deactivation-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { closingDeps } from '../../services/deps.server.ts'
import { answerTimeText } from '../../shared/durations.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/confirm-deactivation'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Deactivate your account', matches[0]?.loaderData)

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext)
  const { user } = await requireSession({ request, url, context })
  return {
    businesses: await listShownBusinessNames(db, user.uid),
    isLastAdmin: await isLastAdmin(db, user.uid, config.operatorEmails),
    answerTime: answerTimeText(config.undecided.declineAfterMs),
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  await readForm(request, [])
  const { accounts, config } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const closed = await deactivateAccount(
    closingDeps(context.get(servicesContext)),
    session.user.uid,
    originOf(request),
  )
  if (!closed.ok) return data({ isLastAdmin: true }, { status: 409 })
  return redirect(`${href('/account-closed')}?how=deactivated`, {
    headers: signedOutHeaders(accounts.forgetCookies(), config.publicUrl),
  })
}

export default function ConfirmDeactivation({ loaderData, actionData }: Route.ComponentProps) {
  return <ConfirmDeactivationScreen loaderData={{ ...loaderData, ...actionData }} />
}
