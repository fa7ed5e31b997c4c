import { type BookingField, type BookingOffer, checkBooking } from '../form-rules.ts'
import { BOOKING_DEFAULTS, type BookingDraft, bookingSchema } from '../schema.ts'

// Valid values for fields that are still missing or invalid, so that the others can be checked.
const PASSING = { ...BOOKING_DEFAULTS, date: '9999-12-31', time: '23:59' } as const

/**
 * The booking schema with the rules that need the listing and the clock, for messages while the customer types. The
 * server checks the same rules again.
 * @param now the browser's clock; the server checks again by its own
 */
export function formSchema(offer: BookingOffer, now: () => Date) {
  return RULED_FIELDS.reduce(
    (schema, field) =>
      schema.superRefine(
        (typed, context) => {
          const message = errorOf(field, typed, offer, now())
          if (message) context.addIssue({ code: 'custom', path: [field], message })
        },
        // By default Zod runs a refinement only once every other field is valid.
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
