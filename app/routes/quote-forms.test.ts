import { parseWithZod } from '@conform-to/zod/v4'
import { expect, it } from 'vitest'
import { quoteSchema, withTodaysNames } from '../features/quotes/schema.ts'
import { readForm } from '../shared/form.ts'
import { VENDOR_QUOTE_FORMS } from './quote-forms.server.ts'

it.each([
  // Unit, start, length and count as they were typed, then the minutes and guests that they are.
  ['perPerson', '16:00', '7.5', '80', 450, 80],
  ['perHour', '20:00', '6', '6', 360, null],
  ['perPerson', '16:00', '24', '1', 1_440, 1],
] as const)(
  'a composer that was opened before ends and guests were typed still sends its quote: %s from %s for %s',
  async (bookingType, time, hours, quantity, minutes, guests) => {
    const typed = {
      intent: 'send-quote',
      version: '1',
      'lines[0].label': 'Long-table dinner',
      'lines[0].quantity': '80',
      'lines[0].unitPrice': '55',
      note: '',
      date: '2027-03-13',
      time,
      hours,
      quantity,
      bookingType,
      policy: 'moderate',
      plan: 'full',
      depositPercent: '20',
      balanceDays: '30',
      validTo: '2026-11-30',
      holdHours: '0',
    }
    const request = new Request('http://localhost/', { method: 'POST', body: new URLSearchParams(typed) })
    const form = await readForm(request, VENDOR_QUOTE_FORMS)
    const submission = parseWithZod(withTodaysNames(form), { schema: quoteSchema })
    expect(submission.status === 'success' ? submission.value.offer : submission.error).toMatchObject({
      minutes,
      guests,
      lines: [{ label: 'Long-table dinner', quantity: 80 }],
    })
  },
)
