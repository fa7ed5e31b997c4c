import { data, href, Link, redirect } from 'react-router'
import { noteSignIn, signedInHeaders, submitAccountForm } from '../../features/accounts/commands.server.ts'
import { AccountForm } from '../../features/accounts/components/account-form.tsx'
import { AccountPage } from '../../features/accounts/components/account-page.tsx'
import { withNext } from '../../features/accounts/rules.ts'
import { signUpSchema } from '../../features/accounts/schema.ts'
import { servicesContext } from '../../request-context.server.ts'
import { ownPath, readForm } from '../../shared/form.ts'
import { pageMeta, pageTitle } from '../../shared/page-meta.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/signup'

const INTRO = 'One account for booking and for listing your own business. Booking works without one, too.'

export const meta: Route.MetaFunction = ({ matches }) => {
  const site = matches[0]?.loaderData
  return pageMeta(site, { title: pageTitle('Sign Up', site), description: INTRO, path: href('/signup') })
}

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { config } = context.get(servicesContext)
  const next = ownPath(url.searchParams.get('next'), href('/'))
  if (await findSession({ request, context }))
    throw redirect(next, { headers: signedInHeaders([], config.publicUrl) })
  return { next, policy: config.passwordPolicy }
}

/** Signs in at once and sends the verification mail (Decision 21). */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { accounts, config, db, jobs, now } = context.get(servicesContext)
  const schema = signUpSchema(config.passwordPolicy)
  const outcome = await submitAccountForm({
    form: await readForm(request, schema),
    schema,
    ask: (fields) => accounts.signUp(request, fields),
  })
  if (!outcome.ok) return data({ result: outcome.result }, { status: outcome.status })
  const { cookies, userId } = outcome.answer
  await noteSignIn({ db, jobs, now, ...config }, { userId, userAgent: request.headers.get('user-agent') })
  return redirect(ownPath(url.searchParams.get('next'), href('/')), {
    headers: signedInHeaders(cookies, config.publicUrl),
  })
}

export default function SignUp({ loaderData: { next, policy }, actionData }: Route.ComponentProps) {
  return (
    <AccountPage title="Sign Up" intro={INTRO} picture="hero-3/sign-up">
      <AccountForm
        schema={signUpSchema(policy)}
        lastResult={actionData?.result}
        action={withNext(href('/signup'), next)}
        step="sign-up"
        submitLabel="Sign Up"
        pendingLabel="Signing up..."
        fields={[
          { name: 'displayName', label: 'Your name', type: 'text', autoComplete: 'name' },
          { name: 'email', label: 'E-mail', type: 'email', autoComplete: 'username' },
          { name: 'password', label: 'Password', type: 'password', autoComplete: 'new-password', policy },
        ]}
      />
      <p className="mt-6">
        Already have an account?{' '}
        <Link className="link" to={withNext(href('/login'), next)}>
          Log In
        </Link>
      </p>
    </AccountPage>
  )
}
