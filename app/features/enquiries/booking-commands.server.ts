import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { refuse } from '../../shared/result.ts'
import { hashText } from '../../shared/signed.ts'
import { saleJson } from '../sales/queries.server.ts'
import { spanText } from '../sales/rules.ts'
import {
  type NewMessage,
  type SentMessage,
  type StartedConversation,
  sendMessage,
  startConversation,
} from './commands.server.ts'
import type { EnquiryDeps } from './deps.server.ts'
import { isCustomers } from './queries.server.ts'
import { conversationLinkToken } from './rules.ts'

/** The holder of a booking's link. `account` is null without a session. */
export type BookingWriter = {
  linkToken: string
  account: { userId: string; verifiedEmail: string | null } | null
}

/** The page on which a conversation is open: by its id, signed in, or by its link. */
export type ConversationPlace = { id: string } | { linkToken: string }

/** A booking whose customer writes to its vendor, and where they talk about it. */
export type BookingTalk = {
  vendorName: string
  /** The event in words. */
  span: string
  /** Null until something was written about the booking. */
  place: ConversationPlace | null
}

/** Finds a booking by its link and the conversation about it; null for an unknown booking. */
export async function findBookingTalk(
  deps: Pick<EnquiryDeps, 'db' | 'secret'>,
  by: BookingWriter,
): Promise<BookingTalk | null> {
  const booking = await findLinked(deps.db, by.linkToken)
  if (!booking) return null
  const talk = await findAttached(deps.db, booking, by)
  return {
    vendorName: booking.vendor_name,
    span: spanText(booking.sale),
    place: talk && (await placeOf(deps, talk)),
  }
}

/**
 * Writes to the vendor about a booking: in the conversation about it, else in one that the signed-in customer has with this
 * business and that fits its day, else in a new one. The booking is attached to it.
 */
export async function messageAboutBooking(
  deps: EnquiryDeps,
  {
    by,
    message,
    address,
  }: { by: BookingWriter; message: Pick<NewMessage, 'body' | 'submitKey'>; address: string },
): Promise<
  | { ok: true; place: ConversationPlace }
  | {
      ok: false
      reason: Exclude<(StartedConversation | SentMessage) & { ok: false }, { reason: 'file' }>['reason']
    }
> {
  const booking = await findLinked(deps.db, by.linkToken)
  if (!booking) return refuse('not_found')
  if (by.account?.userId === booking.owner_user_id) return refuse('own_business')
  const written = { ...message, files: [] }
  const talk = (await findAttached(deps.db, booking, by)) ?? (await attachOpen(deps.db, booking, by))
  if (talk) {
    const place = await placeOf(deps, talk)
    const participant = 'id' in place ? by.account : place
    if (!participant) return refuse('not_found')
    const sent = await sendMessage(deps, { id: talk.id, by: participant, message: written })
    if (sent.ok) return { ok: true, place }
    return refuse(sent.reason === 'file' ? 'not_found' : sent.reason)
  }
  if (!(await isThere(deps.db, booking.owner_user_id))) return refuse('gone')
  const customerId = isOwnBooking(booking, by) ? (by.account?.userId ?? null) : null
  const started = await startConversation(deps, {
    businessId: booking.vendor_id,
    wish: 'question',
    eventDate: null,
    guests: booking.booking_type === 'perPerson' ? booking.quantity : null,
    budgetCents: null,
    message: written,
    customer: { userId: customerId, name: booking.customer_name, email: booking.email },
    address,
    booking: { id: booking.id, businessName: booking.vendor_name, ownerUserId: booking.owner_user_id },
  })
  if (!started.ok) return refuse(started.reason === 'file' ? 'not_found' : started.reason)
  return {
    ok: true,
    place: await placeOf(deps, { id: started.conversationId, isAccounts: customerId !== null }),
  }
}

type LinkedBooking = NonNullable<Awaited<ReturnType<typeof findLinked>>>

async function findLinked(db: Database, linkToken: string) {
  const row = await db
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .select([
      'bookings.id',
      'bookings.vendor_id',
      'bookings.vendor_name',
      'bookings.customer_name',
      'bookings.email',
      sql<string>`to_char(bookings.date, 'YYYY-MM-DD')`.as('day'),
      'bookings.quantity',
      'bookings.booking_type',
      'sales.owner_user_id',
      'sales.customer_user_id',
      saleJson().as('sale'),
    ])
    .where('sales.link_hash', '=', await hashText(linkToken))
    // A deleted account leaves its bookings without an address.
    .where('bookings.email', '<>', '')
    .orderBy('bookings.line')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Whether the signed-in account is the booking's customer (Decision 3). */
function isOwnBooking({ customer_user_id: customer, email }: LinkedBooking, { account }: BookingWriter) {
  if (!account) return false
  return customer === account.userId || (customer === null && email.toLowerCase() === account.verifiedEmail)
}

type Talk = { id: string; isAccounts: boolean }

/**
 * The conversation about a booking. One of an account is open to that account alone: the link of a booking is no key to what its
 * customer wrote while signed in. Nor is it to a guest's from before a quote, if the booking has another person's address.
 */
async function findAttached(
  db: Database,
  booking: LinkedBooking,
  { account }: BookingWriter,
): Promise<Talk | null> {
  const isOwn = account ? isCustomers(account) : sql<boolean>`false`
  const row = await db
    .selectFrom('conversations')
    .select(['id', 'customer_user_id'])
    .select(isOwn.as('is_own'))
    .where('booking_id', '=', booking.id)
    .where(({ or, eb }) =>
      or([
        isOwn,
        eb('customer_user_id', 'is not', null),
        sql<boolean>`lower(conversations.customer_email) = lower(${booking.email})`,
      ]),
    )
    .where('verified_at', 'is not', null)
    .where('customer_email', '<>', '')
    .orderBy('last_message_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { id: row.id, isAccounts: row.customer_user_id !== null || row.is_own } : null
}

/**
 * Attaches the booking to the newest conversation that its signed-in customer has with the business; null without one. One about
 * another day or with a quote is about another event.
 */
async function attachOpen(db: Database, booking: LinkedBooking, by: BookingWriter): Promise<Talk | null> {
  if (!by.account || !isOwnBooking(booking, by)) return null
  const row = await db
    .updateTable('conversations')
    .set({ booking_id: booking.id })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('conversations')
        .select('id')
        .where('business_id', '=', booking.vendor_id)
        .where('owner_user_id', '=', booking.owner_user_id)
        .where('customer_user_id', '=', by.account?.userId ?? '')
        .where('booking_id', 'is', null)
        .where('status', 'not in', ['blocked', 'quoted'])
        .where(sql<boolean>`(event_date is null or event_date = ${booking.day}::date)`)
        .orderBy('last_message_at', 'desc')
        .limit(1),
    )
    .where('booking_id', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row ? { id: row.id, isAccounts: true } : null
}

async function placeOf(
  { secret }: Pick<EnquiryDeps, 'secret'>,
  { id, isAccounts }: Talk,
): Promise<ConversationPlace> {
  return isAccounts ? { id } : { linkToken: await conversationLinkToken(secret, id) }
}

async function isThere(db: Database, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
