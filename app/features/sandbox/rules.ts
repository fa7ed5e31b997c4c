import type { SandboxChargeAnswer } from '../../adapters/payments/sandbox-cards.ts'
import { MINUTE_MS } from '../../shared/time-units.ts'

/** The steps of a cardholder's bank in a dispute. */
export const DISPUTE_STEPS = ['open', 'inquire', 'win', 'lose', 'close'] as const
export type DisputeStep = (typeof DISPUTE_STEPS)[number]

/** The ends of a payment's newest refund. */
export const REFUND_STEPS = ['succeed', 'fail'] as const
export type RefundStep = (typeof REFUND_STEPS)[number]

/**
 * How the provider moves a vendor's account: all is there, it is looked at once more, a document is missing, it is closed, or
 * the vendor is refused for good.
 */
export const ACCOUNT_STEPS = ['complete', 'review', 'restrict', 'close', 'reject'] as const
export type AccountStep = (typeof ACCOUNT_STEPS)[number]

/** The ends of an account's newest payout. */
export const PAYOUT_STEPS = ['pay', 'fail'] as const
export type PayoutStep = (typeof PAYOUT_STEPS)[number]

/** The outcomes of the next charge of a saved card, while its owner is away. */
export const SAVED_CARD_STEPS = [
  'approved',
  'authentication_required',
  'insufficient_funds',
  'generic_decline',
  'expired_card',
  'lost_card',
  'stolen_card',
] as const satisfies readonly SandboxChargeAnswer[]
export type SavedCardStep = (typeof SAVED_CARD_STEPS)[number]

/** How the webhooks of a step are delivered. */
export const WEBHOOK_CHOICES = ['at_once', 'late', 'twice', 'out_of_order', 'never'] as const
export type WebhookChoice = (typeof WEBHOOK_CHOICES)[number]

/** The most of each unit that one move of the clock may have. */
export const MAX_CLOCK_STEP = { days: 1_460, hours: 23, minutes: 59 } as const

/** Returns the length of a move of the clock, in milliseconds. */
export function stepMs({ days, hours, minutes }: { days: number; hours: number; minutes: number }): number {
  return ((days * 24 + hours) * 60 + minutes) * MINUTE_MS
}

/** The steps that a payment's dispute can take. */
export function disputeSteps(charge: {
  amountCents: number
  refundedCents: number
  dispute: { status: string; isOpen: boolean } | null
}): DisputeStep[] {
  if (charge.dispute?.isOpen)
    return charge.dispute.status.startsWith('warning_') ? ['close'] : ['win', 'lose']
  return charge.refundedCents < charge.amountCents ? ['open', 'inquire'] : []
}

/** The steps that a payment's newest refund can take. */
export function refundSteps({ refunds }: { refunds: readonly { status: string }[] }): RefundStep[] {
  return [
    ...(refunds.some(({ status }) => status === 'pending') ? (['succeed'] as const) : []),
    ...(refunds.some(({ status }) => status !== 'failed') ? (['fail'] as const) : []),
  ]
}

/** The steps that the provider can take with an account. */
export function accountSteps(account: {
  isClosed: boolean
  isRejected: boolean
  transfers: string
}): AccountStep[] {
  if (account.isRejected || account.isClosed) return []
  if (account.transfers === 'active') return ['review', 'restrict', 'close', 'reject']
  return ['complete', ...(account.transfers === 'pending' ? [] : (['review'] as const)), 'close', 'reject']
}

/** The steps that an account's newest payout can take. */
export function payoutSteps({ payout }: { payout: { state: string } | null }): PayoutStep[] {
  if (payout?.state === 'in_transit') return ['pay', 'fail']
  return payout?.state === 'paid' ? ['fail'] : []
}

/** The outcomes that can be chosen for the next charge of the card that a payment has saved. */
export function savedCardSteps({ savesCard }: { savesCard: boolean }): readonly SavedCardStep[] {
  return savesCard ? SAVED_CARD_STEPS : []
}
