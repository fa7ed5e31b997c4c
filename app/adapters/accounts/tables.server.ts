import type { Generated } from 'kysely'

type UsersTable = {
  id: string
  name: string
  email: string
  email_verified: Generated<boolean>
  image: string | null
  phone: string | null
  deactivated_at: Date | null
  disabled_at: Date | null
  disabled_reason: string | null
  /** The former address, which its holder detached from this account. While it is set, `email` is a placeholder. */
  detached_email: string | null
  email_detached_at: Date | null
  password_due_at: Date | null
  /** Derived from `second_factors` by a trigger. */
  two_factor_enabled: Generated<boolean>
  /** Null also for operators whom the settings name. */
  operator_role: 'support' | 'finance' | 'admin' | null
  mail_sign_ins: Generated<boolean>
  mail_new_bookings: Generated<boolean>
  mail_reminders: Generated<boolean>
  mail_reviews: Generated<boolean>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

type SessionsTable = {
  id: string
  user_id: string
  token: string
  expires_at: Date
  ip_address: string | null
  user_agent: string | null
  created_at: Generated<Date>
  /** When its person last proved who they are, after signing in. */
  proved_at: Date | null
  /** When its person last proved a second factor: by a code, or a passkey. */
  factor_proved_at: Date | null
  /** The challenge of a proof by passkey that has begun. */
  proof_challenge: string | null
  proof_challenge_ends_at: Date | null
  /** Whether its person has proved two factors. */
  is_strong: Generated<boolean>
  /** When the session was last used, to within five minutes. */
  updated_at: Generated<Date>
}

type AccountCredentialsTable = {
  id: string
  user_id: string
  account_id: string
  provider_id: string
  password: string | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

type AccountLinksTable = {
  hash: string
  kind: 'reset-password' | 'verify-email' | 'change-email' | 'undo-email-change' | 'new-device'
  user_id: string
  email: string
  expires_at: Date
  created_at: Generated<Date>
}

type SecondFactorsTable = {
  id: string
  user_id: string
  /** Encrypted. */
  secret: string
  /** A JSON array of hashes. */
  backup_codes: string
  verified: Generated<boolean>
  /** The 30-second step of the newest accepted code. */
  last_step: string | number | null
  failed_verification_count: Generated<number>
  locked_until: Date | null
  created_at: Generated<Date>
}

type PasskeysTable = {
  id: string
  user_id: string
  name: string
  credential_id: string
  public_key: string
  counter: number
  device_type: string
  backed_up: boolean
  transports: string | null
  aaguid: string | null
  created_at: Generated<Date>
  updated_at: Date | null
  last_used_at: Date | null
}

/** Used by Better Auth alone. */
type VerificationsTable = {
  id: string
  identifier: string
  value: string
  expires_at: Date
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** Used by Better Auth alone. `last_request` is in milliseconds since 1970. */
type SignInLimitsTable = { id: string; key: string; count: number; last_request: string | number }

declare module '../database/port.ts' {
  interface Tables {
    users: UsersTable
    sessions: SessionsTable
    account_credentials: AccountCredentialsTable
    account_links: AccountLinksTable
    second_factors: SecondFactorsTable
    passkeys: PasskeysTable
    verifications: VerificationsTable
    sign_in_limits: SignInLimitsTable
  }
}
