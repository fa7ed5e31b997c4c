import type { DisputeEvidence, DisputeSnapshot, DisputeStatus } from '../../adapters/payments/port.ts'
import type { Cents } from '../../shared/money.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import type { BookingStatus } from '../bookings/status-rules.ts'
import { type BookingMoney, type CommissionTerms, sharesOf } from '../ledger/rules.ts'

/** The statuses in which the bank waits for us. An appeal is answered at the provider. */
export const AWAITED_STATUSES = [
  'needs_response',
  'warning_needs_response',
  'appeal_needs_response',
] as const satisfies readonly DisputeStatus[]

/** The texts of an evidence that operators edit. */
export type EvidenceTexts = Pick<
  DisputeEvidence,
  'product' | 'serviceDate' | 'terms' | 'refusal' | 'statement'
>

/** How an operator answers a dispute: with evidence, or by giving it up. */
export type AnswerKind = 'evidence' | 'acceptance'

/** 'waiting' for a second operator, 'claimed' until the provider has taken or refused it. */
export type AnswerState = 'waiting' | 'claimed' | 'sent' | 'refused' | 'dropped'

/** A claim without an answer for so long is sent again. Longer than the three calls to the provider last, with their retries. */
export const RESEND_ANSWER_AFTER_MS = 180_000

/** Whether the bank takes evidence of a dispute or an inquiry now. */
export function takesEvidence(
  dispute: { status: DisputeStatus; evidenceDueAt: Date | null },
  now: Date,
): boolean {
  const isAsked = dispute.status === 'needs_response' || dispute.status === 'warning_needs_response'
  return isAsked && (dispute.evidenceDueAt === null || dispute.evidenceDueAt > now)
}

/** Whether a dispute can be given up. An inquiry is ended by a refund. */
export function takesAcceptance(dispute: { status: DisputeStatus }): boolean {
  return dispute.status === 'needs_response'
}

/** Whether an answer of this kind is possible now. */
export function takesAnswer(
  kind: AnswerKind,
  dispute: { status: DisputeStatus; evidenceDueAt: Date | null },
  now: Date,
): boolean {
  return kind === 'evidence' ? takesEvidence(dispute, now) : takesAcceptance(dispute)
}

/** Whether an answer is under way, or was sent and has not changed the dispute's status yet. No other one is taken then. */
export function isAnswered(
  dispute: { status: DisputeStatus },
  newest: { state: AnswerState; answeredStatus: DisputeStatus } | null,
): boolean {
  if (newest?.state === 'waiting' || newest?.state === 'claimed') return true
  return newest?.state === 'sent' && newest.answeredStatus === dispute.status
}

/** Whether the bank waits for us. */
export function isAwaited(status: DisputeStatus): boolean {
  return AWAITED_STATUSES.some((one) => one === status)
}

/**
 * The state of a dispute as an operator saw it. An answer to any other state is stale.
 * @param proofs how many proofs its vendor has sent. The bank takes one reply, so the operator reads each before it
 */
export function disputeVersion(
  dispute: Pick<DisputeSnapshot, 'status' | 'funds' | 'amountCents'>,
  newestAnswer: { id: string; state: AnswerState } | null,
  proofs: number,
): string {
  const answer = newestAnswer ? `${newestAnswer.id}:${newestAnswer.state}` : 'none'
  return [dispute.status, dispute.funds, dispute.amountCents, proofs, answer].join('|')
}

/** Full days until the deadline: 0 on the last one; null once it is over. */
export function daysLeft(dueAt: Date, now: Date): number | null {
  const leftMs = dueAt.getTime() - now.getTime()
  return leftMs <= 0 ? null : Math.floor(leftMs / DAY_MS)
}

/** The parts of a lost dispute by who bears them, in cents. Together they are the disputed amount. */
export type CostOfLoss = {
  vendorCents: Cents
  /** The commission that we give up, GST included. */
  commissionCents: Cents
  /** The part that the booking no longer has, since it was refunded. */
  oursCents: Cents
}

/**
 * Returns who bears a dispute once it is lost, as the ledger posts it: the vendor and our commission, each by their share
 * of what the booking has, and we the rest.
 * @param money before the bank has decided. The disputed amount is in it, whether the bank has it yet or not
 */
export function costOfLoss(amountCents: Cents, money: BookingMoney, terms: CommissionTerms): CostOfLoss {
  const hasCents = Math.max(0, money.heldCents + money.disputedCents + money.kept.cents)
  const before = sharesOf(hasCents, terms)
  const after = sharesOf(Math.max(0, hasCents - amountCents), terms)
  const commissionCents = before.commissionCents - after.commissionCents
  const vendorCents = before.cents - after.cents - commissionCents
  return { vendorCents, commissionCents, oursCents: amountCents - vendorCents - commissionCents }
}

/** An event of a dispute's history that is evidence of the sale. */
export type DisputeEvent = {
  /** ISO 8601, UTC. */
  at: string
  what: string
  detail: string
}

/** The facts that the proposed evidence is put together from. Times and amounts are in words. */
export type EvidenceFacts = {
  brand: string
  businessName: string
  place: string
  /** 'Saturday 14 March 2027, 4:00 pm to 11:00 pm, Melbourne time'. */
  span: string
  /** '10 people'. */
  quantity: string
  total: string
  isEventOver: boolean
  bookingStatus: BookingStatus | null
  /** The quote is the accepted version's sentences about refunds; null if they aren't known here. */
  terms: { version: string; acceptedAt: string; quote: string | null } | null
  /** '$100.00 on Tuesday 24 November 2026, 3:00 pm'. */
  refunds: readonly string[]
  events: readonly { at: string; what: string; detail: string }[]
  /** The words of the vendor's proofs, oldest first. */
  vendorWords: readonly string[]
}

/** Puts the evidence together that an operator starts from. It states only what is stored. */
export function proposeEvidence(facts: EvidenceFacts): EvidenceTexts {
  const { brand, businessName, terms } = facts
  return {
    product: `${businessName}, ${facts.place}: ${facts.span}, for ${facts.quantity}. The customer paid ${facts.total}. ${brand} is a marketplace and takes payments as the agent of its vendors.`,
    serviceDate: facts.span,
    terms: terms
      ? `The customer accepted version ${terms.version} of our Terms of Service on ${terms.acceptedAt}, before paying. The payment page links to them.${terms.quote ? ` They say: “${terms.quote}”` : ''}`
      : '',
    refusal: refusalOf(facts),
    statement: [
      ...facts.events.map(({ at, what, detail }) => `${at}: ${what}${detail ? `. ${detail}` : ''}`),
      ...facts.vendorWords.map((words) => `\n${businessName} says: ${words}`),
    ].join('\n'),
  }
}

function refusalOf({ bookingStatus, isEventOver, businessName, refunds }: EvidenceFacts): string {
  const refunded = refunds.length > 0 ? `We refunded ${refunds.join(', ')}.` : 'Nothing was refunded.'
  if (bookingStatus === 'approved')
    return isEventOver
      ? `${businessName} had approved the booking, and the time of the event is over. The booking was never cancelled. ${refunded}`
      : `${businessName} has approved the booking and keeps the time for the customer. The booking is not cancelled. ${refunded}`
  return refunds.length > 0 ? refunded : ''
}
