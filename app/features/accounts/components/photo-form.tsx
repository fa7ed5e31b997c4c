import { useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { FieldError } from '../../../ui/field.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { accountWording, PHOTO_REFUSALS } from '../messages.ts'
import { MAX_PHOTO_BYTES } from '../rules.ts'

const ERROR_ID = 'photo-error'
const PHOTO_LOST = accountWording['network-request-failed']

/** The profile photo. Choosing a file sends it at once; without script, a button sends it. */
export function PhotoForm({
  name,
  url,
  refusal,
  onChanged,
}: {
  name: string
  url: string | null
  /** Why the page's own submission was refused. */
  refusal: string | null
  onChanged: () => void
}) {
  const fetcher = useFetcher<{ ok: boolean; message: string | null }>()
  const form = useRef<HTMLFormElement>(null)
  const [tooLarge, setTooLarge] = useState(false)
  const pending = fetcher.state !== 'idle'
  const answer = fetcher.data ?? { ok: refusal === null, message: refusal }
  const error = tooLarge
    ? PHOTO_REFUSALS.too_large
    : pending || answer.ok
      ? undefined
      : (answer.message ?? undefined)
  useAnswer(fetcher, ({ ok }) => {
    if (ok) onChanged()
  })
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
      <Avatar name={name} url={url} size={96} />
      <div className="grid gap-3">
        <div className="flex flex-wrap gap-3">
          <fetcher.Form ref={form} method="post" encType="multipart/form-data">
            <input type="hidden" name="intent" value="photo" />
            <label
              className={`${buttonClass()} focus-within:outline-3 focus-within:outline-brand focus-within:outline-offset-2`}
            >
              {pending ? 'Sending...' : url ? 'Choose another photo' : 'Choose a photo'}
              <input
                className="unseen"
                type="file"
                name="photo"
                accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
                aria-describedby={error ? ERROR_ID : undefined}
                aria-disabled={pending || undefined}
                onClick={(event) => {
                  // Not `disabled` while sending, which would lose the focus.
                  if (pending) event.preventDefault()
                }}
                onChange={(event) => {
                  const file = event.target.files?.[0]
                  const isTooLarge = (file?.size ?? 0) > MAX_PHOTO_BYTES
                  setTooLarge(isTooLarge)
                  if (file && !isTooLarge) void fetcher.submit(form.current)
                  event.target.value = ''
                }}
              />
            </label>
            <noscript>
              <button type="submit" className={buttonClass({ variant: 'quiet' })}>
                Send
              </button>
            </noscript>
            <SendFailure lostText={PHOTO_LOST} />
          </fetcher.Form>
          {url ? (
            <fetcher.Form method="post">
              <Button type="submit" name="intent" value="remove-photo" variant="quiet" waiting={pending}>
                Remove
              </Button>
              <SendFailure lostText={PHOTO_LOST} />
            </fetcher.Form>
          ) : null}
        </div>
        <p className="text-quiet text-sm">JPEG, PNG, WebP, GIF or AVIF, at most 2 MB.</p>
        <div role="alert">
          <FieldError id={ERROR_ID} message={error} />
        </div>
      </div>
    </div>
  )
}
