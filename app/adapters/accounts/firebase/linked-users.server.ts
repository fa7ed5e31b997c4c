import type { Selectable } from 'kysely'
import type { Database, DatabaseTransaction, Tables } from '../../database/port.ts'
import type { Identity } from './tokens.server.ts'

/** A user with an account at the service. */
export type LinkedUser = {
  id: string
  name: string
  email: string
  emailVerified: boolean
  disabled: boolean
  deactivated: boolean
  /** The address that its holder detached from this account. */
  detachedEmail: string | null
  /** A sign-in needs a password that was set after this time. */
  passwordDueAt: Date | null
}

export type LinkedUsers = {
  find(tx: Database | DatabaseTransaction, subject: string): Promise<LinkedUser | null>
  /** Finds the user of an address or, if there is none, the user who lost it last. */
  findByEmail(email: string): Promise<LinkedUser | null>
  /** Unlinks the service's account, for a new user. The old user keeps their data and sessions. */
  unlink(user: LinkedUser, identity: Identity): Promise<void>
}

/**
 * Finds users by their account at the service, which issuer and subject identify.
 * @param deps.issuer the issuer of the service's tokens
 */
export function createLinkedUsers({ db, issuer }: { db: Database; issuer: string }): LinkedUsers {
  return {
    async find(tx, subject) {
      const row = await tx
        .selectFrom('account_credentials')
        .innerJoin('users', 'users.id', 'account_credentials.user_id')
        .selectAll('users')
        .where('account_credentials.provider_id', '=', issuer)
        .where('account_credentials.account_id', '=', subject)
        .executeTakeFirst()
      return row ? toLinkedUser(row) : null
    },

    async findByEmail(email) {
      const row = await db
        .selectFrom('users')
        .innerJoin('account_credentials', 'account_credentials.user_id', 'users.id')
        .selectAll('users')
        .where('account_credentials.provider_id', '=', issuer)
        .where((eb) => eb.or([eb('users.email', '=', email), eb('users.detached_email', '=', email)]))
        .orderBy('users.email_detached_at', (order) => order.desc().nullsFirst())
        .limit(1)
        .executeTakeFirst()
      return row ? toLinkedUser(row) : null
    },

    async unlink(user, identity) {
      await db
        .deleteFrom('account_credentials')
        .where('provider_id', '=', issuer)
        .where('account_id', '=', identity.subject)
        .where('user_id', '=', user.id)
        .execute()
    },
  }
}

/**
 * Whether an account at the service has passed to another person. The service has one account per address, so the
 * holder of a detached address takes that account over by choosing a new password.
 */
export const isSomebodyElses = (user: LinkedUser, identity: Identity): boolean =>
  identity.emailVerified && user.detachedEmail !== null && user.detachedEmail.toLowerCase() === identity.email

function toLinkedUser(row: Selectable<Tables['users']>): LinkedUser {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    emailVerified: row.email_verified,
    disabled: row.disabled_at !== null,
    deactivated: row.deactivated_at !== null,
    detachedEmail: row.detached_email,
    passwordDueAt: row.password_due_at,
  }
}
