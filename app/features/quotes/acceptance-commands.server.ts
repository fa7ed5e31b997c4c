import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import { lockCalendar, type TooManyHeld, takeHold } from '../availability/slot-commands.server.ts'
import type { TimeGone } from '../availability/slot-queries.server.ts'
import { beginSale } from '../bookings/checkout/commands.server.ts'
import { findBookingOffer } from '../bookings/checkout/queries.server.ts'
import type { BookingDeps, BookingServices, QuotedSale } from '../bookings/deps.server.ts'
import type { SiteParticipant } from '../enquiries/rules.ts'
import { markConversation } from '../enquiries/status-commands.server.ts'
import { endPayment } from '../payments/sweep-commands.server.ts'
import { findSale } from '../sales/queries.server.ts'
import { agreedTime } from '../sales/rules.ts'
import { lockFound, reopenConversation } from './commands.server.ts'
import { endSentNotice, publishQuote } from './notice-commands.server.ts'
import { findQuote, lockQuote, type QuoteDetail } from './queries.server.ts'
import {
  isSameSelection,
  optionalIds,
  type QuoteRefusal,
  quoteRefusal,
  takenLines,
  totalOf,
} from './rules.ts'
import type { Contact } from './schema.ts'

export type QuoteAccepted =
  /** The payment waits for its card. */
  | { ok: true; paymentId: string }
  | {
      ok: false
      reason: 'not_found' | 'not_accepted' | 'blocked' | 'gone' | 'vendor_paused' | TooManyHeld | QuoteRefusal
    }
  /** The page showed another total than these lines have. */
  | { ok: false; reason: 'total_changed'; totalCents: Cents }
  | TimeGone

/**
 * Accepts a quote for its customer: begins its payment at the quote's price and terms, and holds its time (decision record
 * 31). The same lines lead to the same payment, so a double click pays once.
 * @param input.taken the ids of the optional lines that are taken. Unknown ones are ignored
 * @param input.shownCents the total that the page showed; null if it showed none
 * @param input.exceptPayments the payments that this browser began
 * @returns refuses with the reasons of `quoteRefusal`: 'being_paid' while a payment with other lines waits for its card. Also
 *   with 'time_gone' (the reason, and the nearest free times), 'blocked', 'gone', 'vendor_paused' and `TooManyHeld`
 */
export async function acceptQuote(
  deps: BookingDeps,
  input: {
    quoteId: string
    by: SiteParticipant
    taken: readonly string[]
    contact: Contact
    shownCents: Cents | null
    exceptPayments: readonly string[]
    heldFrom: string
  },
): Promise<QuoteAccepted> {
  const { db, now } = deps
  const found = await findQuote(db, input)
  if (found?.side !== 'customer') return refuse('not_found')
  const { row } = found
  const taken = optionalIds(row.lines).filter((id) => input.taken.includes(id))
  if (row.state === 'accepted' && row.payment_id && isSameSelection(row.taken_lines ?? [], taken))
    return { ok: true, paymentId: row.payment_id }
  const refusal = refusalOf(row, now())
  if (refusal) return refuse(refusal)
  const totalCents = totalOf(row.lines, taken)
  if (input.shownCents !== null && input.shownCents !== totalCents)
    return { ok: false, reason: 'total_changed', totalCents }
  const listing = await findBookingOffer(db, row.business_id)
  if (!listing || listing.ownerUserId !== row.owner_user_id) return refuse('gone')
  if (!(await deps.findStanding(db, row.owner_user_id)).takesBookings) return refuse('vendor_paused')

  const lines = takenLines(row.lines, taken).map(({ label, quantity, unitPriceCents }) => ({
    label,
    quantity,
    unitPriceCents,
  }))
  const begun = await beginSale(
    deps,
    {
      submitKey: newId(SUBMIT_KEY_LENGTH),
      businessId: row.business_id,
      booking: {
        ...input.contact,
        date: row.event_day,
        time: row.event_time,
        quantity: row.quantity,
        bookingType: row.booking_type,
      },
      customerUserId: 'userId' in input.by ? input.by.userId : row.customer_user_id,
      exceptPayments: input.exceptPayments,
      heldFrom: input.heldFrom,
    },
    listing,
    {
      // The price of one quote: a price for each guest would not be whole cents.
      unitPriceCents: totalCents,
      amountCents: totalCents,
      terms: row.terms,
      quoted: { quote: { id: row.id, lines }, minutes: row.event_minutes, heldUntil: row.held_until },
    },
    (tx, paymentId) => agree(deps, tx, input, { paymentId, taken, totalCents }),
  )
  const after = await findQuote(db, input)
  const paymentId = after?.row.payment_id
  if (paymentId && isSameSelection(after.row.taken_lines ?? [], taken)) return { ok: true, paymentId }
  // Given up in another tab at once.
  if (begun.ok) return refuse('not_accepted')
  // Another press was first, and its payment holds the time.
  return paymentId ? refuse('being_paid') : begun
}

/** Unguessable, since a submit key authorises continuing its payment. */
const SUBMIT_KEY_LENGTH = 48

/** Checks a quote again in the transaction that has stored its payment. */
async function agree(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  { quoteId, by }: { quoteId: string; by: SiteParticipant },
  { paymentId, taken, totalCents }: { paymentId: string; taken: string[]; totalCents: Cents },
): Promise<
  { ok: true; store: () => Promise<void> } | { ok: false; reason: 'not_found' | 'blocked' | QuoteRefusal }
