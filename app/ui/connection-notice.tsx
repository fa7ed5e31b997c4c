import { useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { Button } from './button.tsx'
import { forgetLostLoad, retryDelayMs, useConnection } from './connection.ts'
import { Icon } from './icon.tsx'
import { announceStay } from './page-on-screen.ts'
import { showToast } from './toast.tsx'

const UNSHOWN_FAILURE_LIFE_MS = 8_000

/**
 * Tells the person that the connection is lost, and retries: when the browser comes online, and with backoff while the
 * browser claims to be online. Rendered once, after the page.
 */
export function ConnectionNotice() {
  const { lost, failure } = useConnection()
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const { pathname, search, hash, state } = useLocation()
  const [triedFor, setTriedFor] = useState<typeof lost>(null)
  const isTrying = lost !== null && triedFor === lost

  // Restarts a pending navigation with its state and history action, and refreshes the page without one.
  const tryAgain = useCallback(() => {
    setTriedFor(lost)
    void revalidate()
  }, [lost, revalidate])
  useEffect(() => {
    if (!lost) return
    const timer = setTimeout(() => {
      if (navigator.onLine) tryAgain()
    }, retryDelayMs(lost.attempts))
    window.addEventListener('online', tryAgain)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', tryAgain)
    }
  }, [lost, tryAgain])

  const isWaiting = lost?.wanted === 'next-page'
  const stay = useCallback(() => {
    announceStay(pathname + search)
    forgetLostLoad()
    void navigate({ pathname, search, hash }, { replace: true, preventScrollReset: true, state })
  }, [navigate, pathname, search, hash, state])
  // A person who carries on filling in a form should not be moved to another page later.
  useEffect(() => {
    if (!isWaiting) return
    const onInput = ({ target }: Event) => {
      const form = (target as HTMLInputElement).form
      // A search form navigates on input.
      if (form && form.getAttribute('method') !== 'get') stay()
    }
    document.addEventListener('input', onInput)
    return () => document.removeEventListener('input', onInput)
  }, [isWaiting, stay])

  // The effects of all forms have already run, so a failure that no form has claimed belongs to none of them.
  useEffect(() => {
    if (failure && !failure.isShown)
      showToast({ type: 'error', text: failure.text, lifeMs: UNSHOWN_FAILURE_LIFE_MS })
  }, [failure])

  return (
    <div className="connection" role="status">
      {lost ? (
        <div>
          <Icon name="cloud-off" />
          <p>
            <strong>Connection lost.</strong>{' '}
            {isWaiting
              ? 'The page you asked for opens when it’s back.'
              : 'This page may be out of date. It refreshes when it’s back.'}
          </p>
          <div className="connection-steps">
            <Button size="small" onClick={tryAgain} pending={isTrying} pendingText="Trying...">
              Try again
            </Button>
            {isWaiting ? (
              <Button size="small" variant="quiet" onClick={stay}>
                Stay here
              </Button>
            ) : null}
          </div>
        </div>
      ) : null}
    </div>
  )
}
