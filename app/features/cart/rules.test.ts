import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FIELD_MESSAGES } from '../bookings/field-messages.ts'
import { MAX_HOURS } from '../pricing/limits.ts'
import { itemRefusal } from './day-rules.ts'
import { addedUpText, dayText } from './messages.ts'
import {
  addToCart,
  bookingQuery,
  type CartItem,
  cartCount,
  cartPriceCents,
  cartTotal,
  MAX_CART_QUANTITY,
  parseCart,
  putBackInCart,
  readCartDay,
  removeFromCart,
  typedQuantity,
  updateCartQuantity,
  vendorCount,
} from './rules.ts'

const quay = { id: 'quay', name: 'The Quay', price: '120.50', image: '/quay.jpg', quantity: 2 }
const barn = { id: 'barn', name: 'The Barn', price: 80, quantity: 1 }

describe('addToCart', () => {
  it('appends a new item with quantity 1 and its fields', () => {
    expect(addToCart([quay], { id: 'barn', name: 'The Barn', price: 80 })).toEqual([quay, barn])
  })

  it('adds 1 to an item already in the cart, and keeps its position', () => {
    expect(addToCart([quay, barn], { id: 'quay', name: 'Renamed' })).toEqual([{ ...quay, quantity: 3 }, barn])
  })

  it('starts at 1, whatever quantity the added item has', () => {
    expect(addToCart([], { ...quay, quantity: 9 })[0]?.quantity).toBe(1)
  })
})

describe('changing the cart', () => {
  it('removes an item by id, and ignores an unknown id', () => {
    expect(removeFromCart([quay, barn], 'quay')).toEqual([barn])
    expect(removeFromCart([quay], 'other')).toEqual([quay])
  })

  it.each([
    [5, 5],
    [1, 1],
    [0, 1],
    [-3, 1],
    [2.9, 2],
    [Number.POSITIVE_INFINITY, MAX_CART_QUANTITY],
    [Number.NaN, 2],
  ])('sets a quantity of %s to %s', (wanted, got) => {
    expect(updateCartQuantity([quay, barn], 'quay', wanted)[0]?.quantity).toBe(got)
  })

  it.each([
    ['2.7', 2],
    ['-4', 1],
    ['1,000', 1_000],
    [' 12 ', 12],
    ['', 2],
    ['-', 2],
    ['two', 2],
    ['1e9', MAX_CART_QUANTITY],
  ])('takes a typed %j as %d', (typed, got) => {
    expect(updateCartQuantity([quay, barn], 'quay', typedQuantity(typed))[0]?.quantity).toBe(got)
  })

  it('puts a removed item back at its old position, once', () => {
    expect(putBackInCart([barn], quay, 0)).toEqual([quay, barn])
    expect(putBackInCart([barn, quay], quay, 0)).toEqual([barn, quay])
  })
})

describe('the sums of the cart', () => {
  it('add up quantities, and prices times quantities in cents', () => {
    expect(cartCount([quay, barn])).toBe(3)
    expect(cartTotal([quay, barn])).toBe(32_100)
    expect(vendorCount([quay, barn])).toBe(2)
    expect(cartCount([])).toBe(0)
    expect(cartTotal([])).toBe(0)
  })

  it.each([
    ['1200.50', 120_050],
    [0.1, 10],
    [1.15, 115],
    [' 12 ', 1200],
    ['', 0],
    [undefined, 0],
    [null, 0],
    ['ask us', 0],
    ['1,200', 0],
    [-5, 0],
    [Number.NaN, 0],
    ['Infinity', 0],
    [1e300, 0],
    [{}, 0],
  ])('count a price of %j as %s cents', (price, cents) => {
    expect(cartPriceCents(price)).toBe(cents)
  })
})

