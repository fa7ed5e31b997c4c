import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CATEGORIES, MAX_IMAGES } from '../../app/features/businesses/rules.ts'
import { typedFields, UNSET_FIELDS } from '../../app/features/businesses/schema.ts'
import { BUSINESS_STRUCTURES, isValidAbn } from '../../app/features/registrations/rules.ts'
import { isSceneName } from '../illustrations/scenes.ts'
import { demoBusinesses } from './businesses.ts'
import { demoBlocks, demoSettings } from './calendars.ts'
import { DEMO_VENDOR_KEY, demoOwners } from './owners.ts'
import { demoReviews } from './reviews.ts'

/** Deliberately short, so that the demo always has a page with little text. */
const SHORT_DESCRIPTION = 'frangipani-deck'
const DESCRIPTION_LENGTHS = { min: 350, max: 900 }

const placeIds = new Set(
  readFileSync(new URL('../../database/places.tsv', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.split('\t')[0]),
)
const registrations = demoOwners.flatMap((owner) => (owner.registration ? [owner.registration] : []))

/** ASIC's check digit: the weighted sum of the first eight digits and the last one divide by ten. */
function isValidAcn(acn: string): boolean {
  const sum = [...acn].reduce((total, digit, index) => total + Number(digit) * (index < 8 ? 8 - index : 1), 0)
  return /^\d{9}$/.test(acn) && sum % 10 === 0
}

describe('demo businesses', () => {
  it.each(CATEGORIES)('are at least 14 in %s', (category) => {
    expect(demoBusinesses.filter((business) => business.category === category).length).toBeGreaterThanOrEqual(
      14,
    )
  })

  it('have unique ids, names and descriptions', () => {
    for (const field of ['id', 'name', 'description'] as const) {
      expect(new Set(demoBusinesses.map((business) => business[field])).size, field).toBe(
        demoBusinesses.length,
      )
    }
    expect(demoBusinesses.filter(({ id }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([])
  })

  it.each(demoBusinesses.map((business) => [business.id, business] as const))(
    '%s is whole',
    (id, business) => {
      expect(placeIds).toContain(business.placeId)
      expect(demoOwners.map((owner) => owner.key)).toContain(business.ownerKey)
      if (business.category !== 'Venues' && business.category !== 'Catering') {
        expect([business.priceUnit, business.secondPrice]).toEqual(['perHour', undefined])
      }
      if (business.secondPrice) {
        expect(business.secondPrice.unit).not.toBe(business.priceUnit)
        // An hour of the whole room costs more than one guest.
        expect(business.secondPrice.cents).toBeGreaterThan(business.priceCents)
      }
      expect(Number.isInteger(business.priceCents) && business.priceCents >= 0).toBe(true)
      expect(business.servicesOffered.length).toBeGreaterThanOrEqual(3)
      expect(business.servicesOffered.length).toBeLessThanOrEqual(7)
      // The form separates services by commas, so none can contain one.
      expect(business.servicesOffered.filter((service) => service.includes(','))).toEqual([])
      expect(business.description).not.toContain('!')
      expect(business.description.length).toBeLessThanOrEqual(DESCRIPTION_LENGTHS.max)
      if (id !== SHORT_DESCRIPTION) {
        expect(business.description.length).toBeGreaterThanOrEqual(DESCRIPTION_LENGTHS.min)
        expect(business.description.split('\n\n').length).toBeGreaterThanOrEqual(2)
      }
      expect(business.images.length).toBeLessThanOrEqual(MAX_IMAGES)
      expect(new Set(business.images.map((image) => image.scene)).size).toBe(business.images.length)
      expect(business.images.filter((image) => !isSceneName(image.scene))).toEqual([])
    },
  )

  it('have different first pictures within a category', () => {
    const firsts = demoBusinesses.flatMap(({ category, images: [first] }) =>
      first ? [`${category} ${first.scene} ${first.seed}`] : [],
    )
    expect(new Set(firsts).size).toBe(firsts.length)
  })

  it('include the extreme cases that screens have to show', () => {
    expect(demoBusinesses.some((business) => business.priceCents === 0)).toBe(true)
    expect(demoBusinesses.some((business) => business.priceCents >= 500_000)).toBe(true)
    expect(demoBusinesses.some((business) => business.name.length > 90)).toBe(true)
    expect(demoBusinesses.some((business) => business.images.length === 0)).toBe(true)
    expect(demoBusinesses.some((business) => business.secondPrice)).toBe(true)
    for (const character of ["'", '&', 'ê']) {
      expect(demoBusinesses.some((business) => business.name.includes(character))).toBe(true)
    }
  })

  it('use every field of a listing, optional ones too', () => {
    const typed = demoBusinesses.map((business) => typedFields({ ...UNSET_FIELDS, ...business }))
    const empty = Object.keys(typed[0] ?? {}).filter((name) =>
      typed.every((fields) => fields[name as keyof typeof fields] === ''),
    )
    expect(typed.length).toBeGreaterThan(0)
    expect(empty).toEqual([])
  })

  it('are mostly registered, with some unregistered and some without GST', () => {
    const registered = demoBusinesses.filter((business) => business.registration !== null)
    expect(registered.length).toBeGreaterThan(demoBusinesses.length / 2)
    expect(registered.length).toBeLessThan(demoBusinesses.length)
    expect(registrations.some((registration) => !registration.gstRegistered)).toBe(true)
  })
})

describe('demo owners', () => {
  it('have unique keys, addresses and telephone numbers', () => {
    for (const field of ['key', 'email', 'phone'] as const) {
      expect(new Set(demoOwners.map((owner) => owner[field])).size, field).toBe(demoOwners.length)
    }
    expect(
      demoOwners.filter(({ email }) => !/^[a-z.-]+@(example\.com|[a-z]+\.example)$/.test(email)),
    ).toEqual([])
    expect(
      demoOwners.filter(({ phone }) => !/^(0491 57\d \d{3}|\(0[2378]\) 5550 \d{4})$/.test(phone)),
    ).toEqual([])
  })

  it('each own a business; the demo vendor has one venue and one photographer', () => {
    const owned = new Set(demoBusinesses.map((business) => business.ownerKey))
    expect(demoOwners.filter((owner) => !owned.has(owner.key))).toEqual([])
    const vendors = demoBusinesses.filter((business) => business.ownerKey === DEMO_VENDOR_KEY)
    expect(vendors.map((business) => business.category)).toEqual(['Venues', 'Photographers'])
  })

  it('have valid and unique registration numbers', () => {
    expect(registrations.filter(({ abn }) => !isValidAbn(abn))).toEqual([])
    expect(new Set(registrations.map(({ abn }) => abn)).size).toBe(registrations.length)
    for (const { businessStructure, acn, abn, website } of registrations) {
      expect(BUSINESS_STRUCTURES).toContain(businessStructure)
      // A company's ABN is two check digits followed by its ACN.
      if (businessStructure === 'Company') expect([isValidAcn(acn), abn.slice(2)]).toEqual([true, acn])
      else expect(acn).toBe('')
      expect(new URL(website).hostname).toMatch(/\.example$/)
    }
  })
})

describe('demo reviews', () => {
  it('belong to a business already listed at the time, with a rating from 1 to 5', () => {
    for (const review of demoReviews) {
      const business = demoBusinesses.find(({ id }) => id === review.businessId)
      expect(business, review.businessId).toBeDefined()
      expect(review.daysAgo).toBeLessThan(business?.createdDaysAgo ?? 0)
      expect([1, 2, 3, 4, 5]).toContain(review.rating)
      expect(review.authorName).toMatch(/ \p{Lu}\.$/u)
    }
  })

  it('number 2 to 9 for more than half of the businesses, with unique texts, most of them approved', () => {
    const counts = new Map<string, number>()
    for (const { businessId } of demoReviews) counts.set(businessId, (counts.get(businessId) ?? 0) + 1)
    expect([...counts].filter(([, count]) => count < 2 || count > 9)).toEqual([])
    expect(counts.size).toBeGreaterThan(demoBusinesses.length / 2)
    expect(counts.size).toBeLessThan(demoBusinesses.length * 0.7)
    expect(new Set(demoReviews.map((review) => review.body)).size).toBe(demoReviews.length)
    const waiting = demoReviews.filter((review) => !review.approved).length
    expect(waiting).toBeGreaterThan(2)
    expect(waiting).toBeLessThan(demoReviews.length / 10)
  })
})

describe('demo calendars', () => {
  const today = '2026-11-20'

  it('are deterministic, not empty, and free half a year ahead', () => {
    for (const { id } of demoBusinesses) {
      const blocks = demoBlocks(id, today)
      expect(blocks.length, id).toBeGreaterThan(1)
      expect(demoBlocks(id, today)).toEqual(blocks)
      for (const { from, to } of blocks) {
        expect(from > today && from <= to && to < '2027-05-01', `${id} ${from} ${to}`).toBe(true)
      }
    }
  })

  it('and their settings belong to existing businesses', () => {
    const ids = demoBusinesses.map(({ id }) => id)
    for (const id of Object.keys(demoSettings)) expect(ids).toContain(id)
  })
})
