import { href } from 'react-router'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { isPlaceholderEmail } from '../../shared/placeholder-email.ts'
import type { BookingServices } from '../bookings/deps.server.ts'
import type { QuoteNotices } from '../enquiries/deps.server.ts'
import { publishConversation, recipientOf } from '../enquiries/notice-commands.server.ts'
import { accountOf, type NoticedRow } from '../enquiries/notice-queries.server.ts'
import type { Side } from '../enquiries/rules.ts'
import { addNotification, markNotificationOf } from '../notifications/commands.server.ts'
import type { QuoteLinkMail } from './mails.ts'
import { type QuoteDetail, toQuoteView } from './queries.server.ts'
import type { QuoteView } from './rules.ts'

/** The services that tell both sides of a quote. */
export type NoticeDeps = Pick<BookingServices, 'jobs' | 'liveUpdates' | 'now' | 'brand' | 'publicUrl'>

/** The title, text and event of a notification about a quote. */
type Notice = { kind: string; title: string; body: string }

/** Tells open pages of both sides about a changed quote, once the transaction commits. */
export async function publishQuote(
  deps: Pick<BookingServices, 'liveUpdates'>,
  tx: DatabaseTransaction,
  row: QuoteDetail,
  notifiedUserIds: readonly (string | null)[] = [],
): Promise<void> {
  await publishConversation(deps, tx, { ...row, id: row.conversation_id })
  for (const userId of notifiedUserIds)
    if (userId) await deps.liveUpdates.publish(tx, `notifications:${userId}`)
}

/** The event of a quote that its customer hasn't seen yet. */
export const QUOTE_SENT = 'quote-sent'
export const QUOTE_WITHDRAWN = 'quote-withdrawn'
export const QUOTE_DECLINED = 'quote-declined'
export const QUOTE_EXPIRED = 'quote-expired'

/** Marks the customer's notification of a quote as read: they have seen it, or it can't be accepted any more. */
export function endSentNotice(
  deps: Pick<BookingServices, 'liveUpdates' | 'now'>,
  tx: DatabaseTransaction,
  row: NoticedRow & Pick<QuoteDetail, 'id'>,
): Promise<void> {
  return endNotice(deps, tx, row, QUOTE_SENT)
}

async function endNotice(
  deps: Pick<BookingServices, 'liveUpdates' | 'now'>,
  tx: DatabaseTransaction,
  row: NoticedRow & Pick<QuoteDetail, 'id'>,
  kind: string,
): Promise<void> {
  const userId = await accountOf(tx, row, 'customer')
  if (!userId) return
  const eventKey = eventOf({ kind }, row.id)
  if (await markNotificationOf(tx, { userId, eventKey, now: deps.now() }))
    await deps.liveUpdates.publish(tx, `notifications:${userId}`)
}

/** Marks the customer's notifications as read that their look at the quote deals with. */
export async function endNoticesOfSeen(
  deps: Pick<BookingServices, 'liveUpdates' | 'now'>,
  tx: DatabaseTransaction,
  row: NoticedRow & Pick<QuoteDetail, 'id'>,
): Promise<void> {
  for (const kind of [QUOTE_SENT, QUOTE_WITHDRAWN]) await endNotice(deps, tx, row, kind)
}

/**
 * Lists the notifications of both sides about a conversation's quotes. The customer's notification of a new quote stays
 * unread until they see the quote itself.
 */
export async function listQuoteNotices(
  db: Database | DatabaseTransaction,
  conversationId: string,
): Promise<QuoteNotices> {
  const quotes = await db
    .selectFrom('quotes')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .execute()
  const kinds = [QUOTE_WITHDRAWN, QUOTE_DECLINED, QUOTE_EXPIRED]
  return {
    eventKeys: quotes.flatMap(({ id }) => kinds.map((kind) => eventOf({ kind }, id))),
    links: quotes.map(({ id }) => linkOf(id)),
  }
}

type MailTo<Message> = (quote: QuoteView, to: { name: string; email: string }) => Message

/** Tells the customer by a mail, by a notification if they have an account, and on open pages. */
export async function tellCustomer(
  deps: NoticeDeps,
  tx: DatabaseTransaction,
  row: QuoteDetail,
  mailTo: MailTo<QuoteLinkMail>,
  notice: Notice,
): Promise<void> {
  const to = await provenRecipient(tx, row, 'customer')
  if (to) await deps.jobs.enqueue(tx, 'send-quote-mail', mailTo(toQuoteView(row), to))
  const userId = await accountOf(tx, row, 'customer')
  if (userId) await notify(deps, tx, row, { ...notice, userId, link: linkOf(row.id) })
  await publishQuote(deps, tx, row, [userId])
}

/** Tells the vendor by a mail, by a notification and on open pages. */
export async function tellVendor(
  deps: NoticeDeps,
  tx: DatabaseTransaction,
  row: QuoteDetail,
  mailTo: MailTo<MailMessage>,
  notice: Notice,
): Promise<void> {
  const to = await provenRecipient(tx, row, 'vendor')
  if (to) await deps.jobs.enqueue(tx, 'send-mail', mailTo(toQuoteView(row), to))
  const link = href('/dashboard/inbox/:id?', { id: row.conversation_id })
  await notify(deps, tx, row, { ...notice, userId: row.owner_user_id, link })
  await publishQuote(deps, tx, row, [row.owner_user_id])
}

/** The recipient of a side's mails; null for an unproven address, since mails of quotes contain typed text. */
async function provenRecipient(tx: DatabaseTransaction, row: QuoteDetail, side: Side) {
  const to = await recipientOf(tx, row, side)
  return to?.isProven && !isPlaceholderEmail(to.email) ? to : null
}

const linkOf = (id: string) => href('/quotes/:id/:link?', { id })

const eventOf = ({ kind }: Pick<Notice, 'kind'>, quoteId: string) => `${kind}:${quoteId}`

async function notify(
  deps: NoticeDeps,
  tx: DatabaseTransaction,
  row: QuoteDetail,
  notice: Notice & { userId: string; link: string },
): Promise<void> {
  await addNotification(tx, { ...notice, eventKey: eventOf(notice, row.id) }, deps.now())
}
