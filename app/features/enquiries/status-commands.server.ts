import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import type { EnquiryDeps } from './deps.server.ts'
import { publishConversation } from './notice-commands.server.ts'
import { findOwnConversation } from './queries.server.ts'
import type { Participant, Side } from './rules.ts'
import type { FoundConversation } from './tables.server.ts'

type Changed = { ok: true } | { ok: false; reason: 'not_found' | 'blocked' }

/** Closes a conversation, ends its open quote, and stops the clock of its answer. A new message opens it again. */
export function closeConversation(
  deps: Pick<EnquiryDeps, 'db' | 'liveUpdates' | 'endQuotes'>,
  input: { id?: string; by: Participant },
): Promise<Changed> {
  return change(deps, input, async (tx, { row, side }) => {
    if (row.status === 'blocked') return refuse('blocked')
    await deps.endQuotes(tx, { conversationId: row.id, by: side })
    await tx
      .updateTable('conversations')
      .set({ status: 'closed', waiting_since: null })
      .where('id', '=', row.id)
      .execute()
    return { ok: true }
  })
}

/** Blocks the other side: neither can write, replies by mail are refused, and the open quote ends. */
export function blockConversation(
  deps: Pick<EnquiryDeps, 'db' | 'liveUpdates' | 'now' | 'endQuotes'>,
  input: { id?: string; by: Participant },
): Promise<Changed> {
  return change(deps, input, async (tx, { row, side }) => {
    // Blocked by the other side before: it stays theirs to undo.
    if (row.status === 'blocked') return row.blocked_by === side ? { ok: true } : refuse('blocked')
    await setBlocked(deps, tx, { conversationId: row.id, blockedBy: side })
    return { ok: true }
  })
}

/** Blocks a locked conversation and ends its open quote. @param input.blockedBy the side that may undo it */
export async function setBlocked(
  deps: Pick<EnquiryDeps, 'now' | 'endQuotes'>,
  tx: DatabaseTransaction,
  { conversationId, blockedBy }: { conversationId: string; blockedBy: Side },
): Promise<void> {
  await deps.endQuotes(tx, { conversationId, by: blockedBy })
  await tx
    .updateTable('conversations')
    .set({
      status: 'blocked',
      blocked_by: blockedBy,
      waiting_since: null,
      vendor_mail_due_at: null,
      customer_mail_due_at: null,
    })
    .where('id', '=', conversationId)
    .execute()
  await tx
    .updateTable('reply_addresses')
    .set({ void_at: deps.now() })
    .where('conversation_id', '=', conversationId)
    .where('void_at', 'is', null)
    .execute()
}

/** Undoes this side's block. */
export function unblockConversation(
  deps: Pick<EnquiryDeps, 'db' | 'liveUpdates'>,
  input: { id?: string; by: Participant },
): Promise<Changed> {
  return change(deps, input, async (tx, { row, side }) => {
    if (row.status !== 'blocked') return { ok: true }
    if (row.blocked_by !== side) return refuse('blocked')
    await tx
      .updateTable('conversations')
      .set({ status: row.booked_at ? 'booked' : 'open', blocked_by: null })
      .where('id', '=', row.id)
      .execute()
    await takeReplies(tx, row.id)
    return { ok: true }
  })
}

/** Takes replies by mail again in a conversation that was blocked. */
async function takeReplies(tx: DatabaseTransaction, conversationId: string): Promise<void> {
  await tx
    .updateTable('reply_addresses')
    .set({ void_at: null })
    .where('conversation_id', '=', conversationId)
    .execute()
}

/** Runs a change of a locked conversation and tells both sides' open pages. */
async function change(
  deps: Pick<EnquiryDeps, 'db' | 'liveUpdates'>,
  input: { id?: string; by: Participant },
  work: (tx: DatabaseTransaction, found: FoundConversation) => Promise<Changed>,
): Promise<Changed> {
  return deps.db.transaction().execute(async (tx) => {
    const found = await findOwnConversation(tx, { ...input, lock: true })
    if (!found) return refuse('not_found')
    const done = await work(tx, found)
    if (done.ok) await publishConversation(deps, tx, found.row)
    return done
  })
}

/**
 * Records that a quote was sent, which answers its customer, or paid, in a conversation whose row the transaction has
 * locked.
 * @param status 'quoted' leaves a booked conversation booked
 * @param bookingId the booking that the quote became
 */
export async function markConversation(
  deps: Pick<EnquiryDeps, 'liveUpdates' | 'now'>,
  tx: DatabaseTransaction,
  {
    conversationId,
    status,
    bookingId,
  }: { conversationId: string; status: 'quoted' | 'booked'; bookingId?: string },
): Promise<void> {
  const at = deps.now()
  if (status === 'booked') {
    const blocked = await tx
      .selectFrom('conversations')
      .select('id')
      .where('id', '=', conversationId)
      .where('status', '=', 'blocked')
      .executeTakeFirst()
    // Blocked while the customer paid: the booking undoes that.
    if (blocked) await takeReplies(tx, conversationId)
  }
  const row = await tx
    .updateTable('conversations')
    .set(
      status === 'booked'
        ? {
            status: 'booked',
            blocked_by: null,
            booked_at: at,
            waiting_since: null,
            ...(bookingId ? { booking_id: bookingId } : {}),
          }
        : {
            status: sql`case when status = 'booked' then status else 'quoted' end`,
            waiting_since: null,
            answered_at: sql`coalesce(answered_at, ${at})`,
          },
    )
    .where('id', '=', conversationId)
    .$if(status === 'quoted', (query) => query.where('status', '<>', 'blocked'))
    .returningAll()
    .executeTakeFirst()
  if (row) await publishConversation(deps, tx, row)
}

/** Reports a conversation to the operators. A second report while the first is open changes nothing. */
export function reportConversation(
  deps: Pick<EnquiryDeps, 'db' | 'liveUpdates' | 'now'>,
  input: { id?: string; by: Participant; reason: string },
): Promise<Changed> {
  return change(deps, input, async (tx, { row, side }) => {
    const open = await tx
      .selectFrom('conversation_reports')
      .select('id')
      .where('conversation_id', '=', row.id)
      .where('reported_by', '=', side)
      .where('closed_at', 'is', null)
      .executeTakeFirst()
    if (open) return { ok: true }
    await tx
      .insertInto('conversation_reports')
      .values({
        id: newId(),
        conversation_id: row.id,
        reported_by: side,
        reason: input.reason,
        created_at: deps.now(),
        closed_at: null,
        closed_by: null,
        outcome: null,
      })
      .execute()
    return { ok: true }
  })
}
