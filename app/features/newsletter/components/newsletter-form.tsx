import { useRef } from 'react'
import { useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { SUBMITTING } from '../wording.ts'

type Answer = { ok: boolean; message: string }

/** The footer's form. The browser checks the address by itself, so no page carries a validator for it. */
export function NewsletterForm() {
  const fetcher = useFetcher<Answer>({ key: 'newsletter' })
  const form = useRef<HTMLFormElement>(null)
  const answer = fetcher.data
  const submitting = fetcher.state === 'submitting'
  useAnswer(fetcher, ({ ok }) => {
    if (ok) form.current?.reset()
  })
  return (
    <div>
      <h2 id="newsletter-title">Ideas for your next celebration</h2>
      <p className="text-quiet">
        One letter a month: places, people and dates worth knowing. One click ends it.
      </p>
      <fetcher.Form
        ref={form}
        method="post"
        action="/newsletter"
        // Nothing on any page changes by it.
        defaultShouldRevalidate={false}
        className="mt-4 flex flex-wrap gap-3"
        aria-labelledby="newsletter-title"
      >
        <label className="unseen" htmlFor="newsletter-email">
          E-mail
        </label>
        <input
          id="newsletter-email"
          className="control min-w-56 flex-1"
          name="email"
          type="email"
          required
          maxLength={254}
          autoComplete="email"
          inputMode="email"
          placeholder="name@example.com"
          aria-describedby="newsletter-answer"
        />
        <Button type="submit" variant="brand" disabled={submitting}>
          {submitting ? SUBMITTING : 'Subscribe'}
        </Button>
      </fetcher.Form>
      <p id="newsletter-answer" role="status" className={answer?.ok === false ? 'field-error mt-2' : 'mt-2'}>
        {submitting ? '' : (answer?.message ?? '')}
      </p>
    </div>
  )
}
