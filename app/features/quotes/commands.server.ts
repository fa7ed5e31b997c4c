import { isDeepStrictEqual } from 'node:util'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { eachOf } from '../../shared/each-of.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import { freeSlot, takeHold } from '../availability/slot-commands.server.ts'
import { findTime, type TimeGone } from '../availability/slot-queries.server.ts'
import { type BookingOfferRow, findBookingOffer } from '../bookings/checkout/queries.server.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { closedAccountOf } from '../enquiries/commands.server.ts'
import { findOwnConversation } from '../enquiries/queries.server.ts'
import type { Participant, Side, SiteParticipant } from '../enquiries/rules.ts'
import { markConversation } from '../enquiries/status-commands.server.ts'
import { quoteDeclinedMail, quoteExpiredMail, quoteSentMail, quoteWithdrawnMail } from './mails.ts'
import {
  endNoticesOfSeen,
  endSentNotice,
  type NoticeDeps,
  publishQuote,
  QUOTE_DECLINED,
  QUOTE_EXPIRED,
  QUOTE_SENT,
  QUOTE_WITHDRAWN,
  tellCustomer,
  tellVendor,
} from './notice-commands.server.ts'
import { listQuotes, listVersions, lockQuote, type QuoteDetail, toQuoteView } from './queries.server.ts'
import {
  checkOffer,
  heldUntil,
  type OfferErrors,
  OPEN_STATES,
  type QuoteOffer,
  type QuoteRefusal,
  quoteRefusal,
  validUntil,
} from './rules.ts'

/** The services of the commands that write quotes. Accepting one needs those of payments too. */
export type QuoteDeps = Pick<
  BookingDeps,
  'db' | 'jobs' | 'liveUpdates' | 'now' | 'brand' | 'publicUrl' | 'findStanding'
>

/** Why a vendor can't write a quote now. */
type WriteRefusal = 'not_found' | 'blocked' | 'left' | 'being_paid' | 'changed' | 'gone'

export type QuoteWritten =
  | { ok: true; quoteId: string }
  | { ok: false; reason: WriteRefusal | 'vendor_paused' | 'payouts_missing' }
  | { ok: false; reason: 'fields'; fields: OfferErrors }
  | TimeGone

type Writing = {
  userId: string
  conversationId: string
  /** The version that the form said the quote would be, so that two tabs don't send two. */
  version: number
  offer: QuoteOffer
}

/**
 * Saves a quote that the vendor hasn't finished. Its customer doesn't see it.
 * @returns refuses with 'not_found', 'blocked', 'left' (an account is deleted or disabled), 'gone', 'changed' (another quote was sent meanwhile), 'being_paid' and
 *   'fields'
 */
export async function saveDraft(deps: QuoteDeps, input: Writing): Promise<QuoteWritten> {
  const offered = await findOffered(deps, input)
  if (!offered.ok) return offered
  return deps.db.transaction().execute(async (tx) => {
    const place = await lockPlace(tx, input)
    if (!place.ok) return place
    const row = columnsOf(input, offered.offer.timeZone, deps.now())
    await storeRow(tx, place, { ...row, state: 'draft', held_until: null, sent_at: null })
    return { ok: true, quoteId: place.quoteId }
  })
}

/**
 * Sends a quote to its customer (decision record 31). From then on its lines, words and terms never change: a new version
 * replaces it. Holds the time if the vendor asks for that, by every rule of slots.
 * @returns refuses as `saveDraft` does, with 'vendor_paused', 'payouts_missing' (by quoting a vendor agrees to a booking,
 *   so the rules of approving hold), and 'time_gone' (the reason, and the nearest free times). Sending the same version
 *   again with the same offer is the same quote
 */
