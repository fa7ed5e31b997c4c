import { Form, href, useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { AccountPage } from '../../accounts/components/account-page.tsx'

/** Offers to reactivate the account that has just signed in. */
export function ReactivateScreen({ loaderData: { name } }: { loaderData: { name: string } }) {
  const pending = useNavigation().formMethod === 'POST'
  return (
    <AccountPage
      title={`Welcome back, ${name}`}
      intro="Your account is deactivated. Reactivate it to get everything back: your profile, your bookings, and your businesses open for new bookings."
      picture="hero-1/welcome-back"
    >
      <Form method="post">
        <Button
          type="submit"
          variant="primary"
          size="large"
          wide
          pending={pending}
          pendingText="Reactivating..."
        >
          Reactivate my account
        </Button>
        <SendFailure />
      </Form>
      <Form method="post" action={href('/logout')} className="mt-3">
        <Button type="submit" variant="quiet" size="large" wide>
          Stay deactivated
        </Button>
        <SendFailure />
      </Form>
    </AccountPage>
  )
}
