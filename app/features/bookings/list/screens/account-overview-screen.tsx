import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { Banner } from '../../../../ui/banner.tsx'
import { ButtonLink } from '../../../../ui/button.tsx'
import { Tag } from '../../../../ui/tag.tsx'
import { useLiveUpdates } from '../../../notifications/browser/use-live-updates.ts'
import { NotificationList } from '../../../notifications/components/notification-list.tsx'
import type { ShownNotifications } from '../../../notifications/queries.server.ts'
import { MESSAGES_TITLE, NO_NEW_MESSAGES } from '../../messages.ts'
import { OverviewHeading } from '../components/overview-heading.tsx'

/** An upcoming booking, in one line. */
type UpcomingBooking = {
  id: string
  name: string
  when: string
  place: string
  approved: boolean
  link: string
}

/** The signed-in person's overview: upcoming bookings, the newest notifications, and a link to their business. */
export function AccountOverviewScreen({
  loaderData,
  desk,
}: {
  loaderData: ShownNotifications & {
    name: string
    email: string
    emailVerified: boolean
    isVendor: boolean
    unreadMessages: number
    upcoming: readonly UpcomingBooking[]
  }
  /** The customer's desk; null while it is empty. */
  desk: ReactNode
}) {
  const { name, email, emailVerified, unreadCount, isVendor, unreadMessages, upcoming, notifications } =
    loaderData
  useLiveUpdates(['notifications'])
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
      <h1 className="text-3xl wrap-anywhere md:text-4xl">Welcome, {name}</h1>
      {emailVerified ? null : <UnconfirmedEmail email={email} />}
      {desk}
      <Block title="Coming up" more={{ to: href('/my-bookings'), label: 'My Bookings' }}>
        {upcoming.length > 0 ? <UpcomingBookings bookings={upcoming} /> : <NothingBooked />}
      </Block>
      <NewMessages unread={unreadMessages} />
      {notifications.length > 0 ? (
        <Block
          title={unreadCount > 0 ? `Notifications (${unreadCount} unread)` : 'Notifications'}
          more={{ to: href('/notifications'), label: 'All notifications' }}
        >
          <NotificationList notifications={notifications} />
        </Block>
      ) : null}
      <BusinessLink isVendor={isVendor} />
    </div>
  )
}

/** The request to confirm the account's email. */
function UnconfirmedEmail({ email }: { email: string }) {
  return (
    <Banner
      tone="glow"
      title="Confirm your email"
      action={
        <ButtonLink size="small" to={href('/my-profile')}>
          My Profile
        </ButtonLink>
      }
    >
      Follow the link we sent to {email}. Bookings you made with it as a guest will then appear here.
    </Banner>
  )
}

/** Upcoming bookings, and whether each one is approved. */
function UpcomingBookings({ bookings }: { bookings: readonly UpcomingBooking[] }) {
  return (
    <ul className="border-line border-t">
      {bookings.map((booking) => (
        <li
          key={booking.id}
          className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-line border-b py-4"
        >
          <div className="min-w-0">
            <Link to={booking.link} className="py-1 font-semibold hover:underline [overflow-wrap:anywhere]">
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
  )
}

/** The step to a first booking. */
function NothingBooked() {
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-quiet">
        Nothing booked yet. Find a place, and the people who make it a celebration.
      </p>
      <ButtonLink to={href('/venues-vendors')} variant="primary">
        See venues and vendors
      </ButtonLink>
    </div>
  )
}

/** The number of unread messages, with the link to them. */
function NewMessages({ unread }: { unread: number }) {
  return (
    <Block
      title={unread > 0 ? `${MESSAGES_TITLE} (${unread} unread)` : MESSAGES_TITLE}
      more={{ to: href('/messages/:id?'), label: 'All messages' }}
    >
      <p className="text-quiet">
        {unread === 0 ? (
          NO_NEW_MESSAGES
        ) : (
          <Link className="link" to={href('/messages/:id?')}>
            {unread === 1 ? 'Read the new message' : `Read the ${unread} new messages`}
          </Link>
        )}
      </p>
    </Block>
  )
}

/** The vendor's link to their dashboard, and everyone else's to a first listing. */
function BusinessLink({ isVendor }: { isVendor: boolean }) {
  return (
    <Block title={isVendor ? 'Your business' : 'Do you host, cook, play or photograph?'}>
      <div className="grid justify-items-start gap-4">
        <p className="text-quiet">
          {isVendor
            ? 'Listings, bookings and your registration are in your dashboard.'
            : 'List what you offer. It’s free, and every booking is paid up front.'}
        </p>
        <ButtonLink to={isVendor ? href('/dashboard') : href('/addservice')}>
          {isVendor ? 'My Dashboard' : 'List your business'}
        </ButtonLink>
      </div>
    </Block>
  )
}

/** A part of the overview, with the link to its full list. */
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
      <OverviewHeading title={title} link={more} />
      {children}
    </section>
  )
}
