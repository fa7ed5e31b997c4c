import { CATEGORY_PATHS } from '../app/features/businesses/rules.ts'
import type { Services } from '../app/services.server.ts'

/**
 * How many searches and suggestions one address may ask this process for. Pages that lie ready are not counted: they are
 * answered before.
 * @returns for a route's pattern and an address: 0, or the seconds to wait
 */
export function createSearchLimits({
  searchLimits,
}: Pick<Services, 'searchLimits'>): (route: string, address: string) => number {
  const { searches, suggestions } = searchLimits
  const limitOf = new Map([
    ...['/venues-vendors', ...Object.values(CATEGORY_PATHS)].map((path) => [path, searches] as const),
    ...['/api/suggestions', '/api/places'].map((path) => [path, suggestions] as const),
  ])
  return (route, address) => limitOf.get(route)?.take(address.slice(0, 100)) ?? 0
}
