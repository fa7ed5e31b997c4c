import { useContext, useEffect, useSyncExternalStore } from 'react'
import { UNSAFE_DataRouterStateContext, useLocation } from 'react-router'
import type { Analytics, AnalyticsSettings } from '../../../adapters/analytics/port.ts'
import { Button } from '../../../ui/button.tsx'
import { CONSENT_TEXTS } from '../messages.ts'

type Consent = 'granted' | 'denied'

const KEY = 'analytics-consent'
const CHANGED = 'analytics-consent-changed'

function readConsent(): Consent | null {
  try {
    const kept = localStorage.getItem(KEY)
    return kept === 'granted' || kept === 'denied' ? kept : null
  } catch {
    // Storage is blocked, so no choice can be stored: don't ask, and don't count.
    return 'denied'
  }
}

function keepConsent(consent: Consent): void {
  try {
    localStorage.setItem(KEY, consent)
  } catch {
    // See readConsent.
  }
  window.dispatchEvent(new Event(CHANGED))
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener(CHANGED, onChange)
  // Another tab.
  window.addEventListener('storage', onChange)
  return () => {
    window.removeEventListener(CHANGED, onChange)
    window.removeEventListener('storage', onChange)
  }
}

/** The choice of this browser; null until one is made. The server can't know it, and renders no question. */
function useConsent(): Consent | null {
  return useSyncExternalStore(subscribe, readConsent, () => 'denied')
}

// One for the window: the client can't be started twice.
let started: Promise<Analytics | null> | null = null

async function start(settings: AnalyticsSettings, pattern: string): Promise<Analytics | null> {
  try {
    const { startFirebaseAnalytics } = await import('../../../adapters/analytics/firebase-analytics.ts')
    return await startFirebaseAnalytics(settings, pattern)
  } catch (error) {
    // Blocked or offline: the site works the same without it.
    console.warn('Analytics could not start.', error)
    return null
  }
}

/**
 * The page's path as the route table writes it, such as '/quotes/:id/:link'. A parameter may be the key to a booking or a
 * conversation, and only the table knows which part of a path is one.
 */
function usePattern(): string {
  const matches = useContext(UNSAFE_DataRouterStateContext)?.matches ?? []
  const path = matches.flatMap(({ route }) => route.path || []).join('/')
  // The mark of an optional part would begin a query.
  return `/${path.replaceAll('?', '')}`
}

/**
 * Asks once whether visits may be counted, and counts them after consent. Without an answer or after a refusal, nothing
 * of the service is loaded (Decision 23).
 */
export function AnalyticsConsent({ settings }: { settings: AnalyticsSettings }) {
  const consent = useConsent()
  const { pathname } = useLocation()
  const pattern = usePattern()

  // biome-ignore lint/correctness/useExhaustiveDependencies: two pages of one pattern are two visits
  useEffect(() => {
    if (consent === 'granted') {
      if (started) void started.then((analytics) => analytics?.resume())
      else started = start(settings, pattern)
      // A page that only redirects isn't counted.
      const settled = setTimeout(() => {
        void started?.then((analytics) => analytics?.notePage(pattern))
      }, 500)
      return () => clearTimeout(settled)
    }
    void started?.then((analytics) => analytics?.stop())
  }, [consent, pathname, pattern, settings])

  if (consent !== null) return null
  return (
    <section className="consent-bar" aria-label={CONSENT_TEXTS.title}>
      <p className="text-sm">{CONSENT_TEXTS.question}</p>
      <div className="flex gap-2">
        <Button size="small" onClick={() => keepConsent('denied')}>
          {CONSENT_TEXTS.deny}
        </Button>
        <Button size="small" onClick={() => keepConsent('granted')}>
          {CONSENT_TEXTS.allow}
        </Button>
      </div>
    </section>
  )
}

/** The same choice in the settings, where consent can be withdrawn. */
export function AnalyticsChoice() {
  const isGranted = useConsent() === 'granted'
  return (
    <div>
      <p role="status">{isGranted ? CONSENT_TEXTS.isOn : CONSENT_TEXTS.isOff}</p>
      <Button className="mt-4" onClick={() => keepConsent(isGranted ? 'denied' : 'granted')}>
        {isGranted ? CONSENT_TEXTS.withdraw : CONSENT_TEXTS.allow}
      </Button>
    </div>
  )
}