export async function sendQuote(deps: QuoteDeps, input: Writing): Promise<QuoteWritten> {
  const { db, now } = deps
  const offered = await findOffered(deps, input)
  if (!offered.ok) return offered
  const { offer: listing } = offered
  const standing = await deps.findStanding(db, input.userId)
  if (!standing.takesBookings) return refuse('vendor_paused')
  if (!standing.mayApprove) return refuse('payouts_missing')
  const sentBefore = await findRepeat(deps, input)
  if (sentBefore) return { ok: true, quoteId: sentBefore }

  const at = now()
  const { businessId } = listing
  const { date, time, minutes, bookingType, quantity, holdHours } = input.offer
  const open = await findOpen(deps, input.conversationId)
  if (open?.state === 'accepted') return refuse('being_paid')
  const exceptPayments = open ? [open.id] : []
  const slotQuery = {
    businessId,
    slotRequest: { date, time, minutes, bookingType, quantity },
    now: at,
    exceptPayments,
  }
  const found = await findTime(db, slotQuery)
  if (!found) return refuse('gone')
  if (!found.ok) return found

  const sent = await db.transaction().execute(async (tx) => {
    const place = await lockPlace(tx, input)
    if (!place.ok) return place
    const row = columnsOf(input, listing.timeZone, at)
    const until = heldUntil(holdHours, row.valid_until, at)
    if (until) {
      const hold = {
        businessId,
        paymentId: place.quoteId,
        time: found.time,
        expiresAt: until,
        exceptPayments,
      }
      if (!(await takeHold(deps, tx, hold)).ok) return refuse('taken')
    }
    if (place.open) await endQuote(deps, tx, place.open, 'superseded')
    await storeRow(tx, place, { ...row, state: 'sent', held_until: until, sent_at: at })
    await markConversation(deps, tx, { conversationId: input.conversationId, status: 'quoted' })
    const stored = await lockQuote(tx, place.quoteId)
    if (!stored) throw new Error('a quote vanished after it was stored')
    const quote = toQuoteView(stored)
    await tellCustomer(deps, tx, stored, (shown, to) => quoteSentMail(shown, to, place.open !== null, deps), {
      kind: QUOTE_SENT,
      title: `${quote.businessName} has sent you a quote`,
      body: 'Open it to see what it covers, and to accept it.',
    })
    return { ok: true, quoteId: place.quoteId } as const
  })
  if (sent.ok || sent.reason !== 'taken') return sent as QuoteWritten
  const again = await findTime(db, slotQuery)
  return again && !again.ok ? again : refuse('changed')
}

/**
 * Withdraws a quote that waits for its customer.
 * @returns refuses with 'not_found', 'being_paid' and 'not_open'
 */
export async function withdrawQuote(
  deps: QuoteDeps,
  input: { userId: string; quoteId: string },
): Promise<{ ok: true } | { ok: false; reason: 'not_found' | 'being_paid' | 'not_open' }> {
  const by = { userId: input.userId, verifiedEmail: null }
  return deps.db.transaction().execute(async (tx) => {
    const found = await lockFound(tx, input.quoteId, by)
    if (found?.side !== 'vendor') return refuse('not_found')
    const { row } = found
    if (row.state === 'accepted') return refuse('being_paid')
    if (row.state === 'draft') {
      await tx.deleteFrom('quotes').where('id', '=', row.id).execute()
      return { ok: true }
    }
    if (!isOpen(row)) return refuse('not_open')
    await withdraw(deps, tx, row)
    return { ok: true }
  })
}

/** Stores that the customer has seen a quote, or that it was withdrawn. Repeats do no harm. */
export async function viewQuote(
  deps: QuoteDeps,
  input: { quoteId: string; by: SiteParticipant },
): Promise<{ ok: boolean }> {
  return deps.db.transaction().execute(async (tx) => {
    const found = await lockFound(tx, input.quoteId, input.by)
    if (found?.side !== 'customer') return { ok: found !== null }
    await endNoticesOfSeen(deps, tx, found.row)
    if (found.row.state !== 'sent') return { ok: true }
    await tx
      .updateTable('quotes')
      .set({ state: 'viewed', viewed_at: deps.now() })
      .where('id', '=', found.row.id)
      .execute()
    await publishQuote(deps, tx, found.row)
    return { ok: true }
  })
}

/** Declines a quote for its customer. @returns refuses with 'not_found' and the reasons of `quoteRefusal` */
export async function declineQuote(
  deps: QuoteDeps,
  input: { quoteId: string; by: SiteParticipant },
): Promise<{ ok: true } | { ok: false; reason: 'not_found' | QuoteRefusal }> {
  return deps.db.transaction().execute(async (tx) => {
    const found = await lockFound(tx, input.quoteId, input.by)
    if (found?.side !== 'customer') return refuse('not_found')
    const { row } = found
    const refusal = quoteRefusal({ state: row.state, validUntil: row.valid_until }, deps.now())
    if (refusal) return refuse(refusal)
    await decline(deps, tx, row)
    return { ok: true }
  })
}

/** How many quotes one run of the job expires. */
const EXPIRE_AT_ONCE = 100

/** Expires the quotes whose last day is over, and frees the times that they hold. @returns how many */
export async function expireQuotes(deps: QuoteDeps): Promise<number> {
  const { db } = deps
  const over = await db
    .selectFrom('quotes')
    .select(['id', 'conversation_id'])
    .where('state', 'in', [...OPEN_STATES])
    .where('valid_until', '<=', deps.now())
    .orderBy('valid_until')
    .limit(EXPIRE_AT_ONCE)
    .execute()
  await eachOf(over, ({ id, conversation_id }) =>
    db.transaction().execute(async (tx) => {
      await lockConversation(tx, conversation_id)
      const row = await lockQuote(tx, id)
      if (!row || !isOpen(row) || row.valid_until > deps.now()) return
      await endQuote(deps, tx, row, 'expired')
      await reopenConversation(tx, row.conversation_id)
      await tellVendor(deps, tx, row, (quote, to) => quoteExpiredMail(quote, to, deps), {
        kind: QUOTE_EXPIRED,
        title: `Your quote for ${row.customer_name} has expired`,
        body: 'They didn’t accept it in time. You can send a new one.',
      })
    }),
  )
  return over.length
}

