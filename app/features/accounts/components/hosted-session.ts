import { createContext, use, useCallback, useEffect } from 'react'
import { useRevalidator } from 'react-router'
import type { BrowserAccounts, HostedSettings } from '../../../adapters/accounts/browser-port.ts'
import type { AccountCode } from '../../../adapters/accounts/codes.ts'
import { hasRunOut, readMark, writeMark } from '../../../adapters/accounts/hosted-mark.ts'
import { readCookie, SIGNED_IN_COOKIE } from '../../../shared/cookies.ts'
import { showToast } from '../../../ui/toast.tsx'
import { SESSION_CHANNEL } from '../rules.ts'

// Every page has this; the sentences and the forms come where they are needed.
const HostedContext = createContext<HostedSettings | null>(null)

/** Above everything that signs people in. Null where our own server does. */
export const HostedSignIn = HostedContext

let opened: Promise<BrowserAccounts> | null = null

/** The service's SDK, loaded once and only when something needs it. */
export function openService(settings: HostedSettings): Promise<BrowserAccounts> {
  opened ??= import('../../../adapters/accounts/firebase-client.ts')
    .then(({ openFirebase }) => openFirebase(settings, announceEnd))
    .catch((error) => {
      // Offline, perhaps: the next one that needs it tries again.
      opened = null
      throw error
    })
  return opened
}

/** Every tab asks who is signed in. */
async function announceEnd(reason: AccountCode | null): Promise<void> {
  if (reason) {
    const { accountWording } = await import('../wording.ts')
    showToast({ type: 'error', text: accountWording[reason] })
  }
  const channel = new BroadcastChannel(SESSION_CHANNEL)
  channel.postMessage('changed')
  channel.close()
}

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
        openService(settings).then((service) => service.keepRenewing(), noteFailure)
      }, 1_000)
      return () => clearTimeout(idle)
    }
    if (readMark() && !readCookie(document.cookie, SIGNED_IN_COOKIE))
      openService(settings).then((service) => service.signOut(), noteFailure)
  }, [settings, isSignedIn, loading])

  const renew = useCallback(
    async (when: 'if-run-out' | 'always') => {
      if (!settings || (when === 'if-run-out' && !hasRunOut(readMark()))) return
      // What this browser remembers was wrong: clocks differ, or another tab wrote it.
      if (when === 'always') writeMark(null)
      const service = await openService(settings)
      // Loaders that ran before saw nobody.
      if (await service.renew()) void revalidate()
      // Nobody is signed in at the service any more, so nothing will ever renew it.
      else if (when === 'always') await fetch('/logout', { method: 'POST', redirect: 'manual' })
    },
    [settings, revalidate],
  )
  return settings ? renew : null
}

const noteFailure = (error: unknown) => console.warn('The account service could not be loaded.', error)
