import { useEffect, useRef, useState } from 'react'
import { type FetcherWithComponents, href, Link, useFetcher, useLocation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextAreaField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { Picture } from '../../../ui/picture.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { PriceLine } from '../../businesses/components/price-line.tsx'
import { RatingMark } from '../../businesses/components/rating-mark.tsx'
import { EntryVotes } from '../components/vote-panel.tsx'
import { COMPARE_HINT, COMPARE_TEXT, NOTE_LABEL, REFUSALS, STANDING_TEXTS } from '../messages.ts'
import type { Comparison, EntryView } from '../queries.server.ts'
import { COMPARE_PRESS, MAX_COMPARED, MAX_NOTE_LENGTH } from '../rules.ts'
import type { ShortlistAnswer } from '../schema.ts'
import type { ListVotes } from '../vote-queries.server.ts'

/** The form that the checkboxes of the entries belong to. */
export const COMPARE_FORM = 'compare-form'

/** The saved businesses, with the button that compares those that are chosen. */
export function SavedEntries({
  entries,
  query,
  mayChange,
  votes,
  mayVote,
  answer,
  choice,
  choseTooFew,
  onRemove,
}: {
  entries: readonly EntryView[]
  query: string
  mayChange: boolean
  votes: ListVotes['byBusiness']
  /** Whether this browser has said a name to vote by, on the page of a link. */
  mayVote: boolean
  answer: ShortlistAnswer | undefined
  choice: CompareChoice
  /** Whether Compare was pressed with none or one chosen. */
  choseTooFew: boolean
  onRemove: (entry: EntryView) => void
}) {
  const { key } = useLocation()
  const mayCompare = entries.filter(({ card }) => card).length > 1
  return (
    <section aria-labelledby="saved">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="saved" className="text-2xl">
          Saved
        </h2>
        {mayCompare ? (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            {/* Another press shows it anew. */}
            {choseTooFew ? <TooFewChosen key={key} /> : <p className="text-sm text-quiet">{COMPARE_HINT}</p>}
            <Button
              type="submit"
              form={COMPARE_FORM}
              name={COMPARE_PRESS}
              value="compare"
              icon={<Icon name="columns-3" />}
            >
              {COMPARE_TEXT}
            </Button>
          </div>
        ) : null}
      </div>
      <ul className="mt-4 border-t border-line">
        {entries.map((entry) => (
          <ShortlistEntry
            key={entry.id}
            entry={entry}
            query={query}
            mayChange={mayChange}
            votes={votes[entry.id]}
            mayVote={mayVote}
            typedNote={typedIn(answer, entry.id)}
            compare={mayCompare && entry.card ? choice(entry.id) : null}
            onRemove={() => onRemove(entry)}
          />
        ))}
      </ul>
    </section>
  )
}

/** The notice that Compare needs more businesses, scrolled into view: the press has scrolled to the top of the page. */
function TooFewChosen() {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => void notice.current?.scrollIntoView({ block: 'center' }), [])
  return (
    <div ref={notice} role="alert">
      <Banner tone="error">{COMPARE_HINT}</Banner>
    </div>
  )
}

type CompareChoice = ReturnType<typeof useCompareChoice>

/** The entries that are chosen to be compared. @returns whether one is chosen, whether no more may be, and its change */
export function useCompareChoice(comparison: Comparison | null) {
  const [chosen, setChosen] = useState<readonly string[]>(
    () => comparison?.businesses.map(({ id }) => id) ?? [],
  )
  return (entryId: string) => ({
    isChosen: chosen.includes(entryId),
    isFull: chosen.length >= MAX_COMPARED,
    onChoose: (isChosen: boolean) =>
      setChosen((ids) => (isChosen ? [...ids, entryId] : ids.filter((id) => id !== entryId))),
  })
}

/** The refused note that was typed for an entry without JavaScript; null for any other answer. */
function typedIn(answer: ShortlistAnswer | undefined, id: string): string | null {
  return answer && !answer.ok && answer.typed?.businessId === id ? answer.typed.note : null
}

/**
 * A business on a list.
 * @param query the query string of what was asked, for the link to its page
 * @param mayChange false for a list that was opened by its link and not joined
 * @param compare the state of its checkbox; null where it can't be compared
 */
