import type { FirstStepKey } from './first-step-rules.ts'

export const FIRST_STEPS = {
  list: { title: 'List what you offer', text: 'Name, price and place: five minutes.' },
  hours: { title: 'Say when you work', text: 'Weekends, evenings or every day: one minute.' },
  payouts: {
    title: 'Set up how you get paid',
    text: 'Your business, the agreement, your bank. Until then we hold your money.',
  },
  abn: {
    title: 'Get the ABN mark',
    text: 'Register your business, and your listings show ‘ABN registered’.',
  },
  share: {
    title: 'Share your page',
    text: 'Send it to people you’ve worked for, or put it in your profile.',
  },
  booking: {
    title: 'Your first booking',
    text: 'It’s already paid when it arrives. Approve or decline it here.',
  },
} as const satisfies Record<FirstStepKey, { title: string; text: string }>

export const COPY_LINK_TEXT = 'Copy link'
export const LINK_COPIED_TEXT = 'Copied.'
/** For browsers that deny access to the clipboard. */
export const LINK_SELECTED_TEXT = 'The link is selected. Copy it yourself.'
export const PAGE_LINK_LABEL = 'Your page'
export const QR_TEXT = 'QR code'
export const QR_HINT = 'For cards, signs and your van. Phones open your page from it.'
