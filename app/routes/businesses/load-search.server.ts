import { href as hrefOf, redirect } from 'react-router'
import type { Database } from '../../adapters/database/port.ts'
import type { Topic } from '../../adapters/live-updates/port.ts'
import { alertOffer } from '../../features/alerts/address-queries.server.ts'
import { askedQuery } from '../../features/businesses/asked-rules.ts'
import { categoryNoun } from '../../features/businesses/landing-messages.ts'
import { listBusinessPlaces } from '../../features/businesses/market-queries.server.ts'
import { CATEGORY_PATHS, type Category } from '../../features/businesses/rules.ts'
import { SERVICES } from '../../features/businesses/service-rules.ts'
import { orderNote, queryOf, searchTermsOf } from '../../features/search/filter-messages.ts'
import { SORTS } from '../../features/search/filter-rules.ts'
import {
  forQuantityText,
  foundText,
  noneThereText,
  notesOf,
  SORT_TEXTS,
} from '../../features/search/messages.ts'
import { splitQuery } from '../../features/search/name-queries.server.ts'
import { HERE } from '../../features/search/place-rules.ts'
import { comparedTotalOf } from '../../features/search/price-rules.ts'
import {
  beginReading,
  createMemoize,
  listFound,
  listRelaxed,
  type Memoize,
  type SearchHit,
} from '../../features/search/queries.server.ts'
import { categoriesOf, countSoFar, hoursOf } from '../../features/search/rules.ts'
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
  sortsByMatch,
  tidySearch,
} from '../../features/search/schema.ts'
import { nounOfService } from '../../features/search/service-messages.ts'
import { canTravel } from '../../features/search/travel-rules.ts'
import { depositText } from '../../features/terms/deposit-messages.ts'
import { depositOf } from '../../features/terms/deposit-rules.ts'
import type { PayoutTimes } from '../../features/terms/rules.ts'
import { payoutTimesOf } from '../../services/deps.server.ts'
import type { Services } from '../../services.server.ts'
import { HOME_ZONE, type LocalDate, wallTimeAt } from '../../shared/dates.ts'
import { formatMoney } from '../../shared/money.ts'
import { writeMonths } from '../../shared/periods.ts'
import {
  cardTopics,
  type ListingChange,
  listTopics,
  RATINGS_TOPIC,
  SUGGESTED_PLACES_TOPIC,
} from '../page-topics.ts'
import { searchReader } from './search-reader.server.ts'

/** Lists once had numbered pages, so 'page' may still be in an address. */
const READ: ReadonlySet<string> = new Set([...SEARCH_PARAMETERS, 'page'])

/**
 * Loads the results and the view of a list with search.
 * @param category the category of a category page; null on the overview
 * @param about.request tells whether the visitor may be signed in
 * @param about.loadPageData loads other data of the page, at the same time as the results
 * @param about.isRefused shows the search without running it, because the client's IP address has searched too often
 * @returns also the search as interpreted, the topics on which the cached page of a list without words and dates
 * depends, and `pageData`, null if refused
 * @throws a redirect to the canonical address of a search, once its query is parsed and tidied
 */
