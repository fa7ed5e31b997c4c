import { useEffect } from 'react'
import { href, useLocation, useNavigate, useNavigation } from 'react-router'
import { useAuth } from '../components/auth-context.tsx'
import { withNext } from '../rules.ts'

/**
 * The guard of screens for signed-in people: when the sign-in ends while one is open, here or in another tab, it leads
 * to /login and back here afterwards. Loaders have checked before anything was shown.
 * @param isGuarded false on a screen that says itself that nobody is logged in
 * @returns whether the screen may show its content. False once the sign-in has ended, while /login is still loading
 */
export function useSignedInOnly(isGuarded = true): boolean {
  const { user, loading, leaving } = useAuth()
  const navigate = useNavigate()
  // Deleting the account or signing out everywhere ends the session before the answer has led to its page: going to
  // /login meanwhile would cancel that. A navigation to a guarded screen is sent to /login by the server.
  const isOnTheWay = useNavigation().state !== 'idle'
  const { pathname, search } = useLocation()
  const isGone = isGuarded && !loading && user === null
  const isLost = isGone && !leaving && !isOnTheWay
  useEffect(() => {
    if (isLost) void navigate(withNext(href('/login'), pathname + search), { replace: true })
  }, [isLost, navigate, pathname, search])
  return !isGone
}
