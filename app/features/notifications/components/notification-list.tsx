import { href, Link, useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { IconName } from '../../../ui/icon-names.ts'
import { SendFailure } from '../../../ui/send-failure.tsx'

/** A notification as this list shows it. */
export type ListedNotification = {
  id: string
  kind: string
  title: string
  body: string
  /** A path on this site. */
  link: string
  /** ISO 8601; `when` is the same in words: '5 minutes ago'. */
  createdAt: string
  when: string
  read: boolean
}

const ICONS: Readonly<Record<string, IconName>> = {
  booking: 'calendar-check',
  approved: 'calendar-check',
  change: 'calendar-check',
  declined: 'calendar-x',
  withdrawn: 'calendar-x',
  refunded: 'undo-2',
  reminder: 'clock',
  review: 'message-square-text',
}

/** Notifications, newest first. Following one marks it as read, and so does its button. */
export function NotificationList({ notifications }: { notifications: readonly ListedNotification[] }) {
  return (
    <ul className="border-line border-t">
      {notifications.map((notification) => (
        <Item key={notification.id} notification={notification} />
      ))}
    </ul>
  )
}

function Item({ notification }: { notification: ListedNotification }) {
  const fetcher = useFetcher()
  const read = notification.read || fetcher.formData !== undefined
  const icon = ICONS[notification.kind] ?? 'bell'
  const markRead = { intent: 'read', id: notification.id }
  return (
    <li
      className={classNames(
        'relative grid grid-cols-[auto_1fr] gap-x-4 border-line border-b py-5 sm:grid-cols-[auto_1fr_auto]',
        !read && 'bg-brand-soft/45 max-sm:-mx-4 max-sm:px-4 sm:rounded-small sm:px-4',
      )}
    >
      <span
        aria-hidden="true"
        className={classNames(
          'grid size-10 place-items-center rounded-full',
          read ? 'bg-sunk text-quiet' : 'bg-brand text-on-brand',
        )}
      >
        <Icon name={icon} className="size-5" />
      </span>
      <div className="min-w-0">
        <p className={classNames('[overflow-wrap:anywhere]', !read && 'font-semibold')}>
          <Link
            to={notification.link}
            className="-my-1 inline-block py-1 hover:underline"
            onClick={() => {
              if (!read) void fetcher.submit(markRead, { method: 'post', action: href('/notifications') })
            }}
          >
            {notification.title}
            <Icon name="arrow-right" className="ml-1.5 inline size-4 text-quiet" />
          </Link>
          {read ? null : <span className="unseen"> (unread)</span>}
        </p>
        {notification.body ? <p className="mt-0.5 text-sm">{notification.body}</p> : null}
        <p className="mt-1 text-quiet text-sm">
          <time dateTime={notification.createdAt}>{notification.when}</time>
        </p>
      </div>
      {read ? null : (
        <fetcher.Form
          method="post"
          action={href('/notifications')}
          className="max-sm:col-start-2 max-sm:mt-2"
        >
          <input type="hidden" name="intent" value="read" />
          <input type="hidden" name="id" value={notification.id} />
          <Button type="submit" size="small" aria-label={`Mark as read: ${notification.title}`}>
            Mark as read
          </Button>
          <SendFailure />
        </fetcher.Form>
      )}
    </li>
  )
}
