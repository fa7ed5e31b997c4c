import { data, href } from 'react-router'
import {
  categoryNoun,
  landingDescription,
  landingHeading,
  landingIntro,
} from '../../features/businesses/landing-messages.ts'
import { findLanding, NEIGHBOURS_SIZE } from '../../features/businesses/landing-queries.server.ts'
import { CATEGORY_TEXTS } from '../../features/businesses/messages.ts'
import {
  CATEGORY_PATHS,
  categoryOfPath,
  landingPath,
  NEARBY_KM,
  SURROUNDINGS_KM,
} from '../../features/businesses/rules.ts'
import {
  LandingScreen,
  LandingSections,
  landingCrumbs,
} from '../../features/businesses/screens/landing-screen.tsx'
import { NotThere } from '../../features/businesses/screens/not-there-screen.tsx'
import { placeLabel } from '../../features/places/rules.ts'
import { listBusinessCards } from '../../features/reviews/card-queries.server.ts'
import { searchHref } from '../../features/search/schema.ts'
import { cachePage, servicesContext, structuredDataContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle, siteOf } from '../../shared/page-meta.ts'
import { breadcrumbList } from '../../shared/structured-data.ts'
import type { RouteHandle } from '../../shell/load-route-module.ts'
import { cardOf } from '../card-address.ts'
import { cardTopics, listTopics, reachKm } from '../page-topics.ts'
import { siteImage } from '../site/site-image.server.ts'
import type { Route } from './+types/landing'
import { businessList } from './business-data.ts'

export const handle: RouteHandle = { deferred: [LandingSections] }

const NOTHING_TITLE = 'Nothing is listed here yet'

/** One category in one place; exists only while there is something to show. */
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
  cachePage(context, [
    ...cardTopics(businesses, around),
    ...listTopics('listings', [category], { around: place, km }),
    // Other businesses in the place; prices and descriptions of this category there.
    ...listTopics('listings', undefined, here),
    ...listTopics('prices', [category], here),
    ...listTopics('words', [category], here),
  ])
  const heading = landingHeading(landing)
  const site = siteOf(config)
  context.set(structuredDataContext, [
    breadcrumbList(site, landingCrumbs(landing)),
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
  const { category, place } = landing
  const heading = `${loaderData.heading}, ${place.state}`
  return pageMeta(site, {
    title: pageTitle(heading, site),
    description,
    path: landingPath(category, place.id),
    // A page of nearby businesses only repeats their own places' pages, which are enough for search engines.
    noIndex: landing.listed === 0,
    card: cardOf(landingPath(category, place.id), heading),
  })
}

export default function LandingRoute({ loaderData }: Route.ComponentProps) {
  if (loaderData.found) return <LandingScreen {...loaderData} />
  return (
    <NotThere title={NOTHING_TITLE} picture={loaderData.picture}>
      {loaderData.category
        ? `No ${categoryNoun(loaderData.category)} is listed in this place, nor within ${SURROUNDINGS_KM} km of it.`
        : 'The address may be old or mistyped.'}
    </NotThere>
  )
}
