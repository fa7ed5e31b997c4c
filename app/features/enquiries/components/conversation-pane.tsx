import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { type FetcherWithComponents, href, Link, useFetcher, useNavigate } from 'react-router'
import { formatDay } from '../../../shared/dates.ts'
import { formatMoney } from '../../../shared/money.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { useDialogs } from '../../../ui/dialog.tsx'
import { TextAreaField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { useAnswer } from '../../../ui/use-answer.ts'
import { useLightDismiss } from '../../../ui/use-light-dismiss.ts'
import { useVisibleArea } from '../browser/use-visible-area.ts'
import {
  blockedText,
  CLOSED_TEXT,
  ENDS_QUOTE,
  guestsText,
  QUIET_PARAMETER,
} from '../conversation-messages.ts'
import { CONTACT_NOTE } from '../messages.ts'
import type { ConversationView, SavedReply, Side } from '../rules.ts'
import { MessageComposer, type SendAnswer } from './message-composer.tsx'
import { MessageThread, type ThreadCard } from './message-thread.tsx'
import './conversation-pane.css'

/** The response to any form of a conversation but that of a message. */
export type ChangeAnswer = {
  intent: 'read' | 'verify' | 'close' | 'block' | 'unblock' | 'report' | 'save-reply' | 'delete-reply'
  ok: boolean
  /** The result in words, or the reason for the refusal. */
  message: string
  errors?: Readonly<Record<string, string>>
}

export type ConversationAnswer = SendAnswer | ChangeAnswer

export type ConversationPaneProps = {
  conversation: ConversationView
  /** The conversation's id, or the token of its link: identifies its unsent message and the addresses of its files. */
  token: string
  /** The address of its page. */
  path: string
  /** The number of a message, if those before it are shown; null for the newest messages. */
  before: number | null
  submitKey: string
  answered: ConversationAnswer | undefined
  /** The address of the list, on a phone; null without one. */
  backHref: string | null
  /** Whether the viewer is signed in, so that the page of their bookings opens. True unless said otherwise. */
  isSignedIn?: boolean
  /** The heading's level: a page of its own, or beside a list. */
  heading: 'h1' | 'h2'
  now: string
  timeZone: string
  savedReplies?: readonly SavedReply[]
  /** Whether a quote waits for the customer, which closing or blocking ends. */
  hasOpenQuote?: boolean
  /** Among the messages: quotes. */
  cards?: readonly ThreadCard[]
  /** Beside the composer's files: the step to a quote. */
  tools?: ReactNode
  /** In place of the composer: the form of a quote. */
  form?: ReactNode
  /** Above the composer, after the result of a form. */
  notice?: ReactNode
}

/** One conversation: its other side and subject, its messages, and the form for the next one. */
export function ConversationPane({
  conversation,
  token,
  path,
  before,
  submitKey,
  answered,
  backHref,
  isSignedIn = true,
  heading: Heading,
  now,
  timeZone,
  savedReplies,
  hasOpenQuote = false,
  cards,
  tools,
  form,
  notice,
}: ConversationPaneProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  useVisibleArea()
  const { otherName, side, status, blockedBy } = conversation
  return (
    <section className="conversation-pane" aria-label={`Conversation with ${otherName}`}>
      <header className="conversation-head">
        <div className="min-w-0">
          <div className="flex items-center gap-1">
            {backHref ? (
              <Link to={backHref} className="icon-button xl:hidden" aria-label="Back to all conversations">
                <Icon name="arrow-left" />
              </Link>
            ) : null}
            <Heading className="min-w-0 truncate text-xl">{otherName}</Heading>
          </div>
          <ConversationFacts conversation={conversation} isSignedIn={isSignedIn} />
        </div>
        <ConversationMenu conversation={conversation} answered={answered} hasOpenQuote={hasOpenQuote} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={scroller} className="conversation-scroller" role="log" aria-label="Messages" tabIndex={0}>
        <div>
          <MessageThread
            conversation={conversation}
            token={token}
            path={path}
            isOlder={before !== null}
            now={now}
            timeZone={timeZone}
            {...(cards ? { cards } : {})}
          />
          {conversation.hasContactDetails && status !== 'booked' ? (
            <p className="px-5 pb-4 text-center text-sm text-quiet">{CONTACT_NOTE}</p>
          ) : null}
        </div>
      </div>
      <ReadMark conversation={conversation} />
      {form ?? (
        <MessageComposer
          draftKey={token}
          submitKey={submitKey}
          answered={answered?.intent === 'send' ? answered : undefined}
          otherName={otherName}
          isOff={status === 'blocked' || !conversation.isVerified}
          notice={
            <>
              <ChangeNotice answered={answered} />
              {notice}
              {blockedBy ? (
                <p className="text-sm text-quiet">{blockedText(blockedBy, side, otherName)}</p>
              ) : status === 'closed' ? (
                <p className="text-sm text-quiet">{CLOSED_TEXT}</p>
              ) : null}
            </>
          }
          tools={tools}
          {...(savedReplies ? { savedReplies } : {})}
          onSent={() => (before === null ? scroller.current?.scrollTo({ top: 0 }) : void navigate(path))}
        />
      )}
    </section>
  )
}

function ConversationFacts({
  conversation,
  isSignedIn,
}: Pick<ConversationPaneProps, 'conversation'> & { isSignedIn: boolean }) {
  const { side, businessId, businessName, bookingId, eventDate, guests, budgetCents, wish } = conversation
  return (
    <p className="conversation-head-facts figures">
      <Link className="link" to={href('/business/:id', { id: businessId })}>
        {side === 'vendor' ? businessName : 'See the listing'}
      </Link>
      {wish === 'quote' ? <span>Wants a quote</span> : null}
      {eventDate && bookingId && isSignedIn ? (
        <Link className="link" to={bookingPath(side, bookingId)}>
          Booking on {formatDay(eventDate)}
        </Link>
      ) : eventDate && bookingId ? (
        <span>Booking on {formatDay(eventDate)}</span>
      ) : eventDate ? (
        <span>{formatDay(eventDate)}</span>
      ) : null}
      {guests ? <span>{guestsText(guests)}</span> : null}
      {budgetCents ? <span>Budget {formatMoney(budgetCents)}</span> : null}
    </p>
  )
}

/** The list in which a side has the booking. A guest's is behind the login: the link of a conversation is no key to a booking. */
function bookingPath(side: Side, bookingId: string): string {
  return side === 'vendor' ? `${href('/dashboard/bookings')}#booking-${bookingId}` : href('/my-bookings')
}

/**
 * Marks the messages and the notifications about the conversation as read once they are on a visible screen, or by a button
 * without JavaScript.
 */
function ReadMark({ conversation: { unread, hasNotice, messages } }: { conversation: ConversationView }) {
  const fetcher = useFetcher<ChangeAnswer>()
  const { submit } = fetcher
  const newest = messages.at(-1)?.number
  const isNew = unread > 0 || hasNotice
  // biome-ignore lint/correctness/useExhaustiveDependencies: another message has to be marked again
  useEffect(() => {
    if (!isNew) return
    const mark = () => {
      if (document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', mark)
      void submit({ intent: 'read' }, { method: 'post', action: `?${QUIET_PARAMETER}` })
    }
    document.addEventListener('visibilitychange', mark)
    mark()
    return () => document.removeEventListener('visibilitychange', mark)
  }, [isNew, unread, newest, submit])
  if (!isNew) return null
  return (
    <noscript>
      <form method="post" className="px-5 pb-3">
        <input type="hidden" name="intent" value="read" />
        <Button type="submit" size="small">
          Mark as read
        </Button>
      </form>
    </noscript>
  )
}

/** The menu of a conversation: closing, blocking and reporting it. */
function ConversationMenu({
  conversation,
  answered,
  hasOpenQuote,
}: {
  conversation: ConversationView
  answered: ConversationAnswer | undefined
  hasOpenQuote: boolean
}) {
  const { status, side, isReported } = conversation
  const details = useRef<HTMLDetailsElement>(null)
  const fetcher = useFetcher<ChangeAnswer>()
  useAnswer(
    fetcher,
    ({ ok, message, errors }) => {
      if (ok) closeMenu(details.current)
      if (!errors) showToast({ type: ok ? 'success' : 'error', text: message })
    },
    { isEarly: true },
  )
  useLightDismiss(details)
  const isPending = fetcher.state === 'submitting'
  const refused = fetcher.data ?? (answered && answered.intent !== 'send' ? answered : undefined)
  const reasonError = refused?.errors?.reason
  return (
    <details ref={details} className="conversation-menu" {...(reasonError ? { open: true } : {})}>
      <summary className="icon-button" aria-label="More about this conversation">
        <Icon name="ellipsis-vertical" />
      </summary>
      <div>
        {hasOpenQuote ? <p className="text-sm text-quiet">{ENDS_QUOTE[side]}</p> : null}
        {status === 'closed' || status === 'blocked' ? null : (
          <fetcher.Form method="post">
            <Button type="submit" name="intent" value="close" wide size="small" waiting={isPending}>
              Close the conversation
            </Button>
          </fetcher.Form>
        )}
        <BlockForm
          conversation={conversation}
          fetcher={fetcher}
          isPending={isPending}
          hasOpenQuote={hasOpenQuote}
        />
        {isReported ? (
          <p className="text-sm text-quiet">You’ve reported this conversation. We’re looking into it.</p>
        ) : (
          <ReportForm fetcher={fetcher} isPending={isPending} error={reasonError} />
        )}
      </div>
    </details>
  )
}

/** Closes the menu. A focus inside it moves to its button. */
function closeMenu(menu: HTMLDetailsElement | null): void {
  if (!menu) return
  if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
  menu.open = false
}

type MenuFormProps = { fetcher: FetcherWithComponents<ChangeAnswer>; isPending: boolean }

/** Blocking, after a question, or unblocking by the side that has blocked. */
function BlockForm({
  conversation: { otherName, blockedBy, side },
  fetcher,
  isPending,
  hasOpenQuote,
}: MenuFormProps & { conversation: ConversationView; hasOpenQuote: boolean }) {
  const dialogs = useDialogs()
  if (blockedBy === side) {
    return (
      <fetcher.Form method="post">
        <Button type="submit" name="intent" value="unblock" wide size="small" waiting={isPending}>
          Unblock
        </Button>
      </fetcher.Form>
    )
  }
  if (blockedBy !== null) return null
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const isSure = await dialogs.confirm({
      title: `Block ${otherName}?`,
      body: `Neither of you can write in this conversation until you unblock it.${hasOpenQuote ? ` ${ENDS_QUOTE[side]}` : ''}`,
      confirmLabel: 'Block',
      danger: true,
    })
    if (isSure) await fetcher.submit({ intent: 'block' }, { method: 'post' })
  }
  return (
    <fetcher.Form method="post" onSubmit={onSubmit}>
      <Button
        type="submit"
        name="intent"
        value="block"
        variant="danger"
        wide
        size="small"
        waiting={isPending}
      >
        Block {side === 'vendor' ? 'this customer' : 'this vendor'}
      </Button>
    </fetcher.Form>
  )
}

/** The report of a conversation to our team, with its reason. */
function ReportForm({ fetcher, isPending, error }: MenuFormProps & { error: string | undefined }) {
  return (
    <fetcher.Form method="post" className="grid gap-3 border-t border-line pt-3" noValidate>
      <input type="hidden" name="intent" value="report" />
      <TextAreaField
        id="report-reason"
        name="reason"
        label="Report this conversation"
        hint="Say what is wrong. Our team then reads the messages."
        rows={2}
        error={error}
      />
      <Button type="submit" wide size="small" waiting={isPending}>
        Send the report
      </Button>
      <SendFailure />
    </fetcher.Form>
  )
}

/** The result of a form that was sent without JavaScript. */
export function ChangeNotice({ answered }: { answered: ConversationAnswer | undefined }) {
  if (!answered || answered.intent === 'send' || answered.intent === 'read' || answered.errors) return null
  return (
    <div role="status" className="my-4">
      <Banner tone={answered.ok ? 'success' : 'error'}>{answered.message}</Banner>
    </div>
  )
}
