import type { z } from 'zod'
import type { Database, DatabaseTransaction } from '../../../adapters/database/port.ts'
import { type LocalDate, wallTimeAt } from '../../../shared/dates.ts'
import type { Cents, PriceUnit } from '../../../shared/money.ts'
import { refuse } from '../../../shared/result.ts'
import { sameText, signText } from '../../../shared/signed.ts'
import type { AgreedTime } from '../../../shared/time-span.ts'
import { bookableDays } from '../../availability/free-time-rules.ts'
import { findAvailability } from '../../availability/hours-queries.server.ts'
import { timeProblem } from '../../availability/messages.ts'
import type { CurrentSlot, TimeProblem } from '../../availability/rules.ts'
import { findTime, type TimeGone } from '../../availability/slot-queries.server.ts'
import { findSavedCard } from '../../instalments/queries.server.ts'
import { listInstalments } from '../../sales/plan-queries.server.ts'
import { saleJson } from '../../sales/queries.server.ts'
import type { Replan, ReplanRefusal } from '../../sales/replan-rules.ts'
import { agreedTime, writtenSpan } from '../../sales/rules.ts'
import type { PayoutTimes } from '../../terms/rules.ts'
import type { BookingFieldErrors } from '../form-rules.ts'
import { type BookingRow, findRowByLink, findRowOfVendor } from '../row-queries.server.ts'
import {
  bankOf,
  changeViewOf,
  freeUntilAfter,
  refundsOf,
  refusalOf,
  replanOf,
  termsOf,
} from '../row-rules.ts'
import type { BankView, BookingTerms, RefundView } from '../rules.ts'
import { proposedEventSchema } from '../schema.ts'
import type { ChangeRow } from '../tables.server.ts'
import { CHANGE_REFUSALS, heldTooLongText } from './messages.ts'
import {
  amountsText,
  type BookedEvent,
  bookedEventOf,
  type ChangeRefusal,
  type ChangeSide,
  type ChangeState,
  type ChangeView,
  changedPrice,
  changeExpiresAt,
  checkProposal,
  currentSlotOf,
  heldEventLimit,
  keepsTime,
  movedSlotRequest,
  movesPastLimit,
  OPEN_STATES,
  type ProposedEvent,
  plannedPayments,
} from './rules.ts'

/** Finds the change of a booking that waits for an answer or for its payment; null for none. */
export async function findOpenChange(
  db: Database | DatabaseTransaction,
  bookingId: string,
): Promise<ChangeRow | null> {
  const row = await db
    .selectFrom('changes')
    .selectAll()
    .where('booking_id', '=', bookingId)
    .where('state', 'in', OPEN_STATES)
    .executeTakeFirst()
  return row ?? null
}

