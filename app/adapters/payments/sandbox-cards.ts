/** The outcome of confirming a test card. */
export type SandboxOutcome =
  | 'approved'
  | 'declined'
  | 'insufficient_funds'
  | 'challenge'
  | 'processing_error'
  | 'expired_card'
  | 'incorrect_cvc'

export type SandboxCard = {
  number: string
  outcome: SandboxOutcome
  label: string
  /** The trouble after the charge; none by default. */
  afterwards?: 'refund_pending' | 'refund_fails' | 'disputed'
}

/** The only cards that the sandbox accepts, so that no real number can be used. The numbers are Stripe's. */
export const SANDBOX_CARDS: readonly SandboxCard[] = [
  { number: '4242424242424242', outcome: 'approved', label: 'Payment succeeds' },
  { number: '4000002760003184', outcome: 'challenge', label: 'Bank approval needed' },
  { number: '4000000000000002', outcome: 'declined', label: 'Declined' },
  { number: '4000000000009995', outcome: 'insufficient_funds', label: 'Not enough funds' },
  { number: '4000000000000119', outcome: 'processing_error', label: 'Processing error' },
  { number: '4000000000000069', outcome: 'expired_card', label: 'Expired card' },
  { number: '4000000000000127', outcome: 'incorrect_cvc', label: 'Wrong security code' },
  {
    number: '4000000000007726',
    outcome: 'approved',
    label: 'Refunds take a day',
    afterwards: 'refund_pending',
  },
  { number: '4000000000005126', outcome: 'approved', label: 'Refunds come back', afterwards: 'refund_fails' },
  { number: '4000000000000259', outcome: 'approved', label: 'Disputed at once', afterwards: 'disputed' },
]

export type SandboxField = 'cardNumber' | 'expiry' | 'cvc'

/** The messages beside a field, in the form and on the server. */
export const CARD_FIELD_MESSAGES = {
  numberIncomplete: 'Your card number is incomplete.',
  numberNotTest: 'This is a test form. Use one of the test cards listed here, never a real card.',
  expiryIncomplete: "Your card's expiry date is incomplete.",
  expiryPast: "Your card's expiry date is in the past.",
  cvcIncomplete: "Your card's security code is incomplete.",
} as const

/** The messages for a refused card, in the words of a real provider. */
export const OUTCOME_MESSAGES = {
  declined: 'Your card was declined.',
  insufficient_funds: 'Your card has insufficient funds.',
  processing_error: 'An error occurred while processing your card. Try again in a little bit.',
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is incorrect.",
  challenge_failed:
    'We are unable to authenticate your payment method. Choose a different card and try again.',
} as const

const digitsOf = (text: string) => text.replace(/[\s-]/g, '')

/** Finds the test card for a typed number. @returns null for any other number */
export function findSandboxCard(typed: string): SandboxCard | null {
  const digits = digitsOf(typed)
  return SANDBOX_CARDS.find((card) => card.number === digits) ?? null
}

/**
 * Checks the three fields, in the form and again on the server.
 * @param expiry 'MM / YY', 'MM/YY' or 'MMYY'
 * @returns messages by field; empty when the card can be confirmed
 */
export function checkCard(
  card: { cardNumber: string; expiry: string; cvc: string },
  now: Date,
): Partial<Record<SandboxField, string>> {
  const errors: Partial<Record<SandboxField, string>> = {}
  if (!findSandboxCard(card.cardNumber)) {
    errors.cardNumber = /^\d{16,19}$/.test(digitsOf(card.cardNumber))
      ? CARD_FIELD_MESSAGES.numberNotTest
      : CARD_FIELD_MESSAGES.numberIncomplete
  }
  const match = /^(0[1-9]|1[0-2])\s*\/?\s*(\d{2})$/.exec(card.expiry.trim())
  if (!match) errors.expiry = CARD_FIELD_MESSAGES.expiryIncomplete
  // A card is valid until its month has ended everywhere: a day of grace for the zones behind UTC.
  else if (Date.UTC(2000 + Number(match[2]), Number(match[1]), 2) <= now.getTime())
    errors.expiry = CARD_FIELD_MESSAGES.expiryPast
  if (!/^\d{3}$/.test(card.cvc.trim())) errors.cvc = CARD_FIELD_MESSAGES.cvcIncomplete
  return errors
}

/** The card form's request to the sandbox. */
export type SandboxConfirmRequest = {
  clientSecret: string
  cardNumber: string
  expiry: string
  cvc: string
  /** The person's response to the challenge card's approval step. */
  challenge?: 'approve' | 'fail'
}

const MAX_FIELD_LENGTH = 300

/** Reads the card form's request. @returns null for a malformed one */
export function readSandboxConfirmation(value: unknown): SandboxConfirmRequest | null {
  if (typeof value !== 'object' || value === null) return null
  const { clientSecret, cardNumber, expiry, cvc, challenge } = value as Record<string, unknown>
  const isField = (field: unknown): field is string =>
    typeof field === 'string' && field.length <= MAX_FIELD_LENGTH
  if (!isField(cardNumber) || !isField(expiry) || !isField(cvc)) return null
  // Visible ASCII only, because the database refuses NULs and lone surrogates.
  if (!isField(clientSecret) || !/^[\x21-\x7e]+$/.test(clientSecret)) return null
  if (challenge !== undefined && challenge !== 'approve' && challenge !== 'fail') return null
  return { clientSecret, cardNumber, expiry, cvc, ...(challenge ? { challenge } : {}) }
}
