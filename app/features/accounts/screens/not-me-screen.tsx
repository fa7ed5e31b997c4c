import { Form, href, Link, useNavigation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { AccountPage } from '../components/account-page.tsx'

const PICTURE = 'hero-4/forgotten'

type Refused = { email: string | null; problem: string | null }

/** Signs every browser out and leads to a new password, with the link in the mail about a new device. */
export function NotMeScreen({
  loaderData,
  actionData,
}: {
  loaderData: Refused & { token: string }
  actionData: Refused | undefined
}) {
  const pending = useNavigation().formMethod === 'POST'
  if (actionData?.email)
    return (
      <AccountPage title="Every browser is signed out" picture={PICTURE}>
        <p role="status">
          We have sent a link to {actionData.email} to choose a new password. Your old one no longer works.
        </p>
        <p className="mt-6">
          <Link className="link" to={href('/forgot-password')}>
            Send me the link again
          </Link>
        </p>
      </AccountPage>
    )
  const problem = actionData?.problem ?? loaderData.problem
  return (
    <AccountPage
      title="This wasn’t me"
      intro={
        loaderData.email
          ? 'We sign out every browser, your password stops working, and passkeys or two-step login set up since then are removed. Then you choose a new password.'
          : undefined
      }
      picture={PICTURE}
    >
      {problem ? (
        <div className="mb-6" role="alert">
          <Banner tone="error">{problem}</Banner>
        </div>
      ) : null}
      {loaderData.email && !actionData ? (
        <Form method="post">
          <input type="hidden" name="token" value={loaderData.token} />
          <Button
            type="submit"
            variant="primary"
            size="large"
            wide
            pending={pending}
            pendingText="Signing out..."
          >
            Sign out everywhere
          </Button>
        </Form>
      ) : (
        <p>
          <Link className="link" to={href('/forgot-password')}>
            Choose a new password
          </Link>
        </p>
      )}
    </AccountPage>
  )
}
