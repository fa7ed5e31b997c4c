import { z } from 'zod'
import { type FormInput, inputsOf } from '../../shared/form-inputs.ts'
import { plainText } from '../../shared/form-texts.ts'
import { type Cents, PRICE_UNITS, type PriceUnit, parsePrice, type UnitPrice } from '../../shared/money.ts'
import { MAX_TOTAL_CENTS } from '../pricing/limits.ts'
import {
  MAX_BALANCE_DAYS,
  MAX_DEPOSIT_BP,
  MIN_BALANCE_DAYS,
  MIN_DEPOSIT_BP,
  type PaymentPlan,
  POLICY_NAMES,
  type PolicyName,
} from '../terms/rules.ts'
import { type FactName, type Facts, guestBound } from './fact-rules.ts'
import { factInputs, maxGuestsForm, readTypedFacts } from './fact-schema.ts'
import {
  BALANCE_DAYS_TEXT,
  DEPOSIT_PERCENT_TEXT,
  MISSING_FIELD_TEXTS,
  PRICE_TOO_HIGH_TEXT,
  PRICE_UNCLEAR_TEXT,
  SECOND_PRICE_ZERO_TEXT,
  secondPriceMissingText,
  TOO_MANY_IMAGES_TEXT,
} from './listing-messages.ts'
import {
  CATEGORIES,
  type Category,
  defaultPriceUnit,
  MAX_IMAGES,
  MAX_VERSION_LENGTH,
  otherUnit,
} from './rules.ts'

const MAX_NAME_LENGTH = 100
const MAX_DESCRIPTION_LENGTH = 5_000
const MAX_SERVICES_LENGTH = 1_000
const MAX_PRICE_LENGTH = 30
const MAX_URL_LENGTH = 300
export const MAX_ALT_LENGTH = 150

// Line breaks in a pasted list become spaces before the text is checked.
const services = z
  .string({ error: MISSING_FIELD_TEXTS.servicesOffered })
  .transform((text) => text.replace(/\s+/g, ' '))
  .pipe(plainText({ required: MISSING_FIELD_TEXTS.servicesOffered, max: MAX_SERVICES_LENGTH }))
  .transform(splitServices)
  .refine((list) => list.length > 0, MISSING_FIELD_TEXTS.servicesOffered)

/** The distinct services of a comma-separated text (Specification, section 3), without empty ones. */
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

type Field = {
  /** A column of the table `businesses`. */
  column: string
  /** Checks the form's value of the field. If it accepts undefined, the field is optional. */
  form: z.ZodType
  /** Whether cards include the value, which adds to the data of every list. */
  isOnCard: boolean
  /** Its input. null for the maximum number of guests, which is asked for among the facts. */
  input: FormInput | null
}

/**
 * The fields of a listing that have a column of their own and store the checked form value unchanged. The form, its
 * draft, the stored row, the views, the export and the demo all derive from this table.
 */
const LISTING_FIELDS = {
  name: {
    column: 'name',
    form: plainText({ required: MISSING_FIELD_TEXTS.name, max: MAX_NAME_LENGTH }),
    isOnCard: true,
    input: { label: 'Name', autoComplete: 'organization', stopsAtLimit: true },
  },
  category: {
    column: 'category',
    form: z.enum(CATEGORIES, { error: MISSING_FIELD_TEXTS.category }),
    isOnCard: true,
    input: { label: 'Category' },
  },
  description: {
    column: 'description',
    form: plainText({
      required: MISSING_FIELD_TEXTS.description,
      max: MAX_DESCRIPTION_LENGTH,
      multiline: true,
    }),
    isOnCard: false,
    input: {
      label: 'Description',
      hint: 'What you offer, for how many people, and what the price includes. The first 150 characters show in search results.',
      rows: 6,
    },
  },
  servicesOffered: {
    column: 'services_offered',
    form: services,
    isOnCard: false,
    input: {
      label: 'Services offered',
      hint: 'Separate with commas: Tables and chairs, Bar staff, Parking',
    },
  },
  maxGuests: { column: 'max_guests', form: maxGuestsForm, isOnCard: false, input: null },
} as const satisfies Record<string, Field>

