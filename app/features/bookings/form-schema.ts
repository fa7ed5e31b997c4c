import { type BookingField, type BookingOffer, checkBooking } from './rules.ts'
import { BOOKING_DEFAULTS, type BookingDraft, bookingSchema } from './schema.ts'

// Stands in for a field that is still missing or wrong, so that the others are judged all the same.
const PASSING = { ...BOOKING_DEFAULTS, date: '9999-12-31', time: '23:59' } as const

/**
 * The booking's schema together with the rules that need the listing and the clock, for messages while somebody
 * types. The server checks the same again.
 * @param now the browser's clock; the server's decides
 */
export function formSchema(offer: BookingOffer, now: () => Date) {
  return RULED_FIELDS.reduce(
    (schema, field) =>
      schema.superRefine(
        (typed, context) => {
          const message = errorOf(field, typed, offer, now())
          if (message) context.addIssue({ code: 'custom', path: [field], message })
        },
        // Without this, a rule is heard only once every other field is right.
        { when: ({ issues }) => !issues.some((issue) => issue.path?.[0] === field) },
      ),
    bookingSchema,
  )
}

const RULED_FIELDS = ['bookingType', 'quantity', 'date', 'time'] as const satisfies readonly BookingField[]

function errorOf(field: BookingField, typed: Partial<BookingDraft>, offer: BookingOffer, now: Date) {
  const usable = (name: (typeof RULED_FIELDS)[number]) =>
    bookingSchema.shape[name].safeParse(typed[name]).success ? typed[name] : undefined
  const booking = {
    fullName: '',
    email: '',
    phone: '',
    date: usable('date') ?? PASSING.date,
    time: usable('time') ?? PASSING.time,
    quantity: usable('quantity') ?? PASSING.quantity,
    bookingType: usable('bookingType') ?? offer.priceUnit,
  } as BookingDraft
  return checkBooking(booking, offer, now)[field]
}
