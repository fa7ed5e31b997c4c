import { CheckCheck } from 'lucide-react'
import { useEffect } from 'react'
import { data, Form, useNavigation } from 'react-router'
import { z } from 'zod'
import { useAuth } from '../../features/accounts/components/auth-context.tsx'
import { useLiveUpdates } from '../../features/notifications/browser/use-live-updates.ts'
import {
  markAllNotificationsRead,
  markNotificationRead,
} from '../../features/notifications/commands.server.ts'
import { NotificationList } from '../../features/notifications/components/notification-list.tsx'
import { countUnreadNotifications, listNotifications } from '../../features/notifications/queries.server.ts'
import {
  NO_NOTIFICATIONS_TEXT,
  NO_NOTIFICATIONS_TITLE,
  NOTIFICATIONS_LOAD_FAILED,
  unreadText,
} from '../../features/notifications/wording.ts'
import { servicesContext } from '../../request-context.server.ts'
import { agoText } from '../../shared/ago.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { SendFailure } from '../../ui/send-failure.tsx'
import { loadOrUnavailable } from '../load-or-unavailable.server.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/notifications'

const LIST_LIMIT = 100

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('Notifications', matches[0]?.loaderData)

export function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  return loadOrUnavailable(context, async () => {
    const session = await requireSession({ request, url, context })
    const { uid } = session.user
    const [notifications, unreadCount] = await Promise.all([
      listNotifications(db, { userId: uid, limit: LIST_LIMIT }),
      countUnreadNotifications(db, uid),
    ])
    return {
      unreadCount,
      notifications: notifications.map(({ id, kind, title, body, link, createdAt, readAt }) => ({
        id,
        kind,
        title,
        body,
        link,
        createdAt,
        when: agoText(new Date(createdAt), now()),
        read: readAt !== null,
      })),
    }
  })
}

const formSchema = z.object({ intent: z.enum(['all', 'read']), id: z.string() })

/** Marks one or all of the asking user's own as read; their other tabs hear of it. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { db, liveUpdates, now } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const userId = session.user.uid
  const form = await readForm(request, formSchema)
  if (form.get('intent') === 'all') await markAllNotificationsRead(db, { userId, now: now() })
  else await markNotificationRead(db, { userId, id: String(form.get('id') ?? ''), now: now() })
  await db.transaction().execute((tx) => liveUpdates.publish(tx, `notifications:${userId}`))
  return data({ ok: true })
}

export default function Notifications({ loaderData: { notifications, unreadCount } }: Route.ComponentProps) {
  useLiveUpdates(['notifications'])
  const { refresh } = useAuth()
  const pending = useNavigation().formData?.get('intent') === 'all'
  // The header's count is this list's, at once and without waiting for the stream.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count is the trigger, not an input
  useEffect(() => void refresh(), [unreadCount, refresh])
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h1 className="text-3xl md:text-4xl">Notifications</h1>
          {notifications.length > 0 ? (
            <p className="mt-1 text-quiet" role="status">
              {unreadText(unreadCount)}
            </p>
          ) : null}
        </div>
        {unreadCount > 0 ? (
          <Form method="post">
            <Button
              type="submit"
              name="intent"
              value="all"
              icon={<CheckCheck aria-hidden="true" />}
              pending={pending}
            >
              Mark all as read
            </Button>
            <SendFailure />
          </Form>
        ) : null}
      </div>
      <div className="mt-6">
        {notifications.length > 0 ? (
          <NotificationList notifications={notifications} />
        ) : (
          <EmptyState title={NO_NOTIFICATIONS_TITLE} text={NO_NOTIFICATIONS_TEXT} />
        )}
      </div>
    </>
  )
}

/** Shown inside the frame, whose menu still works. */
export function ErrorBoundary() {
  return (
    <LoadFailure
      heading="Notifications"
      title={NOTIFICATIONS_LOAD_FAILED}
      text="Nothing is lost. Try again in a moment."
    />
  )
}
