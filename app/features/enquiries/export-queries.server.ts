import type { Database } from '../../adapters/database/port.ts'
import { toNumericString } from '../../shared/money.ts'
import { isCustomers, isVendors, listSavedReplies, selectConversations } from './queries.server.ts'
import type { Side } from './rules.ts'

/**
 * Exports an account's conversations and saved replies. A vendor's have no customers and no text of theirs: it is other
 * people's data.
 */
export async function exportConversations(
  db: Database,
  account: { userId: string; verifiedEmail: string | null },
): Promise<{ conversations: object[]; savedReplies: object[] }> {
  const [asCustomer, asVendor, replies] = await Promise.all([
    selectConversations(db).where(isCustomers(account)).orderBy('created_at').orderBy('id').execute(),
    selectConversations(db).where(isVendors(account)).orderBy('created_at').orderBy('id').execute(),
    listSavedReplies(db, account.userId),
  ])
  const sides = [
    ...asCustomer.map((row) => ({ row, side: 'customer' as Side })),
    ...asVendor.map((row) => ({ row, side: 'vendor' as Side })),
  ]
  const messages = await listMessages(
    db,
    sides.map(({ row }) => row.id),
  )
  return {
    conversations: sides.map(({ row, side }) => ({
      businessId: row.business_id,
      businessName: row.business_name,
      side,
      wish: row.wish,
      eventDate: row.event_day,
      guests: row.guests,
      budget: row.budget_cents === null ? null : toNumericString(Number(row.budget_cents)),
      status: row.status,
      createdAt: row.created_at,
      messages: (messages.get(row.id) ?? []).map(({ sender, body, createdAt, readAt, files }) => ({
        sender,
        ...(sender === side || side === 'customer' ? { body, files } : {}),
        createdAt,
        readAt,
      })),
    })),
    savedReplies: replies.map(({ title, body }) => ({ title, body })),
  }
}

async function listMessages(db: Database, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never[]>()
  const rows = await db
    .selectFrom('messages')
    .leftJoin('message_files', 'message_files.message_id', 'messages.id')
    .select([
      'messages.id',
      'messages.conversation_id',
      'messages.sender',
      'messages.body',
      'messages.created_at',
      'messages.read_at',
      'message_files.name',
    ])
    .where('messages.conversation_id', 'in', [...ids])
    .orderBy('messages.number')
    .orderBy('message_files.position')
    .execute()
  const first = [...new Map(rows.map((row) => [row.id, row])).values()]
  const names = Map.groupBy(rows, (row) => row.id)
  return Map.groupBy(
    first.map((row) => ({
      conversationId: row.conversation_id,
      sender: row.sender,
      body: row.body,
      createdAt: row.created_at,
      readAt: row.read_at,
      files: (names.get(row.id) ?? []).flatMap(({ name }) => (name === null ? [] : [name])),
    })),
    (message) => message.conversationId,
  )
}
