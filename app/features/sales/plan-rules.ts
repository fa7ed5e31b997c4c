import { addDays, type LocalTime, wallTimeAt, wallTimeToUtc } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { MIN_INSTALMENT_CENTS } from '../terms/rules.ts'

/**
 * The state of an instalment. `failed` is retried automatically, `needs_customer` waits for the customer, and `overdue` may end
 * the booking. `ended` is never charged: the booking is over.
 */
export type InstalmentState =
  | 'scheduled'
  | 'reminded'
  | 'charging'
  | 'paid'
  | 'needs_customer'
  | 'failed'
  | 'overdue'
  | 'ended'

/** Nothing of an instalment in these states is charged any more, and nothing can be owed for it. */
export const CLOSED_STATES = ['paid', 'ended'] as const satisfies readonly InstalmentState[]

/** Whether an instalment is closed: paid, or never to be charged. */
export function isClosed({ state }: { state: InstalmentState }): boolean {
  return CLOSED_STATES.some((closed) => closed === state)
}

export const REMIND_DAYS_BEFORE = 7
/** A charge never follows its reminder sooner than that, however late the reminder was. */
export const MIN_NOTICE_MS = DAY_MS
/** Cards are charged when venues open. */
const CHARGE_TIME: LocalTime = '09:00'
/** The days after the due day on which a refused card is tried again. */
const RETRY_DAYS = [1, 3, 5] as const
/** The days after the due day on which the vendor is told that an instalment is unpaid. */
const VENDOR_NOTICE_DAYS = [0, 3, 6] as const
export const OVERDUE_DAYS = 7
/** The vendor's one extension moves the day on which an unpaid instalment is overdue. */
export const EXTENSION_DAYS = 7
/** The refusal of an instalment's payment by the provider. The claim stays, since the next run may succeed. */
export const NOT_CREATED = 'not_created'
/** The refusal of a card whose bank wants the customer to approve the charge. */
export const AUTHENTICATION_REQUIRED = 'authentication_required'
/** Refusals that no later try changes. */
const FINAL_DECLINES: readonly string[] = [
  'lost_card',
  'stolen_card',
  'expired_card',
  AUTHENTICATION_REQUIRED,
]
/** A claim whose process died is taken up again after that. Longer than a call to the provider may take. */
export const CLAIM_LASTS_MS = 5 * MINUTE_MS

/** 09:00 by the venue's clock, some days after the day of an instant. */
function morningAfter(instant: Date, days: number, timeZone: string): Date {
  return wallTimeToUtc(addDays(wallTimeAt(instant, timeZone).date, days), CHARGE_TIME, timeZone)
}

/** When the customer is reminded of an instalment, at its own time of day by the venue's clock. */
export function remindAt(dueAt: Date, timeZone: string): Date {
  const { date, time } = wallTimeAt(dueAt, timeZone)
  return wallTimeToUtc(addDays(date, -REMIND_DAYS_BEFORE), time, timeZone)
}

/**
 * When a card is charged first: when the instalment is due, or in the first morning that leaves time after a late reminder.
 */
export function firstTryAt(dueAt: Date, remindedAt: Date, timeZone: string): Date {
  const earliest = new Date(remindedAt.getTime() + MIN_NOTICE_MS)
  if (earliest <= dueAt) return dueAt
  const morning = morningAfter(earliest, 0, timeZone)
  return morning >= earliest ? morning : morningAfter(earliest, 1, timeZone)
}

/** The dates from which the tries and the deadline of an unpaid instalment follow. */
export type Deadline = {
  dueAt: Date
  /** When its first card was refused; null before that. */
  unpaidSince: Date | null
  extendedAt: Date | null
  /** When the event begins. */
  eventFrom: Date
}

/** The moment from which an unpaid instalment's days count: its first refusal, which may come long after its due day. */
export function unpaidFrom({ dueAt, unpaidSince }: Pick<Deadline, 'dueAt' | 'unpaidSince'>): Date {
  return unpaidSince && unpaidSince > dueAt ? unpaidSince : dueAt
}

