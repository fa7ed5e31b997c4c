import { parseWithZod } from '@conform-to/zod/v4'
import { describe, expect, it } from 'vitest'
import { FIELD_MESSAGES } from './field-messages.ts'
import {
  checkOffer,
  endOf,
  heldUntil,
  isSameSelection,
  lastValidDay,
  type QuoteLine,
  type QuoteOffer,
  type QuoteState,
  quoteRefusal,
  takenLines,
  totalOf,
  validUntil,
} from './rules.ts'
import { quoteSchema, readTypedQuote, withoutStale } from './schema.ts'

const MELBOURNE = 'Australia/Melbourne'
const NOW = new Date('2026-11-23T01:00:00Z')

const lines: QuoteLine[] = [
  { id: '1', label: 'Long-table dinner', quantity: 80, unitPriceCents: 5_500, isOptional: false },
  { id: '2', label: 'Florist’s arch', quantity: 1, unitPriceCents: 45_000, isOptional: true },
  { id: '3', label: 'Staff', quantity: 3, unitPriceCents: 13_000, isOptional: false },
]

const offer = (overrides: Partial<QuoteOffer> = {}): QuoteOffer => ({
  lines,
  note: '',
  date: '2027-03-13',
  time: '16:00',
  minutes: 420,
  bookingType: 'perPerson',
  quantity: 80,
  guests: 80,
  terms: { policy: 'moderate', plan: { kind: 'full' } },
  validTo: '2026-11-30',
  holdHours: 0,
  ...overrides,
})

describe('the total of a quote', () => {
  it('adds up all lines, or those that are taken', () => {
    expect(totalOf(lines)).toBe(524_000)
    expect(totalOf(lines, ['2'])).toBe(524_000)
    expect(totalOf(lines, [])).toBe(479_000)
  })

  it('never leaves out a line that isn’t optional, whatever ids are sent', () => {
    const random = mulberry(7)
    for (let run = 0; run < 500; run++) {
      const some = Array.from(
        { length: 1 + Math.floor(random() * 20) },
        (_, index): QuoteLine => ({
          id: String(index + 1),
          label: 'x',
          quantity: 1 + Math.floor(random() * 100),
          unitPriceCents: 1 + Math.floor(random() * 100_000),
          isOptional: random() < 0.5,
        }),
      )
      const taken = ['', '0', '99', ...some.filter(() => random() < 0.5).map(({ id }) => id)]
      const lines = takenLines(some, taken)
      expect(lines.filter(({ isOptional }) => !isOptional)).toEqual(
        some.filter(({ isOptional }) => !isOptional),
      )
      expect(totalOf(some, taken)).toBe(
        lines.reduce((sum, { quantity, unitPriceCents }) => sum + quantity * unitPriceCents, 0),
      )
      expect(totalOf(some, taken)).toBeLessThanOrEqual(totalOf(some))
      expect(totalOf(some, taken)).toBeGreaterThanOrEqual(totalOf(some, []))
    }
  })

  it('belongs to one selection whatever the order of its ids', () => {
    expect(isSameSelection(['1', '2'], ['2', '1'])).toBe(true)
    expect(isSameSelection(['1'], ['1', '2'])).toBe(false)
    expect(isSameSelection([], [])).toBe(true)
  })
})

