import { data, href } from 'react-router'
import { countBusinessesByCategory } from '../../features/businesses/market-queries.server.ts'
import { CATEGORIES, CATEGORY_PATHS, listIndexing } from '../../features/businesses/rules.ts'
import { headingOf } from '../../features/search/wording.ts'
import {
  keepPage,
  searchWaitContext,
  servicesContext,
  structuredDataContext,
} from '../../request-context.server.ts'
import { pageMeta, pageTitle, siteOf } from '../../shared/page-meta.ts'
import type { RouteHandle } from '../../shell/load-route-module.ts'
import { Card, CoverLink } from '../../ui/card.tsx'
import { Picture } from '../../ui/picture.tsx'
import { listTopics } from '../page-topics.ts'
import { CATEGORY_SCENES } from '../site/category-scenes.ts'
import { siteImage } from '../site/site-image.server.ts'
import type { Route } from './+types/venues-vendors'
import { businessList } from './business-data.ts'
import { SearchFields } from './fields-later.ts'
import { ListSearch } from './list-search.tsx'
import { loadSearch } from './load-search.server.ts'
import { SearchAnswer } from './search-answer.tsx'

export const handle: RouteHandle = { later: [SearchFields] }

const PATH = href('/venues-vendors')
const TITLE = 'Venues & vendors'

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const isRefused = context.get(searchWaitContext) > 0
  const { view, search, topics } = await loadSearch(services, url, PATH, null, isRefused)
  const counts = isRefused ? null : await countBusinessesByCategory(services.db)
  context.set(structuredDataContext, [businessList(siteOf(services.config), TITLE, view.businesses)])
  // The counts of all categories.
  keepPage(context, [...topics, ...listTopics('listings')])
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
  const { view, heading, categories } = loaderData
  return pageMeta(site, {
    title: pageTitle(heading, site),
    description:
      'Every venue and vendor in one list: halls and gardens, caterers, photographers, DJs and more across Australia, with their prices.',
    ...listIndexing(PATH, view.indexing),
    ...(categories[0] ? { image: { ...categories[0].image, alt: TITLE } } : {}),
  })
}

export default function VenuesVendors({ loaderData }: Route.ComponentProps) {
  const { view, heading, categories, emptyPicture } = loaderData
  return (
    <div className="page pt-10 pb-24 md:pt-14">
      <h1 className="max-w-4xl wrap-anywhere">{heading}</h1>
      {view.isSearching ? null : (
        <p className="lede mt-4">
          Everybody on one page, the newest first. Say what, where and what matters to you, or walk through a
          category.
        </p>
      )}
      <div className="mt-8">
        <ListSearch view={view} path={PATH} />
      </div>
      {view.isSearching || view.isRefused ? null : (
        <nav aria-label="Categories" className="mt-10">
          <ul className="flex gap-4 overflow-x-auto max-xl:-mx-[var(--gutter)] max-xl:px-[var(--gutter)] max-xl:pb-2 xl:grid xl:grid-cols-8">
            {categories.map(({ category, count, image }) => (
              <Card as="li" pressable key={category} className="w-34 flex-none xl:w-auto">
                <Picture image={image} alt="" ratio="4 / 3" sizes="150px" />
                <p className="mt-2 leading-snug">
                  <CoverLink to={CATEGORY_PATHS[category]} className="font-semibold">
                    {category}
                  </CoverLink>
                  <span className="figures ml-2 text-sm text-quiet">{count.toLocaleString('en-AU')}</span>
                </p>
              </Card>
            ))}
          </ul>
        </nav>
      )}
      <div className="mt-10">
        <SearchAnswer
          view={view}
          path={PATH}
          everything="Show everything"
          emptyPicture={emptyPicture}
          priority
        />
      </div>
    </div>
  )
}
