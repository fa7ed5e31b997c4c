import type { Later } from '../ui/later.tsx'
import { claimReload, forgetReload } from '../ui/reload-once.ts'

/** A page's script could not be fetched, after a reload either. */
export class RouteModuleMissing extends Error {
  override name = 'RouteModuleMissing'
}

/** What a route's `handle` may hold: the parts of its page that come later when the document came with their HTML. */
export type RouteHandle = { later: readonly Pick<Later<never>, 'load'>[] }

/**
 * Stands in for React Router's function of this name (vite.config.ts), which reloads the page on every failure and so
 * without an end where a page leads on by itself. This one reloads once for each module (Specification, section 8);
 * if that does not help, the error boundary says so. Parts that come later come with it: a page that the browser draws
 * has no HTML of theirs to show.
 * @public
 */
export async function loadRouteModule(
  route: { id: string; module: string },
  cache: Record<string, unknown>,
): Promise<unknown> {
  if (route.id in cache) return cache[route.id]
  try {
    const found = (await import(/* @vite-ignore */ route.module)) as { handle?: RouteHandle }
    await Promise.all(found.handle?.later.map((part) => part.load()) ?? [])
    cache[route.id] = found
    forgetReload(route.module)
    return found
  } catch (error) {
    if (!claimReload(route.module)) return missing(route.module, error)
    window.location.reload()
    // The page is going; nothing is to be shown of the failure meanwhile.
    return new Promise(() => {})
  }
}

/** A module that fails when it is used: the router shows nothing at all where the loading itself fails. */
function missing(address: string, cause: unknown) {
  const fail = () => {
    throw new RouteModuleMissing(address, { cause })
  }
  return { default: fail, clientLoader: fail, clientAction: fail }
}
