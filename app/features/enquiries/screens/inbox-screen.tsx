import { useRef } from 'react'
import { href, Link, useNavigate } from 'react-router'
import { DrawnPicture } from '../../../ui/drawn-picture.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { HelpLink } from '../../../ui/help-link.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Pagination } from '../../../ui/pagination.tsx'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import { useInboxKeys } from '../browser/use-inbox-keys.ts'
import { ConversationList } from '../components/conversation-list.tsx'
import {
  ChangeNotice,
  type ConversationAnswer,
  ConversationPane,
  type ConversationPaneProps,
} from '../components/conversation-pane.tsx'
import { ConversationSplit, MissingConversation } from '../components/conversation-split.tsx'
import { SavedReplies } from '../components/saved-replies.tsx'
import { INBOX_TITLE, MESSAGES_LOAD_FAILED } from '../conversation-messages.ts'
import type { InboxFilter } from '../queries.server.ts'
import type { SavedReply } from '../rules.ts'
import { type MessagesData, useFreshCount } from './messages-screen.tsx'
import './inbox-screen.css'

const FILTERS: readonly { value: InboxFilter; label: string; empty: string }[] = [
  { value: 'all', label: 'All', empty: 'Questions from customers appear here.' },
  { value: 'waiting', label: 'Waiting', empty: 'Nobody is waiting for your answer.' },
  { value: 'unread', label: 'Unread', empty: 'You’ve read everything.' },
  { value: 'closed', label: 'Closed', empty: 'No conversations are closed or blocked.' },
]

export type InboxData = MessagesData & {
  filter: InboxFilter
  /** The listing whose conversations are shown; null for all. */
  businessId: string | null
  businesses: readonly { id: string; name: string }[]
  savedReplies: readonly SavedReply[]
}

/**
 * A vendor's conversations of all their listings: those that wait for an answer first.
 * @param parts of quotes, placed in the open conversation by the route
 */
export function InboxScreen({
  data,
  answered,
  parts = {},
}: {
  data: InboxData
  answered: ConversationAnswer | undefined
  parts?: Pick<ConversationPaneProps, 'cards' | 'hasOpenQuote' | 'tools' | 'form' | 'notice'>
}) {
  const { conversations, conversation, filter, businessId, page, now, timeZone } = data
  useLiveUpdates(['inbox'])
  useFreshCount(conversations)
  const list = useRef<HTMLDivElement>(null)
  const [hasKeys, setKeys] = useInboxKeys(list)
  const query = (changed: { show?: InboxFilter; business?: string | null; page?: number } = {}) =>
    queryOf({ show: filter, business: businessId, page: 1, ...changed })
  const listHref = href('/dashboard/inbox/:id?')
  const openHref = (id: string) => href('/dashboard/inbox/:id?', { id }) + query({ page })
  const waiting = conversations.filter(({ waitingSince }) => waitingSince).length
  return (
    <>
      <ConversationSplit
        listRef={list}
        head={
          <>
            <h1 className="text-3xl">{INBOX_TITLE}</h1>
            <InboxFilters
              data={data}
              hrefOf={(show) => listHref + query({ show })}
              businessHref={(id) => listHref + query({ business: id })}
            />
            {answered && !conversation ? <ChangeNotice answered={answered} /> : null}
          </>
        }
        list={
          conversations.length > 0 ? (
            <>
              <ConversationList
                conversations={conversations}
                side="vendor"
                label={waiting > 0 ? `Conversations, ${waiting} waiting for an answer` : 'Conversations'}
                hrefOf={openHref}
                openId={conversation?.id ?? null}
                now={now}
                timeZone={timeZone}
              />
              <div className="px-4 py-4">
                <Pagination
                  page={page}
                  pageCount={page + (data.hasMore ? 1 : 0)}
                  hrefFor={(to) => listHref + query({ page: to })}
                />
              </div>
            </>
          ) : (
            <EmptyState
              illustration={<DrawnPicture picture="empty-bookings/dashboard" />}
              text={FILTERS.find(({ value }) => value === filter)?.empty}
            />
          )
        }
        pane={
          conversation ? (
            <ConversationPane
              key={`${conversation.id} ${data.before}`}
              conversation={conversation}
              token={conversation.id}
              path={href('/dashboard/inbox/:id?', { id: conversation.id })}
              before={data.before}
              submitKey={data.submitKey}
              answered={answered}
              backHref={listHref + query({ page })}
              heading="h2"
              now={now}
              timeZone={timeZone}
              savedReplies={data.savedReplies}
              {...parts}
            />
          ) : data.isMissing ? (
            <MissingConversation />
          ) : null
        }
        isEmpty={conversations.length === 0}
      />
      <div className={conversation ? 'max-xl:hidden' : undefined}>
        {conversations.length > 0 ? <KeysNote isOn={hasKeys} onSwitch={setKeys} /> : null}
        <SavedReplies
          replies={data.savedReplies}
          answered={answered && answered.intent !== 'send' ? answered : undefined}
        />
        <HelpLink article="inbox">How the inbox works</HelpLink>
      </div>
    </>
  )
}

function queryOf(parameters: { show: InboxFilter; business: string | null; page: number }): string {
  const query = new URLSearchParams()
  if (parameters.show !== 'all') query.set('show', parameters.show)
  if (parameters.business) query.set('business', parameters.business)
  if (parameters.page > 1) query.set('page', String(parameters.page))
  return query.size > 0 ? `?${query}` : ''
}

function InboxFilters({
  data: { filter, businesses, businessId },
  hrefOf,
  businessHref,
}: {
  data: InboxData
  hrefOf: (filter: InboxFilter) => string
  businessHref: (businessId: string | null) => string
}) {
  const navigate = useNavigate()
  return (
    <div className="inbox-filters">
      <nav aria-label="Show">
        <ul>
          {FILTERS.map(({ value, label }) => (
            <li key={value}>
              <Link to={hrefOf(value)} aria-current={value === filter ? 'page' : undefined}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {businesses.length > 1 ? (
        <form method="get" action={href('/dashboard/inbox/:id?')} className="inbox-business">
          {filter === 'all' ? null : <input type="hidden" name="show" value={filter} />}
          <SelectField
            label="Listing"
            labelUnseen
            name="business"
            value={businessId ?? ''}
            onChange={(event) => void navigate(businessHref(event.currentTarget.value || null))}
          >
            <option value="">All listings</option>
            {businesses.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <noscript>
            <button type="submit" className="button button-secondary button-small">
              Show
            </button>
          </noscript>
        </form>
      ) : null}
    </div>
  )
}

function KeysNote({ isOn, onSwitch }: { isOn: boolean; onSwitch: (isOn: boolean) => void }) {
  return (
    <p className="inbox-keys">
      <span>
        Keys: <kbd>j</kbd> and <kbd>k</kbd> move through the list, <kbd>Enter</kbd> opens, <kbd>r</kbd>{' '}
        replies, <kbd>Ctrl</kbd> <kbd>Enter</kbd> sends, <kbd>Esc</kbd> goes back to the list.
      </span>
      <label>
        <input type="checkbox" checked={isOn} onChange={(event) => onSwitch(event.currentTarget.checked)} />
        Use these keys
      </label>
    </p>
  )
}

/** Shown inside the frame, so the menu still works. */
export function InboxFailure({ heading }: { heading: string }) {
  return (
    <LoadFailure
      heading={heading}
      title={MESSAGES_LOAD_FAILED}
      text="Nothing is lost. Try again in a moment."
    />
  )
}
