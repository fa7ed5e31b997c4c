import type { AccountSnapshot } from '../../adapters/payments/payout-port.ts'
import type { Cents } from '../../shared/money.ts'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { type BookingStatus, isCalledOff } from '../bookings/status-rules.ts'
import type { BusinessStructure } from '../registrations/rules.ts'
import { coolingOffUntil, type EventStart, type SaleTerms } from '../terms/rules.ts'

/** A vendor's account with the provider. It moves forward by the provider's answers alone. */
export type PayoutAccountState =
  | 'none'
  | 'started'
  | 'in_review'
  | 'active'
  | 'restricted'
  | 'closed'
  | 'rejected'

/** An open requirement of the provider, as stored. */
export type StoredRequirement = {
  code: string
  awaiting: 'vendor' | 'provider'
  /** ISO 8601, UTC. */
  dueAt: string | null
}

/** A vendor's share on its way to their account. */
export type TransferState = 'due' | 'claimed' | 'made' | 'partly_reversed' | 'reversed'

/** The reasons that hold a due transfer. The first that applies is stored: those that the vendor can settle come first. */
export const HELD_REASONS = [
  'no_agreement',
  'no_account',
  'restricted',
  'register',
  'refund',
  'dispute',
  'debt',
  'operator',
] as const
export type HeldReason = (typeof HELD_REASONS)[number]

/** A part of a transfer on its way back. 'impossible' made it the vendor's debt. */
export type ReversalState = 'due' | 'claimed' | 'done' | 'impossible'

/**
 * The state that the provider's answer describes. Only active transfers make an account ready: an empty list of
 * requirements proves nothing.
 */
export function accountStateOf(snapshot: AccountSnapshot): Exclude<PayoutAccountState, 'none'> {
  if (snapshot.isRejected) return 'rejected'
  if (snapshot.isClosed) return 'closed'
  if (snapshot.transfers === 'active') return 'active'
  if (snapshot.transfers === 'restricted' && snapshot.isSubmitted) return 'restricted'
  return snapshot.isSubmitted ? 'in_review' : 'started'
}

const ACCOUNT_ORDER = {
  none: 0,
  started: 1,
  in_review: 2,
  active: 3,
  restricted: 3,
  closed: 4,
  rejected: 4,
} as const satisfies Record<PayoutAccountState, number>

/**
 * The next state of an account: none → started → in_review → active ⇄ restricted → closed | rejected. An account that was
 * ready and is under review again is restricted, since it takes no transfers until the review is over.
 */
export function nextAccountState(
  before: PayoutAccountState,
  reported: Exclude<PayoutAccountState, 'none'>,
): PayoutAccountState {
  if (before === 'closed' || before === 'rejected') return before
  if (ACCOUNT_ORDER[reported] >= ACCOUNT_ORDER[before]) return reported
  return before === 'active' ? 'restricted' : before
}

/** The provider's kind of a business. Partnerships and trusts begin as companies; the provider's form asks the rest. */
export function entityTypeOf(structure: BusinessStructure): 'individual' | 'company' {
  return structure === 'Sole Trader' ? 'individual' : 'company'
}

/** The facts that decide whether held money is earned. */
export type EarningFacts = {
  status: BookingStatus
  isEventOver: boolean
  /** A refund is due or claimed, waits at the provider for money, or came back and is not settled. */
  isRefundInTheWay: boolean
  /** A dispute or an inquiry is open, or a bank has the money and hasn't given it back. */
  isDisputed: boolean
  heldCents: Cents
  /** Earned before, commission included. */
  keptCents: Cents
  /** A deposit that is released before the event; null where all waits for the event. */
  deposit: { cents: Cents; isReleased: boolean } | null
}

/**
 * Returns how much of a booking's held money becomes the vendor's now, in cents: all of it once the event is over, the rest after
 * a cancellation, or a deposit that can't be held until the event.
 */
export function earnableCents(facts: EarningFacts): Cents {
  const { status, heldCents, deposit } = facts
  if (heldCents <= 0 || facts.isRefundInTheWay || facts.isDisputed) return 0
  if (status === 'withdrawn') return heldCents
  if (status !== 'approved') return 0
  if (facts.isEventOver) return heldCents
  return deposit?.isReleased ? Math.min(heldCents, Math.max(0, deposit.cents - facts.keptCents)) : 0
}

/**
 * Returns how much of an operator's refund comes back to the operator, in cents. A refund at the operator's cost leaves the held
 * money for the vendor. If the booking then ends without its event, the vendor keeps only what the cancellation leaves them, and
 * the operator gets the rest of the held money back.
 * @param facts.agreedKeptCents what the cancellation leaves the vendor; 0 where everything went back
 * @param facts.coveredCents paid by the operator in place of the vendor
 */
export function coverToReturn(
  facts: Omit<EarningFacts, 'isEventOver' | 'deposit'> & { agreedKeptCents: Cents; coveredCents: Cents },
): Cents {
  const { status, heldCents, keptCents, agreedKeptCents, coveredCents } = facts
  if (!isCalledOff(status)) return 0
  if (facts.isRefundInTheWay || facts.isDisputed) return 0
  const vendorsCents = Math.max(0, agreedKeptCents - keptCents)
  return Math.max(0, Math.min(coveredCents, heldCents - vendorsCents))
}

/**
 * When a deposit becomes the vendor's ahead of the event: once the time to change one's mind is over, if the provider doesn't let
 * it be held until the transfer. Null where it waits for the event, and for a price that was paid at once.
 */
