import { useEffect } from 'react'
import { Form, useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { SendFailure } from '../../../ui/send-failure.tsx'
import { useAuth } from '../../accounts/components/auth-context.tsx'
import { useLiveUpdates } from '../browser/use-live-updates.ts'
import { NotificationList } from '../components/notification-list.tsx'
import {
  NO_NOTIFICATIONS_TEXT,
  NO_NOTIFICATIONS_TITLE,
  NOTIFICATIONS_LOAD_FAILED,
  unreadText,
} from '../messages.ts'
import type { ShownNotifications } from '../queries.server.ts'

/** The newest notifications, live, with a button that marks all as read. */
export function NotificationsScreen({
  loaderData: { notifications, unreadCount },
}: {
  loaderData: ShownNotifications
}) {
  useLiveUpdates(['notifications'])
  const { refresh } = useAuth()
  const pending = useNavigation().formData?.get('intent') === 'all'
  // Updates the header's count at once, without waiting for the stream.
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
              icon={<Icon name="check-check" />}
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

/** Shown inside the frame, so the menu still works. */
export function NotificationsFailure() {
  return (
    <LoadFailure
      heading="Notifications"
      title={NOTIFICATIONS_LOAD_FAILED}
      text="Nothing is lost. Try again in a moment."
    />
  )
}
