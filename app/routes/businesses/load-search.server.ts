import { href as hrefOf, redirect } from 'react-router'
import { listBusinessPlaces } from '../../features/businesses/market-queries.server.ts'
import { CATEGORY_PATHS, type Category } from '../../features/businesses/rules.ts'
import { queryOf, searchTermsOf } from '../../features/search/filter-messages.ts'
import { SORTS } from '../../features/search/filter-rules.ts'
import { forQuantityText, foundText, notesOf, SORT_TEXTS } from '../../features/search/messages.ts'
import { findPlaceNames } from '../../features/search/place-queries.server.ts'
import {
  isBusinessName,
  listFound,
  listRelaxed,
  type SearchHit,
} from '../../features/search/queries.server.ts'
import { parseQuery, placesInQuery } from '../../features/search/query-schema.ts'
import { categoriesOf, totalOf } from '../../features/search/rules.ts'
import {
  changesWithEdits,
  fieldsOf,
  firstPage,
  isSearching,
  readSearch,
  SEARCH_PARAMETERS,
  type Search,
  searchHref,
  sortOf,
  tidySearch,
} from '../../features/search/schema.ts'
import type { Services } from '../../services.server.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { formatMoney } from '../../shared/money.ts'
import { cardTopics, type ListingChange, listTopics, SUGGESTED_PLACES_TOPIC } from '../page-topics.ts'

/** Where most visitors are, when they say 'Saturday'. */
const HOME_ZONE = 'Australia/Sydney'
/** Lists once had numbered pages. */
const READ: ReadonlySet<string> = new Set([...SEARCH_PARAMETERS, 'page'])

/**
 * Everything that a list with a search shows.
 * @param category the one whose page it is; null on the overview
 * @param isRefused shows what was asked and asks nothing: the address has searched too often
 * @returns also the search as it was understood, and the topics until whose change a list without words and dates can
 *   be kept
 * @throws a redirect to the one address that a search has, once a typed line is understood and tidy
 */
export async function loadSearch(
  { db, config, now }: Services,
  url: URL,
  path: string,
  category: Category | null,
  isRefused: boolean,
) {
  const today = wallTimeAt(now(), HOME_ZONE).date
  const read = readSearch(url.searchParams)
  const search = isRefused ? read : await understandQuery(db, read, today)
  if (!isRefused && category && search.category && search.category !== category)
    throw redirect(searchHref(CATEGORY_PATHS[search.category], { ...search, category: null }))
  // The page itself is the category, so its address never names one.
  const own: Search = category ? { ...search, category: null } : search
  const href = (changed: Search) => searchHref(path, category ? { ...changed, category: null } : changed)
  const address = href(own)
  if (!isRefused && address !== `${path}${asWritten(url)}`) throw redirect(address)

  const whole = { ...own, category: category ?? own.category }
  const context = { nearKm: config.nearKm, now: now() }
  const [found, places] = isRefused
    ? [NOT_ASKED, []]
    : await Promise.all([listFound(db, whole, context), listBusinessPlaces(db)])
  const relaxed =
    !isRefused && found.total === 0 && isSearching(own)
      ? await listRelaxed(db, whole, context)
      : { offers: [], businesses: [] }
  const sort = sortOf(own)
  const topics = [
    SUGGESTED_PLACES_TOPIC,
    ...cardTopics(found.businesses, relaxed.businesses),
    // What is offered instead may be anywhere.
    ...(found.total === 0
      ? (['listings', 'prices', 'words'] as const).flatMap((change) => listTopics(change))
      : changesOf(whole).flatMap((change) => listTopics(change, categoriesOf(whole), found.area))),
  ]
  const isDated = own.date !== null
  const view = {
    isRefused,
    /** Its own address. */
    href: address,
    isSearching: isSearching(own),
    isLaterPage: own.after !== '' || own.before !== '',
    /** What search engines are told of it. */
    indexing: {
      pagePath: href({ ...own, sort: null }),
      isFiltering: isSearching(own),
      hasWords: own.q !== '',
      total: found.total,
    },
    query: queryOf(own),
    searchTerms: searchTermsOf(own).map(({ text, without }) => ({
      text,
      href: href({ ...firstPage(own), ...without }),
    })),
    notes: notesOf(own, found, today).map(({ text, links = [] }) => ({
      text,
      links: links.map(({ label, search: linked }) => ({ label, href: href(linked) })),
    })),
    orders: SORTS.map((each) => ({
      label: SORT_TEXTS[each],
      href: href({ ...firstPage(own), sort: each }),
      isPresent: each === sort,
    })).filter(({ label }) => label !== SORT_TEXTS.relevance || own.q !== '' || own.occasion !== null),
    count: foundText(found, isDated),
    isEmpty: found.total === 0,
    businesses: toGrid(found.businesses, whole),
    previous: found.previous ? href({ ...own, before: found.previous, after: '' }) : null,
    next: found.next ? href({ ...own, after: found.next, before: '' }) : null,
    /** The best are ranked, not all: the way to the rest. */
    rest:
      sort === 'relevance' && found.isOpenEnded && !isDated && !found.next
        ? href({ ...firstPage(own), sort: 'newest' })
        : null,
    relaxed: relaxed.offers.map((each) => ({
      label: each.text,
      found: foundText(each, each.search.date !== null),
      href:
        category && each.search.category === null
          ? searchHref(hrefOf('/venues-vendors'), each.search)
          : href(each.search),
    })),
    closeMatches: toGrid(relaxed.businesses, whole),
    places,
    fields: fieldsOf(own, { nearKm: config.nearKm, withCategory: category === null }),
  }
  return { view, search: own, topics }
}

/** What decides which listings a list shows, and in which order. */
function changesOf(search: Search): ListingChange[] {
  const sort = sortOf(search)
  return [
    'listings',
    // Of columns that are neither words nor pictures the tables tell as of prices (migration 0017).
    ...(sort === 'price' || changesWithEdits(search) ? (['prices'] as const) : []),
    ...(sort === 'relevance' ? (['words'] as const) : []),
  ]
}

const NOT_ASKED: Awaited<ReturnType<typeof listFound>> = {
  businesses: [],
  total: 0,
  isOpenEnded: false,
  next: null,
  previous: null,
  place: null,
  area: null,
  corrections: [],
}

/** A line of what, where and when becomes a search of its parts; the name of a business stays as it is. */
async function understandQuery(db: Services['db'], read: Search, today: string): Promise<Search> {
  if (!read.q) return read
  const findPlace = await findPlaceNames(db, placesInQuery(read.q))
  const { q, ...parts } = parseQuery(read.q, { today, findPlace })
  if (Object.keys(parts).length === 0 || (await isBusinessName(db, read.q))) return read
  // What the line says counts, and the rest of the address stays: of two ends of a price, both.
  return tidySearch({ ...firstPage(read), ...parts, q })
}

/**
 * The query of an address, written as we write it: %20 or +, and which comes first, are no difference. What we never
 * read, such as a campaign's name, may stay.
 */
function asWritten(url: URL): string {
  const own = [...url.searchParams].filter(([name]) => READ.has(name))
  const parameters = new URLSearchParams(own)
  parameters.sort()
  const query = parameters.toString()
  return query ? `?${query}` : ''
}

function toGrid(hits: readonly SearchHit[], search: Search) {
  return hits.map((hit) => {
    const total = totalOf(search, hit)
    return total
      ? { ...hit, totalText: `${formatMoney(total.cents)} ${forQuantityText(total.quantity, total.unit)}` }
      : hit
  })
}
