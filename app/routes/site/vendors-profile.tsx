import { data, href, redirect } from 'react-router'
import { vendorPath } from '../../features/businesses/components/vendor-entry.tsx'
import { seoDescription } from '../../features/businesses/rules.ts'
import { NotThere } from '../../features/businesses/screens/not-there-screen.tsx'
import {
  VendorScreen,
  VendorSections,
  vendorCrumbs,
} from '../../features/businesses/screens/vendor-screen.tsx'
import { findVendor } from '../../features/businesses/vendor-queries.server.ts'
import { listBusinessesOfVendor } from '../../features/reviews/card-queries.server.ts'
import { cachePage, servicesContext, structuredDataContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle, siteOf } from '../../shared/page-meta.ts'
import { breadcrumbList } from '../../shared/structured-data.ts'
import type { RouteHandle } from '../../shell/load-route-module.ts'
import { businessList } from '../businesses/business-data.ts'
import { vendorTopic } from '../page-topics.ts'
import type { Route } from './+types/vendors-profile'
import { siteImage } from './site-image.server.ts'

export const handle: RouteHandle = { deferred: [VendorSections] }

const NOT_FOUND_TITLE = 'This vendor isn’t here'

/** A vendor's public profile with their listings; without an id, the directory (Decisions 16 and 20). */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { config, db } = context.get(servicesContext)
  const id = url.searchParams.get('id')
  if (!id) throw redirect(href('/vendors'))
  cachePage(context, [vendorTopic(id)])
  const vendor = await findVendor(db, id)
  if (!vendor) {
    return data({ found: false as const, picture: siteImage('not-found', 'vendor', '4x3') }, { status: 404 })
  }
  const businesses = await listBusinessesOfVendor(db, id)
  const site = siteOf(config)
  context.set(structuredDataContext, [
    breadcrumbList(site, vendorCrumbs(vendor.name)),
    businessList(site, vendor.name, businesses),
  ])
  return { found: true as const, vendor, businesses }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  if (!loaderData?.found) {
    return pageMeta(site, {
      title: pageTitle(NOT_FOUND_TITLE, site),
      description: 'There is no such vendor.',
      path: href('/vendors'),
      noIndex: true,
    })
  }
  const { vendor, businesses } = loaderData
  const image = businesses[0]?.pictures[0]
  return pageMeta(site, {
    title: pageTitle(vendor.name, site),
    description: seoDescription(vendor.description || `What ${vendor.name} offers, with prices.`),
    path: vendorPath(vendor.userId),
    ...(image ? { image: { ...image, alt: vendor.name } } : {}),
  })
}

export default function VendorsProfile({ loaderData }: Route.ComponentProps) {
  if (loaderData.found) return <VendorScreen {...loaderData} />
  return (
    <NotThere title={NOT_FOUND_TITLE} picture={loaderData.picture}>
      They may have left, or the address may be mistyped.
    </NotThere>
  )
}
