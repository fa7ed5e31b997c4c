import { data, href } from 'react-router'
import { distanceText } from '../../features/businesses/messages.ts'
import { CATEGORY_PATHS } from '../../features/businesses/rules.ts'
import { NotThere } from '../../features/businesses/screens/not-there-screen.tsx'
import {
  categoriesOfService,
  SERVICE_IDS,
  SERVICE_ROWS,
  servicesOfCategory,
} from '../../features/businesses/service-match-rules.ts'
import type { ServiceId } from '../../features/businesses/service-rules.ts'
import { placeLabel } from '../../features/places/rules.ts'
import { searchHref } from '../../features/search/schema.ts'
import { ServiceScreen, ServiceSections } from '../../features/search/screens/service-screen.tsx'
import {
  allOfServiceText,
  NO_SERVICE_TITLE,
  noServiceText,
  serviceDescription,
  serviceHeading,
  serviceIntro,
} from '../../features/search/service-messages.ts'
import { findServiceLanding, type ServiceLanding } from '../../features/search/service-queries.server.ts'
import { cachePage, servicesContext, structuredDataContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle, siteOf } from '../../shared/page-meta.ts'
import { breadcrumbList } from '../../shared/structured-data.ts'
import type { RouteHandle } from '../../shell/load-route-module.ts'
import { cardOf } from '../card-address.ts'
import { cardTopics, listTopics } from '../page-topics.ts'
import { siteImage } from '../site/site-image.server.ts'
import type { Route } from './+types/service'
import { businessList } from './business-data.ts'

export const handle: RouteHandle = { deferred: [ServiceSections] }

/** One service, alone or in one place; exists only while someone offers it there. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { config, db, now } = context.get(servicesContext)
  const service = SERVICE_IDS.find((id) => id === params.service) ?? null
  const landing =
    service &&
    (await findServiceLanding(db, service, params.place ?? null, { nearKm: config.nearKm, now: now() }))
  if (!landing) {
    const picture = siteImage('not-found', 'place', '4x3')
    return data({ found: false as const, text: noServiceText(service), picture }, { status: 404 })
  }
  const { place, businesses } = landing
  const categories = categoriesOfService(landing.service)
  cachePage(context, [
    ...cardTopics(businesses),
    // Anyone may begin to offer it, or to travel there.
    ...listTopics('listings', categories),
    ...listTopics('prices', categories),
  ])
  const site = siteOf(config)
  const heading = serviceHeading(landing)
  const crumbs = crumbsOf(landing)
  context.set(structuredDataContext, [
    breadcrumbList(site, crumbs),
    businessList(site, place ? `${heading}, ${place.state}` : heading, businesses),
  ])
  return {
    found: true as const,
    crumbs,
    heading,
    description: serviceDescription(landing),
    ...viewOf(landing),
  }
}

const pathOf = (service: ServiceId, placeId?: string) =>
  placeId
    ? href('/services/:service/in/:place', { service, place: placeId })
    : href('/services/:service', { service })

function crumbsOf({ service, place }: ServiceLanding) {
  const { many, category } = SERVICE_ROWS[service]
  return [
    { label: 'Venues & vendors', to: href('/venues-vendors') },
    { label: category, to: CATEGORY_PATHS[category] },
    { label: many, to: pathOf(service) },
    ...(place ? [{ label: placeLabel(place) }] : []),
  ]
}

/** The page's links and texts, made here so that no browser loads the table of services. */
function viewOf(landing: ServiceLanding) {
  const { service, place, businesses, hasOwn, places } = landing
  const { category } = SERVICE_ROWS[service]
  return {
    state: place?.state ?? null,
    intro: serviceIntro(landing),
    businesses,
    path: pathOf(service, place?.id),
    // A page of those who travel there repeats their own places' pages, which are enough for search engines.
    hasOwn,
    all: {
      label: allOfServiceText(service),
      to: searchHref(CATEGORY_PATHS[category], {
        service,
        ...(place ? { place: placeLabel(place), near: true } : {}),
      }),
    },
    places: places.map(({ placeId, label, listed, distanceKm }) => ({
      label,
      to: pathOf(service, placeId),
      detail: distanceKm === undefined ? String(listed) : distanceText(distanceKm),
    })),
    others: servicesOfCategory(category)
      .filter((other) => other !== service)
      .map((other) => ({
        label: SERVICE_ROWS[other].many,
        to: searchHref(CATEGORY_PATHS[category], { service: other }),
      })),
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  if (!loaderData?.found) {
    return pageMeta(site, {
      title: pageTitle(NO_SERVICE_TITLE, site),
      description: 'No business offers this service here.',
      path: href('/venues-vendors'),
      noIndex: true,
    })
  }
  const { heading, state, description, path, hasOwn } = loaderData
  const title = state ? `${heading}, ${state}` : heading
  return pageMeta(site, {
    title: pageTitle(title, site),
    description,
    path,
    noIndex: !hasOwn,
    card: cardOf(path, title),
  })
}

export default function ServiceRoute({ loaderData }: Route.ComponentProps) {
  if (!loaderData.found)
    return (
      <NotThere title={NO_SERVICE_TITLE} picture={loaderData.picture}>
        {loaderData.text}
      </NotThere>
    )
  const { found: _, description: _description, path: _path, hasOwn: _hasOwn, ...page } = loaderData
  return <ServiceScreen {...page} />
}
