import { data, href, Link } from 'react-router'
import { BusinessCard } from '../../features/businesses/components/business-card.tsx'
import { BusinessFeature } from '../../features/businesses/components/business-feature.tsx'
import { BusinessRow } from '../../features/businesses/components/business-row.tsx'
import { PlaceLinks } from '../../features/businesses/components/place-links.tsx'
import {
  findLanding,
  type LandingView,
  NEIGHBOURS_SIZE,
} from '../../features/businesses/landing-queries.server.ts'
import {
  categoryCountText,
  categoryNoun,
  landingDescription,
  landingHeading,
  landingIntro,
  middlePriceText,
  priceRangeText,
} from '../../features/businesses/landing-wording.ts'
import {
  CATEGORY_PATHS,
  categoryOfPath,
  landingPath,
  NEARBY_KM,
  SURROUNDINGS_KM,
} from '../../features/businesses/rules.ts'
import { CATEGORY_TEXTS, UNIT_TEXTS } from '../../features/businesses/wording.ts'
import { placeLabel } from '../../features/places/rules.ts'
import { listBusinessCards } from '../../features/reviews/card-queries.server.ts'
import { searchHref } from '../../features/search/schema.ts'
import { keepPage, servicesContext, structuredDataContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle, siteOf } from '../../shared/page-meta.ts'
import { breadcrumbList } from '../../shared/structured-data.ts'
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { cardTopics, listTopics, reachKm } from '../page-topics.ts'
import { NotThere } from '../site/not-there.tsx'
import { siteImage } from '../site/site-image.server.ts'
import type { Route } from './+types/landing'
import { businessList } from './business-data.ts'

const NOTHING_TITLE = 'Nothing is listed here yet'

