import { MAX_GUESTS } from '../pricing/limits.ts'
import { MAX_ENTRIES, MAX_NOTE_LENGTH, MAX_TITLE_LENGTH } from './rules.ts'

export const SHORTLIST_TITLE = 'Your shortlist'
export const SHARED_TITLE = 'A shared shortlist'
/** How many businesses the preview of a shared list names. */
const NAMED = 3

/** The description of a shared list in messengers: 'First Garden, Second Hall and 2 more. Compare them, and write what you think.' */
export function sharedDescription(names: readonly string[]): string {
  return names.length === 0
    ? SHARED_EMPTY_TEXT
    : `${namesText(names)}. Compare them, and write what you think.`
}

/** 'First Garden, Second Hall and 2 more'. */
export function namesText(names: readonly string[]): string {
  const more = names.length - NAMED
  const named = names.slice(0, NAMED)
  const last = more > 0 ? `${more} more` : named.length > 1 ? (named.pop() ?? '') : ''
  return `${named.join(', ')}${last ? ` and ${last}` : ''}`
}

export const EMPTY_TITLE = 'Nothing on your shortlist yet'
export const EMPTY_TEXT =
  'Press the heart of a venue or vendor that you like. Compare them here, and share the list with the people you plan with.'
export const SHARED_EMPTY_TEXT = 'Its owner hasn’t saved anything yet.'

/** A heart, for screen readers: it is pressed or not. */
export const saveText = (name: string) => `Save ${name} to your shortlist`
/** The same where 'Saved' is written beside it. */
export const savedText = (name: string) => `Saved: ${name} is on your shortlist`
export const SAVE_TEXT = 'Save'
export const SAVED_TEXT = 'Saved'
export const savedToast = (name: string) => `${name} saved to your shortlist.`
export const removedToast = (name: string) => `${name} removed from your shortlist.`
export const NOT_SAVED_TEXT = 'This couldn’t be saved. Check your connection.'

export const removedText = (name: string) => `${name} was removed.`
export const restoredText = (name: string) => `${name} is back on the list.`
export const NOTE_LABEL = 'Note'
export const NOTE_TOO_LONG = `Keep the note within ${MAX_NOTE_LENGTH} characters`

/** An entry whose listing can’t be seen. */
export const STANDING_TEXTS = {
  hidden: 'This listing isn’t shown at the moment, so it can’t be booked.',
  deleted: 'This listing was taken down.',
} as const

export const SHARE_TITLE = 'Plan together'
export const SHARE_TEXT =
  'With the link, others can open this list, add to it and write notes. They don’t need an account. You can end the link at any time.'
export const SHARE_LINK_LABEL = 'Link to this list'
export const MAKE_LINK_TEXT = 'Make a link'
export const SHARE_LINK_TEXT = 'Share the link'
export const COPY_LINK_TEXT = 'Copy the link'
export const COPIED_TEXT = 'Copied.'
export const SELECTED_TEXT = 'The link is selected. Copy it yourself.'
export const NEW_LINK_TEXT = 'Make a new link'
export const END_LINK_TEXT = 'End the link'
export const LINK_ENDED_TEXT = 'The link has ended. It no longer opens the list.'
export const NEW_LINK_HINT = 'A new link ends the old one.'

export const ABOUT_TITLE = 'Your event'
export const ABOUT_TEXT = 'Everyone who opens the link sees these, with prices and free times for them.'
export const TITLE_LABEL = 'Title'
export const TITLE_EXAMPLE = 'Our wedding'
export const SAVE_ABOUT_TEXT = 'Save for everyone'

/** Opens the fields of a list whose owner has said a day. */
export const OTHER_DAY_TEXT = 'For another day or number of guests'

export const VOTE_TITLE = 'Which do you like?'
export const VOTE_TEXT = 'Give a heart to as many as you like. Everyone with the link sees your name.'
export const NAME_LABEL = 'Your name'
export const NAME_MISSING = 'Enter your name.'
export const START_VOTING_TEXT = 'Start'
export const votingAsText = (name: string) => `You vote as ${name}.`
export const CHANGE_NAME_TEXT = 'Change the name'
export const VOTE_BUTTON = 'I like it'
export const VOTED_BUTTON = 'You like it'
export const VOTERS_TITLE = 'Hearts'
export const REMOVE_VOTER_TEXT = 'Remove'
export const heartsText = (count: number) => (count === 1 ? '1 heart' : `${count} hearts`)

/** The names of those who like a business: 'Kim, Lee and 2 more like it'. */
export function likedByText(names: readonly string[]): string {
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : [...names]
  const last = shown.length > 1 ? ` and ${shown.pop()}` : ''
  return `${shown.join(', ')}${last} ${names.length === 1 ? 'likes' : 'like'} it`
}

export const JOIN_TITLE = 'Add to this list'
export const JOIN_TEXT = 'Join, and anything you save is added for everyone. Your own list is kept.'
export const JOIN_LINK_TEXT = 'Join this list'
export const LEAVE_TEXT = 'Leave this list'
export const JOINED_TEXT = 'You have joined this list. Hearts on this site add to it.'
export const LINK_GONE_TITLE = 'This link has ended'
export const LINK_GONE_TEXT =
  'The owner of the list has ended the link or made a new one. Ask for the new link. Your own shortlist isn’t affected.'
export const JOINED_GONE_TEXT =
  'The shared list that you had joined can’t be opened any more: its owner ended the link. This is your own shortlist.'
export const FORGET_JOINED_TEXT = 'Got it'

export const COMPARE_TITLE = 'Side by side'
export const COMPARE_TEXT = 'Compare'
/** Also the notice when Compare is pressed with fewer. */
export const COMPARE_HINT = 'Choose two to four to compare.'

/** Why a write was refused. */
export const REFUSALS = {
  gone: 'This listing isn’t shown any more, so it can’t be saved.',
  full: `A shortlist has room for ${MAX_ENTRIES}. Remove one to add another.`,
  too_many: 'Too many changes in a short time. Try again in a minute.',
  not_found: 'This list isn’t there any more. Reload the page.',
  note: NOTE_TOO_LONG,
  note_changed: 'Someone else changed this note in the meantime. Save again to replace theirs with yours.',
  about: `Use a title of at most ${MAX_TITLE_LENGTH} characters without a link, and up to ${MAX_GUESTS.toLocaleString('en-AU')} guests.`,
  name: 'Enter your name, without a link or phone number.',
  no_name: 'Enter your name first, then press the heart again.',
  unlisted: 'This business isn’t on the list any more.',
  voters_full: 'As many people vote on this list as can. Ask its owner to remove one.',
  malformed: 'This didn’t reach us in full. Reload the page and try again.',
} as const
export type Reason = keyof typeof REFUSALS

/** The header's link, for screen readers. */
export const linkText = (count: number) => (count === 0 ? 'Shortlist' : `Shortlist, ${count} saved`)

/** '3 saved', '1 saved'. */
export const countText = (count: number) => `${count} saved`
