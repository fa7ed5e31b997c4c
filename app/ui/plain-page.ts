/**
 * Runs in the head of every document, in the syntax of 2009. A browser that is below the baseline (shared/baseline.ts) or
 * can't parse one of our scripts gets the page as it is without scripts: entry.client.tsx hydrates nothing where
 * `data-plain` is set, and the contents of `noscript` are shown.
 *
 * `CSSPropertyRule` tells Safari 16.4 and Firefox 128 from those before, and `color-mix` Chrome 111 from 110. Once the page
 * works, an error is no longer about parsing.
 */
export const PLAIN_PAGE_SCRIPT =
  "(function(d,e){function p(){if(e.getAttribute('data-plain'))return;e.setAttribute('data-plain','true');function s(){var n=d.getElementsByTagName('noscript'),i=n.length,x;while(i--){x=d.createElement('page-part');x.innerHTML=n[i].textContent;n[i].parentNode.replaceChild(x,n[i])}}d.readyState==='loading'?d.addEventListener('DOMContentLoaded',s):s()}try{if(!window.CSSPropertyRule||!CSS.supports('color','color-mix(in srgb,red,red)'))p()}catch(x){p()}function f(v){var x=v.error||v.reason;if(x instanceof SyntaxError&&!/JSON/.test(x.message)&&!e.getAttribute('data-ready'))p()}addEventListener('error',f);addEventListener('unhandledrejection',f)})(document,document.documentElement)"