export async function loadSearch<PageData>(
  services: Pick<Services, 'config' | 'db' | 'now' | 'replica' | 'payouts'>,
  url: URL,
  path: string,
  category: Category | null,
  {
    request,
    isRefused,
    loadPageData,
  }: { request: Request; isRefused: boolean; loadPageData: () => Promise<PageData> },
) {
  const { db, config, now } = services
  const today = wallTimeAt(now(), HOME_ZONE).date
  const typed = readSearch(url.searchParams)
  const run = searchReader(services, request, typed)
  // Look-ups of one database aren't reused on the other.
  const memoizes = new Map<Database, Memoize>()
  const memoizeOn = (on: Database) => {
    const memoize = memoizes.get(on) ?? createMemoize()
    memoizes.set(on, memoize)
    return memoize
  }
  const [search] = isRefused
    ? [typed]
    : await run((on) => Promise.all([splitQuery(on, typed, today), beginReading(on, typed, memoizeOn(on))]))
  if (!isRefused && category && search.category && search.category !== category)
    throw redirect(searchHref(CATEGORY_PATHS[search.category], { ...search, category: null }))
  if (!isRefused && category && search.service && SERVICES[search.service].category !== category)
    throw redirect(searchHref(CATEGORY_PATHS[SERVICES[search.service].category], search))
  // The category is in the path, so the query never contains it, and drops what no listing of it can state.
  const own: Search = category ? { ...tidySearch({ ...search, category }), category: null } : search
  const href = (changed: Search) => searchHref(path, category ? { ...changed, category: null } : changed)
  const address = href(own)
  if (!isRefused && address !== `${path}${asWritten(url)}`) throw redirect(address)

  const fullSearch = { ...own, category: category ?? own.category }
  const context = { nearKm: config.nearKm, now: now(), primary: db }
  const [found, places, pageData] = isRefused
    ? [NOT_ASKED, [], null]
    : await Promise.all([
        run((on) => listFound(on, fullSearch, context, memoizeOn(on))),
        listBusinessPlaces(db),
        loadPageData(),
      ])
  // A single match is followed by some that nearly match.
  const isAlone = found.total === 1 && !found.next && !found.previous
  const relaxed =
    !isRefused && (found.total === 0 || isAlone) && isSearching(own)
      ? await run((on) => listRelaxed(on, fullSearch, context, new Set(found.businesses.map(({ id }) => id))))
      : { offers: [], businesses: [] }
  const view = viewOf({
    own,
    fullSearch,
    category,
    href,
    address,
    isRefused,
    found,
    relaxed,
    places,
    today,
    nearKm: config.nearKm,
    cards: { place: placeOf(found), payoutTimes: payoutTimesOf(services), now: now() },
  })
  return { view, search: own, topics: topicsOf(own, fullSearch, found, relaxed), pageData }
}

type Found = Awaited<ReturnType<typeof listFound>>
type Relaxed = Awaited<ReturnType<typeof listRelaxed>>

/**
 * The topics on which the cached page of a list depends.
 * @param fullSearch `own` with the category of its page
 */
function topicsOf(own: Search, fullSearch: Search, found: Found, relaxed: Relaxed): Topic[] {
  return [
    SUGGESTED_PLACES_TOPIC,
    ...(sortOf(own) === 'rating' ? [RATINGS_TOPIC] : []),
    ...cardTopics(found.businesses, relaxed.businesses),
    // Suggested alternatives can be anywhere.
    ...(found.total === 0 || relaxed.businesses.length > 0
      ? (['listings', 'prices', 'words'] as const).flatMap((change) => listTopics(change))
      : changesOf(fullSearch).flatMap((change) => listTopics(change, categoriesOf(fullSearch), found.area))),
    // A vendor anywhere may begin to travel there.
    ...(canTravel(fullSearch)
      ? (['listings', 'prices'] as const).flatMap((change) => listTopics(change, categoriesOf(fullSearch)))
      : []),
  ]
}

/**
 * The view of a list: its chips, notes, orders, cards and links.
 * @param list.own the search as it stands in the address; `fullSearch` has the category of its page as well
 * @param list.href the address of a search on this page
 * @param list.today the local date of most visitors
 */
function viewOf(list: {
  own: Search
  fullSearch: Search
  category: Category | null
  href: (changed: Search) => string
  address: string
  isRefused: boolean
  found: Found
  relaxed: Relaxed
  places: Awaited<ReturnType<typeof listBusinessPlaces>>
  today: LocalDate
  nearKm: number
  /** The cards' data besides the search. */
  cards: Parameters<typeof toGrid>[2]
}) {
  const {
    own,
    fullSearch,
    category,
    href,
    address,
    isRefused,
    found,
    relaxed,
    places,
    today,
    nearKm,
    cards,
  } = list
  const sort = sortOf(own)
  const isDated = own.date !== null || own.months !== null
  const soFar = countSoFar(found, own)
  return {
    isRefused,
    /** The list's canonical address. */
    href: address,
    isSearching: isSearching(own),
    /** 'Near me', and the visitor hasn't said where that is. */
    asksPlace: own.place === HERE,
    isLaterPage: own.after !== '' || own.before !== '',
    /** For the metadata of search engines. */
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
      // Only the orders that this search can have.
      isPossible: sortOf({ ...own, sort: each }) === each,
    })).filter(({ isPossible }) => isPossible),
    orderNote: orderNote(own),
    count: foundText(soFar.count, isDated),
    isEmpty: found.total === 0,
    businesses: toGrid(found.businesses, fullSearch, cards),
    previous: found.previous ? href({ ...own, before: found.previous, after: '', seen: soFar.before }) : null,
    next: found.next ? href({ ...own, after: found.next, before: '', seen: soFar.after }) : null,
    /** Relevance ranks only the best: a link to the rest. */
    rest:
      (sort === 'distance' || sortsByMatch(own)) && found.isOpenEnded && !isDated && !found.next
        ? href({ ...firstPage(own), sort: 'newest' })
        : null,
    relaxed: relaxed.offers.map((each) => ({
      label: each.text,
      found: foundText(each, each.search.date !== null || each.search.months !== null),
      href:
        category && each.search.category === null
          ? searchHref(hrefOf('/venues-vendors'), each.search)
          : href(each.search),
    })),
    noneText: noneTextOf(fullSearch, relaxed),
    /** 'Tell me when one does'; null without a search, a known place or a day to come. */
    alert:
      isSearching(own) && !isRefused && own.place !== HERE && found.place !== 'unknown'
        ? alertOffer(fullSearch, found.total === 0 ? 'none' : 'new', cards.now)
        : null,
    closeMatches: toGrid(relaxed.businesses, fullSearch, cards),
    places,
    fields: fieldsOf(own, {
      nearKm,
      withCategory: category === null,
      category: fullSearch.category,
    }),
  }
}

