import { MAX_ALBUM_PICTURES } from './album-rules.ts'
import type { AlbumRefusal } from './album-schema.ts'

export const ALBUM_TITLE = 'Album'
export const ALBUM_LINK_TEXT = 'Album'
export const albumHint = `Up to ${MAX_ALBUM_PICTURES}. We shrink large photos before they are sent, and remove where they were taken.`
export const ALBUM_INTRO =
  'Show more of your work than the three pictures of your listing. Customers see the album on your page, in this order.'
export const NO_PICTURES_TEXT = 'No pictures yet. The first one you add shows on your page at once.'
export const HIDDEN_ALBUM_TEXT = 'Customers see the album once your listing is public.'
export const CAPTION_LABEL = 'Caption'
export const ALBUM_ALT_HINT = 'For people who can’t see it.'
export const SEE_ON_PAGE_TEXT = 'See it on your page'
export const BACK_TO_LISTINGS_TEXT = 'Your listings'
export const LEAVE_ALBUM_TEXTS = {
  title: 'Leave before everything is sent?',
  body: 'Pictures that are still uploading would be lost.',
  confirmLabel: 'Leave',
  cancelLabel: 'Stay',
} as const

const pictureCountText = (count: number) => (count === 1 ? '1 picture' : `${count} pictures`)
export const roomText = (count: number) =>
  count >= MAX_ALBUM_PICTURES
    ? `The album is full: it holds ${MAX_ALBUM_PICTURES} pictures.`
    : `${pictureCountText(count)} of ${MAX_ALBUM_PICTURES}`
export const movedText = (index: number, count: number) => `Now picture ${index + 1} of ${count}.`
export const removedText = (name: string) => `Removed ${name}.`
export const UNDO_TEXT = 'Undo'
export const RETRY_TEXT = 'Try again'
export const SAVED_TEXT = 'All changes saved'
export const SAVING_TEXT = 'Saving...'
export const UNSENT_TEXT = 'No connection. Your changes are kept here and sent as soon as it is back.'
export const LOG_IN_AGAIN_TEXT = 'You are no longer logged in. Your changes are kept in this tab.'
export const SLOW_DOWN_TEXT = 'That was a lot at once. The rest is sent in a minute.'
export const skippedText = (count: number) =>
  count === 1
    ? `1 picture was left out: the album holds ${MAX_ALBUM_PICTURES}.`
    : `${count} pictures were left out: the album holds ${MAX_ALBUM_PICTURES}.`
export const tooLargeText = (fileName: string) =>
  `${fileName} is larger than 10 MB, and this browser can’t shrink it.`

export const ALBUM_REFUSALS = {
  signed_out: LOG_IN_AGAIN_TEXT,
  too_often: SLOW_DOWN_TEXT,
  malformed: 'This change couldn’t be saved.',
  not_found: 'This listing is no longer here.',
  full: `The album is full: it holds ${MAX_ALBUM_PICTURES} pictures.`,
  unknown_image: 'This picture is no longer stored. Please add it again.',
} as const satisfies Record<AlbumRefusal, string>

// On the business's page.
export const ALBUM_HEADING = 'Album'
export const showMoreText = (count: number) => `Show all ${count} pictures`
/** The vendor's words for a picture of the album. */
export const albumAlt = (
  name: string,
  picture: { alt: string; caption: string },
  index: number,
  count: number,
) => picture.alt || picture.caption || `${name}, album picture ${index + 1} of ${count}`