> {
  const found = await lockFound(tx, quoteId, by)
  if (found?.side !== 'customer') return refuse('not_found')
  const refusal = refusalOf(found.row, deps.now())
  if (refusal) return refuse(refusal)
  return {
    ok: true,
    async store() {
      await tx
        .updateTable('quotes')
        .set({
          state: 'accepted',
          decided_at: deps.now(),
          taken_lines: JSON.stringify(taken),
          accepted_cents: totalCents,
          payment_id: paymentId,
        })
        .where('id', '=', quoteId)
        .execute()
      await endSentNotice(deps, tx, found.row)
      await publishQuote(deps, tx, found.row)
    },
  }
}

function refusalOf(row: QuoteDetail, now: Date): 'blocked' | QuoteRefusal | null {
  const refusal = quoteRefusal({ state: row.state, validUntil: row.valid_until }, now)
  return refusal ?? (row.conversation_status === 'blocked' ? 'blocked' : null)
}

/** Finds the payment of an accepted quote, for a customer who comes back to it. @returns refuses as `acceptQuote` does */
export async function resumeAcceptance(
  deps: BookingDeps,
  input: { quoteId: string; by: SiteParticipant },
): Promise<
  { ok: true; paymentId: string } | { ok: false; reason: 'not_found' | 'not_accepted' | QuoteRefusal }
> {
  const found = await findQuote(deps.db, input)
  if (found?.side !== 'customer') return refuse('not_found')
  const { state, payment_id: paymentId, valid_until: validUntil } = found.row
  if (state === 'accepted' && paymentId) return { ok: true, paymentId }
  return refuse(quoteRefusal({ state, validUntil }, deps.now()) ?? 'not_accepted')
}

/**
 * Gives up the payment of an accepted quote, so that its customer can choose again. If it was paid in the meantime, the
 * quote is booked.
 */
export async function chooseAgain(
  deps: BookingDeps,
  input: { quoteId: string; by: SiteParticipant },
): Promise<{ ok: true } | { ok: false; reason: 'not_found' }> {
  const found = await findQuote(deps.db, input)
  if (found?.side !== 'customer') return refuse('not_found')
  if (found.row.state === 'accepted' && found.row.payment_id) await endPayment(deps, found.row.payment_id)
  return { ok: true }
}

/**
 * Locks the quote that a payment accepts: the conversation first, then the quote, as everywhere.
 * @returns null for a payment that accepts none
 */
export async function lockQuotedSale(
  deps: Pick<BookingServices, 'liveUpdates' | 'now'>,
  tx: DatabaseTransaction,
  paymentId: string,
): Promise<QuotedSale | null> {
  const known = await tx
    .selectFrom('quotes')
    .select(['id', 'conversation_id'])
    .where('payment_id', '=', paymentId)
    .executeTakeFirst()
  if (!known) return null
  await tx
    .selectFrom('conversations')
    .select('id')
    .where('id', '=', known.conversation_id)
    .forUpdate()
    .execute()
  const row = await lockQuote(tx, known.id)
  if (!row || row.payment_id !== paymentId || row.state !== 'accepted') return null
  const isHeld = row.held_until !== null && row.held_until > deps.now()
  // Ahead of its slots, as everywhere: this payment's hold may be replaced by the quote's.
  if (isHeld) await lockCalendar(tx, row.business_id)
  return {
    isHeld,
    async whenBooked(bookingId) {
      await tx.updateTable('quotes').set({ state: 'booked' }).where('id', '=', row.id).execute()
      await markConversation(deps, tx, {
        conversationId: row.conversation_id,
        status: 'booked',
        bookingId,
      })
      await publishQuote(deps, tx, row)
    },
    async whenEnded() {
      const state = stateAfterPayment(row, deps.now())
      const isOpen = state === 'viewed'
      await tx
        .updateTable('quotes')
        .set({
          state,
          decided_at: isOpen ? null : deps.now(),
          taken_lines: null,
          accepted_cents: null,
          payment_id: null,
        })
        .where('id', '=', row.id)
        .execute()
      if (!isOpen) await reopenConversation(tx, row.conversation_id)
      else {
        // Closed and written in again while it was paid.
        await tx
          .updateTable('conversations')
          .set({ status: 'quoted' })
          .where('id', '=', row.conversation_id)
          .where('status', '=', 'open')
          .execute()
        if (isHeld) await holdAgain(deps, tx, row, paymentId)
      }
      await publishQuote(deps, tx, row)
    },
  }
}

/** The state of a quote whose payment has ended unpaid. A quote closed or blocked meanwhile doesn't open again. */
function stateAfterPayment(row: QuoteDetail, now: Date): 'expired' | 'withdrawn' | 'viewed' {
  if (row.valid_until <= now) return 'expired'
  return row.conversation_status === 'closed' || row.conversation_status === 'blocked'
    ? 'withdrawn'
    : 'viewed'
}

/** Holds a quote's time for it again, after its payment. If the time has been taken since, the quote goes on without a hold. */
async function holdAgain(
  deps: Pick<BookingServices, 'liveUpdates' | 'now'>,
  tx: DatabaseTransaction,
  row: QuoteDetail,
  paymentId: string,
): Promise<void> {
  const sale = await findSale(tx, paymentId)
  if (!sale) throw new Error('a quote is paid by a payment without a sale')
  await takeHold(deps, tx, {
    businessId: row.business_id,
    paymentId: row.id,
    time: agreedTime(sale),
    expiresAt: row.held_until,
    exceptPayments: [],
  })
}
