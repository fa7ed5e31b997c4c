import { useEffect } from 'react'
import { href } from 'react-router'

/**
 * Reports a view of this business's page to the server, once each time that it's opened (Decision 23). The page comes
 * from a cache, so only the browser can report views. Clients without scripts don't count as visitors.
 */
export function useViewCount(businessId: string): void {
  useEffect(() => {
    navigator.sendBeacon(href('/api/view'), businessId)
  }, [businessId])
}
