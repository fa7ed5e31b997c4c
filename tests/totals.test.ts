import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changedPrice, checkProposal } from '../app/features/bookings/changes/rules.ts'
import { startBookingPayment } from '../app/features/bookings/checkout/commands.server.ts'
import { bookablePrice, checkBooking } from '../app/features/bookings/form-rules.ts'
import {
  bookingQuery,
  NOTHING_ASKED,
  totalAsked,
  totalAskedText,
} from '../app/features/businesses/asked-rules.ts'
import { listedPrice } from '../app/features/businesses/price-rules.ts'
import { otherUnit, type Pricing } from '../app/features/businesses/rules.ts'
import { itemRefusal } from '../app/features/cart/day-rules.ts'
import { cartTotal } from '../app/features/cart/rules.ts'
import { leastCents } from '../app/features/quotes/queries.server.ts'
import {
  checkOffer,
  countedIn,
  leastOf,
  type QuoteLine,
  totalOf as quotedTotal,
} from '../app/features/quotes/rules.ts'
import { listMapGroups } from '../app/features/search/map-queries.server.ts'
import {
  comparedTotalOf,
  pricesOf,
  totalOf as searchedTotal,
  TYPICAL_HOURS,
} from '../app/features/search/price-rules.ts'
import { listFound } from '../app/features/search/queries.server.ts'
import { NO_SEARCH, type Search } from '../app/features/search/schema.ts'
import { saleLines } from '../app/features/tax/rules.ts'
import { workExample } from '../app/features/terms/example-rules.ts'
import { type Cents, type PriceUnit, toNumericString } from '../app/shared/money.ts'
import { aBookingForm, aBookingWorld, aBusiness, anOffer, aPlace, aUser } from './builders.ts'

/**
 * Compares every place that adds up what a booking costs, over random offers and asks: the rules of browser and server with each
 * other, and the SQL of searches and quotes with the rules. The model below is written anew, with none of their code.
 */

type Offer = Pricing & { maxGuests: number | null }
type Asked = { guests: number | null; hours: number | null }

const RUNS = 100_000
const LISTINGS = 240
const SEARCHES = 150
/** An example takes as long as ten other totals. */
const EXAMPLES = 5_000
const PLACES = 12
/** 100,000 asks take seconds, and many more on a busy machine. */
const TIMEOUT_MS = 180_000
const LEAST = 50
const MOST = 99_999_999
const NOW = new Date('2026-11-20T01:00:00Z')
const DAY = { date: '2027-11-13', time: '15:30' } as const

/** The price of one unit: none of the offer's, or so many cents. */
function priceIn({ priceUnit, priceCents, secondPrice }: Pricing, unit: PriceUnit): Cents | null {
  if (priceUnit === unit) return priceCents
  return secondPrice && secondPrice.unit === unit ? secondPrice.cents : null
}

/** The total of a booking, in cents; null for one that can't be made. */
function modelTotal(pricing: Pricing, unit: PriceUnit, quantity: number): Cents | null {
  const each = priceIn(pricing, unit)
  if (each === null || !Number.isInteger(quantity)) return null
  if (quantity < 1 || quantity > (unit === 'perHour' ? 24 : 10_000)) return null
  const cents = BigInt(each) * BigInt(quantity)
  return cents < LEAST || cents > MOST ? null : Number(cents)
}

/** The unit whose price counts for guests, hours or both: the one given, of both the cheaper, otherwise the first. */
function modelUnit(pricing: Pricing, { guests, hours }: Asked): PriceUnit {
  const { priceUnit, secondPrice } = pricing
  if (!secondPrice || (guests === null) === (hours === null)) {
    if (!secondPrice || guests === null || hours === null) return priceUnit
    const of = (unit: PriceUnit) =>
      BigInt(priceIn(pricing, unit) ?? 0) * BigInt(unit === 'perHour' ? hours : guests)
    return of(secondPrice.unit) < of(priceUnit) ? secondPrice.unit : priceUnit
  }
  return guests === null ? 'perHour' : 'perPerson'
}

