import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

/** Logs an error that a boundary has caught: a part's (ui/part-boundary.tsx), or a route's. */
function onCaughtError(error: unknown, { errorBoundary }: { errorBoundary?: { props: object } }): void {
  console.error(error)
  const part = (errorBoundary?.props as { part?: string } | undefined)?.part ?? 'page'
  import('./ui/report-error.ts').then(
    ({ reportError }) => reportError(error, part),
    // Offline, nobody can be told.
    () => {},
  )
}

// A newer revalidation aborts an older one. If the older response was half read, React Router (8.4) leaves its promise
// unhandled, and browsers would report the abort as an error of the page.
window.addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof DOMException && event.reason.name === 'AbortError') event.preventDefault()
})

// Back may have left this document before its scripts ran (ui/early-back.ts), or the browser is too old (ui/plain-page.ts).
const { left, plain } = document.documentElement.dataset
if (!left && !plain) {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
      { onCaughtError },
    )
  })
}
