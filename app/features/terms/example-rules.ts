import type { Cents, PriceUnit, UnitPrice } from '../../shared/money.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { MAX_TOTAL_CENTS, MIN_TOTAL_CENTS } from '../pricing/limits.ts'
import { lineCents } from '../pricing/line-rules.ts'
import {
  agreeTerms,
  cancellationQuote,
  daysBeforeStart,
  type EventStart,
  isHeldTooLong,
  type ListingTerms,
  type PayoutTimes,
} from './rules.ts'

/** How many guests or hours the example has, unless their total can't be booked. */
const EXAMPLE_QUANTITY = { perPerson: 60, perHour: 5 } as const satisfies Record<PriceUnit, number>
export const EXAMPLE_DAYS_AHEAD = 200
/** Any afternoon does: the example counts in days. */
const EVENT: EventStart = { date: '2030-08-17', time: '16:00', timeZone: 'UTC' }
const EVENT_HOURS = 6

/** The refund, and the vendor's part, of a cancellation in a stretch of days. */
export type ExampleStep = {
  /** The last day of the stretch, before the event. Null is the last stretch, until the event. */
  daysBefore: number | null
  backCents: Cents
  keptCents: Cents
}

/** One booking under a listing's terms. */
export type TermsExample = {
  quantity: number
  unitPrice: UnitPrice
  priceCents: Cents
  depositCents: Cents
  /** Null if the price is paid at once. */
  balance: { cents: Cents; daysBefore: number } | null
  /** Whether the vendor chose payment in full, which can't be held for so long. */
  isDefaultPlan: boolean
  /** Whether the deposit can't be held for so long, and is paid out before the event. */
  isDepositPaidEarly: boolean
  steps: ExampleStep[]
}

/**
 * Works out one booking under a listing's terms: its payments, and who gets what if it is cancelled.
 * @param times when vendors are paid; null where vendors aren't paid by us
 */
export function workExample(
  listing: ListingTerms,
  unitPrice: UnitPrice,
  times: PayoutTimes | null,
): TermsExample {
  const quantity = exampleQuantity(unitPrice)
  const priceCents = lineCents({ quantity, unitPriceCents: unitPrice.cents })
  const paidAt = daysBeforeStart(EVENT, EXAMPLE_DAYS_AHEAD)
  const releasedAt = new Date(
    daysBeforeStart(EVENT, 0).getTime() + EVENT_HOURS * HOUR_MS + (times?.delayMs ?? 0),
  )
  const holdLimitMs = times?.holdLimitMs ?? null
  const saleTerms = agreeTerms({ listing, priceCents, event: EVENT, releasedAt, now: paidAt, holdLimitMs })
  const terms = { event: EVENT, paidAt, tiers: saleTerms.policy.tiers }
  const [deposit, balance] = saleTerms.instalments
  const balanceDays = balance?.dueAt ? daysBetween(new Date(balance.dueAt)) : null

  const borders = [...new Set([...terms.tiers.map((tier) => tier.daysBefore), balanceDays, 0])]
    .filter((days) => days !== null)
    .sort((one, other) => other - one)
  const steps = borders.map((days): ExampleStep => {
    // In the night before the last day, neither its balance is paid nor its share over.
    const at = new Date(daysBeforeStart(EVENT, days).getTime() - 12 * HOUR_MS)
    const paidCents = saleTerms.instalments.reduce(
      (sum, { cents, dueAt }) => (dueAt === null || Date.parse(dueAt) <= at.getTime() ? sum + cents : sum),
      0,
    )
    const quote = cancellationQuote(terms, { priceCents, paidCents, by: 'customer' }, at)
    return { daysBefore: days || null, backCents: quote.refundCents, keptCents: quote.keptCents }
  })
  return {
    quantity,
    unitPrice,
    priceCents,
    depositCents: deposit?.cents ?? priceCents,
    balance: balance && balanceDays !== null ? { cents: balance.cents, daysBefore: balanceDays } : null,
    isDefaultPlan: listing.plan.kind === 'full' && balance !== undefined,
    isDepositPaidEarly: balance !== undefined && isHeldTooLong({ paidAt, releasedAt, holdLimitMs }),
    steps: steps.filter((step, index) => !isSameAsNext(step, steps[index + 1])),
  }
}

/** The quantity nearest to the usual one whose total is within the limits of a booking. */
function exampleQuantity({ unit, cents }: UnitPrice): number {
  const least = Math.ceil(MIN_TOTAL_CENTS / cents)
  const most = Math.floor(MAX_TOTAL_CENTS / cents)
  return Math.min(Math.max(EXAMPLE_QUANTITY[unit], least), most)
}

function daysBetween(dueAt: Date): number {
  return Math.floor((daysBeforeStart(EVENT, 0).getTime() - dueAt.getTime()) / DAY_MS)
}

/** While everything comes back it doesn't matter how much was paid. */
function isSameAsNext(step: ExampleStep, next: ExampleStep | undefined): boolean {
  if (!next || step.keptCents !== next.keptCents) return false
  return step.keptCents === 0 || step.backCents === next.backCents
}

/**
 * How far ahead an event can be, in whole days, so that its price can be held until the vendor is paid. Up to a day less than
 * that for a long event.
 */
export function heldDays({ delayMs, holdLimitMs }: PayoutTimes): number {
  return Math.max(0, Math.floor((holdLimitMs - delayMs) / DAY_MS))
}
