import { useEffect } from 'react'
import { href, useRevalidator } from 'react-router'
import { openEventStream } from '../../../ui/event-stream.ts'
import { dataAskedAt, useLiveData } from '../../../ui/live-data.ts'
import { followAccount, wasToldSince } from '../../accounts/browser/live-client.ts'

/** The subject that every signed-in screen listens to, over a stream that all tabs share. */
const SHARED = 'notifications'

/**
 * Reruns this page's loader whenever the server reports a change since the page's data was asked for. Runs it once more
 * after a lost connection is restored, because changes in between were missed. If a reload fails, the screen stays as it is.
 * @param subjects 'notifications', 'desk', 'inbox', 'bookings', 'payouts', 'calendars', 'shortlist', 'operations', 'booking-{link token}' or 'conversation-{link token}'
 */
export function useLiveUpdates(subjects: readonly string[]): void {
  useLiveData()
  const { revalidate } = useRevalidator()
  const isShared = subjects.includes(SHARED)
  const query = subjects
    .filter((subject) => subject !== SHARED)
    .map((subject) => `subject=${encodeURIComponent(subject)}`)
    .join('&')
  useEffect(() => {
    if (!isShared) return
    const reload = () => void revalidate()
    if (wasToldSince(dataAskedAt())) reload()
    return followAccount(reload)
  }, [isShared, revalidate])
  useEffect(() => {
    if (!query) return
    const reload = () => void revalidate()
    // When the server refuses the stream, this page's loader can tell why.
    return openEventStream(`${href('/api/live')}?${query}`, {
      askedAt: dataAskedAt(),
      probe: href('/api/session'),
      onNews: reload,
      onRefused: reload,
    })
  }, [query, revalidate])
}
