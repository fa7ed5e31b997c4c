import type { AccountCode, SessionEnd } from '../../adapters/accounts/port.ts'
import type { MailPreference, PasswordPolicy, PasswordRequirement } from './rules.ts'

// The hosted service has a code for each case. The screen doesn't: that would reveal whether an address has an account.
const WRONG_SIGN_IN = 'Email or password is not right. Check both and try again.'
// Only a misconfigured service causes these: all that a person can do is come back later.
const NOT_SET_UP = 'You can’t log in this way at the moment. Try again later, or contact support.'
const CAPTCHA_FAILED = 'We couldn’t confirm that you’re a person. Reload the page and try again.'

/** One clear sentence for each code, so that nobody ever sees a code (Specification, section 8). */
export const accountWording = {
  'email-already-in-use':
    'There is already an account with this email. Log in instead, or reset your password.',
  'wrong-password': WRONG_SIGN_IN,
  'invalid-credential': WRONG_SIGN_IN,
  'user-not-found': WRONG_SIGN_IN,
  'too-many-requests': 'Too many attempts in a short time. Wait a few minutes, then try again.',
  'expired-action-code': 'This link has expired. Ask for a new one.',
  'invalid-action-code':
    'This link no longer works. It may have expired, or been used already. Ask for a new one.',
  'user-token-expired': 'Your session has ended. Please log in again.',
  'user-disabled': 'This account is disabled. Contact support to find out why.',
  'password-does-not-meet-requirements': 'This password doesn’t meet the requirements. Choose another one.',
  'network-request-failed': 'The login service can’t be reached. Check your connection and try again.',
  'invalid-email': 'Enter an email address like name@example.com.',
  'missing-password': 'Enter your password.',
  'weak-password': 'This password is too easy to guess. Choose another one.',
  'requires-recent-login': 'For this step, please log in again.',
  'operation-not-allowed': NOT_SET_UP,
  'unsupported-password-policy-schema-version': 'This page is out of date. Reload it to check the password.',
  'captcha-check-failed': CAPTCHA_FAILED,
  'recaptcha-not-enabled': NOT_SET_UP,
  'missing-recaptcha-token': CAPTCHA_FAILED,
  'invalid-recaptcha-token': CAPTCHA_FAILED,
  'invalid-recaptcha-action': CAPTCHA_FAILED,
  'missing-recaptcha-version': NOT_SET_UP,
  'invalid-recaptcha-version': NOT_SET_UP,
  'missing-client-type': NOT_SET_UP,
  'invalid-req-type': NOT_SET_UP,
  'multi-factor-auth-required':
    'This account asks for a second step, which this site can’t do yet. Contact support to log in.',
  'multi-factor-info-not-found': 'This second step doesn’t belong to your account. Log in again.',
  'missing-multi-factor-info': 'Choose a second step to log in with.',
  'missing-multi-factor-session': 'The second step took too long. Log in again.',
  'second-factor-already-in-use': 'Your account already has this second step.',
  'maximum-second-factor-count-exceeded': 'Your account can’t have any more second steps. Remove one first.',
  'unsupported-first-factor': 'A second step can’t be added to this way of logging in.',
  'unverified-email': 'Confirm your email first, with the link that we sent.',
  'missing-verification-code': 'Enter the code.',
  'invalid-verification-code': 'This code isn’t right. Check it and try again.',
  'code-expired': 'This code has expired. Ask for a new one.',
  'internal-error': 'Something went wrong on our side. Please try again in a minute.',
} as const satisfies Record<AccountCode, string>

/** Strangers' wrong passwords can use up an owner's limit on a new browser, so this text says what still works. */
export const SIGN_IN_LIMITED =
  'Too many attempts in a short time. Wait a few minutes, then try again, or reset your password by email: that works right away.'
export const CURRENT_PASSWORD_WRONG = 'This isn’t your password. Try again, or reset it.'
export const SAME_EMAIL = 'This is your email already.'
export const EMAIL_TAKEN = 'Another account uses this email. Choose another one.'
export const LINK_CHOICE_MISSING = 'Nothing has changed yet. Choose one of the buttons.'
export const LINK_PASSWORD_MISSING = 'Enter the password of that account.'
export const LINK_PASSWORD_WRONG = 'This isn’t that account’s password. Check it and try again.'

export const CODE_WRONG =
  'This code isn’t right, or has already been used. Wait for the next one and enter that.'
export const RECOVERY_CODE_WRONG =
  'This recovery code isn’t right, or has already been used. Try another one.'
export const CODE_MISSING = 'Enter the six digits from your app.'
export const RECOVERY_CODE_MISSING = 'Enter one of your recovery codes.'

export const PASSKEY_NAME_MISSING = 'Give it a name.'
export const PASSKEY_FAILED = 'Your device didn’t finish. Try again, or use your password.'
/** Refusals of the passkey ceremonies that have better wording than the catalogue. */
export const PASSKEY_REFUSALS: Partial<Record<AccountCode, string>> = {
  'invalid-credential': 'This passkey doesn’t belong to an account here. Log in with your password.',
  'code-expired': 'That took too long. Try again.',
  'invalid-verification-code': 'This passkey couldn’t be saved. Try again.',
  'maximum-second-factor-count-exceeded':
    'You have as many passkeys as an account can have. Remove one first.',
}
/** Refusals of a passkey that proves a signed-in person again. */
export const PASSKEY_PROOF_REFUSALS: Partial<Record<AccountCode, string>> = {
  ...PASSKEY_REFUSALS,
  'invalid-credential': 'This passkey isn’t for your account. Try another one, or your password.',
}
export const PASSKEY_DONE = {
  rename: 'The passkey has its new name.',
  remove: 'The passkey is removed. Delete it on your device, too.',
} as const