describe('parseCart', () => {
  it.each([
    null,
    '',
    '{',
    'null',
    '7',
    '"cart"',
    '{"items":[]}',
    '[null,1,"x",[],{}]',
    '[{"id":7}]',
    '[{"id":""}]',
  ])('reads %s as an empty cart', (stored) => {
    expect(parseCart(stored)).toEqual([])
  })

  it('returns the stored items, including unknown fields', () => {
    const items: CartItem[] = [{ ...quay, category: 'Venues' }, barn]
    expect(parseCart(JSON.stringify(items))).toEqual(items)
  })

  it('corrects invalid quantities and merges duplicates', () => {
    expect(parseCart('[{"id":"a","quantity":"3"},{"id":"b","quantity":-1},{"id":"b","quantity":2}]')).toEqual(
      [
        { id: 'a', quantity: 1 },
        { id: 'b', quantity: 3 },
      ],
    )
  })

  it('never throws, and always returns a cart that can be summed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (stored) => {
        const items = parseCart(stored)
        expect(Number.isSafeInteger(cartCount(items))).toBe(true)
        expect(Number.isSafeInteger(cartTotal(items))).toBe(true)
      }),
    )
  })
})

describe('a total of different units', () => {
  it('says what it adds up', () => {
    const pavilion = { name: 'Harbour Light Pavilion', priceUnit: 'perPerson', quantity: 90 }
    const band = { name: 'The Brass Tacks', priceUnit: 'perHour', quantity: 1 }
    expect(addedUpText([pavilion, band])).toBe(
      'Adds up 90 guests at Harbour Light Pavilion and 1 hour of The Brass Tacks.',
    )
    expect(addedUpText([pavilion])).toBeNull()
    expect(addedUpText([])).toBeNull()
  })
})

describe('the day of the cart', () => {
  it('gets a sentence beside each vendor', () => {
    expect(dayText('free', 'Saturday 20 March 2027')).toBe('Free on Saturday 20 March 2027')
    expect(dayText('taken', 'Saturday 20 March 2027')).toBe('Not free on Saturday 20 March 2027')
    expect(dayText({ maxGuests: 80 }, 'Saturday 20 March 2027')).toBe('Takes at most 80 guests')
  })

  it('stays until it has passed', () => {
    expect(readCartDay('2026-03-14', '2026-03-13')).toBe('2026-03-14')
    expect(readCartDay('2026-03-14', '2026-03-14')).toBe('2026-03-14')
    expect(readCartDay('2026-03-14', '2026-03-15')).toBe('')
    for (const stored of [null, '', 'soon', '2026-02-31']) expect(readCartDay(stored, '2026-01-01')).toBe('')
  })

  it('isn’t asked about for what the booking form doesn’t take, and the cart says so in its words', () => {
    const textOf = (item: CartItem) => {
      const refusal = itemRefusal(item)
      return refusal && dayText(refusal, 'Saturday 20 March 2027')
    }
    const hours = { ...quay, priceUnit: 'perHour', quantity: MAX_HOURS }
    expect(textOf(hours)).toBeNull()
    expect(textOf({ ...hours, quantity: MAX_HOURS + 1 })).toBe(FIELD_MESSAGES.hoursTooMany)
    expect(textOf({ ...hours, priceUnit: 'perPerson', quantity: 90 })).toBeNull()
    expect(textOf({ ...hours, price: '999999.99', quantity: 1 })).toBeNull()
    expect(textOf({ ...hours, price: '500000', quantity: 2 })).toBe(FIELD_MESSAGES.totalTooLarge)
    expect(textOf({ ...hours, price: '0.49', quantity: 1 })).toBe(FIELD_MESSAGES.totalTooSmall)
  })
})

describe('the link to an item’s booking page', () => {
  it('names the unit that the quantity counts, if it is known, and the day', () => {
    const item = { ...quay, priceUnit: 'perPerson', quantity: 90 }
    expect(bookingQuery(item, '2027-03-20')).toBe('?quantity=90&type=perPerson&date=2027-03-20')
    expect(bookingQuery({ ...item, priceUnit: undefined }, '')).toBe('?quantity=90')
    expect(bookingQuery({ ...item, quantity: 1 }, '')).toBe('')
  })
})
