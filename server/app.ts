import { randomBytes } from 'node:crypto'
import { type Context, type Handler, Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { href } from 'react-router'
import { CLIENT_ADDRESS_HEADER } from '../app/adapters/accounts/port.ts'
import { limitedAddress, plainAddress } from '../app/adapters/rate-limits/addresses.ts'
import type { Log } from '../app/log.server.ts'
import { type RequestLog, requestLog } from '../app/request-log.server.ts'
import { PUBLIC_PAGE_PATTERNS, publicPageKey } from '../app/routes/public-pages.ts'
import type { Services } from '../app/services.server.ts'
import { notInView, tooLargeBody } from '../app/shared/body-refusals.ts'
import { limitConcurrency, QueueFull } from '../app/shared/concurrency-limit.ts'
import { MANIFEST_PATH } from '../app/shared/route-discovery.ts'
import { removeLeftFiles } from '../app/shared/temporary-files.server.ts'
import type { App, Bindings, Pages } from './app-contract.ts'
import { readBodies } from './bodies.ts'
import {
  type CachedResponse,
  type Incoming,
  type Ready,
  type RequestHead,
  readIncoming,
  sendCached,
  toResponse,
} from './cached-response.ts'
import { createObservation, type Observation } from './observation.ts'
import { createPageCache, type PageCache } from './page-cache.ts'
import type { PageSharing } from './page-sharing.ts'
import { asUnavailable, clientGone, createRenderer, type Renderer } from './renderer.ts'
import { checkRequests, refuseTwoHosts } from './request-checks.ts'
import { answerInSpan } from './request-span.ts'
import { answerDiscovery, discoveryResponses } from './route-discovery.ts'
import { createRoutePatterns, type RoutePatterns } from './route-patterns.ts'
import { createSearchLimits, SUGGESTION_ROUTES } from './search-limits.ts'
import { securityHeaders } from './security-headers.ts'
import { seeAs } from './see-as.ts'
import { correctFilePath, readStaticFiles } from './static-files.ts'

/** Too frequent and too dull to log. */
const NOT_LOGGED = /^\/(assets|health|metrics)(\/|$)/
/**
 * How many public pages are rendered concurrently, and how many searches and how many other pages may wait. A page makes
 * several queries, a search a dozen. With hundreds of concurrent renders, each query would wait behind hundreds of others,
 * and all renders would hold their memory until the same late moment.
 */
export const MAX_CONCURRENT_RENDERS = 6
export const MAX_RENDERS_WAITING = 500

const VIEW_PATHS = {
  stop: href('/operations/see-as/:step?', { step: 'stop' }),
  after: `${href('/operations/accounts')}?view=ended`,
  live: href('/api/live'),
}

/** The connection's request; absent in tests that have no connection. */
/**
 * Builds the product: cached responses first, then React Router.
 * @param pages the built pages and the folder of the browser's files
 * @param sharing passes cached pages between the processes of one port; null for a single process
 */
export function createApp(services: Services, pages: Pages, sharing: PageSharing | null = null): App {
  const { config, log } = services
  const app = new Hono<Bindings>()
  const headersOfAll = securityHeaders(config.publicUrl.protocol === 'https:')
  const routes = createRoutePatterns(typeof pages.build === 'function' ? null : pages.build)
  const { patternOf, correctPath } = routes
  const { build } = pages
  const { rules, render, renderForAll } = createRenderer(services, pages, routes, headersOfAll)
  const files: ReadonlyMap<string, CachedResponse> = pages.clientFolder
    ? readStaticFiles(pages.clientFolder, headersOfAll)
    : new Map()
  const discovery = typeof build === 'function' ? null : discoveryResponses(build, headersOfAll)
  const routeIds = new Set(typeof build === 'function' ? [] : Object.keys(build.routes))
  const cache = pages.development
    ? null
    : createPageCache({
        maxBytes: config.pageCacheBytes,
        liveUpdates: services.liveUpdates,
        now: services.now,
        sharing,
      })
  const observation = createObservation(services, cache)
  const newRequestId = createRequestIds()
  removeLeftFiles()

  function findReady(head: RequestHead): Ready | null {
    if (!isRead(head.method) || head.hosts > 1) return null
    const mark = head.target.indexOf('?')
    const file = files.get(mark < 0 ? head.target : head.target.slice(0, mark)) ?? discovery?.get(head.target)
    if (file) return sendCached(file, head, ['x-request-id', newRequestId()])
    const key = mark < 0 ? head.target : publicPageKey(head.target, routeIds)
    const page = key ? cache?.find(key) : null
    if (!page) return null
    const answer = sendCached(page, head, ['x-request-id', newRequestId(), 'cache-status', 'pages; hit'])
    observation.sawCached(answer.status)
    return answer
  }

  app.use(recordAnswers({ services, headersOfAll, rules, newRequestId, observation }))
  app.use(refuseTwoHosts)
  observation.mount(app)
  app.use(compress())
  app.use(checkRequests(config, (path) => correctPath(path) ?? correctFilePath(files, path)))
  app.use(readBodies(services, (c) => (c.req.method === 'POST' ? refuseBody(c.req.raw) : tooLargeBody())))

  app.use(
    seeAs(services, {
      paths: VIEW_PATHS,
      patternOf,
      render: (request, view) => render(request, { view }),
      // Without the body, which no code may read any more. The address is of no page of the view, or its action is refused.
      refuse: ({ url, method, headers, signal }, view) =>
        render(new Request(url, { method, headers, signal }), { view, bodyRefusal: notInView }),
    }),
  )

  /** @returns the refusal as the route shows it, because a page has its own design */
  function refuseBody({ url, headers, signal }: Request): Promise<Response> {
    const about = requestLog.getStore()
    if (about) about.route = patternOf(new URL(url).pathname)
    // Without the body, which no code may read any more.
    return render(new Request(url, { method: 'POST', headers, signal }), { bodyRefusal: tooLargeBody })
  }

  if (pages.clientFolder) app.get('/assets/*', (c) => c.text('Not found', 404))
  // In development React Router answers itself.
  if (typeof build !== 'function') app.get(MANIFEST_PATH, (c) => answerDiscovery(build, new URL(c.req.url)))

  app.all(
    '*',
    answerPages({
      patternOf,
      routeIds,
      cache,
      searchLimitOf: createSearchLimits(services),
      render,
      renderForAll,
    }),
  )

  app.onError((error, c) => answerError(log, error, c))

  return {
    findReady,
    fetch(request, env) {
      const ready = findReady(readHead(request, env?.incoming))
      return ready ? toResponse(ready) : app.fetch(request, env)
    },
  }
}

/**
 * Answers with the cached page of an address, or renders it. Limits how often one IP address searches, and how many
 * public pages are rendered concurrently.
 * @param deps.cache null in development, where every request is rendered
 */
function answerPages({
  patternOf,
  routeIds,
  cache,
  searchLimitOf,
  render,
  renderForAll,
}: {
  patternOf: RoutePatterns['patternOf']
  routeIds: ReadonlySet<string>
  cache: PageCache | null
  searchLimitOf: ReturnType<typeof createSearchLimits>
} & Pick<Renderer, 'render' | 'renderForAll'>): Handler<Bindings> {
  // A person waits for a search. The other pages that aren't cached are seldom visited, mostly by crawlers.
  const limitRenders = limitConcurrency(MAX_CONCURRENT_RENDERS, MAX_RENDERS_WAITING)
  // They take a tenth of a page's time and are useless after the next letter, so they don't wait behind pages.
  const limitSuggestions = limitConcurrency(MAX_CONCURRENT_RENDERS, MAX_RENDERS_WAITING)
  return async (c) => {
    const about = requestLog.getStore()
    const route = patternOf(c.req.path)
    if (about) about.route = route
    const head = readHead(c.req.raw, c.env?.incoming)
    const key = cache && isRead(head.method) ? publicPageKey(head.target, routeIds) : null
    const limit = searchLimitOf(route)
    const inQueue = <Result>(work: () => Promise<Result>) =>
      SUGGESTION_ROUTES.has(route) ? limitSuggestions(work) : limitRenders(work, limit ? 'searches' : 'pages')
    const address = limitedAddress(c.req.raw)
    const waitSeconds = (key ? limit?.secondsToWait(address) : limit?.take(address)) ?? 0
    if (waitSeconds > 0) return render(c.req.raw, { waitSeconds })
    if (!cache || !key) return limit ? inQueue(() => render(c.req.raw)) : render(c.req.raw)
    const page = await cache.get(key, (cacheTopics) => {
      // A shared page counts against the visitor whose request caused the render.
      limit?.take(address)
      return inQueue(() => renderForAll(key, cacheTopics))
    })
    const status = `pages; fwd=miss${page.isNew ? '' : '; collapsed'}`
    if (page.cached) return toResponse(sendCached(page.cached, head, ['cache-status', status]))
    // Copy the headers, because each response adds its own.
    const headers = new Headers(page.headers)
    headers.set('cache-status', status)
    return new Response(head.method === 'HEAD' ? null : page.body, { status: page.status, headers })
  }
}

/** Gives each request an id, logs it, counts its response, and sets the headers that every response has. */
function recordAnswers({
  services: { config, log, traces },
  headersOfAll,
  rules,
  newRequestId,
  observation,
}: {
  services: Services
  headersOfAll: Record<string, string>
  rules: Renderer['rules']
  newRequestId: () => string
  observation: Observation
}): MiddlewareHandler<Bindings> {
  return async (c, next) => {
    const requestId = newRequestId()
    c.req.raw.headers.set(
      CLIENT_ADDRESS_HEADER,
      clientAddress(c.req.raw, c.env?.incoming, config.trustedProxy),
    )
    const started = performance.now()
    // The handler sets the route later. Files and refusals have none.
    const about: RequestLog = { requestId, route: 'none' }
    const answer = () => requestLog.run(about, next)
    await (NOT_LOGGED.test(c.req.path) ? answer() : answerInSpan(traces, c, about, answer))
    if (c.res.status === 500 && !about.hasErrorLine)
      log.error({ ...about, method: c.req.method }, 'status 500 without a logged error')
    for (const [name, value] of Object.entries(headersOfAll)) c.res.headers.set(name, value)
    const { cacheable, unlistedPaths } = rules()
    keepPrivate(c.res, about.route, cacheable)
    if (unlistedPaths.some((beginning) => c.req.path.startsWith(beginning)))
      c.res.headers.set('x-robots-tag', 'noindex')
    c.res.headers.set('x-request-id', requestId)
    const ms = performance.now() - started
    observation.saw(about.route, c.res.status, ms)
    if (NOT_LOGGED.test(c.req.path)) return
    log.info({ ...about, method: c.req.method, status: c.res.status, ms: Math.round(ms) }, 'request')
  }
}

function answerError(log: Log, error: Error, c: Context): Response {
  const about = requestLog.getStore()
  // Every request that waits for the same page gets this error.
  if (about && error instanceof QueueFull) about.isDependencyUnavailable = true
  if (about?.isDependencyUnavailable)
    return asUnavailable(c.text('Please try again in a minute.', 500), c.req.raw)
  const isCutOff = 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted'
  if (isCutOff || c.req.raw.signal.aborted) return clientGone()
  log.error({ err: error, method: c.req.method }, 'unexpected')
  return c.text('Something went wrong on our side. Please try again.', 500)
}

/**
 * Forbids caches to store a response, unless its page is public or its route is `cacheable`. On a shared computer the
 * next person could otherwise go back to a private page.
 */
function keepPrivate({ status, headers }: Response, route: string, cacheable: ReadonlySet<string>): void {
  const isGood = status === 200 || status === 304
  const isPage = PUBLIC_PAGE_PATTERNS.has(route)
  if (isGood && !headers.has('set-cookie')) {
    // The back button may show it again, but any other visit revalidates it.
    if (isPage && !headers.has('cache-control')) headers.set('cache-control', 'no-cache')
    if ((isPage || cacheable.has(route)) && headers.has('cache-control')) return
  }
  if (!headers.get('cache-control')?.includes('no-store')) headers.set('cache-control', 'no-store')
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Reads the head as it was sent, if there is a connection, so that the target isn't parsed twice in different ways. */
function readHead(request: Request, incoming: Incoming | undefined): RequestHead {
  if (incoming) return readIncoming(incoming)
  const { pathname, search } = new URL(request.url)
  return {
    method: request.method,
    target: pathname + search,
    hosts: 1,
    acceptEncoding: request.headers.get('accept-encoding') ?? '',
    ifNoneMatch: request.headers.get('if-none-match') ?? '',
  }
}

/** Makes ids for responses and the log: unique across processes, and very cheap. */
function createRequestIds(): () => string {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

/** The client's address: that of the connection, or that appended by our own proxy. Never the client's claim. */
function clientAddress(request: Request, incoming: Incoming | undefined, trustedProxy: boolean): string {
  const forwarded = trustedProxy
    ? request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()
    : undefined
  return plainAddress(forwarded || incoming?.socket?.remoteAddress || '127.0.0.1')
}
