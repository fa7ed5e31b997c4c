import { href } from 'react-router'
import { listLandings, readIdRanges } from '../../features/businesses/sitemap-queries.server.ts'
import { listServiceLandings } from '../../features/search/service-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import { type SitemapEntry, sitemapAnswer } from '../../shared/sitemap.ts'
import type { Route } from './+types/sitemap'

/** Below the limit of one part, so that it still has room for listings added between reading the index and the part. */
const BUSINESSES_PER_PART = 45_000

/**
 * The index of the sitemaps: the site's own pages, the landing pages, and the businesses in as many parts as needed.
 */
export function loader({ context }: Route.LoaderArgs) {
  const { config, db } = context.get(servicesContext)
  return sitemapAnswer('index', config.publicUrl.origin, listParts(db))
}

async function* listParts(db: Services['db']): AsyncGenerator<SitemapEntry[]> {
  yield [{ path: href('/sitemaps/:part', { part: 'pages.xml' }) }]
  const landings = await listLandings(db)
  if (landings.length > 0)
    yield [{ path: href('/sitemaps/:part', { part: 'places.xml' }), changedAt: newest(landings) }]
  for await (const { after, to, changedAt } of readIdRanges(db, BUSINESSES_PER_PART)) {
    const range = new URLSearchParams({ ...(after && { after }), ...(to && { to }) }).toString()
    yield [
      { path: `${href('/sitemaps/:part', { part: 'businesses.xml' })}${range && `?${range}`}`, changedAt },
    ]
  }
  const services = await listServiceLandings(db)
  if (services.length > 0)
    yield [{ path: href('/sitemaps/:part', { part: 'services.xml' }), changedAt: newest(services) }]
}

/** The last change of some pages. There may be more of them than a call can have arguments. */
function newest(pages: readonly { changedAt: Date }[]): Date {
  return new Date(pages.reduce((latest, { changedAt }) => Math.max(latest, changedAt.getTime()), 0))
}
