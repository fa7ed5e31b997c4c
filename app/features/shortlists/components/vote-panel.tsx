import { useState } from 'react'
import { useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import {
  CHANGE_NAME_TEXT,
  heartsText,
  likedByText,
  NAME_LABEL,
  REFUSALS,
  REMOVE_VOTER_TEXT,
  START_VOTING_TEXT,
  VOTE_BUTTON,
  VOTE_TEXT,
  VOTE_TITLE,
  VOTED_BUTTON,
  VOTERS_TITLE,
  votingAsText,
} from '../messages.ts'
import type { ShortlistAnswer } from '../schema.ts'
import type { ListVotes } from '../vote-queries.server.ts'

/** On the page of a link: the name by which this browser votes. @param me null until it has said one */
export function VotePanel({ me, answer }: { me: string | null; answer: ShortlistAnswer | undefined }) {
  const fetcher = useFetcher<ShortlistAnswer>({ key: 'shortlist-voter' })
  // The name that is being changed. The form stays until another one has arrived, so that a lost request loses nothing.
  const [changing, setChanging] = useState<string | null>(null)
  const latest = fetcher.data ?? answer
  const refusal = latest && !latest.ok && latest.name !== undefined ? latest : null
  if (me !== null && me !== changing && !refusal)
    return (
      <p className="mt-6 wrap-anywhere">
        {votingAsText(me)}{' '}
        <button type="button" className="link min-h-11" onClick={() => setChanging(me)}>
          {CHANGE_NAME_TEXT}
        </button>
      </p>
    )
  return (
    <section aria-labelledby="vote" className="mt-6 rounded-card bg-glow-soft p-5 md:p-6">
      <h2 id="vote" className="text-xl">
        {VOTE_TITLE}
      </h2>
      <p className="mt-2 max-w-prose">{VOTE_TEXT}</p>
      <fetcher.Form
        method="post"
        className="mt-4 flex max-w-column flex-wrap items-end gap-3"
        onSubmit={({ currentTarget }) => {
          const typed = String(new FormData(currentTarget).get('name') ?? '')
          if (me === null || typed.trim() === me) setChanging(null)
        }}
      >
        <input type="hidden" name="intent" value="name" />
        <TextField
          name="name"
          label={NAME_LABEL}
          autoComplete="given-name"
          maxLength={80}
          required
          defaultValue={refusal?.name ?? me ?? ''}
          error={refusal ? REFUSALS[refusal.reason] : undefined}
          className="min-w-48 flex-1"
        />
        <Button type="submit" variant="brand" pending={fetcher.state !== 'idle'}>
          {START_VOTING_TEXT}
        </Button>
        <SendFailure />
      </fetcher.Form>
    </section>
  )
}

/** The names of those who like a business, with this browser's heart if it votes here. @param mayVote whether it has said a name */
export function EntryVotes({
  entry,
  votes,
  mayVote,
}: {
  entry: { id: string; name: string }
  votes: ListVotes['byBusiness'][string] | undefined
  mayVote: boolean
}) {
  const fetcher = useFetcher<ShortlistAnswer>({ key: `vote-${entry.id}` })
  const names = votes?.names ?? []
  const sent = fetcher.formData?.get('intent')
  const isMine = sent ? sent === 'vote' : (votes?.isMine ?? false)
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      {mayVote ? (
        <fetcher.Form method="post">
          <input type="hidden" name="intent" value={isMine ? 'unvote' : 'vote'} />
          <input type="hidden" name="businessId" value={entry.id} />
          <Button
            type="submit"
            size="small"
            variant={isMine ? 'brand' : 'secondary'}
            icon={<Icon name="heart" />}
            aria-pressed={isMine}
          >
            {isMine ? VOTED_BUTTON : VOTE_BUTTON}
            <span className="unseen">: {entry.name}</span>
          </Button>
          <SendFailure />
        </fetcher.Form>
      ) : null}
      <Refusal answer={fetcher.state === 'idle' ? fetcher.data : undefined} />
      {names.length > 0 ? (
        <p className="flex min-w-0 items-center gap-2 text-sm wrap-anywhere">
          {mayVote ? null : <Icon name="heart" className="size-4 flex-none text-action" />}
          {likedByText(names)}
        </p>
      ) : null}
    </div>
  )
}

/** Says why a press of a button changed nothing. */
function Refusal({ answer }: { answer: ShortlistAnswer | undefined }) {
  return (
    <p role="status" className="field-error text-sm empty:hidden">
      {answer && !answer.ok ? REFUSALS[answer.reason] : null}
    </p>
  )
}

/** All who vote, for the owner, who may remove each. */
export function VoterList({ voters }: { voters: ListVotes['voters'] }) {
  const fetcher = useFetcher<ShortlistAnswer>({ key: 'shortlist-voters' })
  if (voters.length === 0) return null
  return (
    <section aria-labelledby="voters" className="rounded-card border border-line bg-surface p-5 md:p-7">
      <h2 id="voters" className="text-xl">
        {VOTERS_TITLE}
      </h2>
      <Refusal answer={fetcher.state === 'idle' ? fetcher.data : undefined} />
      <ul className="mt-3">
        {voters.map(({ key, name, count }) => (
          <li key={key} className="flex items-center justify-between gap-4 border-t border-line py-1.5">
            <span className="min-w-0 wrap-anywhere">
              {name} <span className="figures text-sm text-quiet">{heartsText(count)}</span>
            </span>
            <fetcher.Form method="post">
              <input type="hidden" name="intent" value="remove-voter" />
              <Button
                type="submit"
                name="voter"
                value={key}
                variant="quiet"
                size="small"
                pending={fetcher.formData?.get('voter') === key}
              >
                {REMOVE_VOTER_TEXT}
                <span className="unseen"> {name}</span>
              </Button>
            </fetcher.Form>
          </li>
        ))}
      </ul>
    </section>
  )
}
