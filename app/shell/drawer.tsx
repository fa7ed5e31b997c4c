import { Search, X } from 'lucide-react'
import { type FormEvent, useId, useRef, useState } from 'react'
import { Link, NavLink, useNavigate } from 'react-router'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink, IconButton } from '../ui/button.tsx'
import { isBeside, useModal } from '../ui/dialog.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ThemeSwitch } from '../ui/theme-switch.tsx'
import { type HeaderProps, nameOf } from './header-props.ts'
import { Logo } from './logo.tsx'
import { SearchInput } from './search-input.tsx'
import {
  ACCOUNT_LINKS,
  LIST_LINK,
  LOG_IN_LINK,
  LOGOUT_LABEL,
  MAIN_LINKS,
  NOTIFICATIONS_PATH,
  OPERATOR_LINK,
  PAYMENT_LINK,
  SEARCH_PARAMETER,
  SEARCH_PATH,
  SIGN_UP_LINK,
} from './site-links.ts'

export const DRAWER_ID = 'site-drawer'

/** The side drawer of widths up to 768 px: the header's items with a greeting (Specification, section 2). */
export function Drawer({
  open,
  onClose,
  brand,
  user,
  loading,
  unreadCount,
  onLogout,
  links,
}: HeaderProps & { open: boolean; onClose: () => void }) {
  const dialog = useModal(open)
  const close = () => {
    // It may have been opened by the browser itself, before the script knew.
    dialog.current?.close()
    onClose()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, as the browser has it
    <dialog
      ref={dialog}
      id={DRAWER_ID}
      className="drawer"
      aria-label="Menu"
      onClose={onClose}
      onClick={(event) => {
        if (isBeside(event)) close()
        else if ((event.target as Element).closest('a')) close()
      }}
    >
      <div className="drawer-head">
        {user ? (
          <>
            <Avatar name={nameOf(user)} url={user.avatarUrl} size={48} />
            <p className="drawer-greeting">Welcome, {nameOf(user)}</p>
          </>
        ) : (
          <Logo brand={brand} />
        )}
        <IconButton label="Close menu" onClick={close}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      {loading ? (
        <>
          <Skeleton height={48} />
          <noscript>
            <ButtonLink to={LOG_IN_LINK.to}>{LOG_IN_LINK.label}</ButtonLink>
          </noscript>
        </>
      ) : user ? (
        <nav aria-label="Account">
          <ul className="drawer-links">
            {[...ACCOUNT_LINKS, ...(user.isOperator ? [OPERATOR_LINK] : [])].map((link) => (
              <li key={link.to}>
                <NavLink to={link.to}>
                  {link.label}
                  {link.to === NOTIFICATIONS_PATH && unreadCount > 0 ? (
                    <>
                      <Badge count={unreadCount} />
                      <span className="unseen">{unreadCount} unread</span>
                    </>
                  ) : null}
                </NavLink>
              </li>
            ))}
            <li>
              <button
                type="button"
                onClick={() => {
                  close()
                  onLogout()
                }}
              >
                {LOGOUT_LABEL}
              </button>
            </li>
          </ul>
        </nav>
      ) : (
        <div className="drawer-session">
          <ButtonLink to={LOG_IN_LINK.to}>{LOG_IN_LINK.label}</ButtonLink>
          <ButtonLink to={SIGN_UP_LINK.to} variant="brand">
            {SIGN_UP_LINK.label}
          </ButtonLink>
        </div>
      )}
      <DrawerSearch onSent={close} />
      <nav aria-label="Categories" className="drawer-part">
        <h2>Find for your day</h2>
        <ul className="drawer-categories">
          {links.map((link) => (
            <li key={link.to}>
              <NavLink to={link.to}>{link.label}</NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label="More" className="drawer-part">
        <ul className="drawer-links">
          {[...MAIN_LINKS, LIST_LINK, PAYMENT_LINK].map((link) => (
            <li key={link.label}>
              <Link to={link.to}>{link.label}</Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="drawer-foot">
        <ThemeSwitch name="drawer-theme" />
      </div>
    </dialog>
  )
}

/** The header's search box again, with room for what is suggested. */
function DrawerSearch({ onSent }: { onSent: () => void }) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const query = text.trim()
    if (!query) return input.current?.focus()
    onSent()
    void navigate(`${SEARCH_PATH}?${new URLSearchParams({ [SEARCH_PARAMETER]: query })}`)
  }
  return (
    <search className="drawer-search">
      <form method="get" action={SEARCH_PATH} onSubmit={submit}>
        <label className="unseen" htmlFor={id}>
          Search venues and vendors
        </label>
        <SearchInput input={input} id={id} text={text} onText={setText} />
        <button type="submit" className="icon-button" aria-label="Search">
          <Search aria-hidden="true" />
        </button>
      </form>
    </search>
  )
}
