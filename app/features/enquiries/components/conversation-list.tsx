import { Fragment } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '../../../shared/money.ts'
import { Badge } from '../../../ui/badge.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Tag, type TagTone } from '../../../ui/tag.tsx'
import { guestsText, lastMessageText, shortDayText, unreadText, waitingOf } from '../conversation-messages.ts'
import type { ConversationStatus, Lateness, ListedConversation, Side } from '../rules.ts'
import './conversation-list.css'

const STATUS_TAGS: Readonly<Record<ConversationStatus, { tone: TagTone; label: string } | null>> = {
  open: null,
  quoted: { tone: 'brand', label: 'Quote sent' },
  booked: { tone: 'success', label: 'Booked' },
  closed: { tone: 'neutral', label: 'Closed' },
  blocked: { tone: 'neutral', label: 'Blocked' },
}

const WAITING_TONES: Readonly<Record<Lateness, TagTone>> = {
  in_time: 'neutral',
  late: 'glow',
  very_late: 'error',
}

/**
 * Conversations as links, each with who, when, about what, and what waits.
 * @param side the viewer's: only the vendor sees how long the customer has waited
 * @param hrefOf the address of a conversation
 * @param openId the conversation that is shown beside the list
 */
export function ConversationList({
  conversations,
  side,
  label,
  hrefOf,
  openId,
  now,
  timeZone,
}: {
  conversations: readonly ListedConversation[]
  side: Side
  label: string
  hrefOf: (id: string) => string
  openId: string | null
  now: string
  timeZone: string
}) {
  return (
    <ul className="conversations" aria-label={label}>
      {conversations.map((conversation) => (
        <li key={conversation.id}>
          <Link
            to={hrefOf(conversation.id)}
            className={classNames('conversation', conversation.unread > 0 && 'conversation-unread')}
            aria-current={conversation.id === openId ? 'page' : undefined}
            data-conversation=""
            preventScrollReset
          >
            <Entry conversation={conversation} side={side} now={now} timeZone={timeZone} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Entry({
  conversation,
  side,
  now,
  timeZone,
}: {
  conversation: ListedConversation
  side: Side
  now: string
  timeZone: string
}) {
  const { otherName, businessName, status, lastMessage, lastSender, unread } = conversation
  const waiting =
    side === 'vendor' && conversation.waitingSince ? waitingOf(conversation.waitingSince, now) : null
  const tag = STATUS_TAGS[status]
  const facts = [
    ...(side === 'vendor' ? [businessName] : []),
    ...(conversation.eventDate ? [shortDayText(conversation.eventDate)] : []),
    ...(conversation.guests ? [guestsText(conversation.guests)] : []),
    ...(conversation.budgetCents ? [formatMoney(conversation.budgetCents)] : []),
  ]
  return (
    <>
      <span className="conversation-top">
        <span className="conversation-name">{otherName}</span>
        <time className="conversation-time figures" dateTime={conversation.lastMessageAt}>
          {lastMessageText(conversation.lastMessageAt, now, timeZone)}
        </time>
      </span>
      {facts.length > 0 ? (
        <span className="conversation-facts figures">
          {facts.map((fact, index) => (
            <Fragment key={fact}>
              <span>
                {fact}
                {index < facts.length - 1 ? ' ·' : null}
              </span>{' '}
            </Fragment>
          ))}
        </span>
      ) : null}
      <span className="conversation-last">
        <span className="conversation-excerpt">
          {lastSender === side ? 'You: ' : null}
          {lastMessage || 'Files'}
        </span>
        {unread > 0 ? (
          <>
            <Badge count={unread} />
            <span className="unseen">, {unreadText(unread)}</span>
          </>
        ) : null}
      </span>
      {waiting || tag || conversation.wish === 'quote' || !conversation.isVerified ? (
        <span className="conversation-tags">
          {waiting ? <Tag tone={WAITING_TONES[waiting.lateness]}>{waiting.text}</Tag> : null}
          {tag ? <Tag tone={tag.tone}>{tag.label}</Tag> : null}
          {status === 'open' && conversation.wish === 'quote' ? <Tag>Wants a quote</Tag> : null}
          {conversation.isVerified ? null : <Tag tone="glow">Not sent yet</Tag>}
        </span>
      ) : null}
    </>
  )
}
