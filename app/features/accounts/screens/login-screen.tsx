import { href, Link } from 'react-router'
import type { SessionEnd } from '../../../adapters/accounts/port.ts'
import { Banner } from '../../../ui/banner.tsx'
import type { AccountResult } from '../components/account-form.tsx'
import { AccountForm } from '../components/account-form.tsx'
import { AccountPage } from '../components/account-page.tsx'
import { LOGIN_INTRO, SESSION_END_TEXTS } from '../messages.ts'
import { withNext } from '../rules.ts'
import { signInSchema } from '../schema.ts'

/** The login screen. It says why a session has ended, and leads to where the visitor was going. */
export function LoginScreen({
  loaderData: { next, ended },
  actionData,
}: {
  loaderData: { next: string; ended: SessionEnd | null }
  actionData: { result: AccountResult } | undefined
}) {
  return (
    <AccountPage title="Log In" intro={LOGIN_INTRO} picture="hero-2/log-in">
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
          { name: 'email', label: 'Email', type: 'email', autoComplete: 'username' },
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