function ShortlistEntry({
  entry,
  query,
  mayChange,
  votes,
  mayVote,
  typedNote,
  compare,
  onRemove,
}: {
  entry: EntryView
  query: string
  mayChange: boolean
  votes: ListVotes['byBusiness'][string] | undefined
  mayVote: boolean
  /** The refused note that was typed without JavaScript, or null. */
  typedNote: string | null
  compare: { isChosen: boolean; isFull: boolean; onChoose: (isChosen: boolean) => void } | null
  onRemove: () => void
}) {
  const { id, name, card, standing, totalText, availability } = entry
  const page = href('/business/:id', { id }) + query
  return (
    <li className="grid grid-cols-[96px_1fr] gap-x-4 gap-y-4 border-b border-line py-6 sm:grid-cols-[176px_1fr] sm:gap-x-6">
      <Picture
        image={card?.pictures[0] ?? null}
        alt=""
        sizes="(min-width: 560px) 176px, 96px"
        ratio="4 / 3"
        className={card ? undefined : 'opacity-50'}
      />
      <div className="min-w-0">
        <div className="flex items-start justify-between gap-3">
          <h3 className="min-w-0 text-lg leading-tight wrap-anywhere sm:text-xl">
            {card ? (
              <Link to={page} className="py-1 hover:underline hover:underline-offset-4">
                {name}
              </Link>
            ) : (
              name
            )}
          </h3>
          {mayChange ? <RemoveButton id={id} name={name} onRemove={onRemove} /> : null}
        </div>
        {card ? (
          <>
            <p className="flex flex-wrap items-center gap-x-4 text-sm text-quiet">
              {card.category}, {card.location}
              {card.rating ? <RatingMark rating={card.rating} /> : null}
            </p>
            <div className="mt-2 flex flex-wrap items-baseline gap-x-4 gap-y-1">
              <PriceLine pricing={card} />
              {totalText ? <p className="figures font-semibold">{totalText}</p> : null}
            </div>
            {availability ? (
              <p className={availability.isFree ? 'figures text-success' : 'figures text-error'}>
                {availability.text.charAt(0).toUpperCase() + availability.text.slice(1)}
                {availability.isFree ? null : (
                  <>
                    {'. '}
                    <Link to={page} className="link">
                      Choose another day
                    </Link>
                  </>
                )}
              </p>
            ) : null}
          </>
        ) : (
          <p className="mt-1 text-quiet">{standing === 'listed' ? null : STANDING_TEXTS[standing]}</p>
        )}
        <div className="mt-3 flex flex-wrap items-start gap-x-6 gap-y-3">
          {compare ? (
            <label className="inline-flex min-h-11 items-center gap-2.5">
              <input
                type="checkbox"
                name="compare"
                value={id}
                form={COMPARE_FORM}
                className="size-5 accent-brand"
                checked={compare.isChosen}
                disabled={compare.isFull && !compare.isChosen}
                onChange={(event) => compare.onChoose(event.currentTarget.checked)}
              />
              Compare<span className="unseen"> {name}</span>
            </label>
          ) : null}
          {mayChange ? <EntryNote entry={entry} typed={typedNote} /> : null}
        </div>
        {card ? <EntryVotes entry={entry} votes={votes} mayVote={mayVote} /> : null}
        {entry.note && !mayChange ? (
          <p className="mt-2 whitespace-pre-line wrap-anywhere">{entry.note}</p>
        ) : null}
      </div>
    </li>
  )
}

function RemoveButton({ id, name, onRemove }: { id: string; name: string; onRemove: () => void }) {
  return (
    <form
      method="post"
      onSubmit={(event) => {
        event.preventDefault()
        onRemove()
      }}
    >
      <input type="hidden" name="intent" value="remove" />
      <input type="hidden" name="businessId" value={id} />
      <IconButton type="submit" label={`Remove ${name}`} className="-mt-2 -mr-2">
        <Icon name="trash-2" />
      </IconButton>
    </form>
  )
}

/**
 * An entry's note. Saving it renders another form, closed, which keeps the focus. Only this form's own save does: the
 * note that someone else saves meanwhile must not take away what is being typed here.
 */
function EntryNote({ entry, typed }: { entry: EntryView; typed: string | null }) {
  const box = useKeptFocus<HTMLDivElement>()
  const fetcher = useFetcher<ShortlistAnswer>({ key: `note-${entry.id}` })
  const { state, data } = fetcher
  const [last, setLast] = useState({ answer: data, saves: 0 })
  if (state === 'idle' && data !== last.answer)
    setLast({ answer: data, saves: last.saves + (data?.ok ? 1 : 0) })
  return (
    <div ref={box} className="min-w-0 grow basis-64">
      <NoteForm key={last.saves} entry={entry} typed={last.saves === 0 ? typed : null} fetcher={fetcher} />
    </div>
  )
}

/** The note of an entry, which everyone with the list can read. Opens on press, and stays open while it isn't saved. */
function NoteForm({
  entry,
  typed,
  fetcher,
}: {
  entry: EntryView
  typed: string | null
  fetcher: FetcherWithComponents<ShortlistAnswer>
}) {
  const refusal = fetcher.data && !fetcher.data.ok ? fetcher.data : undefined
  // The note that was here when its writer came to the field. Until then, the field follows each change of it.
  const [replaced, setReplaced] = useState(typed === null ? null : entry.note)
  const hold = () => setReplaced((before) => before ?? entry.note)
  const present = refusal?.present ?? entry.note
  return (
    <>
      {present ? <p className="mb-1 whitespace-pre-line wrap-anywhere">{present}</p> : null}
      <details open={refusal !== undefined || typed !== null || undefined}>
        <summary className="link inline-flex min-h-11 cursor-pointer items-center">
          {present ? 'Change the note' : 'Add a note'}
          <span className="unseen"> about {entry.name}</span>
        </summary>
        <fetcher.Form method="post" className="mt-2 grid gap-3">
          <input type="hidden" name="intent" value="note" />
          <input type="hidden" name="businessId" value={entry.id} />
          <input type="hidden" name="seen" value={refusal?.present ?? replaced ?? entry.note} />
          <TextAreaField
            key={replaced ?? entry.note}
            name="note"
            label={NOTE_LABEL}
            hint="Everyone who has the list can read it."
            rows={2}
            maxLength={MAX_NOTE_LENGTH}
            defaultValue={typed ?? entry.note}
            onFocus={hold}
            onChange={hold}
            error={refusal && REFUSALS[refusal.reason]}
          />
          <Button type="submit" size="small" className="w-fit" pending={fetcher.state !== 'idle'}>
            Save the note
          </Button>
          <SendFailure />
        </fetcher.Form>
      </details>
    </>
  )
}
