import type { Database, DatabaseTransaction } from '../database/port.ts'
import type { RateLimits } from '../rate-limits/port.ts'
import { deviceCalls } from './better-auth/devices.server.ts'
import { emailAddressCalls } from './better-auth/email-addresses.server.ts'
import { createLibrary } from './better-auth/library.server.ts'
import {
  type AccountMailQueue,
  type IssuedLink,
  issueMailedLink,
  type LinkRequest,
} from './better-auth/mails.server.ts'
import { createPasskeys } from './better-auth/passkeys.server.ts'
import { createPasswordChecks } from './better-auth/password-checks.server.ts'
import { passwordCalls } from './better-auth/passwords.server.ts'
import { createProofs } from './better-auth/proofs.server.ts'
import { createFactorChecks, createSecondFactor } from './better-auth/second-factor.server.ts'
import { createSessions } from './better-auth/sessions.server.ts'
import { signInCalls } from './better-auth/sign-in.server.ts'
import { findDeviceLink } from './device-links.server.ts'
import { createKnownBrowsers } from './known-browsers.server.ts'
import { type IsWeakPassword, type Passwords, slowPasswords } from './passwords.server.ts'
import type { Accounts, FactorChange } from './port.ts'
import type { SecurityLog } from './security-log.ts'
import type { SessionRules } from './sessions.server.ts'

export type BetterAuthAccounts = Accounts & {
  /**
   * Makes the link of a queued mail.
   * @returns null when there is no one to mail: no account, a disabled one, or an address that needs no proof
   */
  issueLink(request: LinkRequest): Promise<IssuedLink | null>
}

/**
 * Accounts by Better Auth on the product's own database: sessions in the database, httpOnly cookies, scrypt. The
 * mailed links are ours (account-links): hashed, single-use, and redeemed in the transaction that makes the change.
 * @param given.publicUrl decides whether cookies are Secure
 * @param given.meetsPolicy whether a new password is allowed
 * @param given.isWeak whether a new password is easy to guess
 * @param given.sessionRules how long sessions last
 * @param given.onSessionsEnded called inside the transaction when a user's sessions end
 * @param given.onFactorChange called after a change of how an account signs in, so that its owner can be told
 * @param given.onUnknown called with each code that the mapping lacks
 * @param given.passwords replaces the slow hashes (tests)
 */
export function createBetterAuthAccounts(given: {
  db: Database
  publicUrl: URL
  secret: string
  meetsPolicy: (password: string) => boolean
  isWeak: IsWeakPassword
  sessionRules: SessionRules
  queue: AccountMailQueue
  onSessionsEnded: (tx: DatabaseTransaction, userId: string) => Promise<void>
  onFactorChange: (change: FactorChange) => Promise<void>
  securityLog: SecurityLog
  rateLimits: RateLimits
  onUnknown: (code: string) => void
  now: () => Date
  passwords?: Passwords
}): BetterAuthAccounts {
  const options = { ...given, passwords: given.passwords ?? slowPasswords }
  const library = createLibrary(options)
  const knownBrowsers = createKnownBrowsers(options)
  const sessions = createSessions({ ...options, library, knownBrowsers })
  const checks = createPasswordChecks({ ...options, knownBrowsers, sessions })
  const factorChecks = createFactorChecks({ ...options, library })
  const proofs = createProofs({ ...options, sessions, checks, factorChecks })
  const deps = { ...options, library, knownBrowsers, sessions, checks, factorChecks, proofs }
  return {
    proofs,
    secondFactor: createSecondFactor(deps),
    passkeys: createPasskeys(deps),
    ...sessions,
    ...signInCalls(deps),
    ...passwordCalls(deps),
    ...emailAddressCalls(deps),
    ...deviceCalls(deps),
    findDeviceLink: (_request, { token }) => findDeviceLink(deps.db, token, deps.now()),
    issueLink: (request) => issueMailedLink(options, request),
  }
}
