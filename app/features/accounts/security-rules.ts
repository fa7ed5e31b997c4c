import type { SecurityEventKind } from '../../adapters/accounts/security-log.ts'

const MINUTE_MS = 60_000

/** How long the security log keeps an event. */
export const SECURITY_LOG_MS = 180 * 24 * 60 * MINUTE_MS
/** Refusals alike within this time are one row, with the number of times. The limits of passwords have the same window. */
export const TALLY_MS = 15 * MINUTE_MS
/** Rows of one page of an account's activity. */
export const ACTIVITY_PAGE_SIZE = 20

/** Whether an event is a refusal, which the alerts count. */
export const isRefusalKind = (kind: SecurityEventKind): boolean => kind.endsWith('-refused')

/** Anyone can cause these as often as they like, so those alike share a row. */
export const isTallied = (kind: SecurityEventKind): boolean =>
  isRefusalKind(kind) || kind === 'password-reset-asked' || kind === 'data-exported'
