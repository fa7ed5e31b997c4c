import { data, href, Link, redirect } from 'react-router'
import {
  noteSignIn,
  signedInHeaders,
  signedOutHeaders,
  submitAccountForm,
} from '../../features/accounts/commands.server.ts'
import { AccountForm } from '../../features/accounts/components/account-form.tsx'
import { AccountPage } from '../../features/accounts/components/account-page.tsx'
import { withNext } from '../../features/accounts/rules.ts'
import { signInSchema } from '../../features/accounts/schema.ts'
import { SESSION_END_TEXTS, SIGN_IN_LIMITED } from '../../features/accounts/wording.ts'
import { servicesContext } from '../../request-context.server.ts'
import { ownPath, readForm } from '../../shared/form.ts'
import { pageMeta, pageTitle } from '../../shared/page-meta.ts'
import { Banner } from '../../ui/banner.tsx'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/login'

const INTRO = 'Your bookings, your listings and your messages in one place.'

export const meta: Route.MetaFunction = ({ matches }) => {
  const site = matches[0]?.loaderData
  return pageMeta(site, { title: pageTitle('Log In', site), description: INTRO, path: href('/login') })
}

/**
 * Every guard leads here, so this is where a session that is over is cleared away and said so, and where somebody who
 * is signed in already is sent on.
 */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { accounts, config } = context.get(servicesContext)
  const next = ownPath(url.searchParams.get('next'), href('/'))
  if (await findSession({ request, context }))
    throw redirect(next, { headers: signedInHeaders([], config.publicUrl) })
  if (await accounts.findDeactivatedSession(request)) throw redirect(withNext(href('/reactivate'), next))
  const ended = await accounts.findSessionEnd(request)
  const answer = { next, ended }
  return ended
    ? data(answer, { headers: signedOutHeaders(accounts.forgetCookies(), config.publicUrl) })
    : data(answer)
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { accounts, config, db, jobs, now } = context.get(servicesContext)
  const outcome = await submitAccountForm({
    form: await readForm(request, signInSchema),
    schema: signInSchema,
    ask: (fields) => accounts.signIn(request, fields),
    inWords: { 'too-many-requests': SIGN_IN_LIMITED },
  })
  if (!outcome.ok) return data({ result: outcome.result }, { status: outcome.status })
  const { cookies, userId, deactivated, needsEmail } = outcome.answer
  const next = ownPath(url.searchParams.get('next'), href('/'))
  if (deactivated)
    return redirect(withNext(href('/reactivate'), next), {
      headers: signedOutHeaders(cookies, config.publicUrl),
    })
  await noteSignIn({ db, jobs, now, ...config }, { userId, userAgent: request.headers.get('user-agent') })
  return redirect(needsEmail ? withNext(href('/new-email'), next) : next, {
    headers: signedInHeaders(cookies, config.publicUrl),
  })
}

export default function Login({ loaderData: { next, ended }, actionData }: Route.ComponentProps) {
  return (
    <AccountPage title="Log In" intro={INTRO} picture="hero-2/log-in">
      {ended && !actionData ? (
        <div className="mb-6" role="status">
          <Banner>{SESSION_END_TEXTS[ended]}</Banner>
        </div>
      ) : null}
      <AccountForm
        schema={signInSchema}
        lastResult={actionData?.result}
        action={withNext(href('/login'), next)}
        step="sign-in"
        submitLabel="Log In"
        pendingLabel="Logging in..."
        fields={[
          { name: 'email', label: 'E-mail', type: 'email', autoComplete: 'username' },
          { name: 'password', label: 'Password', type: 'password', autoComplete: 'current-password' },
        ]}
      />
      <div className="mt-6 grid gap-3">
        <p>
          <Link className="link" to={href('/forgot-password')}>
            Forgot your password?
          </Link>
        </p>
        <p>
          New here?{' '}
          <Link className="link" to={withNext(href('/signup'), next)}>
            Sign Up
          </Link>
        </p>
      </div>
    </AccountPage>
  )
}
