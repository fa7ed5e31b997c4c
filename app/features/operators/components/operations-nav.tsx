import { type KeyboardEvent, useEffect, useRef } from 'react'
import { href, NavLink, useLocation } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Icon } from '../../../ui/icon.tsx'
import './operations-nav.css'

/** One of the operators' screens. `count` is what waits there, and `note` says so to a screen reader: 'to answer'. */
type OperationsScreen = { to: string; label: string; count?: number; note?: string }

/** Screens that belong together. One without others is shown without its group. */
export type OperationsGroup = { label: string; screens: readonly OperationsScreen[] }

/** The operators' screens in groups: each group is a disclosure, so it also opens without scripts. */
export function OperationsNav({ groups }: { groups: readonly OperationsGroup[] }) {
  const nav = useRef<HTMLElement>(null)
  const { pathname, search } = useLocation()
  const close = (but?: Node | null) => {
    for (const open of nav.current?.querySelectorAll<HTMLDetailsElement>('details[open]') ?? [])
      if (!but || !open.contains(but)) open.open = false
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page has changed, so its group closes.
  useEffect(() => close(), [pathname, search])
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => close(target as Node | null)
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  })
  const onKeyDown = ({ key, target }: KeyboardEvent) => {
    if (key !== 'Escape') return
    const open = (target as Element).closest('details[open]')
    close()
    open?.querySelector('summary')?.focus()
  }
  return (
    <nav
      ref={nav}
      aria-label="Operations"
      className="operations-nav"
      onKeyDown={onKeyDown}
      // Tab leads out of an open group: it closes behind the focus.
      onBlur={({ relatedTarget }) => relatedTarget && close(relatedTarget)}
    >
      <ul>
        {groups.map((group) => (
          <li key={group.label}>
            <Group group={group} pathname={pathname} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Group({ group: { label, screens }, pathname }: { group: OperationsGroup; pathname: string }) {
  const [first, ...others] = screens
  if (!first) return null
  if (others.length === 0) return <ScreenLink screen={first} />
  const waiting = screens.filter(({ count = 0 }) => count > 0)
  const current = screens.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  return (
    // Browsers that know the name keep one of these open at a time.
    <details name="operations" className={current ? 'is-current' : undefined}>
      <summary>
        {label}
        {current ? <span className="unseen">, with this page: {current.label}</span> : null}
        {waiting.length > 0 ? (
          <>
            <Badge count={waiting.reduce((sum, { count = 0 }) => sum + count, 0)} />
            <span className="unseen">
              {waiting.map((screen) => `${screen.count} ${screen.note}`).join(', ')}
            </span>
          </>
        ) : null}
        <Icon name="chevron-down" />
      </summary>
      <ul>
        {screens.map((screen) => (
          <li key={screen.to}>
            <ScreenLink screen={screen} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function ScreenLink({ screen: { to, label, count = 0, note } }: { screen: OperationsScreen }) {
  return (
    <NavLink to={to} end={to === href('/operations')}>
      {label}
      {count > 0 ? (
        <>
          <Badge count={count} />
          <span className="unseen">
            {count} {note}
          </span>
        </>
      ) : null}
    </NavLink>
  )
}
