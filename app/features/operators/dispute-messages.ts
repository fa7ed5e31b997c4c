import type { DisputeStatus } from '../../adapters/payments/port.ts'
import { formatMoney } from '../../shared/money.ts'
import type { AnswerKind, AnswerState, CostOfLoss, EvidenceTexts } from './dispute-rules.ts'

/** The card networks' grounds, in the provider's words, and what each means. */
const REASON_TEXTS = new Map([
  ['bank_cannot_process', 'The customer’s bank can’t process the charge.'],
  ['credit_not_processed', 'The customer says that a refund they were promised hasn’t arrived.'],
  ['customer_initiated', 'The customer disputes the charge without a reason.'],
  ['duplicate', 'The customer says that they paid twice.'],
  ['fraudulent', 'The customer says that they didn’t make this payment.'],
  ['general', 'The bank gives no particular reason.'],
  ['incorrect_account_details', 'The bank says that the account’s details are wrong.'],
  ['insufficient_funds', 'The bank says that the account had too little money.'],
  ['noncompliant', 'The bank says that the charge broke a rule of the card network.'],
  ['product_not_received', 'The customer says that they didn’t get what they paid for.'],
  ['product_unacceptable', 'The customer says that the service wasn’t as described.'],
  ['subscription_canceled', 'The customer says that they had cancelled.'],
  ['unrecognized', 'The customer doesn’t recognise the charge on their statement.'],
])

/** The reason of a dispute in plain words. A reason newer than this list is shown as the provider writes it. */
export function reasonText(reason: string): string {
  return REASON_TEXTS.get(reason) ?? `The bank’s reason: ${reason.replaceAll('_', ' ')}.`
}

/** A dispute's status in words, and the next step. */
export const STATUS_TEXTS = {
  warning_needs_response:
    'The bank asks about this payment. It has taken no money. Answer it, or refund the payment.',
  warning_under_review: 'The bank is reading our evidence. It has taken no money.',
  warning_closed: 'The bank closed its inquiry. No dispute followed.',
  needs_response: 'The bank has taken the money. Send evidence, or accept the dispute.',
  under_review: 'The bank is reading our evidence. It can take two to three months to decide.',
  appeal_needs_response: 'This dispute was appealed. Answer the appeal in the payment provider’s dashboard.',
  appeal_under_review: 'The bank is considering the appeal.',
  prevented: 'The dispute was prevented. No money was taken.',
  won: 'We won. The bank decided in our favour.',
  lost: 'We lost. The customer has the money back.',
} as const satisfies Record<DisputeStatus, string>

/** How much time is left. @param days full days; null once the deadline is over */
export function daysLeftText(days: number | null): string {
  if (days === null) return 'the deadline has passed'
  if (days === 0) return 'less than a day left'
  return days === 1 ? '1 day left' : `${days} days left`
}

export const DEADLINE_PASSED =
  'The deadline has passed, so the bank takes no more evidence. It will decide without ours.'

export const EVIDENCE_LABELS = {
  product: 'What was sold',
  serviceDate: 'When',
  terms: 'Terms that the customer accepted',
  refusal: 'Why no refund is due',
  statement: 'What happened',
} as const satisfies Record<keyof EvidenceTexts, string>

/** Below the provider's limits, and together far below the largest form. */
export const EVIDENCE_FIELD_LENGTHS = {
  product: 2_000,
  serviceDate: 200,
  terms: 3_000,
  refusal: 3_000,
  statement: 10_000,
} as const satisfies Record<keyof EvidenceTexts, number>

export const PRODUCT_MISSING = 'Say what the customer bought.'
export const STATEMENT_MISSING = 'Say what happened. The bank reads this first.'

export const EVIDENCE_HINT =
  'We put this together from our records. The bank’s staff read it, so correct it and add what you know. It gets no files from vendors, so describe in words what they show. We send the customer’s name, email address and receipt with it.'
export const SUBMIT_QUESTION = 'Submit this evidence?'
export const SUBMIT_WARNING =
  'You can send evidence only once. The bank gets it at once, and you can’t add or change anything afterwards.'
export const ACCEPT_QUESTION = 'Accept this dispute?'
export const ACCEPT_WARNING = 'You lose the dispute at once, and can’t reopen it.'
export const NEEDS_SECOND =
  'This amount needs a second operator. We send nothing until another operator confirms it.'
export const EVIDENCE_SENT = 'Evidence submitted'
export const DISPUTE_ACCEPTED = 'Dispute accepted'
export const ASKED_SECOND = 'A second operator has to confirm this.'
export const TOO_LATE = 'The bank no longer accepts this answer to the dispute.'
/** The provider's own words about a refused answer. */
export const refusedText = (message: string) => `The provider refused it: ${message}`
/** Another operator was faster. */
export const answeredBy = (email: string, kind: AnswerKind) =>
  kind === 'evidence'
    ? `${email} has submitted evidence since you opened this page.`
    : `${email} has accepted this dispute since you opened this page.`
export const INQUIRY_REFUND = 'To agree with the customer, refund the payment. That ends the inquiry.'
export const NOT_SENT = 'Your text wasn’t sent'

/** The cost of a lost dispute, and the parties that bear it. */
export function costText({ vendorCents, commissionCents, oursCents }: CostOfLoss): string {
  const parts = [
    ...(vendorCents > 0 ? [`The vendor bears ${formatMoney(vendorCents)}`] : []),
    ...(commissionCents > 0 ? [`we give up ${formatMoney(commissionCents)} of commission`] : []),
    ...(oursCents > 0 ? [`${formatMoney(oursCents)} is our loss, since the booking no longer has it`] : []),
  ]
  const [first = 'Nobody loses money', ...others] = parts
  const sentence = [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(', and ')
  return `${sentence}. We also bear the provider’s dispute fee.`
}

/** The loss of an unfulfilled payment. */
export const COST_UNFULFILLED =
  'This payment bought nothing, so no vendor bears it. The money that we hold for the customer is gone. We also bear the provider’s dispute fee.'

/** The state of an answer in words. */
export const ANSWER_STATE_TEXTS = {
  waiting: 'Waiting for a second operator',
  claimed: 'Being sent',
  sent: 'Sent',
  refused: 'Refused by the provider',
  dropped: 'Dropped',
} as const satisfies Record<AnswerState, string>

export const ANSWER_UNDER_WAY = 'An answer is already on its way, so you can’t give another.'
export const SENDING_AGAIN =
  'The provider didn’t answer. The answer is stored, and we send it again every three minutes.'

const SINCE_CANCELLATION_POLICIES =
  'Until the vendor has decided, you can withdraw the booking yourself and get a full refund. […] You can cancel an approved booking. What you get back follows from the cancellation policy that you were shown before you paid; nothing further is charged. For 48 hours after you pay you get everything back if the event is 14 days or more away.'

/** The sentences about refunds in each version of the Terms of Service, word for word. */
export const TERMS_QUOTES: Readonly<Record<string, string>> = {
  '2026-11-01':
    'Until the vendor has decided, you can withdraw the booking yourself and get a full refund. […] An approved booking is firm for both sides. If something changes, talk to the vendor first; the vendor can still decline the booking, which refunds you in full.',
  '2026-11-23': SINCE_CANCELLATION_POLICIES,
  '2026-11-28': SINCE_CANCELLATION_POLICIES,
}
