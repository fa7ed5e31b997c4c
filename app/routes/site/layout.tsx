import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { href, isRouteErrorResponse, Outlet, useLocation, useRouteLoaderData } from 'react-router'
import { useLogout } from '../../features/accounts/browser/use-logout.ts'
import { AuthProvider, useAuth } from '../../features/accounts/components/auth-context.tsx'
import { CATEGORIES, CATEGORY_PATHS } from '../../features/businesses/rules.ts'
import { useCart } from '../../features/cart/browser/use-cart.ts'
import type { loader as rootLoader } from '../../root.tsx'
import { LOADING_BOOKINGS, LOADING_TEXT, LOADING_VENDOR_TEXT } from '../../shared/loading-texts.ts'
import { Header } from '../../shell/header.tsx'
import { RouteModuleMissing } from '../../shell/load-route-module.ts'
import { isAccountScreen, isDashboardScreen } from '../../shell/private-screens.ts'
import { SiteLayout } from '../../shell/site-layout.tsx'
import { Banner } from '../../ui/banner.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { setCardControl } from '../../ui/card-control.tsx'
import { isConnectionFailure, sendFailureOf, useArriving } from '../../ui/connection.ts'
import { deferred } from '../../ui/deferred.tsx'
import { useAddressOnScreen } from '../../ui/page-on-screen.ts'
import { PartBoundary } from '../../ui/part-boundary.tsx'
import { LoadingText } from '../../ui/skeleton.tsx'
import { useViewOf } from '../use-view-of.ts'
import type { Route } from './+types/layout'

// Sites without analytics never load it.
const AnalyticsConsent = lazy(async () => {
  try {
    const part = await import('../../features/privacy/components/analytics-consent.tsx')
    return { default: part.AnalyticsConsent }
  } catch {
    // A failure only hides the question; it must not break the page.
    return { default: () => null }
  }
})

const Footer = deferred('footer', async () => (await import('./site-footer.tsx')).SiteFooter)

const Drawer = deferred('drawer', async () => (await import('./site-drawer.tsx')).SiteDrawer)

const ViewBanner = deferred(
  'view-banner',
  async () => (await import('../../features/operators/components/view-banner.tsx')).ViewBanner,
)

const ShortlistLink = deferred(
  'shortlist-link',
  async () => (await import('../../features/shortlists/screens/save-sections.tsx')).ShortlistLink,
)

const SaveButton = deferred(
  'save-button',
  async () => (await import('../../features/shortlists/screens/save-sections.tsx')).SaveButton,
)
setCardControl(SaveButton)

const categoryLinks = CATEGORIES.map((category) => ({
  label: category,
  to: CATEGORY_PATHS[category],
}))

/** The text shown at once while the next page loads (Decision 10); null keeps the current page until then. */
function loadingTextOf(from: string, to: string): string | null {
  if (from === to) return null
  if (to.startsWith(href('/business/:id', { id: '' }))) return LOADING_VENDOR_TEXT
  if (to === href('/dashboard/bookings') && !isDashboardScreen(from)) return LOADING_BOOKINGS
  // Inside the account and the dashboard the frame stays, and their own layouts announce the loading.
  const isPrivate = (path: string) => isAccountScreen(path) || isDashboardScreen(path)
  return isPrivate(to) && !isPrivate(from) ? LOADING_TEXT : null
}

/** The frame of every page: header, footer, sign-in state, and the cover while a page loads. */
export default function Layout() {
  useAddressOnScreen()
  return (
    <AuthProvider>
      <Frame>
        <Outlet />
      </Frame>
    </AuthProvider>
  )
}

const FAILURES = {
  missing: {
    title: 'This page couldn’t be loaded',
    text: 'Check your connection and try again in a minute.',
  },
  bug: {
    title: 'Something went wrong on our side',
    text: 'It wasn’t you. We have a record of it. Please try again in a minute.',
  },
  refused: {
    title: 'That didn’t work',
    text: 'Go back and try again. If it happens again, write to us.',
  },
} as const

/**
 * Shown for a bug, an unavailable dependency, or a page that could not be fetched. The frame stays, so that the visitor
 * can go elsewhere.
 */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const isMissing = error instanceof RouteModuleMissing || isConnectionFailure(error)
  const isRefused = isRouteErrorResponse(error) && error.status < 500
  const failure = FAILURES[isMissing ? 'missing' : isRefused ? 'refused' : 'bug']
  const { title } = failure
  const text = (isRefused && sendFailureOf(error)?.text) || failure.text
  return (
    <AuthProvider>
      <Frame>
        <div className="page section">
          <title>{title}</title>
          <h1>{title}</h1>
          <p className="lede mt-5">{text}</p>
          <ButtonLink to={href('/')} variant="primary" reloadDocument className="mt-8">
            Go to home page
          </ButtonLink>
        </div>
      </Frame>
    </AuthProvider>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const site = useRouteLoaderData<typeof rootLoader>('root')
  const { user, loading, unreadCount } = useAuth()
  const logout = useLogout()
  const { vendors } = useCart()
  const arriving = useArriving()
  const { pathname } = useLocation()
  const [firstPath] = useState(pathname)
  const loadingText = arriving && loadingTextOf(pathname, arriving.location.pathname)
  const viewOf = useViewOf()
  const [inWindow, setInWindow] = useState(false)
  useEffect(() => setInWindow(true), [])
  if (!site) return children
  return (
    <SiteLayout
      banner={
        viewOf ? (
          <ViewBanner brand={site.brand} name={viewOf} />
        ) : site.testPayments ? (
          <aside aria-label="Test payments">
            <Banner strip>Test payments: no real card is charged. Pay with 4242 4242 4242 4242.</Banner>
          </aside>
        ) : null
      }
      header={
        <Header
          brand={site.brand}
          user={user}
          loading={loading}
          unreadCount={unreadCount}
          cartCount={vendors}
          onLogout={logout}
          links={categoryLinks}
          drawer={<Drawer />}
          saved={<ShortlistLink />}
        />
      }
      footer={<Footer site={site} firstPath={firstPath} />}
    >
      {arriving ? <div className="page-progress" aria-hidden="true" /> : null}
      {/* The page being left stays below, so that its pressed picture can morph into the next page's. */}
      <div inert={loadingText !== null}>{children}</div>
      {loadingText ? (
        <div className="loading-cover">
          <LoadingText>{loadingText}</LoadingText>
        </div>
      ) : null}
      {inWindow && site.analytics ? (
        <PartBoundary part="analytics-consent">
          <Suspense>
            <AnalyticsConsent settings={site.analytics} />
          </Suspense>
        </PartBoundary>
      ) : null}
    </SiteLayout>
  )
}
