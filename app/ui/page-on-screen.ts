import { useLayoutEffect } from 'react'
import { useLocation } from 'react-router'

// After 'back', the address bar shows the next page's address while that page still loads, so it can't tell what is on
// the screen.
let onScreen: string | null = null
let stayingAt: string | null = null

/** The path and query of the page on the screen; null while an error page replaces it. */
export const addressOnScreen = () => onScreen

/** Keeps `addressOnScreen` up to date. Call it in a component that every page has and error pages don't. */
export function useAddressOnScreen(): void {
  const { pathname, search } = useLocation()
  useLayoutEffect(() => {
    onScreen = pathname + search
    return () => {
      onScreen = null
    }
  }, [pathname, search])
}

/** Announces a navigation to the current page that only cancels another one. It loads nothing. */
export function announceStay(address: string): void {
  stayingAt = address
}

/** Whether a load belongs to the announced navigation. Consumes the announcement. */
export function takeStay(address: string): boolean {
  const isStay = stayingAt === address
  stayingAt = null
  return isStay
}
