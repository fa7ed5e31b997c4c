import { href } from 'react-router'
import { VendorEntry } from '../../features/businesses/components/vendor-entry.tsx'
import { readPage } from '../../features/businesses/rules.ts'
import { listVendors } from '../../features/businesses/vendor-queries.server.ts'
import { listBusinessCardsByVendor } from '../../features/reviews/card-queries.server.ts'
import { keepPage, servicesContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle } from '../../shared/page-meta.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Picture } from '../../ui/picture.tsx'
import { VENDORS_TOPIC, vendorTopic } from '../page-topics.ts'
import type { Route } from './+types/vendors'
import { siteImage } from './site-image.server.ts'

const TITLE = 'Vendors'

function hrefFor(page: number): string {
  return page > 1 ? `${href('/vendors')}?page=${page}` : href('/vendors')
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext)
  const page = await listVendors(db, readPage(url.searchParams), listBusinessCardsByVendor)
  keepPage(context, [VENDORS_TOPIC, ...page.vendors.map(({ userId }) => vendorTopic(userId))])
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
    path: hrefFor(loaderData?.page ?? 1),
  })
}

export default function Vendors({ loaderData }: Route.ComponentProps) {
  const { vendors, total, page, pageCount, emptyPicture } = loaderData
  return (
    <div className="page pt-10 pb-24 md:pt-16">
      <header className="grid gap-x-16 gap-y-6 md:grid-cols-[1.4fr_1fr] md:items-end">
        <div>
          <h1 className="display">The people behind it</h1>
          <p className="lede mt-5">
            Cooks, hosts, players and planners, from A to Z. Some list one thing, some a whole afternoon of
            them.
          </p>
        </div>
        <p className="md:text-right">
          <ButtonLink to={href('/addservice')}>List your business</ButtonLink>
        </p>
      </header>
      {total === 0 ? (
        <EmptyState
          illustration={<Picture image={emptyPicture} alt="" sizes="280px" ratio="4 / 3" />}
          title="Nobody here yet"
          text="The first vendors will stand here as soon as they list what they do."
        />
      ) : (
        <>
          <p className="figures mt-12 font-semibold">{total === 1 ? '1 vendor' : `${total} vendors`}</p>
          <ul className="mt-5 mb-14">
            {vendors.map(({ businesses, ...vendor }) => (
              <li key={vendor.userId} className="border-t border-line">
                <VendorEntry vendor={vendor} businesses={businesses} />
              </li>
            ))}
          </ul>
          <Pagination page={page} pageCount={pageCount} hrefFor={hrefFor} />
        </>
      )}
    </div>
  )
}
