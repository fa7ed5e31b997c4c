import { Form, href, Link } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'

/**
 * Ends the monthly letter at the press of a button.
 * @param isDone false when the link was refused; null before the press
 */
export function UnsubscribeScreen({ isDone }: { isDone: boolean | null }) {
  return (
    <div className="page page-column py-8 md:py-12">
      <h1>{isDone ? 'You are unsubscribed' : 'Unsubscribe'}</h1>
      {isDone ? (
        <p className="mt-3 text-quiet" role="status">
          No more letters come to this address.
        </p>
      ) : (
        <Form method="post" className="mt-6 grid gap-5">
          {isDone === false ? (
            <p className="field-error" role="alert">
              This link is not complete. Open it again from the mail.
            </p>
          ) : null}
          <Button type="submit" variant="primary">
            Unsubscribe
          </Button>
          <SendFailure />
        </Form>
      )}
      <p className="mt-6">
        <Link className="link" to={href('/')}>
          Go to the start
        </Link>
      </p>
    </div>
  )
}
