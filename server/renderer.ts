import { randomBytes } from 'node:crypto'
import {
  createRequestHandler,
  type RequestHandler,
  RouterContextProvider,
  type ServerBuild,
} from 'react-router'
import type { Topic } from '../app/adapters/live-updates/port.ts'
import {
  bodyRefusalContext,
  cacheTopicsContext,
  documentContext,
  type OperatorViewContext,
  operatorViewContext,
  scriptMarkContext,
  searchWaitContext,
  servicesContext,
  unlistedPathsContext,
} from '../app/request-context.server.ts'
import { requestLog } from '../app/request-log.server.ts'
import type { Services } from '../app/services.server.ts'
import type { Pages } from './app-contract.ts'
import { manifestUrl, sectionOf } from './browser-manifest.ts'
import { encodeDocument, sendDocument } from './document-response.ts'
import type { RenderedPage } from './page-cache.ts'
import { withRefusals } from './refusals.ts'
import { listRoutes, unlistedPaths } from './route-contracts.ts'
import type { RoutePatterns } from './route-patterns.ts'
import {
  ANALYTICS_ORIGINS,
  contentSecurityPolicy,
  firebaseAuthOrigins,
  mapOrigins,
  STRIPE_ORIGINS,
  STRIPE_PAYOUT_ORIGINS,
  takeMarkedScripts,
} from './security-headers.ts'

/** A response, and the bytes of its body if it is one of our documents, which are then not in the response. */
type Rendered = { answer: Response; document: Buffer<ArrayBuffer> | null }

type RouteRules = { cacheable: ReadonlySet<string>; unlistedPaths: string[] }

export type Renderer = {
  /** The routes' current rules, which change in development. */
  rules(): RouteRules
  /**
   * Renders a response with React Router's routes.
   * @param about.waitSeconds the seconds until this address may search again
   * @param about.bodyRefusal makes the response in place of the action
   * @param about.view an operator's view of the product as another account
   */
  render(
    request: Request,
    about?: {
      waitSeconds?: number
      bodyRefusal?: (() => Response) | null
      view?: OperatorViewContext | null
    },
  ): Promise<Response>
  /** Renders a shared page from its URL alone, because a cached page must contain nothing of the first visitor. */
  renderForAll(key: string, cacheTopics: Set<Topic>): Promise<RenderedPage>
}

/**
 * Renders pages, each with the content security policy of its own document.
 * @param headersOfAll the headers of every response, for cached pages
 */
export function createRenderer(
  services: Services,
  pages: Pages,
  routes: RoutePatterns,
  headersOfAll: Record<string, string>,
): Renderer {
  const { config } = services
  const { build } = pages
  // Every page's policy needs these, because client-side navigation keeps the first document's policy.
  const others = [
    ...(config.payments.provider === 'stripe' ? [STRIPE_ORIGINS] : []),
    ...(config.payouts.provider === 'stripe' ? [STRIPE_PAYOUT_ORIGINS] : []),
    ...(config.accounts.provider === 'firebase' ? [firebaseAuthOrigins(config.accounts.emulatorUrl)] : []),
    ...(config.firebase?.measurementId ? [ANALYTICS_ORIGINS] : []),
    ...(config.mapStyleUrl ? [mapOrigins(config.mapStyleUrl)] : []),
  ]
  let rules = readRules(typeof build === 'function' ? null : build)
  const handlePage =
    typeof build === 'function'
      ? createRequestHandler(
          async () => {
            const fresh = await build()
            rules = readRules(fresh)
            return withRefusals(fresh)
          },
          pages.development ? 'development' : 'production',
        )
      : createPageHandler(withRefusals(build), routes)

  /** @param about.cacheTopics collects the topics of a page that may be cached */
  async function renderWith(
    request: Request,
    about: {
      cacheTopics?: Set<Topic>
      waitSeconds?: number
      bodyRefusal?: (() => Response) | null
      view?: OperatorViewContext | null
    },
  ): Promise<Rendered> {
    const { cacheTopics = null, waitSeconds = 0, bodyRefusal = null, view = null } = about
    const context = new RouterContextProvider()
    context.set(servicesContext, services)
    context.set(cacheTopicsContext, cacheTopics)
    context.set(searchWaitContext, waitSeconds)
    context.set(bodyRefusalContext, bodyRefusal)
    context.set(operatorViewContext, view)
    context.set(unlistedPathsContext, rules.unlistedPaths)
    const mark = pages.development ? '' : randomBytes(16).toString('base64url')
    context.set(scriptMarkContext, mark)
    const response = await handlePage(request, context)
    if (request.signal.aborted) return { answer: clientGone(), document: null }
    const answer = asUnavailable(response, request)
    if (waitSeconds > 0) answer.headers.set('retry-after', String(waitSeconds))
    if (pages.development || !answer.headers.get('content-type')?.startsWith('text/html'))
      return { answer, document: null }
    // Not one of our documents: a mail of the outbox, with a stricter policy of its own.
    if (answer.headers.has('content-security-policy')) return { answer, document: null }
    const html = (answer === response && context.get(documentContext)) || (await answer.text())
    // The policy lists the inline scripts of exactly this document, so the whole document is needed first.
    const { pieces, scripts } = takeMarkedScripts(html, mark)
    answer.headers.set('content-security-policy', contentSecurityPolicy(scripts, others))
    return { answer, document: encodeDocument(scriptsLast(pieces)) }
  }

  const render: Renderer['render'] = async (request, about = {}) => {
    const { answer, document } = await renderWith(request, about)
    return document ? sendDocument(answer, document, request) : answer
  }

  const renderForAll: Renderer['renderForAll'] = async (key, cacheTopics) => {
    const { answer, document } = await renderWith(new Request(new URL(key, config.publicUrl)), {
      cacheTopics,
    })
    const { status, headers } = answer
    // Browsers revalidate each time: an edit is visible at once, and an unchanged page costs no bytes. Only suggestions
    // say how old they may be.
    if (!headers.get('cache-control')?.startsWith('public')) headers.set('cache-control', 'no-cache')
    for (const [name, value] of Object.entries(headersOfAll)) headers.set(name, value)
    return { status, headers, body: document ?? new Uint8Array(await answer.arrayBuffer()) }
  }

  return { rules: () => rules, render, renderForAll }
}

