import { describe, expect, it } from 'vitest'
import { LOADING_VENDOR_TEXT } from '../../shared/loading-texts.ts'
import {
  ADD_TO_CART_TEXT,
  ADDED_TO_CART_LIFE_MS,
  addedToCartText,
  BOOK_NOW_TEXT,
  BUSINESS_NOT_FOUND_TEXT,
  businessCountText,
  businessTitle,
  GO_BACK_TEXT,
  PRICE_ON_REQUEST_TEXT,
  priceText,
  startingPriceText,
} from './wording.ts'

describe('the words of the business page', () => {
  it('are those of the specification, sections 2 and 8', () => {
    expect(LOADING_VENDOR_TEXT).toBe('Loading vendor...')
    expect(BUSINESS_NOT_FOUND_TEXT).toBe('Business not found.')
    expect(startingPriceText('$45.50')).toBe('Starting Price: $45.50')
    expect(GO_BACK_TEXT).toBe('Go Back')
    expect(BOOK_NOW_TEXT).toBe('Book Now')
    expect(ADD_TO_CART_TEXT).toBe('Add to Cart')
    expect(addedToCartText('Saltbush House')).toBe('Saltbush House added to cart!')
    expect(ADDED_TO_CART_LIFE_MS).toBe(4000)
    expect(businessTitle('Saltbush House', 'Jubilee')).toBe('Saltbush House | Jubilee')
  })
})

describe('a price on a card', () => {
  it('says what it is per (Decision 5)', () => {
    expect(priceText({ priceCents: 8_500, priceUnit: 'perPerson' })).toBe('from $85.00 per person')
    expect(priceText({ priceCents: 120_050, priceUnit: 'perHour' })).toBe('from $1,200.50 per hour')
  })

  it('is on request where it is nothing', () => {
    expect(priceText({ priceCents: 0, priceUnit: 'perHour' })).toBe(PRICE_ON_REQUEST_TEXT)
    expect(PRICE_ON_REQUEST_TEXT).toBe('Price on request')
  })
})

describe('a count of businesses', () => {
  it('is a sentence’s beginning for one and for many', () => {
    expect(businessCountText(0)).toBe('0 businesses')
    expect(businessCountText(1)).toBe('1 business')
    expect(businessCountText(500)).toBe('500 businesses')
    expect(businessCountText(501)).toBe('500+ businesses')
  })
})
