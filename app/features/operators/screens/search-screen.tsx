import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { Pictures } from '../components/list-parts.tsx'
import { BookingRows, ListRow, PaymentRows } from '../components/list-rows.tsx'
import { countText, WORDS_TOO_SHORT } from '../messages.ts'
import type { FoundKind, OperatorSearch } from '../search-queries.server.ts'

/** The results of the operators' search, by kind. */
export function SearchScreen({
  words,
  found,
  pictures,
  provider,
  now,
}: {
  words: string
  /** Null where the words are too few to search for. */
  found: OperatorSearch | null
  pictures: Pictures
  /** The provider in the settings. */
  provider: string
  /** ISO 8601. */
  now: string
}) {
  const total = found ? Object.values(found).reduce((sum, kind) => sum + (kind?.count ?? 0), 0) : 0
  const query = new URLSearchParams({ q: words })
  return (
    <>
      <h1>{words ? `Results for ‘${words}’` : 'Search'}</h1>
      {found === null ? (
        <EmptyState text={WORDS_TOO_SHORT} />
      ) : total === 0 ? (
        <EmptyState text="Nothing matches. Try part of a name or an email address, or paste a whole id." />
      ) : (
        <div className="mt-8 grid grid-cols-1 gap-12">
          <Kind title="Vendors" found={found.vendors}>
            {(vendors) => (
              <ul className="mt-6 border-t border-line">
                {vendors.map(({ userId, name, email, businessId, listings }) => (
                  <ListRow key={userId} image={pictures[businessId ?? '']}>
                    <h3 className="text-base wrap-anywhere">
                      <Link className="cover-link" to={href('/operations/vendors/:id', { id: userId })}>
                        {name}
                      </Link>
                    </h3>
                    <p className="figures text-sm text-quiet wrap-anywhere">
                      {listings === 1 ? '1 listing' : `${listings} listings`}, {email}
                    </p>
                  </ListRow>
                ))}
              </ul>
            )}
          </Kind>
          <Kind title="Accounts" found={found.accounts} to={`${href('/operations/accounts')}?${query}`}>
            {(accounts) => (
              <ul className="mt-6 border-t border-line">
                {accounts.map((account) => (
                  <ListRow key={account.id} image={pictures[account.businessId ?? '']}>
                    <h3 className="text-base [overflow-wrap:anywhere]">
                      <Link
                        className="cover-link"
                        to={`${href('/operations/accounts')}?${new URLSearchParams({ q: account.id })}`}
                      >
                        {account.name}
                      </Link>
                    </h3>
                    <p className="text-sm [overflow-wrap:anywhere]">{account.email}</p>
                  </ListRow>
                ))}
              </ul>
            )}
          </Kind>
          <Kind title="Bookings" found={found.bookings} to={`${href('/operations/bookings')}?${query}`}>
            {(bookings) => <BookingRows bookings={bookings} pictures={pictures} now={now} heading="h3" />}
          </Kind>
          <Kind title="Payments" found={found.payments} to={`${href('/operations/payments')}?${query}`}>
            {(payments) => (
              <PaymentRows payments={payments} pictures={pictures} provider={provider} heading="h3" />
            )}
          </Kind>
          <Kind title="Listings" found={found.listings} to={`${href('/operations/listings')}?${query}`}>
            {(listings) => (
              <ul className="mt-6 border-t border-line">
                {listings.map((listing) => (
                  <ListRow key={listing.id} image={pictures[listing.id]}>
                    <h3 className="text-base [overflow-wrap:anywhere]">
                      <Link
                        className="cover-link"
                        to={`${href('/operations/listings')}?${new URLSearchParams({ q: listing.id })}`}
                      >
                        {listing.name}
                      </Link>
                    </h3>
                    <p className="text-sm text-quiet [overflow-wrap:anywhere]">
                      {[listing.category, listing.ownerName].filter(Boolean).join(', ')}
                    </p>
                  </ListRow>
                ))}
              </ul>
            )}
          </Kind>
        </div>
      )}
    </>
  )
}

/** One kind of results with its count. Renders nothing where nothing was found. */
function Kind<Row>({
  title,
  found,
  to,
  children,
}: {
  title: string
  found: FoundKind<Row> | null
  /** The list with all of them; none for vendors. */
  to?: string
  children: (rows: Row[]) => ReactNode
}) {
  if (!found || found.count === 0) return null
  return (
    <section>
      <h2 className="text-xl">
        {title} <span className="figures text-base text-quiet">{countText(found.count)}</span>
      </h2>
      {children(found.rows)}
      {to && found.count > found.rows.length ? (
        <p className="mt-4">
          <Link className="link inline-flex min-h-11 items-center" to={to}>
            More {title.toLowerCase()}
          </Link>
        </p>
      ) : null}
    </section>
  )
}