describe('an offer', () => {
  const check = (overrides: Partial<QuoteOffer>, at = NOW) =>
    checkOffer(offer(overrides), { timeZone: MELBOURNE, now: at })
  const line = (unitPriceCents: number, isOptional = false): QuoteLine[] => [
    { id: '1', label: 'x', quantity: 1, unitPriceCents, isOptional },
  ]

  it.each<[string, Partial<QuoteOffer>, object]>([
    ['that is complete', {}, {}],
    ['of $0.49', { lines: line(49) }, { lines: FIELD_MESSAGES.totalTooSmall }],
    ['of $0.50', { lines: line(50) }, {}],
    ['of $999,999.99', { lines: line(99_999_999) }, {}],
    ['of a cent more', { lines: [...line(99_999_999), ...line(1)] }, { lines: FIELD_MESSAGES.totalTooLarge }],
    ['that can be left out whole', { lines: line(500, true) }, { lines: FIELD_MESSAGES.allOptional }],
    [
      'for yesterday',
      { date: '2026-11-22', validTo: '2026-11-23' },
      { date: FIELD_MESSAGES.datePast, validTo: FIELD_MESSAGES.validToAfterEvent },
    ],
    [
      'for this minute',
      { date: '2026-11-23', time: '12:00', validTo: '2026-11-23' },
      { time: FIELD_MESSAGES.timePast },
    ],
    ['for the next minute', { date: '2026-11-23', time: '12:01', validTo: '2026-11-23' }, {}],
    ['for 25 hours', { bookingType: 'perHour', quantity: 25 }, { quantity: FIELD_MESSAGES.hoursTooMany }],
    ['for 10,001 people', { quantity: 10_001 }, { quantity: FIELD_MESSAGES.peopleTooMany }],
    ['that ended yesterday', { validTo: '2026-11-22' }, { validTo: FIELD_MESSAGES.validToPast }],
    ['that ends today', { validTo: '2026-11-23' }, {}],
    ['that is valid for 60 days', { validTo: '2027-01-22' }, {}],
    ['that is valid for 61 days', { validTo: '2027-01-23' }, { validTo: FIELD_MESSAGES.validToFar }],
    [
      'that outlasts the event',
      { date: '2026-11-25', validTo: '2026-11-26' },
      { validTo: FIELD_MESSAGES.validToAfterEvent },
    ],
  ])('%s is answered beside its fields', (_, overrides, errors) => {
    expect(check(overrides)).toEqual(errors)
  })

  it('follows the clock of its place, not that of the server', () => {
    // 24 November there.
    const at = new Date('2026-11-23T13:30:00Z')
    expect(check({ date: '2026-11-23', time: '23:00', validTo: '2026-11-23' }, at)).toMatchObject({
      date: FIELD_MESSAGES.datePast,
      validTo: FIELD_MESSAGES.validToPast,
    })
  })
})

describe('the validity of a quote', () => {
  it('ends at midnight by the venue’s clock, also when clocks change', () => {
    expect(validUntil('2026-11-30', MELBOURNE).toISOString()).toBe('2026-11-30T13:00:00.000Z')
    expect(validUntil('2026-11-30', 'Australia/Perth').toISOString()).toBe('2026-11-30T16:00:00.000Z')
    // Daylight saving ends on 4 April 2027 at 3 am.
    expect(validUntil('2027-04-03', MELBOURNE).toISOString()).toBe('2027-04-03T13:00:00.000Z')
    expect(validUntil('2027-04-04', MELBOURNE).toISOString()).toBe('2027-04-04T14:00:00.000Z')
  })

  it('names the last day on which it can be accepted', () => {
    expect(lastValidDay(validUntil('2027-04-04', MELBOURNE), MELBOURNE)).toBe('2027-04-04')
  })

  it('bounds the hold of its time', () => {
    const until = validUntil('2026-11-24', MELBOURNE)
    expect(heldUntil(0, until, NOW)).toBeNull()
    expect(heldUntil(24, until, NOW)?.toISOString()).toBe('2026-11-24T01:00:00.000Z')
    expect(heldUntil(48, until, NOW)).toEqual(until)
  })

  it.each<[QuoteState, string | null, string | null]>([
    ['draft', 'withdrawn', 'withdrawn'],
    ['sent', null, 'expired'],
    ['viewed', null, 'expired'],
    ['accepted', 'being_paid', 'being_paid'],
    ['booked', 'booked', 'booked'],
    ['declined', 'declined', 'declined'],
    ['expired', 'expired', 'expired'],
    ['withdrawn', 'withdrawn', 'withdrawn'],
    ['superseded', 'superseded', 'superseded'],
  ])('lets a quote that is %s be accepted only while it waits', (state, before, at) => {
    const until = new Date('2026-11-30T13:00:00Z')
    const refusal = (now: Date) => quoteRefusal({ state, validUntil: until }, now)
    expect(refusal(new Date(until.getTime() - 1))).toBe(before)
    expect(refusal(until)).toBe(at)
  })
})

