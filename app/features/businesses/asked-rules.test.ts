import { describe, expect, it } from 'vitest'
import {
  askedBeside,
  askedQuery,
  askedTexts,
  bookingQuery,
  freeText,
  NOTHING_ASKED as NOTHING,
  periodAsked,
  priceAsked,
  readAsked,
  totalAskedText,
} from './asked-rules.ts'
import type { Pricing } from './rules.ts'

const PER_PERSON: Pricing = {
  priceCents: 8_400,
  priceUnit: 'perPerson',
  secondPrice: null,
}
const BOTH: Pricing = { ...PER_PERSON, secondPrice: { unit: 'perHour', cents: 45_000 } }

describe('what was asked of a search', () => {
  it('travels in the address of the business, without what is missing', () => {
    const asked = { ...NOTHING, date: '2027-03-13', time: '16:00', guests: 90, hours: 7 }
    expect(askedQuery(asked)).toBe('?date=2027-03-13&time=16%3A00&guests=90&hours=7')
    expect(readAsked(askedQuery(asked))).toEqual(asked)
    expect(askedQuery(NOTHING)).toBe('')
    expect(readAsked('')).toEqual(NOTHING)
  })

  it.each([
    '?date=2027-02-30',
    '?time=25:00',
    '?guests=-1',
    '?guests=1e3',
    '?hours=0',
    '?date=x&guests=999999',
    '?months=2027-13',
    '?months=2027-03..2027-01',
    '?months=2026-01..2027-01',
    '?weekday=Saturday',
    '?place=%20',
    `?place=${'a'.repeat(101)}`,
  ])('ignores %s', (query) => {
    expect(readAsked(query)).toEqual(NOTHING)
  })

  it('travels with its months, weekday and place', () => {
    const asked = { ...NOTHING, months: '2027-03..2027-05', weekday: 'Saturday', place: 'Williamstown, VIC' }
    expect(readAsked(askedQuery(asked))).toEqual(asked)
    expect(periodAsked(asked)).toEqual({
      months: { first: '2027-03', last: '2027-05' },
      weekday: 'Saturday',
    })
    expect(readAsked('?months=2027-03&weekday=Someday')).toEqual({ ...NOTHING, months: '2027-03' })
    expect(readAsked(`?place=${'a'.repeat(100)}`).place).toHaveLength(100)
    expect(periodAsked(NOTHING)).toBeNull()
  })

  it('leaves the day and time of a booking form as they were typed', () => {
    const earlier = { ...NOTHING, date: '2027-03-13', time: '16:00', guests: 90, place: 'Williamstown' }
    expect(askedBeside(earlier, '2027-03-20')).toEqual({ ...NOTHING, guests: 90, place: 'Williamstown' })
    expect(askedBeside(earlier, '')).toEqual(earlier)
  })

  it('turns into words, with a day instead of its months', () => {
    const asked = {
      ...NOTHING,
      months: '2027-03',
      weekday: 'weekend',
      guests: 90,
      place: 'Williamstown, VIC',
    }
    expect(askedTexts(asked)).toEqual(['Weekends in March 2027', '90 guests', 'Williamstown'])
    expect(askedTexts({ ...asked, date: '2027-03-13', time: '16:00', hours: 5 })).toEqual([
      'Saturday 13 March 2027',
      '4:00 pm',
      '90 guests',
      '5 hours',
      'Williamstown',
    ])
    expect(askedTexts(NOTHING)).toEqual([])
  })

  it('gives a total if it has the quantity of a price', () => {
    expect(totalAskedText({ guests: 90, hours: null }, PER_PERSON, null)).toBe('$7,560 for 90 guests')
    expect(totalAskedText({ guests: 1, hours: null }, { ...PER_PERSON, priceCents: 4_550 }, null)).toBe(
      '$45.50 for 1 guest',
    )
    expect(totalAskedText({ guests: null, hours: 4 }, PER_PERSON, null)).toBeNull()
    expect(totalAskedText({ guests: null, hours: 4 }, BOTH, null)).toBe('$1,800 for 4 hours')
    expect(totalAskedText({ guests: 90, hours: null }, { ...PER_PERSON, priceCents: 0 }, null)).toBeNull()
  })

  it('gives no total for what can’t be booked', () => {
    const dear = { ...PER_PERSON, priceCents: 50_000_000 }
    expect(totalAskedText({ guests: null, hours: 24 }, BOTH, null)).toBe('$10,800 for 24 hours')
    expect(totalAskedText({ guests: null, hours: 25 }, BOTH, null)).toBeNull()
    expect(totalAskedText({ guests: 10_001, hours: null }, PER_PERSON, null)).toBeNull()
    expect(totalAskedText({ guests: 1, hours: null }, dear, null)).toBe('$500,000 for 1 guest')
    expect(totalAskedText({ guests: 2, hours: null }, dear, null)).toBeNull()
  })

  it('gives no total for more guests than the vendor takes, whichever unit counts', () => {
    expect(totalAskedText({ guests: 80, hours: 7 }, BOTH, 80)).toBe('$3,150 for 7 hours')
    expect(totalAskedText({ guests: 81, hours: 7 }, BOTH, 80)).toBeNull()
    expect(totalAskedText({ guests: 81, hours: null }, PER_PERSON, 80)).toBeNull()
  })

  it('counts by the cheaper price if it has guests and hours', () => {
    expect(priceAsked({ guests: 90, hours: 7 }, BOTH)).toEqual({ unit: 'perHour', cents: 45_000 })
    expect(priceAsked({ guests: 10, hours: 7 }, BOTH)).toEqual({ unit: 'perPerson', cents: 8_400 })
  })

  it('fills in the booking form by that price', () => {
    const asked = { ...NOTHING, date: '2027-03-13', time: '16:00', guests: 90, hours: 7 }
    expect(bookingQuery(asked, PER_PERSON)).toBe('?date=2027-03-13&time=16%3A00&quantity=90&type=perPerson')
    expect(bookingQuery(asked, BOTH)).toBe('?date=2027-03-13&time=16%3A00&quantity=7&type=perHour')
    expect(bookingQuery({ ...NOTHING, hours: 4 }, PER_PERSON)).toBe('')
    expect(bookingQuery({ ...NOTHING, months: '2027-03', weekday: 'Saturday' }, PER_PERSON)).toBe(
      '?months=2027-03&weekday=Saturday',
    )
  })

  it('says whether its day is free', () => {
    expect(freeText(true, '2027-03-13')).toBe('free on 13 March 2027')
    expect(freeText(false, '2027-03-13')).toBe('not free on 13 March 2027')
    expect(freeText(false, '2027-03-13', '16:00')).toBe('not free at 4:00 pm on 13 March 2027')
    expect(freeText(true, '2027-03-13', '16:00')).toBe('free on 13 March 2027')
  })
})
