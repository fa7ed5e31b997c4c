import { data, href, redirect } from 'react-router'
import { signedInHeaders } from '../../features/accounts/commands.server.ts'
import { emailChangeSent } from '../../features/accounts/messages.ts'
import { NewEmailScreen } from '../../features/accounts/screens/new-email-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { ownPath, readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { findProofAsked } from '../ask-again.server.ts'
import { findSession, signInPath } from '../require-session.server.ts'
import type { Route } from './+types/new-email'
import { changeEmail, EMAIL_CHANGE_SCHEMAS } from './change-email.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Give us another email', matches[0]?.loaderData)

/** Every private screen redirects here while the account has no address of its own (Decision 34). */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { config } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) throw redirect(signInPath(url))
  const next = ownPath(url.searchParams.get('next'), href('/'))
  if (!session.user.needsEmail) throw redirect(next, { headers: signedInHeaders([], config.publicUrl) })
  return { next, proofAsked: await findProofAsked({ request, context }) }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const session = await findSession({ request, context })
  if (!session) throw redirect(signInPath(url))
  const form = await readForm(request, EMAIL_CHANGE_SCHEMAS)
  const outcome = await changeEmail({ request, context }, form)
  if (!outcome.ok) return data({ message: null, result: outcome.result }, { status: outcome.status })
  return data({ message: emailChangeSent(String(form.get('email')).trim()), result: undefined })
}

export default function NewEmail({ loaderData, actionData }: Route.ComponentProps) {
  return <NewEmailScreen loaderData={loaderData} actionData={actionData} />
}
