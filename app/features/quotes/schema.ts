import { z } from 'zod'
import { isLocalTime, type LocalDate, type LocalTime } from '../../shared/dates.ts'
import { dayText, plainText, timeText } from '../../shared/form-texts.ts'
import { type Cents, PRICE_UNITS, type PriceUnit, parsePrice } from '../../shared/money.ts'
import type { TimeProblem } from '../availability/rules.ts'
import { bookingSchema } from '../bookings/schema.ts'
import { parsePlan } from '../businesses/schema.ts'
import { MAX_GUESTS, MAX_TOTAL_CENTS } from '../pricing/limits.ts'
import { type PaymentPlan, POLICY_NAMES, type PolicyName } from '../terms/rules.ts'
import { FIELD_MESSAGES } from './field-messages.ts'
import type { QUOTE_REFUSALS, VENDOR_REFUSALS } from './messages.ts'
import {
  countedIn,
  endOf,
  HOLD_HOURS,
  type HoldHours,
  MAX_LABEL_LENGTH,
  MAX_LINE_QUANTITY,
  MAX_LINES,
  MAX_NOTE_LENGTH,
  MAX_QUOTE_MINUTES,
  MIN_QUOTE_MINUTES,
  minutesUntil,
  type QuoteOffer,
} from './rules.ts'

/** Longer texts aren't typed. The fields' own rules are `contactSchema`. */
const MAX_TYPED = 1_000

const price = z
  .string({ error: FIELD_MESSAGES.priceMissing })
  .trim()
  .min(1, { error: FIELD_MESSAGES.priceMissing, abort: true })
  .transform((text, context): Cents => {
    const cents = parsePrice(text)
    if (cents === null || cents === 0)
      context.addIssue({ code: 'custom', message: FIELD_MESSAGES.priceWrong })
    else if (cents > MAX_TOTAL_CENTS)
      context.addIssue({ code: 'custom', message: FIELD_MESSAGES.priceTooLarge })
    return cents ?? 0
  })

const line = z.object({
  label: plainText({ required: FIELD_MESSAGES.labelMissing, max: MAX_LABEL_LENGTH }),
  quantity: z
    .int({ error: FIELD_MESSAGES.quantityWrong })
    .min(1, { error: FIELD_MESSAGES.quantityWrong })
    .max(MAX_LINE_QUANTITY, { error: FIELD_MESSAGES.quantityWrong }),
  unitPrice: price,
  optional: z.boolean().default(false),
  /** The unit whose count the quantity was, as the form showed it. */
  follows: z.enum(PRICE_UNITS).optional(),
})

/** The form with which a vendor writes a quote. Its quantity follows from its end or its guests. Rules that need the clock are in rules.ts. */
export const quoteSchema = z
  .object({
    intent: z.enum(['send-quote', 'save-quote']),
    /** The version that this quote will be, as the form showed it. */
    version: z.int().min(1),
    lines: z
      .array(line)
      .max(MAX_LINES, { error: FIELD_MESSAGES.linesTooMany })
      .default([])
      .refine((lines) => lines.length > 0, { error: FIELD_MESSAGES.linesMissing }),
    note: plainText({ max: MAX_NOTE_LENGTH, multiline: true }).default(''),
    date: dayText({ missing: FIELD_MESSAGES.dateMissing, wrong: FIELD_MESSAGES.dateWrong }),
    time: timeText({ missing: FIELD_MESSAGES.timeMissing, wrong: FIELD_MESSAGES.timeWrong }),
    end: timeText({ missing: FIELD_MESSAGES.endMissing, wrong: FIELD_MESSAGES.timeWrong }),
    bookingType: z.enum(PRICE_UNITS, { error: FIELD_MESSAGES.bookingTypeMissing }),
    guests: z
      .int({ error: FIELD_MESSAGES.guestsWrong })
      .min(1, { error: FIELD_MESSAGES.guestsWrong })
      .max(MAX_GUESTS, { error: FIELD_MESSAGES.guestsWrong })
      .nullish()
      .transform((guests) => guests ?? null),
    policy: z.enum(POLICY_NAMES, { error: FIELD_MESSAGES.policyMissing }),
    plan: z.enum(['full', 'deposit'] satisfies PaymentPlan['kind'][], { error: FIELD_MESSAGES.planMissing }),
    depositPercent: z.string().default(''),
    balanceDays: z.string().default(''),
    validTo: dayText({ missing: FIELD_MESSAGES.validToMissing, wrong: FIELD_MESSAGES.dateWrong }),
    holdHours: z
      .enum(HOLD_HOURS.map(String) as [string, ...string[]], { error: FIELD_MESSAGES.holdWrong })
      .transform((text) => Number(text) as HoldHours),
  })
  .transform(({ lines, end, policy, plan, depositPercent, balanceDays, version, ...rest }, context) => {
    const minutes = minutesUntil(rest.time, end)
    const quantity = countedIn(rest.bookingType, minutes, rest.guests)
    const refuse = (message: string, ...path: (string | number)[]) =>
      context.addIssue({ code: 'custom', path, message })
    // Neither number is taken in silence: what was typed stays, and its writer looks at the quantity again.
    for (const [index, { follows, quantity: typed }] of lines.entries()) {
      const followed = follows ? countedIn(follows, minutes, rest.guests) : null
      if (followed !== null && followed !== typed)
        refuse(FIELD_MESSAGES.quantityStale, 'lines', index, 'quantity')
    }
    if (minutes % MIN_QUOTE_MINUTES !== 0) refuse(FIELD_MESSAGES.endWrong, 'end')
    if (quantity === null) refuse(FIELD_MESSAGES.guestsWrong, 'guests')
    const chosen = parsePlan({ plan, depositPercent, balanceDays })
    if (!chosen) {
      const isDepositWrong = !parsePlan({ plan, depositPercent, balanceDays: '30' })
      if (isDepositWrong) refuse(FIELD_MESSAGES.depositWrong, 'depositPercent')
      else refuse(FIELD_MESSAGES.balanceWrong, 'balanceDays')
    }
    if (!chosen || quantity === null) return z.NEVER
    const { intent, ...fields } = rest
    const offer: QuoteOffer = {
      ...fields,
      // Positions name lines: the lines of a sent quote never change.
      lines: lines.map(({ label, quantity, unitPrice, optional }, index) => ({
        id: String(index + 1),
        label,
        quantity,
        unitPriceCents: unitPrice,
        isOptional: optional,
      })),
      minutes,
      quantity,
      terms: { policy, plan: chosen },
    }
    return { intent, version, offer }
  })

