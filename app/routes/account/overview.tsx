import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { listBookingsOfCustomer } from '../../features/bookings/queries.server.ts'
import { listBusinessIdsOfOwner } from '../../features/businesses/owner-queries.server.ts'
import { useLiveUpdates } from '../../features/notifications/browser/use-live-updates.ts'
import { NotificationList } from '../../features/notifications/components/notification-list.tsx'
import { countUnreadNotifications, listNotifications } from '../../features/notifications/queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { agoText } from '../../shared/ago.ts'
import { formatEventTime, wallTimeAt } from '../../shared/dates.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { Banner } from '../../ui/banner.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Tag } from '../../ui/tag.tsx'
import { requireSession } from '../require-session.server.ts'
import type { Route } from './+types/overview'

export const meta: Route.MetaFunction = ({ matches }) => privateMeta('Your account', matches[0]?.loaderData)

const SHOWN_BOOKINGS = 3
const SHOWN_NOTIFICATIONS = 3

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { config, db, now } = context.get(servicesContext)
  const session = await requireSession({ request, url, context })
  const { uid, email, emailVerified, displayName } = session.user
  const [bookings, notifications, unreadCount, businessIds] = await Promise.all([
    listBookingsOfCustomer(db, {
      userId: uid,
      verifiedEmail: emailVerified ? email : null,
      secret: config.secret,
    }),
    listNotifications(db, { userId: uid, limit: SHOWN_NOTIFICATIONS }),
    countUnreadNotifications(db, uid),
    listBusinessIdsOfOwner(db, uid),
  ])
  const eventOrder = (one: (typeof bookings)[number]) => `${one.stored.date} ${one.stored.time}`
  const upcoming = bookings
    .filter(
      ({ stored, timeZone }) =>
        stored.date >= wallTimeAt(now(), timeZone).date &&
        (stored.status === 'pending' || stored.status === 'approved'),
    )
    .toSorted((one, other) => eventOrder(one).localeCompare(eventOrder(other)))
  return {
    name: displayName ?? email.split('@')[0] ?? email,
    email,
    emailVerified,
    unreadCount,
    isVendor: businessIds.length > 0,
    upcoming: upcoming.slice(0, SHOWN_BOOKINGS).map(({ id, stored, place, link }) => ({
      id,
      name: stored.vendorName,
      when: formatEventTime(stored.date, stored.time),
      place,
      approved: stored.status === 'approved',
      link,
    })),
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
}

export default function Overview({ loaderData }: Route.ComponentProps) {
  const { name, email, emailVerified, unreadCount, isVendor, upcoming, notifications } = loaderData
  useLiveUpdates(['notifications'])
  return (
    <div className="grid gap-10">
      <h1 className="text-3xl md:text-4xl">Welcome, {name}</h1>
      {emailVerified ? null : (
        <Banner
          tone="glow"
          title="Confirm your e-mail"
          action={
            <ButtonLink size="small" to={href('/my-profile')}>
              My Profile
            </ButtonLink>
          }
        >
          Follow the link that we have sent to {email}. Bookings you made with it as a guest then appear here.
        </Banner>
      )}
      <Block title="Coming up" more={{ to: href('/my-bookings'), label: 'My Bookings' }}>
        {upcoming.length > 0 ? (
          <ul className="border-line border-t">
            {upcoming.map((booking) => (
              <li
                key={booking.id}
                className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-line border-b py-4"
              >
                <div className="min-w-0">
                  <Link
                    to={booking.link}
                    className="py-1 font-semibold hover:underline [overflow-wrap:anywhere]"
                  >
                    {booking.name}
                  </Link>
                  <p className="figures">{booking.when}</p>
                  <p className="text-quiet text-sm">{booking.place}</p>
                </div>
                <Tag tone={booking.approved ? 'success' : 'glow'}>
                  {booking.approved ? 'Approved' : 'Waiting for an answer'}
                </Tag>
              </li>
            ))}
          </ul>
        ) : (
          <div className="grid justify-items-start gap-4">
            <p className="text-quiet">
              Nothing booked yet. Find a place, and the people who make it a celebration.
            </p>
            <ButtonLink to={href('/venues-vendors')} variant="primary">
              See venues and vendors
            </ButtonLink>
          </div>
        )}
      </Block>
      {notifications.length > 0 ? (
        <Block
          title={unreadCount > 0 ? `Notifications (${unreadCount} unread)` : 'Notifications'}
          more={{ to: href('/notifications'), label: 'All notifications' }}
        >
          <NotificationList notifications={notifications} />
        </Block>
      ) : null}
      <Block title={isVendor ? 'Your business' : 'Do you host, cook, play or photograph?'}>
        <div className="grid justify-items-start gap-4">
          <p className="text-quiet">
            {isVendor
              ? 'Listings, bookings and your registration are in your dashboard.'
              : 'List what you offer. It costs nothing, and bookings come paid.'}
          </p>
          <ButtonLink to={isVendor ? href('/dashboard') : href('/addservice')}>
            {isVendor ? 'My Dashboard' : 'List your business'}
          </ButtonLink>
        </div>
      </Block>
    </div>
  )
}

function Block({
  title,
  more,
  children,
}: {
  title: string
  more?: { to: string; label: string }
  children: ReactNode
}) {
  return (
    <section aria-label={title}>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="text-xl">{title}</h2>
        {more ? (
          <Link className="link inline-flex items-center gap-1.5" to={more.to}>
            {more.label}
            <ArrowRight aria-hidden="true" className="size-4" />
          </Link>
        ) : null}
      </div>
      {children}
    </section>
  )
}