const unitDrawn = fc.constantFrom<PriceUnit>('perPerson', 'perHour')
const centsDrawn = fc.oneof(
  fc.integer({ min: 1, max: 99 }),
  fc.integer({ min: 100, max: 50_000 }),
  fc.integer({ min: 50_000, max: MOST }),
  fc.constantFrom(1, 49, 50, 9_999, 10_000, 50_000_000, MOST),
)
/** A price on request has no second price. */
const offerDrawn: fc.Arbitrary<Offer> = fc
  .record({
    priceUnit: unitDrawn,
    priceCents: fc.oneof({ weight: 30, arbitrary: centsDrawn }, { weight: 1, arbitrary: fc.constant(0) }),
    second: fc.option(centsDrawn),
    maxGuests: fc.option(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 10_000 }))),
  })
  .map(({ second, ...offer }) => ({
    ...offer,
    secondPrice:
      second === null || offer.priceCents === 0 ? null : { unit: otherUnit(offer.priceUnit), cents: second },
  }))
const numberDrawn = (max: number) =>
  fc.oneof(
    fc.integer({ min: 1, max: 30 }),
    fc.integer({ min: 1, max }),
    fc.constantFrom(1, max, max + 1, 99_999),
  )
const askedDrawn: fc.Arbitrary<Asked> = fc.record({
  guests: fc.option(numberDrawn(10_000)),
  hours: fc.option(numberDrawn(24)),
})
/** A number as the booking form may have it: not always whole, nor above 0. */
const quantityDrawn = fc.oneof(
  { weight: 8, arbitrary: numberDrawn(24) },
  { weight: 4, arbitrary: numberDrawn(10_000) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 0.25, 1.5, Number.NaN, 1e300) },
)
/** A time in quarter hours. */
const timeDrawn = fc
  .integer({ min: 0, max: 95 })
  .map(
    (quarter) =>
      `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${['00', '15', '30', '45'][quarter % 4]}`,
  )

const compare = <Drawn>(drawn: fc.Arbitrary<Drawn>, check: (each: Drawn) => void, numRuns = RUNS) =>
  fc.assert(fc.property(drawn, check), { numRuns })

