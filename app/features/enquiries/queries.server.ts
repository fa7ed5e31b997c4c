import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { FileStore, StoredFile } from '../../adapters/file-store/port.ts'
import { hashText } from '../../shared/signed.ts'
import type { EnquiryDeps } from './deps.server.ts'
import { hasUnreadNotice } from './notice-queries.server.ts'
import {
  type ConversationView,
  INBOX_PAGE,
  type ListedConversation,
  MESSAGES_PAGE,
  type MessageView,
  maskContacts,
  otherSide,
  type Participant,
  replyTokenHash,
  type SavedReply,
  type Side,
} from './rules.ts'
import type { ConversationRow, FoundConversation } from './tables.server.ts'

type ReadDeps = Pick<EnquiryDeps, 'db' | 'masksContacts'>
type Account = { userId: string; verifiedEmail: string | null }

/** The conversations of a vendor: a guest's only once the guest has confirmed the mailed link. */
export function isVendors({ userId }: { userId: string }): RawBuilder<boolean> {
  return sql<boolean>`(conversations.owner_user_id = ${userId} and conversations.verified_at is not null)`
}

/** The conversations of a customer, with those that the verified address began as a guest. */
export function isCustomers({ userId, verifiedEmail }: Account): RawBuilder<boolean> {
  return verifiedEmail === null
    ? sql<boolean>`conversations.customer_user_id = ${userId}`
    : sql<boolean>`(conversations.customer_user_id = ${userId}
        or (conversations.customer_user_id is null and conversations.customer_email = ${verifiedEmail}))`
}

/** Selects conversations with their event's day as text. */
export function selectConversations(db: Database | DatabaseTransaction) {
  return db.selectFrom('conversations').selectAll().select(eventDay().as('event_day'))
}

/** The day of a conversation's event as text: its booking's, which may have moved, else the one that was asked about. */
function eventDay(): RawBuilder<string | null> {
  return sql<string | null>`to_char(coalesce(
    (select bookings.date from bookings where bookings.id = conversations.booking_id),
    conversations.event_date), 'YYYY-MM-DD')`
}

/**
 * Finds a conversation and the asker's side.
 * @param input.id may be left out with a link
 * @param input.lock locks the conversation's row until the transaction ends. It locks its messages, status and quotes
 *   too: lock it before any of them
 * @returns null when there is none, or when it isn't this person's
 */
export async function findOwnConversation(
  db: Database | DatabaseTransaction,
  input: { id?: string | null; by: Participant; lock?: boolean },
): Promise<FoundConversation | null> {
  const { by } = input
  const address = 'replyToken' in by ? await findReplyAddress(db, by.replyToken) : null
  if ('replyToken' in by && (!address || (input.id && input.id !== address.conversation_id))) return null
  const id = address?.conversation_id ?? input.id
  if (!id && !('linkToken' in by)) return null
  let query = selectConversations(db)
  if (id) query = query.where('id', '=', id)
  if ('linkToken' in by) query = query.where('link_hash', '=', await hashText(by.linkToken))
  if ('userId' in by) query = query.where(sql<boolean>`(${isVendors(by)} or ${isCustomers(by)})`)
  if (input.lock) query = query.forUpdate('conversations')
  const row = await query.executeTakeFirst()
  if (!row) return null
  if (address) return { row, side: address.side }
  const isVendor = 'userId' in by && row.owner_user_id === by.userId && row.verified_at !== null
  return { row, side: isVendor ? 'vendor' : 'customer' }
}

/**
 * Finds the conversation and the side of a reply address that isn't void. Addresses of before are stored by the hash of
 * their whole token.
 */
