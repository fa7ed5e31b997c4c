import type { PushTarget } from '../../../adapters/push/port.ts'

const WORKER = '/push-worker.js'
/** No page is below it, so the worker controls none. */
const SCOPE = '/push-worker/'

/**
 * Asks the person and the browser's push service. Only a press may call it: browsers refuse the question otherwise.
 * @param publicKey the server's key, in base64url
 * @returns 'denied' if the person doesn't allow notifications
 */
export async function subscribe(publicKey: string): Promise<PushTarget | 'denied'> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE })
  await activated(registration)
  const manager = registration.pushManager
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  // A subscription with an earlier key of ours can't be replaced.
  const earlier = await manager.getSubscription()
  if (earlier && !hasKey(earlier, publicKey)) await earlier.unsubscribe()
  const { endpoint, keys } = (await manager.subscribe(options)).toJSON()
  return { endpoint: endpoint ?? '', p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' }
}

/** Ends this browser's subscription, and removes the worker. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE)
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
  await registration?.unregister()
}

function hasKey(subscription: PushSubscription, publicKey: string): boolean {
  const { applicationServerKey } = subscription.options
  if (!applicationServerKey) return false
  const text = btoa(String.fromCharCode(...new Uint8Array(applicationServerKey)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === publicKey
}

/** Resolves once the worker runs. A subscription needs a running worker. */
function activated({ active, waiting, installing }: ServiceWorkerRegistration): Promise<void> {
  const coming = installing ?? waiting
  if (active || !coming) return Promise.resolve()
  return new Promise((resolve, reject) => {
    coming.addEventListener('statechange', () => {
      if (coming.state === 'activated') resolve()
      if (coming.state === 'redundant') reject(new Error('The worker didn’t start.'))
    })
  })
}
