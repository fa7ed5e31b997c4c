import { useEffect, useReducer } from 'react'
import { href } from 'react-router'
import { openEventStream } from '../../../ui/event-stream.ts'

/**
 * Counts how often a business's free times may have changed: by a booking elsewhere, or unnoticed while the page was
 * hidden or without a connection.
 * @param isLive follows bookings as they happen, over a stream of its own
 */
export function useAvailabilityNews(businessId: string, isLive: boolean): number {
  const [news, count] = useReducer((before: number) => before + 1, 0)
  useEffect(() => {
    const comeBack = () => {
      if (document.visibilityState === 'visible') count()
    }
    document.addEventListener('visibilitychange', comeBack)
    window.addEventListener('online', count)
    return () => {
      document.removeEventListener('visibilitychange', comeBack)
      window.removeEventListener('online', count)
    }
  }, [])
  useEffect(() => {
    if (!isLive) return
    const subject = new URLSearchParams({ subject: `availability-${businessId}` })
    return openEventStream(`${href('/api/live')}?${subject}`, {
      probe: href('/api/session'),
      onNews: count,
      // Without a stream, the page still asks when the person comes back to it.
      onRefused: () => {},
    })
  }, [businessId, isLive])
  return news
}
