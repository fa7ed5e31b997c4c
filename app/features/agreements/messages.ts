import type { AcceptRefusal } from './schema.ts'

export const AGREEMENT_TITLE = 'Vendor agreement'
/** The heading of the dialog after the listing form's Submit. */
export const AGREEMENT_DIALOG_TITLE = 'Last step: our vendor agreement'
export const AGREEMENT_DIALOG_TEXT = 'Your listing is saved. It becomes public when you accept.'
export const ACCEPT_AND_PUBLISH_TEXT = 'Accept and publish'
export const ACCEPT_TEXT = 'Accept'
export const ACCEPTING_TEXT = 'Accepting...'
export const NOT_NOW_TEXT = 'Not now'

/** The vendor agreement in short. */
export const AGREEMENT_POINTS = [
  'We receive your customers’ payments for you, as your limited agent. Your contract is with the customer.',
  'Listing is free. We keep a commission on what you keep, and none on refunded money.',
  'Your share leaves after the event. It waits while a refund, a dispute or a claim is open.',
  'We take later refunds from your account, or from your next payouts.',
  'We issue the invoices for your bookings on your behalf.',
  'You choose how customers can cancel. If you cancel, they get everything back.',
  'If a customer complains after the event, we hear you before we decide anything.',
  'You can end the agreement at any time, without a fee.',
] as const

/** Why the agreement wasn't accepted. */
export const ACCEPT_REFUSALS = {
  signed_out: 'You’re logged out. Log in, then accept the agreement.',
  too_often: 'Too many attempts. Try again in ten minutes.',
  other_version: 'The vendor agreement has changed in the meantime. Read the new one, then accept it.',
  not_reached: 'We couldn’t be reached. Check your connection, then try again.',
  failed: 'Something went wrong. Please try again.',
} as const satisfies Record<AcceptRefusal, string>

/** Stands above a document while it is a sample. */
export const SAMPLE_LABEL = 'Sample'
export const SAMPLE_TEXT = 'The operator of this website hasn’t set their own name, ABN and texts yet.'
/** 'Jubilee is run by Long Table Pty Ltd, ABN 51 824 753 556.' */
export const operatorText = (brand: string, name: string, abn: string) =>
  `${brand} is run by ${name}, ABN ${abn}.`
/** The operator's name, ABN and address, in the foot of every mail. @param platform.abn as people read it */
export function runByText(
  brand: string,
  platform: { name: string | null; abn: string | null },
  address: string,
): string {
  const { name, abn } = platform
  return `${name !== null && abn !== null ? operatorText(brand, name, abn) : SAMPLE_TEXT} ${address}`
}
export const FORMER_TEXT = 'This is an earlier version.'

/** The names of the documents in links to them. */
export const DOCUMENT_LABELS = {
  'terms-of-service': 'Terms of Service',
  'privacy-policy': 'Privacy Policy',
  'vendor-agreement': AGREEMENT_TITLE,
  'accessibility-statement': 'Accessibility statement',
} as const

/** The line above the agreement. @param waiting the number of listings that become public by accepting it */
export function waitingText(waiting: number): string {
  if (waiting === 0) return 'Your next listing becomes public once you accept it.'
  return waiting === 1
    ? 'Your listing is saved. It becomes public when you accept the agreement.'
    : `${waiting} of your listings are saved. They become public when you accept the agreement.`
}

/** @param published the number of listings that became public by accepting */
export function acceptedText(published: number): string {
  if (published === 0) return 'You’ve accepted the vendor agreement.'
  return published === 1
    ? 'You’ve accepted the vendor agreement. Your listing is public now.'
    : `You’ve accepted the vendor agreement. ${published} of your listings are public now.`
}

/** @param until the last day of the earlier version; null before its vendor was told */
export const changedText = (until: string | null) =>
  until === null
    ? 'The agreement has changed. The version that you accepted holds for another 14 days at least.'
    : `The agreement has changed. The version that you accepted holds until ${until}. After that, your payouts wait, and new listings aren’t shown, until you accept this one.`

/** @param from the day from which the new policy applies */
export const policyNoticeText = (from: string) =>
  `Our privacy policy changes on ${from}. It now says which decisions a program makes, and how to reach a person about them.`
/** 'version of 28 November 2026, accepted on 28 November 2026'. */
export const acceptedOnText = (version: string, day: string) => `version of ${version}, accepted on ${day}`
export const FORMER_VERSIONS_TITLE = 'Earlier versions'