/** The old names of a quote's fields: a page that was opened before ends and guests were typed still sends them. */
export const earlierQuoteSchema = z.object({
  hours: z.string().max(MAX_TYPED),
  quantity: z.string().max(MAX_TYPED),
})

type FieldOf = (name: string) => unknown

/** Reads `end` and `guests` of a form that was opened before they were typed from its length and its quantity. */
function withEarlierNames(fieldOf: FieldOf): FieldOf {
  const hours = fieldOf('hours')
  if (typeof hours !== 'string' || typeof fieldOf('end') === 'string') return fieldOf
  const time = fieldOf('time')
  const minutes = Math.round(Number(hours) * 60)
  const isEndKnown =
    typeof time === 'string' && isLocalTime(time) && minutes > 0 && minutes <= MAX_QUOTE_MINUTES
  const earlier: Record<string, unknown> = {
    end: isEndKnown ? endOf(time, minutes) : '',
    guests: fieldOf('bookingType') === 'perPerson' ? fieldOf('quantity') : '',
  }
  return (name) => earlier[name] ?? fieldOf(name)
}

/** The sent form of a quote with today's names, whenever its page was opened. */
export function withTodaysNames(sent: FormData): FormData {
  const fieldOf = withEarlierNames((name) => sent.get(name))
  const form = new FormData()
  for (const [name, value] of sent) form.append(name, value)
  for (const name of ['end', 'guests']) {
    const value = fieldOf(name)
    if (!sent.has(name) && typeof value === 'string') form.append(name, value)
  }
  return form
}

/** The button that withdraws a quote. */
export const withdrawQuoteSchema = z.object({
  intent: z.literal('withdraw-quote'),
  quoteId: z.string().max(100),
})

/** The form of /quotes/{id}. `line` names the optional lines that are taken. */
export const acceptSchema = z.object({
  intent: z.enum(['accept', 'total', 'continue', 'again', 'decline', 'seen']),
  line: z.array(z.string().max(10)).max(MAX_LINES).default([]),
  /** The total that the page showed, in cents. */
  shown: z
    .string()
    .regex(/^\d{1,9}$/)
    .optional()
    .catch(undefined),
  fullName: z.string().max(MAX_TYPED).default(''),
  email: z.string().max(MAX_TYPED).default(''),
  phone: z.string().max(MAX_TYPED).default(''),
})

/** A sent form of /quotes/{id}. */
export type Acceptance = Omit<z.output<typeof acceptSchema>, 'shown'> & { shown: Cents | null }

/** Reads a sent form of /quotes/{id}. @returns null for a form that the page never sends */
export function readAcceptance(form: FormData): Acceptance | null {
  const parsed = acceptSchema.safeParse({ ...Object.fromEntries(form), line: form.getAll('line') })
  if (!parsed.success) return null
  const { shown, ...rest } = parsed.data
  return { ...rest, shown: shown === undefined ? null : Number(shown) }
}

/** The customer's own fields of a booking. The rest is the quote's. */
export const contactSchema = z.object({
  fullName: bookingSchema.shape.fullName,
  email: bookingSchema.shape.email,
  phone: bookingSchema.shape.phone,
})

