import { useEffect } from 'react'
import { href } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { DrawnPicture } from '../../../ui/drawn-picture.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Pagination } from '../../../ui/pagination.tsx'
import { useAuth } from '../../accounts/components/auth-context.tsx'
import { MESSAGES_TITLE } from '../../bookings/messages.ts'
import { useLiveUpdates } from '../../notifications/browser/use-live-updates.ts'
import { ConversationList } from '../components/conversation-list.tsx'
import {
  type ConversationAnswer,
  ConversationPane,
  type ConversationPaneProps,
} from '../components/conversation-pane.tsx'
import { ConversationSplit, MissingConversation } from '../components/conversation-split.tsx'
import type { ConversationView, ListedConversation } from '../rules.ts'

/** A page of conversations, and the conversation that the address names. */
export type MessagesData = {
  conversations: readonly ListedConversation[]
  hasMore: boolean
  page: number
  /** The conversation that the address names; null for none. */
  conversation: ConversationView | null
  /** Whether the address names a conversation that isn't there. */
  isMissing: boolean
  submitKey: string
  /** The number of a message, to show those before it; null for the newest messages. */
  before: number | null
  now: string
  timeZone: string
}

/**
 * A customer's conversations, the newest message first.
 * @param parts of quotes, placed in the open conversation by the route
 */
export function MessagesScreen({
  data,
  answered,
  parts = {},
}: {
  data: MessagesData
  answered: ConversationAnswer | undefined
  parts?: Pick<ConversationPaneProps, 'cards' | 'hasOpenQuote' | 'notice'>
}) {
  const { conversations, conversation, page, now, timeZone } = data
  useLiveUpdates(['inbox'])
  useFreshCount(conversations)
  const listHref = href('/messages/:id?')
  const pageQuery = (to: number) => (to > 1 ? `?page=${to}` : '')
  return (
    <ConversationSplit
      head={<h1 className="mb-5 text-3xl md:text-4xl">{MESSAGES_TITLE}</h1>}
      list={
        conversations.length > 0 ? (
          <>
            <ConversationList
              conversations={conversations}
              side="customer"
              label="Conversations"
              hrefOf={(id) => href('/messages/:id?', { id }) + pageQuery(page)}
              openId={conversation?.id ?? null}
              now={now}
              timeZone={timeZone}
            />
            <div className="px-4 py-4">
              <Pagination
                page={page}
                pageCount={page + (data.hasMore ? 1 : 0)}
                hrefFor={(to) => listHref + pageQuery(to)}
              />
            </div>
          </>
        ) : (
          <EmptyState
            illustration={<DrawnPicture picture="empty-bookings/my-bookings" />}
            title="No messages yet"
            text="Ask a venue or vendor a question, and the answer comes here."
            action={<ButtonLink to={href('/venues-vendors')}>Find venues and vendors</ButtonLink>}
          />
        )
      }
      pane={
        conversation ? (
          <ConversationPane
            key={`${conversation.id} ${data.before}`}
            conversation={conversation}
            token={conversation.id}
            path={href('/messages/:id?', { id: conversation.id })}
            before={data.before}
            submitKey={data.submitKey}
            answered={answered}
            backHref={listHref + pageQuery(page)}
            heading="h2"
            now={now}
            timeZone={timeZone}
            {...parts}
          />
        ) : data.isMissing ? (
          <MissingConversation action={<ButtonLink to={listHref}>See your messages</ButtonLink>} />
        ) : null
      }
      isEmpty={conversations.length === 0}
    />
  )
}

/** Fetches the header's counts again as soon as the messages on this screen change. */
export function useFreshCount(conversations: readonly ListedConversation[]): void {
  const { refresh } = useAuth()
  const unread = conversations.reduce((sum, conversation) => sum + conversation.unread, 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count is the trigger, not an input
  useEffect(() => void refresh(), [unread, refresh])
}
