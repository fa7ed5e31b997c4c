import { href, Link } from 'react-router'
import { formatInstant } from '../../../shared/dates.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { FilterLinks, ListFoot, type Pictures } from '../components/list-parts.tsx'
import { ListRow, RowActions } from '../components/list-rows.tsx'
import { ListingOperation } from '../components/listing-operation.tsx'
import { SearchForm } from '../components/search-form.tsx'
import type { OperatorListing } from '../listing-queries.server.ts'
import { HIDDEN_BY, LISTING_FILTER_LABELS, OPERATIONS_ZONE } from '../messages.ts'
import { LISTING_FILTERS, type ListingFilter } from '../rules.ts'

/** The list of listings with a search, each to be hidden or shown. */
export function ListingsScreen({
  words,
  hidden,
  filter,
  listings,
  pictures,
  older,
  isFirst,
}: {
  words: string
  /** Lists only hidden listings. */
  hidden: boolean
  filter: ListingFilter
  listings: readonly OperatorListing[]
  pictures: Pictures
  /** The cursor of the next page; null on the last. */
  older: string | null
  isFirst: boolean
}) {
  const hrefFor = (show: ListingFilter) =>
    `${href('/operations/listings')}?${new URLSearchParams({ show, ...(words ? { q: words } : {}) })}`
  return (
    <>
      <h1>Listings</h1>
      <div className="mt-6 grid gap-5">
        <FilterLinks
          label="Filter listings"
          names={LISTING_FILTERS}
          labels={LISTING_FILTER_LABELS}
          current={filter}
          hrefFor={hrefFor}
        />
        <SearchForm
          label="Business, owner or email"
          words={words}
          keep={filter === 'all' ? {} : { show: filter }}
          checkbox={{ name: 'hidden', label: 'Hidden only', checked: hidden }}
        />
      </div>
      {listings.length === 0 ? (
        <EmptyState
          text={words || filter !== 'all' || !hidden ? 'No listing matches.' : 'No listing is hidden.'}
        />
      ) : (
        <ul className="mt-6 border-t border-line">
          {listings.map((listing) => (
            <ListingRow key={listing.id} listing={listing} image={pictures[listing.id]} />
          ))}
        </ul>
      )}
      <ListFoot
        path={href('/operations/listings')}
        filter={{
          ...(filter === 'all' ? {} : { show: filter }),
          ...(words ? { q: words } : {}),
          ...(hidden ? { hidden: '1' } : {}),
        }}
        older={older}
        isFirst={isFirst}
        exportPath={href('/operations/export/:list', { list: 'listings' })}
      />
    </>
  )
}

/** One listing: its name and category, its owner, who has hidden it and why, and the operation on it. */
function ListingRow({ listing, image }: { listing: OperatorListing; image: Pictures[string] | undefined }) {
  return (
    <ListRow
      image={image}
      aside={
        <p className="figures text-sm text-quiet">
          {formatInstant(new Date(listing.createdAt), OPERATIONS_ZONE)}
        </p>
      }
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h2 className="min-w-0 text-base [overflow-wrap:anywhere]">
          <Link className="link" to={href('/business/:id', { id: listing.id })}>
            {listing.name}
          </Link>
        </h2>
        <p className="flex flex-wrap gap-2">
          <Tag>{listing.category}</Tag>
          {listing.hidden ? <Tag tone="error">{HIDDEN_BY[listing.hidden.by]}</Tag> : null}
        </p>
      </div>
      <p className="mt-1 text-sm text-quiet [overflow-wrap:anywhere]">
        {listing.ownerEmail
          ? `${listing.ownerName}, ${listing.ownerEmail}`
          : 'Its owner’s account no longer exists'}
      </p>
      {listing.hidden?.reason ? <p className="mt-2 text-sm">Hidden: {listing.hidden.reason}</p> : null}
      <RowActions>
        <ListingOperation id={listing.id} hiddenBy={listing.hidden?.by ?? null} />
      </RowActions>
    </ListRow>
  )
}