type Fields = typeof LISTING_FIELDS
type FieldName = keyof Fields
export type ListingFields = { [Name in FieldName]: z.output<Fields[Name]['form']> }
/** The fields that a vendor may leave empty. */
export type OptionalField = {
  [Name in FieldName]: undefined extends z.input<Fields[Name]['form']> ? Name : never
}[FieldName]
type FieldColumns = { [Name in FieldName as Fields[Name]['column']]: ListingFields[Name] }
type CardFieldName = {
  [Name in FieldName]: Fields[Name]['isOnCard'] extends true ? Name : never
}[FieldName]
type CardColumn = Fields[CardFieldName]['column']

const FIELDS = Object.entries<Field>(LISTING_FIELDS) as [FieldName, Field][]
const CARD_FIELDS = FIELDS.filter(([, { isOnCard }]) => isOnCard)

/** The columns of the fields that cards include. */
export const CARD_COLUMNS = CARD_FIELDS.map(([, { column }]) => column as CardColumn)

/** The columns of these fields. */
export function columnsOfFields(fields: ListingFields): FieldColumns {
  return Object.fromEntries(FIELDS.map(([name, { column }]) => [column, fields[name]])) as FieldColumns
}

/** The fields of a stored listing. */
export function fieldsOfRow(row: FieldColumns): ListingFields {
  return readFields(FIELDS, row) as ListingFields
}

/** The fields of a stored listing that cards include. */
export function cardFieldsOfRow(row: Pick<FieldColumns, CardColumn>): Pick<ListingFields, CardFieldName> {
  return readFields(CARD_FIELDS, row) as Pick<ListingFields, CardFieldName>
}

function readFields(fields: readonly [FieldName, Field][], row: object) {
  const columns = row as Record<string, unknown>
  return Object.fromEntries(fields.map(([name, { column }]) => [name, columns[column]]))
}

/** The fields as the form posts them: lists joined by commas, 'on' for true, '' for false and null. */
export function typedFields(fields: ListingFields): Record<FieldName, string> {
  return Object.fromEntries(FIELDS.map(([name]) => [name, typedValue(fields[name])])) as never
}

function typedValue(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'boolean') return value ? 'on' : ''
  return String(value ?? '')
}

/** The values of the optional fields if the vendor left them empty. */
export const UNSET_FIELDS = Object.fromEntries(
  FIELDS.flatMap(([name, { form }]) => {
    const unset = form.safeParse(undefined)
    return unset.success ? [[name, unset.data]] : []
  }),
) as Pick<ListingFields, OptionalField>

/** A checked listing form, the input of the commands. */
export type Listing = ListingFields & {
  priceCents: Cents
  priceUnit: PriceUnit
  /** The price per the other unit. null if the listing takes bookings only by its first unit. */
  secondPrice: UnitPrice | null
  /** Left out, a new listing has none and a changed one keeps its own, as it keeps its maximum number of guests. */
  facts?: Facts | undefined
  /** The terms of new bookings. Left out, a new listing has the defaults and a changed one keeps its own. */
  policy?: PolicyName | undefined
  plan?: PaymentPlan | undefined
  /** The place as typed. The commands look it up. */
  location: string
  /** Image addresses in the vendor's order. The commands check that they belong to the vendor. */
  images: string[]
  /** The texts of images for those who can't see them, by address. Left out, each image keeps its text. */
  imageAlts?: Readonly<Record<string, string>> | undefined
  /** The same for every submission of one form, so that a retry publishes no second listing. */
  submitKey?: string | undefined
  /** The version that the form was made from (`listingVersion`). Left out, the save replaces any version. */
  seen?: string | undefined
}

