import { findNearestPlace, listPlaceSuggestions } from '../../features/places/queries.server.ts'
import { pointSchema } from '../../features/places/schema.ts'
import { searchWaitContext, servicesContext } from '../../request-context.server.ts'
import { jsonAnswer, readJsonBody } from '../../shared/json-body.ts'
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

/** Two numbers as JSON. */
const MAX_POINT_BYTES = 200

/**
 * The place nearest to a visitor who asked for it: `{ latitude, longitude }` returns `{ place: 'Fitzroy, VIC' }`, or
 * null far from all of them. The position is in the body, since addresses are logged, and isn't stored.
 */
export async function action({ request, context }: Route.ActionArgs) {
  if (context.get(searchWaitContext) > 0) return jsonAnswer(429, { place: null })
  const body = await readJsonBody(request, MAX_POINT_BYTES)
  const point = pointSchema.safeParse(body?.value)
  if (!point.success) return jsonAnswer(400, { place: null })
  return jsonAnswer(200, { place: await findNearestPlace(context.get(servicesContext).db, point.data) })
}
