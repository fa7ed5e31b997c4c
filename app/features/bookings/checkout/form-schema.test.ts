import { parseWithZod } from '@conform-to/zod/v4'
import { describe, expect, it } from 'vitest'
import { FIELD_MESSAGES as say } from '../field-messages.ts'
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
    [{ quantity: '' }, 'quantity', say.quantityMissing],
    [{ quantity: '0' }, 'quantity', say.quantityMissing],
    [{ quantity: '-1' }, 'quantity', say.quantityMissing],
    [{ quantity: '1.5' }, 'quantity', say.quantityMissing],
    [{ quantity: 'many' }, 'quantity', say.quantityMissing],
    [{ quantity: '1000000000' }, 'quantity', say.peopleTooMany],
    [{ quantity: '25', bookingType: 'perHour' }, 'quantity', say.hoursTooMany],
    [{ quantity: '10000' }, 'quantity', undefined],
    [{ date: '2027-02-31' }, 'date', say.dateWrong],
    [{ date: '' }, 'date', say.dateMissing],
    [{ date: '2027-03-13' }, 'date', say.datePast],
    [{ date: '2027-03-14', time: '12:00' }, 'time', say.timePast],
    [{ email: 'ana' }, 'email', say.emailWrong],
    [{ email: 'ana@gmail' }, 'email', say.emailWrong],
    [{ fullName: '   ' }, 'fullName', say.fullNameMissing],
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
    expect(errors.date).toEqual([say.datePast])
    expect(errors.quantity).toEqual([say.hoursTooMany])
    expect(errors.fullName).toEqual([say.fullNameMissing])
  })

  it('refuses a booking type that the listing does not take', () => {
    const hourly = formSchema({ ...offer, priceUnit: 'perHour', secondPrice: null }, now)
    expect(errorsOf({ quantity: '4' }, hourly).bookingType).toEqual([say.bookingTypeNotOffered])
  })

  it('refuses a total over the limit beside the quantity', () => {
    const dear = formSchema({ ...offer, priceCents: 99_999_999 }, now)
    expect(errorsOf({ quantity: '2' }, dear).quantity).toEqual([say.totalTooLarge])
    expect(errorsOf({ quantity: '1' }, dear)).toEqual({})
  })
})
