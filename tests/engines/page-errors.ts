import { createHash } from 'node:crypto'
import type { App } from '../../server/app-contract.ts'

/** The key under which a page keeps its errors until the test takes them. */
const ERRORS_KEY = 'errors-for-the-test'
/** The key of the address that the test is leaving. */
const LEFT_KEY = 'left-by-the-test'

/**
 * Runs in the page before any other script, and keeps its errors in the page. WebKit's driver has no log of them, and
 * Firefox's also reports rejections that a listener has prevented.
 */
function keepErrors(key: string, leftKey: string): void {
  const keep = (what: unknown) => {
    // Leaving aborts whatever is still loading. Some engines report that as errors of the document that is left.
    if (sessionStorage.getItem(leftKey) === location.href) return
    const errors = JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[]
    sessionStorage.setItem(key, JSON.stringify([...errors, `${what} ${location.href}`].slice(-20)))
  }
  const write = console.error
  console.error = (...args) => {
    keep(args.map(String).join(' '))
    write(...args)
  }
  addEventListener('unhandledrejection', (event) => {
    // After the product's own listener, which prevents what is no error.
    setTimeout(() => event.defaultPrevented || keep(`Unhandled rejection: ${event.reason}`))
  })
  addEventListener(
    'error',
    ({ target, error, message }) => {
      const isResource = target instanceof Element
      keep(isResource ? `Not loaded: ${target.outerHTML.slice(0, 200)}` : (error ?? message))
    },
    true,
  )
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    keep(`Refused by ${violatedDirective}: ${blockedURI}`),
  )
  // React hydrates the document as the server rendered it.
  document.currentScript?.remove()
}

/** The script that keeps the errors of its document. */
export const ERROR_SCRIPT = `(${keepErrors})(${JSON.stringify(ERRORS_KEY)}, ${JSON.stringify(LEFT_KEY)})`

/** An expression that tells the open document that the test is leaving it for an address. */
export const leaveFor = (address: string) =>
  `location.protocol === 'http:' && location.href !== ${JSON.stringify(address)} && sessionStorage.setItem('${LEFT_KEY}', location.href)`

/** An expression that ends the leaving. */
export const ARRIVE = `sessionStorage.removeItem('${LEFT_KEY}')`

const TAKE_ERRORS = `(() => {
  if (location.protocol !== 'http:') return null
  const errors = sessionStorage.getItem('${ERRORS_KEY}')
  sessionStorage.removeItem('${ERRORS_KEY}')
  return errors
})()`

/** Takes the errors that pages have kept. @param evaluate evaluates an expression in the open page */
export async function takeKeptErrors(evaluate: (expression: string) => Promise<unknown>): Promise<string[]> {
  const kept = (await evaluate(TAKE_ERRORS)) as string | null
  return kept ? (JSON.parse(kept) as string[]) : []
}

/** The product, except that each document first runs the script that keeps its errors. */
export function withKeptErrors(app: App): App {
  const hash = createHash('sha256').update(ERROR_SCRIPT).digest('base64')
  return {
    findReady: () => null,
    async fetch(request, env) {
      // A document is changed, so it comes as plain text, and never from the browser's cache.
      const sent = env?.incoming?.rawHeaders ?? []
      for (let at = 0; at < sent.length; at += 2)
        if (/^(accept-encoding|if-none-match)$/i.test(sent[at] ?? '')) sent[at + 1] = ''
      const answer = await app.fetch(request, env)
      if (!answer.headers.get('content-type')?.startsWith('text/html')) return answer
      const headers = new Headers(answer.headers)
      headers.delete('content-length')
      headers.delete('etag')
      const policy = headers.get('content-security-policy') ?? ''
      headers.set('content-security-policy', policy.replace("script-src 'self'", `$& 'sha256-${hash}'`))
      const html = await answer.text()
      const changed = html.replace(/<head>/, (tag) => `${tag}<script>${ERROR_SCRIPT}</script>`)
      return new Response(changed, { status: answer.status, statusText: answer.statusText, headers })
    },
  }
}
