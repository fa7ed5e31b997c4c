import figtreeLatin from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import { type ReactNode, use, useEffect } from 'react'
import { href, isRouteErrorResponse, Links, Meta, Outlet, Scripts } from 'react-router'
import type { Route } from './+types/root'
import type { HostedSettings } from './adapters/accounts/browser-port.ts'
import type { Config } from './config.server.ts'
import { HostedSignIn } from './features/accounts/browser/use-hosted-session.ts'
import { operatorViewContext, servicesContext } from './request-context.server.ts'
import { keepPage } from './shell/keep-page.ts'
import { ScriptMark } from './shell/script-mark.ts'
import { StructuredDataScripts } from './shell/structured-data.tsx'
import { UnlistedTag } from './shell/unlisted.tsx'
import { ZOD_SCRIPT } from './shell/zod-without-eval.ts'
import styles from './styles/app.css?url'
import fraunces from './styles/fonts/fraunces-soft-latin.woff2?url'
import { ButtonLink } from './ui/button.tsx'
import { isConnectionFailure } from './ui/connection.ts'
import { ConnectionNotice } from './ui/connection-notice.tsx'
import { deferred } from './ui/deferred.tsx'
import { DialogProvider } from './ui/dialog.tsx'
import { EARLY_BACK_SCRIPT } from './ui/early-back.ts'
import { EmptyState } from './ui/empty-state.tsx'
import { INSTALL_SCRIPT } from './ui/install-offer.ts'
import { PLAIN_PAGE_SCRIPT } from './ui/plain-page.ts'
import { forgetDocumentReload, RELOAD_SCRIPT } from './ui/reload-once.ts'
import { ScrollPosition } from './ui/scroll-position.tsx'
import { THEME_COLOURS, THEME_SCRIPT } from './ui/theme.ts'

const ToastRegion = deferred(
  'toasts',
  async () => (await import('./ui/toast-region.tsx')).ToastRegion,
  null,
  'ToastRegion',
)

export const links: Route.LinksFunction = () => [
  { rel: 'preload', href: figtreeLatin, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'preload', href: fraunces, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'stylesheet', href: styles },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
]

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepPage]

/** Returns the settings that every page shows. */
export function loader({ context }: Route.LoaderArgs) {
  const { config, now } = context.get(servicesContext)
  const view = context.get(operatorViewContext)
  return {
    brand: config.brand,
    publicOrigin: config.publicUrl.origin,
    contact: config.contact,
    social: config.social,
    hasPayouts: config.payouts.provider !== 'off',
    testPayments: config.payments.provider === 'sandbox',
    hostedSignIn: hostedSettings(config),
    analytics: config.firebase?.measurementId
      ? { ...config.firebase, measurementId: config.firebase.measurementId }
      : null,
    year: now().getFullYear(),
    ...(view ? { viewOf: view.name } : {}),
  }
}

/** The browser's settings for a hosted sign-in service; null when our own server signs people in. */
function hostedSettings({ accounts, firebase }: Config): HostedSettings | null {
  if (accounts.provider !== 'firebase' || !firebase) return null
  const { apiKey, authDomain, projectId, appId } = firebase
  return { apiKey, authDomain, projectId, appId, emulatorUrl: accounts.emulatorUrl }
}

/** The settings don't change while a page is open. */
export const shouldRevalidate = () => false

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en-AU" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <HeadScripts />
        <AppTags />
        <Meta />
        <UnlistedTag />
        <StructuredDataScripts />
        <Links />
      </head>
      <body>
        {children}
        <ScrollPosition />
        <Scripts />
      </body>
    </html>
  )
}

/**
 * The scripts that run before the first paint, and before the scripts they watch. The server writes them and the document
 * keeps them, so the browser's bundle goes without their text.
 */
const HEAD_SCRIPTS = import.meta.env.SSR
  ? [PLAIN_PAGE_SCRIPT, THEME_SCRIPT, RELOAD_SCRIPT, EARLY_BACK_SCRIPT, INSTALL_SCRIPT, ZOD_SCRIPT]
  : ['', '', '', '', '', '']

function HeadScripts() {
  const mark = use(ScriptMark)
  return HEAD_SCRIPTS.map((code, at) => (
    <script
      // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
      key={at}
      nonce={mark}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: constants of ours
      dangerouslySetInnerHTML={{ __html: code }}
    />
  ))
}

/**
 * The tags of an installed app, and the colours of the browser's bars. The server writes them and the document keeps them,
 * like the scripts above.
 */
function AppTags() {
  if (!import.meta.env.SSR) return null
  return (
    <>
      <meta name="theme-color" media="(prefers-color-scheme: light)" content={THEME_COLOURS.light} />
      <meta name="theme-color" media="(prefers-color-scheme: dark)" content={THEME_COLOURS.dark} />
      <link rel="manifest" href={href('/manifest.webmanifest')} />
      <link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />
    </>
  )
}

export default function Root({ loaderData }: Route.ComponentProps) {
  // Text typed before this point would be lost in a controlled field, which matters for tests and slow phones.
  useEffect(() => {
    document.documentElement.dataset.ready = 'true'
    forgetDocumentReload()
  }, [])
  return (
    <DialogProvider>
      <HostedSignIn value={loaderData.hostedSignIn}>
        <Outlet />
      </HostedSignIn>
      <ConnectionNotice />
      <ToastRegion />
    </DialogProvider>
  )
}

const NOT_FOUND = { title: 'This page isn’t here', text: 'The address may be old or mistyped.' }
const UNREACHABLE = {
  title: 'This page couldn’t be loaded',
  text: 'Check your connection and try again in a minute.',
}
const BROKEN = {
  title: 'Something went wrong on our side',
  text: 'It wasn’t you. We have a record of it. Please try again in a minute.',
}

/** Shows errors that no page's own boundary catches: a bug, or an unavailable dependency. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const status = isRouteErrorResponse(error) ? error.status : 500
  const { title, text } = status === 404 ? NOT_FOUND : isConnectionFailure(error) ? UNREACHABLE : BROKEN
  return (
    <main className="page">
      <title>{title}</title>
      <EmptyState
        heading="h1"
        title={title}
        text={text}
        action={
          <ButtonLink to={href('/')} variant="primary" reloadDocument>
            Go to home page
          </ButtonLink>
        }
      />
    </main>
  )
}