/** The reasons for which a sensitive act waits, shown beside the field that asks again. */
export const PROOF_REFUSALS = {
  proof_needed: 'To go on, enter your password or a code from your app.',
  proof_wrong: 'That’s neither your password nor a current code. Try again.',
  proof_code: 'Enter a code from your app. For payouts your password isn’t enough.',
  proof_limited: 'Too many attempts in a short time. Wait a few minutes, then try again.',
} as const
/** Beside the field of a form that changes how an account with two-step login signs in. */
export const FACTOR_PROOF_NEEDED =
  'To go on, enter a code from your app. Your password isn’t enough here. Lost your phone? Log out, then log in with a recovery code.'
export type ProofRefusal = keyof typeof PROOF_REFUSALS
export const PROOF_LABEL = 'Your password or a code'
export const FACTOR_PROOF_LABEL = 'Code from your app'
export const SETUP_EXPIRED =
  'That took longer than 15 minutes, so the code on the screen has expired. Start again.'
export const PROOF_BY_PASSKEY = 'Use a passkey'

/** The confirmations after a change of two-step login. */
export const TWO_STEP_DONE = {
  on: 'Two-step login is on.',
  codes: 'Your earlier recovery codes no longer work.',
  off: 'Two-step login is off.',
} as const

export function recoveryCodesLeftText(left: number): string {
  if (left === 0) return 'No recovery codes left. Make new ones.'
  return left === 1 ? 'One recovery code left. Make new ones.' : `${left} recovery codes left.`
}

/** The text file with a person's recovery codes. */
export const recoveryFile = (codes: readonly string[], brand: string) =>
  [`Recovery codes for ${brand}. Each works once, in place of a code from your app.`, '', ...codes, ''].join(
    '\n',
  )

/** Shown once the link to a new address is on its way. */
export const emailChangeSent = (email: string) =>
  `We have sent a link to ${email}. It becomes your email once you follow it.`

/** The link that undoes a change of email has its own wording: a person can't ask for a new one. */
export const UNDO_REFUSALS: Partial<Record<AccountCode, string>> = {
  'expired-action-code':
    'This link has expired: a change can be undone for seven days. If it wasn’t you, contact us.',
  'invalid-action-code':
    'This link no longer works. The change may be undone already. If you can’t log in, contact us.',
  'email-already-in-use':
    'Another account has confirmed this address since then, so we can’t give it back here. Please contact us.',
}
/** The link 'This wasn't me' has its own wording: a person can't ask for a new one. */
export const NOT_ME_REFUSALS: Partial<Record<AccountCode, string>> = {
  'expired-action-code':
    'This link has expired: it works for seven days. If you don’t know the device, change your password.',
  'invalid-action-code':
    'This link no longer works. You may have used it already. If you don’t know the device, change your password.',
}
/** The wording for registrations (Specification, section 5), also used for an account's phone. */
export const PHONE_INVALID = 'Invalid phone number format. Please check and try again.'

/** One line of the checklist shown while a password is typed. */
export function requirementText(requirement: PasswordRequirement, policy: PasswordPolicy): string {
  switch (requirement) {
    case 'minLength':
      return `At least ${policy.minLength} characters`
    case 'maxLength':
      return `At most ${policy.maxLength} characters`
    case 'lowercase':
      return 'A lower-case letter'
    case 'uppercase':
      return 'An upper-case letter'
    case 'numeric':
      return 'A digit'
    case 'nonAlphanumeric':
      return 'A symbol such as ! or #'
  }
}

export const PHOTO_REFUSALS = {
  not_an_image: 'We can’t read this image. Choose a JPEG, PNG, WebP, GIF or AVIF.',
  empty: 'This file is empty. Choose another one.',
  too_large: 'This photo is larger than 2 MB. Choose a smaller one.',
  too_many_pixels: 'This photo has more than 50 million pixels. Choose a smaller one.',
  too_many_today: 'You’ve uploaded too many large pictures today. Try again tomorrow.',
  too_often: 'You’ve uploaded too many pictures in a short time. Try again in ten minutes.',
  too_many_at_once: 'Your other pictures are still uploading. Try again in a minute.',
  overrun: 'We can’t save photos right now. Try again in a few minutes.',
} as const

export const PREFERENCE_TEXTS = {
  signIns: {
    label: 'Logins on a new device',
    hint: 'We tell you in case it wasn’t you.',
  },
  newBookings: {
    label: 'New bookings of your business',
    hint: 'You also see them in your dashboard and notifications.',
  },
  reminders: {
    label: 'Reminders of your business’s bookings',
    hint: 'About bookings that wait for your answer, and events coming up.',
  },
  reviews: {
    label: 'Reviews',
    hint: 'New reviews of your business, and any of yours that we didn’t publish.',
  },
} as const satisfies Record<MailPreference, { label: string; hint: string }>

/** The refusal over `WRITE_LIMIT`. */
export const TOO_MANY_WRITES_TEXT = 'You have saved too often in a short time. Try again in ten minutes.'

/** Shown when the browser learns that its session has ended. */
export const SESSION_END_TEXTS = {
  'user-disabled': accountWording['user-disabled'],
  'user-token-expired': accountWording['user-token-expired'],
} as const satisfies Record<SessionEnd, string>

export const LOGIN_INTRO = 'Your bookings and your listings in one place.'

export const SIGN_UP_INTRO =
  'One account for booking and for listing your own business. Booking works without one, too.'
