import { data, href, Link } from 'react-router'
import { submitAccountForm } from '../../features/accounts/commands.server.ts'
import { AccountForm } from '../../features/accounts/components/account-form.tsx'
import { AccountPage } from '../../features/accounts/components/account-page.tsx'
import { forgotPasswordSchema } from '../../features/accounts/schema.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import type { Route } from './+types/forgot-password'

const PICTURE = 'hero-4/forgotten'

export const meta: Route.MetaFunction = ({ matches }) => [
  ...privateMeta('Reset your password', matches[0]?.loaderData),
  { name: 'robots', content: 'noindex' },
]

/** The answer is the same for every address (Decision 21). */
export async function action({ request, context }: Route.ActionArgs) {
  const { accounts } = context.get(servicesContext)
  const outcome = await submitAccountForm({
    form: await readForm(request, forgotPasswordSchema),
    schema: forgotPasswordSchema,
    ask: (fields) => accounts.requestPasswordReset(request, fields),
  })
  if (!outcome.ok) return data({ sent: false, result: outcome.result }, { status: outcome.status })
  return data({ sent: true, result: undefined })
}

export default function ForgotPassword({ actionData }: Route.ComponentProps) {
  const back = (
    <p className="mt-6">
      <Link className="link" to={href('/login')}>
        Back to Log In
      </Link>
    </p>
  )
  if (actionData?.sent) {
    return (
      <AccountPage title="Look into your mail" picture={PICTURE}>
        <p role="status">
          If there is an account with this address, a link to choose a new password is on its way. It works
          once, for one hour.
        </p>
        <p className="mt-3 text-quiet">
          Nothing after a few minutes? Look into the spam folder, or try another address. An earlier mail from
          us works too, until it is an hour old. After a few in a row, no new one comes for a while.
        </p>
        {back}
      </AccountPage>
    )
  }
  return (
    <AccountPage
      title="Reset your password"
      intro="Tell us your e-mail and we send you a link to choose a new password."
      picture={PICTURE}
    >
      <AccountForm
        schema={forgotPasswordSchema}
        lastResult={actionData?.result}
        step="request-password-reset"
        submitLabel="Send the link"
        pendingLabel="Sending..."
        fields={[{ name: 'email', label: 'E-mail', type: 'email', autoComplete: 'username' }]}
      />
      {back}
    </AccountPage>
  )
}
