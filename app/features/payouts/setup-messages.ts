import type { LocalDate } from '../../shared/dates.ts'
import { PROOF_REFUSALS } from '../accounts/messages.ts'
import { longDay } from './earning-messages.ts'
import { requirementText } from './messages.ts'
import type { Beginning, SetupState } from './setup-rules.ts'

export const SETUP_TITLE = 'Set up payouts'

/** The notice on the payouts screen; null if there is nothing to say. */
export const SETUP_BANNERS = {
  not_registered: {
    tone: 'glow',
    title: 'Set up your payouts',
    text: 'Register your business, then tell us where to pay you. Until then we hold your money.',
    action: 'Set up payouts',
    isMain: true,
  },
  not_agreed: {
    tone: 'glow',
    title: 'Set up your payouts',
    text: 'Accept the vendor agreement and tell us where to pay you: five minutes. Until then we hold your money.',
    action: 'Set up payouts',
    isMain: true,
  },
  agreement_changed: {
    tone: 'info',
    title: 'The vendor agreement has changed',
    text: 'Your payouts go on. Read the new agreement and accept it, so that they don’t stop later.',
    action: 'Read and accept',
    isMain: false,
  },
  not_started: {
    tone: 'glow',
    title: 'Set up your payouts',
    text: 'Tell us where to pay you: five minutes. Until then we hold your money.',
    action: 'Set up payouts',
    isMain: true,
  },
  not_finished: {
    tone: 'glow',
    title: 'Your payouts aren’t set up yet',
    text: 'You’ve begun. Continue where you left off. Until then we hold your money.',
    action: 'Continue',
    isMain: true,
  },
  in_review: {
    tone: 'info',
    title: 'Your details are in review',
    text: 'Our payment provider is checking them. It usually takes minutes, sometimes up to two business days. There is nothing to do.',
    action: 'See details',
    isMain: false,
  },
  needs_more: {
    tone: 'glow',
    title: 'Our payment provider needs something else',
    text: 'Your payouts go on meanwhile.',
    action: 'Continue',
    isMain: true,
  },
  paused: {
    tone: 'error',
    title: 'Your payouts are paused',
    text: 'Our payment provider needs something from you. Until then we hold your money.',
    action: 'Continue',
    isMain: true,
  },
  ready: null,
  rejected: {
    tone: 'error',
    title: 'We can’t pay you out',
    text: 'Our payment provider has refused your account. Write to us, and we’ll tell you what is possible.',
    action: 'See details',
    isMain: false,
  },
} as const satisfies Record<
  SetupState,
  {
    tone: 'info' | 'glow' | 'error'
    title: string
    text: string
    action: string
    /** Whether it is the one primary action of the screen. */
    isMain: boolean
  } | null
>

/** By when the provider needs it, or needed it; '' without a day. Follows another sentence. */
export function neededByText(dueOn: LocalDate | null, today: LocalDate): string {
  return dueOn ? ` It ${dueOn < today ? 'was' : 'is'} needed by ${longDay(dueOn, today)}.` : ''
}

/** The steps of the chain, in order. */
export const CHAIN_STEPS = ['Business', 'Agreement', 'Bank'] as const

/** The link back to where the chain began. */
export const BACK_LABELS = {
  payouts: 'Back to Payouts',
  dashboard: 'Back to My Dashboard',
  listings: 'Back to My Listings',
} as const satisfies Record<Beginning, string>

/** The heading of the setup and return screens, and what it means. */
export const SETUP_STATES = {
  not_registered: {
    label: 'Your business',
    text: 'Three steps, about ten minutes. Begin with your ABN.',
  },
  not_agreed: {
    label: 'The vendor agreement',
    text: 'Accept the agreement, then tell our payment provider who you are and where to pay you.',
  },
  agreement_changed: {
    label: 'The agreement has changed',
    text: 'Your payouts go on under the earlier one for 14 days after we wrote to you. After that they wait until you accept this one.',
  },
  not_started: {
    label: 'Your bank',
    text: 'The agreement is accepted. Now tell our payment provider who you are and where to pay you.',
  },
  not_finished: {
    label: 'Continue',
    text: 'Our payment provider’s form isn’t finished. What you’ve typed there is kept.',
  },
  in_review: {
    label: 'In review',
    text: 'Our payment provider is checking your details. It usually takes minutes, sometimes up to two business days. We’ll write to you.',
  },
  needs_more: {
    label: 'Continue',
    text: 'You’re being paid, and our payment provider needs something else.',
  },
  paused: {
    label: 'Continue',
    text: 'Our payment provider has paused your payouts until it has what it needs.',
  },
  ready: { label: 'Ready', text: 'Your share of each booking leaves automatically after its event.' },
  rejected: {
    label: 'Refused',
    text: 'Our payment provider has refused your account for good. Write to us, and we’ll tell you what is possible.',
  },
} as const satisfies Record<SetupState, { label: string; text: string }>

/** Returns the provider's requirements in plain words, each text once. */
export function wantedTexts(codes: readonly string[]): string[] {
  return [...new Set(codes.map(requirementText))]
}

/** Why the provider's form can't be opened now. */
export const SETUP_REFUSALS = {
  not_accepted: 'Tick the box to accept the vendor agreement.',
  other_version: 'The vendor agreement has changed in the meantime. Read the new one, then accept it.',
  not_registered: 'Register your business first.',
  rejected: 'Our payment provider has refused your account. Write to us.',
  provider_unavailable: 'Our payment provider doesn’t answer. Try again in a few minutes. Nothing is lost.',
  provider_refused: 'Our payment provider didn’t accept this. Check your registration, or write to us.',
  too_often: 'Too many attempts. Try again in a few minutes.',
  signed_out: 'You’re logged out. Log in, then try again.',
  ...PROOF_REFUSALS,
} as const
export type SetupRefusal = keyof typeof SETUP_REFUSALS
