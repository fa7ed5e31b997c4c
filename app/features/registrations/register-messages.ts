import { formatDay, type LocalDate } from '../../shared/dates.ts'
import type { OwnStanding } from './register-queries.server.ts'
import type { RegisterFacts, RegisterProblem } from './register-rules.ts'

export const REGISTER_TITLE = 'Australian Business Register'
/** For a vendor who has never heard of it. */
export const REGISTER_NOTE = 'The government’s public list of ABNs. We ask it about yours once a day.'
export const ASK_AGAIN_BUTTON = 'Ask again'
export const ASKING_BUTTON = 'Asking...'
export const ASKED_TOAST = 'The register has answered.'
export const ASK_FAILURES = {
  too_often: 'You’ve asked often in a short time. Try again in an hour.',
  unavailable: 'The register doesn’t answer now. We’ll ask again by ourselves.',
  not_found: 'The registration is no longer there. Open this page again.',
  signed_out: 'You’re no longer logged in. Log in and try again.',
  not_reached: 'We couldn’t be reached. Check your connection and try again.',
  failed: 'Something went wrong on our side. Please try again.',
} as const

/** '1 July 2000' */
const day = (date: LocalDate) => formatDay(date).replace(/^\S+ /, '')

/** 'Registered for GST since 1 July 2000.' */
function gstText({ gstSince }: Pick<RegisterFacts, 'gstSince'>): string {
  return gstSince ? `Registered for GST since ${day(gstSince)}.` : 'Not registered for GST.'
}

/** The register's answer in one or two sentences: status, day, GST. */
export function factsText(facts: RegisterFacts): string {
  const since = facts.statusSince && day(facts.statusSince)
  if (facts.status === 'unknown') return 'The register doesn’t know this ABN.'
  if (facts.status === 'cancelled') return `Cancelled${since ? ` on ${since}` : ''}.`
  return `Active${since ? ` since ${since}` : ''}. ${gstText(facts)}`
}

/** The names that the register has, the entity's first. '' where it has none. */
export function namesText({ entityName, businessNames }: RegisterFacts): string {
  return [...new Set([entityName, ...businessNames])].filter((name) => name !== '').join(', ')
}

/** While transfers wait and the mark is off. */
const CONSEQUENCES =
  'Until this is right, your listings don’t show ‘ABN registered’, and your payouts wait. You can still be booked.'

/** Each problem, and what the vendor can do about it. */
export const PROBLEM_TEXTS = {
  unknown: `The Australian Business Register doesn’t know your ABN. Check its digits, and correct it in your registration. ${CONSEQUENCES}`,
  cancelled: `The Australian Business Register says that your ABN is cancelled. If you have a new ABN, enter it in your registration. If you want this one back, reactivate it at abr.gov.au. ${CONSEQUENCES}`,
  gst: `Your registration says that you’re registered for GST, but the Australian Business Register says that you aren’t. If you aren’t, untick ‘GST registered’. If you are, ask the Tax Office to correct the register. ${CONSEQUENCES}`,
} as const satisfies Record<RegisterProblem, string>

export const PROBLEM_TITLES = {
  unknown: 'Your ABN isn’t in the register',
  cancelled: 'Your ABN is cancelled',
  gst: 'Your GST registration needs a look',
} as const satisfies Record<RegisterProblem, string>

/** The same for operators. */
export const PROBLEM_LABELS = {
  unknown: 'ABN unknown',
  cancelled: 'ABN cancelled',
  gst: 'GST denied',
} as const satisfies Record<RegisterProblem, string>

export const WAITING_TEXT = 'We haven’t had its answer about your ABN yet. Nothing of yours waits for it.'

/** Differences that have no consequence, one sentence each. */
export function differenceTexts({ hasOtherName, hasMoreGst }: OwnStanding): string[] {
  return [
    ...(hasOtherName
      ? ['The name there isn’t the one in your registration. If the business isn’t yours, correct the ABN.']
      : []),
    ...(hasMoreGst
      ? [
          'It says that you’re registered for GST, so your tax invoices show GST. Tick ‘GST registered’, and receipts show it too.',
        ]
      : []),
  ]
}

/** The line below 'Valid ABN' while typing. */
export const LOOKING_TEXT = 'Asking the Australian Business Register…'
export const LOOKUP_FAILED_TEXT =
  'The Australian Business Register doesn’t answer now. You can save all the same.'

/** The register's answer in the form: 'In the Australian Business Register: NIA PTY LTD. Active since 1 July 2000. …' */
export function lookupText(facts: RegisterFacts): string {
  if (facts.status === 'unknown')
    return 'The Australian Business Register doesn’t know this ABN. Check the digits.'
  const names = namesText(facts)
  return `In the Australian Business Register: ${names === '' ? '' : `${names}. `}${factsText(facts)}`
}

/** Names the fields that the register has filled in. @param fields labels, at least one */
export const filledText = (fields: readonly string[]) =>
  `Filled in from there: ${fields.join(' and ')}. Change it if you like.`
