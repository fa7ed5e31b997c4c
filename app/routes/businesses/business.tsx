import { data, href } from 'react-router'
import { useViewCount } from '../../features/businesses/browser/use-view-count.ts'
import { BookingPanel } from '../../features/businesses/components/booking-panel.tsx'
import { GoBackButton } from '../../features/businesses/components/go-back-button.tsx'
import { type BusinessView, findBusiness } from '../../features/businesses/queries.server.ts'
import { CATEGORY_PATHS, landingPath, pickNearby, seoDescription } from '../../features/businesses/rules.ts'
import { findVendor } from '../../features/businesses/vendor-queries.server.ts'
import {
  ADDED_TO_CART_LIFE_MS,
  addedToCartText,
  BUSINESS_NOT_FOUND_TEXT,
  businessTitle,
  CATEGORY_TEXTS,
} from '../../features/businesses/wording.ts'
import { useCart } from '../../features/cart/browser/use-cart.ts'
import { placeLabel } from '../../features/places/rules.ts'
import { listBusinessesOfVendor, listSimilarNearby } from '../../features/reviews/card-queries.server.ts'
import { findApprovedReviews } from '../../features/reviews/queries.server.ts'
import { keepPage, servicesContext, structuredDataContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle, siteOf } from '../../shared/page-meta.ts'
import { breadcrumbList } from '../../shared/structured-data.ts'
import type { RouteHandle } from '../../shell/load-route-module.ts'
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx'
import { FadeCarousel } from '../../ui/carousel.tsx'
import { later } from '../../ui/later.tsx'
import type { PictureImage } from '../../ui/picture.tsx'
import { useToast } from '../../ui/toast.tsx'
import { cardTopics, listTopics, reachKm, vendorTopic } from '../page-topics.ts'
import { siteImage } from '../site/site-image.server.ts'
import type { Route } from './+types/business'
import { businessData } from './business-data.ts'

const NotThere = later('not-there', async () => (await import('../site/not-there.tsx')).NotThere)
const BusinessDetails = later(
  'business-details',
  async () => (await import('./business-sections.tsx')).BusinessDetails,
)
const BusinessAround = later(
  'business-around',
  async () => (await import('./business-sections.tsx')).BusinessAround,
)

export const handle: RouteHandle = { later: [NotThere, BusinessDetails, BusinessAround] }

const MAX_OTHER_LISTINGS = 2
const MAX_SIMILAR = 3

export async function loader({ params, context }: Route.LoaderArgs) {
  const { config, db } = context.get(servicesContext)
  const business = await findBusiness(db, params.id)
  if (business === null || business === 'gone') {
    const absent = { found: false as const, picture: siteImage('not-found', 'business', '4x3') }
    // A deleted business leaves a tombstone, so that search engines forget it (Decision 19).
    return data(absent, { status: business === 'gone' ? 410 : 404 })
  }
  const [reviews, vendor, ofVendor, similar] = await Promise.all([
    findApprovedReviews(db, business.id),
    findVendor(db, business.userId),
    listBusinessesOfVendor(db, business.userId),
    listSimilarNearby(db, business, MAX_SIMILAR),
  ])
  const farthestKm = reachKm(similar, MAX_SIMILAR)
  keepPage(context, [
    vendorTopic(business.userId),
    ...cardTopics([business], similar),
    ...listTopics(
      'listings',
      [business.category],
      farthestKm === null ? null : { around: business.place, km: farthestKm },
    ),
  ])
  const others = ofVendor.filter((other) => other.id !== business.id).slice(0, MAX_OTHER_LISTINGS)
  const site = siteOf(config)
  context.set(structuredDataContext, [
    businessData(site, business, reviews),
    breadcrumbList(site, crumbsOf(business)),
  ])
  return {
    found: true as const,
    business,
    kind: CATEGORY_TEXTS[business.category].heading,
    reviews,
    vendor,
    others,
    similar: pickNearby(similar),
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  if (!loaderData?.found) {
    return pageMeta(site, {
      title: pageTitle(BUSINESS_NOT_FOUND_TEXT, site),
      description: 'This listing is not here.',
      path: href('/venues-vendors'),
      noIndex: true,
    })
  }
  const { business } = loaderData
  const [image] = business.pictures
  return pageMeta(site, {
    title: site ? businessTitle(business.name, site.brand) : business.name,
    description: seoDescription(business.description),
    path: href('/business/:id', { id: business.id }),
    shareTitle: business.seoTitle,
    shareDescription: business.seoDescription,
    ...(image ? { image: { ...image, alt: business.name } } : {}),
  })
}

function crumbsOf({ name, category, place }: BusinessView) {
  return [
    { label: 'Venues & vendors', to: href('/venues-vendors') },
    { label: category, to: CATEGORY_PATHS[category] },
    { label: placeLabel(place), to: landingPath(category, place.id) },
    { label: name },
  ]
}

export default function BusinessRoute({ loaderData }: Route.ComponentProps) {
  return loaderData.found ? <BusinessPage {...loaderData} /> : <Absent picture={loaderData.picture} />
}

function Absent({ picture }: { picture: PictureImage }) {
  return (
    <NotThere title={BUSINESS_NOT_FOUND_TEXT} picture={picture}>
      It may have been taken down by its owner, or the address is mistyped. There are plenty of others.
    </NotThere>
  )
}

export type Found = Extract<Route.ComponentProps['loaderData'], { found: true }>

function BusinessPage({ business, kind, reviews, vendor, others, similar }: Found) {
  useViewCount(business.id)
  const cart = useCart()
  const toast = useToast()
  const rating = reviews.average === null ? null : { average: reviews.average, count: reviews.count }
  const addToCart = () => {
    cart.add({
      id: business.id,
      name: business.name,
      price: business.price,
      image: business.images[0],
      // Prices show their unit, in the cart too (Decision 5).
      priceUnit: business.priceUnit,
    })
    toast({ type: 'success', text: addedToCartText(business.name), lifeMs: ADDED_TO_CART_LIFE_MS })
  }
  return (
    // Another business is another page: its carousel begins with the first picture.
    <article key={business.id} className="page relative pb-20 md:pt-5">
      <div className="flex flex-wrap items-center justify-between gap-x-8">
        {/* On a phone it lies on the picture, so that name, price and 'Book Now' come into view. */}
        <div className="max-md:absolute max-md:top-3 max-md:left-3 max-md:z-3 max-md:rounded-full max-md:border max-md:border-line max-md:bg-surface max-md:px-3">
          <GoBackButton />
        </div>
        <div className="max-md:hidden">
          <Breadcrumbs crumbs={crumbsOf(business)} />
        </div>
      </div>
      <div className="grid gap-x-10 md:mt-4 md:grid-cols-[minmax(0,1.55fr)_minmax(290px,1fr)] lg:gap-x-16">
        <FadeCarousel
          images={business.pictures}
          label={business.name}
          sizes="(min-width: 1280px) 790px, (min-width: 769px) 58vw, 100vw"
          priority
          className="morph-end max-md:mx-[calc(-1*var(--gutter))] max-md:[&_.fade-frame]:rounded-none max-md:[&.picture]:rounded-none"
        />
        <div className="md:row-span-2">
          <div className="pt-5 md:sticky md:top-[calc(var(--header-height)+24px)] md:pt-0">
            <BookingPanel business={business} rating={rating} onAddToCart={addToCart} />
          </div>
        </div>
        <div className="mt-12 grid gap-14 md:mt-14">
          <BusinessDetails business={business} reviews={reviews} />
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
