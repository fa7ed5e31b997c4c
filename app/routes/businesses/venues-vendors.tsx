import { Link } from 'react-router'
import { BusinessGrid } from '../../features/businesses/components/business-grid.tsx'
import { FilterBar } from '../../features/businesses/components/filter-bar.tsx'
import { NoMatches } from '../../features/businesses/components/no-matches.tsx'
import {
  countBusinessesByCategory,
  listBusinesses,
  listBusinessPlaces,
} from '../../features/businesses/queries.server.ts'
import {
  type BusinessFilter,
  CATEGORIES,
  CATEGORY_PATHS,
  filterHref,
  isFiltering,
  listIndexing,
  readFilter,
} from '../../features/businesses/rules.ts'
import { businessCountText, CATEGORY_TEXTS } from '../../features/businesses/wording.ts'
import { keepPage, servicesContext, structuredDataContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle, siteOf } from '../../shared/page-meta.ts'
import { Card, CoverLink } from '../../ui/card.tsx'
import { Picture } from '../../ui/picture.tsx'
import { CATEGORY_SCENES } from '../site/category-scenes.ts'
import { siteImage } from '../site/site-image.server.ts'
import type { Route } from './+types/venues-vendors'
import { businessList } from './business-data.ts'

const PATH = '/venues-vendors'
const TITLE = 'Venues & vendors'

export async function loader({ context, url }: Route.LoaderArgs) {
  keepPage(context)
  const { config, db } = context.get(servicesContext)
  const filter = readFilter(url.searchParams)
  const [list, counts, places] = await Promise.all([
    listBusinesses(db, filter),
    countBusinessesByCategory(db),
    listBusinessPlaces(db),
  ])
  context.set(structuredDataContext, [businessList(siteOf(config), TITLE, list.businesses)])
  return {
    filter,
    list,
    places,
    categories: CATEGORIES.map((category) => ({
      category,
      count: counts.get(category) ?? 0,
      image: siteImage(CATEGORY_SCENES[category], 'category', '4x3'),
    })),
    emptyPicture: siteImage('empty-listings', 'search', '4x3'),
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  if (!loaderData) return []
  const { filter, list, categories } = loaderData
  return pageMeta(site, {
    title: pageTitle(isFiltering(filter) ? headingOf(filter) : TITLE, site),
    description:
      'Every venue and vendor in one list: halls and gardens, caterers, photographers, DJs and more across Australia, with their prices.',
    ...listIndexing(PATH, {
      pagePath: filterHref(PATH, { page: list.page }),
      isFiltering: isFiltering(filter),
      hasWords: filter.q !== '',
      total: list.total,
    }),
    ...(categories[0] ? { image: { ...categories[0].image, alt: TITLE } } : {}),
  })
}

/** 'Catering in Geelong with “vegan”': what was asked for, in words. */
function headingOf({ category, place, q }: BusinessFilter): string {
  const subject = category ? CATEGORY_TEXTS[category].heading : TITLE
  return `${subject}${place ? ` in ${place}` : ''}${q ? ` with “${q}”` : ''}`
}

export default function VenuesVendors({ loaderData }: Route.ComponentProps) {
  const { filter, list, places, categories, emptyPicture } = loaderData
  const filtering = isFiltering(filter)
  return (
    <div className="page pt-10 pb-24 md:pt-14">
      <h1 className="max-w-4xl wrap-anywhere">{filtering ? headingOf(filter) : TITLE}</h1>
      {filtering ? null : (
        <p className="lede mt-4">
          Everybody on one page, the newest first. Say what, where and what matters to you, or walk through a
          category.
        </p>
      )}
      <div className="mt-8">
        <FilterBar action={PATH} filter={filter} places={places} />
      </div>
      {filtering ? null : (
        <nav aria-label="Categories" className="mt-10">
          <ul className="flex gap-4 overflow-x-auto max-xl:-mx-[var(--gutter)] max-xl:px-[var(--gutter)] max-xl:pb-2 xl:grid xl:grid-cols-8">
            {categories.map(({ category, count, image }) => (
              <Card as="li" pressable key={category} className="w-34 flex-none xl:w-auto">
                <Picture image={image} alt="" ratio="4 / 3" sizes="150px" />
                <p className="mt-2 leading-snug">
                  <CoverLink to={CATEGORY_PATHS[category]} className="font-semibold">
                    {category}
                  </CoverLink>
                  <span className="figures ml-2 text-sm text-quiet">{count}</span>
                </p>
              </Card>
            ))}
          </ul>
        </nav>
      )}
      <div className="mt-12 mb-8 flex flex-wrap items-baseline justify-between gap-x-8 gap-y-2 border-t border-line pt-5">
        <p className="figures font-semibold" role="status">
          {businessCountText(list.total)}
        </p>
        {filtering ? (
          <Link to={PATH} className="link">
            Show everything
          </Link>
        ) : null}
      </div>
      {list.total === 0 ? (
        <NoMatches filter={filter} path={PATH} image={emptyPicture} />
      ) : (
        <BusinessGrid list={list} path={PATH} filter={filter} priority />
      )}
    </div>
  )
}
