import { Form, href, Link, useNavigation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { AccountPage } from '../components/account-page.tsx'

const PICTURE = 'hero-4/forgotten'

type Undone = { email: string | null; problem: string | null }

/** Undoes a change of the account's address, with the link that was mailed to the old one. */
export function UndoEmailChangeScreen({
  loaderData,
  actionData,
}: {
  loaderData: Undone & { token: string }
  actionData: Undone | undefined
}) {
  const pending = useNavigation().formMethod === 'POST'
  if (actionData?.email)
    return (
      <AccountPage title="The change is undone" picture={PICTURE}>
        <p role="status">
          Your account uses {actionData.email} again. We have sent a link there to choose a new password.
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
      title="Undo the change of your email"
      intro={
        loaderData.email
          ? `Your account gets ${loaderData.email} back. We sign out every browser, and you choose a new password.`
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
            pendingText="Undoing..."
          >
            Undo the change
          </Button>
        </Form>
      ) : (
        <p>
          <Link className="link" to={href('/advice-support')}>
            Contact us
          </Link>
        </p>
      )}
    </AccountPage>
  )
}
