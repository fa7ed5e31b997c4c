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
 * @param pattern of the route where it starts
 * @returns null in a browser without support, for instance without storage
 */
export async function startFirebaseAnalytics(
  settings: AnalyticsSettings,
  pattern: string,
): Promise<Analytics | null> {
  if (!(await isSupported())) return null
  // The visitor consented to the counting of visits, not to advertising.
  setConsent({
    analytics_storage: 'granted',
    ad_storage: 'denied',
    ad_user_data: 'denied',
    ad_personalization: 'denied',
  })
  // Every event carries the page's address and title. Left to itself, the tag takes them from the window.
  setDefaultEventParameters(pageOf(pattern))
  const analytics = initializeAnalytics(initializeApp(settings, APP_NAME), {
    config: { ...pageOf(pattern), send_page_view: false, allow_google_signals: false },
  })
  setAnalyticsCollectionEnabled(analytics, true)
  return {
    notePage(newPattern) {
      setDefaultEventParameters(pageOf(newPattern))
      logEvent(analytics, 'page_view', pageOf(newPattern))
    },
    resume: () => setAnalyticsCollectionEnabled(analytics, true),
    stop() {
      setAnalyticsCollectionEnabled(analytics, false)
      forgetCookies()
    },
  }
}

/** The page as analytics see it. Its title can name a person or hold a search, so its pattern stands for both. */
function pageOf(pattern: string): { page_location: string; page_title: string; page_referrer: string } {
  // Only other sites' addresses are of interest, and our own may contain a token.
  const isOurs = document.referrer.startsWith(location.origin)
  return {
    page_location: location.origin + pattern,
    page_title: pattern,
    page_referrer: isOurs ? '' : document.referrer,
  }
}

/** Deletes the client's cookies from every parent domain: it sets them on the widest domain that the browser allows. */
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
