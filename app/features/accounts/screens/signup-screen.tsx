import { href, Link } from 'react-router'
import type { AccountResult } from '../components/account-form.tsx'
import { AccountForm } from '../components/account-form.tsx'
import { AccountPage } from '../components/account-page.tsx'
import { SIGN_UP_INTRO } from '../messages.ts'
import type { PasswordPolicy } from '../rules.ts'
import { withNext } from '../rules.ts'
import { signUpSchema } from '../schema.ts'

/** The sign-up screen: a name, an email address and a password. */
export function SignUpScreen({
  loaderData: { next, policy },
  actionData,
}: {
  loaderData: { next: string; policy: PasswordPolicy }
  actionData: { result: AccountResult } | undefined
}) {
  return (
    <AccountPage title="Sign Up" intro={SIGN_UP_INTRO} picture="hero-3/sign-up">
      <AccountForm
        schema={signUpSchema(policy)}
        lastResult={actionData?.result}
        action={withNext(href('/signup'), next)}
        step="sign-up"
        submitLabel="Sign Up"
        pendingLabel="Signing up..."
        fields={[
          { name: 'displayName', label: 'Your name', type: 'text', autoComplete: 'name' },
          { name: 'email', label: 'Email', type: 'email', autoComplete: 'username' },
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
