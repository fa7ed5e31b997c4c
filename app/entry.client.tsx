import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

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
    )
  })
}
