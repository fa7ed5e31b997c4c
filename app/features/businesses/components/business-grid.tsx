import { Fragment, type ReactNode } from 'react'
import { Pagination } from '../../../ui/pagination.tsx'
import type { BusinessPage } from '../queries.server.ts'
import { type BusinessFilter, filterHref } from '../rules.ts'
import { BusinessCard } from './business-card.tsx'

/** A note stands after this many cards, where the eye has settled into the list. */
const NOTE_AFTER = 4

/**
 * A page of a list, picture first, with links to its other pages.
 * @param path of the list
 * @param note a few words between the cards, on a first page that is long enough to carry them
 */
export function BusinessGrid({
  list,
  path,
  filter,
  note,
  priority = false,
}: {
  list: BusinessPage
  path: string
  filter: BusinessFilter
  note?: ReactNode
  /** Its first picture is the page's first. */
  priority?: boolean
}) {
  const noted = note && list.page === 1 && list.businesses.length > NOTE_AFTER
  return (
    <>
      <ul className="grid gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-3">
        {list.businesses.map((business, index) => (
          <Fragment key={business.id}>
            {noted && index === NOTE_AFTER ? (
              <li className="flex flex-col justify-center rounded-card bg-brand-soft p-8">{note}</li>
            ) : null}
            <li>
              <BusinessCard business={business} heading="h2" priority={priority && index === 0} />
            </li>
          </Fragment>
        ))}
      </ul>
      <div className="mt-14 empty:hidden">
        <Pagination
          page={list.page}
          pageCount={list.pageCount}
          hrefFor={(page) => filterHref(path, { ...filter, page })}
        />
      </div>
    </>
  )
}
