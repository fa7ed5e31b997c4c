import { href } from 'react-router'
import { Card, CoverLink, useMorph } from '../../../ui/card.tsx'
import { Picture } from '../../../ui/picture.tsx'
import { excerptText } from '../landing-messages.ts'
import { locationText } from '../messages.ts'
import type { BusinessCardView } from '../queries.server.ts'
import { AbnMark } from './abn-mark.tsx'
import { PriceLine } from './price-line.tsx'
import { RatingMark } from './rating-mark.tsx'

/** The first business of a page, with a large picture and its text beside it on wide screens. */
export function BusinessFeature({
  business,
  distanceKm,
}: {
  business: BusinessCardView
  /** The distance from the place of the page. */
  distanceKm?: number | undefined
}) {
  const morph = useMorph(href('/business/:id', { id: business.id }))
  return (
    <Card
      as="article"
      pressable
      className="gap-x-10 md:grid! md:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)] md:items-center lg:gap-x-14"
    >
      <Picture
        image={business.pictures[0] ?? null}
        alt=""
        ratio="3 / 2"
        sizes="(min-width: 1280px) 740px, (min-width: 769px) 56vw, 92vw"
        priority
        className={morph.picture}
      />
      <div className="mt-4 flex flex-col gap-2 md:mt-0 md:gap-3">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
          <p className="text-sm text-quiet">{locationText(business.location, distanceKm)}</p>
          {business.rating ? <RatingMark rating={business.rating} /> : null}
        </div>
        <h3 className="line-clamp-3 text-2xl lg:text-3xl">
          <CoverLink {...morph.link}>{business.name}</CoverLink>
        </h3>
        <p className="text-quiet">{excerptText(business.description)}</p>
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 md:mt-2">
          <PriceLine pricing={business} />
          {business.abnRegistered ? <AbnMark /> : null}
        </div>
      </div>
    </Card>
  )
}
