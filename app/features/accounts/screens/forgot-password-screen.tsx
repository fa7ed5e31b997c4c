import { href, Link } from 'react-router'
import type { AccountResult } from '../components/account-form.tsx'
import { AccountForm } from '../components/account-form.tsx'
import { AccountPage } from '../components/account-page.tsx'
import { forgotPasswordSchema } from '../schema.ts'

const PICTURE = 'hero-4/forgotten'

/** Asks for the link that resets a password. */
export function ForgotPasswordScreen({
  actionData,
}: {
  actionData: { sent: boolean; result: AccountResult } | undefined
}) {
  const back = (
    <p className="mt-6">
      <Link className="link" to={href('/login')}>
        Back to Log In
      </Link>
    </p>
  )
  if (actionData?.sent) {
    return (
      <AccountPage title="Check your email" picture={PICTURE}>
        <p role="status">
          If there is an account with this address, a link to choose a new password is on its way. It works
          once, for one hour.
        </p>
        <p className="mt-3 text-quiet">
          Nothing after a few minutes? Check your spam folder, or try another address. Links in earlier emails
          work too, for one hour each. After several requests in a row, we wait before we send another.
        </p>
        {back}
      </AccountPage>
    )
  }
  return (
    <AccountPage
      title="Reset your password"
      intro="Tell us your email and we send you a link to choose a new password."
      picture={PICTURE}
    >
      <AccountForm
        schema={forgotPasswordSchema}
        lastResult={actionData?.result}
        step="request-password-reset"
        submitLabel="Send the link"
        pendingLabel="Sending..."
        fields={[{ name: 'email', label: 'Email', type: 'email', autoComplete: 'username' }]}
      />
      {back}
    </AccountPage>
  )
}
