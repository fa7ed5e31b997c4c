import type { ReactNode } from 'react'
import { href, Link, useLocation } from 'react-router'
import { Icon } from '../ui/icon.tsx'
import './side.css'

/** The dashboard's menu: its overview and its three child screens (Specification, section 2). */
export const DASHBOARD_LINKS = [
  { label: 'My Dashboard', to: href('/dashboard'), icon: 'layout-grid' },
  { label: 'Register Business', to: href('/dashboard/register-business'), icon: 'file-text' },
  { label: 'My Listings', to: href('/dashboard/list-business'), icon: 'store' },
  { label: 'Bookings', to: href('/dashboard/bookings'), icon: 'calendar-check' },
] as const

/** The screens of the tabs on Bookings (`bookings-tabs.tsx`), which have no entry of their own in the menu. */
const UNDER_BOOKINGS = [
  href('/dashboard/inbox/:id?'),
  href('/dashboard/calendar'),
  href('/dashboard/availability'),
  href('/dashboard/payouts'),
]

/**
 * How a link of the menu marks the shown screen: as itself, or as the part that it belongs to.
 * @returns the value of `aria-current`; undefined for other parts
 */
function useCurrent(): (to: string) => 'page' | 'true' | undefined {
  const path = useLocation().pathname.replace(/\/$/, '')
  const isIn = (part: string) => path === part || path.startsWith(`${part}/`)
  return (to) => {
    if (path === to) return 'page'
    if (to === href('/dashboard')) return undefined
    return isIn(to) || (to === href('/dashboard/bookings') && UNDER_BOOKINGS.some(isIn)) ? 'true' : undefined
  }
}

/**
 * The dashboard's frame: a menu on the left, or up to 768 px a tab bar at the bottom edge, within thumb reach.
 * @param props.note shown under the menu on wide screens, such as the reminder to register
 */
export function DashboardLayout({ note, children }: { note?: ReactNode; children: ReactNode }) {
  const current = useCurrent()
  return (
    <div className="page with-side">
      <aside className="side wide-only">
        <nav aria-label="Dashboard">
          <ul className="side-links">
            {DASHBOARD_LINKS.map(({ label, to, icon }) => (
              <li key={to}>
                <Link to={to} aria-current={current(to)}>
                  <Icon name={icon} />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {note}
      </aside>
      <div className="with-side-main">{children}</div>
      <nav aria-label="Dashboard" className="tab-bar phone-only">
        {DASHBOARD_LINKS.map(({ label, to, icon }) => (
          <Link key={to} to={to} aria-current={current(to)}>
            <Icon name={icon} />
            <span>{label}</span>
          </Link>
        ))}
      </nav>
    </div>
  )
}
