import { z } from 'zod'
import { plainText } from '../../shared/form.ts'
import { type Cents, type PriceUnit, parsePrice } from '../../shared/money.ts'
import {
  MISSING_FIELD_TEXTS,
  PRICE_TOO_HIGH_TEXT,
  PRICE_UNCLEAR_TEXT,
  TOO_MANY_IMAGES_TEXT,
} from './listing-wording.ts'
import { CATEGORIES, type Category, defaultBookingTypes, MAX_IMAGES } from './rules.ts'

export const MAX_NAME_LENGTH = 100
export const MAX_DESCRIPTION_LENGTH = 5_000
const MAX_SERVICES_LENGTH = 1_000
const MAX_PRICE_LENGTH = 30
const MAX_URL_LENGTH = 300
/** What the column holds, and as much as one booking can cost (Decision 5). */
const MAX_PRICE_CENTS: Cents = 99_999_999

const PRICE_UNITS = ['perPerson', 'perHour'] as const satisfies readonly PriceUnit[]

/** A listing as its vendor has filled it in, checked: what the commands take. */
export type Listing = {
  name: string
  category: Category
  description: string
  priceCents: Cents
  priceUnit: PriceUnit
  /** Holds `priceUnit`. */
  bookingTypes: PriceUnit[]
  /** As typed; which place it means is for the server to find. */
  location: string
  servicesOffered: string[]
  /** Addresses in the vendor's order. Which of them are the vendor's own is for the server to find. */
  images: string[]
}

const price = plainText({ required: MISSING_FIELD_TEXTS.price, max: MAX_PRICE_LENGTH }).transform(
  (text, context) => {
    const cents = parsePrice(text)
    if (cents === null) context.addIssue({ code: 'custom', message: PRICE_UNCLEAR_TEXT })
    else if (cents > MAX_PRICE_CENTS) context.addIssue({ code: 'custom', message: PRICE_TOO_HIGH_TEXT })
    return cents ?? 0
  },
)

// Line breaks in a list that was pasted become spaces before the rest is judged.
const services = z
  .string({ error: MISSING_FIELD_TEXTS.servicesOffered })
  .transform((text) => text.replace(/\s+/g, ' '))
  .pipe(plainText({ required: MISSING_FIELD_TEXTS.servicesOffered, max: MAX_SERVICES_LENGTH }))
  .transform(splitServices)
  .refine((list) => list.length > 0, MISSING_FIELD_TEXTS.servicesOffered)

/**
 * The listing form (Specification, section 5): everything is required but the images, which are three at most. The price
 * is a text (Decision 5). Without a choice of booking types those of the category hold.
 */
export const listingSchema = z
  .object({
    name: plainText({ required: MISSING_FIELD_TEXTS.name, max: MAX_NAME_LENGTH }),
    category: z.enum(CATEGORIES, { error: MISSING_FIELD_TEXTS.category }),
    description: plainText({
      required: MISSING_FIELD_TEXTS.description,
      max: MAX_DESCRIPTION_LENGTH,
      multiline: true,
    }),
    price,
    priceUnit: z.enum(PRICE_UNITS, { error: 'Choose what the price is per.' }).optional(),
    bookingTypes: z.array(z.enum(PRICE_UNITS)).max(PRICE_UNITS.length).optional(),
    location: plainText({ required: MISSING_FIELD_TEXTS.location, max: MAX_NAME_LENGTH }),
    servicesOffered: services,
    images: z.array(z.string().max(MAX_URL_LENGTH)).max(MAX_IMAGES, TOO_MANY_IMAGES_TEXT).default([]),
  })
  .transform(({ price: priceCents, priceUnit, bookingTypes, ...rest }): Listing => {
    const chosen = bookingTypes?.length ? bookingTypes : defaultBookingTypes(rest.category)
    const unit = priceUnit ?? chosen[0] ?? 'perHour'
    // What the price is per can always be booked; the order is the form's.
    const types = PRICE_UNITS.filter((type) => type === unit || chosen.includes(type))
    return { ...rest, priceCents, priceUnit: unit, bookingTypes: types, images: [...new Set(rest.images)] }
  })

/** The services in a comma-separated text (Specification, section 3), each once, without empty ones. */
export function splitServices(text: string): string[] {
  return [
    ...new Set(
      text
        .split(',')
        .map((service) => service.replace(/\s+/g, ' ').trim())
        .filter(Boolean),
    ),
  ]
}

export type ListingField = keyof typeof MISSING_FIELD_TEXTS

/**
 * Whether some of these errors mean an empty required field: then the form says `REQUIRED_FIELDS_TEXT`.
 * @param errors messages by field
 */
export function hasMissingFields(errors: Record<string, string[] | null | undefined>): boolean {
  return (Object.keys(MISSING_FIELD_TEXTS) as ListingField[]).some((field) =>
    errors[field]?.includes(MISSING_FIELD_TEXTS[field]),
  )
}
