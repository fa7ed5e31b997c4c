/** A route of React Router's manifest for the browser: the part that this file reads. */
type ManifestRoute = { id: string; parentId?: string; hasDefaultExport: boolean; imports?: string[] }
type Routes = Record<string, ManifestRoute | undefined>
export type Manifest = { entry?: { imports?: string[] }; routes: Routes }

const HEAD = 'window.__reactRouterManifest='
/** A route's id is its key, and each id twice is a twelfth of the compressed manifest. */
const IDS = 'for(const[id,route]of Object.entries(window.__reactRouterManifest.routes))route.id=id;'

/**
 * The private sections, by the routes at their top. Pages outside a section discover its routes when somebody goes there
 * (docs/decisions/0073-private-routes-are-discovered.md).
 */
const SECTIONS: Readonly<Record<string, string>> = {
  'routes/account/layout': 'account',
  'routes/dashboard/layout': 'dashboard',
  'routes/operations/layout': 'operations',
  'routes/sandbox/console': 'sandbox',
  'routes/sandbox/account': 'sandbox',
}
export const SECTION_NAMES: readonly string[] = [...new Set(Object.values(SECTIONS))]

/** The private section that a route belongs to; null for a public route. */
export function sectionOf(
  id: string,
  routes: Readonly<Record<string, { parentId?: string } | undefined>>,
): string | null {
  const section = SECTIONS[id]
  if (section !== undefined) return section
  const parentId = routes[id]?.parentId
  return parentId === undefined ? null : sectionOf(parentId, routes)
}

/**
 * The address of a document's manifest.
 * @param url the manifest's address as the build names it: that of public pages
 */
export function manifestUrl(url: string, section: string | null): string {
  return section === null ? url : url.replace(/\.js$/, () => `-${section}.js`)
}

/**
 * Makes a manifest of routes for the pages of a section, or for public ones. Leaves out other sections' routes, and sets
 * the ids by script.
 * @param script the manifest as the build writes it
 */
export function slimManifest(script: string, section: string | null): string {
  if (!script.startsWith(HEAD)) throw new Error('The manifest of routes doesn’t begin as expected.')
  const manifest = JSON.parse(script.slice(HEAD.length).replace(/;\s*$/, '')) as Manifest
  const routes = slimRoutes(manifest, (of) => of === null || of === section)
  for (const route of Object.values(routes)) delete route.id
  return `${HEAD}${JSON.stringify({ ...manifest, routes })};${IDS}`
}

/**
 * Leaves out the files and the API, which the router never leads to, attributes that are false, and imports that every
 * page has loaded with its entry. Sorts each route's imports by how many routes share them, so that compression finds
 * longer repeats.
 * @param isWanted chooses routes by their section
 */
export function slimRoutes(
  { entry, routes: all }: Manifest,
  isWanted: (section: string | null) => boolean,
): Record<string, { id?: string }> {
  const routes = Object.values(all).filter((route) => route !== undefined)
  const uses = new Map<string, number>()
  for (const name of routes.flatMap(({ imports = [] }) => imports)) uses.set(name, (uses.get(name) ?? 0) + 1)
  const ofEntry = new Set(entry?.imports)
  const byUses = (a: string, b: string) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0) || (a < b ? -1 : 1)
  const withPages = new Set(routes.filter((one) => one.hasDefaultExport).map((one) => topOf(one, all)))
  return Object.fromEntries(
    routes
      .filter((one) => withPages.has(topOf(one, all)) && isWanted(sectionOf(one.id, all)))
      .map((one) => {
        const imports = one.imports?.filter((name) => !ofEntry.has(name)).toSorted(byUses)
        const entries = Object.entries({ ...one, imports })
        return [one.id, Object.fromEntries(entries.filter(([, value]) => value !== false))]
      }),
  )
}

/** The id of the root's child that a route is below. The root is its own. */
function topOf(route: ManifestRoute, routes: Routes): string {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId]
  return parent?.parentId === undefined ? route.id : topOf(parent, routes)
}
