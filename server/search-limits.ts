import { href } from 'react-router'
import type { LocalLimits } from '../app/adapters/rate-limits/port.ts'
import { CATEGORY_PATHS } from '../app/features/businesses/rules.ts'
import type { Services } from '../app/services.server.ts'

/** The routes that answer while a visitor types. */
export const SUGGESTION_ROUTES: ReadonlySet<string> = new Set([href('/api/suggestions'), href('/api/places')])

/**
 * Finds the limit per network address that applies to a route: searches, counts, suggestions or none.
 * @returns a function of the route's pattern, so that no other spelling of a path evades the limit
 */
export function createSearchLimits({
  searchLimits,
}: Pick<Services, 'searchLimits'>): (route: string) => LocalLimits | undefined {
  const { searches, counts, suggestions } = searchLimits
  const limits = new Map([
    ...[href('/venues-vendors'), href('/api/map'), ...Object.values(CATEGORY_PATHS)].map(
      (path) => [path, searches] as const,
    ),
    [href('/api/count'), counts] as const,
    ...Array.from(SUGGESTION_ROUTES, (path) => [path, suggestions] as const),
  ])
  return (route) => limits.get(route)
}
