import { useEffect } from 'react'
import { href, useLocation, useNavigate, useNavigation } from 'react-router'
import { useAuth } from '../components/auth-context.tsx'
import { withNext } from '../rules.ts'

/**
 * Guards screens for signed-in people: when the session ends while one is open, here or in another tab, it navigates to
 * /login, which leads back here afterwards. Loaders have already checked before the screen was shown.
 * @param isGuarded false on a screen that has its own message for signed-out visitors
 * @returns whether the screen may show its content. False once the session has ended, while /login is still loading
 */
export function useSignedInOnly(isGuarded = true): boolean {
  const { user, loading, leaving } = useAuth()
  const navigate = useNavigate()
  // Deleting the account or signing out everywhere ends the session before its response has led to the next page.
  // Navigating to /login now would cancel that. The server redirects a navigation to a guarded screen to /login anyway.
  const isOnTheWay = useNavigation().state !== 'idle'
  const { pathname, search } = useLocation()
  const isGone = isGuarded && !loading && user === null
  const isLost = isGone && !leaving && !isOnTheWay
  useEffect(() => {
    if (isLost) void navigate(withNext(href('/login'), pathname + search), { replace: true })
  }, [isLost, navigate, pathname, search])
  return !isGone
}
