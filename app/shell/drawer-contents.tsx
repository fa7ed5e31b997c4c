import { type FormEvent, useId, useRef, useState } from 'react'
import { NavLink, useLocation, useNavigate } from 'react-router'
import { SearchInput } from '../features/search/components/search-input.tsx'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ThemeSwitch } from '../ui/theme-switch.tsx'
import type { HeaderProps } from './header-props.ts'
import { LinkList } from './link-list.tsx'
import {
  ACCOUNT_LINKS,
  DASHBOARD_LINK,
  LIST_LINK,
  LOG_IN_LINK,
  LOGOUT_LABEL,
  MAIN_LINKS,
  NEW_LISTING_LINK,
  NOTIFICATIONS_PATH,
  OPERATOR_LINK,
  PAYMENT_LINK,
  SEARCH_PARAMETER,
  SEARCH_PATH,
  SEARCH_PLACEHOLDER,
  SHORTLIST_LINK,
  SIGN_UP_LINK,
} from './site-links.ts'

/** The drawer's content, below its header. */
export function DrawerContents({
  user,
  loading,
  unreadCount,
  onLogout,
  links,
}: Omit<HeaderProps, 'brand' | 'cartCount'>) {
  const { pathname } = useLocation()
  return (
    <>
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
              <button type="button" data-closes="" onClick={onLogout}>
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
      <DrawerSearch />
      <nav aria-label="Categories" className="drawer-part">
        <h2>Plan your day</h2>
        <LinkList className="drawer-categories" links={links} path={pathname} />
      </nav>
      <nav aria-label="More" className="drawer-part">
        <LinkList
          className="drawer-links"
          links={[
            ...MAIN_LINKS,
            SHORTLIST_LINK,
            user ? NEW_LISTING_LINK : LIST_LINK,
            DASHBOARD_LINK,
            PAYMENT_LINK,
          ]}
        />
      </nav>
      <div className="drawer-foot">
        <ThemeSwitch name="drawer-theme" />
      </div>
    </>
  )
}

/** The header's search box again, with room for suggestions. */
function DrawerSearch() {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const query = text.trim()
    if (!query) return input.current?.focus()
    event.currentTarget.closest('dialog')?.close()
    void navigate(`${SEARCH_PATH}?${new URLSearchParams({ [SEARCH_PARAMETER]: query })}`)
  }
  return (
    <search className="drawer-search">
      <form method="get" action={SEARCH_PATH} onSubmit={submit}>
        <label className="unseen" htmlFor={id}>
          Search venues and vendors
        </label>
        <SearchInput input={input} id={id} text={text} onText={setText} placeholder={SEARCH_PLACEHOLDER} />
        <button type="submit" className="icon-button" aria-label="Search">
          <Icon name="search" />
        </button>
      </form>
    </search>
  )
}
