import { addDays, type LocalDate, type LocalTime, wallTimeAt, wallTimeToUtc } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { MINUTE_MS } from '../../shared/time-units.ts'

/** The share of the price that is refunded for cancelling at least `daysBefore` days before the event. */
export type Tier = {
  daysBefore: number
  /** 0 to 10,000: hundredths of a percent of the price. */
  shareBasisPoints: number
}

/** The presets of cancellation. A booking keeps the tiers of its sale, so a later version changes none. */
export const POLICIES = {
  flexible: {
    version: 1,
    tiers: [
      { daysBefore: 7, shareBasisPoints: 10_000 },
      { daysBefore: 1, shareBasisPoints: 5_000 },
    ],
  },
  moderate: {
    version: 1,
    tiers: [
      { daysBefore: 30, shareBasisPoints: 10_000 },
      { daysBefore: 7, shareBasisPoints: 5_000 },
    ],
  },
  long: {
    version: 1,
    tiers: [
      { daysBefore: 90, shareBasisPoints: 10_000 },
      { daysBefore: 30, shareBasisPoints: 5_000 },
      { daysBefore: 14, shareBasisPoints: 2_500 },
    ],
  },
} as const satisfies Record<string, { version: number; tiers: readonly Tier[] }>
export type PolicyName = keyof typeof POLICIES
export const POLICY_NAMES = Object.keys(POLICIES) as readonly PolicyName[]
export const DEFAULT_POLICY = 'moderate' satisfies PolicyName

/** How a price is paid: at once, or a deposit now and the balance some days before the event. */
export type PaymentPlan =
  | { kind: 'full' }
  | { kind: 'deposit'; depositBasisPoints: number; balanceDaysBefore: number }

/** The payment plan of an event too far ahead for its whole price to be held. */
export const DEFAULT_PLAN = {
  kind: 'deposit',
  depositBasisPoints: 2_000,
  balanceDaysBefore: 30,
} as const satisfies PaymentPlan

export const MIN_DEPOSIT_BP = 1_000
export const MAX_DEPOSIT_BP = 3_000
export const MIN_BALANCE_DAYS = 14
export const MAX_BALANCE_DAYS = 60
/** A balance that would be due sooner than that is paid at once. */
export const BALANCE_NOTICE_DAYS = 7
/** Customers may change their mind for so long, if the event is far enough away. */
export const COOLING_OFF_HOURS = 48
const COOLING_OFF_MS = COOLING_OFF_HOURS * 3_600_000
export const COOLING_OFF_DAYS_BEFORE = 14
/** Balances are charged when venues open. */
const CHARGE_TIME: LocalTime = '09:00'
/** A quote is shown again after that. */
export const QUOTE_LASTS_MS = 15 * MINUTE_MS

/** The least that a card can be charged. The balance is always more than the deposit. */
export const MIN_INSTALMENT_CENTS = 50

const BASIS = 10_000

/** A listing's choice for new bookings. */
export type ListingTerms = { policy: PolicyName; plan: PaymentPlan }

export const DEFAULT_TERMS: ListingTerms = { policy: DEFAULT_POLICY, plan: { kind: 'full' } }

/**
 * The terms of a sale (Decision 4). They are stored as JSON, so times are text in ISO 8601, UTC. The first
 * instalment is what was charged with the booking.
 */
export type SaleTerms = {
  policy: { name: PolicyName; version: number; tiers: readonly Tier[] }
  /** The whole price. The first payment may be only a deposit. */
  priceCents: Cents
  instalments: readonly { number: number; cents: Cents; dueAt: string | null }[]
}

/** The event in its venue's time. */
export type EventStart = { date: LocalDate; time: LocalTime; timeZone: string }

/** The cancellation terms of a sale. */
export type AgreedTerms = {
  event: EventStart
  paidAt: Date
  tiers: readonly Tier[]
}

/**
 * Returns the cancellation terms of a sale; null for a sale from before there were terms.
 * @param sale as it is stored: the event in ISO 8601, with its offset
 * @param paidAt when its first payment was paid
 */
