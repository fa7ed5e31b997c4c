import { describe, expect, it } from 'vitest'
import { LOADING_VENDOR_TEXT } from '../../shared/loading-texts.ts'
import {
  categoryCountText,
  excerptText,
  landingDescription,
  landingHeading,
  landingIntro,
  middlePriceText,
  priceRangeText,
} from './landing-messages.ts'
import type { LandingView } from './landing-queries.server.ts'
import {
  ADD_TO_CART_TEXT,
  addedToCartText,
  BOOK_NOW_TEXT,
  BUSINESS_NOT_FOUND_TEXT,
  businessCountText,
  businessTitle,
  GO_BACK_TEXT,
  PRICE_ON_REQUEST_TEXT,
  priceText,
  startingPriceText,
} from './messages.ts'

describe('the texts of the business page', () => {
  it('match the specification, sections 2 and 8', () => {
    expect(LOADING_VENDOR_TEXT).toBe('Loading vendor...')
    expect(BUSINESS_NOT_FOUND_TEXT).toBe('Business not found.')
    expect(startingPriceText('$45.50')).toBe('Starting Price: $45.50')
    expect(GO_BACK_TEXT).toBe('Go Back')
    expect(BOOK_NOW_TEXT).toBe('Book Now')
    expect(ADD_TO_CART_TEXT).toBe('Add to Cart')
    expect(addedToCartText('Saltbush House')).toBe('Saltbush House added to cart!')
    expect(businessTitle('Saltbush House', 'Jubilee')).toBe('Saltbush House | Jubilee')
  })
})

describe('a price on a card', () => {
  it('names its unit (Decision 5)', () => {
    expect(priceText({ priceCents: 8_500, priceUnit: 'perPerson', secondPrice: null })).toBe(
      'from $85.00 per person',
    )
    expect(priceText({ priceCents: 120_050, priceUnit: 'perHour', secondPrice: null })).toBe(
      'from $1,200.50 per hour',
    )
  })

  it('shows both prices of a listing that takes both booking types', () => {
    expect(
      priceText({
        priceCents: 8_400,
        priceUnit: 'perPerson',
        secondPrice: { unit: 'perHour', cents: 45_000 },
      }),
    ).toBe('from $84.00 per person · $450.00 per hour')
  })

  it('says ‘Price on request’ at $0', () => {
    expect(priceText({ priceCents: 0, priceUnit: 'perHour', secondPrice: null })).toBe(PRICE_ON_REQUEST_TEXT)
    expect(PRICE_ON_REQUEST_TEXT).toBe('Price on request')
  })
})

describe('a count of businesses', () => {
  it('agrees in number', () => {
    expect(businessCountText(0)).toBe('0 businesses')
    expect(businessCountText(1)).toBe('1 business')
    expect(businessCountText(1_200)).toBe('1,200 businesses')
  })
})

describe('the texts of a landing page', () => {
  const range = {
    category: 'Venues',
    priceUnit: 'perPerson',
    lowest: 3_800,
    middle: 5_000,
    highest: 12_000,
    count: 3,
  } as const
  const landing: LandingView = {
    category: 'Venues',
    place: { id: 'geelong-vic', name: 'Geelong', state: 'VIC', latitude: -38, longitude: 144 },
    listed: 7,
    businesses: [],
    listedAround: 5,
    around: [],
    prices: [range],
    services: [],
    neighbours: [],
    otherCategories: [],
  }
  const near: LandingView = {
    ...landing,
    listed: 0,
    prices: [],
    listedAround: 1,
    around: [{ location: 'Torquay, VIC', distanceKm: 18 } as LandingView['around'][number]],
  }

  it('state its counts, places and lowest prices', () => {
    expect(landingHeading(landing)).toBe('Venues in Geelong')
    expect(landingIntro(landing)).toBe('7 venues are listed in Geelong, and 5 more within 25 km.')
    expect(landingIntro({ ...landing, listed: 1, listedAround: 0 })).toBe('1 venue is listed in Geelong.')
    expect(landingDescription(landing)).toBe(
      '7 venues in Geelong, VIC, from $38.00 per person, and 5 more within 25 km. Pictures, prices and reviews on one page; book and pay by card.',
    )
    expect(landingDescription({ ...landing, prices: [], listedAround: 0 })).toMatch(
      /^7 venues in Geelong, VIC\. /,
    )
  })

  it('name the surroundings if the place itself has no business', () => {
    expect(landingHeading(near)).toBe('Venues near Geelong')
    expect(landingIntro(near)).toBe(
      'No venue is listed in Geelong itself yet. There is 1 within 25 km. The nearest is in Torquay, VIC, about 18 km away.',
    )
    expect(landingDescription(near)).toMatch(/^1 venue within 25 km of Geelong, VIC, /)
  })

  it('give the price range, and the median of enough different prices', () => {
    expect(priceRangeText(range)).toBe('$38.00 to $120.00')
    expect(priceRangeText({ lowest: 4_500, highest: 4_500 })).toBe('$45.00')
    expect(middlePriceText(range)).toBe('half are $50.00 or less')
    expect(middlePriceText({ ...range, count: 2 })).toBeNull()
    expect(middlePriceText({ ...range, highest: 3_800 })).toBeNull()
  })

  it('count businesses by the noun of their category', () => {
    expect(categoryCountText('Sounds & DJ', 1)).toBe('1 DJ or band')
    expect(categoryCountText('Hairdresser', 1_200)).toBe('1,200 hairdressers')
  })

  it('end a cut description after a whole word', () => {
    expect(excerptText('A hall by the water. It holds nin')).toBe('A hall by the water. It holds …')
    expect(excerptText('It holds ninety, and')).toBe('It holds ninety …')
    expect(excerptText('A hall by the water.')).toBe('A hall by the water.')
  })
})