describe('the form of a quote', () => {
  const typed = {
    intent: 'send-quote',
    version: '1',
    'lines[0].label': 'Long-table dinner',
    'lines[0].quantity': '80',
    'lines[0].unitPrice': '$55',
    'lines[1].label': 'Arch',
    'lines[1].quantity': '1',
    'lines[1].unitPrice': '450.00',
    'lines[1].optional': 'on',
    date: '2027-03-13',
    time: '16:00',
    end: '23:30',
    bookingType: 'perPerson',
    guests: '80',
    policy: 'moderate',
    plan: 'deposit',
    depositPercent: '20',
    balanceDays: '30',
    validTo: '2026-11-30',
    holdHours: '48',
  }
  const first = { id: '1', label: 'Long-table dinner', unitPriceCents: 5_500, isOptional: false }
  const read = (form: FormData) => {
    const submission = parseWithZod(form, { schema: quoteSchema })
    return submission.status === 'success'
      ? { value: submission.value, error: null }
      : { value: null, error: submission.error ?? {} }
  }
  const parse = (overrides: Record<string, string>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...typed, ...overrides })) form.append(name, value)
    return read(form)
  }

  it('becomes an offer in cents and minutes', () => {
    expect(parse({}).value).toEqual({
      intent: 'send-quote',
      version: 1,
      offer: {
        lines: [
          { id: '1', label: 'Long-table dinner', quantity: 80, unitPriceCents: 5_500, isOptional: false },
          { id: '2', label: 'Arch', quantity: 1, unitPriceCents: 45_000, isOptional: true },
        ],
        note: '',
        date: '2027-03-13',
        time: '16:00',
        minutes: 450,
        bookingType: 'perPerson',
        quantity: 80,
        guests: 80,
        terms: {
          policy: 'moderate',
          plan: { kind: 'deposit', depositBasisPoints: 2_000, balanceDaysBefore: 30 },
        },
        validTo: '2026-11-30',
        holdHours: 48,
      },
    })
  })

  it.each([
    ['lines[0].quantity', '0', FIELD_MESSAGES.quantityWrong],
    ['lines[0].quantity', '-1', FIELD_MESSAGES.quantityWrong],
    ['lines[0].quantity', '1.5', FIELD_MESSAGES.quantityWrong],
    ['lines[0].quantity', '10001', FIELD_MESSAGES.quantityWrong],
    ['lines[0].unitPrice', '0', FIELD_MESSAGES.priceWrong],
    ['lines[0].unitPrice', '-5', FIELD_MESSAGES.priceWrong],
    ['lines[0].unitPrice', 'a lot', FIELD_MESSAGES.priceWrong],
    ['lines[0].unitPrice', '1000000', FIELD_MESSAGES.priceTooLarge],
    ['lines[0].unitPrice', '', FIELD_MESSAGES.priceMissing],
    ['lines[0].label', '', FIELD_MESSAGES.labelMissing],
    ['date', '2027-02-30', FIELD_MESSAGES.dateWrong],
    ['time', '25:00', FIELD_MESSAGES.timeWrong],
    ['end', '', FIELD_MESSAGES.endMissing],
    ['end', '24:00', FIELD_MESSAGES.timeWrong],
    ['end', '16:14', FIELD_MESSAGES.endWrong],
    ['end', '16:01', FIELD_MESSAGES.endWrong],
    ['guests', '', FIELD_MESSAGES.guestsWrong],
    ['guests', '0', FIELD_MESSAGES.guestsWrong],
    ['guests', '1.5', FIELD_MESSAGES.guestsWrong],
    ['guests', '10001', FIELD_MESSAGES.guestsWrong],
    ['depositPercent', '31', FIELD_MESSAGES.depositWrong],
    ['balanceDays', '61', FIELD_MESSAGES.balanceWrong],
    ['holdHours', '72', FIELD_MESSAGES.holdWrong],
  ])('answers %s = ‘%s’ beside the field', (name, value, message) => {
    expect(parse({ [name]: value }).error?.[name]).toContain(message)
  })

  it.each([
    // Start, end, minutes and hours.
    ['13:00', '23:00', 600, 10],
    ['16:00', '16:15', 15, 1],
    ['16:00', '17:15', 75, 2],
    ['20:00', '02:00', 360, 6],
    ['16:00', '16:00', 1_440, 24],
    ['16:15', '16:00', 1_425, 24],
  ])(
    'counts the hours from %s to %s for a listing by the hour, whoever comes',
    (time, end, minutes, hours) => {
      const read = (guests: string) => parse({ bookingType: 'perHour', time, end, guests }).value?.offer
      expect(read('110')).toMatchObject({ minutes, quantity: hours, guests: 110 })
      expect(read('')).toMatchObject({ minutes, quantity: hours, guests: null })
      expect(endOf(time, minutes)).toBe(end)
    },
  )

  it.each([
    // The unit that the line follows, its quantity, the guests, and whether that is what the form shows.
    ['perPerson', '80', '80', true],
    ['perPerson', '8', '80', false],
    ['perPerson', '81', '80', false],
    ['perHour', '8', '80', true],
    ['perHour', '7', '80', false],
    ['perPerson', '1', '', true],
  ])(
    'takes a line that follows %s with %s beside ‘%s’ guests only as it was shown: %s',
    (follows, quantity, guests, isRight) => {
      const line = { 'lines[0].follows': follows, 'lines[0].quantity': quantity }
      const { value, error } = parse({ bookingType: 'perHour', guests, ...line })
      if (isRight) expect(value?.offer.lines[0]).toEqual({ ...first, quantity: Number(quantity) })
      else expect(error).toEqual({ 'lines[0].quantity': [FIELD_MESSAGES.quantityStale] })
    },
  )

  it('comes back as it was typed, with the lines that follow', () => {
    const sent: Record<string, string> = {
      ...typed,
      'lines[0].follows': 'perPerson',
      'lines[1].follows': 'x',
    }
    const back = readTypedQuote((name) => sent[name])
    expect(back?.lines.map(({ follows }) => follows)).toEqual(['perPerson', undefined])
    expect(back).toMatchObject({ time: '16:00', end: '23:30', guests: '80' })
    // A quantity that was refused is typed from then on, so that its writer has the last word without scripts too.
    const refused = back && withoutStale(back, { 'lines[0].quantity': [FIELD_MESSAGES.quantityStale] })
    expect(refused?.lines[0]).toMatchObject({ quantity: '80', follows: undefined })
    expect(back && withoutStale(back, { 'lines[1].quantity': ['x'] })).toEqual(back)
  })

  it.each([
    // Unit, start, length and count, then the end and guests.
    ['perPerson', '16:00', '7.5', '80', '23:30', '80'],
    ['perPerson', '20:00', '6', 'many', '02:00', 'many'],
    ['perHour', '16:00', '24', '24', '16:00', ''],
    ['perHour', '16:00', '0.25', '1', '16:15', ''],
    ['perHour', '16:00', '24.25', '24', '', ''],
    ['perHour', '16:00', '0', '1', '', ''],
    ['perHour', '16:00', 'long', '1', '', ''],
    ['perHour', '', '5', '5', '', ''],
  ])(
    'keeps all of a form from before ends and guests were typed: %s from ‘%s’ for %s',
    (bookingType, time, hours, quantity, end, guests) => {
      const { end: _, guests: __, ...rest } = typed
      const sent: Record<string, string> = { ...rest, bookingType, time, hours, quantity }
      const back = readTypedQuote((name) => sent[name])
      expect(back).toMatchObject({ bookingType, time, end, guests })
      expect(back?.lines).toHaveLength(2)
    },
  )

  it('refuses NUL, a missing line and a 21st one', () => {
    expect(parse({ 'lines[0].label': 'a\0b' }).error?.['lines[0].label']).toBeDefined()
    const without = new FormData()
    for (const [name, value] of Object.entries(typed))
      if (!name.startsWith('lines')) without.append(name, value)
    expect(read(without).error?.lines).toEqual([FIELD_MESSAGES.linesMissing])
    const many = Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => [
        [`lines[${index}].label`, 'x'],
        [`lines[${index}].quantity`, '1'],
        [`lines[${index}].unitPrice`, '1'],
      ]).flat() as [string, string][],
    )
    expect(parse(many).error?.lines).toEqual([FIELD_MESSAGES.linesTooMany])
  })
})

/** A small generator of random numbers with a seed, so that a failure can be repeated. */
function mulberry(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
