import { href } from 'react-router'
import { hasUnreadNotification } from '../notifications/queries.server.ts'
import type { EnquiryDeps } from './deps.server.ts'
import type { FoundConversation } from './queries.server.ts'
import type { Side } from './rules.ts'

/** The key of a conversation's notifications for one side. */
export const eventOf = (conversationId: string, side: Side) => `message:${conversationId}:${side}`

/** The page on which a side reads a conversation. */
export const pathOf = (id: string, side: Side) =>
  side === 'vendor' ? href('/dashboard/inbox/:id?', { id }) : href('/messages/:id?', { id })

/** Whether this side has an unread notification that opening the conversation deals with. Guests have none. */
export async function hasUnreadNotice(
  { db, listQuoteNotices }: Pick<EnquiryDeps, 'db' | 'listQuoteNotices'>,
  { row, side }: FoundConversation,
): Promise<boolean> {
  const userId = side === 'vendor' ? row.owner_user_id : row.customer_user_id
  if (!userId) return false
  const { eventKeys } = await listQuoteNotices(db, row.id)
  return hasUnreadNotification(db, { userId, event: eventOf(row.id, side), eventKeys })
}
