import { href } from 'react-router'
import { Card, CoverLink, useMorph } from '../../../ui/card.tsx'
import { Picture } from '../../../ui/picture.tsx'
import { locationText } from '../messages.ts'
import type { BusinessCardView } from '../queries.server.ts'
import { AbnMark } from './abn-mark.tsx'
import { PriceLine } from './price-line.tsx'
import { RatingMark } from './rating-mark.tsx'

/** A business on a list: its picture, place, name and price. */
export function BusinessCard({
  business,
  heading: Heading = 'h3',
  sizes = '(min-width: 1024px) 400px, (min-width: 560px) 46vw, 90vw',
  priority,
  distanceKm,
  totalText,
  asked = '',
}: {
  business: BusinessCardView
  /** The heading level that fits the page. */
  heading?: 'h2' | 'h3' | 'h4'
  sizes?: string
  priority?: boolean
  /** The distance from the business or place of the page. */
  distanceKm?: number
  /** The total, if known: '$10,350.00 for 90 guests'. */
  totalText?: string
  /** The query string that carries what was searched for to the business's page. */
  asked?: string
}) {
  const morph = useMorph(href('/business/:id', { id: business.id }) + asked)
  return (
    <Card as="article" pressable className="h-full">
      <div className="relative">
        <Picture
          image={business.pictures[0] ?? null}
          alt=""
          ratio="4 / 3"
          sizes={sizes}
          priority={priority}
          className={morph.picture}
        />
        <CategoryTag category={business.category} />
      </div>
      <div className="mt-4 flex grow flex-col gap-1.5">
        <div className="flex min-h-6 items-center justify-between gap-3">
          <p className="text-sm text-quiet">{locationText(business.location, distanceKm)}</p>
          {business.rating ? <RatingMark rating={business.rating} /> : null}
        </div>
        <Heading className="line-clamp-3 text-xl">
          <CoverLink {...morph.link}>{business.name}</CoverLink>
        </Heading>
        <p className="line-clamp-2 text-quiet">{business.description}</p>
        <div className="mt-auto flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 pt-1.5">
          <PriceLine pricing={business} />
          {business.abnRegistered ? <AbnMark /> : null}
        </div>
        {totalText ? <p className="figures text-sm font-semibold">{totalText}</p> : null}
      </div>
    </Card>
  )
}

/** The category, set into the lower edge of a picture. */
export function CategoryTag({ category }: { category: string }) {
  return (
    <span className="absolute bottom-0 left-0 rounded-tr-card bg-ground py-1 pr-3.5 pl-0.5 text-sm font-semibold text-brand">
      {category}
    </span>
  )
}
