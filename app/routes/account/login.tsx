import { data, href, redirect } from 'react-router'
import {
  signedInHeaders,
  signedOutHeaders,
  submitAccountForm,
} from '../../features/accounts/commands.server.ts'
import { LOGIN_INTRO, SIGN_IN_LIMITED } from '../../features/accounts/messages.ts'
import { withNext } from '../../features/accounts/rules.ts'
import { signInSchema } from '../../features/accounts/schema.ts'
import { LoginScreen } from '../../features/accounts/screens/login-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { ownPath, readForm } from '../../shared/form.ts'
import { pageMeta, pageTitle } from '../../shared/page-meta.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/login'
import { welcome } from './welcome.server.ts'

export const meta: Route.MetaFunction = ({ matches }) => {
  const site = matches[0]?.loaderData
  return pageMeta(site, { title: pageTitle('Log In', site), description: LOGIN_INTRO, path: href('/login') })
}

/**
 * Every guard redirects here, so this loader clears an ended session and says why it ended. It sends visitors who are
 * signed in already to their destination.
 */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { accounts, config } = context.get(servicesContext)
  const next = ownPath(url.searchParams.get('next'), href('/'))
  if (await findSession({ request, context }))
    throw redirect(next, { headers: signedInHeaders([], config.publicUrl) })
  if (await accounts.findDeactivatedSession(request)) throw redirect(withNext(href('/reactivate'), next))
  const ended = await accounts.findSessionEnd(request)
  const answer = { next, ended, hasPasskeys: accounts.passkeys !== null }
  return ended
    ? data(answer, { headers: signedOutHeaders(accounts.forgetCookies(), config.publicUrl) })
    : data(answer)
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { accounts, config } = context.get(servicesContext)
  const outcome = await submitAccountForm({
    form: await readForm(request, signInSchema),
    schema: signInSchema,
    ask: (fields) => accounts.signIn(request, fields),
    inWords: { 'too-many-requests': SIGN_IN_LIMITED },
  })
  if (!outcome.ok) return data({ result: outcome.result }, { status: outcome.status })
  const { answer } = outcome
  if (!answer.needsCode) return welcome({ request, context, url }, answer)
  const next = ownPath(url.searchParams.get('next'), href('/'))
  return redirect(withNext(href('/login/code'), next), {
    headers: signedOutHeaders(answer.cookies, config.publicUrl),
  })
}

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  return <LoginScreen loaderData={loaderData} actionData={actionData} />
}
