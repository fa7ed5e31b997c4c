import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { isHarmlessRejection } from './ui/harmless-rejection.ts'

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

window.addEventListener('unhandledrejection', (event) => {
  if (isHarmlessRejection(event.reason)) event.preventDefault()
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