export function agreedTermsOf(
  sale: { event: { from: string }; timeZone: string; terms: Pick<SaleTerms, 'policy'> | null },
  paidAt: Date,
): AgreedTerms | null {
  if (!sale.terms) return null
  const { timeZone, terms } = sale
  return {
    event: { ...wallTimeAt(new Date(sale.event.from), timeZone), timeZone },
    paidAt,
    tiers: terms.policy.tiers,
  }
}

/** One payment of a price. */
export type Instalment = {
  /** 1 is paid with the booking. */
  number: number
  cents: Cents
  /** Null is at once. */
  dueAt: Date | null
}

/**
 * Returns the instant `days` days before an event by its venue's clock: at the event's own time of day, even across a change to
 * or from daylight saving.
 */
export function daysBeforeStart({ date, time, timeZone }: EventStart, days: number): Date {
  return wallTimeToUtc(addDays(date, -days), time, timeZone)
}

/**
 * The plan that applies to a booking: the listing's, unless the provider can't hold the whole price until the vendor is paid.
 * @param input.releasedAt when the vendor would get the money: the event's end and the pause after it
 * @param input.holdLimitMs how long the provider lets money be held; null where vendors aren't paid by us
 */
export function planFor(input: {
  plan: PaymentPlan
  event: EventStart
  releasedAt: Date
  paidAt: Date
  holdLimitMs: number | null
}): PaymentPlan {
  const { plan, event, paidAt } = input
  const wanted = plan.kind === 'full' && isHeldTooLong(input) ? DEFAULT_PLAN : plan
  if (wanted.kind === 'full') return wanted
  const { date } = wallTimeAt(paidAt, event.timeZone)
  const lastDay = addDays(event.date, -(wanted.balanceDaysBefore + BALANCE_NOTICE_DAYS))
  return date > lastDay ? { kind: 'full' } : wanted
}

/** When vendors are paid: how long after the event, and how long the provider lets money be held until then. */
export type PayoutTimes = { delayMs: number; holdLimitMs: number }

/**
 * Whether money that is paid now can't be held until its vendor is paid after the event. A deposit is then paid out once the
 * booking is approved and the time to change one's mind is over.
 * @param input.holdLimitMs null where vendors aren't paid by us
 */
export function isHeldTooLong(input: {
  paidAt: Date
  releasedAt: Date
  holdLimitMs: number | null
}): boolean {
  const { paidAt, releasedAt, holdLimitMs } = input
  return holdLimitMs !== null && releasedAt.getTime() - paidAt.getTime() > holdLimitMs
}

/** The instalments of a price under the plan that applies. They add up to the price. */
export function instalmentsOf(priceCents: Cents, plan: PaymentPlan, event: EventStart): Instalment[] {
  const inFull = [{ number: 1, cents: priceCents, dueAt: null }]
  if (plan.kind === 'full') return inFull
  const depositCents = Math.round((priceCents * plan.depositBasisPoints) / BASIS)
  if (depositCents < MIN_INSTALMENT_CENTS) return inFull
  const balanceDay = addDays(event.date, -plan.balanceDaysBefore)
  const dueAt = wallTimeToUtc(balanceDay, CHARGE_TIME, event.timeZone)
  return [
    { number: 1, cents: depositCents, dueAt: null },
    { number: 2, cents: priceCents - depositCents, dueAt },
  ]
}

/**
 * Returns the terms of a booking whose payment begins now.
 * @param input.releasedAt when the vendor would get the money: the event's end and the pause after it
 * @param input.holdLimitMs how long the provider lets money be held; null where vendors aren't paid by us
 */
export function agreeTerms(input: {
  listing: ListingTerms
  priceCents: Cents
  event: EventStart
  releasedAt: Date
  now: Date
  holdLimitMs: number | null
}): SaleTerms {
  const { listing, priceCents, event, now } = input
  const { version, tiers } = POLICIES[listing.policy]
  const plan = planFor({ ...input, plan: listing.plan, paidAt: now })
  return {
    policy: { name: listing.policy, version, tiers },
    priceCents,
    instalments: instalmentsOf(priceCents, plan, event).map(({ dueAt, ...instalment }) => ({
      ...instalment,
      dueAt: dueAt?.toISOString() ?? null,
    })),
  }
}

/** Returns the amount that is charged with the booking, in cents. */
export function dueNow({ instalments }: Pick<SaleTerms, 'instalments'>): Cents {
  return instalments.reduce((sum, { cents, dueAt }) => (dueAt === null ? sum + cents : sum), 0)
}

