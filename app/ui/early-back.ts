/**
 * Runs in the head of every document. Until React has hydrated it, Back and Forward between pages of this document only
 * change the address: React would then find another page's HTML under the new address and give up. So load that page.
 */
export const EARLY_BACK_SCRIPT =
  "(function(l){var p=l.pathname+l.search;addEventListener('popstate',function(){document.documentElement.dataset.ready!=='true'&&l.pathname+l.search!==p&&l.reload()})})(location)"
