import { href } from 'react-router'
import type {
  EventVenueLeaf,
  LocalBusinessLeaf,
  LocationFeatureSpecification,
  MergeLeafTypes,
  PostalAddress,
  Review,
  WithContext,
} from 'schema-dts'
import { capital, type Fact, optionTexts } from '../../features/businesses/fact-kind-rules.ts'
import { FACT_NAMES, FACTS } from '../../features/businesses/fact-rules.ts'
import { priceText } from '../../features/businesses/messages.ts'
import type { BusinessView } from '../../features/businesses/queries.server.ts'
import { isBookable } from '../../features/businesses/rules.ts'
import type { BusinessReviews } from '../../features/reviews/queries.server.ts'
import { MAX_RATING, MIN_RATING } from '../../features/reviews/rules.ts'
import { type Site, sharedImage } from '../../shared/page-meta.ts'
import { itemList, SCHEMA_ORG } from '../../shared/structured-data.ts'

/** The businesses of a list, in its order. */
export function businessList(site: Site, name: string, businesses: readonly { id: string; name: string }[]) {
  const items = businesses.map((business) => ({
    name: business.name,
    path: href('/business/:id', { id: business.id }),
  }))
  return itemList(site, name, items)
}

type Venue = MergeLeafTypes<[EventVenueLeaf, LocalBusinessLeaf]>

/** The page shows all reviews; for the data, the newest are enough. */
const MAX_REVIEWS_AS_DATA = 10

/**
 * A business as structured data: only what its page shows. A venue is an EventVenue; that type alone has no price
 * range, so it is a LocalBusiness as well.
 */
export function businessData(
  site: Site,
  business: BusinessView,
  reviews: BusinessReviews,
): WithContext<Venue> | WithContext<LocalBusinessLeaf> {
  const url = new URL(href('/business/:id', { id: business.id }), site.publicOrigin).href
  const { name, state, latitude, longitude } = business.place
  const address: PostalAddress = {
    '@type': 'PostalAddress',
    addressLocality: name,
    addressRegion: state,
    addressCountry: 'AU',
  }
  const facts = {
    '@id': `${url}#business`,
    name: business.name,
    description: business.seoDescription,
    url,
    address,
    // The coordinates of the suburb or town: a business gives its street address only to its customers (Decision 20).
    geo: { '@type': 'GeoCoordinates' as const, latitude, longitude },
    ...(isBookable(business) ? { priceRange: priceText(business) } : {}),
    ...(business.pictures.length > 0
      ? { image: business.pictures.map((picture) => sharedImage(picture, site).url) }
      : {}),
    ...statedFacts(business),
    ...ratingOf(reviews),
  }
  return business.category === 'Venues'
    ? { '@context': SCHEMA_ORG, '@type': ['EventVenue', 'LocalBusiness'], ...facts }
    : { '@context': SCHEMA_ORG, '@type': 'LocalBusiness', ...facts }
}

/** The facts for which schema.org has a property. */
function statedFacts({ category, maxGuests, facts, place }: BusinessView) {
  const { languages, travelKm } = facts
  const amenityFeature = AMENITIES.flatMap((name) => featuresOf(FACTS[name], facts[name])).map(
    ({ name, value }): LocationFeatureSpecification => ({
      '@type': 'LocationFeatureSpecification',
      name,
      value,
    }),
  )
  return {
    // The maximum number of guests of a caterer is no capacity of a place.
    ...(category === 'Venues' && maxGuests !== null ? { maximumAttendeeCapacity: maxGuests } : {}),
    ...(amenityFeature.length > 0 ? { amenityFeature } : {}),
    ...(languages ? { knowsLanguage: ['English', ...languages] } : {}),
    ...(travelKm
      ? {
          areaServed: {
            '@type': 'GeoCircle' as const,
            geoMidpoint: {
              '@type': 'GeoCoordinates' as const,
              latitude: place.latitude,
              longitude: place.longitude,
            },
            geoRadius: travelKm * 1_000,
          },
        }
      : {}),
  }
}

/** The facts that are features of the place: what it has or hasn't before what it is. */
const AMENITIES = (['yesNo', 'several'] as const).flatMap((kind) =>
  FACT_NAMES.filter((name) => FACTS[name].kind === kind),
)

/** The features of the place that a fact states. */
function featuresOf(fact: Fact, value: unknown): { name: string; value: boolean }[] {
  if (fact.kind === 'yesNo' && typeof value === 'boolean') return [{ name: fact.label, value }]
  if (fact.kind !== 'several' || !fact.isAmenity) return []
  return optionTexts(fact, (value ?? []) as string[]).map((text) => ({ name: capital(text), value: true }))
}

/** Without reviews there is no rating: never make one up. */
function ratingOf({ average, count, reviews }: BusinessReviews) {
  if (average === null) return {}
  return {
    aggregateRating: {
      '@type': 'AggregateRating' as const,
      ratingValue: average,
      reviewCount: count,
      bestRating: MAX_RATING,
      worstRating: MIN_RATING,
    },
    review: reviews.slice(0, MAX_REVIEWS_AS_DATA).map(
      (review): Review => ({
        '@type': 'Review',
        author: { '@type': 'Person', name: review.authorName },
        datePublished: review.createdAt.slice(0, 10),
        reviewBody: review.body,
        reviewRating: {
          '@type': 'Rating',
          ratingValue: review.rating,
          bestRating: MAX_RATING,
          worstRating: MIN_RATING,
        },
      }),
    ),
  }
}