/**
 * Gives each route a handler of its own, which knows this route and its layouts. React Router's handler would try all
 * routes for each request, twice, and prepare every one of them again for each document.
 */
function createPageHandler(build: ServerBuild, routes: RoutePatterns): RequestHandler {
  const all = createRequestHandler(build, 'production')
  const handlers = new Map<string, RequestHandler>()
  return (request, context) => {
    const id = routes.routeIdOf(new URL(request.url).pathname)
    if (id === null) return all(request, context)
    const handler = handlers.get(id) ?? createRequestHandler(onlyRoute(build, id), 'production')
    handlers.set(id, handler)
    return handler(request, context)
  }
}

/** The build with one route and its layouts alone. Its documents name the manifest of their section. */
function onlyRoute(build: ServerBuild, id: string): ServerBuild {
  const kept = new Set<string>()
  for (let route = build.routes[id]; route; route = build.routes[route.parentId ?? '']) kept.add(route.id)
  const keep = <Value>(all: Record<string, Value>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => kept.has(name)))
  return {
    ...build,
    routes: keep(build.routes),
    assets: {
      ...build.assets,
      url: manifestUrl(build.assets.url, sectionOf(id, build.routes)),
      routes: keep(build.assets.routes),
    },
  }
}

/** Reads the routes' rules. In development there are none until the first page is requested. */
function readRules(build: ServerBuild | null): RouteRules {
  const cacheable = build ? listRoutes(build).filter(({ contract }) => contract.isCacheable) : []
  return {
    cacheable: new Set(cacheable.map(({ path }) => path)),
    unlistedPaths: build ? unlistedPaths(build) : [],
  }
}

/** The client disconnected, so only logs and metrics see this status, which is nginx's for the same case. */
export function clientGone(): Response {
  return new Response(null, { status: 499 })
}

/** The page that a person sees while a dependency is unavailable. Programs read the status. */
const UNAVAILABLE_PAGE = `<!doctype html>
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

/** Turns a failure into 503 with Retry-After if the database or the file store is unavailable or overloaded. */
export function asUnavailable(answer: Response, request: Request): Response {
  if (!requestLog.getStore()?.isDependencyUnavailable) return answer
  // The response has its own message, such as a form that keeps the typed values.
  if (answer.status === 503) answer.headers.set('retry-after', String(TRY_AGAIN_AFTER_SECONDS))
  if (answer.status !== 500) return answer
  const headers = new Headers({
    'retry-after': String(TRY_AGAIN_AFTER_SECONDS),
    'cache-control': 'no-store',
  })
  if (request.headers.get('accept')?.includes('text/html')) {
    headers.set('content-type', 'text/html; charset=utf-8')
    return new Response(UNAVAILABLE_PAGE, { status: 503, headers })
  }
  for (const [name, value] of answer.headers) if (!headers.has(name)) headers.set(name, value)
  return new Response(answer.body, { status: 503, headers })
}

/**
 * Lowers the priority of preloaded scripts, so that styles, fonts and the first picture arrive before them.
 * @param pieces a document; its preloads are in the head
 */
function scriptsLast(pieces: readonly string[]): string[] {
  const last = pieces.findIndex((piece) => piece.includes(HEAD_END))
  return pieces.flatMap((piece, at) => {
    if (at > last) return [piece]
    const end = at === last ? piece.indexOf(HEAD_END) : piece.length
    const head = piece
      .slice(0, end)
      .replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchPriority="low"')
    return [head, piece.slice(end)]
  })
}

const HEAD_END = '</head>'
