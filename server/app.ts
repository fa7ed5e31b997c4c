import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import { CLIENT_ADDRESS_HEADER } from '../app/adapters/accounts/port.ts'
import type { Topic } from '../app/adapters/live-updates/port.ts'
import { limitedAddress, plainAddress } from '../app/adapters/rate-limits/addresses.ts'
import {
  bodyRefusalContext,
  keptUntilContext,
  scriptMarkContext,
  searchWaitContext,
  servicesContext,
  unlistedPathsContext,
} from '../app/request-context.server.ts'
import { type RequestLog, requestLog } from '../app/request-log.server.ts'
import { PUBLIC_PAGE_PATTERNS, publicPageKey } from '../app/routes/public-pages.ts'
import type { Services } from '../app/services.server.ts'
import { limitAtOnce, TooManyWaiting } from '../app/shared/at-once.ts'
import { tooLargeBody } from '../app/shared/body-refusals.ts'
import { maxBodyBytes, WEBHOOK_PATH } from './body-limit.ts'
import {
  type Asked,
  type Incoming,
  type KeptAnswer,
  type Ready,
  readIncoming,
  sendKept,
  toResponse,
} from './kept-answer.ts'
import { createObservation } from './observation.ts'
import { createPageCache, type RenderedPage } from './page-cache.ts'
import { withRefusals } from './refusals.ts'
import { answerInSpan } from './request-span.ts'
import { listRoutes, unlistedPaths } from './route-contracts.ts'
import { createRoutePatterns } from './route-patterns.ts'
import { createSearchLimits } from './search-limits.ts'
import {
  ANALYTICS_ORIGINS,
  contentSecurityPolicy,
  firebaseAuthOrigins,
  STRIPE_ORIGINS,
  securityHeaders,
  takeMarkedScripts,
} from './security-headers.ts'
import { readStaticFiles } from './static-files.ts'

/** What comes all the time and says nothing. */
const NOT_LOGGED = /^\/(assets|health|metrics)(\/|$)/
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** The widest search has 18 parameters; the rest is room for links that track. */
const MAX_PARAMETERS = 50
const MAX_QUERY_LENGTH = 8_000
/**
 * So many public pages are rendered at once, and so many may wait. A page asks the database several times, a search a
 * dozen times: among hundreds that do the same each of these would wait behind hundreds, and all would hold their memory
 * until the same late moment.
 */
export const RENDERS_AT_ONCE = 6
export const MAX_RENDERS_WAITING = 500

/** What there is of the connection; nothing where a test asks without one. */
type Bindings = { Bindings: { incoming?: Incoming } }

/** What development swaps: there the pages and the contexts come fresh from Vite. */
export type Pages = {
  build: ServerBuild | (() => Promise<ServerBuild>)
  clientFolder: string | null
  /** Vite's own inline scripts and socket are let through. */
  development?: boolean
}

/** The whole product, from request to answer. */
export type App = {
  /** What lies ready for everybody. Most requests end here, so it costs little more than sending bytes; no log line. */
  findReady(asked: Asked): Ready | null
  fetch(request: Request, env?: Bindings['Bindings']): Response | Promise<Response>
}

/**
 * Builds the product: what lies ready in memory first, then React Router.
 * @param pages the built pages and the folder of the browser's files
 */
