import { href } from 'react-router'
import type { BrowserAccounts, HostedSettings } from '../../../adapters/accounts/browser-port.ts'
import type { AccountCode } from '../../../adapters/accounts/codes.ts'
import { hasRunOut, readMark, writeMark } from '../../../adapters/accounts/hosted-mark.ts'
import { showToast } from '../../../ui/toast.tsx'
import { SESSION_CHANNEL } from '../rules.ts'

// Only sites where a hosted service signs people in fetch this.

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
    const { accountWording } = await import('../messages.ts')
    showToast({ type: 'error', text: accountWording[reason] })
  }
  const channel = new BroadcastChannel(SESSION_CHANNEL)
  channel.postMessage('changed')
  channel.close()
}

/** Keeps our session alive by the service's tokens. */
export async function keepRenewing(settings: HostedSettings): Promise<void> {
  const service = await openService(settings)
  service.keepRenewing()
}

/** Signs out of the service when nobody is signed in here any more. */
export async function leaveService(settings: HostedSettings): Promise<void> {
  if (!readMark()) return
  const service = await openService(settings)
  await service.signOut()
}

/**
 * Renews our session; see `useHostedSession`.
 * @returns whether there is a session again, which loaders that ran before did not see
 */
export async function renewSession(
  settings: HostedSettings,
  when: 'if-run-out' | 'always',
): Promise<boolean> {
  if (when === 'if-run-out' && !hasRunOut(readMark())) return false
  // What this browser remembers was wrong: clocks differ, or another tab wrote it.
  if (when === 'always') writeMark(null)
  const service = await openService(settings)
  if (await service.renew()) return true
  // Nobody is signed in at the service any more, so nothing will ever renew it.
  if (when === 'always') await fetch(href('/logout'), { method: 'POST', redirect: 'manual' })
  return false
}
