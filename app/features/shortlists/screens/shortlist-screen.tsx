import { type ReactNode, useEffect, useState } from 'react'
import { Form, href, useFetcher } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { DrawnPicture } from '../../../ui/drawn-picture.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { TextField } from '../../../ui/field.tsx'
import { useKeptFocus } from '../../../ui/kept-focus.ts'
import { LiveDataNote } from '../../../ui/live-data-note.tsx'
import { type Asked, askedTexts, NOTHING_ASKED } from '../../businesses/asked-rules.ts'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import { showSaved } from '../browser/use-shortlist.ts'
import { AboutForm } from '../components/about-form.tsx'
import { CompareTable } from '../components/compare-table.tsx'
import { CHANGES_KEY, SharePanel } from '../components/share-panel.tsx'
import { VotePanel, VoterList } from '../components/vote-panel.tsx'
import {
  countText,
  EMPTY_TEXT,
  EMPTY_TITLE,
  FORGET_JOINED_TEXT,
  JOIN_LINK_TEXT,
  JOIN_TEXT,
  JOIN_TITLE,
  JOINED_GONE_TEXT,
  JOINED_TEXT,
  LEAVE_TEXT,
  LINK_ENDED_TEXT,
  LINK_GONE_TEXT,
  LINK_GONE_TITLE,
  OTHER_DAY_TEXT,
  REFUSALS,
  removedText,
  restoredText,
  SHARED_EMPTY_TEXT,
  SHARED_TITLE,
  SHORTLIST_TITLE,
} from '../messages.ts'
import type { Comparison, EntryView } from '../queries.server.ts'
import type { Role } from '../rules.ts'
import type { ShortlistAnswer } from '../schema.ts'
import type { ListAbout, ListVotes } from '../vote-queries.server.ts'
import { COMPARE_FORM, SavedEntries, useCompareChoice } from './shortlist-sections.tsx'

export type ShortlistPage = {
  /** By a link: 'link', 'ended' or 'too_many'. At /shortlist: 'own', or 'joined_gone' once the joined list's link ended. */
  state: 'own' | 'joined_gone' | 'link' | 'ended' | 'too_many'
  /** null for a visitor who has no list, or who hasn't joined the list of the link. */
  role: Role | null
  entries: EntryView[]
  comparison: Comparison | null
  /** Whether Compare was pressed with none or one chosen. */
  choseTooFew: boolean
  /** The full address of the list's link, for its owner. */
  link: string | null
  /** The owner's title, day and guests. */
  about: ListAbout
  votes: ListVotes
  asked: Asked
  /** The date, time, guests and hours as a query string. */
  query: string
  today: string
}

/** A shortlist: the visitor's own, a joined one, or another opened by its link. */
export function ShortlistScreen({
  page,
  answer,
  link,
}: {
  page: ShortlistPage
  /** The action's answer to a form sent without JavaScript. */
  answer: ShortlistAnswer | undefined
  /** The token in the address. */
  link: string | undefined
}) {
  if (page.state === 'ended' || page.state === 'too_many') return <LinkGone state={page.state} />
  // Another list is another page: nothing chosen on one belongs to the other.
  return <List key={link ?? page.role} page={page} answer={answer} isByLink={link !== undefined} />
}

