import { href, Link } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import type { AccountResult } from '../components/account-form.tsx'
import { AccountForm } from '../components/account-form.tsx'
import { AccountPage } from '../components/account-page.tsx'
import type { PasswordPolicy } from '../rules.ts'
import { resetPasswordSchema } from '../schema.ts'

const PICTURE = 'hero-4/forgotten'

/** Sets a new password by a mailed link. */
export function ResetPasswordScreen({
  loaderData: { token, email, policy },
  actionData,
}: {
  loaderData: { token: string; email: string | null; policy: PasswordPolicy }
  actionData: { done: boolean; result: AccountResult } | undefined
}) {
  if (actionData?.done) {
    return (
      <AccountPage title="Your password is changed" picture={PICTURE}>
        <p role="status">You are logged out everywhere. Log in with the new password.</p>
        <div className="mt-6">
          <ButtonLink variant="primary" size="large" to={href('/login')}>
            Log In
          </ButtonLink>
        </div>
      </AccountPage>
    )
  }
  return (
    <AccountPage title="Choose a new password" intro="This logs you out everywhere else." picture={PICTURE}>
      <AccountForm
        schema={resetPasswordSchema(policy)}
        lastResult={actionData?.result}
        step="reset-password"
        submitLabel="Change the password"
        pendingLabel="Changing..."
        hidden={{ token }}
        username={email ?? undefined}
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