/** The text of an empty list that only its place keeps from finding anything; null for any other list. */
function noneTextOf(search: Search, { offers: [first] }: Relaxed): string | null {
  const isPlace = first?.without === 'place' || first?.without === 'elsewhere'
  if (!isPlace || search.place === HERE) return null
  const { service, category } = search
  const noun = service ? nounOfService(service) : category ? categoryNoun(category) : 'business'
  return noneThereText(search, noun, canTravel(search))
}

/** The changes that can affect which listings a list shows, or their order. */
function changesOf(search: Search): ListingChange[] {
  return [
    'listings',
    // The tables report a change of any column but words and pictures under 'prices' (migration 0017).
    // So is one of markers, which make a listing a florist.
    ...(sortOf(search) === 'price' || search.service || changesWithEdits(search)
      ? (['prices'] as const)
      : []),
    ...(sortsByMatch(search) ? (['words'] as const) : []),
  ]
}

const NOT_ASKED: Found = {
  businesses: [],
  total: 0,
  isOpenEnded: false,
  next: null,
  previous: null,
  place: null,
  area: null,
  corrections: [],
}

/**
 * The query string in our canonical form: encoding (%20 or +) and order make no difference. Parameters that we never
 * read, such as a campaign's name, may stay.
 */
function asWritten(url: URL): string {
  const own = [...url.searchParams].filter(([name]) => READ.has(name))
  const parameters = new URLSearchParams(own)
  parameters.sort()
  const query = parameters.toString()
  return query ? `?${query}` : ''
}

/** The label of the place that a list has found; '' for none. */
const placeOf = ({ place }: Found) => (place && place !== 'unknown' ? place.label : '')

/**
 * The cards of a list, with the totals of its search.
 * @param about.place the search's place, which each card carries on; '' for none
 * @param about.payoutTimes decides about deposits, as does `now`
 */
export function toGrid(
  hits: readonly SearchHit[],
  search: Search,
  { place, payoutTimes, now }: { place: string; payoutTimes: PayoutTimes | null; now: Date },
) {
  const { date, from, guests, months, weekday } = search
  const asked = askedQuery({
    date: date ?? '',
    time: from ?? '',
    guests,
    hours: hoursOf(search),
    months: writeMonths(months),
    weekday: months ? weekday : '',
    place,
  })
  const event = { date: date ?? '', time: from ?? '' }
  const period = months && { months, weekday }
  return hits.map(({ plan = { kind: 'full' as const }, ...hit }) => {
    const total = comparedTotalOf(search, hit)
    if (!total) return { ...hit, asked }
    const { cents, isExample, quantity, unit } = total
    const deposit = isExample ? null : depositOf({ plan, priceCents: cents, event, period, payoutTimes, now })
    return {
      ...hit,
      asked,
      totalText: `${isExample ? 'e.g. ' : ''}${formatMoney(cents)} ${forQuantityText(quantity, unit)}`,
      ...(deposit ? { depositText: depositText(deposit) } : {}),
    }
  })
}
