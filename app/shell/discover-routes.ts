import { useEffect } from 'react'
import {
  UNSAFE_createClientRoutes as createClientRoutes,
  type UNSAFE_getPatchRoutesOnNavigationFunction as GetPatchRoutes,
  type UNSAFE_useFogOFWarDiscovery as UseDiscovery,
} from 'react-router'
import { discoveryAddress, firstSegment } from '../shared/route-discovery.ts'

type Router = Parameters<typeof UseDiscovery>[0]
type Manifest = Parameters<typeof UseDiscovery>[1]
type RouteModules = Parameters<typeof UseDiscovery>[2]

/** As long as a script may take (load-route-module.ts). */
const DISCOVERY_TIMEOUT_MS = 120_000

/** The requests of this document, by the first segment of the paths that they are for. */
const requests = new Map<string, Promise<boolean>>()
/** The segments whose last request failed. */
const undiscovered = new Set<string>()

/** Whether the routes of a path could not be fetched, so that the route that the router found for it is another's. */
export const isUndiscovered = (path: string): boolean => undiscovered.has(firstSegment(path))

/**
 * Replaces React Router's function of this name in a build (vite.config.ts, decision 73). React Router's own asks again for
 * each address with a parameter, although the route is known, and shows an error page in place of the present one when the
 * connection fails. This one asks once for each section, and `keepPage` handles a failure.
 * @public
 */
export const getPatchRoutesOnNavigationFunction: typeof GetPatchRoutes =
  (getRouter, manifest, routeModules) =>
  async ({ path }) => {
    if (!isKnown(getRouter(), path)) await discover(path, getRouter(), manifest, routeModules)
  }

/**
 * Replaces React Router's hook of this name in a build. React Router's own asks for the routes of all links of each page.
 * This one begins when a person points at a link, touches it or moves the focus to it.
 * @public
 */
export const useFogOFWarDiscovery: typeof UseDiscovery = (router, manifest, routeModules) =>
  useEffect(() => {
    const onIntent = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null
      if (!link || link.origin !== window.location.origin || isKnown(router, link.pathname)) return
      void discover(link.pathname, router, manifest, routeModules)
    }
    document.addEventListener('pointerover', onIntent, { passive: true })
    document.addEventListener('focusin', onIntent)
    return () => {
      document.removeEventListener('pointerover', onIntent)
      document.removeEventListener('focusin', onIntent)
    }
  }, [router, manifest, routeModules])

/**
 * Whether the router knows a path's own route. Sections are known whole, so only a route for all other paths may hide one
 * that isn't known (tests/lazy-routes.test.ts).
 */
function isKnown(router: Router, path: string): boolean {
  const leaf = router.match(path)?.at(-1)?.route
  return leaf !== undefined && !leaf.path?.endsWith('*')
}

/** Makes the routes of a path's section known. A failure is recorded, and the next navigation tries again. */
async function discover(
  path: string,
  router: Router,
  manifest: Manifest,
  routeModules: RouteModules,
): Promise<void> {
  const segment = firstSegment(path)
  const request = requests.get(segment) ?? addRoutes(segment, router, manifest, routeModules)
  requests.set(segment, request)
  if (await request) {
    undiscovered.delete(segment)
    return
  }
  undiscovered.add(segment)
  requests.delete(segment)
}

/** @returns false without a response, or with that of another release, which has other routes */
async function addRoutes(
  segment: string,
  router: Router,
  manifest: Manifest,
  routeModules: RouteModules,
): Promise<boolean> {
  try {
    const response = await fetch(discoveryAddress(segment, manifest.version), {
      signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS),
    })
    if (response.status !== 200) return false
    const found = (await response.json()) as Manifest['routes']
    const isNew = ([id]: [string, unknown]) => !(id in manifest.routes)
    const routes = Object.fromEntries(Object.entries(found).filter(isNew))
    Object.assign(manifest.routes, routes)
    const parents = new Set(Object.values(routes).map((route) => route?.parentId))
    for (const parent of parents)
      if (parent !== undefined && !(parent in routes))
        router.patchRoutes(
          parent,
          createClientRoutes(routes as never, routeModules, null, true, false, parent),
        )
    return true
  } catch {
    return false
  }
}
