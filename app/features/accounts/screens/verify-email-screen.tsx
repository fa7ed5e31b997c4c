import { useEffect } from 'react'
import { Form, href, Link, useNavigation } from 'react-router'
import type { EmailLink } from '../../../adapters/accounts/port.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import type { AccountResult } from '../components/account-form.tsx'
import { AccountForm } from '../components/account-form.tsx'
import { AccountPage } from '../components/account-page.tsx'
import { useAuth } from '../components/auth-context.tsx'
import type { PasswordPolicy } from '../rules.ts'
import { confirmByPasswordSchema, signUpSchema } from '../schema.ts'

const PICTURE = 'hero-1/confirmed'

/** The result of following a mailed link. */
export type LinkOutcome =
  | { how: 'confirmed'; changed: boolean; email: string }
  | { how: 'detached'; email: string }
  | { how: 'new-account'; email: string; beginsBy: 'sign-up' | 'password-mail' }

/** Confirms an address by a mailed link, or takes it off a stranger's account. */
export function VerifyEmailScreen({
  loaderData,
  actionData,
}: {
  loaderData: {
    token: string
    policy: PasswordPolicy
    link: Omit<Extract<EmailLink, { ok: true }>, 'ok'> | null
    /** Why the link no longer works. */
    problem: string | null
    isSignedIn: boolean
    confirmedEmail: string | null
  }
  actionData: { done: LinkOutcome | null; message: string | null; result: AccountResult } | undefined
}) {
  const { refresh } = useAuth()
  const { token, policy, link, problem, isSignedIn, confirmedEmail } = loaderData
  const isConfirmed = actionData?.done?.how === 'confirmed'
  useEffect(() => {
    if (isConfirmed) void refresh()
  }, [isConfirmed, refresh])

  if (actionData?.done) return <Outcome done={actionData.done} policy={policy} isSignedIn={isSignedIn} />
  if (!link) return <DeadLink problem={problem} isSignedIn={isSignedIn} confirmedEmail={confirmedEmail} />
  if (link.isOwn)
    return (
      <AccountPage
        title="Confirm your email"
        intro={
          link.kind === 'change'
            ? `Press the button, and from then on you log in with ${link.email}.`
            : `Press the button to confirm ${link.email}.`
        }
        picture={PICTURE}
      >
        {actionData?.message ? <Problem text={actionData.message} /> : null}
        <OwnForm token={token} />
      </AccountPage>
    )
  return (
    <AccountPage
      title="Is this account yours?"
      intro={
        link.kind === 'change'
          ? `Someone asked to change their account’s email to ${link.email}. Only the account’s owner can confirm that.`
          : `Someone opened an account with ${link.email}. Only the account’s owner can confirm the address.`
      }
      picture={PICTURE}
    >
      {isSignedIn ? (
        <div className="mb-6">
          <Banner>You are logged in to another account. It stays as it is.</Banner>
        </div>
      ) : null}
      <AccountForm
        intent="confirm"
        isMain
        schema={confirmByPasswordSchema}
        lastResult={actionData?.result}
        step="confirm-email"
        submitLabel="Confirm my email"
        pendingLabel="Confirming..."
        hidden={{ token }}
        fields={[
          {
            name: 'password',
            label: 'Password of that account',
            type: 'password',
            autoComplete: 'current-password',
          },
        ]}
      />
      <section className="mt-10 border-line border-t pt-8" aria-labelledby="not-mine">
        <h2 id="not-mine" className="text-xl">
          Not your account?
        </h2>
        <p className="mt-2 mb-5 text-quiet">
          Then don’t confirm it. Either button takes your address off that account and changes nothing else.
        </p>
        {actionData?.message && !actionData.result ? <Problem text={actionData.message} /> : null}
        <DetachForm token={token} />
      </section>
    </AccountPage>
  )
}

function Problem({ text }: { text: string }) {
  return (
    <div className="mb-6" role="alert">
      <Banner tone="error">{text}</Banner>
    </div>
  )
}

