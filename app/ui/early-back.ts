/**
 * Runs in the head of every document. Until React has hydrated it, Back and Forward between pages of this document only
 * change the address: React would then find another page's HTML under the new address and give up. So load that page.
 * Scripts that haven't run yet are taken out of this document, which stops them: they might run before that page arrives. Those
 * that are already being imported see `data-left` and do nothing.
 */
export const EARLY_BACK_SCRIPT =
  "(function(l){var p=l.pathname+l.search;addEventListener('popstate',function(){if(document.documentElement.dataset.ready==='true'||l.pathname+l.search===p)return;document.querySelectorAll('script[type=module]').forEach(function(s){new Document().adoptNode(s)});document.documentElement.dataset.left='true';l.reload()})})(location)"
