import { Form, href, Link } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'

/**
 * Ends the mails that ask for reviews when the button is pressed.
 * @param props.isDone false when the link was refused; null before the press
 */
export function EndInvitationsScreen({ isDone }: { isDone: boolean | null }) {
  return (
    <div className="page page-column py-8 md:py-12">
      <h1>{isDone ? 'We won’t ask again' : 'Stop asking me for reviews'}</h1>
      {isDone ? (
        <p className="mt-3 text-quiet" role="status">
          You can still review a booking from its page.
        </p>
      ) : (
        <Form method="post" className="mt-6 grid gap-5">
          {isDone === false ? (
            <p className="field-error" role="alert">
              This link is incomplete. Open it again from our email.
            </p>
          ) : null}
          <Button type="submit" variant="primary" className="justify-self-start">
            Don’t ask me for reviews
          </Button>
          <SendFailure />
        </Form>
      )}
      <p className="mt-6">
        <Link className="link" to={href('/')}>
          Go to home page
        </Link>
      </p>
    </div>
  )
}
