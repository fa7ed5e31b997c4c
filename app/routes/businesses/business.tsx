import { data, Link } from 'react-router'
import { BookingPanel } from '../../features/businesses/components/booking-panel.tsx'
import { BusinessCard } from '../../features/businesses/components/business-card.tsx'
import { GoBackButton } from '../../features/businesses/components/go-back-button.tsx'
import { useViewCount } from '../../features/businesses/components/use-view-count.ts'
import { vendorPath } from '../../features/businesses/components/vendor-entry.tsx'
import {
  type BusinessView,
  findBusiness,
  findVendor,
  listBusinessesOfVendor,
  listSimilarNearby,
  type VendorView,
} from '../../features/businesses/queries.server.ts'
import {
  CATEGORY_PATHS,
  groupAbn,
  isBookable,
  landingPath,
  pickNearby,
  seoDescription,
} from '../../features/businesses/rules.ts'
import {
  ABOUT_TEXT,
  ADDED_TO_CART_LIFE_MS,
  addedToCartText,
  BUSINESS_NOT_FOUND_TEXT,
  businessTitle,
  CATEGORY_TEXTS,
  COUNTED_TEXTS,
  PRICE_ON_REQUEST_TEXT,
  priceText,
} from '../../features/businesses/wording.ts'
import { useCart } from '../../features/cart/components/use-cart.ts'
import { placeLabel } from '../../features/places/rules.ts'
import { ReviewList } from '../../features/reviews/components/review-list.tsx'
import { findApprovedReviews } from '../../features/reviews/queries.server.ts'
import { keepPage, servicesContext, structuredDataContext } from '../../request-context.server.ts'
import { pageMeta, pageTitle, siteOf } from '../../shared/page-meta.ts'
import { breadcrumbList } from '../../shared/structured-data.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx'
import { FadeCarousel } from '../../ui/carousel.tsx'
import type { PictureImage } from '../../ui/picture.tsx'
import { useToast } from '../../ui/toast.tsx'
import { NotThere } from '../site/not-there.tsx'
import { siteImage } from '../site/site-image.server.ts'
import type { Route } from './+types/business'
import { businessData } from './business-data.ts'

const MAX_OTHER_LISTINGS = 2
const MAX_SIMILAR = 3

export async function loader({ params, context }: Route.LoaderArgs) {
  keepPage(context)
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
  const others = ofVendor.filter((other) => other.id !== business.id).slice(0, MAX_OTHER_LISTINGS)
  const site = siteOf(config)
  context.set(structuredDataContext, [
    businessData(site, business, reviews),
    breadcrumbList(site, crumbsOf(business)),
  ])
  return { found: true as const, business, reviews, vendor, others, similar: pickNearby(similar) }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  if (!loaderData?.found) {
    return pageMeta(site, {
      title: pageTitle(BUSINESS_NOT_FOUND_TEXT, site),
      description: 'This listing is not here.',
      path: '/venues-vendors',
      noIndex: true,
    })
  }
  const { business } = loaderData
  const [image] = business.pictures
  return pageMeta(site, {
    title: site ? businessTitle(business.name, site.brand) : business.name,
    description: seoDescription(business.description),
    path: `/business/${business.id}`,
    shareTitle: business.seoTitle,
    shareDescription: business.seoDescription,
    ...(image ? { image: { ...image, alt: business.name } } : {}),
  })
}

function crumbsOf({ name, category, place }: BusinessView) {
  return [
    { label: 'Venues & vendors', to: '/venues-vendors' },
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

type Found = Extract<Route.ComponentProps['loaderData'], { found: true }>

function BusinessPage({ business, reviews, vendor, others, similar }: Found) {
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
          className="max-md:mx-[calc(-1*var(--gutter))] max-md:[&_.fade-frame]:rounded-none max-md:[&.picture]:rounded-none"
        />
        <div className="md:row-span-2">
          <div className="pt-5 md:sticky md:top-[calc(var(--header-height)+24px)] md:pt-0">
            <BookingPanel business={business} rating={rating} onAddToCart={addToCart} />
          </div>
        </div>
        <div className="mt-12 grid gap-14 md:mt-14">
          <About business={business} />
          <Facts business={business} />
          <ReviewList {...reviews} />
        </div>
      </div>
      {vendor ? <ByVendor vendor={vendor} others={others} /> : null}
      {similar.businesses.length > 0 ? (
        <section aria-labelledby="similar" className="mt-20 border-t border-line pt-14">
          <h2 id="similar">{similar.nearby ? 'Similar, and not far' : 'Similar, further away'}</h2>
          <ul className="mt-8 grid gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-3">
            {similar.businesses.map(({ distanceKm, ...other }) => (
              <li key={other.id}>
                <BusinessCard business={other} distanceKm={distanceKm} />
              </li>
            ))}
          </ul>
          <p className="mt-10">
            <Link to={CATEGORY_PATHS[business.category]} className="link">
              All {CATEGORY_TEXTS[business.category].heading.toLowerCase()}
            </Link>
          </p>
        </section>
      ) : null}
    </article>
  )
}

function About({ business }: { business: BusinessView }) {
  return (
    <section aria-labelledby="about">
      <h2 id="about" className="text-2xl">
        {ABOUT_TEXT}
      </h2>
      <div className="prose mt-5">
        {business.description.split(/\n{2,}/).map((paragraph) => (
          <p key={paragraph} className="wrap-anywhere whitespace-pre-line">
            {paragraph}
          </p>
        ))}
      </div>
    </section>
  )
}

function Facts({ business }: { business: BusinessView }) {
  const counted = business.bookingTypes.map((type) => COUNTED_TEXTS[type]).join(' or of ')
  return (
    <section aria-labelledby="facts" className="grid gap-x-12 gap-y-10 sm:grid-cols-2">
      <div>
        <h2 id="facts" className="text-2xl">
          What you can have
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
              {isBookable(business) ? `${priceText(business)}, GST included` : PRICE_ON_REQUEST_TEXT}
            </dd>
          </div>
          <div>
            <dt className="text-sm text-quiet">Booked</dt>
            <dd>for a number of {counted}</dd>
          </div>
          {isBookable(business) ? (
            <div>
              <dt className="text-sm text-quiet">Until they answer</dt>
              <dd>You can withdraw, with a full refund</dd>
            </div>
          ) : null}
        </dl>
      </div>
    </section>
  )
}

function ByVendor({ vendor, others }: { vendor: VendorView; others: Found['others'] }) {
  return (
    <section
      aria-labelledby="vendor"
      className="mt-20 grid gap-x-12 gap-y-10 border-t border-line pt-14 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]"
    >
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
    </section>
  )
}
