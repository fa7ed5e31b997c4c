import { useLayoutEffect } from 'react'
import { useLocation } from 'react-router'

// After 'back', the address bar names the next page while that is still loading, so it can't tell what is on the screen.
let onScreen: string | null = null
let stayingAt: string | null = null

/** The path and query of the page on the screen; null while an error stands in its place. */
export const addressOnScreen = () => onScreen

/** Keeps `addressOnScreen` up to date. Call it in a component that every page has and no error page. */
export function useAddressOnScreen(): void {
  const { pathname, search } = useLocation()
  useLayoutEffect(() => {
    onScreen = pathname + search
    return () => {
      onScreen = null
    }
  }, [pathname, search])
}

/** Announces a navigation to the page on the screen that only cancels another one. Nothing is loaded for it. */
export function announceStay(address: string): void {
  stayingAt = address
}

/** Whether a load belongs to the announced navigation. The announcement is used up. */
export function takeStay(address: string): boolean {
  const isStay = stayingAt === address
  stayingAt = null
  return isStay
}
