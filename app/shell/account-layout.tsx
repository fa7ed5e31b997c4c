import { type ReactNode, useEffect, useRef } from 'react'
import { href, NavLink, useLocation } from 'react-router'
import { Badge } from '../ui/badge.tsx'
import { Icon } from '../ui/icon.tsx'
import { NOTIFICATIONS_PATH } from './site-links.ts'
import './side.css'

const MESSAGES_PATH = href('/messages/:id?')

const LINKS = [
  { label: 'Overview', to: href('/userdashboard/user'), icon: 'users-round' },
  { label: 'My Profile', to: href('/my-profile'), icon: 'user-round' },
  { label: 'My Bookings', to: href('/my-bookings'), icon: 'calendar-heart' },
  { label: 'Messages', to: MESSAGES_PATH, icon: 'messages-square' },
  { label: 'Notifications', to: NOTIFICATIONS_PATH, icon: 'bell' },
  { label: 'Settings & Privacy', to: href('/settings-privacy'), icon: 'shield-check' },
] as const

/** The frame of account screens: links on the left, or on a phone a scrolling row under the header. */
export function AccountLayout({
  unreadCount = 0,
  unreadMessages = 0,
  children,
}: {
  unreadCount?: number
  unreadMessages?: number
  children: ReactNode
}) {
  const counts: Readonly<Record<string, number>> = {
    [NOTIFICATIONS_PATH]: unreadCount,
    [MESSAGES_PATH]: unreadMessages,
  }
  const row = useRef<HTMLUListElement>(null)
  const { pathname } = useLocation()
  const [hasUnread, hasMessages] = [unreadCount > 0, unreadMessages > 0]
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is a trigger, and counts widen the row when they arrive
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (!row.current || !current) return
    row.current.scrollLeft = current.offsetLeft - (row.current.clientWidth - current.offsetWidth) / 2
  }, [pathname, hasUnread, hasMessages])
  return (
    <div className="page with-side">
      <aside className="side">
        <nav aria-label="Account">
          <ul ref={row} className="side-links side-links-row">
            {LINKS.map(({ label, to, icon }) => (
              <li key={to}>
                <NavLink to={to}>
                  <Icon name={icon} />
                  {label}
                  {counts[to] ? (
                    <>
                      <Badge count={counts[to]} />
                      <span className="unseen">{counts[to]} unread</span>
                    </>
                  ) : null}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
      </aside>
      <div className="with-side-main">{children}</div>
    </div>
  )
}
