import { href } from 'react-router'
import { CATEGORY_PATHS, type Category } from '../../features/businesses/rules.ts'
import { SERVICES } from '../../features/businesses/service-rules.ts'
import { MAX_QUERY_LENGTH } from '../../features/search/limits.ts'
import { readQuery } from '../../features/search/reading-queries.server.ts'
import { searchHref } from '../../features/search/schema.ts'
import { listSuggestions } from '../../features/search/suggestion-queries.server.ts'
import { cachePage, searchWaitContext, servicesContext } from '../../request-context.server.ts'
import { HOME_ZONE, wallTimeAt } from '../../shared/dates.ts'
import { cardTopics, listTopics } from '../page-topics.ts'
import type { Route } from './+types/suggestions'

/**
 * Suggestions for a search box: '?q=photogr' returns categories, businesses and places, each with its address. If more
 * than words was understood, `reading` lists the search terms.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  if (context.get(searchWaitContext) > 0) {
    const none = { categories: [], businesses: [], places: [] }
    return Response.json(none, { status: 429, headers: { 'cache-control': 'no-store' } })
  }
  const text = (url.searchParams.get('q') ?? '').slice(0, MAX_QUERY_LENGTH)
  const { db, now } = context.get(servicesContext)
  const [{ categories, services, businesses, places }, reading] = await Promise.all([
    listSuggestions(db, text),
    readQuery(db, text, wallTimeAt(now(), HOME_ZONE).date),
  ])
  const isNamed = (category: Category) => category.toLowerCase().startsWith(text.trim().toLowerCase())
  // 'Tomorrow' is another date each day, so a query with search terms isn't cached.
  if (reading.length === 0)
    cachePage(context, [...listTopics('listings'), ...listTopics('words'), ...cardTopics(businesses)])
  return Response.json(
    {
      // A category by its own name comes first. Its other names are services, which say more.
      categories: [
        ...categories.filter(isNamed).map((label) => ({ label, to: CATEGORY_PATHS[label] })),
        ...services.map((service) => ({
          label: SERVICES[service].many,
          to: searchHref(CATEGORY_PATHS[SERVICES[service].category], { service }),
        })),
        ...categories
          .filter((category) => !isNamed(category))
          .map((label) => ({ label, to: CATEGORY_PATHS[label] })),
      ],
      businesses: businesses.map(({ id, name, location }) => ({
        label: name,
        detail: location,
        to: href('/business/:id', { id }),
      })),
      places: places.map((label) => ({
        label,
        to: searchHref(href('/venues-vendors'), { place: label, near: true }),
      })),
      ...(reading.length > 0 ? { reading } : {}),
    },
    { headers: { 'cache-control': 'public, max-age=60' } },
  )
}
