import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Mail } from '../../adapters/mail/port.ts'
import { isPlaceholderEmail } from '../../shared/placeholder-email.ts'
import { sameText } from '../../shared/signed.ts'
import {
  addNotification,
  deleteNotificationsOf,
  markNotificationsOf,
} from '../notifications/commands.server.ts'
import { queuePush } from '../notifications/push-commands.server.ts'
import { hasUnreadNotification } from '../notifications/queries.server.ts'
import type { EnquiryDeps } from './deps.server.ts'
import { confirmQuestionMail, type MailedSide, unreadMessagesMail } from './mails.ts'
import { accountOf, eventOf, type NoticedRow, pathOf } from './notice-queries.server.ts'
import {
  conversationLinkToken,
  LINK_AGAIN_EMAIL_LIMIT,
  LINK_AGAIN_NETWORK_LIMIT,
  linkAgainKey,
  MAX_LINKS_AGAIN,
  maskContacts,
  otherSide,
  replyTokenHash,
  replyTokenOf,
  type Side,
} from './rules.ts'
import type { ConversationRow } from './tables.server.ts'

/** A mail leaves when the newest unread message is this old, so that a burst is one mail. */
export const MAIL_AFTER_MS = 120_000
/** Conversations whose mails one run of the job sends. */
const MAILS_AT_ONCE = 200

/** Tells the open pages of both sides about a changed conversation, once the transaction commits. */
export async function publishConversation(
  deps: Pick<EnquiryDeps, 'liveUpdates'>,
  tx: DatabaseTransaction,
  row: NoticedRow & Pick<ConversationRow, 'id'>,
): Promise<void> {
  const customer = await accountOf(tx, row, 'customer')
  await deps.liveUpdates.publish(
    tx,
    `conversation:${row.id}`,
    `inbox:${row.owner_user_id}`,
    ...(customer ? [`inbox:${customer}` as const] : []),
  )
}

/** Tells the other side of a new message: live, by a notification, and by one mail for a burst. */
export async function announceMessage(
  deps: Pick<EnquiryDeps, 'jobs' | 'liveUpdates' | 'now'>,
  tx: DatabaseTransaction,
  { row, sender, messageId }: { row: ConversationRow; sender: Side; messageId: string },
): Promise<void> {
  const to = otherSide(sender)
  const dueAt = new Date(deps.now().getTime() + MAIL_AFTER_MS)
  const isTold = (to === 'vendor' ? row.vendor_told_at : row.customer_told_at) !== null
  if (!isTold)
    await tx
      .updateTable('conversations')
      .set(to === 'vendor' ? { vendor_mail_due_at: dueAt } : { customer_mail_due_at: dueAt })
      .where('id', '=', row.id)
      .execute()
  await publishConversation(deps, tx, row)
  await notify(deps, tx, { row, to, messageId })
}

/** Lets messages that came after a side's last mail be mailed, once that side has answered it. */
export async function mailAgain(
  deps: Pick<EnquiryDeps, 'now'>,
  tx: DatabaseTransaction,
  { row, side }: { row: ConversationRow; side: Side },
): Promise<void> {
  const dueAt = new Date(deps.now().getTime() + MAIL_AFTER_MS)
  await tx
    .updateTable('conversations')
    .set(
      side === 'vendor'
        ? { vendor_mail_due_at: dueAt, vendor_told_at: null }
        : { customer_mail_due_at: dueAt, customer_told_at: null },
    )
    .where('id', '=', row.id)
    .execute()
}

/** Adds a notification, unless this side has an unread one about this conversation. Guests without an account have none. */
async function notify(
  deps: Pick<EnquiryDeps, 'jobs' | 'liveUpdates' | 'now'>,
  tx: DatabaseTransaction,
  { row, to, messageId }: { row: ConversationRow; to: Side; messageId: string },
): Promise<void> {
  const userId = await accountOf(tx, row, to)
  if (!userId) return
  if (await hasUnreadNotification(tx, { userId, event: eventOf(row.id, to), eventKeys: [] })) return
  const link = pathOf(row.id, to)
  await addNotification(
    tx,
    {
      userId,
      kind: 'message',
      title: to === 'vendor' ? `${row.customer_name} wrote to you` : `${row.business_name} wrote to you`,
      body: to === 'vendor' ? `About ${row.business_name}` : '',
      link,
      eventKey: `${eventOf(row.id, to)}:${messageId}`,
    },
    deps.now(),
  )
  if (to === 'vendor') await queuePush(deps, tx, { userId, kind: 'message', link })
  await deps.liveUpdates.publish(tx, `notifications:${userId}`)
}

