import { href } from 'react-router'
import { BUSINESS_ID, CATEGORY_PATHS } from '../features/businesses/rules.ts'
import { CACHED_PARAMETERS } from '../features/search/schema.ts'

/**
 * The pages that are the same for everybody and may be kept rendered, each with the parameters that its loader reads
 * and the values that are worth keeping. With any other parameter or value a page is rendered for that request alone,
 * so what is missing here costs time and never shows a wrong page.
 */
type KeptParameters = Readonly<Record<string, (value: string) => boolean>>

const page = (value: string) => /^[1-9]\d{0,2}$/.test(value)
/** Neither words nor dates: what few ask for, and what changes with every booking. */
const OVERVIEW: KeptParameters = CACHED_PARAMETERS
/** The page itself is the category. */
const { category: _, ...OF_CATEGORY } = OVERVIEW

const PAGES = new Map<string, KeptParameters>([
  [href('/'), {}],
  [href('/venues-vendors'), OVERVIEW],
  ...Object.values(CATEGORY_PATHS).map((path): [string, KeptParameters] => [path, OF_CATEGORY]),
  [href('/events'), {}],
  [href('/vendors'), { page }],
  [href('/vendorsprofile'), { id: (value) => /^[\w-]{1,100}$/.test(value) }],
  [href('/advice-support'), {}],
])

const BUSINESS_PATTERN = href('/business/:id', { id: ':id' })
const LANDING_PATTERN = href('/:category/in/:place', { category: ':category', place: ':place' })

const BUSINESS_PATH = new RegExp(`^${BUSINESS_PATTERN.replace(':id', '([^/]+)')}$`)
/** A category in a place: the place is one of ours, or the page is a 404, which is not kept. */
const LANDING_PATH = new RegExp(
  `^${LANDING_PATTERN.replace('/:category', '(/[a-z-]+)').replace(':place', '([a-z0-9-]{1,100})')}$`,
)

/** The routes of these pages, by their patterns. */
export const PUBLIC_PAGE_PATTERNS: ReadonlySet<string> = new Set([
  ...PAGES.keys(),
  BUSINESS_PATTERN,
  LANDING_PATTERN,
])

/** What links from elsewhere carry and no page of ours reads. */
const TRACKING =
  /^(utm_\w+|mc_cid|mc_eid|_gl|gclid|gbraid|wbraid|dclid|fbclid|msclkid|ttclid|igshid|srsltid|ref)$/

/** The calls of links inside the site: a page's data for the loader of one route. */
const DATA_PATH = /^(.*?)(?:\/_)?\.data$/

/**
 * Under what name a public page is kept: its path with the parameters that count, in one order, without those that are
 * empty or only track.
 * @param target path and query, as they were sent
 * @param routeIds the names of our routes
 * @returns null for everything that is not kept
 */
export function publicPageKey(target: string, routeIds: ReadonlySet<string>): string | null {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const parameters = parametersOf(path, routeIds)
  if (!parameters) return null
  if (mark < 0) return path
  const found = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(target.slice(mark + 1))) {
    if (TRACKING.test(name) || (value === '' && /^\w+$/.test(name))) continue
    if (found.has(name) || !Object.hasOwn(parameters, name) || !parameters[name]?.(value)) return null
    found.set(name, value)
  }
  if (found.size === 0) return path
  const query = new URLSearchParams([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
  return `${path}?${query}`
}

function parametersOf(path: string, routeIds: ReadonlySet<string>): KeptParameters | null {
  const dataOf = DATA_PATH.exec(path)?.[1]
  if (dataOf === undefined) return parametersOfPage(path)
  const parameters = parametersOfPage(dataOf || '/')
  return parameters && { ...parameters, _routes: (value) => routeIds.has(value) }
}

function parametersOfPage(path: string): KeptParameters | null {
  const known = PAGES.get(path)
  if (known) return known
  const landing = LANDING_PATH.exec(path)
  if (landing?.[1] && PAGES.has(landing[1])) return {}
  return BUSINESS_ID.test(BUSINESS_PATH.exec(path)?.[1] ?? '') ? {} : null
}