/** Lists the changes of bookings, oldest first. */
export function listChanges(
  db: Database | DatabaseTransaction,
  bookingIds: readonly string[],
): Promise<ChangeRow[]> {
  if (bookingIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('changes')
    .selectAll()
    .where('booking_id', 'in', bookingIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** A booking as it would be after a change. `time` is null where its time stays. */
export type ProposedChange = { after: BookedEvent; time: AgreedTime | null; plan: Replan; expiresAt: Date }

export type ProposalRefusal =
  | { ok: false; reason: 'same' | 'too_late' | 'listing_gone' | ReplanRefusal }
  | { ok: false; reason: 'fields'; fields: BookingFieldErrors }
  | TimeGone

/**
 * Finds what a booking would be and cost with another date, time or quantity, by its own terms, without taking the time.
 * @returns refuses with 'same' (nothing would change), 'fields' (messages by field), 'time_gone' (why, and the nearest free
 *   times), 'listing_gone', 'too_late' (no time is left to answer), 'balance_unpaid' and 'too_small'
 */
export async function findProposedChange(
  db: Database | DatabaseTransaction,
  row: BookingRow,
  proposed: ProposedEvent,
  { now, payoutTimes }: { now: Date; payoutTimes: PayoutTimes | null },
): Promise<({ ok: true } & ProposedChange) | ProposalRefusal> {
  const { sale, booking_type: bookingType } = row
  const before = bookedEventOf(row)
  const { date, time, quantity } = proposed
  if (date === before.date && time === before.time && quantity === before.quantity) return refuse('same')
  const fields = checkProposal(proposed, before, sale, now)
  if (Object.keys(fields).length > 0) return { ok: false, reason: 'fields', fields }
  const priceCents = changedPrice(proposed, sale)
  if (priceCents === null) throw new Error('checkProposal let an unpriceable booking through')

  const found = keepsTime(before, proposed, bookingType)
    ? await checkGuests(db, row, proposed)
    : await findTime(db, {
        businessId: row.vendor_id,
        slotRequest: movedSlotRequest(proposed, sale),
        now,
        exceptPayments: [],
        currentSlot: currentSlotOf(row.payment_row_id, sale),
      })
  if (!found) return refuse('listing_gone')
  if (!found.ok) return found
  const after = {
    date,
    time,
    quantity,
    priceCents,
    ...(found.time ? writtenTime(found.time) : spansOf(before)),
  }
  const limit = await findEventLimit(db, row, payoutTimes)
  if (limit && movesPastLimit(limit, before, after))
    return { ok: false, reason: 'fields', fields: { date: heldTooLongText(limit, sale.timeZone) } }
  const expiresAt = changeExpiresAt(now, before, after)
  if (expiresAt <= now) return refuse('too_late')
  const plan = await findPlan(db, row, after, now)
  if (!plan.ok) return plan
  return { ok: true, after, time: found.time, plan, expiresAt }
}

/** Finds the last instant at which a booking's event may end (`heldEventLimit`). */
export async function findEventLimit(
  db: Database | DatabaseTransaction,
  row: Pick<BookingRow, 'payment_row_id' | 'sale' | 'paid_at' | 'created_at'>,
  times: PayoutTimes | null,
): Promise<Date | null> {
  const { terms } = row.sale
  if (!times || !terms) return null
  const instalments = await listInstalments(db, row.payment_row_id)
  const paid = instalments.flatMap(({ number, paid_at: paidAt }) => (paidAt ? [{ number, paidAt }] : []))
  const atOnce = { number: 1, paidAt: row.paid_at ?? row.created_at }
  return heldEventLimit({ terms, paid: instalments.length > 0 ? paid : [atOnce], times })
}

/** The number of guests alone, where the time stays. */
async function checkGuests(
  db: Database | DatabaseTransaction,
  row: BookingRow,
  proposed: ProposedEvent,
): Promise<{ ok: true; time: null } | TimeGone | null> {
  const rules = await findAvailability(db, row.vendor_id)
  if (!rules) return null
  const { maxGuests } = rules
  const isMore = proposed.quantity > row.quantity
  if (row.booking_type === 'perHour' || maxGuests === null || proposed.quantity <= maxGuests || !isMore)
    return { ok: true, time: null }
  const slotRequest = movedSlotRequest(proposed, row.sale)
  return { ...refuse('time_gone'), why: 'too_many_guests', slotRequest, rules, alternatives: [] }
}

const spansOf = ({ event, occupied }: BookedEvent) => ({ event, occupied })

function writtenTime({ event, occupied }: AgreedTime): Pick<BookedEvent, 'event' | 'occupied'> {
  return { event: writtenSpan(event), occupied: writtenSpan(occupied) }
}

/** The time that a change moves a booking to; null if the booking keeps its present one. */
export function movedTime(row: BookingRow, after: BookedEvent): AgreedTime | null {
  const { event, occupied } = bookedEventOf(row)
  const isSame = (one: { from: string; until: string }, other: typeof one) =>
    one.from === other.from && one.until === other.until
  if (isSame(event, after.event) && isSame(occupied, after.occupied)) return null
  return agreedTime({ ...row.sale, event: after.event, occupied: after.occupied })
}

/** How a booking would be paid after a change, from its instalments as they are now. */
export async function findPlan(
  db: Database | DatabaseTransaction,
  row: BookingRow,
  after: Pick<BookedEvent, 'date' | 'priceCents'>,
  now: Date,
) {
  return replanOf(row, await listInstalments(db, row.payment_row_id), after, now)
}

/** Adds up what a booking's paid changes have refunded, in cents. The booking's price is lower by that sum already. */
export async function sumGivenBack(db: Database | DatabaseTransaction, bookingId: string): Promise<number> {
  const sum = await db
    .selectFrom('changes')
    .select((eb) => eb.fn.sum('refund_cents').as('cents'))
    .where('booking_id', '=', bookingId)
    .where('state', '=', 'paid')
    .executeTakeFirst()
  return Number(sum?.cents ?? 0)
}

/** Signs that its holder may see which times are free for a booking that could move. It opens nothing else. */
export async function signCurrentSlot(secret: string, bookingId: string): Promise<string> {
  return `${bookingId}.${await signText(secret, currentSlotPurpose(bookingId))}`
}

/** Reads the booking of `signCurrentSlot`. @returns null for any other text, and for a booking of another business */
export async function findCurrentSlot(
  deps: { db: Database; secret: string },
  { signed, businessId }: { signed: string | undefined; businessId: string },
): Promise<CurrentSlot | null> {
  const [, bookingId, signature] = /^([\w-]{1,64})\.([\w-]{43})$/.exec(signed ?? '') ?? []
  if (!bookingId || !signature) return null
  if (!sameText(signature, await signText(deps.secret, currentSlotPurpose(bookingId)))) return null
  const row = await deps.db
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select(saleJson().as('sale'))
    .where('bookings.id', '=', bookingId)
    .where('bookings.vendor_id', '=', businessId)
    .executeTakeFirst()
  return row ? currentSlotOf(row.sale.id, row.sale) : null
}

const currentSlotPurpose = (bookingId: string) => `own-time:${bookingId}`

/** A change that has ended, or the open one, as the history of a booking lists it. */
export type PastChange = {
  id: string
  state: ChangeState
  proposedBy: ChangeSide
  endedBy: ChangeSide | null
  before: BookedEvent
  after: BookedEvent
  refundCents: Cents
  /** When it was proposed, and when it ended. ISO 8601, UTC. */
  createdAt: string
  endedAt: string | null
}

/** Converts a row into its shape for screens. */
export function toPastChange(row: ChangeRow): PastChange {
  return {
    id: row.id,
    state: row.state,
    proposedBy: row.proposed_by,
    endedBy: row.ended_by,
    before: row.sale_before,
    after: row.sale_after,
    refundCents: Number(row.refund_cents),
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  }
}

/** The problem of a proposed change: messages by field with the nearest free times, or one text for the whole form. */
export type ChangeProblem = {
  fields: BookingFieldErrors
  alternatives: TimeProblem['alternatives']
  text: string | null
}

/** A change as its form shows it before it is proposed. */
export type ChangeQuote = {
  after: BookedEvent
  plan: Replan
  shown: string
  freeUntil: Date | null
  /** ISO 8601, UTC. */
  expiresAt: string
  /** The payments of the booking with it. */
  payments: BookingTerms['payments']
}

/** The page on which a booking is changed, for one of its sides. */
export type ChangePage = {
  side: ChangeSide
  bookingId: string
  businessId: string
  vendorName: string
  customerName: string
  timeZone: string
  bookingType: PriceUnit
  /** The price of one unit; the total of a quote. */
  unitPriceCents: Cents
  isQuoted: boolean
  present: BookedEvent
  terms: BookingTerms | null
  /** Oldest first. */
  refunds: RefundView[]
  bank: BankView
  refusal: ChangeRefusal | null
  change: ChangeView | null
  past: PastChange[]
  typed: { date: string; time: string; quantity: string }
  days: { first: string; last: string } | null
  /** The key with which the picker sees the booking's current slot as free. */
  own: string
  quote: ChangeQuote | null
  problem: ChangeProblem | null
  /** The last four digits of the saved card; null without one. */
  card: string | null
  /** ISO 8601, UTC. */
  now: string
}

/**
 * Finds the page on which a booking is changed.
 * @param reader the holder of its link, or its signed-in vendor with the booking's id
 * @param typed what the form's address has; null for none
 * @returns null for an unknown booking, and for another vendor's
 */
export async function findChangePage(
  deps: { db: Database; secret: string; now: () => Date; payoutTimes: PayoutTimes | null },
  reader: { linkToken: string } | { bookingId: string; userId: string },
  typed: { date: string; time: string; quantity: string } | null,
): Promise<ChangePage | null> {
  const { db, payoutTimes } = deps
  const row =
    'linkToken' in reader ? await findRowByLink(db, reader.linkToken) : await findRowOfVendor(db, reader)
  if (!row) return null
  const now = deps.now()
  const present = bookedEventOf(row)
  const change = changeViewOf(row, now)
  const refusal = refusalOf(row, now)
  const rules = await findAvailability(db, row.vendor_id)
  const asked = typed && !change && !refusal ? await findQuoteOf(db, row, typed, { now, payoutTimes }) : null
  const card = await findSavedCard(db, row.payment_row_id)
  return {
    side: 'linkToken' in reader ? 'customer' : 'vendor',
    bookingId: row.id,
    businessId: row.vendor_id,
    vendorName: row.vendor_name,
    customerName: row.customer_name,
    timeZone: row.sale.timeZone,
    bookingType: row.booking_type,
    unitPriceCents: row.sale.unitPriceCents,
    isQuoted: row.sale.quote !== null,
    present,
    terms: termsOf(row),
    refunds: refundsOf(row).otherRefunds,
    bank: bankOf(row),
    refusal,
    change,
    past: (await listChanges(db, [row.id])).map(toPastChange).reverse(),
    typed: typed ?? { date: row.date, time: row.time, quantity: String(row.quantity) },
    days:
      rules &&
      daysUntil(bookableDays(rules, now), present, await findEventLimit(db, row, payoutTimes), rules),
    own: await signCurrentSlot(deps.secret, row.id),
    quote: asked && 'quote' in asked ? asked.quote : null,
    problem: asked && 'problem' in asked ? asked.problem : null,
    card: card?.provider_method ? card.last_four : null,
    now: now.toISOString(),
  }
}

/** The days to which an event may move: no further than what is paid can be held for, and never without its present day. */
function daysUntil(
  days: { first: LocalDate; last: LocalDate },
  present: Pick<BookedEvent, 'date'>,
  limit: Date | null,
  { timeZone }: { timeZone: string },
): { first: LocalDate; last: LocalDate } {
  if (!limit) return days
  const { date } = wallTimeAt(limit, timeZone)
  const last = date > present.date ? date : present.date
  return { first: days.first, last: last < days.last ? last : days.last }
}

async function findQuoteOf(
  db: Database,
  row: BookingRow,
  typed: { date: string; time: string; quantity: string },
  at: { now: Date; payoutTimes: PayoutTimes | null },
): Promise<{ quote: ChangeQuote } | { problem: ChangeProblem }> {
  const parsed = proposedEventSchema.safeParse(typed)
  if (!parsed.success) return { problem: fieldProblem(parsed.error) }
  const { now } = at
  const found = await findProposedChange(db, row, parsed.data, at)
  if (!found.ok) return { problem: toProblem(found) }
  const { after, plan, expiresAt } = found
  return {
    quote: {
      after,
      plan,
      shown: amountsText(after, plan),
      freeUntil: freeUntilAfter(row, after, now),
      expiresAt: expiresAt.toISOString(),
      payments: plannedPayments(termsOf(row)?.payments ?? [], plan, now),
    },
  }
}

/** The messages of a form that could not be read, by field. */
export function fieldProblem(error: z.ZodError): ChangeProblem {
  const fields: BookingFieldErrors = {}
  for (const { path, message } of error.issues) {
    const field = path[0]
    if (field === 'date' || field === 'time' || field === 'quantity') fields[field] ??= message
  }
  return {
    fields,
    alternatives: [],
    text: Object.keys(fields).length > 0 ? null : CHANGE_REFUSALS.unreadable,
  }
}

/** Words why a proposed change is refused. */
export function toProblem(refused: ProposalRefusal): ChangeProblem {
  if (refused.reason === 'fields') return { fields: refused.fields, alternatives: [], text: null }
  if (refused.reason === 'time_gone') {
    const { field, message, alternatives } = timeProblem(refused)
    return { fields: { [field]: message }, alternatives, text: null }
  }
  return { fields: {}, alternatives: [], text: CHANGE_REFUSALS[refused.reason] }
}
