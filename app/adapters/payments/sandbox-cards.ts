/** The outcome of confirming a test card. */
export type SandboxOutcome =
  | 'approved'
  | 'declined'
  | 'insufficient_funds'
  | 'challenge'
  | 'processing_error'
  | 'expired_card'
  | 'incorrect_cvc'

/** The outcome of charging a kept card while the customer is away: 'approved', or a refusal in Stripe's word. */
export type SandboxChargeAnswer =
  | 'approved'
  | 'authentication_required'
  | 'insufficient_funds'
  | 'generic_decline'
  | 'expired_card'
  | 'lost_card'
  | 'stolen_card'

export type SandboxCard = {
  number: string
  outcome: SandboxOutcome
  label: string
  /** The outcome of keeping it for later; that of a payment by default. */
  setup?: SandboxOutcome
  /** The outcome of charging it once it is kept: 'approved' by default. Such a card is not asked about again. */
  kept?: SandboxChargeAnswer
  /** The trouble after the charge; none by default. */
  afterwards?: 'refund_pending' | 'refund_fails' | 'disputed'
}

/** The only cards that the sandbox accepts, so that no real number can be used. The numbers are Stripe's. */
export const SANDBOX_CARDS: readonly SandboxCard[] = [
  { number: '4242424242424242', outcome: 'approved', label: 'Payment succeeds' },
  {
    number: '4000002760003184',
    outcome: 'challenge',
    label: 'Bank approval needed',
    kept: 'authentication_required',
  },
  { number: '4000002500003155', outcome: 'challenge', label: 'Bank approval needed once' },
  {
    number: '4000000000000341',
    outcome: 'declined',
    label: 'Saved, but never pays',
    setup: 'approved',
    kept: 'generic_decline',
  },
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

/** The messages for a kept card that is refused. */
export const CHARGE_MESSAGES = {
  authentication_required:
    'Your card was declined. This transaction requires authentication by the cardholder.',
  insufficient_funds: OUTCOME_MESSAGES.insufficient_funds,
  generic_decline: OUTCOME_MESSAGES.declined,
  expired_card: OUTCOME_MESSAGES.expired_card,
  lost_card: OUTCOME_MESSAGES.declined,
  stolen_card: OUTCOME_MESSAGES.declined,
} as const satisfies Record<Exclude<SandboxChargeAnswer, 'approved'>, string>

/** Finds the test card for a typed number. @returns null for any other number */
export function findSandboxCard(typed: string): SandboxCard | null {
  const digits = digitsOf(typed)
  return SANDBOX_CARDS.find((card) => card.number === digits) ?? null
}

/** Finds a test card by its last four digits, which name it. */
export function findKeptCard(lastFour: string): SandboxCard | null {
  return SANDBOX_CARDS.find((card) => card.number.endsWith(lastFour)) ?? null
}

/** Reads a checked expiry date. @param expiry 'MM / YY', 'MM/YY' or 'MMYY' */
export function readExpiry(expiry: string): { year: number; month: number } {
  const [, month, year] = EXPIRY.exec(expiry.trim()) ?? []
  return { year: 2000 + Number(year), month: Number(month) }
}

const EXPIRY = /^(0[1-9]|1[0-2])\s*(?:\/\s*)?(\d{2})$/

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
  if (!EXPIRY.test(card.expiry.trim())) errors.expiry = CARD_FIELD_MESSAGES.expiryIncomplete
  else if (isExpired(readExpiry(card.expiry), now)) errors.expiry = CARD_FIELD_MESSAGES.expiryPast
  if (!/^\d{3}$/.test(card.cvc.trim())) errors.cvc = CARD_FIELD_MESSAGES.cvcIncomplete
  return errors
}

/** A card is valid until its month has ended everywhere: a day of grace for the zones behind UTC. */
export function isExpired({ year, month }: { year: number; month: number }, now: Date): boolean {
  return Date.UTC(year, month, 2) <= now.getTime()
}

/** The card form's request to the sandbox: a typed card or a kept card. The secret is a payment's or a setup's. */
export type SandboxConfirmRequest = {
  clientSecret: string
  /** The person's response to the challenge card's approval step. */
  challenge?: 'approve' | 'fail'
} & ({ cardNumber: string; expiry: string; cvc: string } | { method: string })

const MAX_FIELD_LENGTH = 300

/** Reads the card form's request. @returns null for a malformed one */
export function readSandboxConfirmation(value: unknown): SandboxConfirmRequest | null {
  if (typeof value !== 'object' || value === null) return null
  const { clientSecret, cardNumber, expiry, cvc, method, challenge } = value as Record<string, unknown>
  const isField = (field: unknown): field is string =>
    typeof field === 'string' && field.length <= MAX_FIELD_LENGTH
  // Visible ASCII only, because the database refuses NULs and lone surrogates.
  const isName = (field: unknown): field is string => isField(field) && /^[\x21-\x7e]+$/.test(field)
  if (!isName(clientSecret)) return null
  if (challenge !== undefined && challenge !== 'approve' && challenge !== 'fail') return null
  const about: Pick<SandboxConfirmRequest, 'clientSecret' | 'challenge'> = {
    clientSecret,
    ...(challenge ? { challenge } : {}),
  }
  if (method !== undefined) return isName(method) ? { ...about, method } : null
  if (!isField(cardNumber) || !isField(expiry) || !isField(cvc)) return null
  return { ...about, cardNumber, expiry, cvc }
}