/** One category in one place; only where there is something to show. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { config, db } = context.get(servicesContext)
  const category = categoryOfPath(`/${params.category}`)
  const landing = category && (await findLanding(db, category, params.place, listBusinessCards))
  if (!landing) {
    const picture = siteImage('not-found', 'place', '4x3')
    return data({ found: false as const, category, picture }, { status: 404 })
  }
  const { place, businesses, around, neighbours } = landing
  const here = { placeId: place.id }
  const km = reachKm(neighbours, NEIGHBOURS_SIZE, SURROUNDINGS_KM + 1) ?? NEARBY_KM + 1
  keepPage(context, [
    ...cardTopics(businesses, around),
    ...listTopics('listings', [category], { around: place, km }),
    // What else the place has; prices and services of this category there.
    ...listTopics('listings', undefined, here),
    ...listTopics('prices', [category], here),
    ...listTopics('words', [category], here),
  ])
  const heading = landingHeading(landing)
  const site = siteOf(config)
  context.set(structuredDataContext, [
    breadcrumbList(site, crumbsOf(landing)),
    businessList(site, `${heading}, ${place.state}`, [...businesses, ...around]),
  ])
  return {
    found: true as const,
    landing,
    kind: CATEGORY_TEXTS[landing.category].heading,
    heading,
    intro: landingIntro(landing),
    description: landingDescription(landing),
    allHref: searchHref(CATEGORY_PATHS[landing.category], { place: placeLabel(place) }),
  }
}

function crumbsOf({ category, place }: LandingView) {
  return [
    { label: 'Venues & vendors', to: href('/venues-vendors') },
    { label: category, to: CATEGORY_PATHS[category] },
    { label: placeLabel(place) },
  ]
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  if (!loaderData?.found) {
    return pageMeta(site, {
      title: pageTitle(NOTHING_TITLE, site),
      description: 'No business of this kind is listed in this place or near it.',
      path: href('/venues-vendors'),
      noIndex: true,
    })
  }
  const { landing, description } = loaderData
  const { category, place, businesses, around } = landing
  const heading = `${loaderData.heading}, ${place.state}`
  const image = [...businesses, ...around].find(({ pictures }) => pictures.length > 0)?.pictures[0]
  return pageMeta(site, {
    title: pageTitle(heading, site),
    description,
    path: landingPath(category, place.id),
    // What is only near shows on its own place's page too: one page of it is enough for a search engine.
    noIndex: landing.listed === 0,
    ...(image ? { image: { ...image, alt: heading } } : {}),
  })
}

export default function LandingRoute({ loaderData }: Route.ComponentProps) {
  if (loaderData.found) return <Landing {...loaderData} />
  return (
    <NotThere title={NOTHING_TITLE} picture={loaderData.picture}>
      {loaderData.category
        ? `No ${categoryNoun(loaderData.category)} is listed in this place, nor within ${SURROUNDINGS_KM} km of it.`
        : 'The address may be old or mistyped.'}
    </NotThere>
  )
}

type Found = Extract<Route.ComponentProps['loaderData'], { found: true }>

function Landing({ landing, kind, heading, intro, allHref }: Found) {
  const { category, place, listed, businesses, around, neighbours, otherCategories } = landing
  const [lead, ...others] = listed > 0 ? businesses : around
  return (
    <div className="page pt-5 pb-24 md:pt-7">
      <Breadcrumbs crumbs={crumbsOf(landing)} />
      <div className="mt-6 grid gap-x-16 gap-y-10 md:mt-9 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)] lg:items-end">
        <header>
          <h1 className="display">
            {heading}
            <span className="text-quiet">, {place.state}</span>
          </h1>
          <p className="lede mt-5">{intro}</p>
        </header>
        {/* On a phone a picture comes before the figures. */}
        {lead ? (
          <div className="lg:order-last lg:col-span-2 lg:mt-4">
            <h2 className="unseen">The {kind.toLowerCase()}</h2>
            <BusinessFeature business={lead} distanceKm={distanceOf(lead)} />
          </div>
        ) : null}
        <Facts landing={landing} />
      </div>
      <Others businesses={others} />
      {listed > businesses.length ? (
        <p className="mt-12">
          <ButtonLink to={allHref} variant="quiet">
            All {categoryCountText(category, listed)} in {place.name}
          </ButtonLink>
        </p>
      ) : null}
      {listed > 0 && around.length > 0 ? (
        <section aria-labelledby="around" className="mt-20 border-t border-line pt-12">
          <h2 id="around">Not far from {place.name}</h2>
          <Rows businesses={around} />
        </section>
      ) : null}
      {neighbours.length > 0 ? (
        <nav aria-labelledby="neighbours" className="mt-20 border-t border-line pt-10">
          <h2 id="neighbours" className="mb-6">
            {kind} in places nearby
          </h2>
          <PlaceLinks category={category} places={neighbours} />
        </nav>
      ) : null}
      {otherCategories.length > 0 ? (
        <nav aria-labelledby="others" className="mt-16">
          <h2 id="others" className="text-xl">
            What else {place.name} has
          </h2>
          <ul className="mt-3 flex flex-wrap gap-x-7 gap-y-1">
            {otherCategories.map((other) => (
              <li key={other.category}>
                <Link to={landingPath(other.category, place.id)} className="link inline-block py-2.5">
                  {categoryCountText(other.category, other.listed)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      <p className="mt-10">
        <Link to={CATEGORY_PATHS[category]} className="link inline-block py-2.5">
          All {kind.toLowerCase()} in Australia
        </Link>
      </p>
    </div>
  )
}

type Shown = LandingView['businesses'][number] | LandingView['around'][number]

/** Businesses around a place carry their distance from it; those in it have none. */
function distanceOf(business: Shown): number | undefined {
  return 'distanceKm' in business ? business.distanceKm : undefined
}

/** Fewer than a row of cards stand as lines, so that no card stands alone. */
const MIN_CARDS = 3

function Others({ businesses }: { businesses: readonly Shown[] }) {
  if (businesses.length < MIN_CARDS) return <Rows businesses={businesses} />
  return (
    <ul className="mt-12 grid gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-3">
      {businesses.map((business) => (
        <li key={business.id}>
          <BusinessCard business={business} distanceKm={distanceOf(business)} />
        </li>
      ))}
    </ul>
  )
}

function Rows({ businesses }: { businesses: readonly Shown[] }) {
  if (businesses.length === 0) return null
  return (
    <ul className="mt-10 grid gap-x-12 gap-y-8 lg:grid-cols-2">
      {businesses.map((business) => (
        <li key={business.id}>
          <BusinessRow business={business} distanceKm={distanceOf(business)} />
        </li>
      ))}
    </ul>
  )
}

/** What they ask and what they offer, from their own listings; one alone says it itself. */
function Facts({ landing: { listed, prices, services } }: { landing: LandingView }) {
  if (listed < 2 || (prices.length === 0 && services.length === 0)) return null
  return (
    <dl className="border-b border-line [&>div]:border-t [&>div]:border-line [&>div]:py-3">
      {prices.map((range) => {
        const middle = middlePriceText(range)
        return (
          <div key={range.priceUnit}>
            <dt className="text-sm text-quiet">They ask {UNIT_TEXTS[range.priceUnit]}, GST included</dt>
            <dd className="mt-0.5 flex flex-wrap items-baseline gap-x-3">
              <span className="price text-xl">{priceRangeText(range)}</span>
              {middle ? <span className="figures text-sm text-quiet">{middle}</span> : null}
            </dd>
          </div>
        )
      })}
      {services.length > 0 ? (
        <div>
          <dt className="text-sm text-quiet">Offered most</dt>
          <dd className="mt-0.5">{services.join(' · ')}</dd>
        </div>
      ) : null}
    </dl>
  )
}
