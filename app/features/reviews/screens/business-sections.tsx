import { Avatar } from '../../../ui/avatar.tsx'
import { Link } from '../../../ui/link.tsx'
import { RenderedOnce } from '../../../ui/rendered-once.tsx'
import type { AlbumPicture } from '../../businesses/album-rules.ts'
import { AlbumView } from '../../businesses/components/album-view.tsx'
import { BusinessCard } from '../../businesses/components/business-card.tsx'
import { BusinessFacts } from '../../businesses/components/business-facts.tsx'
import { vendorPath } from '../../businesses/components/vendor-entry.tsx'
import type { FactLine } from '../../businesses/fact-messages.ts'
import { ABOUT_TEXT, COUNTED_TEXTS, PRICE_ON_REQUEST_TEXT, priceText } from '../../businesses/messages.ts'
import type { BusinessCardView, BusinessView } from '../../businesses/queries.server.ts'
import {
  CATEGORY_PATHS,
  type Category,
  groupAbn,
  isBookable,
  offeredBookingTypes,
} from '../../businesses/rules.ts'
import type { VendorView } from '../../businesses/vendor-queries.server.ts'
import type { PayoutTimes } from '../../terms/rules.ts'
import { ReviewList } from '../components/review-list.tsx'
import type { BusinessReviews } from '../queries.server.ts'

export { PictureGallery } from '../../businesses/components/picture-gallery.tsx'

/** The content of a business's page. */
export type BusinessPage = {
  business: BusinessView
  /** How it is cancelled, and its deposit: ['Free cancellation until 30 days before', '20% deposit']. */
  terms: [cancelling: string, deposit?: string]
  /** When vendors are paid, which decides about deposits; null where they aren't paid by us. */
  payoutTimes: PayoutTimes | null
  /** How fast the vendor answers; null while too little is known. */
  responseLine: string | null
  /** How long a vendor has to answer a booking: 'two days'. */
  answerTime: string
  /** The cancellation policy in a sentence. */
  cancelling: string
  /** The facts that the vendor has stated. */
  facts: readonly FactLine[]
  /** The vendor's pictures beside those of the listing. */
  album: readonly AlbumPicture[]
  /** The category as a heading. */
  kind: string
  reviews: BusinessReviews
  vendor: VendorView | null
  /** Other listings of the same vendor. */
  others: readonly BusinessCardView[]
  similar: { nearby: boolean; businesses: readonly (BusinessCardView & { distanceKm: number })[] }
}

/** The description, facts and reviews of a business, below its pictures. */
export function BusinessDetails({
  business,
  cancelling,
  reviews,
  facts,
  album,
}: Pick<BusinessPage, 'business' | 'cancelling' | 'reviews' | 'facts' | 'album'>) {
  return (
    <>
      <RenderedOnce
        as="section"
        aria-labelledby="about"
        inside={About}
        data={{ description: business.description }}
      />
      <BusinessFacts facts={facts} />
      <AlbumView album={album} name={business.name} />
      <RenderedOnce
        as="section"
        aria-labelledby="facts"
        className="grid gap-x-12 gap-y-10 sm:grid-cols-2"
        inside={Facts}
        data={{ business, cancelling }}
      />
      <ReviewList {...reviews} />
    </>
  )
}

/** The vendor, and other businesses to look at. */
export function BusinessAround({
  category,
  kind,
  vendor,
  others,
  similar,
}: Pick<BusinessPage, 'kind' | 'vendor' | 'others' | 'similar'> & { category: Category }) {
  return (
    <>
      {vendor ? (
        <RenderedOnce
          as="section"
          aria-labelledby="vendor"
          className="mt-20 grid gap-x-12 gap-y-10 border-t border-line pt-14 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]"
          inside={ByVendor}
          data={{ vendor, others }}
        />
      ) : null}
      {similar.businesses.length > 0 ? (
        <section aria-labelledby="similar" className="mt-20 border-t border-line pt-14">
          <h2 id="similar">{similar.nearby ? 'Similar and nearby' : 'Similar, further away'}</h2>
          <ul className="mt-8 grid gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-3">
            {similar.businesses.map(({ distanceKm, ...other }) => (
              <li key={other.id}>
                <BusinessCard business={other} distanceKm={distanceKm} />
              </li>
            ))}
          </ul>
          <p className="mt-10">
            <Link to={CATEGORY_PATHS[category]} className="link">
              All {kind.toLowerCase()}
            </Link>
          </p>
        </section>
      ) : null}
    </>
  )
}

function About({ description }: Pick<BusinessView, 'description'>) {
  return (
    <>
      <h2 id="about" className="text-2xl">
        {ABOUT_TEXT}
      </h2>
      <div className="prose mt-5">
        {description.split(/\n{2,}/).map((paragraph) => (
          <p key={paragraph} className="wrap-anywhere whitespace-pre-line">
            {paragraph}
          </p>
        ))}
      </div>
    </>
  )
}

function Facts({ business, cancelling }: { business: BusinessView; cancelling: string }) {
  const counted = offeredBookingTypes(business)
    .map((type) => COUNTED_TEXTS[type])
    .join(' or ')
  return (
    <>
      <div>
        <h2 id="facts" className="text-2xl">
          Services offered
        </h2>
        <ul className="mt-4">
          {business.servicesOffered.map((service) => (
            <li key={service} className="border-t border-line py-2.5 first:border-0">
              {service}
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h2 className="text-2xl">Good to know</h2>
        <dl className="mt-4 [&>div]:border-t [&>div]:border-line [&>div]:py-2.5 [&>div:first-child]:border-0">
          <div>
            <dt className="text-sm text-quiet">Where</dt>
            <dd>{business.location}</dd>
          </div>
          <div>
            <dt className="text-sm text-quiet">Price</dt>
            <dd className="figures">
              {isBookable(business) ? `${priceText(business)}, including any GST` : PRICE_ON_REQUEST_TEXT}
            </dd>
          </div>
          <div>
            <dt className="text-sm text-quiet">Booked</dt>
            <dd>by number of {counted}</dd>
          </div>
          {isBookable(business) ? (
            <>
              <div>
                <dt className="text-sm text-quiet">Until they answer</dt>
                <dd>You can withdraw, with a full refund</dd>
              </div>
              <div>
                <dt className="text-sm text-quiet">Cancelling after that</dt>
                <dd>{cancelling}</dd>
              </div>
            </>
          ) : null}
        </dl>
      </div>
    </>
  )
}

function ByVendor({ vendor, others }: { vendor: VendorView; others: BusinessPage['others'] }) {
  return (
    <>
      <div>
        <Avatar name={vendor.name} url={vendor.logoUrl} size={72} />
        <p className="mt-4 text-sm text-quiet">Listed by</p>
        <h2 id="vendor" className="mt-1 text-2xl">
          <Link to={vendorPath(vendor.userId)} className="py-1 hover:underline hover:underline-offset-4">
            {vendor.name}
          </Link>
        </h2>
        {vendor.abn ? <p className="figures mt-1.5 text-sm text-quiet">ABN {groupAbn(vendor.abn)}</p> : null}
        {vendor.description ? <p className="mt-4 max-w-prose">{vendor.description}</p> : null}
      </div>
      {others.length > 0 ? (
        <div>
          <h3 className="text-lg">More from them</h3>
          <ul className="mt-4 grid gap-x-8 gap-y-12 sm:grid-cols-2">
            {others.map((other) => (
              <li key={other.id}>
                <BusinessCard business={other} heading="h4" />
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </>
  )
}
