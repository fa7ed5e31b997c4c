import { useEffect, useSyncExternalStore } from 'react'
import { href, useLocation } from 'react-router'
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

async function start(settings: AnalyticsSettings, path: string): Promise<Analytics | null> {
  try {
    const { startFirebaseAnalytics } = await import('../../../adapters/analytics/firebase-analytics.ts')
    return await startFirebaseAnalytics(settings, path)
  } catch (error) {
    // Blocked or offline: the site works the same without it.
    console.warn('Analytics could not start.', error)
    return null
  }
}

/** The next segment below this path is the key to a booking: anyone who has the address needs no password. */
const BOOKING_LINKS = href('/bookings/:linkToken', { linkToken: '' })

/** Returns the path that analytics receives for a page, without the segment that gives access to a booking. */
function measuredPath(pathname: string): string {
  if (!pathname.startsWith(BOOKING_LINKS)) return pathname
  return BOOKING_LINKS + pathname.slice(BOOKING_LINKS.length).replace(/^[^/]+/, 'link')
}

/**
 * Asks once whether visits may be counted, and counts them after consent. Without an answer or after a refusal, nothing
 * of the service is loaded (Decision 23).
 */
export function AnalyticsConsent({ settings }: { settings: AnalyticsSettings }) {
  const consent = useConsent()
  const { pathname } = useLocation()

  useEffect(() => {
    const path = measuredPath(pathname)
    if (consent === 'granted') {
      if (started) void started.then((analytics) => analytics?.resume())
      else started = start(settings, path)
      // By then the navigation has settled and the title is the new page's.
      const settled = setTimeout(() => {
        void started?.then((analytics) => analytics?.notePage(path, document.title))
      }, 500)
      return () => clearTimeout(settled)
    }
    void started?.then((analytics) => analytics?.stop())
  }, [consent, pathname, settings])

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