function OwnForm({ token }: { token: string }) {
  const pending = useNavigation().formMethod === 'POST'
  return (
    <Form method="post">
      <input type="hidden" name="token" value={token} />
      <Button
        type="submit"
        name="intent"
        value="confirm"
        variant="primary"
        size="large"
        wide
        pending={pending}
        pendingText="Confirming..."
      >
        Confirm my email
      </Button>
    </Form>
  )
}

function DetachForm({ token }: { token: string }) {
  const intent = useNavigation().formData?.get('intent')
  return (
    <Form method="post" className="grid gap-3">
      <input type="hidden" name="token" value={token} />
      <Button
        type="submit"
        name="intent"
        value="not-me"
        size="large"
        wide
        pending={intent === 'not-me'}
        pendingText="Removing it..."
      >
        This wasn’t me
      </Button>
      <Button
        type="submit"
        name="intent"
        value="new-account"
        size="large"
        wide
        pending={intent === 'new-account'}
        pendingText="Removing it..."
      >
        Use this address for a new account
      </Button>
    </Form>
  )
}

function DeadLink({
  problem,
  isSignedIn,
  confirmedEmail,
}: {
  problem: string | null
  isSignedIn: boolean
  confirmedEmail: string | null
}) {
  return (
    <AccountPage title="Confirm your email" picture={PICTURE}>
      {problem ? <Problem text={problem} /> : null}
      {confirmedEmail ? (
        <p>The email of your account, {confirmedEmail}, is confirmed. There is nothing to do.</p>
      ) : (
        <p>
          <Link
            className="link"
            to={isSignedIn ? href('/my-profile') : `${href('/login')}?next=${href('/my-profile')}`}
          >
            Send me a new link
          </Link>
        </p>
      )}
    </AccountPage>
  )
}

function Outcome({
  done,
  policy,
  isSignedIn,
}: {
  done: LinkOutcome
  policy: PasswordPolicy
  isSignedIn: boolean
}) {
  const { email } = done
  if (done.how === 'confirmed')
    return (
      <AccountPage
        title={done.changed ? 'Your email is changed' : 'Your email is confirmed'}
        picture={PICTURE}
      >
        <p role="status">
          {done.changed
            ? `From now on you log in with ${email}.`
            : 'Bookings you made with it as a guest now appear under My Bookings.'}
        </p>
        <div className="mt-6">
          <ButtonLink
            variant="primary"
            size="large"
            to={isSignedIn ? href('/my-bookings') : `${href('/login')}?next=${href('/my-bookings')}`}
          >
            {isSignedIn ? 'My Bookings' : 'Log In'}
          </ButtonLink>
        </div>
      </AccountPage>
    )
  if (done.how === 'detached')
    return (
      <AccountPage title="Thanks for telling us" picture={PICTURE}>
        <p role="status">{email} no longer belongs to that account. You don’t have to do anything else.</p>
      </AccountPage>
    )
  if (done.beginsBy === 'password-mail')
    return (
      <AccountPage title="Check your email" picture={PICTURE}>
        <p role="status">
          We have sent a link to {email}. Choose a password with it, then log in: your new account is empty.
        </p>
      </AccountPage>
    )
  return (
    <AccountPage
      title="Sign Up"
      intro={`${email} no longer belongs to that account. Your new account is empty.`}
      picture={PICTURE}
    >
      <AccountForm
        schema={signUpSchema(policy)}
        lastResult={undefined}
        action={href('/signup')}
        step="sign-up"
        submitLabel="Sign Up"
        pendingLabel="Signing up..."
        fields={[
          { name: 'displayName', label: 'Your name', type: 'text', autoComplete: 'name' },
          { name: 'email', label: 'Email', type: 'email', autoComplete: 'username', defaultValue: email },
          { name: 'password', label: 'Password', type: 'password', autoComplete: 'new-password', policy },
        ]}
      />
    </AccountPage>
  )
}
