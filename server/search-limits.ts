import { href } from 'react-router'
import type { LocalLimits } from '../app/adapters/rate-limits/port.ts'
import { CATEGORY_PATHS } from '../app/features/businesses/rules.ts'
import type { Services } from '../app/services.server.ts'

/**
 * Which limit of an address a route is under: searches, suggestions or none.
 * @returns takes a route's pattern, so that no other way to write a path leads around it
 */
export function createSearchLimits({
  searchLimits,
}: Pick<Services, 'searchLimits'>): (route: string) => LocalLimits | undefined {
  const { searches, suggestions } = searchLimits
  const limits = new Map([
    ...[href('/venues-vendors'), ...Object.values(CATEGORY_PATHS)].map((path) => [path, searches] as const),
    ...[href('/api/suggestions'), href('/api/places')].map((path) => [path, suggestions] as const),
  ])
  return (route) => limits.get(route)
}
