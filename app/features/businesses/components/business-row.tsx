import { href } from 'react-router'
import { CoverLink, cardClass, useMorph } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Picture } from '../../../ui/picture.tsx'
import { RenderedOnce } from '../../../ui/rendered-once.tsx'
import { locationText } from '../messages.ts'
import type { BusinessCardView } from '../queries.server.ts'
import { PriceLine } from './price-line.tsx'
import { RatingMark } from './rating-mark.tsx'

/** A business in one row, for lists beside something larger. */
export function BusinessRow(props: BusinessRowProps) {
  return (
    <RenderedOnce
      as="article"
      className={classNames(cardClass({ pressable: true }), 'flex-row! items-center gap-4 sm:gap-6')}
      inside={RowContents}
      data={props}
    />
  )
}

type BusinessRowProps = {
  business: BusinessCardView
  /** The distance from the place of the page. */
  distanceKm?: number | undefined
}

function RowContents({ business, distanceKm }: BusinessRowProps) {
  const morph = useMorph(href('/business/:id', { id: business.id }))
  return (
    <>
      <Picture
        image={business.pictures[0] ?? null}
        alt=""
        ratio="1 / 1"
        sizes="(min-width: 560px) 168px, 112px"
        className={classNames('w-28 flex-none sm:w-36 xl:w-42', morph.picture)}
      />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-quiet">
          <span className="font-semibold text-brand">{business.category}</span>
          <span>{locationText(business.location, distanceKm)}</span>
        </p>
        <h3 className="line-clamp-3 text-xl">
          <CoverLink {...morph.link}>{business.name}</CoverLink>
        </h3>
        <div className="flex flex-wrap items-baseline gap-x-4">
          <PriceLine pricing={business} />
          {business.rating ? <RatingMark rating={business.rating} /> : null}
        </div>
      </div>
    </>
  )
}
