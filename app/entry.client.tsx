import { type ErrorInfo, StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { href } from 'react-router'
import { HydratedRouter } from 'react-router/dom'
import { describeBrowserError } from './shared/browser-errors.ts'
import { PartBoundary } from './ui/part-boundary.tsx'

const reported = new Set<string>()

/** Reports an error that a boundary has caught: of a part, or of a route. Each is reported once for the document. */
function reportCaught(error: unknown, { errorBoundary }: ErrorInfo & { errorBoundary?: unknown }): void {
  console.error(error)
  const part = errorBoundary instanceof PartBoundary ? errorBoundary.props.part : 'page'
  const { version = 'unknown' } =
    (window as { __reactRouterManifest?: { version?: string } }).__reactRouterManifest ?? {}
  if (reported.has(part)) return
  reported.add(part)
  navigator.sendBeacon(href('/api/browser-error'), describeBrowserError(part, version, error))
}

// A newer revalidation aborts an older one. If the older response was half read, React Router (8.4) leaves its promise
// unhandled, and browsers would report the abort as an error of the page.
window.addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof DOMException && event.reason.name === 'AbortError') event.preventDefault()
})

// Back may have left this document before its scripts ran (ui/early-back.ts).
if (document.documentElement.dataset.left !== 'true') {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
      { onCaughtError: reportCaught },
    )
  })
}
