import { useEffect } from 'react'
import { href, useRevalidator } from 'react-router'
import { openEventStream } from '../../../ui/event-stream.ts'
import { useLiveData } from '../../../ui/live-data.ts'
import { followAccount } from '../../accounts/browser/live-client.ts'

/** The one subject that every screen of a signed-in person listens to, over a stream that all tabs share. */
const SHARED = 'notifications'

/**
 * Runs this page's loader again whenever the server says that something changed, and once after a lost
 * connection is back, since changes in between were not heard. While that fails, what is on the screen stays.
 * @param subjects 'notifications', 'bookings', 'calendars' or 'booking-{link token}'
 */
export function useLiveUpdates(subjects: readonly string[]): void {
  useLiveData()
  const { revalidate } = useRevalidator()
  const isShared = subjects.includes(SHARED)
  const query = subjects
    .filter((subject) => subject !== SHARED)
    .map((subject) => `subject=${encodeURIComponent(subject)}`)
    .join('&')
  useEffect(() => (isShared ? followAccount(() => void revalidate()) : undefined), [isShared, revalidate])
  useEffect(() => {
    if (!query) return
    const reload = () => void revalidate()
    // When the server refuses the stream, this page's loader knows why.
    return openEventStream(`${href('/api/live')}?${query}`, {
      probe: href('/api/session'),
      onNews: reload,
      onRefused: reload,
    })
  }, [query, revalidate])
}
