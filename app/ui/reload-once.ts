const KEY = 'reloaded-for:'
/** The mark of the scripts that a document names itself. */
const DOCUMENT = 'document'

/**
 * Whether the page may be reloaded because this could not be fetched: once for each name, until it was fetched. Where
 * the browser keeps nothing it may not, since then nobody could tell the second time from the first.
 * @param name the address of a script
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

/** It was fetched: the next failure, perhaps after another deploy, may reload again. */
export function forgetReload(name: string): void {
  try {
    sessionStorage.removeItem(KEY + name)
  } catch {
    // Then there is no mark either.
  }
}

/** The page works: its document's scripts are all there. */
export function forgetDocumentReload(): void {
  forgetReload(DOCUMENT)
}

/**
 * Runs in the document's head: when one of the document's own scripts can't be fetched, the page is reloaded once. An
 * import that fails inside a script is reported on that script, and does not bubble. Scripts of others, such as the
 * payment provider's, are none of them: whoever loads those says what to do (Decision 14). Without a connection the reload
 * waits until there is one: the document can be read meanwhile.
 */
export const RELOAD_SCRIPT = `addEventListener('error',function(e){var t=e.target,k='${KEY}${DOCUMENT}',u=t&&(t.src||t.href);if(!t||t.tagName!=='SCRIPT'&&t.rel!=='modulepreload'||u&&!u.startsWith(location.origin+'/'))return;try{if(sessionStorage.getItem(k))return;sessionStorage.setItem(k,'1')}catch(x){return}navigator.onLine?location.reload():addEventListener('online',function(){location.reload()})},true)`
