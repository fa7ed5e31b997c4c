import type { ReactNode } from 'react'
import { href, NavLink } from 'react-router'
import { Icon } from '../ui/icon.tsx'
import './side.css'

/** The dashboard's menu: its overview and its three child screens (Specification, section 2). */
export const DASHBOARD_LINKS = [
  { label: 'My Dashboard', to: href('/dashboard'), end: true, icon: 'layout-grid' },
  { label: 'Register Business', to: href('/dashboard/register-business'), end: false, icon: 'file-text' },
  { label: 'My Listings', to: href('/dashboard/list-business'), end: false, icon: 'store' },
  { label: 'Bookings', to: href('/dashboard/bookings'), end: false, icon: 'calendar-check' },
] as const

/**
 * The dashboard's frame: a menu on the left, or up to 768 px a tab bar at the bottom edge, within thumb reach.
 * @param props.note shown under the menu on wide screens, such as the reminder to register
 */
export function DashboardLayout({ note, children }: { note?: ReactNode; children: ReactNode }) {
  return (
    <div className="page with-side">
      <aside className="side wide-only">
        <nav aria-label="Dashboard">
          <ul className="side-links">
            {DASHBOARD_LINKS.map(({ label, to, end, icon }) => (
              <li key={to}>
                <NavLink to={to} end={end}>
                  <Icon name={icon} />
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        {note}
      </aside>
      <div className="with-side-main">{children}</div>
      <nav aria-label="Dashboard" className="tab-bar phone-only">
        {DASHBOARD_LINKS.map(({ label, to, end, icon }) => (
          <NavLink key={to} to={to} end={end}>
            <Icon name={icon} />
            <span>{label}</span>
          </NavLink>
        ))}
      </nav>
    </div>
  )
}
