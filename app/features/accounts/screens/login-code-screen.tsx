import { href, Link } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { AccountForm, type AccountResult } from '../components/account-form.tsx'
import { AccountPage } from '../components/account-page.tsx'
import { accountWording } from '../messages.ts'
import { withNext } from '../rules.ts'
import { codeSchema, recoveryCodeSchema } from '../schema.ts'

const PICTURE = 'hero-2/log-in'

export type LoginCodeAnswer = { intent: 'code' | 'recovery-code'; result: AccountResult }

/**
 * The second step of a login: a code from the person's app, or one of their recovery codes.
 * @param props.loaderData.isDue false when the browser has not given the password, or too long ago
 */
export function LoginCodeScreen({
  loaderData: { next, brand, isDue },
  actionData,
}: {
  loaderData: { next: string; brand: string; isDue: boolean }
  actionData: LoginCodeAnswer | undefined
}) {
  const resultOf = (intent: LoginCodeAnswer['intent']) =>
    actionData?.intent === intent ? actionData.result : undefined
  const action = withNext(href('/login/code'), next)
  if (!isDue)
    return (
      <AccountPage title="Enter your code" picture={PICTURE}>
        <div className="mb-6" role="status">
          <Banner>{accountWording['missing-multi-factor-session']}</Banner>
        </div>
        <ButtonLink to={withNext(href('/login'), next)} variant="primary" size="large">
          Log In
        </ButtonLink>
      </AccountPage>
    )
  return (
    <AccountPage
      title="Enter your code"
      intro={`Your authenticator app shows six digits for ${brand}.`}
      picture={PICTURE}
    >
      <AccountForm
        intent="code"
        isMain
        schema={codeSchema}
        lastResult={resultOf('code')}
        action={action}
        submitLabel="Log In"
        pendingLabel="Logging in..."
        fields={[
          {
            name: 'code',
            label: 'Code from the app',
            type: 'text',
            inputMode: 'numeric',
            autoComplete: 'one-time-code',
          },
        ]}
      />
      <details className="mt-6" open={actionData?.intent === 'recovery-code' ? true : undefined}>
        <summary className="link w-fit cursor-pointer py-2">Use a recovery code</summary>
        <div className="mt-3">
          <AccountForm
            intent="recovery-code"
            variant="secondary"
            schema={recoveryCodeSchema}
            lastResult={resultOf('recovery-code')}
            action={action}
            submitLabel="Log in with it"
            pendingLabel="Logging in..."
            fields={[
              {
                name: 'recoveryCode',
                label: 'Recovery code',
                hint: 'You got eight of them when you set up two-step login. Each works once.',
                type: 'text',
                autoComplete: 'off',
              },
            ]}
          />
        </div>
      </details>
      <p className="mt-3">
        <Link className="link" to={withNext(href('/login'), next)}>
          Start again
        </Link>
      </p>
    </AccountPage>
  )
}
