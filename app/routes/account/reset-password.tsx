import { data, href, Link } from 'react-router'
import { signedOutHeaders, submitAccountForm } from '../../features/accounts/commands.server.ts'
import { AccountForm } from '../../features/accounts/components/account-form.tsx'
import { AccountPage } from '../../features/accounts/components/account-page.tsx'
import { resetPasswordSchema } from '../../features/accounts/schema.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { ButtonLink } from '../../ui/button.tsx'
import type { Route } from './+types/reset-password'

const PICTURE = 'hero-4/forgotten'

export const meta: Route.MetaFunction = ({ matches }) => [
  ...privateMeta('Choose a new password', matches[0]?.loaderData),
  // The link's token must not travel to another site.
  { name: 'referrer', content: 'no-referrer' },
]

export function loader({ context, url }: Route.LoaderArgs) {
  const { config } = context.get(servicesContext)
  return { token: url.searchParams.get('token') ?? '', policy: config.passwordPolicy }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { accounts, config } = context.get(servicesContext)
  const schema = resetPasswordSchema(config.passwordPolicy)
  const outcome = await submitAccountForm({
    form: await readForm(request, schema),
    schema,
    ask: (fields) => accounts.resetPassword(request, fields),
  })
  if (!outcome.ok) return data({ done: false, result: outcome.result }, { status: outcome.status })
  return data(
    { done: true, result: undefined },
    { headers: signedOutHeaders(outcome.answer.cookies, config.publicUrl) },
  )
}

export default function ResetPassword({ loaderData: { token, policy }, actionData }: Route.ComponentProps) {
  if (actionData?.done) {
    return (
      <AccountPage title="Your password is changed" picture={PICTURE}>
        <p role="status">You are signed out everywhere. Log in with the new password.</p>
        <div className="mt-6">
          <ButtonLink variant="primary" size="large" to={href('/login')}>
            Log In
          </ButtonLink>
        </div>
      </AccountPage>
    )
  }
  return (
    <AccountPage
      title="Choose a new password"
      intro="You are then signed out everywhere else."
      picture={PICTURE}
    >
      <AccountForm
        schema={resetPasswordSchema(policy)}
        lastResult={actionData?.result}
        step="reset-password"
        submitLabel="Change the password"
        pendingLabel="Changing..."
        hidden={{ token }}
        fields={[
          { name: 'password', label: 'New password', type: 'password', autoComplete: 'new-password', policy },
        ]}
      />
      <p className="mt-6">
        <Link className="link" to={href('/forgot-password')}>
          Ask for a new link
        </Link>
      </p>
    </AccountPage>
  )
}
