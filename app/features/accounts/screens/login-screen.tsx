import { useEffect, useState } from 'react'
import { href, Link } from 'react-router'
import type { SessionEnd } from '../../../adapters/accounts/port.ts'
import { Banner } from '../../../ui/banner.tsx'
import { PartBoundary } from '../../../ui/part-boundary.tsx'
import type { AccountResult } from '../components/account-form.tsx'
import { AccountForm } from '../components/account-form.tsx'
import { AccountPage } from '../components/account-page.tsx'
import { LOGIN_INTRO, SESSION_END_TEXTS } from '../messages.ts'
import { withNext } from '../rules.ts'
import { signInSchema } from '../schema.ts'

/** The login screen. It says why a session has ended, and leads to where the visitor was going. */
export function LoginScreen({
  loaderData: { next, ended, hasPasskeys },
  actionData,
}: {
  loaderData: { next: string; ended: SessionEnd | null; hasPasskeys: boolean }
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
          {
            name: 'email',
            label: 'Email',
            type: 'email',
            autoComplete: hasPasskeys ? 'username webauthn' : 'username',
          },
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
      {hasPasskeys ? <PasskeyPlace next={next} /> : null}
    </AccountPage>
  )
}

type SignIn = typeof import('../components/passkey-sign-in.tsx').PasskeySignIn

/**
 * Fetches the script of passkeys once the page works, and only in a browser that has them. Its place is kept free, so
 * that nothing moves.
 */
function PasskeyPlace({ next }: { next: string }) {
  const [SignIn, setSignIn] = useState<SignIn | null>(null)
  useEffect(() => {
    if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) return
    import('../components/passkey-sign-in.tsx').then(
      ({ PasskeySignIn }) => setSignIn(() => PasskeySignIn),
      // The password still works.
      (error) => console.warn('Passkeys could not be loaded.', error),
    )
  }, [])
  return (
    <div className="mt-6 min-h-14">
      {SignIn ? (
        <PartBoundary part="passkey-sign-in">
          <SignIn next={next} />
        </PartBoundary>
      ) : null}
    </div>
  )
}
