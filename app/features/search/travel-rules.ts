import { hasFact } from '../businesses/fact-rules.ts'
import { categoriesOf } from './rules.ts'
import type { Search } from './schema.ts'

/** Whether a search with a place can find vendors who travel there. Venues don't. */
export function canTravel(search: Search): boolean {
  return search.place !== '' && categoriesOf(search).some((category) => hasFact(category, 'travelKm'))
}
