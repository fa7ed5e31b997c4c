import type { DatabaseTransaction } from '../database/port.ts'
import { coarseNetwork } from '../rate-limits/addresses.ts'
import { CLIENT_ADDRESS_HEADER } from './port.ts'

/** Everything that the security log records. Refusals end in '-refused'. */
export type SecurityEventKind =
  | 'sign-up'
  | 'sign-up-refused'
  /** The password was right, and a code is due. */
  | 'sign-in-begun'
  | 'sign-in'
  | 'sign-in-refused'
  | 'sign-out'
  /** Signed out on another device, or on all. */
  | 'sessions-ended'
  /** A signed-in person, or the reader of a mailed link, gave a wrong password or code. */
  | 'proof-refused'
  | 'password-changed'
  | 'password-reset-asked'
  | 'password-reset-refused'
  | 'password-reset'
  | 'second-factor-on'
  | 'second-factor-off'
  | 'recovery-codes-renewed'
  | 'recovery-code-used'
  | 'passkey-added'
  | 'passkey-removed'
  | 'email-change-asked'
  | 'email-changed'
  | 'email-confirmed'
  | 'email-change-undone'
  | 'email-detached'
  /** 'This wasn't me' in a mail about a new device. */
  | 'not-me'
  | 'data-exported'
  | 'account-deactivated'
  | 'account-reactivated'
  | 'account-deleted'
  | 'operator-act'

/** The origin of a request. Only the device in words is stored of the user agent. */
export type RequestOrigin = { userAgent: string | null; network: string | null }

/** One act or refusal. It holds no secret, no whole network address and no text of a person. */
export type SecurityEvent = {
  kind: SecurityEventKind
  /** The account that it happens to; null when none is known. */
  userId: string | null
  origin: RequestOrigin
  /** The typed address when no account has it. Only a keyed hash is stored. */
  email?: string
  /** The way of a sign-in ('passkey'), the code of a refusal, or an operator's action. */
  detail?: string
  /** The operator who acts on the account of another person. */
  actorUserId?: string
}

export interface SecurityLog {
  /** Records an act in its transaction, so that neither exists without the other. */
  note(tx: DatabaseTransaction, event: SecurityEvent): Promise<void>
  /**
   * Records what has no transaction, such as a sign-in or a refusal. Never throws and waits a second at most, because a
   * log that fails must keep nobody out. A lost event is logged and counted. Never call it inside a transaction.
   */
  noteAfter(event: SecurityEvent): Promise<void>
  /** The number of events that this process could not record. */
  lost(): number
}

/** Returns a request's origin, without its whole network address. */
export function originOf(request: Pick<Request, 'headers'>): RequestOrigin {
  return {
    userAgent: request.headers.get('user-agent'),
    network: coarseNetwork(request.headers.get(CLIENT_ADDRESS_HEADER) ?? ''),
  }
}
