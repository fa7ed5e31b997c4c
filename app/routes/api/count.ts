import { categoryOfPath } from '../../features/businesses/rules.ts'
import { showText } from '../../features/search/messages.ts'
import { splitQuery } from '../../features/search/name-queries.server.ts'
import { countFound } from '../../features/search/queries.server.ts'
import { readSearch, tidySearch } from '../../features/search/schema.ts'
import { searchWaitContext, servicesContext } from '../../request-context.server.ts'
import { HOME_ZONE, wallTimeAt } from '../../shared/dates.ts'
import { searchReader } from '../businesses/search-reader.server.ts'
import type { Route } from './+types/count'

/**
 * What the button of the filters says: '?list=/photographers&guests=90' returns `{ text: 'Show 4 businesses' }`.
 */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  if (context.get(searchWaitContext) > 0)
    return Response.json({ text: null }, { status: 429, headers: { 'cache-control': 'no-store' } })
  const { db, config, now, replica } = context.get(servicesContext)
  const typed = readSearch(url.searchParams)
  const read = searchReader({ db, replica }, request, typed)
  const today = wallTimeAt(now(), HOME_ZONE).date
  const found = await read(async (on) => {
    const search = await splitQuery(on, typed, today)
    const category = categoryOfPath(url.searchParams.get('list') ?? '') ?? search.category
    const full = { ...tidySearch({ ...search, category }), category }
    return countFound(on, full, { nearKm: config.nearKm, now: now(), primary: db })
  })
  return Response.json({ text: showText(found) }, { headers: { 'cache-control': 'public, max-age=60' } })
}
