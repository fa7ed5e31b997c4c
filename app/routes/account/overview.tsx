import { listBookingsOfCustomer } from '../../features/bookings/list/queries.server.ts'
import { AccountOverviewScreen } from '../../features/bookings/list/screens/account-overview-screen.tsx'
import { eventOrder } from '../../features/bookings/rules.ts'
import { isCalledOff } from '../../features/bookings/status-rules.ts'
import { listBusinessIdsOfOwner } from '../../features/businesses/owner-queries.server.ts'
import { listCustomerTasks } from '../../features/desk/customer-queries.server.ts'
import { CustomerDesk } from '../../features/desk/screens/waiting-sections.tsx'
import { countUnread } from '../../features/enquiries/queries.server.ts'
import { listNotifications } from '../../features/notifications/queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { formatEventTime, wallTimeAt } from '../../shared/dates.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { participantOf } from '../conversation-forms.server.ts'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/overview'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('Your account', matches[0]?.loaderData)

const SHOWN_BOOKINGS = 3
const SHOWN_NOTIFICATIONS = 3

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { config, db, now } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const { uid, email, emailVerified, displayName } = session.user
  const verifiedEmail = emailVerified ? email : null
  const time = now()
  const [bookings, shown, businessIds, unread, tasks] = await Promise.all([
    listBookingsOfCustomer(db, { userId: uid, verifiedEmail, secret: config.secret }),
    listNotifications({ db, now }, { userId: uid, limit: SHOWN_NOTIFICATIONS }),
    listBusinessIdsOfOwner(db, uid),
    countUnread(db, participantOf(session)),
    listCustomerTasks(db, { userId: uid, verifiedEmail }, { now: time, secret: config.secret }),
  ])
  const upcoming = bookings
    .filter(
      ({ stored, timeZone }) => stored.date >= wallTimeAt(time, timeZone).date && !isCalledOff(stored.status),
    )
    .toSorted((one, other) => eventOrder(one).localeCompare(eventOrder(other)))
  return {
    ...shown,
    name: displayName ?? email.split('@')[0] ?? email,
    email,
    emailVerified,
    unreadMessages: unread.customer,
    isVendor: businessIds.length > 0,
    tasks,
    now: time.toISOString(),
    upcoming: upcoming.slice(0, SHOWN_BOOKINGS).map(({ id, stored, place, link }) => ({
      id,
      name: stored.vendorName,
      when: formatEventTime(stored.date, stored.time),
      place,
      approved: stored.status === 'approved',
      link,
    })),
  }
}

export default function Overview({ loaderData }: Route.ComponentProps) {
  const { tasks, now, ...overview } = loaderData
  return (
    <AccountOverviewScreen
      loaderData={overview}
      desk={tasks.length > 0 ? <CustomerDesk tasks={tasks} now={now} /> : null}
    />
  )
}