export function createApp(services: Services, pages: Pages): App {
  const { config, log } = services
  const app = new Hono<Bindings>()
  const headersOfAll = securityHeaders(config.publicUrl.protocol === 'https:')
  // In every page's policy, since navigation inside the browser keeps the first document's.
  const others = [
    ...(config.payments.provider === 'stripe' ? [STRIPE_ORIGINS] : []),
    ...(config.accounts.provider === 'firebase' ? [firebaseAuthOrigins(config.accounts.emulatorUrl)] : []),
    ...(config.firebase?.measurementId ? [ANALYTICS_ORIGINS] : []),
  ]
  const observation = createObservation(services)
  const { patternOf, correctPath } = createRoutePatterns(
    typeof pages.build === 'function' ? null : pages.build,
  )
  const { build } = pages
  let rules = readRules(typeof build === 'function' ? null : build)
  const handlePage = createRequestHandler(
    typeof build === 'function'
      ? async () => {
          const fresh = await build()
          rules = readRules(fresh)
          return withRefusals(fresh)
        }
      : withRefusals(build),
    pages.development ? 'development' : 'production',
  )
  const files: ReadonlyMap<string, KeptAnswer> = pages.clientFolder
    ? readStaticFiles(pages.clientFolder, headersOfAll)
    : new Map()
  const routeIds = new Set(typeof build === 'function' ? [] : Object.keys(build.routes))
  const cache = pages.development
    ? null
    : createPageCache({
        maxBytes: config.pageCacheBytes,
        liveUpdates: services.liveUpdates,
        now: services.now,
      })
  const newRequestId = createRequestIds()
  const searchLimitOf = createSearchLimits(services)
  const inRenderTurn = limitAtOnce(RENDERS_AT_ONCE, MAX_RENDERS_WAITING)

  function findReady(asked: Asked): Ready | null {
    if (!isRead(asked.method)) return null
    const mark = asked.target.indexOf('?')
    const file = files.get(mark < 0 ? asked.target : asked.target.slice(0, mark))
    if (file) return sendKept(file, asked, ['x-request-id', newRequestId()])
    const key = mark < 0 ? asked.target : publicPageKey(asked.target, routeIds)
    const page = key ? cache?.find(key) : null
    if (!page) return null
    const answer = sendKept(page, asked, ['x-request-id', newRequestId(), 'cache-status', 'pages; hit'])
    observation.saw('kept', answer.status, 0)
    return answer
  }

  /**
   * @param about.keptUntil takes the topics of a page that may be kept
   * @param about.waitSeconds until this address may search again
   * @param about.bodyRefusal answers for the action
   */
  async function render(
    request: Request,
    {
      keptUntil = null,
      waitSeconds = 0,
      bodyRefusal = null,
    }: { keptUntil?: Set<Topic> | null; waitSeconds?: number; bodyRefusal?: (() => Response) | null } = {},
  ): Promise<Response> {
    const context = new RouterContextProvider()
    context.set(servicesContext, services)
    context.set(keptUntilContext, keptUntil)
    context.set(searchWaitContext, waitSeconds)
    context.set(bodyRefusalContext, bodyRefusal)
    context.set(unlistedPathsContext, rules.unlistedPaths)
    const mark = pages.development ? '' : randomBytes(16).toString('base64url')
    context.set(scriptMarkContext, mark)
    const response = await handlePage(request, context)
    if (request.signal.aborted) return clientGone()
    const answer = whileAway(response, request)
    if (waitSeconds > 0) answer.headers.set('retry-after', String(waitSeconds))
    if (pages.development || !answer.headers.get('content-type')?.startsWith('text/html')) return answer
    // The policy names the inline scripts of exactly this document, so the whole of it is needed first.
    const { html, scripts } = takeMarkedScripts(scriptsLast(await answer.text()), mark)
    answer.headers.set('content-security-policy', contentSecurityPolicy(scripts, others))
    return new Response(html, answer)
  }

  /** From an address alone: of the visitor who happened to ask first, a page that is kept for all must know nothing. */
  async function renderForAll(key: string, keptUntil: Set<Topic>): Promise<RenderedPage> {
    const answer = await render(new Request(new URL(key, config.publicUrl)), { keptUntil })
    const { status, headers } = answer
    // Browsers ask each time whether it has changed: an edit is seen at once, and an unchanged page costs no bytes.
    headers.set('cache-control', 'no-cache')
    for (const [name, value] of Object.entries(headersOfAll)) headers.set(name, value)
    return { status, headers, body: new Uint8Array(await answer.arrayBuffer()) }
  }

  app.use(async (c, next) => {
    const requestId = newRequestId()
    c.req.raw.headers.set(
      CLIENT_ADDRESS_HEADER,
      clientAddress(c.req.raw, c.env?.incoming, config.trustedProxy),
    )
    const started = performance.now()
    // Whoever answers the address names the route: files and refusals have none.
    const about: RequestLog = { requestId, route: 'none' }
    const answer = () => requestLog.run(about, next)
    await (NOT_LOGGED.test(c.req.path) ? answer() : answerInSpan(services.traces, c, about, answer))
    if (c.res.status === 500 && !about.hasErrorLine)
      log.error({ ...about, method: c.req.method }, 'answered 500 without a reason')
    for (const [name, value] of Object.entries(headersOfAll)) c.res.headers.set(name, value)
    keepPrivate(c.res, about.route, rules.cacheable)
    if (rules.unlistedPaths.some((beginning) => c.req.path.startsWith(beginning)))
      c.res.headers.set('x-robots-tag', 'noindex')
    c.res.headers.set('x-request-id', requestId)
    const ms = performance.now() - started
    observation.saw(about.route, c.res.status, ms)
    if (NOT_LOGGED.test(c.req.path)) return
    log.info({ ...about, method: c.req.method, status: c.res.status, ms: Math.round(ms) }, 'request')
  })

  observation.mount(app)

  app.use(compress())

  app.use(async (c, next) => {
    if (!isDecodable(c.req.url)) return c.text('This address can’t be read.', 400)
    if (isTooLong(new URL(c.req.url).search)) return c.text('This address is too long.', 414)
    if (
      !SAFE_METHODS.has(c.req.method) &&
      c.req.path !== WEBHOOK_PATH &&
      !isSameOrigin(c.req.raw, config.publicUrl)
    ) {
      return c.text('This request came from another site.', 403)
    }
    const path = correctPath(new URL(c.req.url).pathname)
    if (path) return c.redirect(`${path}${new URL(c.req.url).search}`, 308)
    // React Router compares once more, with the address as it arrived here: where a proxy ends TLS that is never the
    // one that people see. What came this far is ours.
    const { headers } = c.req.raw
    if (headers.get('origin') === config.publicUrl.origin) headers.set('origin', new URL(c.req.url).origin)
    return next()
  })

  app.use((c, next) =>
    bodyLimit({
      maxSize: maxBodyBytes(c.req.path),
      onError: () => (c.req.method === 'POST' ? refuseBody(c.req.raw) : tooLargeBody()),
    })(c, next),
  )

  /** @returns the refusal as the route shows it: a page has its own design. */
  function refuseBody({ url, headers, signal }: Request): Promise<Response> {
    const about = requestLog.getStore()
    if (about) about.route = patternOf(new URL(url).pathname)
    // Without the body: nothing may read it any more.
    return render(new Request(url, { method: 'POST', headers, signal }), { bodyRefusal: tooLargeBody })
  }

  if (pages.clientFolder) app.get('/assets/*', (c) => c.text('Not found', 404))

  app.all('*', async (c) => {
    const about = requestLog.getStore()
    const route = patternOf(c.req.path)
    if (about) about.route = route
    const asked = readAsked(c.req.raw, c.env?.incoming)
    const key = cache && isRead(asked.method) ? publicPageKey(asked.target, routeIds) : null
    const limit = searchLimitOf(route)
    const address = limitedAddress(c.req.raw)
    const waitSeconds = (key ? limit?.secondsToWait(address) : limit?.take(address)) ?? 0
    if (waitSeconds > 0) return render(c.req.raw, { waitSeconds })
    if (!cache || !key) return limit ? inRenderTurn(() => render(c.req.raw)) : render(c.req.raw)
    const page = await cache.get(key, (keptUntil) => {
      // Of a page for all, only whoever makes us render it is counted.
      limit?.take(address)
      return inRenderTurn(() => renderForAll(key, keptUntil))
    })
    const status = `pages; fwd=miss${page.isNew ? '' : '; collapsed'}`
    if (page.kept) return toResponse(sendKept(page.kept, asked, ['cache-status', status]))
    // A copy of the headers for each: this answer adds its own.
    const headers = new Headers(page.headers)
    headers.set('cache-status', status)
    return new Response(asked.method === 'HEAD' ? null : page.body, { status: page.status, headers })
  })

  app.onError((error, c) => {
    const about = requestLog.getStore()
    // Said to each of those who wait for the same page.
    if (about && error instanceof TooManyWaiting) about.isPartAway = true
    if (about?.isPartAway) return whileAway(c.text('Please try again in a minute.', 500), c.req.raw)
    const isCutOff = 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted'
    if (isCutOff || c.req.raw.signal.aborted) return clientGone()
    log.error({ err: error, method: c.req.method }, 'unexpected')
    return c.text('Something went wrong on our side. Please try again.', 500)
  })

  return {
    findReady,
    fetch(request, env) {
      const ready = findReady(readAsked(request, env?.incoming))
      return ready ? toResponse(ready) : app.fetch(request, env)
    },
  }
}