/** Ends what told a side of messages that it has now read, and of quotes that ended without being accepted. */
export async function endNotices(
  deps: Pick<EnquiryDeps, 'liveUpdates' | 'now' | 'listQuoteNotices'>,
  tx: DatabaseTransaction,
  { row, side }: { row: ConversationRow; side: Side },
): Promise<void> {
  await tx
    .updateTable('conversations')
    .set(
      side === 'vendor'
        ? { vendor_mail_due_at: null, vendor_told_at: null }
        : { customer_mail_due_at: null, customer_told_at: null },
    )
    .where('id', '=', row.id)
    .execute()
  const userId = await accountOf(tx, row, side)
  if (!userId) return
  const { eventKeys } = await deps.listQuoteNotices(tx, row.id)
  const event = eventOf(row.id, side)
  const marked = await markNotificationsOf(tx, { userId, event, eventKeys, now: deps.now() })
  if (marked > 0) await deps.liveUpdates.publish(tx, `notifications:${userId}`)
}

/**
 * Deletes both sides' notifications of conversations that are deleted or lose their customer: they name the customer and
 * lead to a page that is gone, as do those of quotes. Call it while the conversations still have their customers and
 * quotes.
 */
export async function forgetNotices(
  deps: Pick<EnquiryDeps, 'listQuoteNotices'>,
  tx: DatabaseTransaction,
  conversationIds: readonly string[],
): Promise<void> {
  if (conversationIds.length === 0) return
  const rows = await tx
    .selectFrom('conversations')
    .select(['id', 'owner_user_id', 'customer_user_id', 'customer_email', 'verified_at'])
    .where('id', 'in', [...conversationIds])
    .execute()
  for (const row of rows) {
    const { id } = row
    const { links } = await deps.listQuoteNotices(tx, id)
    for (const side of ['vendor', 'customer'] as const) {
      const userId = await accountOf(tx, row, side)
      if (!userId) continue
      const about = { event: eventOf(id, side), links: [pathOf(id, side), ...links] }
      await deleteNotificationsOf(tx, { userId, ...about })
    }
  }
}

/** Mails a guest the link with which they confirm their first message. @param again differs for each further mail */
export async function sendLinkMail(
  deps: Pick<EnquiryDeps, 'jobs'>,
  tx: DatabaseTransaction,
  row: Pick<ConversationRow, 'id'>,
  again?: string,
): Promise<void> {
  await deps.jobs.enqueue(tx, 'send-question-link', {
    conversationId: row.id,
    ...(again ? { again } : {}),
  })
}

/**
 * Mails a guest's link again, at most `MAX_LINKS_AGAIN` times for one question: the address may be a stranger's. Nothing
 * leaves for a question that is confirmed by now, and its answer is the same: it tells nothing about the address.
 * @param input.key as `linkAgainKey` made it
 * @param input.address the client's network address
 * @returns the address that the question was sent with
 */
export async function sendLinkAgain(
  deps: Pick<EnquiryDeps, 'db' | 'jobs' | 'rateLimits' | 'secret'>,
  { key, address }: { key: string; address: string },
): Promise<{ ok: true; sentTo: string } | { ok: false; reason: 'not_found' | 'too_many'; sentTo: string }> {
  const id = key.split('.', 1)[0] ?? ''
  const row = sameText(key, await linkAgainKey(deps.secret, id))
    ? await deps.db
        .selectFrom('conversations')
        .select(['id', 'customer_email', 'links_again'])
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined
  if (!row) return { ok: false, reason: 'not_found', sentTo: '' }
  const sentTo = row.customer_email
  // A question whose links are used up takes nothing of the limits.
  const isSent =
    row.links_again < MAX_LINKS_AGAIN &&
    (await deps.rateLimits.take(`link-again:address:${address}`, LINK_AGAIN_NETWORK_LIMIT)) &&
    (await deps.rateLimits.take(`link-again:email:${sentTo.toLowerCase()}`, LINK_AGAIN_EMAIL_LIMIT)) &&
    (await sendCounted(deps, row.id))
  return isSent ? { ok: true, sentTo } : { ok: false, reason: 'too_many', sentTo }
}

/** Queues the mail of a link and counts it. @returns false if the question's links are used up */
function sendCounted(deps: Pick<EnquiryDeps, 'db' | 'jobs'>, id: string): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    const counted = await tx
      .updateTable('conversations')
      .set((eb) => ({ links_again: eb('links_again', '+', 1) }))
      .where('id', '=', id)
      .where('links_again', '<', MAX_LINKS_AGAIN)
      .returning(['id', 'links_again'])
      .executeTakeFirst()
    if (counted) await sendLinkMail(deps, tx, counted, String(counted.links_again))
    return counted !== undefined
  })
}

/** Sends a guest's link. The queue has only the conversation's id, so it opens nothing. */
export async function mailLink(
  deps: EnquiryDeps,
  mail: Mail,
  { conversationId, again }: { conversationId: string; again?: string },
): Promise<void> {
  const row = await deps.db
    .selectFrom('conversations')
    .select(['customer_email', 'verified_at'])
    .where('id', '=', conversationId)
    .executeTakeFirst()
  if (!row || row.verified_at) return
  const linkToken = await conversationLinkToken(deps.secret, conversationId)
  const key = again ? `${conversationId}-${again}` : conversationId
  await mail.send(confirmQuestionMail({ conversationId: key, email: row.customer_email, linkToken }, deps))
}

/**
 * Queues the mails about unread messages that are due: one for each side of a conversation, until that side has read.
 * Runs each minute.
 */