/** A list with its entries, their comparison, and the panels for those who share it or look at it. */
function List({
  page,
  answer,
  isByLink,
}: {
  page: ShortlistPage
  answer: ShortlistAnswer | undefined
  isByLink: boolean
}) {
  const { entries, role, comparison, query, about, votes } = page
  // One pair of fields for the day and the guests is enough until others see the list.
  const hasAbout = Boolean(
    page.link || about.title || about.date || about.guests || (answer && !answer.ok && answer.about),
  )
  const isGuest = role === 'guest' || isByLink
  useLiveUpdates(role && !isByLink ? ['shortlist'] : [])
  useEffect(() => {
    if (!isByLink) showSaved(entries.map(({ id }) => id))
  }, [entries, isByLink])
  const removal = useRemoval(entries, answer)
  const box = useKeptFocus<HTMLDivElement>()
  const choice = useCompareChoice(comparison)
  return (
    <div ref={box} className="page section">
      <header>
        <h1 className="wrap-anywhere">{about.title || (isGuest ? SHARED_TITLE : SHORTLIST_TITLE)}</h1>
        {entries.length > 0 ? (
          <p className="figures mt-3 text-quiet">
            {[
              ...askedTexts({ ...NOTHING_ASKED, date: about.date, guests: about.guests }),
              countText(entries.length),
            ].join(' · ')}
          </p>
        ) : null}
      </header>
      {page.state === 'joined_gone' ? <JoinedGone /> : null}
      {isByLink && role !== 'owner' && entries.length > 0 ? (
        <VotePanel me={votes.me} answer={answer} />
      ) : null}
      {isByLink ? <JoinPanel role={role} /> : role === 'guest' ? <JoinedNote /> : null}
      <div role="status" className="mt-4 empty:mt-0">
        {removal.note}
      </div>
      {entries.length === 0 ? (
        <EmptyShortlist isGuest={isGuest} />
      ) : (
        <>
          {about.date || about.guests ? (
            <details className="mt-6">
              <summary className="link inline-flex min-h-11 cursor-pointer items-center">
                {OTHER_DAY_TEXT}
              </summary>
              <AskedForm asked={page.asked} today={page.today} />
            </details>
          ) : (
            <AskedForm asked={page.asked} today={page.today} />
          )}
          {comparison ? <CompareTable comparison={comparison} query={query} /> : null}
          <div className="mt-10 grid items-start gap-10 lg:grid-cols-[1fr_380px] lg:gap-16">
            <SavedEntries
              entries={entries}
              query={query}
              mayChange={!isByLink}
              votes={votes.byBusiness}
              mayVote={isByLink && votes.me !== null}
              answer={answer}
              choice={choice}
              choseTooFew={page.choseTooFew}
              onRemove={removal.remove}
            />
            {isGuest ? null : (
              <div className="grid gap-6">
                <SharePanel link={page.link} />
                {hasAbout ? <AboutForm about={aboutTyped(page)} today={page.today} answer={answer} /> : null}
                <VoterList voters={votes.voters} />
              </div>
            )}
          </div>
        </>
      )}
      <LiveDataNote />
    </div>
  )
}

/** The first values of the form about the event: the saved ones, else those of the address. */
function aboutTyped({ about, asked }: ShortlistPage) {
  const guests = about.guests ?? asked.guests
  return { title: about.title, date: about.date || asked.date, guests: guests === null ? '' : String(guests) }
}

/** The note that the joined list's link has ended, with the button that forgets the list. */
function JoinedGone() {
  return (
    <div className="mt-6">
      <Banner
        action={
          <Form method="post">
            <input type="hidden" name="intent" value="leave" />
            <Button type="submit" size="small">
              {FORGET_JOINED_TEXT}
            </Button>
          </Form>
        }
      >
        {JOINED_GONE_TEXT}
      </Banner>
    </div>
  )
}

/** A list without entries. */
function EmptyShortlist({ isGuest }: { isGuest: boolean }) {
  return (
    <EmptyState
      illustration={<DrawnPicture picture="empty-cart/shortlist" />}
      title={EMPTY_TITLE}
      text={isGuest ? SHARED_EMPTY_TEXT : EMPTY_TEXT}
      action={
        <ButtonLink variant="primary" to={href('/venues-vendors')}>
          See venues and vendors
        </ButtonLink>
      }
    />
  )
}

/** Removes an entry, says so, and undoes it. */
function useRemoval(entries: readonly EntryView[], answer: ShortlistAnswer | undefined) {
  const fetcher = useFetcher<ShortlistAnswer>({ key: CHANGES_KEY })
  // The removed entry is gone from the list by the time that its name is shown.
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const latest = fetcher.data ?? answer
  const send = (intent: 'remove' | 'restore', id: string) =>
    void fetcher.submit({ intent, businessId: id }, { method: 'post' })
  const nameOf = (id: string) => entries.find((entry) => entry.id === id)?.name ?? names[id] ?? 'The listing'
  return {
    remove(entry: EntryView) {
      setNames((known) => ({ ...known, [entry.id]: entry.name }))
      send('remove', entry.id)
    },
    note: noteOf(latest, nameOf, (id) => send('restore', id)),
  }
}

