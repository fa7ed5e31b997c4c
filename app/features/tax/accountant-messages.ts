export const ACCOUNTANT_TITLE = 'Send to my accountant each month'
export const ACCOUNTANT_NOTE =
  'Each month your accountant gets an email with links to that month’s documents and files for Xero. They agree to it first, and either of you can stop it at any time.'
export const ACCOUNTANT_LABEL = 'Your accountant’s email'
export const ASK_BUTTON = 'Ask them'
export const ASKING_BUTTON = 'Asking...'
export const STOP_BUTTON = 'Stop'
export const STOPPING_BUTTON = 'Stopping...'
export const ASKED_TOAST = 'We’ve asked them by email.'
export const STOPPED_TOAST = 'Stopped. Links already sent no longer work.'
export const EMAIL_WRONG = 'Enter your accountant’s email address.'

export const ASK_FAILURES = {
  unproven: 'Confirm your own email address first: our email to your accountant names it.',
  ended: 'This address has stopped these emails, so we can’t ask it again.',
  asked: 'We’ve asked this address already, and we ask only once.',
  too_often: 'You’ve asked often today. Try again tomorrow.',
} as const

/** The sentence with the accountant's address. */
export const STATE_TEXTS = {
  asked: (email: string) => `We’ve asked ${email}. They have 7 days to agree.`,
  confirmed: (email: string) => `${email} gets your documents at the start of each month.`,
  ended: (email: string) => `${email} has stopped these emails.`,
} as const

export const CONFIRM_TITLE = 'Get a vendor’s tax documents'
/** @param vendor as their documents name them */
export const confirmText = (vendor: string, email: string) =>
  `${vendor} would like to send their invoices, adjustment notes and commission to ${email} each month, by links that need no account.`
export const AGREE_BUTTON = 'Yes, send them to me'
export const AGREEING_BUTTON = 'Saving...'
export const REFUSE_BUTTON = 'No, don’t ask me again'
export const STOP_EMAILS_BUTTON = 'Stop these emails'
export const AGREED_TEXT = 'Thank you. The first documents come at the start of next month.'
export const ENDED_TITLE = 'These emails have stopped'
export const ENDED_TEXT = 'We won’t send this vendor’s documents to you, and earlier links no longer work.'
export const EXPIRED_TITLE = 'This link is over'
export const EXPIRED_TEXT = {
  confirm:
    'It was open for 7 days, and we ask only once. The vendor can send you their documents themselves.',
  month: 'It was open for 30 days. The vendor has all documents under Payouts.',
} as const
export const CLOSED_TITLE = 'The vendor’s account is closed'
export const CLOSED_TEXT = 'While it is closed, we send none of its documents and this link opens nothing.'
export const monthTitle = (month: string) => `Tax documents for ${month}`
/** @param month 'November 2026' */
export const lateText = (month: string) => `It counts for ${month}, and was issued after that month’s email.`
export const SALES_FILE = 'Sales for Xero (CSV)'
export const COMMISSION_FILE = 'Commission for Xero (CSV)'
export const OPEN_NOTE = 'This page needs no account. It stays open for 30 days after our email.'
