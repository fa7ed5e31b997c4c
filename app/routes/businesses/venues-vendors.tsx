import { data, href } from 'react-router'
import { AlertForm } from '../../features/alerts/screens/alert-sections.tsx'
import { countBusinessesByCategory } from '../../features/businesses/market-queries.server.ts'
import { CATEGORIES, listIndexing } from '../../features/businesses/rules.ts'
import { headingOf } from '../../features/search/messages.ts'
import { MapSwitch, NearMe, SearchFields } from '../../features/search/screens/list-search-sections.tsx'
import { ListAnswer, VenuesVendorsScreen } from '../../features/search/screens/venues-vendors-screen.tsx'
import {
  cachePage,
  searchWaitContext,
  servicesContext,
  structuredDataContext,
} from '../../request-context.server.ts'
import { pageMeta, pageTitle, siteOf } from '../../shared/page-meta.ts'
import type { RouteHandle } from '../../shell/load-route-module.ts'
import { cardOf } from '../card-address.ts'
import { listTopics } from '../page-topics.ts'
import { CATEGORY_SCENES } from '../site/category-scenes.ts'
import { siteImage } from '../site/site-image.server.ts'
import type { Route } from './+types/venues-vendors'
import { businessList } from './business-data.ts'
import { loadSearch } from './load-search.server.ts'

export const handle: RouteHandle = {
  deferred: [SearchFields, NearMe, MapSwitch, ListAnswer, AlertForm],
}

const PATH = href('/venues-vendors')
const TITLE = 'Venues & vendors'

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext)
  const isRefused = context.get(searchWaitContext) > 0
  const {
    view,
    search,
    topics,
    pageData: counts,
  } = await loadSearch(context.get(servicesContext), url, PATH, null, {
    request,
    isRefused,
    loadPageData: () => countBusinessesByCategory(db),
  })
  context.set(structuredDataContext, [businessList(siteOf(config), TITLE, view.businesses)])
  // The counts of all categories.
  cachePage(context, [...topics, ...listTopics('listings')])
  const shown = {
    view,
    heading: headingOf(search, TITLE),
    categories: CATEGORIES.map((category) => ({
      category,
      count: counts?.get(category) ?? 0,
      image: siteImage(CATEGORY_SCENES[category], 'category', '4x3'),
    })),
    emptyPicture: siteImage('empty-listings', 'search', '4x3'),
  }
  return data(shown, isRefused ? { status: 429 } : undefined)
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  if (!loaderData) return []
  const { view, heading } = loaderData
  return pageMeta(site, {
    title: pageTitle(heading, site),
    description:
      'Every venue and vendor in one list: halls and gardens, caterers, photographers, DJs and more across Australia, with their prices.',
    ...listIndexing(PATH, view.indexing),
    card: cardOf(view.indexing.pagePath, heading),
  })
}

export default function VenuesVendors({ loaderData }: Route.ComponentProps) {
  const { alert } = loaderData.view
  return <VenuesVendorsScreen {...loaderData} alert={alert ? <AlertForm offer={alert} /> : null} />
}