export async function tellOfMessages(deps: Pick<EnquiryDeps, 'db' | 'jobs' | 'now'>): Promise<void> {
  for (const side of ['vendor', 'customer'] as const) {
    const due = side === 'vendor' ? 'vendor_mail_due_at' : 'customer_mail_due_at'
    for (;;) {
      const count = await deps.db.transaction().execute(async (tx) => {
        const now = deps.now()
        // A side that reads, or another process, has this row's lock.
        const rows = await tx
          .selectFrom('conversations')
          .select('id')
          .where(due, '<=', now)
          .orderBy(due)
          .limit(MAILS_AT_ONCE)
          .forUpdate()
          .skipLocked()
          .execute()
        for (const { id } of rows) {
          await tx
            .updateTable('conversations')
            .set(
              side === 'vendor'
                ? { vendor_mail_due_at: null, vendor_told_at: now }
                : { customer_mail_due_at: null, customer_told_at: now },
            )
            .where('id', '=', id)
            .execute()
          await deps.jobs.enqueue(tx, 'send-messages-mail', {
            conversationId: id,
            side,
            burst: String(now.getTime()),
          })
        }
        return rows.length
      })
      if (count < MAILS_AT_ONCE) break
    }
  }
}

/**
 * Sends the mail about one side's unread messages, with their text as it is now. The queue has no text: a deleted
 * message is in no mail.
 */
export async function mailMessages(
  deps: EnquiryDeps,
  mail: Mail,
  { conversationId, side, burst }: { conversationId: string; side: Side; burst: string },
): Promise<void> {
  const row = await deps.db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', conversationId)
    .executeTakeFirst()
  if (!row || row.status === 'blocked') return
  const to = await recipientOf(deps.db, row, side)
  if (!to || isPlaceholderEmail(to.email)) return
  const messages = await listUnread(deps.db, conversationId, side)
  if (messages.length === 0) return
  const isMasked = deps.masksContacts && row.booked_at === null
  await mail.send(
    unreadMessagesMail(
      to,
      {
        conversationId,
        burst,
        businessId: row.business_id,
        businessName: row.business_name,
        otherName: side === 'vendor' ? row.customer_name : row.business_name,
        messages: messages.map(({ body, fileCount }) => ({
          body: isMasked ? maskContacts(body) : body,
          fileCount,
        })),
        linkToken: await conversationLinkToken(deps.secret, conversationId),
        replyTo: to.isProven ? await replyAddressOf(deps, { conversationId, side, email: to.email }) : null,
      },
      deps,
    ),
  )
}

/** The messages that a mail quotes at most. The newest are in it, in their order. */
export const QUOTED_MESSAGES = 10

async function listUnread(db: Database, conversationId: string, side: Side) {
  const rows = await db
    .selectFrom('messages')
    .select(['body', 'number'])
    .select((eb) =>
      eb
        .selectFrom('message_files')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('message_files.message_id', '=', 'messages.id')
        .as('files'),
    )
    .where('conversation_id', '=', conversationId)
    .where('sender', '=', otherSide(side))
    .where('read_at', 'is', null)
    .orderBy('number', 'desc')
    .limit(QUOTED_MESSAGES)
    .execute()
  return rows.reverse().map(({ body, files }) => ({ body, fileCount: files ?? 0 }))
}

/**
 * Finds the person that mails to a side go to.
 * @returns null without an address: a deleted account, or a disabled one
 */
export async function recipientOf(
  db: Database | DatabaseTransaction,
  row: Pick<
    ConversationRow,
    'owner_user_id' | 'customer_user_id' | 'customer_name' | 'customer_email' | 'verified_at'
  >,
  side: Side,
): Promise<MailedSide | null> {
  const userId = side === 'vendor' ? row.owner_user_id : row.customer_user_id
  if (userId === null) {
    if (row.customer_email === '') return null
    return { side, email: row.customer_email, name: row.customer_name, isProven: row.verified_at !== null }
  }
  const user = await db
    .selectFrom('users')
    .select(['email', 'name', 'email_verified'])
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return user ? { side, email: user.email, name: user.name, isProven: user.email_verified } : null
}

/**
 * Returns the address whose mails become messages of this side while `to` is its mail address, and stores the hash by
 * which it is found.
 * @returns null while replies by mail are off
 */
async function replyAddressOf(
  deps: Pick<EnquiryDeps, 'db' | 'secret' | 'mailInbound' | 'now'>,
  to: { conversationId: string; side: Side; email: string },
): Promise<string | null> {
  if (!deps.mailInbound) return null
  const token = await replyTokenOf(deps.secret, to)
  const tokenHash = await replyTokenHash(token)
  await deps.db
    .insertInto('reply_addresses')
    .values({
      conversation_id: to.conversationId,
      side: to.side,
      token_hash: tokenHash,
      void_at: null,
      created_at: deps.now(),
    })
    // A row of before had the hash of another token.
    .onConflict((conflict) =>
      conflict.columns(['conversation_id', 'side']).doUpdateSet({ token_hash: tokenHash }),
    )
    .execute()
  return `r-${token}@${deps.mailInbound}`
}