const price = plainText({ required: MISSING_FIELD_TEXTS.price, max: MAX_PRICE_LENGTH }).transform(
  (text, context) => {
    const problem = priceProblem(text)
    if (!problem) return parsePrice(text) ?? 0
    context.addIssue({ code: 'custom', message: problem })
    return z.NEVER
  },
)

function priceProblem(text: string): string | null {
  const cents = parsePrice(text)
  if (cents === null) return PRICE_UNCLEAR_TEXT
  return cents > MAX_TOTAL_CENTS ? PRICE_TOO_HIGH_TEXT : null
}

const PLAN_KINDS = ['full', 'deposit'] as const satisfies PaymentPlan['kind'][]

/**
 * The share of the price that a typed deposit is, in basis points: '20', '12.5' or '20 %'.
 * @returns null if it's unclear or outside the limits
 */
export function parseDeposit(text: string): number | null {
  const [, percent] = /^(\d{1,2}(?:\.\d{1,2})?)\s*%?$/.exec(text.trim()) ?? []
  const basisPoints = Math.round(Number(percent) * 100)
  return basisPoints >= MIN_DEPOSIT_BP && basisPoints <= MAX_DEPOSIT_BP ? basisPoints : null
}

/**
 * The days before the event on which the balance is due.
 * @returns null if they're unclear or outside the limits
 */
export function parseBalanceDays(text: string): number | null {
  const days = /^\d{1,2}$/.test(text.trim()) ? Number(text) : Number.NaN
  return days >= MIN_BALANCE_DAYS && days <= MAX_BALANCE_DAYS ? days : null
}

/**
 * The payment plan as typed. The fields of the deposit count only while it is chosen.
 * @returns undefined if no plan is chosen; null if one of the deposit's fields is unclear or outside its limits
 */
export function parsePlan(typed: {
  plan?: string | undefined
  depositPercent: string
  balanceDays: string
}): PaymentPlan | null | undefined {
  if (typed.plan === 'full') return { kind: 'full' }
  if (typed.plan !== 'deposit') return undefined
  const depositBasisPoints = parseDeposit(typed.depositPercent)
  const balanceDaysBefore = parseBalanceDays(typed.balanceDays)
  if (depositBasisPoints === null || balanceDaysBefore === null) return null
  return { kind: 'deposit', depositBasisPoints, balanceDaysBefore }
}

/**
 * The text alternative of an image. It is posted as address, space and text, since a form loses the empty texts of a list.
 * It is tidied rather than refused, because the form has no place for its error.
 */
const imageAlt = z.string().transform((posted) => ({
  url: posted.split(' ', 1)[0] ?? '',
  alt: posted
    .replace(/^\S*/, '')
    .toWellFormed()
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, MAX_ALT_LENGTH),
}))

/** The format of `newId`. */
export const SUBMIT_KEY = /^[0-9a-z]{20,64}$/

const fieldForms = Object.fromEntries(FIELDS.map(([name, { form }]) => [name, form])) as {
  [Name in FieldName]: Fields[Name]['form']
}

type AboutName = { [Name in FieldName]: Fields[Name]['input'] extends null ? never : Name }[FieldName]

/** The inputs about the business, in the order of the form. */
export const ABOUT_INPUTS = inputsOf<AboutName>(
  fieldForms,
  Object.fromEntries(FIELDS.flatMap(([name, { input }]) => (input ? [[name, input]] : []))) as never,
)

