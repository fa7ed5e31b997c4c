import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Side } from '../enquiries/rules.ts'
import { type LetterKind, PAGE_SIZE, REPORT_ALERT_MS } from './rules.ts'

/** A report of a conversation, without its messages. */
export type ListedReport = {
  id: string
  conversationId: string
  businessName: string
  customerName: string
  reportedBy: Side
  reason: string
  createdAt: string
  /** Null while the report is open. */
  closedAt: string | null
  closedBy: string | null
  outcome: string | null
}

/** Lists the open reports, oldest first, or the closed ones, newest first. */
export async function listReports(db: Database, show: 'open' | 'closed'): Promise<ListedReport[]> {
  const query = db
    .selectFrom('conversation_reports')
    .innerJoin('conversations', 'conversations.id', 'conversation_reports.conversation_id')
    .selectAll('conversation_reports')
    .select(['conversations.business_name', 'conversations.customer_name'])
    .limit(PAGE_SIZE)
  const rows =
    show === 'open'
      ? await query.where('closed_at', 'is', null).orderBy('conversation_reports.created_at').execute()
      : await query.where('closed_at', 'is not', null).orderBy('closed_at', 'desc').execute()
  return rows.map(toListedReport)
}

/** Turns a row of a report into what a list shows. */
export function toListedReport(row: {
  id: string
  conversation_id: string
  business_name: string
  customer_name: string
  reported_by: Side
  reason: string
  created_at: Date
  closed_at: Date | null
  closed_by: string | null
  outcome: string | null
}): ListedReport {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    businessName: row.business_name,
    customerName: row.customer_name,
    reportedBy: row.reported_by,
    reason: row.reason,
    createdAt: row.created_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
    closedBy: row.closed_by,
    outcome: row.outcome,
  }
}

/** Counts the reports that have been open for longer than a day. */
export async function countWaitingReports(db: Database, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('conversation_reports')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('closed_at', 'is', null)
    .where('created_at', '<', new Date(now.getTime() - REPORT_ALERT_MS))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Finds a report with the names of its conversation; undefined when there is none with this id. */
export function findReport(db: Database | DatabaseTransaction, reportId: string) {
  return db
    .selectFrom('conversation_reports')
    .innerJoin('conversations', 'conversations.id', 'conversation_reports.conversation_id')
    .selectAll('conversation_reports')
    .select(['conversations.business_name', 'conversations.customer_name'])
    .where('conversation_reports.id', '=', reportId)
    .executeTakeFirst()
}

/** An operator's letter about a report. */
export type ReportLetter = {
  id: string
  kind: LetterKind
  sentTo: Side | 'both'
  body: string
  sentBy: string
  /** ISO 8601, UTC. */
  sentAt: string
}

/** Lists the letters about a report, oldest first. */
export async function listLetters(db: Database, reportId: string): Promise<ReportLetter[]> {
  const rows = await db
    .selectFrom('report_letters')
    .selectAll()
    .where('report_id', '=', reportId)
    .orderBy('sent_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    sentTo: row.sent_to,
    body: row.body,
    sentBy: row.sent_by_email,
    sentAt: row.sent_at.toISOString(),
  }))
}
