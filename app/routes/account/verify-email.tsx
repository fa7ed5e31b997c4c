import { useEffect } from 'react'
import { data, Link, useNavigation, useSearchParams } from 'react-router'
import { z } from 'zod'
import { AccountPage } from '../../features/accounts/components/account-page.tsx'
import { useAuth } from '../../features/accounts/components/auth-context.tsx'
import { HostedForm } from '../../features/accounts/components/hosted-sign-in.tsx'
import { accountWording } from '../../features/accounts/wording.ts'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import type { Route } from './+types/verify-email'

const PICTURE = 'hero-1/confirmed'

export const meta: Route.MetaFunction = ({ matches }) => [
  ...privateMeta('Confirm your e-mail', matches[0]?.loaderData),
  { name: 'referrer', content: 'no-referrer' },
]

const formSchema = z.object({ token: z.string() })

/** Confirmed by a press, since mail programs follow links by themselves to look at them. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { accounts, hostedAccounts } = context.get(servicesContext)
  // A hosted service takes the link in the browser; the form then carries the ID token that came of it.
  const form = await readForm(request, formSchema)
  const token = hostedAccounts ? form.get('token') : url.searchParams.get('token')
  const answer = await accounts.confirmEmail(request, { token: String(token ?? '') })
  if (answer.ok) return data(answer)
  return data(
    { ok: false as const, message: accountWording[answer.reason] },
    { status: answer.reason === 'too-many-requests' ? 429 : 400 },
  )
}

export default function VerifyEmail({ actionData }: Route.ComponentProps) {
  const { refresh, user } = useAuth()
  const navigation = useNavigation()
  const token = useSearchParams()[0].get('token') ?? ''
  const done = actionData?.ok === true
  useEffect(() => {
    if (done) void refresh()
  }, [done, refresh])
  if (actionData?.ok) {
    return (
      <AccountPage
        title={actionData.changed ? 'Your e-mail is changed' : 'Your e-mail is confirmed'}
        picture={PICTURE}
      >
        <p role="status">
          {actionData.changed
            ? `From now on you log in with ${actionData.email}.`
            : 'Bookings you made with it as a guest now appear under My Bookings.'}
        </p>
        <div className="mt-6">
          <ButtonLink variant="primary" size="large" to="/my-bookings">
            My Bookings
          </ButtonLink>
        </div>
      </AccountPage>
    )
  }
  return (
    <AccountPage
      title="Confirm your e-mail"
      intro="One press, and the address is yours here."
      picture={PICTURE}
    >
      {actionData ? (
        <div className="mb-6" role="alert">
          <Banner tone="error">{actionData.message}</Banner>
        </div>
      ) : null}
      <HostedForm step="confirm-email" method="post">
        <input type="hidden" name="token" value={token} />
        <Button
          type="submit"
          variant="primary"
          size="large"
          wide
          pending={navigation.formMethod === 'POST'}
          pendingText="Confirming..."
        >
          Confirm my e-mail
        </Button>
      </HostedForm>
      {actionData && user && !user.emailVerified ? (
        <p className="mt-6">
          <Link className="link" to="/my-profile">
            Send me a new link
          </Link>
        </p>
      ) : null}
    </AccountPage>
  )
}
