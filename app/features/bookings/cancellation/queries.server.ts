import type { Database, DatabaseTransaction } from '../../../adapters/database/port.ts'
import type { Cents } from '../../../shared/money.ts'
import { PREPARED } from '../../../shared/prepared.server.ts'
import { DAY_MS } from '../../../shared/time-units.ts'
import { findPurchaseRest } from '../../payments/queries.server.ts'
import { sumReductions } from '../../sales/plan-queries.server.ts'
import { saleJson } from '../../sales/queries.server.ts'
import { agreedTermsOf, type CancellationQuote, cancellationQuote } from '../../terms/rules.ts'
import { sumGivenBack } from '../changes/queries.server.ts'
import { wasCalledOff } from '../open-queries.server.ts'
import { type BookingRow, findRowByLink } from '../row-queries.server.ts'
import { type CancelledBy, type CancelRefusal, cancelRefusal, signQuote } from './rules.ts'

/** The cancellation quote of a booking at a moment, with the price and the paid amount that it follows from. */
export type BookingQuote = CancellationQuote & { priceCents: Cents; paidCents: Cents }

/**
 * Calculates the cancellation quote of a booking at a moment. Earlier refunds and lost disputes reduce the price and the paid
 * amount equally. Reductions of the balance only lower the price.
 * @param by a vendor's cancellation gives everything back
 * @returns null for a booking from before there were terms
 */
export async function findQuote(
  db: Database | DatabaseTransaction,
  row: Pick<BookingRow, 'id' | 'payment_row_id' | 'total_price_cents' | 'sale' | 'paid_at' | 'created_at'>,
  by: 'customer' | 'vendor',
  at: Date,
): Promise<BookingQuote | null> {
  const terms = agreedTermsOf(row.sale, row.paid_at ?? row.created_at)
  if (!terms) return null
  const { leftCents, backCents } = await findPurchaseRest(db, row.payment_row_id)
  // The refunds of changes have lowered the price already, so they must not count twice.
  const givenBackCents = await sumGivenBack(db, row.id)
  const offCents = (await sumReductions(db, row.payment_row_id)) + Math.max(0, backCents - givenBackCents)
  const priceCents = Math.max(0, Number(row.total_price_cents) - offCents)
  const booking = { priceCents, paidCents: Math.min(leftCents, priceCents), by }
  return { ...cancellationQuote(terms, booking, at), ...booking }
}

/** A quote as the screen shows it. Times are ISO 8601, UTC. */
export type QuoteView = {
  paidCents: Cents
  refundCents: Cents
  keptCents: Cents
  uncollectedCents: Cents
  /** Until when it stays as it is: the end of the step, or the event's beginning. */
  until: string
  shownAt: string
  /** Proves what was shown, and when. */
  signed: string
}

/** The quote of a booking that is about to be shown. */
export async function toQuoteView(
  deps: { secret: string },
  row: Pick<BookingRow, 'id' | 'sale'>,
  { paidCents, refundCents, keptCents, uncollectedCents, until }: BookingQuote,
  at: Date,
): Promise<QuoteView> {
  return {
    paidCents,
    refundCents,
    keptCents,
    uncollectedCents,
    until: (until ?? new Date(row.sale.event.from)).toISOString(),
    shownAt: at.toISOString(),
    signed: await signQuote(deps.secret, row.id, { refundCents, keptCents, at }),
  }
}

/** The content of the cancellation page: a quote, or why there is none. */
export type Cancelling = { quote: QuoteView; refusal: null } | { quote: null; refusal: CancelRefusal }

/**
 * Finds what cancelling a booking would refund now, for the holder of its unguessable link.
 * @returns null for an unknown link
 */
export async function findCancelling(
  deps: { db: Database; secret: string; now: () => Date },
  linkToken: string,
): Promise<Cancelling | null> {
  const row = await findRowByLink(deps.db, linkToken)
  if (!row) return null
  const now = deps.now()
  const hasTerms = row.sale.terms !== null
  const refusal = cancelRefusal({ status: row.status, hasTerms, event: row.sale.event }, now)
  if (refusal) return { quote: null, refusal }
  const quote = await findQuote(deps.db, row, 'customer', now)
  return quote
    ? { quote: await toQuoteView(deps, row, quote, now), refusal: null }
    : { quote: null, refusal: 'no_terms' }
}

/**
 * Calculates what cancelling an approved booking for its customer gives back by its policy.
 * @returns cents; null for a booking that is not approved, or from before there were terms
 */
export async function findPolicyRefund(
  db: Database | DatabaseTransaction,
  bookingId: string,
  at: Date,
): Promise<Cents | null> {
  const row = await db
    .selectFrom('bookings')
    .innerJoin('payments', 'payments.id', 'bookings.payment_row_id')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select([
      'bookings.id',
      'bookings.payment_row_id',
      'bookings.total_price_cents',
      'bookings.created_at',
      saleJson().as('sale'),
      'payments.paid_at',
    ])
    .where('bookings.id', '=', bookingId)
    .where('bookings.status', '=', 'approved')
    .executeTakeFirst()
  const quote = row ? await findQuote(db, row, 'customer', at) : null
  return quote?.refundCents ?? null
}

/** Finds by whom and when a booking was cancelled after its approval; null for any other. */
export async function findCancellation(
  db: Database,
  bookingId: string,
): Promise<{ by: CancelledBy; at: Date } | null> {
  const row = await db
    .selectFrom('cancellations')
    .innerJoin('bookings', 'bookings.id', 'cancellations.booking_id')
    .select(['cancelled_by', 'cancellations.created_at'])
    .where('booking_id', '=', bookingId)
    .where(wasCalledOff())
    .orderBy('cancellations.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { by: row.cancelled_by, at: row.created_at } : null
}

/** Vendors' cancellations count for so long. */
const COUNTED_FOR_MS = 365 * DAY_MS

/** Counts the approved bookings that a vendor has cancelled within the last 12 months, over all their businesses. */
export async function countVendorCancellations(
  db: Database,
  { userId, now }: { userId: string; now: Date },
): Promise<number> {
  const found = await db
    .selectFrom('cancellations')
    .innerJoin('bookings', 'bookings.id', 'cancellations.booking_id')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('sales.owner_user_id', '=', userId)
    .where('cancellations.cancelled_by', '=', 'vendor')
    .where('cancellations.created_at', '>', new Date(now.getTime() - COUNTED_FOR_MS))
    .modifyEnd(PREPARED)
    .executeTakeFirstOrThrow()
  return Number(found.count)
}
