import type { SecurityEventKind } from '../../adapters/accounts/security-log.ts'
import type { ActivityEvent } from './security-rules.ts'

export const ACTIVITY_TITLE = 'Recent activity'
export const ACTIVITY_INTRO =
  'Logins, wrong passwords and changes to your account, newest first. We keep them for 180 days.'
/** For logins by a hosted service, which checks the passwords: wrong ones never reach us, so we can't list them. */
export const ACTIVITY_INTRO_HOSTED =
  'Logins and changes to your account, newest first. We keep them for 180 days. Wrong passwords are counted by our login service and aren’t listed here.'
export const NO_ACTIVITY = 'Nothing has happened yet. Your next login will be here.'
export const NOT_ME_TITLE = 'This wasn’t me'

const TEXTS = {
  'sign-up': 'You created your account',
  'sign-up-refused': 'A sign-up was refused',
  'sign-in-begun': 'Right password entered, waiting for a code',
  'sign-in': 'Logged in',
  'sign-in-refused': 'Login refused',
  'sign-out': 'Logged out',
  'sessions-ended': 'Logged out on another device',
  'proof-refused': 'Wrong password or code entered in your account',
  'password-changed': 'Password changed',
  'password-reset-asked': 'A link to a new password was requested',
  'password-reset-refused': 'Too many requests for a new password',
  'password-reset': 'New password set by a mailed link',
  'second-factor-on': 'Two-step login turned on',
  'second-factor-off': 'Two-step login turned off',
  'recovery-codes-renewed': 'New recovery codes made',
  'recovery-code-used': 'Recovery code used',
  'passkey-added': 'Passkey added',
  'passkey-removed': 'Passkey removed',
  'email-change-asked': 'A change of email was requested',
  'email-changed': 'Email changed',
  'email-confirmed': 'Email confirmed',
  'email-change-undone': 'Change of email undone',
  'email-detached': 'Email removed by its owner',
  'not-me': 'A login was reported as ‘This wasn’t me’',
  'data-exported': 'Your data was downloaded',
  'account-deactivated': 'Account deactivated',
  'account-reactivated': 'Account reactivated',
  'account-deleted': 'Account deleted',
  'operator-act': 'Our team worked on your account',
} as const satisfies Record<SecurityEventKind, string>

/** Texts of a kind with its detail, where they say more. */
const DETAILED: Readonly<Record<string, string>> = {
  'sign-in: password': 'Logged in with the password',
  'sign-in: code': 'Logged in with the password and a code',
  'sign-in: recovery-code': 'Logged in with the password and a recovery code',
  'sign-in: passkey': 'Logged in with a passkey',
  'sign-in-refused: invalid-credential': 'Login refused: wrong password',
  'sign-in-refused: invalid-verification-code': 'Login refused: wrong code',
  'sign-in-refused: too-many-requests': 'Login refused: too many attempts',
  'sign-in-refused: user-disabled': 'Login refused: this account is disabled',
  'proof-refused: requires-recent-login': 'A change was refused, because it needs a recent login',
  'proof-refused: user-token-expired': 'An invalid login was refused in your account',
  'proof-refused: invalid-verification-code': 'Wrong code entered while two-step login was being set up',
  'proof-refused: invalid-credential': 'Wrong passkey used in your account',
  'proof-refused: code-expired': 'A passkey was used too late in your account',
  'sessions-ended: all': 'Logged out everywhere',
  'operator-act: disable-account': 'Our team disabled your account',
  'operator-act: enable-account': 'Our team enabled your account',
  'operator-act: open-activity': 'Our team looked at this list',
}

/** An event in words: 'Login refused: wrong password'. */
export function eventText({
  kind,
  detail,
  byOperator,
}: Pick<ActivityEvent, 'kind' | 'detail' | 'byOperator'>) {
  // An operator's acts on payments and listings are in the operator's own activity.
  if (kind === 'operator-act' && !byOperator)
    return `You acted as an operator: ${detail?.replaceAll('-', ' ')}`
  return DETAILED[`${kind}: ${detail}`] ?? TEXTS[kind]
}

/** How often an event happened: '7 times'. Empty for once. */
export const timesText = (times: number) => (times > 1 ? `${times} times` : '')

/** Events that only the account's owner can have caused, or whose cause is in no doubt. */
const CERTAIN: readonly SecurityEventKind[] = ['sign-up', 'not-me', 'email-change-undone', 'operator-act']

/** Whether an event offers 'This wasn't me'. */
export const isDoubtful = (kind: SecurityEventKind): boolean => !CERTAIN.includes(kind)
