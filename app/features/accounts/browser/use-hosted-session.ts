import { createContext, use, useCallback, useEffect } from 'react'
import { useRevalidator } from 'react-router'
import type { HostedSettings } from '../../../adapters/accounts/browser-port.ts'
import { readCookie, SIGNED_IN_COOKIE } from '../../../shared/cookies.ts'

// Every page has this; the service, the sentences and the forms come where they are needed.
const HostedContext = createContext<HostedSettings | null>(null)

/** Above everything that signs people in. Null where our own server does. */
export const HostedSignIn = HostedContext

/**
 * Keeps our session alive by the hosted service's tokens while somebody is signed in, and signs out of the service
 * when they no longer are.
 * @returns renews our session: 'if-run-out' by what this browser remembers, before the server is asked who is signed in;
 *   'always' when the server said that it has run out. Null without a hosted service
 */
export function useHostedSession(
  isSignedIn: boolean,
  loading: boolean,
): ((when: 'if-run-out' | 'always') => Promise<void>) | null {
  const settings = use(HostedContext)
  const { revalidate } = useRevalidator()

  useEffect(() => {
    if (!settings || loading) return
    if (isSignedIn) {
      // After everything that the person waits for.
      const idle = setTimeout(() => {
        findService()
          .then(({ keepRenewing }) => keepRenewing(settings))
          .catch(noteFailure)
      }, 1_000)
      return () => clearTimeout(idle)
    }
    if (!readCookie(document.cookie, SIGNED_IN_COOKIE))
      findService()
        .then(({ leaveService }) => leaveService(settings))
        .catch(noteFailure)
  }, [settings, isSignedIn, loading])

  const renew = useCallback(
    async (when: 'if-run-out' | 'always') => {
      if (!settings) return
      const { renewSession } = await findService()
      if (await renewSession(settings, when)) void revalidate()
    },
    [settings, revalidate],
  )
  return settings ? renew : null
}

const noteFailure = (error: unknown) => console.warn('The account service could not be loaded.', error)

const findService = () => import('./hosted-client.ts')