export function depositReleasedAt(
  sale: { terms: SaleTerms | null; event: EventStart; eventUntil: Date; paidAt: Date },
  times: { payoutDelayMs: number; holdLimitMs: number },
): Date | null {
  const { terms, event, eventUntil, paidAt } = sale
  // A change may have added a payment to a price that was paid at once.
  if (!terms?.instalments.some(({ dueAt }) => dueAt !== null)) return null
  const heldForMs = eventUntil.getTime() + times.payoutDelayMs - paidAt.getTime()
  if (heldForMs <= times.holdLimitMs) return null
  return coolingOffUntil({ event, paidAt, tiers: terms.policy.tiers }) ?? paidAt
}

/** The facts that decide whether a transfer may leave. */
export type TransferFacts = {
  hasAgreement: boolean
  /** 'none' also without an account. */
  account: PayoutAccountState
  /** The Australian Business Register has something against the vendor's registration. */
  isDeniedByRegister: boolean
  isRefundInTheWay: boolean
  isDisputed: boolean
  /** Money of another booking of this vendor is being brought back. */
  isOwing: boolean
  isHeldByOperator: boolean
}

const HOLDS: Record<HeldReason, (facts: TransferFacts) => boolean> = {
  no_agreement: ({ hasAgreement }) => !hasAgreement,
  no_account: ({ account }) => ['none', 'started', 'in_review', 'closed'].includes(account),
  restricted: ({ account }) => account === 'restricted' || account === 'rejected',
  register: ({ isDeniedByRegister }) => isDeniedByRegister,
  refund: ({ isRefundInTheWay }) => isRefundInTheWay,
  dispute: ({ isDisputed }) => isDisputed,
  debt: ({ isOwing }) => isOwing,
  operator: ({ isHeldByOperator }) => isHeldByOperator,
}

/** The first reason, in the order of `HELD_REASONS`, why a transfer may not leave; null when it may. */
export function heldReasonOf(facts: TransferFacts): HeldReason | null {
  return HELD_REASONS.find((reason) => HOLDS[reason](facts)) ?? null
}

/** From when on a booking's money may leave. @param event.until ISO 8601 */
export function transferDueAt(event: { until: string }, payoutDelayMs: number): Date {
  return new Date(Date.parse(event.until) + payoutDelayMs)
}

/** Reasons that usually end by themselves within the hour. The vendor is told only if one lasts longer. */
const PASSING_REASONS: readonly HeldReason[] = ['refund', 'debt']

/** When the vendor is told that a transfer is held; null for a dispute, which has a mail of its own. */
export function heldToldAt(reason: HeldReason, dueAt: Date): Date | null {
  if (reason === 'dispute') return null
  return PASSING_REASONS.includes(reason) ? new Date(dueAt.getTime() + DAY_MS) : dueAt
}

/** A part of a vendor's debt, which belongs to a booking. */
export type Debt = { bookingId: string; cents: Cents }

/**
 * Takes debts out of a share before it leaves.
 * @param debts oldest first, each above 0
 * @returns the debts that are paid, the last one perhaps in part, and what is left to transfer
 */
export function netDebts(payableCents: Cents, debts: readonly Debt[]): { paid: Debt[]; leftCents: Cents } {
  let leftCents = payableCents
  const paid: Debt[] = []
  for (const debt of debts) {
    const cents = Math.min(debt.cents, leftCents)
    if (cents <= 0) break
    paid.push({ ...debt, cents })
    leftCents -= cents
  }
  return { paid, leftCents }
}

/**
 * Splits what is missing of a booking over its transfers.
 * @param transfers newest first, each with the amount that is left at the vendor
 * @returns what is brought back of each, and the rest, which was never transferred and is a debt at once
 */
export function splitReversal(
  missingCents: Cents,
  transfers: readonly { id: string; restCents: Cents }[],
): { reversals: { transferId: string; cents: Cents }[]; owedCents: Cents } {
  let owedCents = missingCents
  const reversals: { transferId: string; cents: Cents }[] = []
  for (const { id, restCents } of transfers) {
    const cents = Math.min(restCents, owedCents)
    if (cents <= 0) continue
    reversals.push({ transferId: id, cents })
    owedCents -= cents
  }
  return { reversals, owedCents }
}

/** Operators are told so long before money may be held no longer. */
export const HOLD_WARNING_MS = 14 * DAY_MS

/** When a charge may be held no longer, and when it becomes an operator's task: to pay it out or to refund it. */
export function holdLimitOf(paidAt: Date, holdLimitMs: number): { warnAt: Date; endsAt: Date } {
  const endsAt = paidAt.getTime() + holdLimitMs
  return { warnAt: new Date(endsAt - HOLD_WARNING_MS), endsAt: new Date(endsAt) }
}

/**
 * Since when the oldest money of a booking has been held that its vendor doesn't have yet. A deposit leaves first, so what is open
 * is of the newest charges.
 * @param openCents held or payable
 * @param charges newest first, each less its refunds
 */
export function heldSince(openCents: Cents, charges: readonly { paidAt: Date; cents: Cents }[]): Date | null {
  let leftCents = openCents
  let since: Date | null = null
  for (const { paidAt, cents } of charges) {
    if (leftCents <= 0) break
    if (cents > 0) since = paidAt
    leftCents -= cents
  }
  return since
}

/** Far longer than any call to the provider lasts, so that none can still be on its way. */
export const CLAIM_LIFE_MS = HOUR_MS

/** Whether an operator's order on an amount needs another operator. */
export function needsSecondOperator(cents: Cents, limitCents: Cents): boolean {
  return cents > limitCents
}

/** Orders of operators about money, by their effect: a debt given up, a debt paid by bank, a share paid by bank. */
export type PayoutOrderKind = 'write_off' | 'debt_paid' | 'paid_by_bank'
