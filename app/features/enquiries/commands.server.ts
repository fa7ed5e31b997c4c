import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { LocalDate } from '../../shared/dates.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import { hashText } from '../../shared/signed.ts'
import { findBookingOffer } from '../bookings/checkout/queries.server.ts'
import { accountSender, guestSender } from '../files/rules.ts'
import type { EnquiryDeps } from './deps.server.ts'
import {
  addFiles,
  type CheckedFile,
  type FileQuota,
  type FileRefused,
  keepMessageFiles,
} from './file-commands.server.ts'
import {
  announceMessage,
  endNotices,
  mailAgain,
  publishConversation,
  QUOTED_MESSAGES,
  sendLinkMail,
} from './notice-commands.server.ts'
import { hasUnreadNotice } from './notice-queries.server.ts'
import { countUnreadIn, findOwnConversation } from './queries.server.ts'
import {
  conversationLinkToken,
  FILES_LIMIT,
  GUEST_FILES_LIMIT,
  hasContactDetails,
  MESSAGE_LIMIT,
  otherSide,
  type Participant,
  type Side,
  START_LIMIT,
  type Wish,
} from './rules.ts'
import type { FoundConversation } from './tables.server.ts'

/** A message as typed. `submitKey` is the form's: the same key with the same content is one message. */
export type NewMessage = { body: string; files: readonly File[]; submitKey: string }

/** The customer who starts a conversation. An account without an id is a guest. */
export type NewCustomer = { userId: string | null; name: string; email: string }

export type StartedConversation =
  /** A guest's conversation begins unverified: the link is in their mail. */
  | { ok: true; conversationId: string; isVerified: boolean }
  | { ok: false; reason: 'gone' | 'own_business' | 'too_many' | 'blocked' }
  | FileRefused

/**
 * Starts a conversation with a business. A guest's stays unseen by the vendor until the guest has confirmed the mailed
 * link (`verifyConversation`).
 * @param input.address the client's network address, whose new conversations are limited
 */
export async function startConversation(
  deps: EnquiryDeps,
  input: {
    businessId: string
    wish: Wish
    eventDate: LocalDate | null
    guests: number | null
    budgetCents: Cents | null
    message: NewMessage
    customer: NewCustomer
    address: string
    /** The booking that it is about. Its link was mailed to the customer, so there is no address to confirm. */
    booking?: { id: string; businessName: string; ownerUserId: string }
  },
): Promise<StartedConversation> {
  const { businessId, customer, message, booking } = input
  const submitKey = await keyOf(message, businessId, customer.email)
  const before = await findBySubmitKey(deps, submitKey)
  if (before) return before
  const offer = booking ?? (await findBookingOffer(deps.db, businessId))
  if (!offer) return refuse('gone')
  if (offer.ownerUserId === customer.userId) return refuse('own_business')
  if (await isBlocked(deps, offer.ownerUserId, customer)) return refuse('blocked')
  if (!(await mayStart(deps, input))) return refuse('too_many')
  const checked = await keepMessageFiles(deps, {
    sender: customer.userId ? accountSender(customer.userId) : guestSender(input.address),
    files: message.files,
    quotas: customer.userId
      ? [accountQuota(customer.userId)]
      : [
          { key: `guest-files:address:${input.address}`, limit: GUEST_FILES_LIMIT },
          { key: `guest-files:email:${customer.email}`, limit: GUEST_FILES_LIMIT },
        ],
    isUnconfirmed: customer.userId === null,
  })
  if (!checked.ok) return checked

  const id = newId()
  const at = deps.now()
  const verifiedAt = customer.userId || booking ? at : null
  const linkHash = await hashText(await conversationLinkToken(deps.secret, id))
  const isStored = await deps.db.transaction().execute(async (tx) => {
    const row = await tx
      .insertInto('conversations')
      .values({
        id,
        business_id: businessId,
        business_name: offer.businessName,
        owner_user_id: offer.ownerUserId,
        customer_user_id: customer.userId,
        customer_name: customer.name,
        customer_email: customer.email,
        link_hash: linkHash,
        submit_key: submitKey,
        wish: input.wish,
        event_date: input.eventDate,
        guests: input.guests,
        budget_cents: input.budgetCents,
        blocked_by: null,
        verified_at: verifiedAt,
        waiting_since: verifiedAt,
        last_message_at: at,
        answered_at: null,
        booked_at: null,
        vendor_mail_due_at: null,
        customer_mail_due_at: null,
        vendor_told_at: null,
        customer_told_at: null,
        created_at: at,
        booking_id: booking?.id ?? null,
      })
      .onConflict((conflict) => conflict.column('submit_key').doNothing())
      .returningAll()
      .executeTakeFirst()
    // Pressed twice: the first press has stored it.
    if (!row) return false
    const { messageId } = await addMessage(deps, tx, {
      conversationId: id,
      sender: 'customer',
      message,
      sentBy: 'web',
      submitKey,
      files: checked.files,
    })
    if (verifiedAt) await announceMessage(deps, tx, { row, sender: 'customer', messageId })
    else await sendLinkMail(deps, tx, row)
    return true
  })
  if (isStored) return { ok: true, conversationId: id, isVerified: verifiedAt !== null }
  const other = await findBySubmitKey(deps, submitKey)
  if (!other) throw new Error('a conversation vanished between its insert and its reading')
  return other
}

