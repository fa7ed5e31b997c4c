import { href } from 'react-router'
import { CoverLink, cardClass, useMorph } from '../../../ui/card.tsx'
import { CardControl } from '../../../ui/card-control.tsx'
import { classNames } from '../../../ui/class-names.ts'
import type { Priority } from '../../../ui/picture.tsx'
import { RenderedOnce } from '../../../ui/rendered-once.tsx'
import { locationText } from '../messages.ts'
import type { BusinessCardView } from '../queries.server.ts'
import { AbnMark } from './abn-mark.tsx'
import { CardFacts } from './business-facts.tsx'
import { CardPictures } from './card-pictures.tsx'
import { PriceLine } from './price-line.tsx'
import { RatingMark } from './rating-mark.tsx'

/** A business on a list: its picture, place, name and price. */
export function BusinessCard(props: BusinessCardProps) {
  return (
    <RenderedOnce
      as="article"
      className={classNames(cardClass({ pressable: true }), 'h-full')}
      inside={CardContents}
      data={props}
      // The picture that comes first is preloaded in the head.
      isKept={!props.priority}
    />
  )
}

type BusinessCardProps = {
  business: BusinessCardView
  /** The heading level that fits the page. */
  heading?: 'h2' | 'h3' | 'h4'
  sizes?: string
  priority?: Priority
  /** The distance from the business or place of the page. */
  distanceKm?: number
  /** For vendors who travel to the page's place: 'Travels to Williamstown (32 km)'. */
  travelText?: string
  /** The total, if known: '$10,350.00 for 90 guests'. */
  totalText?: string
  /** Its deposit: '20% deposit: $3,190.00 today, the rest on 14 October 2027'. */
  depositText?: string
  /** The query string that carries what was searched for to the business's page. */
  asked?: string
  /** One low picture and no description, for a row that is swiped itself. */
  isBrief?: boolean
}

function CardContents({
  business,
  heading: Heading = 'h3',
  sizes = '(min-width: 1024px) 400px, (min-width: 560px) 46vw, 90vw',
  priority,
  distanceKm,
  travelText,
  totalText,
  depositText,
  asked = '',
  isBrief = false,
}: BusinessCardProps) {
  const morph = useMorph(href('/business/:id', { id: business.id }) + asked)
  return (
    <>
      <div className="relative">
        <CardPictures
          pictures={isBrief ? business.pictures.slice(0, 1) : business.pictures}
          link={morph.link}
          sizes={sizes}
          priority={priority}
          ratio={isBrief ? '3 / 2' : '4 / 3'}
          className={morph.picture}
        />
        <CategoryTag category={business.category} />
      </div>
      <div className="mt-4 flex grow flex-col gap-1.5">
        <div className="flex min-h-6 items-center justify-between gap-3">
          <p className="text-sm text-quiet">{locationText(business.location, distanceKm)}</p>
          {business.rating ? <RatingMark rating={business.rating} /> : null}
        </div>
        {travelText ? <p className="-mt-1.5 text-sm font-semibold text-brand">{travelText}</p> : null}
        <Heading className="line-clamp-3 text-xl">
          <CoverLink {...morph.link}>{business.name}</CoverLink>
        </Heading>
        {isBrief ? null : <p className="line-clamp-2 text-quiet">{business.description}</p>}
        {isBrief ? null : <CardFacts facts={business.factsOnCard} />}
        <div className="mt-auto flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 pt-1.5">
          <PriceLine pricing={business} />
          {business.abnRegistered && !isBrief ? <AbnMark /> : null}
        </div>
        {totalText ? <p className="figures text-sm font-semibold">{totalText}</p> : null}
        {depositText ? <p className="figures -mt-1 text-sm text-quiet">{depositText}</p> : null}
      </div>
      {/* At the picture's corner, but after the name for the tab key: what would be saved comes first. */}
      <CardControl id={business.id} name={business.name} />
    </>
  )
}

/** The category, set into the lower edge of a picture. */
export function CategoryTag({ category }: { category: string }) {
  return (
    <span className="absolute pointer-events-none bottom-0 left-0 z-2 rounded-tr-card bg-ground py-1 pr-3.5 pl-0.5 text-sm font-semibold text-brand">
      {category}
    </span>
  )
}
