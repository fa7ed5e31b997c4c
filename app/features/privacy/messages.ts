/** The reason that customers with an approved booking get when their vendor declines all of them in one step. */
export const ACCOUNT_CLOSES = 'The vendor is closing their account.'

/** The message after declining all open bookings in one step. */
export function declinedText({ declined, refused }: { declined: number; refused: number }): string {
  const done = `${declined === 1 ? 'One booking is' : `${declined} bookings are`} declined; your customers get a full refund and an email.`
  return refused === 0 ? done : `${done} ${refused} changed in the meantime: check again.`
}

export const CLOSED_TEXTS = {
  deleted: {
    title: 'Your account is deleted',
    text: 'Thank you for celebrating with us. A last email confirms it.',
  },
  deactivated: {
    title: 'Your account is deactivated',
    text: 'You’re logged out everywhere. To come back, log in and we’ll offer to reactivate it.',
  },
  'signed-out': {
    title: 'You are logged out everywhere',
    text: 'Every browser that was logged in to your account has to log in again.',
  },
} as const
export type ClosedHow = keyof typeof CLOSED_TEXTS

/** The question about analytics, and the choice in the settings (Decision 23). */
export const CONSENT_TEXTS = {
  title: 'Counting visits',
  question:
    'May we count your visits with Google Analytics? It helps us see what people look for. The site works the same without it.',
  allow: 'Allow',
  deny: 'No thanks',
  withdraw: 'Stop counting',
  isOn: 'This browser’s visits are counted with Google Analytics, without what you type or search for.',
  isOff: 'This browser’s visits aren’t counted.',
} as const

/** Shown to the last admin in place of the button that would delete or deactivate their account. */
export const LAST_ADMIN_TEXTS = {
  title: 'You are the only admin',
  text: 'Without you, nobody could name operators. Make another person an admin first, and then come back.',
  action: 'Name an admin',
} as const

/** Why an account can't be deleted while a customer pays for one of its quotes. */
export const QUOTE_BEING_PAID =
  'A customer is paying for your quote right now, so your account can’t be deleted yet. Please try again in an hour.'

/** Why an account can't be deleted while money of its bookings is on its way. */
export const OPEN_MONEY_TEXTS = {
  held: (amount: string) =>
    `We hold ${amount} from your bookings. Set up your payouts if you haven’t yet. Once the money is paid out, you can delete your account.`,
  owed: (amount: string) => `You owe us ${amount}. Once it is paid, you can delete your account.`,
} as const

/** The documents on Settings & Privacy. */
export const DOCUMENTS_TITLE = 'Terms and privacy'
export const DOCUMENTS_TEXT = 'The documents that apply to you, and those that you’ve accepted.'