/** The customer who accepts a quote, as a booking names them. */
export type Contact = z.output<typeof contactSchema>
export type ContactErrors = Partial<Record<keyof Contact, string>>

/** Checks the customer's own fields, with the messages of the booking form. */
export function checkContact(
  typed: Pick<Acceptance, keyof Contact>,
): { ok: true; contact: Contact } | { ok: false; fields: ContactErrors } {
  const parsed = contactSchema.safeParse(typed)
  if (parsed.success) return { ok: true, contact: parsed.data }
  const fields: ContactErrors = {}
  for (const { path, message } of parsed.error.issues) fields[path[0] as keyof Contact] ??= message
  return { ok: false, fields }
}

export type QuoteReason = keyof typeof QUOTE_REFUSALS

/** The answer to a form of /quotes/{id}, with what was typed. A success that changes the quote leads to a page instead. */
export type QuoteAnswer =
  | { ok: true; typed: Acceptance | null }
  | {
      ok: false
      reason: QuoteReason
      typed: Acceptance | null
      fields?: ContactErrors
      /** Why the time can't be booked, and the nearest free times. */
      problem?: TimeProblem
    }

/** The composer's first values, as typed. */
export type ComposerStart = {
  version: number
  /** Whether sending takes the place of a quote that waits for its customer. */
  isReplacing: boolean
  lines: {
    label: string
    quantity: string
    unitPrice: string
    optional: boolean
    /** The unit whose count the quantity is, until another is typed. */
    follows?: PriceUnit | undefined
  }[]
  note: string
  date: LocalDate
  time: LocalTime
  end: LocalTime
  bookingType: PriceUnit
  guests: string
  policy: PolicyName
  plan: PaymentPlan['kind']
  depositPercent: string
  balanceDays: string
  validTo: LocalDate
  holdHours: string
  /** By the venue's clock. */
  today: LocalDate
  timeZone: string
  /** The usual length of the listing's events. */
  usualMinutes: number
  /** The units that the listing has a price for. */
  units: PriceUnit[]
  /** The line that the listing's price gives, without its quantity. A unit that isn't offered has no price. */
  prices: Record<PriceUnit, { label: string; unitPrice: string }>
}

/** The composer's fields as typed. */
export type TypedQuote = Omit<
  ComposerStart,
  'version' | 'isReplacing' | 'today' | 'timeZone' | 'usualMinutes' | 'units' | 'prices'
>

/** Longer than any field allows. */
const MAX_KEPT = 10_000

/**
 * Reads the composer's fields as typed, right or wrong.
 * @param sentField the value of a field by its name: of a sent form, or of a form kept by the browser
 * @returns null where no line was typed
 */
export function readTypedQuote(sentField: FieldOf): TypedQuote | null {
  const fieldOf = withEarlierNames(sentField)
  const text = (name: string) => {
    const value = fieldOf(name)
    return typeof value === 'string' ? value.slice(0, MAX_KEPT) : ''
  }
  const isSent = (name: string) => typeof fieldOf(name) === 'string'
  const lines: ComposerStart['lines'] = []
  for (let index = 0; index < MAX_LINES && isSent(`lines[${index}].label`); index++) {
    const name = `lines[${index}]`
    lines.push({
      label: text(`${name}.label`),
      quantity: text(`${name}.quantity`),
      unitPrice: text(`${name}.unitPrice`),
      optional: isSent(`${name}.optional`),
      follows: PRICE_UNITS.find((unit) => unit === text(`${name}.follows`)),
    })
  }
  if (lines.length === 0) return null
  return {
    lines,
    note: text('note'),
    date: text('date'),
    time: text('time'),
    end: text('end'),
    bookingType: PRICE_UNITS.find((unit) => unit === text('bookingType')) ?? 'perPerson',
    guests: text('guests'),
    policy: POLICY_NAMES.find((name) => name === text('policy')) ?? 'moderate',
    plan: text('plan') === 'deposit' ? 'deposit' : 'full',
    depositPercent: text('depositPercent'),
    balanceDays: text('balanceDays'),
    validTo: text('validTo'),
    holdHours: text('holdHours') || '0',
  }
}

/** Ends the following of each line with a refused quantity, so that the sent quantity stays in its field. */
export function withoutStale(typed: TypedQuote, errors: ComposerAnswer['errors']): TypedQuote {
  const lines = typed.lines.map((line, index) =>
    errors[`lines[${index}].quantity`] ? { ...line, follows: undefined } : line,
  )
  return { ...typed, lines }
}

/** The refusal of the composer's forms. A success leads back to the conversation. */
export type ComposerAnswer = {
  ok: false
  reason: keyof typeof VENDOR_REFUSALS
  errors: Record<string, string[]>
  /** The form as it was sent: without JavaScript the page is a new one. Null for another form than the composer's. */
  typed: TypedQuote | null
  /** The nearest free times, where the event's can't be booked. */
  problem: TimeProblem | null
}
