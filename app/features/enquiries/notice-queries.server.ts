import { href } from 'react-router'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { hasUnreadNotification } from '../notifications/queries.server.ts'
import type { EnquiryDeps } from './deps.server.ts'
import type { Side } from './rules.ts'
import type { ConversationRow, FoundConversation } from './tables.server.ts'

/** The key of a conversation's notifications for one side. */
export const eventOf = (conversationId: string, side: Side) => `message:${conversationId}:${side}`

/** The page on which a side reads a conversation. */
export const pathOf = (id: string, side: Side) =>
  side === 'vendor' ? href('/dashboard/inbox/:id?', { id }) : href('/messages/:id?', { id })

/** The columns of a conversation that its customer's account is found by. */
export type NoticedRow = Pick<
  ConversationRow,
  'owner_user_id' | 'customer_user_id' | 'customer_email' | 'verified_at'
>

/**
 * Finds the account that hears of a side's news. A guest who proved their address may have an account whose proven address
 * it is: it reads the conversation too (`isCustomers`).
 * @returns null for a guest without an account
 */
export async function accountOf(
  db: Database | DatabaseTransaction,
  row: NoticedRow,
  side: Side,
): Promise<string | null> {
  if (side === 'vendor') return row.owner_user_id
  if (row.customer_user_id || !row.verified_at || row.customer_email === '') return row.customer_user_id
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', row.customer_email)
    .where('email_verified', '=', true)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return user?.id ?? null
}

/** Whether this side has an unread notification that opening the conversation deals with. */
export async function hasUnreadNotice(
  { db, listQuoteNotices }: Pick<EnquiryDeps, 'db' | 'listQuoteNotices'>,
  { row, side }: FoundConversation,
): Promise<boolean> {
  const userId = await accountOf(db, row, side)
  if (!userId) return false
  const { eventKeys } = await listQuoteNotices(db, row.id)
  return hasUnreadNotification(db, { userId, event: eventOf(row.id, side), eventKeys })
}
