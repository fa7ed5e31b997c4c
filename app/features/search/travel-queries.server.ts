import type { Database } from '../../adapters/database/port.ts'
import { hasFact } from '../businesses/fact-rules.ts'
import { findBusiness } from '../businesses/queries.server.ts'
import { distanceKm } from '../places/rules.ts'
import { awayText, travelText } from './messages.ts'
import { pointOf, resolvePlace } from './place-queries.server.ts'
import { HERE } from './place-rules.ts'

/**
 * The text of a business's page about the place of an event: 'Travels to Williamstown (32 km)', or how far away the vendor is.
 * @param typed the place as it was typed
 * @param input.nearKm up to this distance, the text doesn't tell people to ask whether the vendor comes
 * @returns null for an unknown place or business, and for the vendor's own place
 */
export async function findTravelText(
  db: Database,
  { businessId, typed, nearKm }: { businessId: string; typed: string; nearKm: number },
): Promise<string | null> {
  if (typed === HERE) return null
  const [business, place] = await Promise.all([findBusiness(db, businessId), resolvePlace(db, typed, true)])
  if (!business || business === 'gone' || place === 'unknown' || place.found.isGuess) return null
  const point = pointOf(place)
  const exactKm = point && distanceKm(point, business.place)
  const km = exactKm && Math.round(exactKm)
  if (km === 0) return null
  const canTravel = hasFact(business.category, 'travelKm')
  const { travelKm = 0, travelTo = [] } = business.facts
  const isInReach = exactKm !== null && exactKm <= travelKm
  const isStated = travelTo.some((each) => each === 'Australia' || each === stateOf(place))
  if (canTravel && (isInReach || isStated)) return travelText(nameOf(place), km)
  return km === null ? null : awayText(nameOf(place), km, canTravel && km > nearKm)
}

type Found = Exclude<Awaited<ReturnType<typeof resolvePlace>>, 'unknown'>

const nameOf = ({ found }: Found) => found.label.replace(/,.*/, '')

const stateOf = (found: Found) =>
  'state' in found ? found.state : 'area' in found ? found.area.state : found.place.state
