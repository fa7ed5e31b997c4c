import { href } from 'react-router'
import { BUSINESS_ID, CATEGORIES, CATEGORY_PATHS, landingPath } from '../../features/businesses/rules.ts'
import {
  type IdRange,
  listCategoryChanges,
  listLandings,
  readListedIds,
} from '../../features/businesses/sitemap-queries.server.ts'
import { listArticles } from '../../features/help/messages.ts'
import { listServiceLandings } from '../../features/search/service-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import { type SitemapEntry, sitemapAnswer } from '../../shared/sitemap.ts'
import type { Route } from './+types/sitemap-part'

/** Small enough that a batch needs little memory and no query takes long. */
const BATCH_SIZE = 1_000

/** One part of the sitemap. */
export function loader({ params, context, url }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext)
  const batches = partOf({ db, config }, params.part, url.searchParams)
  if (!batches) return new Response('There is no such sitemap.', { status: 404 })
  return sitemapAnswer('pages', config.publicUrl.origin, batches)
}

function partOf(
  { db, config }: Pick<Services, 'db' | 'config'>,
  part: string,
  query: URLSearchParams,
): AsyncGenerator<SitemapEntry[]> | null {
  if (part === 'pages.xml') return listPages(db, config.payouts.provider !== 'off')
  if (part === 'places.xml') return listPlaces(db)
  if (part === 'services.xml') return listServices(db)
  const range: IdRange = { after: query.get('after'), to: query.get('to') }
  const isRange = [range.after, range.to].every((id) => id === null || BUSINESS_ID.test(id))
  return part === 'businesses.xml' && isRange ? listBusinesses(db, range) : null
}

/**
 * The site's own pages. Those that show businesses have the date of the newest change; the others' dates are unknown.
 */
async function* listPages(db: Services['db'], hasPayouts: boolean): AsyncGenerator<SitemapEntry[]> {
  const changes = await listCategoryChanges(db)
  const newest = Math.max(0, ...[...changes.values()].map((at) => at.getTime()))
  const changedAt = newest > 0 ? new Date(newest) : undefined
  yield [
    { path: href('/'), changedAt },
    { path: href('/venues-vendors'), changedAt },
    ...CATEGORIES.map((category) => ({ path: CATEGORY_PATHS[category], changedAt: changes.get(category) })),
    { path: href('/vendors'), changedAt },
    { path: href('/events') },
    { path: href('/list-your-business'), changedAt },
    { path: href('/advice-support') },
    { path: href('/help/:article?', {}) },
    ...listArticles(hasPayouts).map(({ slug }) => ({ path: href('/help/:article?', { article: slug }) })),
  ]
}

async function* listPlaces(db: Services['db']): AsyncGenerator<SitemapEntry[]> {
  const landings = await listLandings(db)
  yield landings.map(({ category, placeId, changedAt }) => ({
    path: landingPath(category, placeId),
    changedAt,
  }))
}

/** Each service that someone offers, and the places where they are based. */
async function* listServices(db: Services['db']): AsyncGenerator<SitemapEntry[]> {
  const landings = await listServiceLandings(db)
  const newest = new Map<string, Date>()
  for (const { service, changedAt } of landings) {
    const before = newest.get(service)
    newest.set(service, before && before > changedAt ? before : changedAt)
  }
  yield [...newest].map(([service, changedAt]) => ({
    path: href('/services/:service', { service }),
    changedAt,
  }))
  yield landings.map(({ service, placeId, changedAt }) => ({
    path: href('/services/:service/in/:place', { service, place: placeId }),
    changedAt,
  }))
}

async function* listBusinesses(db: Services['db'], range: IdRange): AsyncGenerator<SitemapEntry[]> {
  for await (const batch of readListedIds(db, range, BATCH_SIZE)) {
    yield batch.map(({ id, changedAt }) => ({ path: href('/business/:id', { id }), changedAt }))
  }
}
