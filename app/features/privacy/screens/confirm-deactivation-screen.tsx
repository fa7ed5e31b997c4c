import { Form, href, useNavigation } from 'react-router'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { LastAdminNote } from '../components/last-admin-note.tsx'

/** The screen that deactivates the account. */
export function ConfirmDeactivationScreen({
  loaderData: { businesses, isLastAdmin, answerTime },
}: {
  loaderData: {
    /** The names of the account's currently visible businesses. */
    businesses: readonly string[]
    isLastAdmin: boolean
    /** How long the account has to answer a booking: 'two days'. */
    answerTime: string
  }
}) {
  const pending = useNavigation().formMethod === 'POST'
  return (
    <div className="max-w-prose">
      <h1 className="text-3xl md:text-4xl">Deactivate your account?</h1>
      <p className="mt-4">
        You can pause for as long as you like. When you log in again, we offer to reactivate your account.
      </p>
      <ul className="mt-4 grid list-disc gap-1.5 pl-5">
        <li>You are logged out everywhere.</li>
        {businesses.length > 0 ? (
          <li>
            {businesses.length === 1 ? businesses[0] : `Your ${businesses.length} businesses`}{' '}
            {businesses.length === 1 ? 'is' : 'are'} hidden and can’t be booked.
          </li>
        ) : null}
        {businesses.length > 0 ? (
          <li>
            Bookings you have approved stay. We decline those that wait for your answer after {answerTime},
            with a full refund.
          </li>
        ) : null}
        <li>Bookings you have made stay, and you still get emails about them.</li>
      </ul>
      {isLastAdmin ? (
        <LastAdminNote />
      ) : (
        <Form method="post" className="mt-8 flex flex-wrap gap-3">
          <Button type="submit" variant="danger" pending={pending} pendingText="Deactivating...">
            Deactivate my account
          </Button>
          <ButtonLink to={href('/settings-privacy')} variant="quiet">
            Keep it
          </ButtonLink>
          <SendFailure />
        </Form>
      )}
    </div>
  )
}
