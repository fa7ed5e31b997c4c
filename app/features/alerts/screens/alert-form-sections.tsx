import { useEffect, useId, useRef } from 'react'
import { href, useFetcher } from 'react-router'
import { MAX_EMAIL_LENGTH } from '../../../shared/one-line.ts'
import { Button } from '../../../ui/button.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { useAuth } from '../../accounts/components/auth-context.tsx'
import { ALERT_TEXTS, ASKING_BUTTON, endsText, TELL_BUTTON } from '../messages.ts'
import type { AlertOffer } from '../rules.ts'

/** The answer to the form. */
export type AlertAnswer = { ok: boolean; message: string }

/**
 * 'Tell me' below a list: an address, and a press. Those who are logged in find theirs filled in.
 * @param typed what a browser without script has sent, with the answer to it
 */
export function AlertForm({
  offer: { kind, search, until },
  typed,
}: {
  offer: AlertOffer
  typed?: { email: string; answer: AlertAnswer }
}) {
  const id = useId()
  const fetcher = useFetcher<AlertAnswer>({ key: `alert ${search}` })
  const { user } = useAuth()
  const field = useRef<HTMLInputElement>(null)
  // The account is known after the page. Its address replaces nothing that was typed in the meantime.
  useEffect(() => {
    if (user && field.current?.value === '') field.current.value = user.email
  }, [user])
  const answer = fetcher.data ?? typed?.answer
  const isAsking = fetcher.state !== 'idle'
  const { title, text } = ALERT_TEXTS[kind]
  return (
    <section className="mt-12 max-w-column border-line border-t pt-6" aria-labelledby={id}>
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      {answer?.ok && !isAsking ? (
        <p role="status" className="mt-2 wrap-anywhere">
          {answer.message}
        </p>
      ) : (
        <>
          <p className="mt-2 max-w-prose text-quiet">
            {text} {endsText(until)}
          </p>
          <fetcher.Form
            method="post"
            action={href('/alerts')}
            // No page shows anything that an alert changes.
            defaultShouldRevalidate={false}
            className="mt-4 flex flex-wrap gap-3"
            aria-labelledby={id}
          >
            <input type="hidden" name="search" value={search} />
            <label className="unseen" htmlFor={`${id}-email`}>
              Email
            </label>
            <input
              ref={field}
              id={`${id}-email`}
              className="control min-w-56 flex-1"
              name="email"
              type="email"
              required
              maxLength={MAX_EMAIL_LENGTH}
              autoComplete="email"
              inputMode="email"
              placeholder="name@example.com"
              defaultValue={typed?.email ?? ''}
              aria-describedby={`${id}-answer`}
            />
            <Button type="submit" variant="brand" waiting={isAsking}>
              {isAsking ? ASKING_BUTTON : TELL_BUTTON}
            </Button>
            <SendFailure />
          </fetcher.Form>
          <p id={`${id}-answer`} role="status" className="field-error mt-2 empty:hidden">
            {isAsking || !answer ? null : answer.message}
          </p>
        </>
      )}
    </section>
  )
}
