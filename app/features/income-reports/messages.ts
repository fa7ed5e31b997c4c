import type { Detail } from './rules.ts'

export const TAX_OFFICE_TITLE = 'Report to the Tax Office'
export const TAX_OFFICE_NOTE =
  'The law makes us tell the Tax Office twice a year what each vendor earns here (the Sharing Economy Reporting Regime). The report has your name, address, email and phone, your ABN, your date of birth if you’re a sole trader, the account we pay you to, and by quarter what customers paid, GST and our commission. It changes nothing about your prices or payouts.'
export const NOTHING_MISSING_TEXT =
  'We have everything that the next report needs. What your registration has, you change there.'
export const MISSING_INTRO =
  'Please add what the next report still needs. Nobody but our operators and the Tax Office sees it.'
export const ENGLISH_ONLY = 'Please write it in English letters: the Tax Office takes no others.'
export const ANSWERS_TITLE = 'What you’ve added'
export const CHANGE_DETAILS = 'Change my details'
export const CHANGE_PROPERTY = 'Change this address'
export const SAVE_DETAILS = 'Save my details'
export const SAVE_PROPERTY = 'Save this address'
export const SAVING = 'Saving...'
export const SAVED = 'Saved. Thank you.'
export const DETAILS_EMPTY = 'Please fill in what is missing.'

export const DETAIL_ERRORS = {
  birthDate: 'Enter your date of birth as a day in the past.',
  email: 'Enter an email address. The Tax Office takes none with a + in it.',
  phone: 'Enter a phone number with at least 6 digits.',
  property: 'Enter the street address.',
} as const

/** The fields that a vendor is asked for. An ABN is asked for by the registration alone. */
export const DETAIL_LABELS = {
  fullName: { label: 'Full name', hint: 'As in your tax return, in English letters.' },
  businessName: { label: 'Business name', hint: 'As the business register has it, in English letters.' },
  birthDate: { label: 'Date of birth', hint: 'Needed for sole traders and people without a company.' },
  address: { label: 'Address', hint: 'Street, suburb, state and postcode, in English letters.' },
  email: { label: 'Email', hint: 'Without a + in it.' },
  phone: { label: 'Phone', hint: '' },
} as const satisfies Record<Exclude<Detail, 'abn'>, { label: string; hint: string }>
export type AskedDetail = keyof typeof DETAIL_LABELS

export const PROPERTY_HINT =
  'Where it stands: street, suburb, state and postcode. It isn’t shown to visitors.'

/** 'Street address of Harbour Light' */
export const propertyLabel = (businessName: string) => `Street address of ${businessName}`

/** The refusals of the two forms. */
export const DETAIL_FAILURES = {
  too_often: 'You’ve saved often in a short time. Try again in a few minutes.',
  not_found: 'This venue is no longer yours. Open this page again.',
} as const

/** Said on the screen that deletes the account, while the reports lack details of a vendor who has had income. */
export const DETAILS_BEFORE_DELETION =
  'Customers have paid for your bookings, so the law makes us report them to the Tax Office. A few details about you are still missing. Once you’ve added them, you can delete your account.'
export const ADD_DETAILS = 'Add my details'

/** Said on the screen that deletes the account, to vendors who have had income. */
export const KEPT_AFTER_DELETION =
  'Because customers have paid for your bookings, we also keep your name, date of birth, address, email, phone and ABN for five years, for the reports to the Tax Office that the law asks of us.'
