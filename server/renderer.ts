import { randomBytes } from 'node:crypto'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import type { Topic } from '../app/adapters/live-updates/port.ts'
import {
  bodyRefusalContext,
  cacheTopicsContext,
  scriptMarkContext,
  searchWaitContext,
  servicesContext,
  unlistedPathsContext,
} from '../app/request-context.server.ts'
import { requestLog } from '../app/request-log.server.ts'
import type { Services } from '../app/services.server.ts'
import type { Pages } from './app.ts'
import type { RenderedPage } from './page-cache.ts'
import { withRefusals } from './refusals.ts'
import { listRoutes, unlistedPaths } from './route-contracts.ts'
import {
  ANALYTICS_ORIGINS,
  contentSecurityPolicy,
  firebaseAuthOrigins,
  STRIPE_ORIGINS,
  takeMarkedScripts,
} from './security-headers.ts'

type RouteRules = { cacheable: ReadonlySet<string>; unlistedPaths: string[] }

export type Renderer = {
  /** What the routes say of themselves now: in development they change. */
  rules(): RouteRules
  /**
   * Answers with React Router's routes.
   * @param about.cacheTopics takes the topics of a page that may be kept
   * @param about.waitSeconds until this address may search again
   * @param about.bodyRefusal answers for the action
   */
  render(
    request: Request,
    about?: { cacheTopics?: Set<Topic> | null; waitSeconds?: number; bodyRefusal?: (() => Response) | null },
  ): Promise<Response>
  /** From an address alone: of the visitor who happened to ask first, a page that is kept for all must know nothing. */
  renderForAll(key: string, cacheTopics: Set<Topic>): Promise<RenderedPage>
}

/**
 * Renders pages, each with the content security policy of its own document.
 * @param headersOfAll the headers of every answer, for pages that are kept
 */
export function createRenderer(
  services: Services,
  pages: Pages,
  headersOfAll: Record<string, string>,
): Renderer {
  const { config } = services
  const { build } = pages
  // In every page's policy, since navigation inside the browser keeps the first document's.
  const others = [
    ...(config.payments.provider === 'stripe' ? [STRIPE_ORIGINS] : []),
    ...(config.accounts.provider === 'firebase' ? [firebaseAuthOrigins(config.accounts.emulatorUrl)] : []),
    ...(config.firebase?.measurementId ? [ANALYTICS_ORIGINS] : []),
  ]
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

  const render: Renderer['render'] = async (
    request,
    { cacheTopics = null, waitSeconds = 0, bodyRefusal = null } = {},
  ) => {
    const context = new RouterContextProvider()
    context.set(servicesContext, services)
    context.set(cacheTopicsContext, cacheTopics)
    context.set(searchWaitContext, waitSeconds)
    context.set(bodyRefusalContext, bodyRefusal)
    context.set(unlistedPathsContext, rules.unlistedPaths)
    const mark = pages.development ? '' : randomBytes(16).toString('base64url')
    context.set(scriptMarkContext, mark)
    const response = await handlePage(request, context)
    if (request.signal.aborted) return clientGone()
    const answer = asUnavailable(response, request)
    if (waitSeconds > 0) answer.headers.set('retry-after', String(waitSeconds))
    if (pages.development || !answer.headers.get('content-type')?.startsWith('text/html')) return answer
    // The policy names the inline scripts of exactly this document, so the whole of it is needed first.
    const { html, scripts } = takeMarkedScripts(scriptsLast(await answer.text()), mark)
    answer.headers.set('content-security-policy', contentSecurityPolicy(scripts, others))
    return new Response(html, answer)
  }

  const renderForAll: Renderer['renderForAll'] = async (key, cacheTopics) => {
    const answer = await render(new Request(new URL(key, config.publicUrl)), { cacheTopics })
    const { status, headers } = answer
    // Browsers ask each time whether it has changed: an edit is seen at once, and an unchanged page costs no bytes.
    headers.set('cache-control', 'no-cache')
    for (const [name, value] of Object.entries(headersOfAll)) headers.set(name, value)
    return { status, headers, body: new Uint8Array(await answer.arrayBuffer()) }
  }

  return { rules: () => rules, render, renderForAll }
}

/** What the routes say of themselves. In development nothing, until a first page is asked for. */
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
export function asUnavailable(answer: Response, request: Request): Response {
  if (!requestLog.getStore()?.isDependencyUnavailable) return answer
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
