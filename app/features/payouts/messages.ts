import type { HeldReason, PayoutAccountState } from './rules.ts'

/** Why a transfer is held, to its vendor: what happened, and what they can do. */
export const HELD_TEXTS = {
  no_agreement:
    'You haven’t accepted the vendor agreement yet. Accept it, and the money leaves within minutes.',
  no_account:
    'You have no account that we can pay into yet. Finish setting it up, and the money leaves within minutes.',
  restricted: 'The payment provider has paused your account. Open its form to see what it needs.',
  register:
    'The Australian Business Register doesn’t agree with your registration. Your registration says what to do, and the money leaves once it’s right.',
  refund: 'A refund of this booking is on its way. What is left is sent after it.',
  dispute: 'The customer’s bank disputes this payment. We wait until it has decided.',
  debt: 'We’re bringing back money of another booking first.',
  operator: 'We’re looking into this payment and will contact you.',
} as const satisfies Record<HeldReason, string>

/** The same in a few words, for lists and tags. */
export const HELD_LABELS = {
  no_agreement: 'agreement missing',
  no_account: 'no account',
  restricted: 'account paused',
  register: 'ABN or GST denied',
  refund: 'refund on its way',
  dispute: 'disputed',
  debt: 'debt first',
  operator: 'held by us',
} as const satisfies Record<HeldReason, string>

export const ACCOUNT_STATE_LABELS = {
  none: 'Not set up',
  started: 'Not finished',
  in_review: 'Being checked',
  active: 'Ready',
  restricted: 'Paused',
  closed: 'Closed',
  rejected: 'Refused by the provider',
} as const satisfies Record<PayoutAccountState, string>

/** The provider's words for what it wants, by the beginning or the end of a code. The first match counts. */
const REQUIREMENTS: readonly [pattern: RegExp, text: string][] = [
  [/external_account|bank_account|outbound_destination/, 'Your bank account'],
  [/verification|documents?\b|proof_of/, 'A document that proves who you are'],
  [/id_number|au_abn|tax_id/, 'Your ABN or another number'],
  [/\bdob\b|date_of_birth/, 'Your date of birth'],
  [/address/, 'Your address'],
  [/phone/, 'Your phone number'],
  [/email/, 'Your email address'],
  [/first_name|last_name|given_name|surname|\bname\b/, 'Your name'],
  [/owners|directors|executives|representative|relationship/, 'The people who own or run the business'],
  [/tos_acceptance|terms_of_service/, 'Your acceptance of the provider’s terms'],
  [/business_profile|business_details|\burl\b|mcc/, 'What your business does'],
]

/** A provider's requirement in plain words. The provider's own form names it exactly. */
export function requirementText(code: string): string {
  return REQUIREMENTS.find(([pattern]) => pattern.test(code))?.[1] ?? 'Something in the provider’s form'
}