describe('the total of a booking', { timeout: TIMEOUT_MS }, () => {
  const bookingDrawn = fc.record({ offer: offerDrawn, unit: unitDrawn, quantity: quantityDrawn })

  it('agrees in the form, at the server, in a change, a quote, an invoice and the cart', () => {
    compare(bookingDrawn, ({ offer, unit, quantity }) => {
      const total = modelTotal(offer, unit, quantity)
      const booking = aBookingForm({ ...DAY, bookingType: unit, quantity })
      const price = listedPrice(offer, unit, quantity)
      const errors = checkBooking(booking, { ...offer, timeZone: 'Australia/Melbourne' }, NOW)
      expect([price.ok ? price.totalCents : null, Object.keys(errors).length === 0]).toEqual([
        total,
        total !== null,
      ])
      if (price.ok) expect(price.lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(total)
      const isTooMany = unit === 'perPerson' && offer.maxGuests !== null && quantity > offer.maxGuests
      const inForm = bookablePrice(offer, { quantity, bookingType: unit }, offer.maxGuests)
      expect(inForm?.totalCents ?? null).toBe(isTooMany ? null : total)

      const each = priceIn(offer, unit)
      if (each === null || each === 0) return
      const sale = { unitPriceCents: each, bookingType: unit, timeZone: 'Australia/Melbourne', quote: null }
      const problems = checkProposal({ ...DAY, quantity }, { quantity: 1 }, sale, NOW)
      expect([changedPrice({ quantity }, sale), Object.keys(problems).length === 0]).toEqual([
        total,
        total !== null,
      ])
      if (!Number.isInteger(quantity) || quantity < 1 || quantity > 99_999) return
      const lines = [{ id: '1', label: 'x', quantity, unitPriceCents: each, isOptional: false }]
      const quoteErrors = checkOffer(anOffer({ lines, ...DAY, bookingType: unit, quantity }), {
        timeZone: 'Australia/Melbourne',
        now: NOW,
      })
      expect(quoteErrors.lines ?? quoteErrors.quantity ?? quotedTotal(lines)).toBe(
        total ?? quoteErrors.lines ?? quoteErrors.quantity,
      )
      if (total === null) return
      const invoiced = saleLines({
        ...{ quote: null, businessName: 'x', quantity, bookingType: unit, unitPriceCents: each },
      })
      expect(invoiced.reduce((sum, { cents }) => sum + cents, 0)).toBe(total)
      if (unit === offer.priceUnit) {
        const item = { id: 'x', price: toNumericString(offer.priceCents), priceUnit: unit, quantity }
        expect([itemRefusal(item), cartTotal([item])]).toEqual([null, total])
      }
    })
  })

  it('stops in the cart at the limits of the form', () => {
    const drawn = fc.record({ offer: offerDrawn, quantity: fc.integer({ min: 1, max: 10_000 }) })
    compare(drawn, ({ offer, quantity }) => {
      const { priceUnit, priceCents } = offer
      const item = { id: 'x', price: toNumericString(priceCents), priceUnit, quantity }
      expect(itemRefusal(item) === null).toBe(modelTotal(offer, priceUnit, quantity) !== null)
    })
  })
})

describe('the total of what was asked', { timeout: TIMEOUT_MS }, () => {
  it('agrees on a business’s page, in a shortlist and in the form that the page opens', () => {
    compare(fc.record({ offer: offerDrawn, asked: askedDrawn }), ({ offer, asked }) => {
      const { maxGuests } = offer
      const unit = modelUnit(offer, asked)
      const quantity = unit === 'perPerson' ? asked.guests : asked.hours
      const isTooMany = maxGuests !== null && asked.guests !== null && asked.guests > maxGuests
      const total = quantity === null || isTooMany ? null : modelTotal(offer, unit, quantity)
      const shown = totalAsked(asked, offer, maxGuests)
      expect(shown).toEqual(total === null ? null : { cents: total, quantity, unit })
      expect(totalAskedText(asked, offer, maxGuests) === null).toBe(total === null)
      if (total === null) return
      const opened = new URLSearchParams(bookingQuery({ ...NOTHING_ASKED, ...asked }, offer))
      const inForm = bookablePrice(
        offer,
        { quantity: Number(opened.get('quantity')), bookingType: opened.get('type') as PriceUnit },
        maxGuests,
      )
      expect(inForm?.totalCents).toBe(total)
    })
  })

  it('agrees in a search, and its budget is a limit of it', () => {
    const drawn = fc.record({
      offer: offerDrawn,
      guests: fc.option(fc.integer({ min: 1, max: 10_000 })),
      hours: fc.option(fc.integer({ min: 1, max: 24 })),
      per: fc.option(unitDrawn, { freq: 3 }),
      budgetCents: fc.oneof(fc.integer({ min: 1, max: MOST }), fc.integer({ min: 1, max: 1_000_000 })),
    })
    compare(drawn, ({ offer, budgetCents, ...asked }) => {
      const search = { ...NO_SEARCH, ...asked }
      const { unit, each, times, isGiven } = modelCost(offer, search)
      const total = modelTotal(offer, unit, times)
      const shown = total === null ? null : { cents: total, quantity: times, unit }
      expect(searchedTotal(search, offer)).toEqual(isGiven ? shown : null)
      expect(comparedTotalOf(search, offer)).toEqual(
        shown && (isGiven || times > 1) ? { ...shown, isExample: !isGiven } : null,
      )
      const range = pricesOf({ ...search, budgetCents }, unit)
      const isInRange = range !== null && range !== 'none' && range.from <= each && each <= range.to
      const isOfUnit = search.per === null || search.per === unit
      expect(isInRange).toBe(isOfUnit && each > 0 && each * times <= budgetCents)
    })
  })

  it('counts begun hours in a search and in a quote', () => {
    compare(fc.record({ from: timeDrawn, until: timeDrawn }), ({ from, until }) => {
      const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
      const minutes = (minuteOf(until) - minuteOf(from) + 1_440) % 1_440
      const byTheHour = { priceCents: 10_000, priceUnit: 'perHour', secondPrice: null } as const
      const found = searchedTotal({ ...NO_SEARCH, from, until }, byTheHour)
      expect(found?.quantity ?? 0).toBe(Math.ceil(minutes / 60))
      expect(countedIn('perHour', minutes, null)).toBe(Math.ceil(minutes / 60))
    })
  })

  it('can be booked in the example beside a listing’s terms, at any price that can', () => {
    compare(
      fc.record({ unit: unitDrawn, cents: centsDrawn }),
      ({ unit, cents }) => {
        const pricing = { priceCents: cents, priceUnit: unit, secondPrice: null }
        const { quantity, priceCents } = workExample(
          { policy: 'moderate', plan: { kind: 'full' } },
          { unit, cents },
          null,
        )
        // $0.02 an hour can't be booked for any number of hours.
        if (cents * (unit === 'perHour' ? 24 : 10_000) < LEAST) return
        expect(priceCents).toBe(modelTotal(pricing, unit, quantity))
      },
      EXAMPLES,
    )
  })
})

/** The one price of an offer that a search compares, and how often it counts. */
function modelCost(pricing: Pricing, { guests, hours, per }: Pick<Search, 'guests' | 'hours' | 'per'>) {
  const unit = per === null ? modelUnit(pricing, { guests, hours }) : modelPer(pricing, per)
  const given = unit === 'perPerson' ? guests : hours
  const usual = unit === 'perHour' && guests !== null && per === null ? TYPICAL_HOURS : 1
  return { unit, each: priceIn(pricing, unit) ?? 0, times: given ?? usual, isGiven: given !== null }
}

const modelPer = (pricing: Pricing, per: PriceUnit) =>
  priceIn(pricing, per) === null ? pricing.priceUnit : per

describe('the same in SQL', () => {
  let world: Awaited<ReturnType<typeof aBookingWorld>>
  let offers: (Offer & { id: string; placeId: string })[]
  const context = { nearKm: 25, now: NOW }

  beforeAll(async () => {
    world = await aBookingWorld()
    const { db } = world
    const { id: user_id } = await aUser(db)
    for (let nth = 0; nth < PLACES; nth++)
      await aPlace(db, { id: `town-${nth}-vic`, name: `Town ${nth}`, latitude: -30 - nth / 2 })
    offers = fc.sample(offerDrawn, LISTINGS).map((offer, nth) => ({
      ...offer,
      id: `listing-${nth}`,
      placeId: `town-${nth % PLACES}-vic`,
    }))
    for (const { id, placeId: place_id, priceCents, priceUnit, secondPrice, maxGuests } of offers)
      await aBusiness(db, {
        ...{ id, place_id, user_id, max_guests: maxGuests },
        ...{ price_cents: priceCents, price_unit: priceUnit },
        second_price_cents: secondPrice?.cents ?? null,
        second_price_unit: secondPrice?.unit ?? null,
      })
  })
  afterAll(() => world.close())

  /** Whether a search finds a listing, and what it costs there. */
  function modelMatch(offer: Offer, search: Search): { compared: number } | null {
    const { unit, each, times, isGiven } = modelCost(offer, search)
    const { per, guests, minCents, maxCents, budgetCents } = search
    const isPriced = each > 0
    if (guests !== null && offer.maxGuests !== null && guests > offer.maxGuests) return null
    if (per !== null && (per !== unit || !isPriced)) return null
    if (minCents !== null && each < minCents) return null
    if (maxCents !== null && (!isPriced || each > maxCents)) return null
    if (budgetCents !== null && (!isPriced || each * times > budgetCents)) return null
    if (guests !== null && isGiven && isPriced && modelTotal(offer, unit, times) === null) return null
    return { compared: isPriced ? each * times : Number.POSITIVE_INFINITY }
  }

  const searchDrawn = fc
    .record({
      guests: fc.option(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 10_000 }))),
      hours: fc.option(fc.integer({ min: 1, max: 24 })),
      per: fc.option(unitDrawn, { freq: 3 }),
      minCents: fc.option(centsDrawn, { freq: 3 }),
      maxCents: fc.option(centsDrawn, { freq: 3 }),
      budgetCents: fc.option(fc.integer({ min: 50, max: 5_000_000 })),
    })
    .map((drawn): Search => ({ ...NO_SEARCH, ...drawn, sort: 'price' }))

  it('a list by price has each listing that its budget and its guests allow, in the order of the totals', async () => {
    let totals = 0
    for (const search of fc.sample(searchDrawn, SEARCHES)) {
      const wanted = offers.flatMap((offer) => {
        const match = modelMatch(offer, search)
        return match ? [{ id: offer.id, ...match }] : []
      })
      const found = await walk(search)
      expect(found.map(({ id }) => id).toSorted(), JSON.stringify(search)).toEqual(
        wanted.map(({ id }) => id).toSorted(),
      )
      const compared = new Map(wanted.map(({ id, compared }) => [id, compared]))
      const order = found.map(({ id }) => compared.get(id) ?? Number.NaN)
      expect(order, JSON.stringify(search)).toEqual(order.toSorted((one, other) => one - other))
      const shown = found.flatMap((card) => {
        const total = comparedTotalOf(search, card)
        return total ? [[total.cents, compared.get(card.id)]] : []
      })
      for (const [cents, inOrder] of shown) expect(cents).toBe(inOrder)
      totals += shown.length
    }
    // Searches that find nothing would always agree.
    expect(totals).toBeGreaterThan(LISTINGS)
  })

  it('the map shows the lowest total of each place', async () => {
    for (const drawn of fc.sample(searchDrawn, SEARCHES)) {
      const search = { ...drawn, sort: null }
      const { groups } = await listMapGroups(world.db, search, context)
      const matches = offers.flatMap((offer) => {
        const match = modelMatch(offer, search)
        return match ? [{ offer, ...match }] : []
      })
      expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(matches.length)
      for (const { placeId, price } of groups) {
        const pins = matches
          .filter(({ offer, compared }) => offer.placeId === placeId && Number.isFinite(compared))
          .map(({ offer, compared }) => ({ ...modelPin(offer, search), compared }))
          .filter(({ isTotal }) => isTotal)
        const least = Math.min(...pins.map(({ compared }) => compared))
        if (!price) expect(least).toBe(Number.POSITIVE_INFINITY)
        else expect(pins.filter(({ compared }) => compared === least)).toContainEqual(price)
      }
    }
  })

  /** The price on a listing's marker: the total of the ask, otherwise the price of one. */
  function modelPin(offer: Offer, search: Search) {
    const { unit, each, times, isGiven } = modelCost(offer, search)
    const total = isGiven ? modelTotal(offer, unit, times) : null
    return { cents: total ?? each, isTotal: total !== null }
  }

  it('the server asks the price of the form', async () => {
    const drawn = fc.record({ unit: unitDrawn, quantity: fc.integer({ min: 1, max: 40 }) })
    const asks = fc.sample(drawn, offers.length)
    for (const [nth, offer] of offers.entries()) {
      const { unit, quantity } = asks[nth] as (typeof asks)[number]
      const total = modelTotal(offer, unit, quantity)
      const answer = await startBookingPayment(world.deps, {
        amount: (total ?? 0) + 1,
        submitKey: `key-${String(nth).padStart(20, '0')}`,
        businessId: offer.id,
        booking: aBookingForm({ ...DAY, bookingType: unit, quantity }),
        customerUserId: null,
      })
      if (offer.priceCents === 0) expect(answer).toMatchObject({ ok: false, reason: 'gone' })
      else if (total === null) expect(answer).toMatchObject({ ok: false, reason: 'fields' })
      else expect(answer).toMatchObject({ ok: false, reason: 'amount_differs', amountCents: total })
    }
  })

  it('a quote costs the least that its lines add up to', async () => {
    const lineDrawn = fc.record({
      label: fc.constant('x'),
      quantity: fc.integer({ min: 1, max: 10_000 }),
      unitPriceCents: fc.integer({ min: 1, max: MOST }),
      isOptional: fc.boolean(),
    })
    const quotes = fc
      .sample(fc.array(lineDrawn, { minLength: 1, maxLength: 20 }), LISTINGS)
      .map((lines) => lines.map((line, nth): QuoteLine => ({ ...line, id: String(nth) })))
    const { rows } = await sql<{ nth: number; cents: string | null }>`
      select quotes.nth, ${leastCents()} as cents
      from jsonb_array_elements(${JSON.stringify(quotes)}::jsonb) with ordinality quotes (lines, nth)
      order by 1`.execute(world.db)
    expect(rows.map(({ cents }) => Number(cents ?? 0))).toEqual(
      quotes.map((lines) => leastOf({ lines, takenLines: null, acceptedCents: null })),
    )
  })

  async function walk(search: Search) {
    const first = await listFound(world.db, search, context)
    const found = [...first.businesses]
    for (let { next } = first; next !== null; ) {
      const page = await listFound(world.db, { ...search, after: next }, context)
      found.push(...page.businesses)
      next = page.next
    }
    return found
  }
})
