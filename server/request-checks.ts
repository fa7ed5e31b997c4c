import type { MiddlewareHandler } from 'hono'
import type { Config } from '../app/config.server.ts'
import { WEBHOOK_PATHS } from './body-limit.ts'
import { type Incoming, readIncoming } from './cached-response.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** The longest search has 18 parameters. The rest allows for tracking parameters. */
const MAX_PARAMETERS = 50
const MAX_QUERY_LENGTH = 8_000

/**
 * Refuses a request with two Host headers (RFC 9112, 3.2): Node takes the first, and the proxy in front may have checked
 * the other.
 */
export const refuseTwoHosts: MiddlewareHandler<{ Bindings: { incoming?: Incoming } }> = async (c, next) => {
  const { incoming } = c.env ?? {}
  if (incoming && readIncoming(incoming).hosts > 1) return c.text('A request has one Host header.', 400)
  return next()
}

/**
 * Refuses URLs that can't be read or are too long, and writes from another site. Redirects a path in capitals to the
 * route's own spelling.
 * @param correctPath returns the route's spelling of a path if it differs
 */
export function checkRequests(
  config: Pick<Config, 'publicUrl'>,
  correctPath: (path: string) => string | null,
): MiddlewareHandler {
  return async (c, next) => {
    if (!isDecodable(c.req.url)) return c.text('This address can’t be read.', 400)
    if (isTooLong(new URL(c.req.url).search)) return c.text('This address is too long.', 414)
    if (
      !SAFE_METHODS.has(c.req.method) &&
      !WEBHOOK_PATHS.has(c.req.path) &&
      !isSameOrigin(c.req.raw, config.publicUrl)
    ) {
      return c.text('This request came from another site.', 403)
    }
    const path = correctPath(new URL(c.req.url).pathname)
    if (path) return c.redirect(`${path}${new URL(c.req.url).search}`, 308)
    // React Router also compares the origin, but with the URL as it arrived here. Behind a proxy that terminates TLS,
    // that is never the public URL. This request has passed our own check.
    const { headers } = c.req.raw
    if (headers.get('origin') === config.publicUrl.origin) headers.set('origin', new URL(c.req.url).origin)
    return next()
  }
}

/** Keeps NULs and broken percent-encoding away from routes and the database. */
function isDecodable(url: string): boolean {
  try {
    return !decodeURIComponent(url.replaceAll('+', ' ')).includes('\0')
  } catch {
    return false
  }
}

/** Limits the query, because loaders read every parameter and pages may repeat them in links. */
function isTooLong(query: string): boolean {
  return query.length > MAX_QUERY_LENGTH || query.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS
}

/**
 * Detects a write by another site's page with our visitor's cookies. Browsers always send the origin of such a request.
 * A client that sends none has no cookies of ours to abuse.
 */
function isSameOrigin(request: Request, publicUrl: URL): boolean {
  const origin = request.headers.get('origin')
  if (!origin) return (request.headers.get('sec-fetch-site') ?? 'same-origin') === 'same-origin'
  return origin === publicUrl.origin || origin === new URL(request.url).origin
}
