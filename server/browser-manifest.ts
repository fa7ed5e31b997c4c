/** A route of React Router's manifest for the browser, as far as this file reads it. */
type ManifestRoute = { id: string; parentId?: string; hasDefaultExport: boolean; imports?: string[] }
type Manifest = { entry?: { imports?: string[] }; routes: Record<string, ManifestRoute> }

const HEAD = 'window.__reactRouterManifest='
/** A route's id is its key, and each id twice is a twelfth of the compressed manifest. */
const IDS = 'for(const[id,route]of Object.entries(window.__reactRouterManifest.routes))route.id=id;'

/**
 * Makes the browser's manifest of routes smaller, since every page loads it. Leaves out the files and the API, which
 * the router never leads to, attributes that are false, imports that every page has loaded with its entry, and ids, which the
 * script sets. Sorts each route's imports by how many routes share them, so that compression finds longer repeats.
 * @param script the manifest as the build writes it
 */
export function slimManifest(script: string): string {
  if (!script.startsWith(HEAD)) throw new Error('The manifest of routes doesn’t begin as expected.')
  const manifest = JSON.parse(script.slice(HEAD.length).replace(/;\s*$/, '')) as Manifest
  const routes = Object.values(manifest.routes)
  const uses = new Map<string, number>()
  for (const name of routes.flatMap(({ imports = [] }) => imports)) uses.set(name, (uses.get(name) ?? 0) + 1)
  const ofEntry = new Set(manifest.entry?.imports)
  const byUses = (a: string, b: string) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0) || (a < b ? -1 : 1)
  const withPages = new Set(
    routes.filter((one) => one.hasDefaultExport).map((one) => topOf(one, manifest.routes)),
  )
  const slim = routes
    .filter((one) => withPages.has(topOf(one, manifest.routes)))
    .map((one) => {
      const entries = Object.entries({
        ...one,
        imports: one.imports?.filter((name) => !ofEntry.has(name)).toSorted(byUses),
      })
      return [
        one.id,
        Object.fromEntries(entries.filter(([name, value]) => name !== 'id' && value !== false)),
      ] as const
    })
  return `${HEAD}${JSON.stringify({ ...manifest, routes: Object.fromEntries(slim) })};${IDS}`
}

/** The id of the root's child that a route is below. The root is its own. */
function topOf(route: ManifestRoute, routes: Manifest['routes']): string {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId]
  return parent?.parentId === undefined ? route.id : topOf(parent, routes)
}
