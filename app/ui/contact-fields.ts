/** Attributes of a field for an email address: the phone's keyboard has an @, and nothing is corrected. */
export const EMAIL_FIELD = {
  inputMode: 'email',
  autoComplete: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
} as const

/** Attributes of a field for a phone number. */
export const PHONE_FIELD = { inputMode: 'tel', autoComplete: 'tel' } as const
