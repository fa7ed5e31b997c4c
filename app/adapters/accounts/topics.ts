import type { Accounts } from './port.ts'

/* The port's calls by topic. Each adapter has a file of the same name for each topic. */

export type SignInCalls = Pick<Accounts, 'signUp' | 'signIn'>

export type PasswordCalls = Pick<
  Accounts,
  'requestPasswordReset' | 'findResetEmail' | 'resetPassword' | 'changePassword' | 'confirmPassword'
>

export type EmailAddressCalls = Pick<
  Accounts,
  | 'resendVerification'
  | 'requestEmailChange'
  | 'findEmailLink'
  | 'confirmEmail'
  | 'detachEmail'
  | 'findUndoLink'
  | 'undoEmailChange'
>

export type DeviceCalls = Pick<Accounts, 'findDeviceLink' | 'refuseDevice'>