/**
 * Confirms a guest's address and shows their conversation to the vendor. Call it for a pressed button only: mail
 * scanners open links.
 */
export async function verifyConversation(
  deps: EnquiryDeps,
  input: { id?: string; by: Participant },
): Promise<{ ok: true; conversationId: string } | { ok: false; reason: 'not_found' }> {
  return deps.db.transaction().execute(async (tx) => {
    const found = await findOwnConversation(tx, { ...input, lock: true })
    if (!found) return refuse('not_found')
    const { row } = found
    if (row.verified_at) return { ok: true, conversationId: row.id }
    const at = deps.now()
    const verified = await tx
      .updateTable('conversations')
      .set({ verified_at: at, waiting_since: at })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const first = await tx
      .selectFrom('messages')
      .select('id')
      .where('conversation_id', '=', row.id)
      .orderBy('number')
      .limit(1)
      .executeTakeFirstOrThrow()
    await announceMessage(deps, tx, { row: verified, sender: 'customer', messageId: first.id })
    return { ok: true, conversationId: row.id }
  })
}

export type SentMessage =
  | { ok: true; conversationId: string; messageId: string }
  | { ok: false; reason: 'not_found' | 'unverified' | 'blocked' | 'blocked_by_you' | 'left' | 'too_many' }
  | FileRefused

/**
 * Sends a message in a conversation. A closed conversation is open again.
 * @returns refuses also with 'blocked' for a sender whose account is disabled, and with 'left' if the other side's is
 *   deleted or disabled
 */
