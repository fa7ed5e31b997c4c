import { useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import {
  ABOUT_TEXT,
  ABOUT_TITLE,
  REFUSALS,
  SAVE_ABOUT_TEXT,
  TITLE_EXAMPLE,
  TITLE_LABEL,
} from '../messages.ts'
import { MAX_TITLE_LENGTH } from '../rules.ts'
import type { ShortlistAnswer } from '../schema.ts'

/** The owner's title, day and guests, for everyone who has the link. @param answer to the form, sent without JavaScript */
export function AboutForm({
  about,
  today,
  answer,
}: {
  about: { title: string; date: string; guests: string }
  today: string
  answer: ShortlistAnswer | undefined
}) {
  const fetcher = useFetcher<ShortlistAnswer>({ key: 'shortlist-about' })
  const latest = fetcher.data ?? answer
  const refusal = latest && !latest.ok && latest.about ? latest : null
  const typed = refusal?.about ?? about
  return (
    <section aria-labelledby="about-event" className="rounded-card border border-line bg-surface p-5 md:p-7">
      <h2 id="about-event" className="text-xl">
        {ABOUT_TITLE}
      </h2>
      <p className="mt-2 text-quiet">{ABOUT_TEXT}</p>
      <fetcher.Form method="post" className="mt-5 grid grid-cols-2 items-end gap-4">
        <input type="hidden" name="intent" value="about" />
        <TextField
          name="title"
          label={TITLE_LABEL}
          optional
          placeholder={TITLE_EXAMPLE}
          maxLength={MAX_TITLE_LENGTH}
          defaultValue={typed.title}
          className="col-span-2"
        />
        <TextField
          type="date"
          name="date"
          label="Date"
          optional
          min={today}
          defaultValue={typed.date}
          className="max-sm:col-span-2"
        />
        <TextField
          type="number"
          inputMode="numeric"
          min={1}
          max={10_000}
          name="guests"
          label="Guests"
          optional
          defaultValue={typed.guests}
          className="max-sm:col-span-2"
        />
        {refusal ? (
          <p className="field-error col-span-2" role="alert">
            {REFUSALS[refusal.reason]}
          </p>
        ) : null}
        <div className="col-span-2">
          <Button type="submit" pending={fetcher.state !== 'idle'}>
            {SAVE_ABOUT_TEXT}
          </Button>
          <SendFailure />
        </div>
      </fetcher.Form>
    </section>
  )
}
