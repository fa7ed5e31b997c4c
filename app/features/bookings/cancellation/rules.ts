import type { Cents } from '../../../shared/money.ts'
import { sameText, signText } from '../../../shared/signed.ts'
import type { BookingStatus } from '../status-rules.ts'

export type CancelledBy = 'customer' | 'vendor' | 'operator' | 'overdue'

/** How a booking was cancelled, for screens. */
export type CancellationView = {
  by: CancelledBy
  /** ISO 8601, UTC. */
  at: string
  refundCents: Cents
  keptCents: Cents
  /** The unpaid rest of the price, which is never charged. */
  uncollectedCents: Cents
  reason: string | null
}

/** Why a customer can't cancel a booking. A `pending` one is withdrawn instead; `no_terms` was booked before there were terms. */
export type CancelRefusal = 'pending' | 'over' | 'no_terms' | 'event_begun'

/** Returns why a customer can't cancel; null if they can: an approved booking with terms, until its event begins. */
export function cancelRefusal(
  booking: { status: BookingStatus; hasTerms: boolean; event: { from: string } },
  now: Date,
): CancelRefusal | null {
  if (booking.status === 'pending') return 'pending'
  if (booking.status !== 'approved') return 'over'
  if (Date.parse(booking.event.from) <= now.getTime()) return 'event_begun'
  return booking.hasTerms ? null : 'no_terms'
}

/** A quote as its customer saw it. */
export type SignedQuote = { refundCents: Cents; keptCents: Cents; at: Date }

/** Signs a quote for the form that shows it, so that what comes back was shown, and then. */
export async function signQuote(secret: string, bookingId: string, offered: SignedQuote): Promise<string> {
  const text = quoteText(offered)
  return `${text}.${await signText(secret, quotePurpose(bookingId, text))}`
}

/** Reads a signed quote of a booking. @returns null for any other text */
export async function readQuote(
  secret: string,
  bookingId: string,
  signed: string,
): Promise<SignedQuote | null> {
  const parts = /^((\d{1,9})\.(\d{1,9})\.(\d{1,15}))\.([\w-]{43})$/.exec(signed)
  const [, text, refund, kept, at, signature] = parts ?? []
  if (!text || !signature) return null
  if (!sameText(signature, await signText(secret, quotePurpose(bookingId, text)))) return null
  return { refundCents: Number(refund), keptCents: Number(kept), at: new Date(Number(at)) }
}

const quoteText = ({ refundCents, keptCents, at }: SignedQuote) =>
  `${refundCents}.${keptCents}.${at.getTime()}`
const quotePurpose = (bookingId: string, text: string) => `cancellation-quote:${bookingId}:${text}`
