import { href } from 'react-router'
import { Breadcrumbs } from '../../../ui/breadcrumbs.tsx'
import { deferred } from '../../../ui/deferred.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useViewCount } from '../../businesses/browser/use-view-count.ts'
import { BookingPanel } from '../../businesses/components/booking-panel.tsx'
import { GoBackButton } from '../../businesses/components/go-back-button.tsx'
import { addedToCartText } from '../../businesses/messages.ts'
import type { BusinessView } from '../../businesses/queries.server.ts'
import { CATEGORY_PATHS, landingPath } from '../../businesses/rules.ts'
import { placeLabel } from '../../places/rules.ts'
import type { BusinessPage } from './business-sections.tsx'

export const BusinessDetails = deferred(
  'business-details',
  async () => (await import('./business-sections.tsx')).BusinessDetails,
)

export const FreeDays = deferred('free-days', async () => (await import('./free-days-sections.tsx')).FreeDays)
/** The pictures. Without the script the first one is still. */
export const BusinessGallery = deferred(
  'business-gallery',
  async () => (await import('./business-sections.tsx')).PictureGallery,
)

export const BusinessAround = deferred(
  'business-around',
  async () => (await import('./business-sections.tsx')).BusinessAround,
)

/** The breadcrumbs of a business: the list, its category, its place. */
export function businessCrumbs({ name, category, place }: BusinessView) {
  return [
    { label: 'Venues & vendors', to: href('/venues-vendors') },
    { label: category, to: CATEGORY_PATHS[category] },
    { label: placeLabel(place), to: landingPath(category, place.id) },
    { label: name },
  ]
}

/** The part of a business that the cart stores: prices show their unit there too (Decision 5). */
type AddedToCart = Pick<BusinessView, 'id' | 'name' | 'price' | 'priceUnit'> & { image?: string }

/** A business's page (Specification, section 2). */
export function BusinessScreen({
  business,
  terms,
  payoutTimes,
  responseLine,
  answerTime,
  cancelling,
  facts,
  album,
  kind,
  reviews,
  vendor,
  others,
  similar,
  onAddToCart,
}: BusinessPage & { onAddToCart: (added: AddedToCart) => void }) {
  useViewCount(business.id)
  const toast = useToast()
  const rating = reviews.average === null ? null : { average: reviews.average, count: reviews.count }
  const addToCart = () => {
    onAddToCart({
      id: business.id,
      name: business.name,
      price: business.price,
      image: business.images[0],
      priceUnit: business.priceUnit,
    })
    toast({ type: 'success', text: addedToCartText(business.name) })
  }
  return (
    // Another business is another page: its carousel starts at the first picture.
    <article key={business.id} className="page relative pb-20 md:pt-5">
      <div className="flex flex-wrap items-center justify-between gap-x-8">
        {/* On a phone the button overlays the picture, so that name, price and 'Book Now' come into view. */}
        <div className="max-md:absolute max-md:top-3 max-md:left-3 max-md:z-3 max-md:rounded-full max-md:border max-md:border-line max-md:bg-surface max-md:px-3">
          <GoBackButton />
        </div>
        <div className="max-md:hidden">
          <Breadcrumbs crumbs={businessCrumbs(business)} />
        </div>
      </div>
      <div className="grid gap-x-10 md:mt-4 md:grid-cols-[minmax(0,1.55fr)_minmax(290px,1fr)] lg:gap-x-16 xl:grid-cols-[minmax(0,2.4fr)_minmax(0,1fr)]">
        <BusinessGallery pictures={business.pictures} name={business.name} />
        <div className="md:row-span-2">
          <div className="pt-5 md:sticky md:top-[calc(var(--header-height)+24px)] md:pt-0">
            <BookingPanel
              business={business}
              terms={terms}
              payoutTimes={payoutTimes}
              responseLine={responseLine}
              answerTime={answerTime}
              rating={rating}
              onAddToCart={addToCart}
            />
          </div>
        </div>
        <div className="mt-12 grid gap-14 md:mt-14">
          <FreeDays business={business} />
          <BusinessDetails
            business={business}
            facts={facts}
            album={album}
            cancelling={cancelling}
            reviews={reviews}
          />
        </div>
      </div>
      <BusinessAround
        category={business.category}
        kind={kind}
        vendor={vendor}
        others={others}
        similar={similar}
      />
    </article>
  )
}
