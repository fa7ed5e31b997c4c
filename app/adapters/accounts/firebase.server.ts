import type { FetchImplementation } from 'jose'
import type { Database, DatabaseTransaction } from '../database/port.ts'
import type { RateLimits } from '../rate-limits/port.ts'
import { findDeviceLink } from './device-links.server.ts'
import { deviceCalls } from './firebase/devices.server.ts'
import { emailAddressCalls } from './firebase/email-addresses.server.ts'
import { limitsOf } from './firebase/limits.server.ts'
import { createLinkedUsers } from './firebase/linked-users.server.ts'
import { createPasswordChecks } from './firebase/password-checks.server.ts'
import { passwordCalls } from './firebase/passwords.server.ts'
import { createFirebaseService, type FetchService } from './firebase/service.server.ts'
import { createSessions, type RenewableSessions } from './firebase/sessions.server.ts'
import { type HostedSignInCalls, signInCalls } from './firebase/sign-in.server.ts'
import { createTokens } from './firebase/tokens.server.ts'
import { createKnownBrowsers } from './known-browsers.server.ts'
import type { Accounts, MailedAccount } from './port.ts'
import type { SecurityLog } from './security-log.ts'
import type { SessionRules } from './sessions.server.ts'

/** The hosted service behind the accounts port. Every password in its input is an ID token instead. */
export type HostedAccounts = HostedSignInCalls & Accounts & RenewableSessions

/**
 * Accounts by Firebase Auth. The browser talks to the service through its SDK. The server checks the ID tokens, links
 * them to our users by issuer and subject, and exchanges them for sessions in our own table, so that loaders find the
 * user as they do with the other adapter. Passwords never reach the server: wherever the port has one, the browser
 * sends the ID token that it got for it (docs/decisions/0006-hosted-sign-in.md).
 * @param options.publicUrl decides whether cookies are Secure
 * @param options.secret signs the cookie of browsers that signed in before
 * @param options.projectId the project whose tokens are accepted
 * @param options.apiKey the project's public key, for the codes in its mails
 * @param options.emulatorUrl a local server that replaces the service and publishes its keys; null for the service
 * @param options.fetchKeys replaces fetch for the service's keys
 * @param options.sessionRules how long sessions last, however often they are renewed
 * @param options.onSessionsEnded called inside the transaction when a user's sessions end
 * @param options.passwordChanged mails the owner of the account
 * @param options.emailChangeUndone mails the address that an undone change removes from the account
 * @param options.onProblem reports problems to the operator: keys that can't be fetched, an address that is taken
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
  sessionRules: SessionRules
  onSessionsEnded: (tx: DatabaseTransaction, userId: string) => Promise<void>
  passwordChanged: (to: MailedAccount) => Promise<void>
  emailChangeUndone: (tx: DatabaseTransaction, to: MailedAccount) => Promise<void>
  securityLog: SecurityLog
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
    proofs: null,
    secondFactor: null,
    passkeys: null,
    ...sessions,
    ...signInCalls(deps),
    ...passwordCalls(deps),
    ...emailAddressCalls(deps),
    ...deviceCalls(deps),
    findDeviceLink: (_request, { token }) => findDeviceLink(deps.db, token, deps.now()),
  }
}
