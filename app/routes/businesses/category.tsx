import { data, href } from 'react-router'
import { AlertForm } from '../../features/alerts/screens/alert-sections.tsx'
import { listPlacesOfCategory } from '../../features/businesses/landing-queries.server.ts'
import { CATEGORY_TEXTS } from '../../features/businesses/messages.ts'
import { CATEGORY_PATHS, categoryOfPath, listIndexing } from '../../features/businesses/rules.ts'
import { CategoryScreen, CategorySections } from '../../features/search/screens/category-screen.tsx'
import { MapSwitch, NearMe, SearchFields } from '../../features/search/screens/list-search-sections.tsx'
import {
  cachePage,
  searchWaitContext,
  servicesContext,
  structuredDataContext,
} from '../../request-context.server.ts'
import { pageMeta, pageTitle, siteOf } from '../../shared/page-meta.ts'
import { breadcrumbList } from '../../shared/structured-data.ts'
import type { RouteHandle } from '../../shell/load-route-module.ts'
import { cardOf } from '../card-address.ts'
import { topPlacesTopic } from '../page-topics.ts'
import { CATEGORY_SCENES } from '../site/category-scenes.ts'
import { siteImage } from '../site/site-image.server.ts'
import type { Route } from './+types/category'
import { businessList } from './business-data.ts'
import { loadSearch } from './load-search.server.ts'

export const handle: RouteHandle = {
  deferred: [SearchFields, NearMe, MapSwitch, CategorySections, AlertForm],
}

/** The number of places to which a category page links; those pages and the sitemap lead to the rest. */
const PLACES_SHOWN = 24

/**
 * One route module for the eight category pages (routes.ts mounts it eight times). The category comes from the route's
 * own path, because the address may be spelled differently.
 */
export async function loader({ context, request, url, pattern }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext)
  const category = categoryOfPath(`/${pattern}`)
  if (!category) throw new Error(`no category has the path /${pattern}`)
  const isRefused = context.get(searchWaitContext) > 0
  const { view, topics, pageData } = await loadSearch(
    context.get(servicesContext),
    url,
    CATEGORY_PATHS[category],
    category,
    {
      request,
      isRefused,
      loadPageData: () => listPlacesOfCategory(db, category, PLACES_SHOWN),
    },
  )
  const site = siteOf(config)
  context.set(structuredDataContext, [
    breadcrumbList(site, [{ label: 'Venues & vendors', to: href('/venues-vendors') }, { label: category }]),
    businessList(site, CATEGORY_TEXTS[category].heading, view.businesses),
  ])
  cachePage(context, [...topics, topPlacesTopic(category)])
  const shown = {
    category,
    texts: CATEGORY_TEXTS[category],
    view,
    landingPlaces: pageData ?? [],
    picture: siteImage(CATEGORY_SCENES[category], 'category', '3x2'),
    emptyPicture: siteImage('empty-listings', 'search', '4x3'),
  }
  return data(shown, isRefused ? { status: 429 } : undefined)
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  if (!loaderData) return []
  const { category, texts, view } = loaderData
  return pageMeta(site, {
    title: pageTitle(texts.heading, site),
    description: texts.intro,
    ...listIndexing(CATEGORY_PATHS[category], view.indexing),
    card: cardOf(view.indexing.pagePath, texts.heading),
  })
}

export default function CategoryRoute({ loaderData }: Route.ComponentProps) {
  const { alert } = loaderData.view
  return <CategoryScreen {...loaderData} alert={alert ? <AlertForm offer={alert} /> : null} />
}
