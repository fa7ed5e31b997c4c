import type { AccountCode } from './codes.ts'

/** What an account form is for. Its fields are those of the form's schema. */
export type AccountStep =
  | 'sign-up'
  | 'sign-in'
  | 'request-password-reset'
  | 'reset-password'
  | 'change-password'
  | 'confirm-password'
  | 'delete-account'
  | 'change-email'
  | 'confirm-email'
  | 'resend-verification'

/** Public settings of the hosted service. */
export type HostedSettings = {
  apiKey: string
  authDomain: string
  projectId: string
  appId: string
  /** A local server in the service's place (tests). */
  emulatorUrl: string | null
}

export type StepAnswer = { ok: true } | { ok: false; reason: AccountCode }

/** The hosted service in the browser: what has to happen there, so that a password goes to the service alone. */
export interface BrowserAccounts {
  /**
   * Does a form's part at the service, then sends the form to our server with the ID token in place of each password.
   * @param form is changed
   * @param send resolves once our server's answer is shown
   * @returns the refusal of the service; that of our server is shown by `send`
   */
  carryOut(step: AccountStep, form: FormData, send: (form: FormData) => Promise<void>): Promise<StepAnswer>
  /**
   * Lets our session live as long as the service's newest ID token.
   * @returns whether there was anything to renew, and it was
   * @throws when the service or our server can't be reached
   */
  renew(): Promise<boolean>
  /** Renews with each new ID token from now on; the SDK gets one five minutes before the old one ends. */
  keepRenewing(): void
  signOut(): Promise<void>
}
