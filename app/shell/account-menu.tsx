import { type KeyboardEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Icon } from '../ui/icon.tsx'
import { hasPopovers } from '../ui/popover.ts'
import { type HeaderUser, nameOf } from './header-props.ts'
import { placeUnderHeader } from './place-under-header.ts'
import { ACCOUNT_LINKS, LOGOUT_LABEL, NOTIFICATIONS_PATH, OPERATOR_LINK } from './site-links.ts'

const ACCOUNT_MENU_ID = 'account-menu'

/** The avatar's menu. Escape and a press outside close it; arrow keys, Home and End move within it. */
export function AccountMenu({
  user,
  unreadCount,
  onLogout,
}: {
  user: HeaderUser
  unreadCount: number
  onLogout: () => void
}) {
  const menu = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const name = nameOf(user)
  const close = () => (menu.current?.hidePopover ? menu.current.hidePopover() : setOpen(false))

  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const target = {
      ArrowDown: all[(at + 1) % all.length],
      ArrowUp: all[(at <= 0 ? all.length : at) - 1],
      Home: all[0],
      End: all.at(-1),
    }[event.key]
    if (event.key === 'Tab') close()
    if (!target) return
    event.preventDefault()
    target.focus()
  }
  return (
    <>
      <button
        type="button"
        className="avatar-button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={ACCOUNT_MENU_ID}
        popoverTarget={ACCOUNT_MENU_ID}
        onClick={() => hasPopovers() || setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          if (menu.current?.showPopover) menu.current.showPopover()
          else setOpen(true)
          const all = items()
          ;(event.key === 'ArrowDown' ? all[0] : all.at(-1))?.focus()
        }}
      >
        <Avatar name={name} url={user.avatarUrl} />
        <span className="unseen">Account of </span>
        <span className="avatar-name">{name}</span>
        {unreadCount > 0 ? (
          <>
            <span className="dot" />
            <span className="unseen">, {unreadCount} unread</span>
          </>
        ) : null}
        <Icon name="chevron-down" />
      </button>
      <div
        ref={menu}
        id={ACCOUNT_MENU_ID}
        popover="auto"
        role="menu"
        aria-label="Account"
        className="menu"
        data-open={open}
        onKeyDown={onKeyDown}
        onBeforeToggle={(event) => {
          placeUnderHeader(event.currentTarget)
          setOpen(event.newState === 'open')
        }}
        onToggle={(event) => {
          if (event.newState !== 'open' || menu.current?.contains(document.activeElement)) return
          items()[0]?.focus()
        }}
      >
        <MenuItems isOperator={user.isOperator} unreadCount={unreadCount} close={close} onLogout={onLogout} />
      </div>
    </>
  )
}

function MenuItems({
  isOperator,
  unreadCount,
  close,
  onLogout,
}: {
  isOperator: boolean
  unreadCount: number
  close: () => void
  onLogout: () => void
}) {
  return (
    <>
      {[...ACCOUNT_LINKS, ...(isOperator ? [OPERATOR_LINK] : [])].map((link) => (
        <Link key={link.to} to={link.to} role="menuitem" tabIndex={-1} onClick={close}>
          {link.label}
          {link.to === NOTIFICATIONS_PATH && unreadCount > 0 ? (
            <>
              <Badge count={unreadCount} />
              <span className="unseen">{unreadCount} unread</span>
            </>
          ) : null}
        </Link>
      ))}
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        className="menu-last"
        onClick={() => {
          close()
          onLogout()
        }}
      >
        {LOGOUT_LABEL}
        <Icon name="log-out" />
      </button>
    </>
  )
}
