import type { FetchImplementation } from 'jose'
import type { Database, DatabaseTransaction } from '../database/port.ts'
import type { RateLimits } from '../rate-limits/port.ts'
import { emailAddressCalls } from './firebase/email-addresses.server.ts'
import { limitsOf } from './firebase/limits.server.ts'
import { createLinkedUsers } from './firebase/linked-users.server.ts'
import { createPasswordChecks } from './firebase/password-checks.server.ts'
import { passwordCalls } from './firebase/passwords.server.ts'
import { createFirebaseService, type FetchService } from './firebase/service.server.ts'
import { createSessions, type RenewableSessions } from './firebase/sessions.server.ts'
import { signInCalls } from './firebase/sign-in.server.ts'
import { createTokens } from './firebase/tokens.server.ts'
import { createKnownBrowsers } from './known-browsers.server.ts'
import type { Accounts, MailedAccount } from './port.ts'

/** The hosted service as an adapter of the accounts port: every password in its input is an ID token instead. */
export type HostedAccounts = Accounts & RenewableSessions

/**
 * Accounts by Firebase Auth. The browser talks to the service through its SDK; here its ID tokens are checked, linked
 * to our users by issuer and subject, and exchanged for sessions in our own table, so that loaders know the user the
 * same way as under the other adapter. A password never comes here: wherever the port has one, the browser has put the
 * ID token that it got for it (docs/decisions/0006-hosted-sign-in.md).
 * @param options.publicUrl decides whether cookies are Secure
 * @param options.secret signs the cookie of browsers that signed in before
 * @param options.projectId whose tokens are taken
 * @param options.apiKey the project's public key, for the codes of its mails
 * @param options.emulatorUrl a local server that speaks the service's calls and publishes its keys; null for the service
 * @param options.fetchKeys in the place of fetch, for the keys of the service
 * @param options.onSessionsEnded told inside the transaction when sessions of a user end elsewhere
 * @param options.passwordChanged mails the owner of the account
 * @param options.emailChangeUndone mails the address that an undone change takes off the account
 * @param options.onProblem told of what an operator should know: keys that can't be fetched, an address that is taken
 */
export function createFirebaseAccounts(options: {
  db: Database
  publicUrl: URL
  secret: string
  projectId: string
  apiKey: string
  emulatorUrl: string | null
  rateLimits: RateLimits
  fetchKeys?: FetchImplementation
  fetchService?: FetchService
  onSessionsEnded: (tx: DatabaseTransaction, userId: string) => Promise<void>
  passwordChanged: (to: MailedAccount) => Promise<void>
  emailChangeUndone: (tx: DatabaseTransaction, to: MailedAccount) => Promise<void>
  onProblem: (problem: string, error?: unknown) => void
  now: () => Date
}): HostedAccounts {
  const tokens = createTokens(options)
  const linkedUsers = createLinkedUsers({ db: options.db, issuer: tokens.issuer })
  const service = createFirebaseService({ ...options, fetchService: options.fetchService ?? fetch })
  const knownBrowsers = createKnownBrowsers(options)
  const take = limitsOf({ ...options, knownBrowsers })
  const shared = { ...options, tokens, linkedUsers, service, knownBrowsers, take }
  const sessions = createSessions(shared)
  const checks = createPasswordChecks({ ...shared, sessions })
  const deps = { ...shared, sessions, checks }
  return {
    ...sessions,
    ...signInCalls(deps),
    ...passwordCalls(deps),
    ...emailAddressCalls(deps),
  }
}
