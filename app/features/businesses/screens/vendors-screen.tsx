import { href } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Pagination } from '../../../ui/pagination.tsx'
import { Picture, type PictureImage } from '../../../ui/picture.tsx'
import { VendorEntry } from '../components/vendor-entry.tsx'
import type { BusinessCardView } from '../queries.server.ts'
import type { VendorView } from '../vendor-queries.server.ts'

/** The address of a page of the directory. */
export function vendorsHref(page: number): string {
  return page > 1 ? `${href('/vendors')}?page=${page}` : href('/vendors')
}

/** The directory of vendors, from A to Z. */
export function VendorsScreen({
  vendors,
  total,
  page,
  pageCount,
  emptyPicture,
}: {
  vendors: readonly (VendorView & { businesses: BusinessCardView[] })[]
  total: number
  page: number
  pageCount: number
  emptyPicture: PictureImage
}) {
  return (
    <div className="page pt-10 pb-24 md:pt-16">
      <header className="grid gap-x-16 gap-y-6 md:grid-cols-[1.4fr_1fr] md:items-end">
        <div>
          <h1 className="display">The people behind it</h1>
          <p className="lede mt-5">
            Cooks, hosts, musicians and planners, from A to Z. Some list one thing, some a whole afternoon of
            them.
          </p>
        </div>
        <p className="md:text-right">
          <ButtonLink to={href('/list-your-business')}>List your business</ButtonLink>
        </p>
      </header>
      {total === 0 ? (
        <EmptyState
          illustration={<Picture image={emptyPicture} alt="" sizes="280px" ratio="4 / 3" />}
          title="No one here yet"
          text="The first vendors will appear here as soon as they list a business."
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
          <Pagination page={page} pageCount={pageCount} hrefFor={vendorsHref} />
        </>
      )}
    </div>
  )
}
