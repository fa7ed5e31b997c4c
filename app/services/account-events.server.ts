import type { AccountMailQueue, LinkRequest } from '../adapters/accounts/better-auth/mails.server.ts'
import type { FactorChange, MailedAccount } from '../adapters/accounts/port.ts'
import type { SessionRules } from '../adapters/accounts/sessions.server.ts'
import type { DatabaseTransaction } from '../adapters/database/port.ts'
import { noteFactorChange, tellAddresses, tellOfEmailChange } from '../features/accounts/commands.server.ts'
import { emailChangeUndoneMail, emailLeftMail, passwordChangedMail } from '../features/accounts/mails.ts'
import { findRole } from '../features/operators/people-queries.server.ts'
import type { Services } from './contract.server.ts'

/** The mails and live updates that follow from changes of accounts. */
export function accountEventsOf({
  config,
  db,
  jobs,
  liveUpdates,
  now,
}: Pick<Services, 'config' | 'db' | 'jobs' | 'liveUpdates' | 'now'>) {
  const site = { brand: config.brand, publicUrl: config.publicUrl }
  const queueLink = (request: LinkRequest) =>
    db.transaction().execute((tx) => jobs.enqueue(tx, 'send-account-link', request))
  const passwordChanged = (to: MailedAccount) =>
    tellAddresses({ db, jobs, now }, to, (one) => passwordChangedMail(one, site))
  const emailChangeUndone = (tx: DatabaseTransaction, to: MailedAccount) =>
    jobs.enqueue(tx, 'send-mail', emailChangeUndoneMail(to, site))
  const queue: AccountMailQueue = {
    passwordReset: (email) => queueLink({ kind: 'reset-password', email }),
    verification: (userId) => queueLink({ kind: 'verify-email', userId }),
    emailChange: (userId, email) => queueLink({ kind: 'change-email', userId, email }),
    passwordChanged,
    emailChanged: (tx, change) => tellOfEmailChange({ jobs, now, site }, tx, change),
    emailLeft: (tx, to) => jobs.enqueue(tx, 'send-mail', emailLeftMail(to, site)),
    emailChangeUndone,
  }
  return {
    queue,
    passwordChanged,
    emailChangeUndone,
    onSessionsEnded: (tx: DatabaseTransaction, userId: string) =>
      liveUpdates.publish(tx, `session:${userId}`),
    onFactorChange: (change: FactorChange) => noteFactorChange({ db, jobs, now, site }, change),
  }
}

/** How long sessions last by the settings. */
export function sessionRulesOf({ config, db }: Pick<Services, 'config' | 'db'>): SessionRules {
  return {
    all: { lifeMs: config.sessionLifeMs, idleMs: null },
    operators: config.operatorSession,
    isOperator: async (user) => (await findRole(db, user, config.operatorEmails)) !== null,
  }
}
