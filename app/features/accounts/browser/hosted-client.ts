import { href } from 'react-router'
import type { BrowserAccounts, HostedSettings } from '../../../adapters/accounts/browser-port.ts'
import type { AccountCode } from '../../../adapters/accounts/codes.ts'
import { hasRunOut, readMark, writeMark } from '../../../adapters/accounts/hosted-mark.ts'
import { showToast } from '../../../ui/toast.tsx'
import { SESSION_CHANNEL } from '../rules.ts'

// Loaded only on sites where a hosted service signs people in.

let opened: Promise<BrowserAccounts> | null = null

/** Loads the service's SDK, once, when first needed. */
export function openService(settings: HostedSettings): Promise<BrowserAccounts> {
  opened ??= import('../../../adapters/accounts/firebase-client.ts')
    .then(({ openFirebase }) => openFirebase(settings, announceEnd))
    .catch((error) => {
      // The browser may be offline: the next caller tries again.
      opened = null
      throw error
    })
  return opened
}

/** Shows why the session ended, if known, and makes every tab fetch the authentication state again. */
async function announceEnd(reason: AccountCode | null): Promise<void> {
  if (reason) {
    const { accountWording } = await import('../messages.ts')
    showToast({ type: 'error', text: accountWording[reason] })
  }
  const channel = new BroadcastChannel(SESSION_CHANNEL)
  channel.postMessage('changed')
  channel.close()
}

/** Keeps our session alive with the service's tokens. */
export async function keepRenewing(settings: HostedSettings): Promise<void> {
  const service = await openService(settings)
  service.keepRenewing()
}

/** Signs out of the service once our own session has ended. */
export async function leaveService(settings: HostedSettings): Promise<void> {
  if (!readMark()) return
  const service = await openService(settings)
  await service.signOut()
}

/**
 * Renews our session; see `useHostedSession`.
 * @returns whether there is a session again. Loaders that ran before didn't see it
 */
export async function renewSession(
  settings: HostedSettings,
  when: 'if-run-out' | 'always',
): Promise<boolean> {
  if (when === 'if-run-out' && !hasRunOut(readMark())) return false
  // The mark was wrong: clocks differ, or another tab wrote it.
  if (when === 'always') writeMark(null)
  const service = await openService(settings)
  if (await service.renew()) return true
  // The service has no signed-in user left, so nothing will ever renew our session.
  if (when === 'always') await fetch(href('/logout'), { method: 'POST', redirect: 'manual' })
  return false
}
