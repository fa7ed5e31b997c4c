import { Fragment, type ReactNode, useState } from 'react'
import { href, Link } from 'react-router'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { fileSizeText, messageDayText, messageTimeText, NEW_MESSAGES } from '../conversation-messages.ts'
import type { ConversationView, MessageFileView, MessageView } from '../rules.ts'
import { LinkedText } from './linked-text.tsx'
import './message-thread.css'

/** Something else in a thread, at its place in time: a quote. */
export type ThreadCard = { id: string; at: string; element: ReactNode }

type ThreadEntry = { id: string; at: string; message: MessageView | null; element: ReactNode }

/**
 * The messages of a conversation, the newest last, with a divider for each day and one before the first unread message.
 * @param token the conversation's id, or the token of its link, in the addresses of its files
 * @param path the address of its page, which also leads to the messages before these
 * @param cards what stands among the messages
 * @param ownName the name of the viewer's side
 * @param isOlder whether messages follow that aren't shown
 * @param now ISO 8601
 * @param timeZone the zone whose days and times are shown
 */
export function MessageThread({
  conversation,
  token,
  path,
  ownName = 'You',
  cards = [],
  isOlder = false,
  now,
  timeZone,
}: {
  conversation: Pick<ConversationView, 'messages' | 'otherName' | 'hasOlder'>
  token: string
  path: string
  ownName?: string
  cards?: readonly ThreadCard[]
  isOlder?: boolean
  now: string
  timeZone: string
}) {
  const { messages, otherName, hasOlder } = conversation
  // Reading the messages marks them as read. The divider stays where it was when the thread opened.
  const [firstUnread] = useState(() => messages.find(({ isMine, readAt }) => !isMine && !readAt)?.id)
  const lastRead = messages.findLast(({ isMine }) => isMine)
  const entries = inOrder(messages, cards)
  return (
    <div className="thread">
      <h2 className="unseen">Messages</h2>
      {hasOlder ? (
        <p className="text-center">
          <Link
            className="link inline-flex min-h-11 items-center"
            to={`${path}?before=${messages[0]?.number}`}
          >
            Earlier messages
          </Link>
        </p>
      ) : null}
      {entries.map((entry, index) => {
        const day = messageDayText(entry.at, now, timeZone)
        const before = entries[index - 1]
        const isNewDay = !before || messageDayText(before.at, now, timeZone) !== day
        return (
          <Fragment key={entry.id}>
            {isNewDay ? <p className="thread-divider">{day}</p> : null}
            {entry.id === firstUnread ? (
              <p className="thread-divider thread-divider-new">{NEW_MESSAGES}</p>
            ) : null}
            {entry.message ? (
              <Message
                message={entry.message}
                senderName={entry.message.isMine ? ownName : otherName}
                time={messageTimeText(entry.at, timeZone)}
                isMarkedRead={entry.message === lastRead && entry.message.readAt !== null}
                fileHref={(fileId) =>
                  href('/conversations/:linkToken/files/:fileId', { linkToken: token, fileId })
                }
              />
            ) : (
              entry.element
            )}
          </Fragment>
        )
      })}
      {isOlder ? (
        <p className="text-center">
          <Link className="link inline-flex min-h-11 items-center" to={path}>
            Newest messages
          </Link>
        </p>
      ) : null}
    </div>
  )
}

function inOrder(messages: readonly MessageView[], cards: readonly ThreadCard[]): ThreadEntry[] {
  return [
    ...messages.map((message) => ({ id: message.id, at: message.createdAt, message, element: null })),
    ...cards.map((card) => ({ ...card, message: null })),
    // The order of arrival stays where times are the same: sorting is stable.
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

function Message({
  message,
  senderName,
  time,
  isMarkedRead,
  fileHref,
}: {
  message: MessageView
  senderName: string
  time: string
  isMarkedRead: boolean
  fileHref: (fileId: string) => string
}) {
  return (
    <article className={classNames('message', message.isMine && 'message-mine')}>
      <h3 className="unseen">{senderName}</h3>
      {message.body ? (
        <p className="message-text">
          <LinkedText text={message.body} />
        </p>
      ) : null}
      {message.files.length > 0 ? (
        <div className="message-files">
          {message.files.map((file) => (
            <MessageFile key={file.id} file={file} href={fileHref(file.id)} />
          ))}
        </div>
      ) : null}
      <p className="message-meta figures">
        <time dateTime={message.createdAt}>{time}</time>
        {message.sentBy === 'mail' ? ' · by email' : null}
        {isMarkedRead ? ' · Read' : null}
      </p>
    </article>
  )
}

function MessageFile({ file, href }: { file: MessageFileView; href: string }) {
  if (file.contentType === 'image/webp')
    return (
      <a className="message-picture" href={href} target="_blank" rel="noopener noreferrer">
        <img src={href} alt={file.name} loading="lazy" />
      </a>
    )
  return (
    <a className="message-document" href={href} download={file.name}>
      <Icon name="file-text" />
      <span className="min-w-0">
        <span className="block truncate text-sm font-semibold">{file.name}</span>
        <span className="block text-xs text-quiet">PDF, {fileSizeText(file.bytes)}</span>
      </span>
    </a>
  )
}