/** Frees the times that quotes no longer hold, so that open calendars show it. @returns how many */
export async function endQuoteHolds(deps: QuoteDeps): Promise<number> {
  const over = await deps.db
    .selectFrom('slots')
    .innerJoin('quotes', 'quotes.id', 'slots.payment_id')
    .select('quotes.id')
    .where('slots.expires_at', '<=', deps.now())
    .limit(EXPIRE_AT_ONCE)
    .execute()
  await eachOf(over, ({ id }) => deps.db.transaction().execute((tx) => freeSlot(deps, tx, id)))
  return over.length
}

/**
 * Ends the open quote of a locked conversation that a side closes or blocks, and frees the time that it holds: the vendor
 * withdraws it, the customer declines it. The other side is told as of any such end. A quote that is being paid goes on.
 */
export async function endQuoteBy(
  deps: NoticeDeps,
  tx: DatabaseTransaction,
  { conversationId, by }: { conversationId: string; by: Side },
): Promise<void> {
  const row = (await listVersions(tx, conversationId)).find(isOpen)
  if (row) await (by === 'vendor' ? withdraw : decline)(deps, tx, row)
}

async function withdraw(deps: NoticeDeps, tx: DatabaseTransaction, row: QuoteDetail): Promise<void> {
  await endQuote(deps, tx, row, 'withdrawn')
  await reopenConversation(tx, row.conversation_id)
  const quote = toQuoteView(row)
  await tellCustomer(deps, tx, row, (shown, to) => quoteWithdrawnMail(shown, to, deps), {
    kind: QUOTE_WITHDRAWN,
    title: `${quote.businessName} has withdrawn their quote`,
    body: 'It can’t be accepted any more.',
  })
}

async function decline(deps: NoticeDeps, tx: DatabaseTransaction, row: QuoteDetail): Promise<void> {
  await endQuote(deps, tx, row, 'declined')
  await reopenConversation(tx, row.conversation_id)
  await tellVendor(deps, tx, row, (quote, to) => quoteDeclinedMail(quote, to, deps), {
    kind: QUOTE_DECLINED,
    title: `${row.customer_name} has declined your quote`,
    body: 'You can send a new one.',
  })
}

/**
 * Withdraws the open quotes of a locked conversation, as when an account is deleted. A quote that is being paid stays.
 */
export async function endQuotesOf(
  deps: Pick<QuoteDeps, 'liveUpdates' | 'now'>,
  tx: DatabaseTransaction,
  conversationId: string,
): Promise<void> {
  for (const row of await listVersions(tx, conversationId)) {
    if (isOpen(row)) await endQuote(deps, tx, row, 'withdrawn')
    if (row.state === 'draft') await tx.deleteFrom('quotes').where('id', '=', row.id).execute()
  }
}

const isOpen = ({ state }: { state: string }) => state === 'sent' || state === 'viewed'

/** Moves an open quote to its end, frees the time that it holds, and ends what told the customer of it. */
async function endQuote(
  deps: Pick<QuoteDeps, 'liveUpdates' | 'now'>,
  tx: DatabaseTransaction,
  row: QuoteDetail,
  state: 'superseded' | 'withdrawn' | 'declined' | 'expired',
): Promise<void> {
  await tx.updateTable('quotes').set({ state, decided_at: deps.now() }).where('id', '=', row.id).execute()
  await freeSlot(deps, tx, row.id)
  await endSentNotice(deps, tx, row)
}

/** Moves a conversation whose quote has ended back to 'open'. */
export async function reopenConversation(tx: DatabaseTransaction, conversationId: string): Promise<void> {
  await tx
    .updateTable('conversations')
    .set({ status: 'open' })
    .where('id', '=', conversationId)
    .where('status', '=', 'quoted')
    .execute()
}

async function lockConversation(tx: DatabaseTransaction, conversationId: string): Promise<void> {
  await tx.selectFrom('conversations').select('id').where('id', '=', conversationId).forUpdate().execute()
}

/** Locks a quote after its conversation. @returns the asker's side too; null when the quote isn't theirs to see */
export async function lockFound(tx: DatabaseTransaction, quoteId: string, by: Participant) {
  const known = await tx
    .selectFrom('quotes')
    .select('conversation_id')
    .where('id', '=', quoteId)
    .executeTakeFirst()
  if (!known) return null
  const found = await findOwnConversation(tx, { id: known.conversation_id, by, lock: true })
  const row = found && (await lockQuote(tx, quoteId))
  if (!row || (found.side === 'customer' && row.state === 'draft')) return null
  return { row, side: found.side }
}