/** The inputs in the order of the form, in which errors are listed. */
const listingInputs = {
  ...fieldForms,
  ...factInputs,
  // A form from before the facts lacks it. Empty fields alone couldn't tell that from one whose fields are cleared.
  factsAsked: z.literal('1').optional(),
  location: plainText({ required: MISSING_FIELD_TEXTS.location, max: MAX_NAME_LENGTH }),
  price,
  secondPrice: z.string({ error: PRICE_UNCLEAR_TEXT }).default(''),
  priceUnit: z.enum(PRICE_UNITS, { error: 'Choose per person or per hour.' }).optional(),
  bookingTypes: z.array(z.enum(PRICE_UNITS)).max(PRICE_UNITS.length).optional(),
  policy: z.enum(POLICY_NAMES, { error: 'Choose a cancellation policy.' }).optional(),
  plan: z.enum(PLAN_KINDS, { error: 'Choose payment in full or a deposit.' }).optional(),
  depositPercent: z.string({ error: DEPOSIT_PERCENT_TEXT }).default(''),
  balanceDays: z.string({ error: BALANCE_DAYS_TEXT }).default(''),
  images: z.array(z.string().max(MAX_URL_LENGTH)).max(MAX_IMAGES, TOO_MANY_IMAGES_TEXT).default([]),
  imageAlts: z.array(imageAlt).max(MAX_IMAGES, TOO_MANY_IMAGES_TEXT).default([]),
  submitKey: z.string().regex(SUBMIT_KEY).optional(),
  // A form from before the versions lacks it, and can't show that its save was refused.
  seen: z.string().max(MAX_VERSION_LENGTH).optional(),
  /** The newer version that the vendor chose to replace. */
  anyway: z.string().max(MAX_VERSION_LENGTH).optional(),
}

/** The name under which an input of the listing form is posted. */
export type ListingInput = keyof typeof listingInputs
export const LISTING_INPUTS = Object.keys(listingInputs) as readonly ListingInput[]

/**
 * The listing form (Specification, section 5). Everything is required except the images, of which there are at most
 * three. A price is posted as text (Decision 5). A listing that can be booked by both units needs a price for each
 * (Decision 28). While only one unit is chosen, the field of the second price is ignored.
 */
export const listingSchema = z
  .object(listingInputs)
  .superRefine(
    (typed, context) => {
      const unit = secondUnit(typed)
      // A price on request covers both units.
      if (!unit || typed.price === 0) return
      const message = secondPriceProblem(typed.secondPrice.trim(), unit)
      if (message) context.addIssue({ code: 'custom', path: ['secondPrice'], message })
    },
    // Without this, the second price is checked only once every other field is valid.
    { when: ({ issues }) => !issues.some(({ path }) => UNIT_FIELDS.has(String(path?.[0]))) },
  )
  .superRefine(
    (typed, context) => {
      if (typed.plan !== 'deposit') return
      const add = (path: string, message: string) =>
        context.addIssue({ code: 'custom', path: [path], message })
      if (parseDeposit(typed.depositPercent) === null) add('depositPercent', DEPOSIT_PERCENT_TEXT)
      if (parseBalanceDays(typed.balanceDays) === null) add('balanceDays', BALANCE_DAYS_TEXT)
    },
    { when: ({ issues }) => !issues.some(({ path }) => PLAN_FIELDS.has(String(path?.[0]))) },
  )
  .superRefine(
    (typed, context) => {
      readTypedFacts(typed.category, typed, typed.maxGuests, (name, message) =>
        context.addIssue({ code: 'custom', path: [name], message }),
      )
    },
    { when: ({ issues }) => !issues.some(({ path }) => FACT_FIELDS.has(String(path?.[0]))) },
  )
  .transform((typed): Listing => {
    const {
      price: priceCents,
      secondPrice,
      bookingTypes: _,
      plan,
      depositPercent,
      balanceDays,
      factsAsked,
      seen,
      anyway,
      ...rest
    } = withoutFacts(typed)
    const unit = secondUnit(typed)
    const chosenPlan = parsePlan({ plan, depositPercent, balanceDays })
    const facts = readTypedFacts(typed.category, typed, typed.maxGuests)
    return {
      ...rest,
      maxGuests: guestBound(typed.maxGuests, facts),
      ...((factsAsked || typed.maxGuests !== null || Object.keys(facts).length > 0) && { facts }),
      priceCents,
      priceUnit: firstUnit(typed),
      secondPrice: unit && priceCents > 0 ? { unit, cents: parsePrice(secondPrice) ?? 0 } : null,
      ...(chosenPlan && { plan: chosenPlan }),
      images: [...new Set(rest.images)],
      imageAlts: Object.fromEntries(rest.imageAlts.map(({ url, alt }) => [url, alt])),
      seen: anyway ?? seen,
    }
  })

