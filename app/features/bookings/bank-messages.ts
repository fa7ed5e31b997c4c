import { type Cents, formatMoney } from '../../shared/money.ts'

/** The wording of a payment that its customer's bank is deciding about, or has returned, on screens and in mails. */

/** A refund may be asked for, and would wait. */
export const BANK_DECIDING =
  'Your bank is deciding about this payment. Until it has, we can’t send a refund of it.'
export const BANK_DECIDING_FOR_VENDOR =
  'The customer’s bank is deciding about this payment. Until it has, we can’t send a refund of it.'

/** A refund that is ordered and waits, to its customer. */
export const waitingText = (cents: Cents) =>
  `Your bank is deciding about this payment. If it stays with us, we refund ${formatMoney(cents)}.`
export const waitingForVendorText = (cents: Cents) =>
  `The customer’s bank is deciding about this payment. If it stays with us, we refund ${formatMoney(cents)} to the customer.`

export const returnedText = (cents: Cents) => `Your bank returned ${formatMoney(cents)} to you.`
export const returnedForVendorText = (cents: Cents) =>
  `The customer’s bank returned ${formatMoney(cents)} to them.`

/** In place of the state of a payment and its refund. */
export const WAITS_FOR_BANK = 'Waits for the bank'
export const RETURNED_BY_BANK = 'Returned by the bank'

/** When a refund arrives that has left. */
export const BANKS_SHOW = 'Most banks show it within five to ten business days.'
export const SENT_NOW = `We’re sending it now. ${BANKS_SHOW}`
/** A refund that has left, to the vendor. */
export const backToCustomer = (cents: Cents) => `${formatMoney(cents)} goes back to the customer.`

/** The refund of a booking's end or change, in cents. */
export type RefundParts = {
  refundCents: Cents
  /** The part of it that waits for the customer's bank. */
  waitingCents: Cents
  /** The amount that the customer's bank had returned before. It isn't in the refund. */
  returnedCents: Cents
}

/** Whether the customer's bank decides about a part of a refund, or has returned money before. */
export const isAtBank = ({ waitingCents, returnedCents }: RefundParts) => waitingCents + returnedCents > 0

type PartTexts = Record<'sent' | 'waiting' | 'returned', (cents: Cents) => string>

/** One sentence for each part that there is. */
function partLines({ refundCents, waitingCents, returnedCents }: RefundParts, texts: PartTexts): string[] {
  const sentCents = refundCents - waitingCents
  return [
    ...(sentCents > 0 ? [texts.sent(sentCents)] : []),
    ...(waitingCents > 0 ? [texts.waiting(waitingCents)] : []),
    ...(returnedCents > 0 ? [texts.returned(returnedCents)] : []),
  ]
}

/**
 * Tells a customer the parts of a refund, one sentence each.
 * @param texts.sent the part that is sent
 * @param texts.nothing where there is no part
 */
export function backLines(
  refund: RefundParts,
  { sent, nothing }: { sent: (cents: Cents) => string; nothing: string },
): string[] {
  const lines = partLines(refund, { sent, waiting: waitingText, returned: returnedText })
  return lines.length > 0 ? lines : [nothing]
}

/** The body of a notification to a customer who gets everything back. */
export function fullRefundText(refund: RefundParts): string {
  if (!isAtBank(refund)) return 'You get a full refund.'
  return backLines(refund, { sent: (cents) => `You get ${formatMoney(cents)} back.`, nothing: '' }).join(' ')
}

/** Tells a vendor the parts of a refund. @param nothing where there is no part; '' for no words */
export function backForVendorText(
  refund: RefundParts,
  { sent, nothing }: { sent: (cents: Cents) => string; nothing: string },
): string {
  const lines = partLines(refund, { sent, waiting: waitingForVendorText, returned: returnedForVendorText })
  return lines.length > 0 ? lines.join(' ') : nothing
}
