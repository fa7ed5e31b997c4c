/** A browser's offer to install the site as an app. Only Chromium's browsers make it. */
export type InstallOffer = Event & { prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }> }

declare global {
  interface Window {
    installOffer?: InstallOffer | undefined
  }
}

/**
 * Runs in the head of every document: keeps the browser's offer for Settings, so that the browser doesn't push it over a page.
 * It comes once for a document, often before the other scripts run.
 */
export const INSTALL_SCRIPT =
  "addEventListener('beforeinstallprompt',function(e){e.preventDefault();installOffer=e})"
