import { href, Link } from 'react-router'
import type { HidingParty } from '../../features/businesses/rules.ts'
import { OperationForm } from '../../features/operators/components/operation-form.tsx'
import { SearchForm } from '../../features/operators/components/search-form.tsx'
import { listListings } from '../../features/operators/listing-queries.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import { privateMeta } from '../../shared/page-meta.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { Route } from './+types/listings'
import { performOperation } from './perform.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  privateMeta('Listings | Operations', matches[0]?.loaderData)

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext)
  const words = (url.searchParams.get('q') ?? '').trim().slice(0, 100)
  const hidden = url.searchParams.has('hidden')
  return { words, hidden, listings: await listListings(services.db, { words, hidden }) }
}

export function action({ request, context }: Route.ActionArgs) {
  return performOperation(request, context)
}

const HIDDEN_BY = {
  owner: 'hidden by its owner',
  operator: 'hidden by an operator',
  disabling: 'hidden with its disabled account',
  deactivation: 'hidden with its deactivated account',
} as const satisfies Record<HidingParty, string>

export default function Listings({ loaderData: { words, hidden, listings } }: Route.ComponentProps) {
  return (
    <>
      <h1>Listings</h1>
      <div className="mt-6">
        <SearchForm
          label="Business, owner or e-mail"
          words={words}
          checkbox={{ name: 'hidden', label: 'Hidden only', checked: hidden }}
        />
      </div>
      {listings.length === 0 ? (
        <EmptyState text={words || !hidden ? 'No listing fits.' : 'No listing is hidden.'} />
      ) : (
        <ul className="mt-6 border-t border-line">
          {listings.map((listing) => (
            <li key={listing.id} className="border-b border-line py-5">
              <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
                <h2 className="min-w-0 text-lg [overflow-wrap:anywhere]">
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
                  : 'Its owner’s account is gone'}
              </p>
              {listing.hidden?.reason ? (
                <p className="mt-2 text-sm">Hidden: {listing.hidden.reason}</p>
              ) : null}
              <div className="mt-3">
                {listing.hidden?.by === 'operator' ? (
                  <OperationForm
                    intent="show-listing"
                    id={listing.id}
                    label="Show again"
                    pendingLabel="Showing..."
                  />
                ) : listing.hidden?.by === 'disabling' || listing.hidden?.by === 'deactivation' ? null : (
                  <OperationForm
                    intent="hide-listing"
                    id={listing.id}
                    label="Hide"
                    pendingLabel="Hiding..."
                    variant="danger"
                    reason={{ label: 'Reason', hint: 'Its owner is told, and can’t show it again.' }}
                  />
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
