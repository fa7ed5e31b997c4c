import { data, href, redirect } from 'react-router'
import { signedInHeaders, submitAccountForm } from '../../features/accounts/commands.server.ts'
import { CURRENT_PASSWORD_WRONG, EMAIL_TAKEN, emailChangeSent } from '../../features/accounts/messages.ts'
import { changeEmailSchema } from '../../features/accounts/schema.ts'
import { NewEmailScreen } from '../../features/accounts/screens/new-email-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { ownPath, readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { findSession, signInPath } from '../require-session.server.ts'
import type { Route } from './+types/new-email'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Give us another email', matches[0]?.loaderData)

/** Every private screen redirects here while the account has no address of its own (Decision 34). */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { config } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) throw redirect(signInPath(url))
  const next = ownPath(url.searchParams.get('next'), href('/'))
  if (!session.user.needsEmail) throw redirect(next, { headers: signedInHeaders([], config.publicUrl) })
  return { next }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { accounts } = context.get(servicesContext)
  const session = await findSession({ request, context })
  if (!session) throw redirect(signInPath(url))
  const form = await readForm(request, changeEmailSchema)
  const outcome = await submitAccountForm({
    form,
    schema: changeEmailSchema,
    ask: (fields) => accounts.requestEmailChange(request, fields),
    onField: {
      'wrong-password': { field: 'password', message: CURRENT_PASSWORD_WRONG },
      'email-already-in-use': { field: 'email', message: EMAIL_TAKEN },
    },
  })
  if (!outcome.ok) return data({ message: null, result: outcome.result }, { status: outcome.status })
  return data({ message: emailChangeSent(String(form.get('email')).trim()), result: undefined })
}

export default function NewEmail({ loaderData, actionData }: Route.ComponentProps) {
  return <NewEmailScreen loaderData={loaderData} actionData={actionData} />
}
