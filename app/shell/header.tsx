import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { href, useLocation, useNavigate } from 'react-router'
import { SearchInput } from '../features/search/components/search-input.tsx'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink, IconButton } from '../ui/button.tsx'
import { deferred } from '../ui/deferred.tsx'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { hasPopovers, openPopovers } from '../ui/popover.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { DRAWER_ID, Drawer } from './drawer.tsx'
import type { HeaderProps } from './header-props.ts'
import { HEADER_SHOWN, nextHeaderVisibility } from './header-visibility.ts'
import { LinkList, leadsTo } from './link-list.tsx'
import { Logo } from './logo.tsx'
import { placeUnderHeader } from './place-under-header.ts'
import {
  DASHBOARD_LINK,
  LIST_LINK,
  LOG_IN_LINK,
  MAIN_LINKS,
  NEW_LISTING_LINK,
  PAYMENT_LINK,
  SEARCH_PARAMETER,
  SEARCH_PATH,
  SEARCH_PLACEHOLDER,
  SIGN_UP_LINK,
  type SiteLink,
} from './site-links.ts'

const waiting = <Skeleton width="100%" height={44} />

// Signed-out visitors never load it.
const AccountMenu = deferred(
  'account-menu',
  async () => (await import('./account-menu.tsx')).AccountMenu,
  waiting,
)

/** The header of every page: logo, main links, search, cart and account. On a phone, its menu opens the drawer. */
export function Header(props: HeaderProps & { drawer: ReactNode; saved: ReactNode }) {
  const { brand, user, loading, cartCount, links, drawer } = props
  const listLink = user ? NEW_LISTING_LINK : LIST_LINK
  const root = useRef<HTMLElement>(null)
  const [searchOpen, setSearchOpen] = useState(false)
  const [drawerOpen, setDrawerOpen] = useState(false)
  const hidden = useHiddenOnScroll(root)
  const { pathname } = useLocation()
  useOnNavigation(() => {
    setSearchOpen(false)
    setDrawerOpen(false)
    closePopovers(root.current)
  })

  return (
    <header ref={root} className="site-header" data-hidden={hidden} data-searching={searchOpen}>
      <div className="page site-header-row">
        <Link to={href('/')} className="logo-link" aria-label={`${brand}, home`}>
          <Logo brand={brand} />
        </Link>
        <nav aria-label="Main" className="site-nav">
          <CategoriesMenu links={links} listLink={listLink} path={pathname} />
          {MAIN_LINKS.map((link) => (
            <Link key={link.to} to={link.to} aria-current={leadsTo(pathname, link.to) ? 'page' : undefined}>
              {link.label}
            </Link>
          ))}
        </nav>
        <div className="site-tools">
          <HeaderSearch open={searchOpen} onOpen={setSearchOpen} />
          {props.saved}
          <Link
            to={href('/cart')}
            className="icon-button"
            aria-label={cartCount === 1 ? 'Cart, 1 vendor' : `Cart, ${cartCount} vendors`}
          >
            <Icon name="shopping-bag" />
            <Badge count={cartCount} />
          </Link>
          <Link to={listLink.to} className="site-list-link">
            {listLink.label}
          </Link>
          <div className="site-session" aria-busy={loading}>
            <Session {...props} />
          </div>
          <MenuButton
            hasNews={user !== null && props.unreadCount > 0}
            drawerOpen={drawerOpen}
            onOpen={() => setDrawerOpen(true)}
          />
        </div>
      </div>
      <Drawer brand={brand} user={user} open={drawerOpen} onClose={() => setDrawerOpen(false)}>
        {drawer}
      </Drawer>
    </header>
  )
}

/** The visitor's side of the header: their account, or the links to log in and sign up. */
function Session({ loading, user, unreadCount, onLogout }: HeaderProps) {
  if (loading)
    return (
      <>
        {waiting}
        <noscript>
          <ButtonLink to={LOG_IN_LINK.to} variant="quiet" size="small">
            {LOG_IN_LINK.label}
          </ButtonLink>
        </noscript>
      </>
    )
  if (user) return <AccountMenu user={user} unreadCount={unreadCount} onLogout={onLogout} />
  return (
    <>
      <ButtonLink to={LOG_IN_LINK.to} variant="quiet" size="small">
        {LOG_IN_LINK.label}
      </ButtonLink>
      <ButtonLink to={SIGN_UP_LINK.to} variant="brand" size="small">
        {SIGN_UP_LINK.label}
      </ButtonLink>
    </>
  )
}