/** The client disconnected, so only logs and metrics see this status, which is nginx's for the same case. */
function clientGone(): Response {
  return new Response(null, { status: 499 })
}

/** What the routes say of themselves. In development nothing, until a first page is asked for. */
function readRules(build: ServerBuild | null): { cacheable: ReadonlySet<string>; unlistedPaths: string[] } {
  const cacheable = build ? listRoutes(build).filter(({ contract }) => contract.isCacheable) : []
  return {
    cacheable: new Set(cacheable.map(({ path }) => path)),
    unlistedPaths: build ? unlistedPaths(build) : [],
  }
}

/**
 * Forbids every cache to keep an answer, unless its route says `cacheable`. On a shared computer the next person could
 * otherwise go back to a private page.
 */
function keepPrivate({ status, headers }: Response, route: string, cacheable: ReadonlySet<string>): void {
  const isGood = status === 200 || status === 304
  const isPage = PUBLIC_PAGE_PATTERNS.has(route)
  if (isGood && !headers.has('set-cookie')) {
    // Shown again by the back button, but asked for anew.
    if (isPage && !headers.has('cache-control')) headers.set('cache-control', 'no-cache')
    if ((isPage || cacheable.has(route)) && headers.has('cache-control')) return
  }
  if (!headers.get('cache-control')?.includes('no-store')) headers.set('cache-control', 'no-store')
}

