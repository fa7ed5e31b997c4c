import { type ReactNode, useRef } from 'react'
import { href, Link, useLocation, useRouteLoaderData } from 'react-router'
import { useAuth } from '../features/accounts/components/auth-context.tsx'
import { Badge } from '../ui/badge.tsx'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icon-names.ts'
import { useLightDismiss } from '../ui/use-light-dismiss.ts'
import './side.css'

const TODAY = href('/dashboard')
const INBOX = href('/dashboard/inbox/:id?')
const CALENDAR = href('/dashboard/calendar')
const AVAILABILITY = href('/dashboard/availability')
const PAYOUTS = href('/dashboard/payouts')
const REGISTER = href('/dashboard/register-business')
const LISTINGS = href('/dashboard/list-business')
const BOOKINGS = href('/dashboard/bookings')

type MenuLink = {
  label: string
  to: string
  icon: IconName
  /** The count beside it, as a badge and in words: '3 unread'. */
  count?: { number: number; word: string }
}

/** The dashboard's menu: its overview and its three child screens (Specification, section 2). */
const SPECIFIED: readonly MenuLink[] = [
  { label: 'My Dashboard', to: TODAY, icon: 'layout-grid' },
  { label: 'Register Business', to: REGISTER, icon: 'file-text' },
  { label: 'My Listings', to: LISTINGS, icon: 'store' },
  { label: 'Bookings', to: BOOKINGS, icon: 'calendar-check' },
]

/** The screens of every day. They stand below the specified menu, whose items are fixed, and in a phone's bar. */
function useEveryday(hasTax: boolean) {
  // Undefined where the whole page failed.
  const hasPayouts = useRouteLoaderData<{ hasPayouts: boolean }>('root')?.hasPayouts
  const { unreadMessages, waiting = 0 } = useAuth()
  const inbox: MenuLink = {
    label: 'Inbox',
    to: INBOX,
    icon: 'messages-square',
    count: { number: unreadMessages?.vendor ?? 0, word: 'unread' },
  }
  const calendar: MenuLink = { label: 'Calendar', to: CALENDAR, icon: 'calendar-days' }
  const availability: MenuLink = { label: 'Availability', to: AVAILABILITY, icon: 'clock' }
  const payouts: readonly MenuLink[] = hasPayouts
    ? [{ label: 'Payouts', to: PAYOUTS, icon: 'wallet' }]
    : hasTax
      ? [{ label: 'Tax', to: PAYOUTS, icon: 'file-text' }]
      : []
  const today: MenuLink = {
    label: 'Today',
    to: TODAY,
    icon: 'layout-grid',
    count: { number: waiting, word: 'waiting' },
  }
  const [, register, listings, bookings] = SPECIFIED
  return {
    waiting,
    side: [inbox, calendar, availability, ...payouts],
    bar: [today, inbox, calendar, ...payouts],
    more: [bookings, availability, listings, register].filter((link) => link !== undefined),
  }
}

/**
 * How a link of the menu marks the shown screen: as itself, or as the part that it belongs to.
 * @returns the value of `aria-current`; undefined for other parts
 */
function useCurrent(): (to: string) => 'page' | 'true' | undefined {
  const path = useLocation().pathname.replace(/\/$/, '')
  return (to) => {
    if (path === to) return 'page'
    return to !== TODAY && path.startsWith(`${to}/`) ? 'true' : undefined
  }
}

/** The screens that show one business, which a link from one to another keeps. */
const OF_ONE_BUSINESS: readonly string[] = [BOOKINGS, CALENDAR, AVAILABILITY, INBOX]

/** Returns the address of a link: with the business that the shown screen is about, if it is about one. */
function useAddress(): (to: string) => string {
  const { pathname, search } = useLocation()
  const business = OF_ONE_BUSINESS.includes(pathname) ? new URLSearchParams(search).get('business') : null
  return (to) =>
    business && OF_ONE_BUSINESS.includes(to) ? `${to}?${new URLSearchParams({ business })}` : to
}

/**
 * The dashboard's frame: a menu on the left, or up to 768 px a bar at the bottom edge, within thumb reach.
 * @param props.note shown under the menu on wide screens, such as the reminder to register
 */
export function DashboardLayout({
  note,
  hasTax = false,
  children,
}: {
  note?: ReactNode
  /** Whether the vendor has tax documents, which have a screen of their own without payouts. */
  hasTax?: boolean
  children: ReactNode
}) {
  const current = useCurrent()
  const address = useAddress()
  const { waiting, side, bar, more } = useEveryday(hasTax)
  return (
    <div className="page with-side">
      <aside className="side wide-only">
        <nav aria-label="Dashboard">
          <ul className="side-links">
            {SPECIFIED.map((link) => (
              <li key={link.to}>
                <MenuItem {...link} current={current(link.to)} />
                {/* Beside the link, whose text is the specification's. */}
                {link.to === TODAY && waiting > 0 ? (
                  <span className="side-count">
                    <Badge count={waiting} />
                    <span className="unseen">{waiting} waiting</span>
                  </span>
                ) : null}
              </li>
            ))}
          </ul>
        </nav>
        <nav aria-labelledby="every-day">
          <p id="every-day" className="side-heading">
            Every day
          </p>
          <ul className="side-links">
            {side.map((link) => (
              <li key={link.to}>
                <MenuItem {...link} to={address(link.to)} current={current(link.to)} />
              </li>
            ))}
          </ul>
        </nav>
        {note}
      </aside>
      <div className="with-side-main">{children}</div>
      <nav aria-label="Dashboard" className="tab-bar phone-only">
        {bar.map((link) => (
          <MenuItem key={link.to} {...link} to={address(link.to)} current={current(link.to)} />
        ))}
        <More links={more} current={current} address={address} />
      </nav>
    </div>
  )
}

/** A link of the menu, with its count. */
function MenuItem({ label, to, icon, count, current }: MenuLink & { current: 'page' | 'true' | undefined }) {
  return (
    <Link to={to} aria-current={current}>
      <Icon name={icon} />
      <span>{label}</span>
      {count && count.number > 0 ? (
        <>
          <Badge count={count.number} />
          <span className="unseen">
            {count.number} {count.word}
          </span>
        </>
      ) : null}
    </Link>
  )
}

/** The rest of the menu behind the bar's last item. It opens without scripts, and closes when its screen is left. */
function More({
  links,
  current,
  address,
}: {
  links: readonly MenuLink[]
  current: ReturnType<typeof useCurrent>
  address: ReturnType<typeof useAddress>
}) {
  const { key } = useLocation()
  const details = useRef<HTMLDetailsElement>(null)
  useLightDismiss(details)
  const isHere = links.some(({ to }) => current(to))
  return (
    <details ref={details} key={key} className="tab-more">
      <summary aria-current={isHere ? 'true' : undefined}>
        <Icon name="circle-ellipsis" />
        <span>More</span>
      </summary>
      <ul className="side-links">
        {links.map((link) => (
          <li key={link.to}>
            <MenuItem {...link} to={address(link.to)} current={current(link.to)} />
          </li>
        ))}
      </ul>
    </details>
  )
}
