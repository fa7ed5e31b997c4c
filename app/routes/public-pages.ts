import { href } from 'react-router'
import { ASKED_PARAMETERS } from '../features/businesses/asked-rules.ts'
import { BUSINESS_ID, CATEGORY_PATHS } from '../features/businesses/rules.ts'
import { CACHED_PARAMETERS } from '../features/search/schema.ts'

/**
 * The pages, and the suggestions, that are the same for every visitor and may be cached, each with the parameters that
 * its loader reads and the values worth caching. Any other parameter or value makes the page render for that request alone, so an omission
 * here costs time but never shows a wrong page.
 */
type CachedParameters = Readonly<Record<string, (value: string) => boolean>>

/** Visitors begin their searches with the same letters. Fewer share the rest. */
const MAX_SHARED_LETTERS = 12
const page = (value: string) => /^[1-9]\d{0,2}$/.test(value)
/** Neither words nor dates: few visitors share the same words, and every booking changes the results of a date. */
const OVERVIEW: CachedParameters = CACHED_PARAMETERS
/** The category is in the path. */
const { category: _, ...OF_CATEGORY } = OVERVIEW

const PAGES = new Map<string, CachedParameters>([
  [href('/'), {}],
  [href('/venues-vendors'), OVERVIEW],
  ...Object.values(CATEGORY_PATHS).map((path): [string, CachedParameters] => [path, OF_CATEGORY]),
  [href('/events'), {}],
  [href('/vendors'), { page }],
  [href('/vendorsprofile'), { id: (value) => /^[\w-]{1,100}$/.test(value) }],
  [href('/list-your-business'), {}],
  [href('/advice-support'), {}],
  [href('/help/:article?', {}), {}],
  [href('/api/suggestions'), { q: (value) => value.length <= MAX_SHARED_LETTERS }],
])

const BUSINESS_PATTERN = href('/business/:id', { id: ':id' })
const LANDING_PATTERN = href('/:category/in/:place', { category: ':category', place: ':place' })

const BUSINESS_PATH = new RegExp(`^${BUSINESS_PATTERN.replace(':id', '([^/]+)')}$`)
/** A category in a place. An unknown place gives a 404, which is not cached. */
const LANDING_PATH = new RegExp(
  `^${LANDING_PATTERN.replace('/:category', '(/[a-z-]+)').replace(':place', '([a-z0-9-]{1,100})')}$`,
)

/** A service, alone or in a place. Without a vendor it gives a 404, which is not cached. */
const SERVICE_PATTERN = href('/services/:service', { service: ':service' })
const SERVICE_IN_PLACE_PATTERN = href('/services/:service/in/:place', {
  service: ':service',
  place: ':place',
})
const SERVICE_PATH = new RegExp(
  `^${SERVICE_PATTERN.replace(':service', '[a-z-]{1,60}')}(?:/in/[a-z0-9-]{1,100})?$`,
)

/** An unknown article gives a 404, which is not cached. */
const HELP_PATTERN = href('/help/:article?', { article: ':article' })
const HELP_PATH = new RegExp(`^${HELP_PATTERN.replace(':article', '[a-z-]{1,60}')}$`)

/** A document. An unknown one gives a 404, which is not cached. */
const LEGAL_PATTERN = href('/legal/:document', { document: ':document' })
const LEGAL_PATH = new RegExp(`^${LEGAL_PATTERN.replace(':document', '[a-z0-9-]{1,60}')}$`)

/** The route patterns of these pages. */
export const PUBLIC_PAGE_PATTERNS: ReadonlySet<string> = new Set([
  ...PAGES.keys(),
  BUSINESS_PATTERN,
  LANDING_PATTERN,
  SERVICE_PATTERN,
  SERVICE_IN_PLACE_PATTERN,
  `${HELP_PATTERN}?`,
  LEGAL_PATTERN,
])

/** The parameters that a search passes on to a business's page. The browser reads them, so the document is the same. */
const ASKED: ReadonlySet<string> = new Set(ASKED_PARAMETERS)

/** Parameters that links from elsewhere add and no page of ours reads. */
const TRACKING =
  /^(utm_\w+|mc_cid|mc_eid|_gl|gclid|gbraid|wbraid|dclid|fbclid|msclkid|ttclid|igshid|srsltid|ref)$/

/** Requests of links inside the site: a page's data for the loader of one route. */
const DATA_PATH = /^(.*?)(?:\/_)?\.data$/

/**
 * Returns the cache key of a public page: its path with the parameters that matter, in a fixed order, without empty and
 * tracking ones.
 * @param target path and query, as sent
 * @param routeIds the ids of our routes
 * @returns null if the page is not cached
 */
export function publicPageKey(target: string, routeIds: ReadonlySet<string>): string | null {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const parameters = parametersOf(path, routeIds)
  if (!parameters) return null
  if (mark < 0) return path
  const found = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(target.slice(mark + 1))) {
    if (
      TRACKING.test(name) ||
      (ASKED.has(name) && isBusinessPath(path)) ||
      (value === '' && /^\w+$/.test(name))
    )
      continue
    if (found.has(name) || !Object.hasOwn(parameters, name) || !parameters[name]?.(value)) return null
    found.set(name, value)
  }
  if (found.size === 0) return path
  const query = new URLSearchParams([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
  return `${path}?${query}`
}

/** Also of its data for a navigation inside the site. */
function isBusinessPath(path: string): boolean {
  return BUSINESS_PATH.test(DATA_PATH.exec(path)?.[1] ?? path)
}

function parametersOf(path: string, routeIds: ReadonlySet<string>): CachedParameters | null {
  const dataOf = DATA_PATH.exec(path)?.[1]
  if (dataOf === undefined) return parametersOfPage(path)
  const parameters = parametersOfPage(dataOf || '/')
  return parameters && { ...parameters, _routes: (value) => routeIds.has(value) }
}

function parametersOfPage(path: string): CachedParameters | null {
  const known = PAGES.get(path)
  if (known) return known
  const landing = LANDING_PATH.exec(path)
  if (landing?.[1] && PAGES.has(landing[1])) return {}
  if (HELP_PATH.test(path) || LEGAL_PATH.test(path) || SERVICE_PATH.test(path)) return {}
  return BUSINESS_ID.test(BUSINESS_PATH.exec(path)?.[1] ?? '') ? {} : null
}
