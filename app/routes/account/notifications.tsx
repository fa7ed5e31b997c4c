import { data } from 'react-router'
import {
  markAllNotificationsRead,
  markNotificationRead,
} from '../../features/notifications/commands.server.ts'
import { listNotifications } from '../../features/notifications/queries.server.ts'
import { notificationFormSchema } from '../../features/notifications/schema.ts'
import {
  NotificationsFailure,
  NotificationsScreen,
} from '../../features/notifications/screens/notifications-screen.tsx'
import { servicesContext } from '../../request-context.server.ts'
import { readForm } from '../../shared/form.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { loadOrUnavailable } from '../load-or-unavailable.server.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/notifications'

const LIST_LIMIT = 100

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('Notifications', matches[0]?.loaderData)

export function loader({ request, context, url }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext)
  return loadOrUnavailable(context, async () => {
    const session = await requireSession({ request, url, context })
    return listNotifications({ db, now }, { userId: session.user.uid, limit: LIST_LIMIT })
  })
}

/** Marks one or all of the user's notifications as read and notifies their other tabs. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { db, liveUpdates, now } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const userId = session.user.uid
  const form = await readForm(request, notificationFormSchema)
  if (form.get('intent') === 'all') await markAllNotificationsRead(db, { userId, now: now() })
  else await markNotificationRead(db, { userId, id: String(form.get('id') ?? ''), now: now() })
  await db.transaction().execute((tx) => liveUpdates.publish(tx, `notifications:${userId}`))
  return data({ ok: true })
}

export default function Notifications({ loaderData }: Route.ComponentProps) {
  return <NotificationsScreen loaderData={loaderData} />
}

export function ErrorBoundary() {
  return <NotificationsFailure />
}