export async function sendMessage(
  deps: EnquiryDeps,
  input: { id?: string; by: Participant; message: NewMessage; sentBy?: 'web' | 'mail' },
): Promise<SentMessage> {
  const { message, sentBy = 'web' } = input
  const present = await findOwnConversation(deps.db, input)
  if (!present) return refuse('not_found')
  const { row, side } = present
  const submitKey = await keyOf(message, row.id, side)
  const before = await findSent(deps.db, row.id, submitKey)
  if (before) return { ok: true, conversationId: row.id, messageId: before }
  const refusal = refusalOf(present)
  if (refusal) return refuse(refusal)
  if (!(await deps.rateLimits.take(`messages:${row.id}:${side}`, MESSAGE_LIMIT))) return refuse('too_many')
  const userId = side === 'vendor' ? row.owner_user_id : row.customer_user_id
  const checked = await keepMessageFiles(deps, {
    // A confirmed guest writes by links and mails, from whichever network.
    sender: userId ? accountSender(userId) : guestSender(row.customer_email),
    files: message.files,
    quotas: [userId ? accountQuota(userId) : { key: `files:guest:${row.id}`, limit: FILES_LIMIT }],
  })
  if (!checked.ok) return checked
  return deps.db.transaction().execute(async (tx): Promise<SentMessage> => {
    const locked = await findOwnConversation(tx, { id: row.id, by: input.by, lock: true })
    if (!locked) return refuse('not_found')
    const refused = refusalOf(locked)
    if (refused) return refuse(refused)
    const closed = await closedAccountOf(tx, locked)
    if (closed) return refuse(closed === 'own' ? 'blocked' : 'left')
    const { messageId, isNew } = await addMessage(deps, tx, {
      conversationId: row.id,
      sender: side,
      message,
      sentBy,
      submitKey,
      files: checked.files,
    })
    if (!isNew) return { ok: true, conversationId: row.id, messageId }
    if (sentBy === 'mail') await markMailedRead(deps, tx, locked)
    const at = deps.now()
    const updated = await tx
      .updateTable('conversations')
      .set({
        last_message_at: at,
        ...(side === 'vendor'
          ? { waiting_since: null, answered_at: locked.row.answered_at ?? at }
          : { waiting_since: locked.row.waiting_since ?? at }),
        ...(locked.row.status === 'closed' ? { status: locked.row.booked_at ? 'booked' : 'open' } : {}),
      })
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await announceMessage(deps, tx, { row: updated, sender: side, messageId })
    return { ok: true, conversationId: row.id, messageId }
  })
}

/** The daily limit of an account's files, over all that it attaches them to. */
export const accountQuota = (userId: string): FileQuota => ({
  key: `files:account:${userId}`,
  limit: FILES_LIMIT,
})

/**
 * Finds the side without an account that may write and be written to: it is deleted, or an operator has disabled it. A
 * reply address has no session that disabling could end. Guests have no account.
 */
export async function closedAccountOf(
  tx: DatabaseTransaction,
  { row, side }: FoundConversation,
): Promise<'own' | 'other' | null> {
  const active = await tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [row.owner_user_id, row.customer_user_id ?? ''])
    .where('disabled_at', 'is', null)
    .execute()
  const isOpen = (of: Side) => {
    const userId = of === 'vendor' ? row.owner_user_id : row.customer_user_id
    return userId === null ? row.customer_email !== '' : active.some(({ id }) => id === userId)
  }
  if (!isOpen(side)) return 'own'
  return isOpen(otherSide(side)) ? null : 'other'
}

function refusalOf({ row, side }: FoundConversation): 'unverified' | 'blocked' | 'blocked_by_you' | null {
  if (row.status === 'blocked') return row.blocked_by === side ? 'blocked_by_you' : 'blocked'
  return row.verified_at ? null : 'unverified'
}

/**
 * Marks the messages of the other side as read, and the notifications that the conversation's page deals with.
 * @returns how many messages were unread
 */
export async function markRead(
  deps: Pick<EnquiryDeps, 'db' | 'liveUpdates' | 'now' | 'listQuoteNotices'>,
  input: { id?: string; by: Participant },
): Promise<number> {
  // Most openings have nothing unread, so they lock nothing.
  const present = await findOwnConversation(deps.db, input)
  if (!present) return 0
  if (
    (await countUnreadIn(deps.db, present.row.id, present.side)) === 0 &&
    !(await hasUnreadNotice(deps, present))
  )
    return 0
  return deps.db.transaction().execute(async (tx) => {
    const found = await findOwnConversation(tx, { id: present.row.id, by: input.by, lock: true })
    if (!found) return 0
    const count = await markMessages(deps, tx, found)
    await endNotices(deps, tx, found)
    if (count > 0) await publishConversation(deps, tx, found.row)
    return count
  })
}

/**
 * Marks the messages of the last mail as read: its reader has answered by mail, and may never open the site. Messages
 * since that mail, and those before the newest that it quoted, were in none, so they are mailed next.
 */
async function markMailedRead(deps: EnquiryDeps, tx: DatabaseTransaction, found: FoundConversation) {
  const { row, side } = found
  const mailedAt = side === 'vendor' ? row.vendor_told_at : row.customer_told_at
  if (!mailedAt) return
  await markMessages(deps, tx, found, mailedAt)
  if ((await countUnreadIn(tx, row.id, side)) === 0) await endNotices(deps, tx, found)
  else await mailAgain(deps, tx, found)
}

