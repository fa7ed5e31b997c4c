import type { Database, DatabaseTransaction } from '../database/port.ts'
import type { RateLimits } from '../rate-limits/port.ts'
import { emailAddressCalls } from './better-auth/email-addresses.server.ts'
import { createLibrary } from './better-auth/library.server.ts'
import {
  type AccountMailQueue,
  type IssuedLink,
  issueMailedLink,
  type LinkRequest,
} from './better-auth/mails.server.ts'
import { createPasswordChecks } from './better-auth/password-checks.server.ts'
import { passwordCalls } from './better-auth/passwords.server.ts'
import { createSessions } from './better-auth/sessions.server.ts'
import { signInCalls } from './better-auth/sign-in.server.ts'
import { createKnownBrowsers } from './known-browsers.server.ts'
import type { Accounts } from './port.ts'

export type BetterAuthAccounts = Accounts & {
  /**
   * Makes the link of a queued mail.
   * @returns null when there is nobody to send it to: no account, a disabled one, or nothing left to prove
   */
  issueLink(request: LinkRequest): Promise<IssuedLink | null>
}

/**
 * Accounts by Better Auth on the product's own database: sessions in the database, httpOnly cookies, scrypt. The
 * links in mails are ours (account-links): hashed, used once, all in one transaction with what they change.
 * @param options.publicUrl decides whether cookies are Secure
 * @param options.meetsPolicy whether a new password may be chosen
 * @param options.onSessionsEnded told inside the transaction when sessions of a user end elsewhere
 * @param options.onUnknown told of codes that the mapping lacks
 */
export function createBetterAuthAccounts(options: {
  db: Database
  publicUrl: URL
  secret: string
  meetsPolicy: (password: string) => boolean
  queue: AccountMailQueue
  onSessionsEnded: (tx: DatabaseTransaction, userId: string) => Promise<void>
  rateLimits: RateLimits
  onUnknown: (code: string) => void
  now: () => Date
}): BetterAuthAccounts {
  const library = createLibrary(options)
  const knownBrowsers = createKnownBrowsers(options)
  const sessions = createSessions({ ...options, library, knownBrowsers })
  const checks = createPasswordChecks({ ...options, knownBrowsers, sessions })
  const deps = { ...options, library, knownBrowsers, sessions, checks }
  return {
    ...sessions,
    ...signInCalls(deps),
    ...passwordCalls(deps),
    ...emailAddressCalls(deps),
    issueLink: (request) => issueMailedLink(options, request),
  }
}