/** The button of the drawer on a phone, with a dot for unread notifications. */
function MenuButton({
  hasNews,
  drawerOpen,
  onOpen,
}: {
  hasNews: boolean
  drawerOpen: boolean
  onOpen: () => void
}) {
  return (
    <IconButton
      label="Open menu"
      className="site-menu-button"
      aria-haspopup="dialog"
      aria-expanded={drawerOpen}
      aria-controls={DRAWER_ID}
      onClick={(event) => {
        // While the script is loading, the browser opens the drawer through the command below.
        event.preventDefault()
        onOpen()
      }}
      {...{ command: 'show-modal', commandfor: DRAWER_ID }}
    >
      <Icon name="menu" />
      {hasNews ? <span className="dot" /> : null}
    </IconButton>
  )
}

/** Calls back after every navigation. */
function useOnNavigation(then: () => void) {
  const { pathname, search, hash } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is the trigger, not an input
  useEffect(then, [pathname, search, hash])
}

function closePopovers(header: HTMLElement | null): void {
  for (const popover of openPopovers(header)) popover.hidePopover()
}

/** Hides the header by the scroll position, but never while something in it is open or focused. */
function useHiddenOnScroll(root: React.RefObject<HTMLElement | null>): boolean {
  const [hidden, setHidden] = useState(false)
  useEffect(() => {
    let state = { ...HEADER_SHOWN, anchorPx: window.scrollY }
    const onScroll = () => {
      const furthest = document.documentElement.scrollHeight - window.innerHeight
      state = nextHeaderVisibility(state, window.scrollY, furthest)
      const header = root.current
      const inUse =
        openPopovers(header).length > 0 ||
        header?.querySelector('dialog[open], [popover][data-open="true"], :focus-visible') ||
        header?.dataset.searching === 'true'
      const isHidden = state.hidden && !inUse
      setHidden(isHidden)
      // Read by elements that stick under the header.
      document.documentElement.dataset.header = isHidden ? 'hidden' : 'shown'
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => window.removeEventListener('scroll', onScroll)
  }, [root])
  return hidden
}

/**
 * The eight categories, in a sheet under the header. A native popover: it opens without a script, and Escape closes it.
 */
function CategoriesMenu({
  links,
  listLink,
  path,
}: {
  links: readonly SiteLink[]
  listLink: SiteLink
  path: string
}) {
  const id = 'categories-menu'
  const [open, setOpen] = useState(false)
  useOnNavigation(() => setOpen(false))
  return (
    <>
      <button
        type="button"
        className="site-nav-item"
        popoverTarget={id}
        aria-expanded={open}
        onClick={() => hasPopovers() || setOpen(!open)}
      >
        Categories
        <Icon name="chevron-down" />
      </button>
      <div
        id={id}
        popover="auto"
        className="sheet"
        data-open={open}
        onBeforeToggle={(event) => {
          placeUnderHeader(event.currentTarget)
          setOpen(event.newState === 'open')
        }}
      >
        <LinkList className="page sheet-links" links={links} path={path} />
        <LinkList
          className="page sheet-foot"
          links={[listLink, DASHBOARD_LINK, PAYMENT_LINK]}
          linkClass="link"
        />
      </div>
    </>
  )
}

/**
 * The search box. Enter opens the list with the query (Decision 9); suggestions appear during typing. Without a script,
 * the form is always in the page and opens on focus.
 */
function HeaderSearch({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const navigate = useNavigate()
  const inputId = useId()

  useEffect(() => {
    if (!open) return
    input.current?.focus()
    const closeOutside = (event: PointerEvent) => {
      if (!form.current?.contains(event.target as Node)) onOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [open, onOpen])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!open) return onOpen(true)
    const query = text.trim()
    if (!query) return onOpen(false)
    onOpen(false)
    navigate(`${SEARCH_PATH}?${new URLSearchParams({ [SEARCH_PARAMETER]: query })}`)
  }
  return (
    <search className="site-search-place">
      <form
        ref={form}
        className="site-search"
        data-open={open}
        method="get"
        action={SEARCH_PATH}
        onSubmit={submit}
        onBlur={(event) => {
          const next = event.relatedTarget
          if (next && !event.currentTarget.contains(next)) onOpen(false)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !open) return
          onOpen(false)
          form.current?.querySelector('button')?.focus()
        }}
      >
        <button
          type="submit"
          className="icon-button"
          aria-label={open ? 'Search' : 'Open search'}
          aria-expanded={open}
          aria-controls={inputId}
        >
          <Icon name="search" />
        </button>
        <label className="unseen" htmlFor={inputId}>
          Search venues and vendors
        </label>
        <SearchInput
          input={input}
          id={inputId}
          text={text}
          onText={setText}
          placeholder={SEARCH_PLACEHOLDER}
          onFocus={() => onOpen(true)}
        />
        {open ? (
          <IconButton
            label="Close search"
            onClick={() => {
              onOpen(false)
              form.current?.querySelector('button')?.focus()
            }}
          >
            <Icon name="x" />
          </IconButton>
        ) : null}
      </form>
    </search>
  )
}
