import type { SecurityEventKind } from '../../adapters/accounts/security-log.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'

/** How long the security log keeps an event. */
export const SECURITY_LOG_MS = 180 * DAY_MS
/**
 * Refusals alike within this time are one row, and the alerts count refusals over it. The limits of wrong passwords have
 * the same window.
 */
export const TALLY_MS = 15 * MINUTE_MS
/** Events on one page of an account's activity. */
export const ACTIVITY_PAGE_SIZE = 20

/** One event of an account's activity. Times are ISO 8601, UTC. */
export type ActivityEvent = {
  id: string
  kind: SecurityEventKind
  detail: string | null
  byOperator: boolean
  /** Null for acts of operators, as is the network. */
  device: string | null
  network: string | null
  /** More than 1 for refusals alike, the first at `firstAt` and the last at `at`. */
  times: number
  firstAt: string
  at: string
}

/** Whether a sign-in, a code or another proof was refused. */
export const isRefusal = (kind: SecurityEventKind): boolean => kind.endsWith('-refused')

/** Anyone can cause these as often as they like, so those alike share a row. */
export const isTallied = (kind: SecurityEventKind): boolean =>
  isRefusal(kind) || kind === 'password-reset-asked' || kind === 'data-exported'
