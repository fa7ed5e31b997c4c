import { parseWithZod } from '@conform-to/zod/v4'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aListing, aTypedListing } from '../../../tests/builders.ts'
import {
  MAX_BALANCE_DAYS,
  MAX_DEPOSIT_BP,
  MIN_BALANCE_DAYS,
  MIN_DEPOSIT_BP,
  POLICY_NAMES,
} from '../terms/rules.ts'
import { errorText } from './fact-kind-rules.ts'
import { factsOf, STATED_FACTS } from './fact-rules.ts'
import {
  MISSING_FIELD_TEXTS,
  PRICE_TOO_HIGH_TEXT,
  PRICE_UNCLEAR_TEXT,
  SECOND_PRICE_ZERO_TEXT,
  TOO_MANY_IMAGES_TEXT,
} from './listing-messages.ts'
import { MAX_VERSION_LENGTH } from './rules.ts'
import { hasMissingFields, LISTING_INPUTS, listingSchema, splitServices, UNSET_FIELDS } from './schema.ts'

const DEPOSIT = { plan: 'deposit', depositPercent: '20', balanceDays: '30' }

const typed = aTypedListing({ name: ' Tide House ', location: 'Geelong, VIC' })

function parse(overrides: Record<string, string | string[]> = {}, without: string[] = []) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...typed, ...overrides })) {
    if (without.includes(name)) continue
    for (const one of [value].flat()) form.append(name, one)
  }
  return parseWithZod(form, { schema: listingSchema })
}

function errorOf(submission: ReturnType<typeof parse>) {
  return submission.status === 'success' ? undefined : submission.error
}

function listingOf(overrides: Record<string, string | string[]> = {}) {
  const submission = parse(overrides)
  if (submission.status !== 'success') throw new Error(JSON.stringify(errorOf(submission)))
  return submission.value
}

