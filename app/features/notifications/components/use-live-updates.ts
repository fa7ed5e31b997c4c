import { useEffect } from 'react'
import { useRevalidator } from 'react-router'
import { followAccount } from '../../accounts/live-stream.ts'

/** The one subject that every screen of a signed-in person listens to, over a stream that all tabs share. */
const SHARED = 'notifications'
const PROBE_ADDRESS = '/api/session'
const RETRY_MS = 3_000

/**
 * Runs this page's loader again whenever the server says that something changed, and once after a lost
 * connection is back, since changes in between were not heard.
 * @param subjects 'notifications', 'bookings', 'calendars' or 'booking-{link token}'
 */
export function useLiveUpdates(subjects: readonly string[]): void {
  const { revalidate } = useRevalidator()
  const isShared = subjects.includes(SHARED)
  const query = subjects
    .filter((subject) => subject !== SHARED)
    .map((subject) => `subject=${encodeURIComponent(subject)}`)
    .join('&')
  useEffect(() => (isShared ? followAccount(() => void revalidate()) : undefined), [isShared, revalidate])
  useEffect(() => {
    if (!query) return
    let source: EventSource
    let timer: ReturnType<typeof setTimeout> | undefined
    let lost = false
    let left = false
    const open = () => {
      source = new EventSource(`/api/live?${query}`)
      source.onmessage = () => revalidate()
      source.onopen = () => {
        if (lost) revalidate()
        lost = false
      }
      source.onerror = () => {
        lost = true
        // A cut connection comes back by itself; one that was answered with an error does not.
        if (source.readyState === EventSource.CLOSED) void findOut()
      }
    }
    const findOut = async () => {
      const isThere = await fetch(PROBE_ADDRESS).then(
        (answer) => answer.ok,
        () => false,
      )
      if (left) return
      // The server is there and refused us, so this page's loader knows why. Otherwise a proxy has answered in its
      // place, as while it restarts: then the page must not be loaded again, but the stream tried again.
      if (isThere) void revalidate()
      else timer = setTimeout(open, RETRY_MS)
    }
    open()
    return () => {
      left = true
      clearTimeout(timer)
      source.close()
    }
  }, [query, revalidate])
}
