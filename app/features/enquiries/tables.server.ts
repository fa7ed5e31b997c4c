import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Cents } from '../../shared/money.ts'
import type { ConversationStatus, Side, Wish } from './rules.ts'

type ConversationsTable = {
  id: string
  business_id: string
  business_name: string
  owner_user_id: string
  customer_user_id: string | null
  customer_name: string
  customer_email: string
  link_hash: string
  submit_key: string
  wish: Wish
  /** The drivers return dates as different types, so read it with to_char. */
  event_date: ColumnType<unknown, string | null, string | null>
  guests: number | null
  budget_cents: ColumnType<string | number | null, Cents | null, Cents | null>
  status: Generated<ConversationStatus>
  blocked_by: Side | null
  verified_at: Date | null
  waiting_since: Date | null
  last_message_at: Date
  answered_at: Date | null
  booked_at: Date | null
  vendor_mail_due_at: Date | null
  customer_mail_due_at: Date | null
  vendor_told_at: Date | null
  customer_told_at: Date | null
  created_at: Date
  /** The booking that it is about: made from its quote, or the one that its customer wrote about. */
  booking_id: ColumnType<string | null, string | null | undefined, string | null>
  /** How often a guest's link was mailed again. */
  links_again: Generated<number>
}

/** A row of `conversations`, as queries return it. */
export type ConversationRow = Selectable<ConversationsTable>
/** A conversation with the side of the person who asks for it. */
export type FoundConversation = { row: ConversationRow & { event_day: string | null }; side: Side }

type MessagesTable = {
  id: string
  /** Messages in the order in which they arrived. */
  number: Generated<string | number>
  conversation_id: string
  sender: Side
  body: string
  sent_by: 'web' | 'mail'
  has_contacts: boolean
  submit_key: string
  read_at: Date | null
  created_at: Date
}

type MessageFilesTable = {
  id: string
  message_id: string
  position: number
  key: string
  name: string
  content_type: 'image/webp' | 'application/pdf'
  bytes: number
}

type ReplyAddressesTable = {
  conversation_id: string
  side: Side
  token_hash: string
  void_at: Date | null
  created_at: Date
}

type SavedRepliesTable = {
  id: string
  user_id: string
  title: string
  body: string
  created_at: Date
}

type ConversationReportsTable = {
  id: string
  conversation_id: string
  reported_by: Side
  reason: string
  created_at: Date
  closed_at: Date | null
  closed_by: string | null
  outcome: string | null
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    conversations: ConversationsTable
    messages: MessagesTable
    message_files: MessageFilesTable
    reply_addresses: ReplyAddressesTable
    saved_replies: SavedRepliesTable
    conversation_reports: ConversationReportsTable
  }
}
