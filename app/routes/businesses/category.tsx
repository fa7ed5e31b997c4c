import { Link } from 'react-router'
import { ByPlace } from '../../features/businesses/components/place-links.tsx'
import { listPlacesOfCategory } from '../../features/businesses/queries.server.ts'
import { CATEGORIES, CATEGORY_PATHS, categoryOfPath, listIndexing } from '../../features/businesses/rules.ts'
import { CATEGORY_TEXTS } from '../../features/businesses/wording.ts'
import { keepPage, servicesContext, structuredDataContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle, siteOf } from '../../shared/page-meta.ts'
import { breadcrumbList } from '../../shared/structured-data.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Picture } from '../../ui/picture.tsx'
import { CATEGORY_SCENES } from '../site/category-scenes.ts'
import { siteImage } from '../site/site-image.server.ts'
import type { Route } from './+types/category'
import { businessList } from './business-data.ts'
import { loadSearch } from './load-search.server.ts'
import { ListSearch, SearchAnswer } from './search-view.tsx'

/** How many of its places a category page links to; the others are reached from these and from the sitemap. */
const PLACES_SHOWN = 24

/** The eight category pages are one: which category it is, the path says (routes.ts mounts it eight times). */
export async function loader({ context, url }: Route.LoaderArgs) {
  keepPage(context)
  const services = context.get(servicesContext)
  const category = categoryOfPath(url.pathname)
  if (!category) throw new Error(`no category has the path ${url.pathname}`)
  const view = await loadSearch(services, url, CATEGORY_PATHS[category], category)
  const site = siteOf(services.config)
  context.set(structuredDataContext, [
    breadcrumbList(site, [{ label: 'Venues & vendors', to: '/venues-vendors' }, { label: category }]),
    businessList(site, CATEGORY_TEXTS[category].heading, view.businesses),
  ])
  return {
    category,
    view,
    landingPlaces: await listPlacesOfCategory(services.db, category, PLACES_SHOWN),
    picture: siteImage(CATEGORY_SCENES[category], 'category', '3x2'),
    emptyPicture: siteImage('empty-listings', 'search', '4x3'),
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  if (!loaderData) return []
  const { category, view, picture } = loaderData
  const texts = CATEGORY_TEXTS[category]
  return pageMeta(site, {
    title: pageTitle(texts.heading, site),
    description: texts.intro,
    ...listIndexing(CATEGORY_PATHS[category], view.indexing),
    image: { ...picture, alt: texts.heading },
  })
}

export default function CategoryRoute({ loaderData }: Route.ComponentProps) {
  const { category, view, landingPlaces, picture, emptyPicture } = loaderData
  const texts = CATEGORY_TEXTS[category]
  const path = CATEGORY_PATHS[category]
  return (
    <div className="page pt-8 pb-24 md:pt-12">
      <header className="grid items-end gap-x-12 gap-y-6 md:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]">
        <div className="md:pb-14 lg:pb-20">
          <h1 className="display">{texts.heading}</h1>
          <p className="lede mt-5">{texts.intro}</p>
        </div>
        <Picture
          image={picture}
          alt=""
          ratio="2 / 1"
          sizes="(min-width: 1280px) 690px, (min-width: 769px) 52vw, 92vw"
          priority
          className="max-md:-order-1"
        />
      </header>
      <div className="relative z-1 mt-8 md:-mt-10 md:mr-12 lg:-mt-14 lg:mr-24">
        <ListSearch view={view} path={path} withCategory={false} />
      </div>
      <div className="mt-10">
        <SearchAnswer
          view={view}
          path={path}
          everything={`All ${texts.heading.toLowerCase()}`}
          emptyPicture={emptyPicture}
          note={
            <>
              <p className="text-sm font-semibold text-brand">Before you choose</p>
              <p className="mt-3 font-display text-xl leading-snug">{texts.advice}</p>
              <p className="mt-5">
                <Link to="/advice-support" className="link">
                  More advice
                </Link>
              </p>
            </>
          }
          whenEmpty={
            <EmptyState
              illustration={<Picture image={emptyPicture} alt="" sizes="280px" ratio="4 / 3" />}
              title="Nobody here yet"
              text={`The first ${texts.heading.toLowerCase()} will stand here. If that is your trade, it could be you.`}
              action={
                <ButtonLink to="/addservice" variant="primary">
                  List your business
                </ButtonLink>
              }
            />
          }
        />
      </div>
      <ByPlace category={category} places={landingPlaces} />
      <nav aria-label="Other categories" className="mt-20 border-t border-line pt-8">
        <h2 className="text-xl">What else the day needs</h2>
        <ul className="mt-4 flex flex-wrap gap-x-7 gap-y-1">
          {CATEGORIES.filter((other) => other !== category).map((other) => (
            <li key={other}>
              <Link to={CATEGORY_PATHS[other]} className="link inline-block py-2">
                {other}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}
