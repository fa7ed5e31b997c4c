import { type CompletenessStep, FULL_DESCRIPTION_LENGTH } from './completeness-rules.ts'
import { MAX_IMAGES } from './rules.ts'

// The score of a listing, for its vendor alone.

export const COMPLETENESS_LABELS = {
  price: 'Add a price, so that people can book at once',
  picture: 'Add a picture',
  description: `Describe it in ${FULL_DESCRIPTION_LENGTH} characters or more`,
  morePictures: `Add pictures, up to ${MAX_IMAGES}`,
  maxGuests: 'Say how many guests it takes',
  facts: 'Add facts that people filter by',
  hours: 'Set when it can be booked',
  terms: 'Choose how customers can cancel and pay',
  registration: 'Register your ABN',
  payouts: 'Set up your payouts',
} as const satisfies Record<CompletenessStep, string>

export const completeText = (percent: number) => `${percent}% complete`
export const ALL_COMPLETE_TEXT = 'This listing is complete.'
