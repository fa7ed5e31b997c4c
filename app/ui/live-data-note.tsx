import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { reloadDelayMs, useReloadFailures } from './live-data.ts'
import './live-data-note.css'

/**
 * Warns that a live page may be out of date after a failed reload, and retries. It follows the page's content and sticks
 * to the bottom of the window, so content does not move under a finger.
 */
export function LiveDataNote() {
  const failures = useReloadFailures()
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    if (failures === 0) return
    const reload = () => void revalidate()
    const timer = setTimeout(reload, reloadDelayMs(failures))
    window.addEventListener('online', reload)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', reload)
    }
  }, [failures, revalidate])
  return (
    <div role="status" className="live-data-note">
      {failures > 0 ? (
        <Banner
          tone="info"
          action={
            <Button
              size="small"
              onClick={() => void revalidate()}
              pending={state === 'loading'}
              pendingText="Trying..."
            >
              Try again
            </Button>
          }
        >
          <p>This page may be out of date: the last update failed.</p>
        </Banner>
      ) : null}
    </div>
  )
}