describe('listingSchema', () => {
  it('keeps only the facts of the chosen category, and none that is left empty', () => {
    const all = {
      maxGuests: '1,200',
      seated: '150',
      standing: '220',
      minHours: '4',
      setting: ['outdoor', 'indoor'],
      stepFree: 'yes',
      parking: 'no',
      byo: '',
      dietary: ['halal', 'vegan'],
      languages: ['Greek'],
      travelKm: '60',
    }
    expect(listingOf(all)).toMatchObject({ maxGuests: 1_200 })
    expect(listingOf(all).facts).toEqual({
      seated: 150,
      standing: 220,
      minHours: 4,
      setting: ['indoor', 'outdoor'],
      stepFree: true,
      parking: false,
      dietary: ['vegan', 'halal'],
      languages: ['Greek'],
    })
    expect(listingOf({ ...all, category: 'Photographers' }).facts).toEqual({
      minHours: 4,
      travelKm: 60,
      languages: ['Greek'],
    })
    expect(listingOf({ factsAsked: '1' }).facts).toEqual({})
    // A form from before the facts, which leaves those of its listing alone.
    expect(listingOf()).not.toHaveProperty('facts')
  })

  it('takes the seats or standing room as the maximum number of guests if none are typed, and refuses more than the most', () => {
    expect(listingOf({ seated: '90', standing: '140' }).maxGuests).toBe(140)
    expect(listingOf().maxGuests).toBeNull()
    expect(listingOf({ seated: '90', maxGuests: '90' }).maxGuests).toBe(90)
    expect(errorOf(parse({ seated: '91', standing: '95', maxGuests: '90' }))).toEqual({
      seated: ['You can’t have more guests seated than your maximum of 90.'],
      standing: ['You can’t have more guests standing than your maximum of 90.'],
    })
    // A photographer has no seats, whatever the hidden field says.
    expect(listingOf({ category: 'Photographers', seated: '91', maxGuests: '90' }).maxGuests).toBe(90)
  })

  it.each([
    ['maxGuests', '0'],
    ['maxGuests', '10001'],
    ['maxGuests', 'many'],
    ['maxGuests', '1.5'],
    ['seated', '-3'],
    ['standing', '10001'],
    ['minHours', '25'],
    ['stepFree', 'maybe'],
    ['byo', 'no way'],
    ['setting', 'underwater'],
    ['dietary', 'breatharian'],
    ['languages', 'Klingon'],
  ] as const)(
    'refuses %s of %s with a message at its field, which another category ignores',
    (name, value) => {
      expect(errorOf(parse({ [name]: value }))).toEqual({ [name]: [errorText(STATED_FACTS[name])] })
      if (name !== 'maxGuests' && name !== 'minHours' && name !== 'languages')
        expect(listingOf({ [name]: value, category: 'Photographers' })).not.toHaveProperty('facts')
    },
  )

  it('returns the listing with the unit of its category and no second price', () => {
    expect(listingOf()).toEqual({
      ...UNSET_FIELDS,
      name: 'Tide House',
      category: 'Venues',
      description: 'A hall by the water.',
      priceCents: 120_050,
      priceUnit: 'perPerson',
      secondPrice: null,
      location: 'Geelong, VIC',
      servicesOffered: ['Tables', 'Chairs'],
      images: [],
      imageAlts: {},
    })
    expect(listingOf({ category: 'Sounds & DJ' })).toMatchObject({
      priceUnit: 'perHour',
      secondPrice: null,
    })
  })

  it.each(['The Hall\r\nBEGIN:VEVENT', 'The\nHall', 'The\u2028Hall', 'The \u202eHall'])(
    'refuses a name or location that isn’t on one line, which calendars and mails rely on: %j',
    (text) => {
      for (const field of ['name', 'location'])
        expect(errorOf(parse({ [field]: text }))).toEqual({
          [field]: ['Type this on one line, without invisible characters.'],
        })
      expect(listingOf({ description: 'One.\r\n\r\nTwo.' }).description).toBe('One.\r\n\r\nTwo.')
    },
  )

  it('accepts line breaks in a list of services, but no control characters', () => {
    expect(listingOf({ servicesOffered: 'Tables,\r\nChairs,\n\nLong\nbenches' }).servicesOffered).toEqual([
      'Tables',
      'Chairs',
      'Long benches',
    ])
    expect(errorOf(parse({ servicesOffered: 'Tables\u0007' }))).toHaveProperty('servicesOffered')
  })

  it('takes the vendor’s choice of units, and always includes the unit of the price', () => {
    expect(listingOf({ priceUnit: 'perHour', bookingTypes: 'perHour' })).toMatchObject({
      priceUnit: 'perHour',
      secondPrice: null,
    })
    expect(listingOf({ bookingTypes: 'perHour' })).toMatchObject({ priceUnit: 'perHour', secondPrice: null })
    expect(
      listingOf({ priceUnit: 'perPerson', bookingTypes: ['perHour'], secondPrice: '450' }),
    ).toMatchObject({
      priceUnit: 'perPerson',
      secondPrice: { unit: 'perHour', cents: 45_000 },
    })
    expect(parse({ priceUnit: 'perDay' }).status).toBe('error')
  })

  const both = { priceUnit: 'perPerson', bookingTypes: ['perPerson', 'perHour'] }

  it('requires a price for each booking type, with the error beside the second price', () => {
    for (const secondPrice of ['', '  ']) {
      const error = errorOf(parse({ ...both, secondPrice }))
      expect(error).toEqual({ secondPrice: ['Enter a price per hour, or untick ‘Per hour’.'] })
      expect(hasMissingFields(error ?? {})).toBe(true)
    }
    const turned = { priceUnit: 'perHour', bookingTypes: ['perPerson', 'perHour'] }
    expect(errorOf(parse(turned))).toEqual({
      secondPrice: ['Enter a price per person, or untick ‘Per person’.'],
    })
    expect(listingOf({ ...turned, secondPrice: '$84' })).toMatchObject({
      priceCents: 120_050,
      priceUnit: 'perHour',
      secondPrice: { unit: 'perPerson', cents: 8_400 },
    })
  })

  it.each([
    ['0.01', 1],
    [' 1,200.50 ', 120_050],
    ['999,999.99', 99_999_999],
  ])('reads the second price %s', (secondPrice, cents) =>
    expect(listingOf({ ...both, secondPrice }).secondPrice?.cents).toBe(cents),
  )

  it.each([
    ['0', SECOND_PRICE_ZERO_TEXT],
    ['0.00', SECOND_PRICE_ZERO_TEXT],
    ['twelve', PRICE_UNCLEAR_TEXT],
    ['-5', PRICE_UNCLEAR_TEXT],
    ['9'.repeat(2_000), PRICE_UNCLEAR_TEXT],
    ['1,000,000', PRICE_TOO_HIGH_TEXT],
  ])('refuses the second price %s', (secondPrice, message) => {
    expect(errorOf(parse({ ...both, secondPrice }))).toEqual({ secondPrice: [message] })
  })

  it('checks the second price while other fields are still invalid', () => {
    expect(errorOf(parse({ ...both, name: '', price: 'x' }))).toEqual({
      name: [MISSING_FIELD_TEXTS.name],
      price: [PRICE_UNCLEAR_TEXT],
      secondPrice: ['Enter a price per hour, or untick ‘Per hour’.'],
    })
  })

  it('ignores the second price with one booking type or a price on request', () => {
    for (const secondPrice of ['450', 'twelve', '']) {
      expect(listingOf({ priceUnit: 'perPerson', bookingTypes: 'perPerson', secondPrice })).toMatchObject({
        priceUnit: 'perPerson',
        secondPrice: null,
      })
      expect(listingOf({ ...both, price: '0', secondPrice })).toMatchObject({
        priceCents: 0,
        secondPrice: null,
      })
    }
  })

  it('accepts a second price if no booking types were posted', () => {
    expect(listingOf({ secondPrice: '450' })).toMatchObject({
      priceUnit: 'perPerson',
      secondPrice: { unit: 'perHour', cents: 45_000 },
    })
  })

  it.each(Object.keys(MISSING_FIELD_TEXTS) as (keyof typeof MISSING_FIELD_TEXTS)[])(
    'requires %s',
    (field) => {
      for (const submission of [parse({ [field]: '' }), parse({ [field]: '  \t' }), parse({}, [field])]) {
        expect(errorOf(submission)).toEqual({ [field]: [MISSING_FIELD_TEXTS[field]] })
        expect(hasMissingFields(errorOf(submission) ?? {})).toBe(true)
      }
    },
  )

  it('requires at least one service between commas', () => {
    expect(errorOf(parse({ servicesOffered: ' , ,, ' }))).toEqual({
      servicesOffered: [MISSING_FIELD_TEXTS.servicesOffered],
    })
    expect(splitServices(' Tables ,, Bar  staff,Tables,')).toEqual(['Tables', 'Bar staff'])
  })

  it.each([
    ['1200', 120_000],
    ['1,200.50', 120_050],
    ['$1,200', 120_000],
    ['0', 0],
    ['999,999.99', 99_999_999],
  ])('reads the price %s', (price, cents) => expect(listingOf({ price }).priceCents).toBe(cents))

  it.each(['12.345', 'twelve', '-5', '1,20', '1e3', '12 dollars', 'NaN', '0x10'])(
    'refuses the price %s',
    (price) => {
      const error = errorOf(parse({ price }))
      expect(error).toEqual({ price: [PRICE_UNCLEAR_TEXT] })
      expect(hasMissingFields(error ?? {})).toBe(false)
    },
  )

  it('refuses a price above the most that a booking can cost', () => {
    expect(errorOf(parse({ price: '1,000,000' }))).toEqual({ price: [PRICE_TOO_HIGH_TEXT] })
  })

  it('reads what images show by their addresses: one line of at most 150 characters', () => {
    const posted = { images: ['/files/a', '/files/b'], imageAlts: ['/files/b  A long table '] }
    expect(listingOf(posted).imageAlts).toEqual({ '/files/b': 'A long table' })
    const long = `/files/a Tables\u0000\n under ${'x'.repeat(200)}`
    const { imageAlts } = listingOf({ imageAlts: [long] })
    expect(imageAlts?.['/files/a']).toMatch(/^Tables under x+$/)
    expect(imageAlts?.['/files/a']).toHaveLength(150)
  })

  it('accepts up to three images', () => {
    expect(listingOf({ images: ['/files/a', '/files/b', '/files/c'] }).images).toHaveLength(3)
    expect(listingOf({ images: '/files/a' }).images).toEqual(['/files/a'])
    expect(errorOf(parse({ images: ['/a', '/b', '/c', '/d'] }))).toEqual({ images: [TOO_MANY_IMAGES_TEXT] })
  })

  it('leaves the terms out if the form has none', () => {
    expect(listingOf()).not.toHaveProperty('policy')
    expect(listingOf({ depositPercent: '20', balanceDays: '30' })).not.toHaveProperty('plan')
  })

  it.each([
    ['10', 1_000],
    ['12.5', 1_250],
    [' 20% ', 2_000],
    ['22.55 %', 2_255],
    ['30', 3_000],
  ])('accepts a deposit of %j', (depositPercent, depositBasisPoints) => {
    expect(listingOf({ ...DEPOSIT, depositPercent }).plan).toMatchObject({ depositBasisPoints })
  })

  it.each(['', '9.99', '30.01', '3', '100', '1e1', '-20', '0x14', '20.555', 'twenty', '２０'])(
    'refuses a deposit of %j, with the error beside it',
    (depositPercent) => {
      expect(errorOf(parse({ ...DEPOSIT, depositPercent }))).toEqual({
        depositPercent: ['Enter a deposit from 10 to 30%.'],
      })
    },
  )

  it.each(['', '13', '61', '30.5', '3e1', '-30', '030', 'a month'])(
    'refuses a balance %j days before the event, with the error beside it',
    (balanceDays) => {
      expect(errorOf(parse({ ...DEPOSIT, balanceDays }))).toEqual({
        balanceDays: ['Enter 14 to 60 days, in whole days.'],
      })
    },
  )

  it.each(['14', '30', '60'])('accepts a balance %s days before the event', (balanceDays) => {
    expect(listingOf({ ...DEPOSIT, balanceDays }).plan).toMatchObject({
      balanceDaysBefore: Number(balanceDays),
    })
  })

  it('ignores the fields of the deposit if the price is paid in full', () => {
    expect(listingOf({ plan: 'full', depositPercent: 'x', balanceDays: '-1' }).plan).toEqual({ kind: 'full' })
  })

  it('refuses an unknown policy or plan', () => {
    expect(errorOf(parse({ policy: 'strict', plan: 'monthly' }))).toEqual({
      policy: ['Choose a cancellation policy.'],
      plan: ['Choose payment in full or a deposit.'],
    })
  })

  it('checks the deposit while other fields are still invalid', () => {
    expect(errorOf(parse({ ...DEPOSIT, name: '', depositPercent: '50' }))).toHaveProperty('depositPercent')
  })

  it('never throws, whatever is posted, and returns only listings that can be stored', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(
        '',
        ' ',
        '\0',
        '\ud800',
        'Venues',
        '12',
        '$1,200.50',
        'a,b',
        ',',
        'perHour',
        '/files/x',
        'long',
        'deposit',
        '20',
        '12.5 %',
      ),
    )
    const names = [
      ...LISTING_INPUTS.filter((name) => name !== 'submitKey'),
      'userId',
      'id',
      '__proto__',
      'name.x',
      'images[0]',
    ]
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...names), anything), { maxLength: 12 }), (sent) => {
        const form = new FormData()
        for (const [name, value] of Object.entries(typed)) form.set(name, value)
        for (const [name, value] of sent) {
          if (name in typed) form.set(name, value)
          else form.append(name, value)
        }
        const submission = parseWithZod(form, { schema: listingSchema })
        if (submission.status !== 'success') return
        const listing = submission.value
        expect(Number.isSafeInteger(listing.priceCents) && listing.priceCents >= 0).toBe(true)
        if (listing.secondPrice) {
          const { unit, cents } = listing.secondPrice
          expect(unit).not.toBe(listing.priceUnit)
          expect(listing.priceCents).toBeGreaterThan(0)
          expect(Number.isSafeInteger(cents) && cents >= 1 && cents <= 99_999_999).toBe(true)
        }
        expect(listing.servicesOffered.length).toBeGreaterThan(0)
        expect(listing.images.length).toBeLessThanOrEqual(3)
        expect(`${listing.name}${listing.description}${listing.servicesOffered}`).not.toMatch(/\0/)
        const { policy, plan, facts, imageAlts, seen, ...others } = listing
        expect(seen?.length ?? 0).toBeLessThanOrEqual(MAX_VERSION_LENGTH)
        expect(Object.values(imageAlts ?? {}).join()).not.toMatch(/\0/)
        expect(factsOf(listing.category, facts ?? {})).toEqual(facts ?? {})
        for (const guests of [facts?.seated ?? 1, facts?.standing ?? 1])
          expect(guests).toBeLessThanOrEqual(listing.maxGuests ?? 1)
        expect([undefined, ...POLICY_NAMES]).toContain(policy)
        if (plan?.kind === 'deposit') {
          expect(plan.depositBasisPoints).toBeGreaterThanOrEqual(MIN_DEPOSIT_BP)
          expect(plan.depositBasisPoints).toBeLessThanOrEqual(MAX_DEPOSIT_BP)
          expect(plan.balanceDaysBefore).toBeGreaterThanOrEqual(MIN_BALANCE_DAYS)
          expect(plan.balanceDaysBefore).toBeLessThanOrEqual(MAX_BALANCE_DAYS)
        }
        const { facts: _, ...expected } = aListing()
        expect(Object.keys(others).sort()).toEqual(Object.keys(expected).sort())
      }),
      { numRuns: 300 },
    )
  })
})
