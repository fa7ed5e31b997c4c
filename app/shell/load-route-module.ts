import type { Deferred } from '../ui/deferred.tsx'
import { forgetReload } from '../ui/reload-once.ts'

/** The chunk load timeout (Specification, section 9). */
const CHUNK_TIMEOUT_MS = 120_000

/** A page's script could not be fetched. The message is the script's address. */
export class RouteModuleMissing extends Error {
  override name = 'RouteModuleMissing'
}

let firstMissing: RouteModuleMissing | null = null

/**
 * The first route module that this document could not fetch. Browsers and React Router cache such a failure for the
 * document's lifetime, so only another document can show that page.
 */
export const missingRouteModule = () => firstMissing

/** A route's `handle`: the deferred parts whose HTML is in the document. */
export type RouteHandle = { deferred: readonly Pick<Deferred<never>, 'fetch'>[] }

/**
 * Replaces React Router's function of this name in a build (vite.config.ts, decision 23). React Router's own reloads
 * the page being left on every failure, forever if that page redirects automatically, and waits forever for a script
 * that never arrives. This one records the failure, and `keepPage` decides, because it knows the destination. The
 * page's deferred parts are fetched at the same time, because a page rendered by the browser has none of their HTML.
 * @public
 */
export async function loadRouteModule(
  route: { id: string; module: string },
  cache: Record<string, unknown>,
): Promise<unknown> {
  if (route.id in cache) return cache[route.id]
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DOMException(route.module, 'TimeoutError')), CHUNK_TIMEOUT_MS)
  })
  try {
    const found = await Promise.race([findModule(route.module), tooLate])
    cache[route.id] = found
    forgetReload(route.module)
    return found
  } catch (cause) {
    const error = new RouteModuleMissing(route.module, { cause })
    firstMissing ??= error
    return failing(error)
  } finally {
    clearTimeout(timer)
  }
}

async function findModule(address: string): Promise<unknown> {
  const found = (await import(/* @vite-ignore */ address)) as { handle?: RouteHandle }
  await Promise.all(found.handle?.deferred.map((part) => part.fetch()) ?? [])
  return found
}

/** Returns a module that throws when it is used. If loading it threw, the router would show an empty page. */
function failing(error: RouteModuleMissing) {
  const fail = () => {
    throw error
  }
  return { default: fail, clientLoader: fail, clientAction: fail }
}
