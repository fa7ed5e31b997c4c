import { href } from 'react-router'
import type { Database } from '../../adapters/database/port.ts'
import { timeProblem } from '../availability/messages.ts'
import type { TimeProblem } from '../availability/rules.ts'
import { findTime } from '../availability/slot-queries.server.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { conversationLinkToken, type Participant, type Side } from '../enquiries/rules.ts'
import type { PayoutTimes } from '../terms/rules.ts'
import { findQuote, type QuoteDetail } from './queries.server.ts'
import { OPEN_STATES, type QuoteView } from './rules.ts'

/** A quote with the other data of its page. */
export type QuotePage = {
  quote: QuoteView
  side: Side
  contact: { fullName: string; email: string }
  payoutTimes: PayoutTimes | null
  /** Why the event's time can't be booked any more; null while it can, and for a quote that isn't open. */
  problem: TimeProblem | null
  /** The id of the quote that waits for the customer in place of this one. */
  newerId: string | null
  /** The path of the booking that it became; only for its customer. */
  booking: string | null
}

/** Reads a quote for its page. @returns null when there is none, or when it isn't this person's */
export async function findQuotePage(
  deps: BookingDeps,
  input: { quoteId: string; by: Participant },
): Promise<QuotePage | null> {
  const found = await findQuote(deps.db, input)
  if (!found) return null
  const { row, quote, side } = found
  const isOpen = (OPEN_STATES as readonly string[]).includes(row.state)
  return {
    quote,
    side,
    contact: { fullName: row.customer_name, email: row.customer_email },
    payoutTimes: deps.payoutTimes,
    problem: isOpen ? await findProblem(deps, row) : null,
    newerId: row.state === 'superseded' ? await findNewer(deps, row) : null,
    booking:
      side === 'customer' && row.state === 'booked' && row.payment_id
        ? href('/bookings/:linkToken', {
            linkToken: await bookingLinkToken(deps.secret, row.payment_id),
          })
        : null,
  }
}

async function findProblem({ db, now }: BookingDeps, row: QuoteDetail): Promise<TimeProblem | null> {
  const found = await findTime(db, {
    businessId: row.business_id,
    slotRequest: {
      date: row.event_day,
      time: row.event_time,
      minutes: row.event_minutes,
      bookingType: row.booking_type,
      quantity: row.quantity,
    },
    now: now(),
    exceptPayments: [row.id],
  })
  return found && !found.ok ? timeProblem(found) : null
}

async function findNewer({ db }: BookingDeps, row: QuoteDetail): Promise<string | null> {
  const newer = await db
    .selectFrom('quotes')
    .select('id')
    .where('conversation_id', '=', row.conversation_id)
    .where('version', '>', row.version)
    .where('state', '<>', 'draft')
    .orderBy('version', 'desc')
    .executeTakeFirst()
  return newer?.id ?? null
}

/** The path of a quote's page for the browser that began its payment. A guest's has the conversation's link. */
export async function findQuotePath(
  db: Database,
  { quoteId, secret }: { quoteId: string; secret: string },
): Promise<string> {
  const row = await db
    .selectFrom('quotes')
    .innerJoin('conversations', 'conversations.id', 'quotes.conversation_id')
    .select(['conversations.id', 'conversations.customer_user_id'])
    .where('quotes.id', '=', quoteId)
    .executeTakeFirst()
  const isGuests = row && row.customer_user_id === null
  return href('/quotes/:id/:link?', {
    id: quoteId,
    ...(isGuests ? { link: await conversationLinkToken(secret, row.id) } : {}),
  })
}