async function findReplyAddress(db: Database | DatabaseTransaction, token: string) {
  return db
    .selectFrom('reply_addresses')
    .select(['conversation_id', 'side'])
    .where('token_hash', 'in', [await replyTokenHash(token), await hashText(token)])
    .where('void_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Reads a conversation with its newest messages, oldest first.
 * @param input.before the number of a message: reads those before it
 * @returns null when there is none, or when it isn't this person's
 */
export async function findConversation(
  deps: ReadDeps & Pick<EnquiryDeps, 'listQuoteNotices'>,
  input: { id?: string | null; by: Participant; before?: number },
): Promise<ConversationView | null> {
  const { db, masksContacts } = deps
  const found = await findOwnConversation(db, input)
  if (!found) return null
  const [conversation, hasNotice] = await Promise.all([
    readConversation(db, { ...found, before: input.before, masksContacts }),
    hasUnreadNotice(deps, found),
  ])
  return { ...conversation, hasNotice }
}

/** Reads the messages of a conversation that the caller may see, without looking for notifications. */
export async function readConversation(
  db: Database,
  { row, side, before, masksContacts }: FoundConversation & { before?: number; masksContacts: boolean },
): Promise<ConversationView> {
  let newest = db
    .selectFrom('messages')
    .selectAll()
    .where('conversation_id', '=', row.id)
    .orderBy('number', 'desc')
    .limit(MESSAGES_PAGE + 1)
  if (before !== undefined) newest = newest.where('number', '<', before)
  const [rows, unread, report] = await Promise.all([
    newest.execute(),
    countUnreadIn(db, row.id, side),
    db
      .selectFrom('conversation_reports')
      .select('id')
      .where('conversation_id', '=', row.id)
      .where('reported_by', '=', side)
      .where('closed_at', 'is', null)
      .executeTakeFirst(),
  ])
  const page = rows.slice(0, MESSAGES_PAGE).reverse()
  const files = await listFiles(
    db,
    page.map(({ id }) => id),
  )
  const isMasked = masksContacts && row.booked_at === null
  const messages = page.map(
    (message): MessageView => ({
      id: message.id,
      number: Number(message.number),
      sender: message.sender,
      isMine: message.sender === side,
      body: isMasked ? maskContacts(message.body) : message.body,
      sentBy: message.sent_by,
      readAt: message.read_at?.toISOString() ?? null,
      createdAt: message.created_at.toISOString(),
      files: files.get(message.id) ?? [],
    }),
  )
  return {
    ...factsOf(row, side),
    unread,
    hasNotice: false,
    side,
    ownerUserId: row.owner_user_id,
    blockedBy: row.blocked_by,
    isReported: report !== undefined,
    hasContactDetails: page.some((message) => message.has_contacts),
    createdAt: row.created_at.toISOString(),
    messages,
    hasOlder: rows.length > MESSAGES_PAGE,
  }
}

function factsOf(row: ConversationRow & { event_day: string | null }, side: Side) {
  return {
    id: row.id,
    businessId: row.business_id,
    businessName: row.business_name,
    customerName: row.customer_name,
    otherName: side === 'vendor' ? row.customer_name : row.business_name,
    wish: row.wish,
    bookingId: row.booking_id,
    eventDate: row.event_day,
    guests: row.guests,
    budgetCents: row.budget_cents === null ? null : Number(row.budget_cents),
    status: row.status,
    isVerified: row.verified_at !== null,
    waitingSince: row.waiting_since?.toISOString() ?? null,
    lastMessageAt: row.last_message_at.toISOString(),
  }
}

async function listFiles(db: Database, messageIds: readonly string[]) {
  if (messageIds.length === 0) return new Map<string, MessageView['files']>()
  const rows = await db
    .selectFrom('message_files')
    .select(['id', 'message_id', 'name', 'content_type', 'bytes'])
    .where('message_id', 'in', [...messageIds])
    .orderBy('message_id')
    .orderBy('position')
    .execute()
  const files = new Map<string, MessageView['files']>()
  for (const { id, message_id, name, content_type, bytes } of rows) {
    const own = files.get(message_id) ?? []
    files.set(message_id, [...own, { id, name, contentType: content_type, bytes }])
  }
  return files
}

/** The filters of a vendor's inbox. */
export type InboxFilter = 'all' | 'waiting' | 'unread' | 'closed'

/**
 * Lists a vendor's conversations of all their listings: those that wait for an answer first, the longest waiting first,
 * then by their last message.
 * @param input.page from 1
 */
export async function listInbox(
  { db, masksContacts }: ReadDeps,
  input: { userId: string; filter?: InboxFilter; businessId?: string | null; page?: number },
): Promise<{ conversations: ListedConversation[]; hasMore: boolean }> {
  let query = selectListed(db, 'vendor').where(isVendors(input))
  if (input.businessId) query = query.where('conversations.business_id', '=', input.businessId)
  if (input.filter === 'waiting')
    query = query
      .where('conversations.waiting_since', 'is not', null)
      .where('conversations.status', 'not in', ['closed', 'blocked'])
  if (input.filter === 'unread') query = query.where(sql<boolean>`unread.count > 0`)
  if (input.filter === 'closed') query = query.where('conversations.status', 'in', ['closed', 'blocked'])
  return listPage(
    query
      .orderBy(
        sql`case when conversations.status not in ('closed', 'blocked') then conversations.waiting_since end asc nulls last`,
      )
      .orderBy('conversations.last_message_at', 'desc')
      .orderBy('conversations.id'),
    { side: 'vendor', page: input.page ?? 1, masksContacts },
  )
}

/** Lists a customer's conversations, the newest message first. @param input.page from 1 */
export async function listCustomerConversations(
  { db, masksContacts }: ReadDeps,
  input: Account & { page?: number },
): Promise<{ conversations: ListedConversation[]; hasMore: boolean }> {
  return listPage(
    selectListed(db, 'customer')
      .where(isCustomers(input))
      .orderBy('conversations.last_message_at', 'desc')
      .orderBy('conversations.id'),
    { side: 'customer', page: input.page ?? 1, masksContacts },
  )
}

type ListedRow = ConversationRow & {
  event_day: string | null
  last_body: string
  last_sender: Side
  unread: number
}

function selectListed(db: Database, side: Side) {
  return db
    .selectFrom('conversations')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('messages')
          .select(['messages.body', 'messages.sender'])
          .whereRef('messages.conversation_id', '=', 'conversations.id')
          .orderBy('messages.number', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('messages')
          .select(sql<number>`count(*)::int`.as('count'))
          .whereRef('messages.conversation_id', '=', 'conversations.id')
          .where('messages.sender', '=', otherSide(side))
          .where('messages.read_at', 'is', null)
          .as('unread'),
      (join) => join.onTrue(),
    )
    .selectAll('conversations')
    .select([
      eventDay().as('event_day'),
      'last.body as last_body',
      'last.sender as last_sender',
      'unread.count as unread',
    ])
}

/** Characters of the last message in a list. */
const EXCERPT_LENGTH = 140

async function listPage<Row extends ListedRow>(
  query: PagedQuery<Row>,
  { side, page, masksContacts }: { side: Side; page: number; masksContacts: boolean },
): Promise<{ conversations: ListedConversation[]; hasMore: boolean }> {
  const rows = await query
    .limit(INBOX_PAGE + 1)
    .offset((Math.max(page, 1) - 1) * INBOX_PAGE)
    .execute()
  return {
    hasMore: rows.length > INBOX_PAGE,
    conversations: rows.slice(0, INBOX_PAGE).map((row) => {
      const body = masksContacts && row.booked_at === null ? maskContacts(row.last_body) : row.last_body
      return {
        ...factsOf(row, side),
        lastMessage: [...body].slice(0, EXCERPT_LENGTH).join(''),
        lastSender: row.last_sender,
        unread: row.unread,
      }
    }),
  }
}

type PagedQuery<Row> = {
  limit(rows: number): { offset(rows: number): { execute(): Promise<Row[]> } }
}

/** Counts the messages of a conversation that a side hasn't read. */
export async function countUnreadIn(
  db: Database | DatabaseTransaction,
  conversationId: string,
  side: Side,
): Promise<number> {
  const row = await db
    .selectFrom('messages')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('conversation_id', '=', conversationId)
    .where('sender', '=', otherSide(side))
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Counts an account's unread messages, as a vendor and as a customer, for the header. */
export async function countUnread(
  db: Database,
  account: Account,
): Promise<{ vendor: number; customer: number }> {
  const count = async (side: Side, whose: RawBuilder<boolean>) => {
    const row = await db
      .selectFrom('messages')
      .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('messages.sender', '=', otherSide(side))
      .where('messages.read_at', 'is', null)
      .where(whose)
      .executeTakeFirstOrThrow()
    return row.count
  }
  const [vendor, customer] = await Promise.all([
    count('vendor', isVendors(account)),
    count('customer', isCustomers(account)),
  ])
  return { vendor, customer }
}

/** Counts a vendor's conversations that wait for an answer, of all their listings. */
export async function countWaiting(db: Database, userId: string): Promise<number> {
  const row = await db
    .selectFrom('conversations')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(isVendors({ userId }))
    .where('waiting_since', 'is not', null)
    .where('status', 'not in', ['closed', 'blocked'])
    .executeTakeFirstOrThrow()
  return row.count
}

/**
 * Reads a file of a message.
 * @returns null when there is none, or when its conversation isn't this person's
 */
export async function readMessageFile(
  { db, files }: { db: Database; files: FileStore },
  input: { fileId: string; by: Participant },
): Promise<(StoredFile & { name: string }) | null> {
  const row = await findFile(db, input.fileId)
  if (!row || !(await findOwnConversation(db, { id: row.conversation_id, by: input.by }))) return null
  return readStored(files, row)
}

/** Finds a file of a message, for callers that check who may see it. */
export function findFile(db: Database, fileId: string) {
  return db
    .selectFrom('message_files')
    .innerJoin('messages', 'messages.id', 'message_files.message_id')
    .select(['message_files.key', 'message_files.name', 'messages.conversation_id'])
    .where('message_files.id', '=', fileId)
    .executeTakeFirst()
}

/** Reads a found file from the store. */
export async function readStored(
  files: FileStore,
  { key, name }: { key: string; name: string },
): Promise<(StoredFile & { name: string }) | null> {
  const stored = await files.read(key)
  return stored && { ...stored, name }
}

/** Lists a vendor's saved replies, by name. */
export function listSavedReplies(db: Database, userId: string): Promise<SavedReply[]> {
  return db
    .selectFrom('saved_replies')
    .select(['id', 'title', 'body'])
    .where('user_id', '=', userId)
    .orderBy('title')
    .orderBy('id')
    .execute()
}
