import { useEffect, useId, useRef, useState } from 'react'
import { href } from 'react-router'
import { IconButton } from '../../../ui/button.tsx'
import { Card, CoverLink, useMorph } from '../../../ui/card.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Picture } from '../../../ui/picture.tsx'
import { PriceLine } from '../../businesses/components/price-line.tsx'
import { RatingMark } from '../../businesses/components/rating-mark.tsx'
import { placeLabel } from '../../places/rules.ts'
import { findCards, type MapCard, type MappedList } from '../browser/map-client.ts'
import { CARDS_LOADING_TEXT, CARDS_LOST_TEXT, CLOSE_CARDS_TEXT, listingsText } from '../map-messages.ts'
import type { MapGroup } from '../map-rules.ts'

/** The listings of the place that was pressed on the map. Escape closes them. */
export function MapCards({
  list: { href: listHref, category },
  group,
  onClose,
}: {
  list: MappedList
  group: MapGroup
  onClose: () => void
}) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [cards, setCards] = useState<MapCard[] | 'lost' | null>(null)
  const { placeId } = group
  useEffect(() => {
    const request = new AbortController()
    findCards({ href: listHref, category }, placeId, request.signal).then(setCards, () => {
      if (!request.signal.aborted) setCards('lost')
    })
    return () => request.abort()
  }, [listHref, category, placeId])
  useEffect(() => heading.current?.focus(), [])
  return (
    <section
      className="map-cards"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // Escape would close the whole map of a narrow screen as well.
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    >
      <div className="map-cards-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {placeLabel(group)}
        </h2>
        <p className="figures text-sm text-quiet">{listingsText(group.count)}</p>
        <IconButton label={CLOSE_CARDS_TEXT} onClick={onClose}>
          <Icon name="x" />
        </IconButton>
      </div>
      {Array.isArray(cards) ? (
        <ul>
          {cards.map((business) => (
            <li key={business.id}>
              <MapCardRow business={business} />
            </li>
          ))}
        </ul>
      ) : (
        <p role="status" className="text-sm text-quiet">
          {cards === 'lost' ? CARDS_LOST_TEXT : CARDS_LOADING_TEXT}
        </p>
      )}
    </section>
  )
}

function MapCardRow({ business }: { business: MapCard }) {
  const morph = useMorph(href('/business/:id', { id: business.id }) + (business.asked ?? ''))
  return (
    <Card as="article" pressable className="flex-row! items-center gap-3">
      <Picture
        image={business.pictures[0] ?? null}
        alt=""
        ratio="1 / 1"
        sizes="80px"
        className="w-20 flex-none"
      />
      <div className="min-w-0">
        <p className="flex items-center justify-between gap-3 text-sm text-quiet">
          {business.category}
          {business.rating ? <RatingMark rating={business.rating} /> : null}
        </p>
        <h3 className="line-clamp-2 text-base">
          <CoverLink {...morph.link}>{business.name}</CoverLink>
        </h3>
        {business.totalText ? (
          <p className="figures text-sm font-semibold">{business.totalText}</p>
        ) : (
          <PriceLine pricing={business} />
        )}
      </div>
    </Card>
  )
}
