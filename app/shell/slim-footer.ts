import { useEffect, useState } from 'react'
import { href, useLocation } from 'react-router'
import { isAccountScreen, isDashboardScreen } from './private-screens.ts'

/** The screens of a booking, from its form to its own page. */
const CHECKOUT_SCREENS = [
  href('/book/:id', { id: '' }),
  href('/payment'),
  href('/success'),
  href('/bookings/:linkToken', { linkToken: '' }),
  href('/quotes/:id/:link?', { id: '' }),
]

/** Whether a path's screen has the slim footer: people work or pay there, and look for nothing else. */
export function hasSlimFooter(path: string): boolean {
  const isAt = (screen: string) => path === screen || path.startsWith(`${screen.replace(/\/$/, '')}/`)
  return (
    isAccountScreen(path) ||
    isDashboardScreen(path) ||
    isAt(href('/operations')) ||
    CHECKOUT_SCREENS.some(isAt)
  )
}

/**
 * Whether the present screen has the slim footer.
 * @param firstPath the path of the document. The footer's script may arrive after the visitor has gone on to another page, and
 *   hydration must first find the document's own footer
 */
export function useSlimFooter(firstPath: string): boolean {
  const { pathname } = useLocation()
  const [path, setPath] = useState(firstPath)
  useEffect(() => setPath(pathname), [pathname])
  return hasSlimFooter(path)
}
