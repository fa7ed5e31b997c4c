const KEY = 'reloaded-for:'
/** The mark of the scripts that the document itself references. */
const DOCUMENT = 'document'

/**
 * Whether the page may be reloaded because a script could not be fetched: once for each name, until the script has
 * loaded. Never without session storage, because a second attempt could not be told from the first.
 * @param name the script's address
 */
export function claimReload(name: string): boolean {
  try {
    if (sessionStorage.getItem(KEY + name)) return false
    sessionStorage.setItem(KEY + name, '1')
    return true
  } catch {
    return false
  }
}

/** The script has loaded: its next failure, perhaps after another deploy, may reload again. */
export function forgetReload(name: string): void {
  try {
    sessionStorage.removeItem(KEY + name)
  } catch {
    // Without storage there is no mark either.
  }
}

/** The page works, so all scripts of its document have loaded. */
export function forgetDocumentReload(): void {
  forgetReload(DOCUMENT)
}

/**
 * Runs in the document's head: when one of the document's own scripts can't be fetched, the page reloads once. An
 * import that fails inside a script is reported on that script, and does not bubble. Third-party scripts, such as the
 * payment provider's, are ignored: the code that loads them handles the failure (Decision 14). Offline, the reload
 * waits for a connection, so that the document stays readable.
 */
export const RELOAD_SCRIPT = `addEventListener('error',function(e){var t=e.target,k='${KEY}${DOCUMENT}',u=t&&(t.src||t.href);if(!t||t.tagName!=='SCRIPT'&&t.rel!=='modulepreload'||u&&!u.startsWith(location.origin+'/'))return;try{if(sessionStorage.getItem(k))return;sessionStorage.setItem(k,'1')}catch(x){return}navigator.onLine?location.reload():addEventListener('online',function(){location.reload()})},true)`
