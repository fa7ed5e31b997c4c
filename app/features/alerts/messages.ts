import { queryOf } from '../search/filter-messages.ts'
import { NO_SEARCH, type Search } from '../search/schema.ts'
import type { AlertOffer } from './rules.ts'

export const ALERT_TEXTS = {
  none: {
    title: 'None yet: tell me when one does',
    text: 'We email you when a business fits this search, at most once a day.',
  },
  new: {
    title: 'Tell me about new ones',
    text: 'We email you when another business fits this search, at most once a day.',
  },
} as const satisfies Record<AlertOffer['kind'], { title: string; text: string }>

export const endsText = (until: string) => `It ends by itself on ${until}. One click ends it sooner.`
export const TELL_BUTTON = 'Tell me'
export const ASKING_BUTTON = 'One moment...'
export const EMAIL_MISSING = 'Enter your email address.'

export const alertOnText = (email: string) => `Done. We’ll email ${email}.`
export const confirmSentText = (email: string) =>
  `Nearly done: open the email that we’ve sent to ${email}, and confirm.`

export const REFUSAL_TEXTS = {
  no_search: 'We can’t follow this search. Name a place, a day or a kind of business, in fewer words.',
  past: 'The day of this search is past. Choose another one.',
  too_often: 'Too many requests came from here or for this address. Please try again later.',
  gone: 'You’re logged out. Send it again.',
  full: 'This address has as many searches as it can have. End or confirm one first.',
} as const

export const ALERTS_TITLE = 'Saved searches'
export const ALERTS_TEXT = 'We email you when another business fits one of them, at most once a day.'
export const NO_ALERTS_TEXT = 'None. Search for a venue or vendor, and press ‘Tell me’ below what you find.'
export const END_BUTTON = 'End'
export const END_ALL_BUTTON = 'End all of them'
export const END_EMAILS_BUTTON = 'End these emails'
export const ENDING_BUTTON = 'Ending...'
export const ENDED_TEXT = 'This search is ended.'
export const ALL_ENDED_TITLE = 'No more emails'
export const ALL_ENDED_TEXT = 'None of your searches sends you emails any more.'

export const CONFIRM_TITLE = 'Start these emails?'
export const CONFIRM_BUTTON = 'Yes, tell me'
export const CONFIRMING_BUTTON = 'Starting...'
export const REFUSE_BUTTON = 'No, forget my address'
export const CONFIRMED_TITLE = 'These emails are on'
export const EXPIRED_TITLE = 'This link is too old'
export const EXPIRED_TEXT = 'Nothing was started. Search again, and press ‘Tell me’ once more.'

/** A search in words: 'Photographers, Williamstown, 90 guests'. */
export function alertText(search: Search): string {
  return queryOf(search) || 'All venues and vendors'
}

/**
 * The parts of a search that come from closed lists, for a mail that a stranger can cause: category, service, occasion, day and
 * guests. '' for none.
 */
export function closedAlertText(search: Search): string {
  const { category, service, occasion, date, months, weekday, guests, seated } = search
  return queryOf({ ...NO_SEARCH, category, service, occasion, date, months, weekday, guests, seated })
}
