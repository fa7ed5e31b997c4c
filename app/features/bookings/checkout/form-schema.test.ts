import { parseWithZod } from '@conform-to/zod/v4'
import { describe, expect, it } from 'vitest'
import { FIELD_MESSAGES } from '../field-messages.ts'
import type { BookingOffer } from '../form-rules.ts'
import { formSchema } from './form-schema.ts'

const offer: BookingOffer = {
  priceCents: 9_500,
  priceUnit: 'perPerson',
  secondPrice: { unit: 'perHour', cents: 45_000 },
  timeZone: 'Australia/Sydney',
}
// Noon on 14 March 2027 in Sydney.
const now = () => new Date('2027-03-14T01:00:00Z')
const filled = {
  fullName: 'Ana Reyes',
  email: 'ana@example.com',
  phone: '0400 000 000',
  date: '2027-03-15',
  time: '16:00',
  quantity: '40',
  bookingType: 'perPerson',
}

function errorsOf(typed: Partial<Record<keyof typeof filled, string>>, schema = formSchema(offer, now)) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...filled, ...typed })) form.set(name, value)
  const submission = parseWithZod(form, { schema })
  return (submission.status === 'success' ? null : submission.error) ?? {}
}

describe('the booking form', () => {
  it('accepts a valid booking', () => {
    expect(errorsOf({})).toEqual({})
    expect(errorsOf({ date: '2027-03-14', time: '12:01' })).toEqual({})
  })

  it.each([
    [{ quantity: '' }, 'quantity', FIELD_MESSAGES.quantityMissing],
    [{ quantity: '0' }, 'quantity', FIELD_MESSAGES.quantityMissing],
    [{ quantity: '-1' }, 'quantity', FIELD_MESSAGES.quantityMissing],
    [{ quantity: '1.5' }, 'quantity', FIELD_MESSAGES.quantityMissing],
    [{ quantity: 'many' }, 'quantity', FIELD_MESSAGES.quantityMissing],
    [{ quantity: '1000000000' }, 'quantity', FIELD_MESSAGES.peopleTooMany],
    [{ quantity: '25', bookingType: 'perHour' }, 'quantity', FIELD_MESSAGES.hoursTooMany],
    [{ quantity: '10000' }, 'quantity', undefined],
    [{ date: '2027-02-31' }, 'date', FIELD_MESSAGES.dateWrong],
    [{ date: '' }, 'date', FIELD_MESSAGES.dateMissing],
    [{ date: '2027-03-13' }, 'date', FIELD_MESSAGES.datePast],
    [{ date: '2027-03-14', time: '12:00' }, 'time', FIELD_MESSAGES.timePast],
    [{ email: 'ana' }, 'email', FIELD_MESSAGES.emailWrong],
    [{ email: 'ana@gmail' }, 'email', FIELD_MESSAGES.emailWrong],
    [{ fullName: '   ' }, 'fullName', FIELD_MESSAGES.fullNameMissing],
  ] as const)('for %j, shows beside %s: %s', (typed, field, message) => {
    expect(errorsOf(typed)[field]?.[0]).toBe(message)
  })

  it('checks the rules of one field while others are still empty', () => {
    const errors = errorsOf({
      fullName: '',
      email: '',
      time: '',
      date: '2027-03-13',
      quantity: '25',
      bookingType: 'perHour',
    })
    expect(errors.date).toEqual([FIELD_MESSAGES.datePast])
    expect(errors.quantity).toEqual([FIELD_MESSAGES.hoursTooMany])
    expect(errors.fullName).toEqual([FIELD_MESSAGES.fullNameMissing])
  })

  it('refuses a booking type that the listing does not take', () => {
    const hourly = formSchema({ ...offer, priceUnit: 'perHour', secondPrice: null }, now)
    expect(errorsOf({ quantity: '4' }, hourly).bookingType).toEqual([FIELD_MESSAGES.bookingTypeNotOffered])
  })

  it('refuses a total over the limit beside the quantity', () => {
    const dear = formSchema({ ...offer, priceCents: 99_999_999 }, now)
    expect(errorsOf({ quantity: '2' }, dear).quantity).toEqual([FIELD_MESSAGES.totalTooLarge])
    expect(errorsOf({ quantity: '1' }, dear)).toEqual({})
  })
})
