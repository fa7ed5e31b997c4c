import { listMapCards, listMapGroups } from '../../features/search/map-queries.server.ts'
import { readSearch } from '../../features/search/schema.ts'
import { searchWaitContext, servicesContext } from '../../request-context.server.ts'
import { payoutTimesOf } from '../../services/deps.server.ts'
import { toGrid } from '../businesses/load-search.server.ts'
import { searchReader } from '../businesses/search-reader.server.ts'
import type { Route } from './+types/map'

const PLACE_ID = /^[a-z0-9-]{1,100}$/

/**
 * The map of a list: '?category=Venues&bounds=…' returns the suburbs with matches of the list's search, and with 'at' a
 * suburb's cards.
 */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  if (context.get(searchWaitContext) > 0)
    return Response.json(
      { groups: [], businesses: [] },
      { status: 429, headers: { 'cache-control': 'no-store' } },
    )
  const { db, config, now, replica, payouts } = context.get(servicesContext)
  const cards = { place: '', payoutTimes: payoutTimesOf({ payouts, config }), now: now() }
  const search = readSearch(url.searchParams)
  const searchContext = { nearKm: config.nearKm, now: now(), primary: db }
  const read = searchReader({ db, replica }, request, search)
  const at = url.searchParams.get('at') ?? ''
  const answer = PLACE_ID.test(at)
    ? { businesses: toGrid(await read((on) => listMapCards(on, search, at, searchContext)), search, cards) }
    : { ...(await read((on) => listMapGroups(on, search, searchContext))), styleUrl: config.mapStyleUrl }
  return Response.json(answer, { headers: { 'cache-control': 'public, max-age=60' } })
}