const UNIT_FIELDS: ReadonlySet<string> = new Set(['priceUnit', 'bookingTypes', 'secondPrice'])
function withoutFacts<Typed extends object>(typed: Typed): Omit<Typed, FactName> {
  return Object.fromEntries(Object.entries(typed).filter(([name]) => !(name in factInputs))) as never
}

const FACT_FIELDS: ReadonlySet<string> = new Set(['category', 'maxGuests', ...Object.keys(factInputs)])
const PLAN_FIELDS: ReadonlySet<string> = new Set(['plan', 'depositPercent', 'balanceDays'])

type TypedUnits = {
  category: Category
  priceUnit?: PriceUnit | undefined
  bookingTypes?: PriceUnit[] | undefined
  secondPrice: string
}

/** The unit of the first price: the vendor's choice, else the only booking type, else the category's default. */
function firstUnit({ category, priceUnit, bookingTypes = [] }: TypedUnits): PriceUnit {
  const [only, another] = bookingTypes
  return priceUnit ?? (only && !another ? only : defaultPriceUnit(category))
}

/**
 * The unit of the second price, or null for none. The first unit can always be booked. If no booking types were posted,
 * a typed second price enables the other unit.
 */
function secondUnit(typed: TypedUnits): PriceUnit | null {
  const other = otherUnit(firstUnit(typed))
  const isWanted = typed.bookingTypes?.length
    ? typed.bookingTypes.includes(other)
    : typed.secondPrice.trim() !== ''
  return isWanted ? other : null
}

function secondPriceProblem(text: string, unit: PriceUnit): string | null {
  if (text === '') return secondPriceMissingText(unit)
  return priceProblem(text) ?? (parsePrice(text) === 0 ? SECOND_PRICE_ZERO_TEXT : null)
}

/** An action on My Listings. */
export const listingStepSchema = z.object({
  // The last two answer whether facts that the form had filled in are right.
  intent: z.enum(['delete', 'hide', 'show', 'publish-facts', 'drop-facts']),
  businessId: z.string().min(1).max(120),
})

/** The answer to an action on My Listings. */
export type ListingStepAnswer =
  | { ok: true; outcome: 'deleted' | 'shown' | 'waiting' | 'facts' }
  | { ok: true; outcome: 'hidden'; openBookings: number }
  | { ok: false; intent: ListingIntent; reason: ListingStepRefusal }

export type ListingIntent = z.output<typeof listingStepSchema>['intent']

export type ListingStepRefusal =
  | 'signed_out'
  | 'too_often'
  | 'not_a_step'
  | 'not_found'
  | 'hidden_by_operator'
  | 'not_reached'
  | 'failed'

export type ListingField = keyof typeof MISSING_FIELD_TEXTS

/**
 * Whether any of these errors is an empty required field, for which the form shows `REQUIRED_FIELDS_TEXT`.
 * @param errors the messages of each field
 */
export function hasMissingFields(errors: Record<string, string[] | null | undefined>): boolean {
  const lacksSecondPrice = PRICE_UNITS.some((unit) =>
    errors.secondPrice?.includes(secondPriceMissingText(unit)),
  )
  return (
    lacksSecondPrice ||
    (Object.keys(MISSING_FIELD_TEXTS) as ListingField[]).some((field) =>
      errors[field]?.includes(MISSING_FIELD_TEXTS[field]),
    )
  )
}
