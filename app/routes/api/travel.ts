import { limitedAddress } from '../../adapters/rate-limits/addresses.ts'
import { AVAILABILITY_LIMIT } from '../../features/availability/rules.ts'
import { MAX_PLACE_LENGTH } from '../../features/businesses/limits.ts'
import { BUSINESS_ID } from '../../features/businesses/rules.ts'
import { findTravelText } from '../../features/search/travel-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { jsonAnswer } from '../../shared/json-body.ts'
import type { Route } from './+types/travel'

/**
 * What a business's page says of the place of an event: '?place=williamstown' returns `{ text: 'Travels to Williamstown (32 km)' }`,
 * or null where there is nothing to say. The page itself is the same for all visitors.
 */
export async function loader({ params, request, context, url }: Route.LoaderArgs) {
  const { db, config, rateLimits } = context.get(servicesContext)
  const typed = (url.searchParams.get('place') ?? '').trim()
  if (!BUSINESS_ID.test(params.businessId) || typed === '' || typed.length > MAX_PLACE_LENGTH)
    return jsonAnswer(400, { text: null })
  if (!(await rateLimits.take(`travel:${limitedAddress(request)}`, AVAILABILITY_LIMIT)))
    return jsonAnswer(429, { text: null }, { 'retry-after': String(AVAILABILITY_LIMIT.windowMs / 1000) })
  const { nearKm } = config
  return jsonAnswer(200, {
    text: await findTravelText(db, { businessId: params.businessId, typed, nearKm }),
  })
}
