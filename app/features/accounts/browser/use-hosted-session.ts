import { createContext, use, useCallback, useEffect } from 'react'
import { useRevalidator } from 'react-router'
import type { HostedSettings } from '../../../adapters/accounts/browser-port.ts'
import { readOwnCookie, SIGNED_IN_COOKIE } from '../../../shared/cookies.ts'

// Every page loads this file. The service, the messages and the forms load on demand.
const HostedContext = createContext<HostedSettings | null>(null)

/** Provides the hosted service's settings to everything that signs people in. Null where our own server does. */
export const HostedSignIn = HostedContext

/**
 * Keeps our session alive with the hosted service's tokens while the person is signed in, and signs out of the service
 * afterwards.
 * @returns a function that renews our session: 'if-run-out' goes by this browser's mark, before the server is asked;
 * 'always' is for when the server has answered that the session ran out. Null without a hosted service
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
      // Lets everything that the person waits for go first.
      const idle = setTimeout(() => {
        findService()
          .then(({ keepRenewing }) => keepRenewing(settings))
          .catch(noteFailure)
      }, 1_000)
      return () => clearTimeout(idle)
    }
    if (!readOwnCookie(document.cookie, SIGNED_IN_COOKIE))
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
