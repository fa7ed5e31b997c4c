import {
  initializeAnalytics,
  isSupported,
  logEvent,
  setAnalyticsCollectionEnabled,
  setConsent,
  setDefaultEventParameters,
} from '@firebase/analytics'
import { initializeApp } from '@firebase/app'
import type { Analytics, AnalyticsSettings } from './port.ts'

const APP_NAME = 'analytics'

/**
 * Starts the hosted analytics client, which has its own installation ids, retries and back-off (Specification,
 * sections 7 and 9). Loaded only after consent (Decision 23).
 * @param path the path of the page where it starts
 * @returns null in a browser without support, for instance without storage
 */
export async function startFirebaseAnalytics(
  settings: AnalyticsSettings,
  path: string,
): Promise<Analytics | null> {
  if (!(await isSupported())) return null
  // The visitor consented to the counting of visits, not to advertising.
  setConsent({
    analytics_storage: 'granted',
    ad_storage: 'denied',
    ad_user_data: 'denied',
    ad_personalization: 'denied',
  })
  // Every event carries the page's address, which must never include the query, because links have tokens there.
  setDefaultEventParameters(pageOf(path))
  const analytics = initializeAnalytics(initializeApp(settings, APP_NAME), {
    config: { ...pageOf(path), send_page_view: false, allow_google_signals: false },
  })
  setAnalyticsCollectionEnabled(analytics, true)
  return {
    notePage(newPath, title) {
      setDefaultEventParameters(pageOf(newPath))
      logEvent(analytics, 'page_view', { ...pageOf(newPath), page_title: title })
    },
    resume: () => setAnalyticsCollectionEnabled(analytics, true),
    stop() {
      setAnalyticsCollectionEnabled(analytics, false)
      forgetCookies()
    },
  }
}

function pageOf(path: string): { page_location: string; page_referrer: string } {
  // Only other sites' addresses are of interest, and our own may contain a token.
  const isOurs = document.referrer.startsWith(location.origin)
  return { page_location: location.origin + path, page_referrer: isOurs ? '' : document.referrer }
}

/** Deletes the client's cookies from every parent domain: it sets them on the widest one that the browser allows. */
function forgetCookies(): void {
  const names = document.cookie
    .split(';')
    .map((cookie) => cookie.split('=')[0]?.trim() ?? '')
    .filter((name) => /^_ga(_|$)/.test(name))
  const labels = location.hostname.split('.')
  const domains = ['', ...labels.map((_, at) => `; Domain=${labels.slice(at).join('.')}`)]
  for (const name of names) {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
    for (const domain of domains) document.cookie = `${name}=; Path=/; Max-Age=0${domain}`
  }
}
