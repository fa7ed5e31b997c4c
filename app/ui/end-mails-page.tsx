import { Form, href, Link } from 'react-router'
import { Button } from './button.tsx'
import { SendFailure } from './send-failure.tsx'

/**
 * A page that ends mails when its button is pressed. Opening it changes nothing, since mail programs open links to scan them.
 * @param props.isDone false when the link was refused; null before the press
 * @param props.heading before and after the press
 */
export function EndMailsPage({
  isDone,
  heading,
  button,
  after,
}: {
  isDone: boolean | null
  heading: { before: string; after: string }
  button: string
  /** What holds from now on. */
  after: string
}) {
  return (
    <div className="page page-column py-8 md:py-12">
      <h1>{isDone ? heading.after : heading.before}</h1>
      {isDone ? (
        <p className="mt-3 text-quiet" role="status">
          {after}
        </p>
      ) : (
        <Form method="post" className="mt-6 grid gap-5">
          {isDone === false ? (
            <p className="field-error" role="alert">
              This link is incomplete. Open it again from our email.
            </p>
          ) : null}
          <Button type="submit" variant="primary">
            {button}
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
