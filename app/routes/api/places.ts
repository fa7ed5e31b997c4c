import { listPlaceSuggestions } from '../../features/places/queries.server.ts'
import { searchWaitContext, servicesContext } from '../../request-context.server.ts'
import type { Route } from './+types/places'

const MAX_SUGGESTIONS = 8

/** Suggestions for a place field: '?q=geel' returns ['Geelong, VIC', …]. */
export async function loader({ context, url }: Route.LoaderArgs) {
  if (context.get(searchWaitContext) > 0)
    return Response.json({ places: [] }, { status: 429, headers: { 'cache-control': 'no-store' } })
  const { db } = context.get(servicesContext)
  const text = url.searchParams.get('q') ?? ''
  const places = await listPlaceSuggestions(db, text, MAX_SUGGESTIONS)
  return Response.json({ places }, { headers: { 'cache-control': 'public, max-age=3600' } })
}
