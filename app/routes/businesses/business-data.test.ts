import { describe, expect, it } from 'vitest'
import type { BusinessView } from '../../features/businesses/queries.server.ts'
import { DEFAULT_TERMS } from '../../features/terms/rules.ts'
import { businessData } from './business-data.ts'

const site = { brand: 'Jubilee', publicOrigin: 'https://jubilee.example' }

const business: BusinessView = {
  id: 'saltbush-house',
  name: 'Saltbush House',
  category: 'Venues',
  description: 'A long verandah.',
  price: '85.00',
  priceCents: 8_500,
  priceUnit: 'perPerson',
  secondPrice: null,
  maxGuests: null,
  facts: {},
  terms: DEFAULT_TERMS,
  location: 'Geelong, VIC',
  place: { id: 'geelong-vic', name: 'Geelong', state: 'VIC', latitude: -38.147, longitude: 144.36 },
  servicesOffered: ['Tables'],
  images: ['/files/a'],
  pictures: [{ url: '/files/a', width: 1600, height: 1200, colour: '#aaaaaa' }],
  userId: 'owner',
  abnRegistered: true,
  seoTitle: 'Saltbush House | Venues | Jubilee',
  seoDescription: 'A long verandah.',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}
const noReviews = { average: null, count: 0, reviews: [] }

describe('businessData', () => {
  it('includes known facts for which schema.org has a property, and omits unknown ones', () => {
    const venue = businessData(
      site,
      { ...business, maxGuests: 220, facts: { setting: ['outdoor'], stepFree: true, parking: false } },
      noReviews,
    )
    expect(venue).toMatchObject({
      maximumAttendeeCapacity: 220,
      amenityFeature: [
        { '@type': 'LocationFeatureSpecification', name: 'Step-free access', value: true },
        { '@type': 'LocationFeatureSpecification', name: 'Parking on site', value: false },
        { '@type': 'LocationFeatureSpecification', name: 'Outdoors', value: true },
      ],
    })
    const dj = businessData(
      site,
      { ...business, category: 'Sounds & DJ', maxGuests: 220, facts: { languages: ['Greek'], travelKm: 60 } },
      noReviews,
    )
    expect(dj).toMatchObject({
      knowsLanguage: ['English', 'Greek'],
      areaServed: {
        '@type': 'GeoCircle',
        geoMidpoint: { '@type': 'GeoCoordinates', latitude: -38.147, longitude: 144.36 },
        geoRadius: 60_000,
      },
    })
    expect(dj).not.toHaveProperty('maximumAttendeeCapacity')
    expect(dj).not.toHaveProperty('amenityFeature')
  })

  it('describes a venue as its page does', () => {
    expect(businessData(site, business, noReviews)).toEqual({
      '@context': 'https://schema.org',
      '@type': ['EventVenue', 'LocalBusiness'],
      '@id': 'https://jubilee.example/business/saltbush-house#business',
      name: 'Saltbush House',
      description: 'A long verandah.',
      url: 'https://jubilee.example/business/saltbush-house',
      address: {
        '@type': 'PostalAddress',
        addressLocality: 'Geelong',
        addressRegion: 'VIC',
        addressCountry: 'AU',
      },
      geo: { '@type': 'GeoCoordinates', latitude: -38.147, longitude: 144.36 },
      priceRange: 'from $85.00 per person',
      image: ['https://jubilee.example/files/a?w=1280&f=jpeg'],
    })
  })

  it('describes a business of another category as a plain local business', () => {
    expect(businessData(site, { ...business, category: 'Catering' }, noReviews)['@type']).toBe(
      'LocalBusiness',
    )
  })

  it('contains both prices of a business with two', () => {
    const both = { ...business, secondPrice: { unit: 'perHour', cents: 45_000 } } as const
    expect(businessData(site, both, noReviews).priceRange).toBe('from $85.00 per person · $450.00 per hour')
  })

  it('leaves out a missing price, picture or rating', () => {
    const bare = businessData(site, { ...business, priceCents: 0, pictures: [] }, noReviews)
    for (const name of ['priceRange', 'image', 'aggregateRating', 'review']) {
      expect(bare).not.toHaveProperty(name)
    }
  })

  it('contains the rating of all reviews and the newest ten of them', () => {
    const reviews = Array.from({ length: 12 }, (_, index) => ({
      id: `review-${index}`,
      authorName: 'Kim L.',
      rating: 4,
      body: `Review ${index}`,
      createdAt: '2026-11-20T01:00:00.000Z',
    }))
    const data = businessData(site, business, { average: 4, count: 12, reviews })
    expect(data.aggregateRating).toEqual({
      '@type': 'AggregateRating',
      ratingValue: 4,
      reviewCount: 12,
      bestRating: 5,
      worstRating: 1,
    })
    expect(data.review).toHaveLength(10)
    expect((data.review as object[])[0]).toEqual({
      '@type': 'Review',
      author: { '@type': 'Person', name: 'Kim L.' },
      datePublished: '2026-11-20',
      reviewBody: 'Review 0',
      reviewRating: { '@type': 'Rating', ratingValue: 4, bestRating: 5, worstRating: 1 },
    })
  })
})
