import type { AccountCode } from './codes.ts'

/** The purpose of an account form. Its fields are those of the form's schema. */
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
  /** A local server that replaces the service in tests. */
  emulatorUrl: string | null
}

export type StepAnswer = { ok: true } | { ok: false; reason: AccountCode }

/** The browser's part of a hosted service, which makes sure that passwords go to the service alone. */
export interface BrowserAccounts {
  /**
   * Does the service's part of a form, then sends the form to our server with an ID token in place of each password.
   * @param form mutated
   * @param send resolves once our server's answer is shown
   * @returns the service's refusal; `send` shows a refusal by our server
   */
  carryOut(step: AccountStep, form: FormData, send: (form: FormData) => Promise<void>): Promise<StepAnswer>
  /**
   * Extends our session to the end of the service's newest ID token.
   * @returns whether a session was renewed
   * @throws when the service or our server can't be reached
   */
  renew(): Promise<boolean>
  /** Renews with each new ID token from now on. The SDK fetches one five minutes before the old one expires. */
  keepRenewing(): void
  signOut(): Promise<void>
}