async function markMessages(
  deps: Pick<EnquiryDeps, 'now'>,
  tx: DatabaseTransaction,
  { row, side }: FoundConversation,
  before?: Date,
): Promise<number> {
  let unread = tx
    .updateTable('messages')
    .set({ read_at: deps.now() })
    .where('conversation_id', '=', row.id)
    .where('sender', '=', otherSide(side))
    .where('read_at', 'is', null)
  if (before)
    unread = unread.where('number', 'in', (eb) =>
      eb
        .selectFrom('messages as mailed')
        .select('mailed.number')
        .where('mailed.conversation_id', '=', row.id)
        .where('mailed.sender', '=', otherSide(side))
        .where('mailed.read_at', 'is', null)
        .where('mailed.created_at', '<', before)
        .orderBy('mailed.number', 'desc')
        .limit(QUOTED_MESSAGES),
    )
  return Number((await unread.executeTakeFirst()).numUpdatedRows)
}

/** The stored key of a message: what was sent again unchanged is the same message, what was changed is another. */
function keyOf({ submitKey, body, files }: NewMessage, ...about: string[]): Promise<string> {
  const sizes = files.map(({ name, size }) => [name, size])
  return hashText(JSON.stringify([submitKey, body, sizes, ...about]))
}

async function findBySubmitKey({ db }: EnquiryDeps, submitKey: string): Promise<StartedConversation | null> {
  const row = await db
    .selectFrom('conversations')
    .select(['id', 'verified_at'])
    .where('submit_key', '=', submitKey)
    .executeTakeFirst()
  return row ? { ok: true, conversationId: row.id, isVerified: row.verified_at !== null } : null
}

async function findSent(
  db: EnquiryDeps['db'] | DatabaseTransaction,
  conversationId: string,
  submitKey: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('submit_key', '=', submitKey)
    .executeTakeFirst()
  return row?.id ?? null
}

async function addMessage(
  deps: EnquiryDeps,
  tx: DatabaseTransaction,
  input: {
    conversationId: string
    sender: Side
    message: NewMessage
    sentBy: 'web' | 'mail'
    submitKey: string
    files: readonly CheckedFile[]
  },
): Promise<{ messageId: string; isNew: boolean }> {
  const { conversationId, submitKey } = input
  // The conversation's row is locked, so this reads what a double click stored before.
  const before = await findSent(tx, conversationId, submitKey)
  if (before) return { messageId: before, isNew: false }
  const messageId = newId()
  await tx
    .insertInto('messages')
    .values({
      id: messageId,
      conversation_id: conversationId,
      sender: input.sender,
      body: input.message.body,
      sent_by: input.sentBy,
      has_contacts: hasContactDetails(input.message.body),
      submit_key: submitKey,
      read_at: null,
      created_at: deps.now(),
    })
    .execute()
  await addFiles(tx, messageId, input.files)
  return { messageId, isNew: true }
}

/** Whether one of the two has blocked the other in an earlier conversation. */
async function isBlocked({ db }: EnquiryDeps, ownerUserId: string, customer: NewCustomer): Promise<boolean> {
  const row = await db
    .selectFrom('conversations')
    .select('id')
    .where('owner_user_id', '=', ownerUserId)
    .where('status', '=', 'blocked')
    .where((eb) =>
      eb.or([
        eb('customer_email', '=', customer.email),
        ...(customer.userId ? [eb('customer_user_id', '=', customer.userId)] : []),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}

async function mayStart(
  { rateLimits }: EnquiryDeps,
  { address, customer }: { address: string; customer: NewCustomer },
): Promise<boolean> {
  const subjects = [
    `conversations:address:${address}`,
    customer.userId ? `conversations:account:${customer.userId}` : `conversations:email:${customer.email}`,
  ]
  for (const subject of subjects) if (!(await rateLimits.take(subject, START_LIMIT))) return false
  return true
}