/**
 * Returns until when cancelling is free regardless of the tiers; null if the event was too near when it was paid. The payment
 * fixes the instant, so that it is the same at every look.
 */
export function coolingOffUntil({ event, paidAt }: AgreedTerms): Date | null {
  if (paidAt > daysBeforeStart(event, COOLING_OFF_DAYS_BEFORE)) return null
  return new Date(paidAt.getTime() + COOLING_OFF_MS)
}

/** A stretch of time in which cancelling gives the same share back. */
export type CancellationStep = {
  /** The last instant of the stretch; null for until the event. */
  until: Date | null
  shareBasisPoints: number
}

/** Returns the refund shares of cancelling over time, earliest first. The last step refunds nothing. */
export function cancellationSteps(terms: AgreedTerms): CancellationStep[] {
  const free = coolingOffUntil(terms)
  const tiers = terms.tiers
    .map(({ daysBefore, shareBasisPoints }) => ({
      until: daysBeforeStart(terms.event, daysBefore),
      shareBasisPoints,
    }))
    .sort((one, other) => one.until.getTime() - other.until.getTime())
  const steps: CancellationStep[] = []
  if (free) steps.push({ until: free, shareBasisPoints: BASIS })
  for (const tier of tiers) {
    const last = steps.at(-1)
    // Over before the time to change one's mind, or before the payment.
    if (tier.until <= terms.paidAt || (last?.until && tier.until <= last.until)) continue
    if (last?.shareBasisPoints === tier.shareBasisPoints) last.until = tier.until
    else steps.push({ ...tier })
  }
  return [...steps, { until: null, shareBasisPoints: 0 }]
}

/** The refund and the cost of cancelling at a moment, in cents. */
export type CancellationQuote = {
  shareBasisPoints: number
  refundCents: Cents
  keptCents: Cents
  /** The unpaid rest of the price, which is never charged. */
  uncollectedCents: Cents
  /** When this ends and the next step begins; null is at the event. */
  until: Date | null
}

/**
 * Returns the quote for cancelling at a moment. The refund is the share of the price, rounded up to a cent in the customer's
 * favour, less the unpaid rest. Cancelling never charges anything further.
 * @param booking.priceCents as agreed now: after changes, and less earlier refunds
 * @param booking.paidCents of that price, less refunds
 * @param booking.by a vendor's cancellation always gives everything back
 */
export function cancellationQuote(
  terms: AgreedTerms,
  booking: { priceCents: Cents; paidCents: Cents; by: 'customer' | 'vendor' },
  at: Date,
): CancellationQuote {
  const { priceCents, paidCents } = booking
  if (paidCents > priceCents) throw new RangeError(`${paidCents} of ${priceCents} cents can't be paid.`)
  const step =
    booking.by === 'vendor' ? { until: null, shareBasisPoints: BASIS } : stepAt(cancellationSteps(terms), at)
  const refundableCents = Math.ceil((priceCents * step.shareBasisPoints) / BASIS)
  const keptCents = Math.min(paidCents, priceCents - refundableCents)
  return {
    shareBasisPoints: step.shareBasisPoints,
    refundCents: paidCents - keptCents,
    keptCents,
    uncollectedCents: priceCents - paidCents,
    until: step.until,
  }
}

function stepAt(steps: readonly CancellationStep[], at: Date): CancellationStep {
  const step = steps.find(({ until }) => until === null || at <= until)
  if (!step) throw new Error('the steps of cancellation have no end')
  return step
}

/**
 * Whether a person may act on a quote that they have seen: it was shown recently, and is now the same or better for them. A
 * balance charged in between can raise the refund and still cost more, so both amounts count.
 * @param shown.at when it was shown
 */
export function isQuoteGood(
  offered: { refundCents: Cents; keptCents: Cents; at: Date },
  now: { quote: Pick<CancellationQuote, 'refundCents' | 'keptCents'>; at: Date },
): boolean {
  const { quote } = now
  return (
    now.at.getTime() - offered.at.getTime() <= QUOTE_LASTS_MS &&
    quote.refundCents >= offered.refundCents &&
    quote.keptCents <= offered.keptCents
  )
}
