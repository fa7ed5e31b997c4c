import { ExternalLink } from 'lucide-react'
import { data, href, redirect } from 'react-router'
import { AbnMark } from '../../features/businesses/components/abn-mark.tsx'
import { BusinessCard } from '../../features/businesses/components/business-card.tsx'
import { vendorPath } from '../../features/businesses/components/vendor-entry.tsx'
import { groupAbn, seoDescription } from '../../features/businesses/rules.ts'
import { findVendor } from '../../features/businesses/vendor-queries.server.ts'
import { listBusinessesOfVendor } from '../../features/reviews/card-queries.server.ts'
import { keepPage, servicesContext, structuredDataContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle, siteOf } from '../../shared/page-meta.ts'
import { breadcrumbList } from '../../shared/structured-data.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx'
import { businessList } from '../businesses/business-data.ts'
import { vendorTopic } from '../page-topics.ts'
import type { Route } from './+types/vendors-profile'
import { NotThere } from './not-there.tsx'
import { siteImage } from './site-image.server.ts'

const NOT_FOUND_TITLE = 'This vendor isn’t here'

/** A vendor's public profile with what they list; without an id, the directory (Decisions 16 and 20). */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { config, db } = context.get(servicesContext)
  const id = url.searchParams.get('id')
  if (!id) throw redirect(href('/vendors'))
  keepPage(context, [vendorTopic(id)])
  const vendor = await findVendor(db, id)
  if (!vendor) {
    return data({ found: false as const, picture: siteImage('not-found', 'vendor', '4x3') }, { status: 404 })
  }
  const businesses = await listBusinessesOfVendor(db, id)
  const site = siteOf(config)
  context.set(structuredDataContext, [
    breadcrumbList(site, crumbsOf(vendor.name)),
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

function crumbsOf(name: string) {
  return [{ label: 'Vendors', to: href('/vendors') }, { label: name }]
}

export default function VendorsProfile({ loaderData }: Route.ComponentProps) {
  if (!loaderData.found) {
    return (
      <NotThere title={NOT_FOUND_TITLE} picture={loaderData.picture}>
        They may have left, or the address is mistyped.
      </NotThere>
    )
  }
  const { vendor, businesses } = loaderData
  return (
    <div className="page pt-6 pb-24">
      <Breadcrumbs crumbs={crumbsOf(vendor.name)} />
      <header className="mt-8 grid items-start gap-x-10 gap-y-6 md:grid-cols-[auto_1fr]">
        <Avatar name={vendor.name} url={vendor.logoUrl} size={120} />
        <div>
          <h1>{vendor.name}</h1>
          {vendor.description ? <p className="lede mt-4">{vendor.description}</p> : null}
          <ul className="mt-5 flex flex-wrap items-center gap-x-7 gap-y-2">
            {vendor.abn ? (
              <li className="flex flex-wrap items-center gap-x-3">
                <AbnMark />
                <span className="figures text-sm text-quiet">{groupAbn(vendor.abn)}</span>
              </li>
            ) : null}
            {vendor.website ? (
              <li>
                <a
                  href={vendor.website}
                  rel="nofollow ugc noopener"
                  className="link inline-flex items-center gap-1.5"
                >
                  {new URL(vendor.website).hostname.replace(/^www\./, '')}
                  <ExternalLink aria-hidden="true" className="size-4" />
                </a>
              </li>
            ) : null}
          </ul>
        </div>
      </header>
      <section aria-labelledby="listings" className="mt-14 border-t border-line pt-10">
        <h2 id="listings">
          {businesses.length === 1 ? 'Their listing' : `Their ${businesses.length} listings`}
        </h2>
        <ul className="mt-8 grid gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-3">
          {businesses.map((business, index) => (
            <li key={business.id}>
              <BusinessCard business={business} priority={index === 0} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