/** Finds the listing that a quote is for, and checks the offer by the clock of its place. */
async function findOffered(
  { db, now }: QuoteDeps,
  { userId, conversationId, offer }: Writing,
): Promise<
  | { ok: true; offer: BookingOfferRow }
  | { ok: false; reason: 'not_found' | 'blocked' | 'gone' }
  | { ok: false; reason: 'fields'; fields: OfferErrors }
> {
  const found = await findOwnConversation(db, { id: conversationId, by: { userId, verifiedEmail: null } })
  if (found?.side !== 'vendor') return refuse('not_found')
  if (found.row.status === 'blocked') return refuse('blocked')
  const listing = await findBookingOffer(db, found.row.business_id)
  if (!listing || listing.ownerUserId !== userId) return refuse('gone')
  const fields = checkOffer(offer, { timeZone: listing.timeZone, now: now() })
  return Object.keys(fields).length > 0
    ? { ok: false, reason: 'fields', fields }
    : { ok: true, offer: listing }
}

/** The id of the open quote that was sent as this version with this offer; null without one. */
async function findRepeat(
  { db }: QuoteDeps,
  { conversationId, version, offer: { validTo, holdHours, ...offer } }: Writing,
): Promise<string | null> {
  const quotes = await listQuotes(db, { conversationId, side: 'vendor' })
  const sent = quotes.find((quote) => quote.version === version && isOpen(quote))
  if (!sent?.sentAt) return null
  const until = validUntil(validTo, sent.timeZone)
  const held = heldUntil(holdHours, until, new Date(sent.sentAt))
  const isSame =
    (Object.keys(offer) as (keyof typeof offer)[]).every((key) => isDeepStrictEqual(sent[key], offer[key])) &&
    sent.validUntil === until.toISOString() &&
    sent.heldUntil === (held?.toISOString() ?? null)
  return isSame ? sent.id : null
}

/** A conversation's open quote, whose hold the next version replaces, or the quote that is being paid. */
function findOpen({ db }: QuoteDeps, conversationId: string) {
  return db
    .selectFrom('quotes')
    .select(['id', 'state'])
    .where('conversation_id', '=', conversationId)
    .where('state', 'in', [...OPEN_STATES, 'accepted'])
    .executeTakeFirst()
}

/** The next version's id, whether a draft has it already, and the open quote that it replaces. */
type Place = { ok: true; quoteId: string; isStored: boolean; open: QuoteDetail | null }

/** Locks a conversation and finds the place of its next version. */
async function lockPlace(
  tx: DatabaseTransaction,
  { userId, conversationId, version }: Writing,
): Promise<Place | { ok: false; reason: WriteRefusal }> {
  const by = { userId, verifiedEmail: null }
  const found = await findOwnConversation(tx, { id: conversationId, by, lock: true })
  if (found?.side !== 'vendor') return refuse('not_found')
  if (found.row.status === 'blocked') return refuse('blocked')
  // Nobody could accept it, and its hold would keep the time from others.
  if (await closedAccountOf(tx, found)) return refuse('left')
  const versions = await listVersions(tx, conversationId)
  if (versions.some(({ state }) => state === 'accepted')) return refuse('being_paid')
  const draft = versions.find(({ state }) => state === 'draft')
  const newest = versions.find(({ state }) => state !== 'draft')?.version ?? 0
  if (version !== newest + 1) return refuse('changed')
  return {
    ok: true,
    quoteId: draft?.id ?? newId(),
    isStored: draft !== undefined,
    open: versions.find(isOpen) ?? null,
  }
}

/** The columns that an offer fills. */
function columnsOf({ conversationId, version, offer }: Writing, timeZone: string, now: Date) {
  return {
    conversation_id: conversationId,
    version,
    lines: JSON.stringify(offer.lines),
    note: offer.note,
    event_date: offer.date,
    event_time: offer.time,
    event_minutes: offer.minutes,
    booking_type: offer.bookingType,
    quantity: offer.quantity,
    guests: offer.guests,
    terms: JSON.stringify(offer.terms),
    valid_until: validUntil(offer.validTo, timeZone),
    viewed_at: null,
    decided_at: null,
    taken_lines: null,
    accepted_cents: null,
    payment_id: null,
    created_at: now,
  }
}

async function storeRow(
  tx: DatabaseTransaction,
  { quoteId, isStored }: Place,
  row: ReturnType<typeof columnsOf> & {
    state: 'draft' | 'sent'
    held_until: Date | null
    sent_at: Date | null
  },
): Promise<void> {
  if (isStored) await tx.updateTable('quotes').set(row).where('id', '=', quoteId).execute()
  else
    await tx
      .insertInto('quotes')
      .values({ ...row, id: quoteId })
      .execute()
}
