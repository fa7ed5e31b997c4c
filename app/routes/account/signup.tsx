import { data, href, redirect } from 'react-router'
import { noteSignIn, signedInHeaders, submitAccountForm } from '../../features/accounts/commands.server.ts'
import { SIGN_UP_INTRO } from '../../features/accounts/messages.ts'
import { signUpSchema } from '../../features/accounts/schema.ts'
import { SignUpScreen } from '../../features/accounts/screens/signup-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { ownPath, readForm } from '../../shared/form.ts'
import { pageMeta, pageTitle } from '../../shared/page-meta.ts'
import { findSession } from '../require-session.server.ts'
import type { Route } from './+types/signup'

export const meta: Route.MetaFunction = ({ matches }) => {
  const site = matches[0]?.loaderData
  return pageMeta(site, {
    title: pageTitle('Sign Up', site),
    description: SIGN_UP_INTRO,
    path: href('/signup'),
  })
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
    newPassword: 'password',
  })
  if (!outcome.ok) return data({ result: outcome.result }, { status: outcome.status })
  const { cookies, userId } = outcome.answer
  await noteSignIn({ db, jobs, now, ...config }, { userId, userAgent: request.headers.get('user-agent') })
  return redirect(ownPath(url.searchParams.get('next'), href('/')), {
    headers: signedInHeaders(cookies, config.publicUrl),
  })
}

export default function SignUp({ loaderData, actionData }: Route.ComponentProps) {
  return <SignUpScreen loaderData={loaderData} actionData={actionData} />
}