/** The note of the last change: an error, the removed entry with Undo, or the link that has ended. */
function noteOf(
  answer: ShortlistAnswer | undefined,
  nameOf: (id: string) => string,
  onUndo: (id: string) => void,
): ReactNode {
  if (!answer) return null
  // The forms about the event and of the voter's name show their own.
  if (!answer.ok && (answer.about || answer.name !== undefined)) return null
  if (!answer.ok) return <Banner tone="error">{REFUSALS[answer.reason]}</Banner>
  if ('removed' in answer) {
    const { removed } = answer
    return (
      <form
        method="post"
        className="flex items-center justify-between gap-4 rounded-card bg-info-soft py-2 pr-2 pl-5"
        onSubmit={(event) => {
          event.preventDefault()
          onUndo(removed)
        }}
      >
        <p className="min-w-0 py-2">{removedText(nameOf(removed))}</p>
        <input type="hidden" name="intent" value="restore" />
        <input type="hidden" name="businessId" value={removed} />
        <Button type="submit" variant="quiet">
          Undo
        </Button>
      </form>
    )
  }
  if ('restored' in answer) return <p className="unseen">{restoredText(nameOf(answer.restored))}</p>
  if ('sharing' in answer && answer.sharing === 'unshare') return <Banner>{LINK_ENDED_TEXT}</Banner>
  return null
}

/** The day and size of the event, for totals and free days. The chosen businesses are sent with it. */
function AskedForm({ asked, today }: { asked: Asked; today: string }) {
  return (
    <Form
      id={COMPARE_FORM}
      method="get"
      className="mt-8 grid grid-cols-2 items-end gap-4 md:grid-cols-[200px_140px_140px_auto]"
    >
      <TextField
        type="date"
        name="date"
        label="Date"
        optional
        min={today}
        defaultValue={asked.date}
        className="max-md:col-span-2"
      />
      <TextField
        type="number"
        inputMode="numeric"
        min={1}
        max={99_999}
        name="guests"
        label="Guests"
        optional
        defaultValue={asked.guests ?? ''}
      />
      <TextField
        type="number"
        inputMode="numeric"
        min={1}
        max={24}
        name="hours"
        label="Hours"
        optional
        defaultValue={asked.hours ?? ''}
      />
      {asked.time ? <input type="hidden" name="time" value={asked.time} /> : null}
      <Button type="submit" className="max-md:col-span-2 md:justify-self-start">
        Show totals and free days
      </Button>
    </Form>
  )
}

/** On the page of a link: what joining does. Joining needs a press, since opening a link must change nothing. */
function JoinPanel({ role }: { role: Role | null }) {
  if (role !== null)
    return (
      <p className="mt-6">
        {role === 'owner' ? 'This is how others see your list. ' : 'You have joined this list. '}
        <ButtonLink to={href('/shortlist/:link?', {})} size="small" className="ml-2">
          Open it to make changes
        </ButtonLink>
      </p>
    )
  return (
    <section aria-labelledby="join" className="mt-6">
      <h2 id="join" className="text-lg">
        {JOIN_TITLE}
      </h2>
      <p className="mt-1 max-w-prose text-quiet">{JOIN_TEXT}</p>
      <Form method="post" className="mt-4">
        <input type="hidden" name="intent" value="join" />
        <Button type="submit">{JOIN_LINK_TEXT}</Button>
      </Form>
    </section>
  )
}

/** The note on a joined list, with the button that leaves it. */
function JoinedNote() {
  return (
    <Form method="post" className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-2">
      <p>{JOINED_TEXT}</p>
      <input type="hidden" name="intent" value="leave" />
      <Button type="submit" size="small">
        {LEAVE_TEXT}
      </Button>
    </Form>
  )
}

/** The screen of a link that has ended, or was opened too often. */
function LinkGone({ state }: { state: 'ended' | 'too_many' }) {
  return (
    <EmptyState
      heading="h1"
      title={state === 'ended' ? LINK_GONE_TITLE : 'A moment, please'}
      text={state === 'ended' ? LINK_GONE_TEXT : REFUSALS.too_many}
      action={<ButtonLink to={href('/shortlist/:link?', {})}>Your own shortlist</ButtonLink>}
    />
  )
}
