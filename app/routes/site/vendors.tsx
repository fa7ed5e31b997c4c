import { readPage } from '../../features/businesses/rules.ts'
import { VendorsScreen, vendorsHref } from '../../features/businesses/screens/vendors-screen.tsx'
import { listVendors } from '../../features/businesses/vendor-queries.server.ts'
import { listBusinessCardsByVendor } from '../../features/reviews/card-queries.server.ts'
import { cachePage, servicesContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle } from '../../shared/page-meta.ts'
import { VENDORS_TOPIC, vendorTopic } from '../page-topics.ts'
import type { Route } from './+types/vendors'
import { siteImage } from './site-image.server.ts'

const TITLE = 'Vendors'

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext)
  const page = await listVendors(db, readPage(url.searchParams), listBusinessCardsByVendor)
  cachePage(context, [VENDORS_TOPIC, ...page.vendors.map(({ userId }) => vendorTopic(userId))])
  return {
    ...page,
    emptyPicture: siteImage('empty-listings', 'vendors', '4x3'),
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  return pageMeta(site, {
    title: pageTitle(TITLE, site),
    description:
      'The people and firms behind the listings: who they are, where they work and what they offer.',
    path: vendorsHref(loaderData?.page ?? 1),
  })
}

export default function Vendors({ loaderData }: Route.ComponentProps) {
  return <VendorsScreen {...loaderData} />
}