/** What a person sees instead of an error of ours while a part that it needs is away; the rest reads the status. */
const AWAY_PAGE = `<!doctype html>
<html lang="en-AU">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Back in a moment</title>
<h1>Back in a moment</h1>
<p>We can’t reach our records just now, so nothing was changed. Please try again in a minute.</p>
<p>If you were filling in a form, go back: what you typed is still there.</p>
`
const TRY_AGAIN_AFTER_SECONDS = 5

/** A failure while the database or the file store is away or overrun says so: 503, and when to come again. */
function whileAway(answer: Response, request: Request): Response {
  if (!requestLog.getStore()?.isPartAway) return answer
  // It has its own words for it, as a form that keeps what was typed.
  if (answer.status === 503) answer.headers.set('retry-after', String(TRY_AGAIN_AFTER_SECONDS))
  if (answer.status !== 500) return answer
  const headers = new Headers({
    'retry-after': String(TRY_AGAIN_AFTER_SECONDS),
    'cache-control': 'no-store',
  })
  if (request.headers.get('accept')?.includes('text/html')) {
    headers.set('content-type', 'text/html; charset=utf-8')
    return new Response(AWAY_PAGE, { status: 503, headers })
  }
  for (const [name, value] of answer.headers) if (!headers.has(name)) headers.set(name, value)
  return new Response(answer.body, { status: 503, headers })
}

/** What is seen comes first: styles, fonts and the first picture, then the scripts, which the router preloads as urgently. */
function scriptsLast(html: string): string {
  return html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchPriority="low"')
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** As it was sent where there is a connection, so that no second reading of an address can differ from the first. */
function readAsked(request: Request, incoming: Incoming | undefined): Asked {
  if (incoming) return readIncoming(incoming)
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    target: pathname + search,
    acceptEncoding: request.headers.get('accept-encoding') ?? '',
    ifNoneMatch: request.headers.get('if-none-match') ?? '',
  }
}

/** Names requests in answers and log: no two are the same, in any process, and making one costs next to nothing. */
function createRequestIds(): () => string {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

/** The connection's address; a proxy of ours may name the client, whose own claim is never believed. */
function clientAddress(request: Request, incoming: Incoming | undefined, trustedProxy: boolean): string {
  const forwarded = trustedProxy
    ? request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()
    : undefined
  return plainAddress(forwarded || incoming?.socket?.remoteAddress || '127.0.0.1')
}

/** NULs and broken percent signs reach neither a route nor the database. */
function isDecodable(url: string): boolean {
  try {
    return !decodeURIComponent(url.replaceAll('+', ' ')).includes('\0')
  } catch {
    return false
  }
}

/** Loaders read every parameter, and a page may have to write them out again. */
function isTooLong(query: string): boolean {
  return query.length > MAX_QUERY_LENGTH || query.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS
}

/**
 * Refuses a write that another site's page makes with our visitor's cookies. Browsers always name the origin of
 * such a request; a client that names none has no cookies of ours to abuse.
 */
function isSameOrigin(request: Request, publicUrl: URL): boolean {
  const origin = request.headers.get('origin')
  if (!origin) return (request.headers.get('sec-fetch-site') ?? 'same-origin') === 'same-origin'
  return origin === publicUrl.origin || origin === new URL(request.url).origin
}
