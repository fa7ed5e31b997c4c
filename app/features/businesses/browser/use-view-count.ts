import { useEffect } from 'react'
import { href } from 'react-router'

/**
 * Tells the server that this business's page is being looked at, once for each time that it is opened (Decision 23).
 * The page itself comes from a cache and knows no visitor, so the browser says it; what runs no scripts is no visitor.
 */
export function useViewCount(businessId: string): void {
  useEffect(() => {
    navigator.sendBeacon(href('/api/view'), businessId)
  }, [businessId])
}
