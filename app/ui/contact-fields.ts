/** Attributes of an email field: the on-screen keyboard has an @, and nothing is auto-corrected. */
export const EMAIL_FIELD = {
  inputMode: 'email',
  autoComplete: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
} as const

/** Attributes of a field for a phone number. */
export const PHONE_FIELD = { inputMode: 'tel', autoComplete: 'tel' } as const

/** Attributes of a field for the address of a website. */
export const ADDRESS_FIELD = {
  inputMode: 'url',
  autoComplete: 'url',
  autoCapitalize: 'none',
  spellCheck: false,
} as const