/**
 * Returns when an instalment counts as unpaid after another refusal. A try that came so late that less than a day of the
 * deadline is left begins a new one, since the customer is told of it only now.
 */
export function unpaidSinceAfter(
  refused: Deadline & { attempts: number },
  { now, timeZone }: { now: Date; timeZone: string },
): Date {
  const { attempts, dueAt, unpaidSince } = refused
  const since = unpaidSince ?? (attempts > 1 ? dueAt : now)
  const endsAt = overdueAt({ ...refused, unpaidSince: since }, timeZone)
  return endsAt && endsAt.getTime() < now.getTime() + MIN_NOTICE_MS ? now : since
}

/**
 * Returns when a refused card is tried again: in the morning 1, 3 or 5 days after it became unpaid.
 * @param instalment.attempts how often a card was tried, this time included
 * @returns null if the customer has to act
 */
export function nextTryAt(
  instalment: Pick<Deadline, 'dueAt' | 'unpaidSince'> & { attempts: number; declineCode: string },
  { now, timeZone }: { now: Date; timeZone: string },
): Date | null {
  if (FINAL_DECLINES.includes(instalment.declineCode)) return null
  // Each morning is used once, and none that has passed while nothing could be tried.
  for (const days of RETRY_DAYS.slice(instalment.attempts - 1)) {
    const at = morningAfter(unpaidFrom(instalment), days, timeZone)
    if (at > now) return at
  }
  return null
}

/**
 * When an unpaid instalment is overdue: 7 days after it became unpaid, or 14 with the vendor's extension.
 * A deadline that would reach into the event is moved to a day before it.
 * @returns null where the customer would have less than a day: the booking stands, and the rest stays due
 */
export function overdueAt(instalment: Deadline, timeZone: string): Date | null {
  const { extendedAt, eventFrom } = instalment
  const from = unpaidFrom(instalment)
  const at = morningAfter(from, OVERDUE_DAYS + (extendedAt ? EXTENSION_DAYS : 0), timeZone)
  if (at < eventFrom) return at
  const dayBefore = new Date(eventFrom.getTime() - MIN_NOTICE_MS)
  return dayBefore.getTime() - from.getTime() >= MIN_NOTICE_MS ? dayBefore : null
}

/** How many of the vendor's notices about an unpaid instalment are due by a moment. @param from see `unpaidFrom` */
export function vendorNoticesDue(from: Date, now: Date, timeZone: string): number {
  return VENDOR_NOTICE_DAYS.filter((days) => morningAfter(from, days, timeZone) <= now).length
}

/** Whether a card is not valid any more on the day of a charge: it is until the end of its month. */
export function expiresBefore(card: { year: number; month: number }, at: Date, timeZone: string): boolean {
  const [year = 0, month = 0] = wallTimeAt(at, timeZone).date.split('-').map(Number)
  return card.year < year || (card.year === year && card.month < month)
}

/**
 * How much of a refund comes off an unpaid instalment, in cents. It never falls below 0, nor to less than a card can be charged;
 * the rest of the refund goes back.
 */
export function reductionOf(dueCents: Cents, refundCents: Cents): Cents {
  if (refundCents >= dueCents) return dueCents
  return Math.min(refundCents, Math.max(0, dueCents - MIN_INSTALMENT_CENTS))
}

/** Whether the customer can pay an instalment now. */
export function isPayable(state: InstalmentState): boolean {
  return !isClosed({ state })
}

/**
 * Returns until when a vendor can grant the one extension: while the customer has to act, and it is neither overdue nor extended.
 * @returns null if they can't
 */
export function extendableUntil(
  instalment: Deadline & { state: InstalmentState },
  { now, timeZone }: { now: Date; timeZone: string },
): Date | null {
  const { state, extendedAt } = instalment
  if (extendedAt || (state !== 'failed' && state !== 'needs_customer')) return null
  const endsAt = overdueAt(instalment, timeZone)
  return endsAt !== null && now < endsAt ? endsAt : null
}

/** Whether a vendor can grant the one extension. */
export function canExtend(...about: Parameters<typeof extendableUntil>): boolean {
  return extendableUntil(...about) !== null
}
