import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import { CLIENT_ADDRESS_HEADER } from '../app/adapters/accounts/port.ts'
import { servicesContext } from '../app/request-context.server.ts'
import { requestLog } from '../app/request-log.server.ts'
import type { Services } from '../app/services.server.ts'
import { createObservation, createRouteNames } from './observation.ts'
import {
  ANALYTICS_ORIGINS,
  contentSecurityPolicy,
  firebaseAuthOrigins,
  STRIPE_ORIGINS,
  securityHeaders,
} from './security-headers.ts'

const MAX_BODY_BYTES = 12 * 1024 * 1024
/** What comes all the time and says nothing. */
const NOT_LOGGED = /^\/(assets|health|metrics)(\/|$)/
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const WEBHOOK_PATH = '/webhooks/payments'

type Bindings = { Bindings: { incoming?: IncomingMessage } }

/** What development swaps: there the pages and the contexts come fresh from Vite. */
export type Pages = {
  build: ServerBuild | (() => Promise<ServerBuild>)
  clientFolder: string | null
  /** Vite's own inline scripts and socket are let through. */
  development?: boolean
}

/**
 * The whole product as one function from Request to Response: static files, then React Router.
 * @param pages the built pages and the folder of the browser's files
 */
export function createApp(services: Services, pages: Pages) {
  const { config, log } = services
  const app = new Hono<Bindings>()
  const secure = config.publicUrl.protocol === 'https:'
  // In every page's policy, since navigation inside the browser keeps the first document's.
  const others = [
    ...(config.payments.provider === 'stripe' ? [STRIPE_ORIGINS] : []),
    ...(config.accounts.provider === 'firebase' ? [firebaseAuthOrigins(config.accounts.emulatorUrl)] : []),
    ...(config.firebase?.measurementId ? [ANALYTICS_ORIGINS] : []),
  ]
  const observation = createObservation(services)
  const routeOf = createRouteNames(typeof pages.build === 'function' ? null : pages.build)
  const handlePage = createRequestHandler(pages.build, pages.development ? 'development' : 'production')

  app.use(async (c, next) => {
    const requestId = randomBytes(8).toString('hex')
    c.req.raw.headers.set(
      CLIENT_ADDRESS_HEADER,
      clientAddress(c.req.raw, c.env?.incoming, config.trustedProxy),
    )
    const started = performance.now()
    // Whoever answers the address names the route: files and refusals have none.
    const about = { requestId, route: 'none' }
    await requestLog.run(about, next)
    for (const [name, value] of Object.entries(securityHeaders(secure))) c.res.headers.set(name, value)
    c.res.headers.set('x-request-id', requestId)
    const ms = performance.now() - started
    observation.saw({ route: about.route, status: c.res.status, ms })
    if (NOT_LOGGED.test(c.req.path)) return
    log.info({ ...about, method: c.req.method, status: c.res.status, ms: Math.round(ms) }, 'request')
  })

  observation.mount(app)

  app.use(compress())

  if (pages.clientFolder) {
    // Names in assets/ hold a hash of their content, so they never change.
    app.use('/assets/*', staticFiles(pages.clientFolder, 'public, max-age=31536000, immutable'))
    app.get('/assets/*', (c) => c.text('Not found', 404))
    app.use(staticFiles(pages.clientFolder, 'public, max-age=3600'))
  }

  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.text('This is too large to send.', 413) }))

  app.use(async (c, next) => {
    if (!isDecodable(c.req.url)) return c.text('This address can’t be read.', 400)
    if (
      !SAFE_METHODS.has(c.req.method) &&
      c.req.path !== WEBHOOK_PATH &&
      !isSameOrigin(c.req.raw, config.publicUrl)
    ) {
      return c.text('This request came from another site.', 403)
    }
    return next()
  })

  app.all('*', async (c) => {
    const about = requestLog.getStore()
    if (about) about.route = routeOf(c.req.path)
    const context = new RouterContextProvider()
    context.set(servicesContext, services)
    const answer = await handlePage(c.req.raw, context)
    if (pages.development || !answer.headers.get('content-type')?.startsWith('text/html')) return answer
    // The policy names the inline scripts of exactly this document, so the whole of it is needed first.
    const html = await answer.text()
    answer.headers.set('content-security-policy', contentSecurityPolicy(html, others))
    return new Response(html, answer)
  })

  app.onError((error, c) => {
    log.error({ err: error, method: c.req.method }, 'unexpected')
    return c.text('Something went wrong on our side. Please try again.', 500)
  })

  return app
}

/** Files of a folder. `onFound` is too late for a header: the answer is made by then. */
function staticFiles(root: string, cacheControl: string): MiddlewareHandler {
  const serve = serveStatic({ root, precompressed: true })
  return async (c, next) => {
    const answer = await serve(c, next)
    if (answer?.ok) answer.headers.set('cache-control', cacheControl)
    return answer
  }
}

/** The connection's address; a proxy of ours may name the client, whose own claim is never believed. */
function clientAddress(
  request: Request,
  incoming: IncomingMessage | undefined,
  trustedProxy: boolean,
): string {
  const forwarded = trustedProxy
    ? request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim()
    : undefined
  return forwarded || incoming?.socket?.remoteAddress || '127.0.0.1'
}

/** NULs and broken percent signs reach neither a route nor the database. */
function isDecodable(url: string): boolean {
  try {
    return !decodeURIComponent(url.replaceAll('+', ' ')).includes('\0')
  } catch {
    return false
  }
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
