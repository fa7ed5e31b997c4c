import { useRef, useState } from 'react'
import { href, PrefetchPageLinks, useFetcher } from 'react-router'
import { MAX_EMAIL_LENGTH } from '../../../shared/one-line.ts'
import { Button } from '../../../ui/button.tsx'
import { CONNECTION_FAILED_TEXT } from '../../../ui/connection.ts'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { SUBMITTING } from '../messages.ts'

type Answer = {
  ok: boolean
  message: string
  /** Whether it failed because the connection was lost. */
  isLost?: boolean
}

/** The footer's form. The browser's own validation checks the address, so no page loads a validator for it. */
export function NewsletterForm() {
  const fetcher = useFetcher<Answer>({ key: 'newsletter' })
  const form = useRef<HTMLFormElement>(null)
  const [typing, setTyping] = useState(false)
  const answer = fetcher.data
  const submitting = fetcher.state === 'submitting'
  useAnswer(fetcher, ({ ok }) => {
    if (ok) form.current?.reset()
  })
  return (
    <div>
      <h2 id="newsletter-title">Ideas for your next celebration</h2>
      <p className="text-quiet">
        One email a month: places, people and dates worth knowing. One click ends it.
      </p>
      <fetcher.Form
        ref={form}
        method="post"
        action={href('/newsletter')}
        // No page shows anything that a subscription changes.
        defaultShouldRevalidate={false}
        className="mt-4 flex flex-wrap gap-3"
        aria-labelledby="newsletter-title"
      >
        <label className="unseen" htmlFor="newsletter-email">
          Email
        </label>
        <input
          id="newsletter-email"
          className="control min-w-56 flex-1"
          name="email"
          type="email"
          required
          maxLength={MAX_EMAIL_LENGTH}
          autoComplete="email"
          inputMode="email"
          placeholder="name@example.com"
          onFocus={() => setTyping(true)}
          aria-describedby="newsletter-answer"
        />
        <Button type="submit" variant="brand" waiting={submitting}>
          {submitting ? SUBMITTING : 'Subscribe'}
        </Button>
        <SendFailure />
      </fetcher.Form>
      {/* Preloads the route's script, so that the form's own message appears if the connection is lost from here on. */}
      {typing ? <PrefetchPageLinks page={href('/newsletter')} /> : null}
      <p id="newsletter-answer" role="status" className={answer?.ok === false ? 'field-error mt-2' : 'mt-2'}>
        {submitting || !answer ? null : <span>{answer.message}</span>}
        {!submitting && answer?.isLost ? <span> {CONNECTION_FAILED_TEXT}</span> : null}
      </p>
    </div>
  )
}
