import { href, Link } from 'react-router'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Picture } from '../../../ui/picture.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { ALBUM_LINK_TEXT } from '../album-messages.ts'
import type { Completeness } from '../completeness-rules.ts'
import type { FactLine } from '../fact-messages.ts'
import {
  addPriceText,
  bookedByOneUnitText,
  HIDDEN_LABELS,
  READ_AND_ACCEPT_TEXT,
  WAITING_TEXT,
} from '../listing-messages.ts'
import type { OwnListing } from '../owner-queries.server.ts'
import { ListingProgress } from './listing-progress.tsx'
import { PrefilledFacts } from './prefilled-facts.tsx'
import { PriceLine } from './price-line.tsx'

type ActionProps = {
  listing: OwnListing
  /** Whether an action on the listing is in progress. */
  pending: boolean
  onDelete: () => void
  onShow: () => void
  /** @param isRight whether the facts that our form had filled in are right */
  onFacts: (isRight: boolean) => void
}

/** A business on My Listings: a summary of what customers see, and the owner's actions. */
export function ListingCard({
  listing,
  ...actions
}: ActionProps & {
  listing: { openBookings: number; completeness: Completeness; prefilled: readonly FactLine[] }
}) {
  return (
    <article
      aria-labelledby={`${listing.id}-name`}
      className="grid gap-x-7 gap-y-4 border-t border-line py-7 sm:grid-cols-[minmax(0,220px)_minmax(0,1fr)]"
    >
      <Pictures listing={listing} />
      <div className="grid min-w-0 grid-cols-1 content-start gap-3">
        <p className="flex flex-wrap gap-2">
          <Tag>{listing.category}</Tag>
          {listing.hidden ? (
            <Tag tone={listing.hidden.by === 'agreement' ? 'glow' : 'error'} icon={<Icon name="eye-off" />}>
              {HIDDEN_LABELS[listing.hidden.by]}
            </Tag>
          ) : null}
        </p>
        <div>
          <h2 id={`${listing.id}-name`} className="text-xl leading-tight [overflow-wrap:anywhere]">
            {listing.hidden ? (
              listing.name
            ) : (
              <Link className="py-1 hover:underline" to={href('/business/:id', { id: listing.id })}>
                {listing.name}
              </Link>
            )}
          </h2>
          <p className="mt-1 text-quiet">{listing.location}</p>
        </div>
        <p className="line-clamp-3 max-w-prose [overflow-wrap:anywhere]">{listing.description}</p>
        <PriceLine pricing={listing} />
        {listing.unpricedUnit ? (
          <p className="text-sm text-quiet">
            {bookedByOneUnitText(listing.priceUnit)}{' '}
            <Link className="link" to={href('/dashboard/list-business/:id/edit', { id: listing.id })}>
              {addPriceText(listing.unpricedUnit)}
            </Link>
          </p>
        ) : null}
        {listing.hidden?.by === 'agreement' ? (
          <p className="text-sm">
            {WAITING_TEXT}{' '}
            <Link className="link" to={href('/dashboard/agreement')}>
              {READ_AND_ACCEPT_TEXT}
            </Link>
          </p>
        ) : null}
        {listing.hidden?.reason ? (
          <p className="text-sm text-error">Reason given: {listing.hidden.reason}</p>
        ) : null}
        <p className="figures flex flex-wrap items-baseline gap-x-5 text-sm text-quiet">
          <span>{viewsText(listing.recentViews)}</span>
          {listing.openBookings > 0 ? (
            <Link className="link" to={href('/dashboard/bookings')}>
              {listing.openBookings === 1 ? '1 open booking' : `${listing.openBookings} open bookings`}
            </Link>
          ) : null}
        </p>
        {listing.prefilled.length > 0 ? (
          <PrefilledFacts
            lines={listing.prefilled}
            name={listing.name}
            pending={actions.pending}
            onAnswer={actions.onFacts}
          />
        ) : null}
        <ListingProgress listing={listing} completeness={listing.completeness} />
        <Actions listing={listing} {...actions} />
      </div>
    </article>
  )
}

function Pictures({ listing }: { listing: OwnListing }) {
  const [first, ...others] = listing.pictures
  return (
    <div className="grid content-start gap-2">
      <Picture
        image={first ?? null}
        alt={first ? listing.name : 'No image yet'}
        sizes="(min-width: 560px) 220px, 92vw"
        ratio="4 / 3"
      />
      {others.length > 0 ? (
        <div className="grid grid-cols-2 gap-2">
          {others.map((picture, index) => (
            <Picture
              key={picture.url}
              image={picture}
              alt={`${listing.name}, image ${index + 2}`}
              sizes="(min-width: 560px) 106px, 45vw"
              ratio="4 / 3"
              className="rounded-control"
            />
          ))}
        </div>
      ) : null}
    </div>
  )
}

function Actions({ listing, pending, onDelete, onShow }: Omit<ActionProps, 'onFacts'>) {
  return (
    <div className="mt-1 grid max-w-110 grid-cols-[repeat(auto-fit,minmax(min(100%,8.25rem),1fr))] gap-3 lg:flex lg:max-w-none lg:flex-wrap">
      <ButtonLink
        size="small"
        to={href('/dashboard/list-business/:id/edit', { id: listing.id })}
        icon={<Icon name="pencil" />}
        aria-label={`Edit ${listing.name}`}
      >
        Edit
      </ButtonLink>
      <ButtonLink
        size="small"
        to={href('/dashboard/list-business/:id/album', { id: listing.id })}
        icon={<Icon name="image-plus" />}
        aria-label={`Album of ${listing.name}`}
      >
        {ALBUM_LINK_TEXT}
      </ButtonLink>
      <ButtonLink
        size="small"
        to={`${href('/dashboard/calendar')}?business=${listing.id}`}
        icon={<Icon name="calendar-days" />}
        aria-label={`Calendar of ${listing.name}`}
      >
        Calendar
      </ButtonLink>
      <ButtonLink
        size="small"
        to={`${href('/dashboard/availability')}?business=${listing.id}`}
        icon={<Icon name="clock" />}
        aria-label={`Availability of ${listing.name}`}
      >
        Availability
      </ButtonLink>
      {listing.hidden?.by === 'owner' ? (
        <Button size="small" waiting={pending} onClick={onShow}>
          Show again
        </Button>
      ) : null}
      <Button
        size="small"
        variant="danger"
        pending={pending}
        pendingText="Deleting..."
        icon={<Icon name="trash-2" />}
        aria-label={`Delete ${listing.name}`}
        onClick={onDelete}
      >
        Delete
      </Button>
    </div>
  )
}

/** '214 views in the last 30 days'. */
export function viewsText(views: number): string {
  if (views === 0) return 'No views in the last 30 days'
  return `${new Intl.NumberFormat('en-AU').format(views)} ${views === 1 ? 'view' : 'views'} in the last 30 days`
}
