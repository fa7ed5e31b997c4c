import type { Database } from '../../adapters/database/port.ts'
import type { FileStore, StoredFile } from '../../adapters/file-store/port.ts'
import { refuse } from '../../shared/result.ts'
import type { HidingParty } from '../businesses/rules.ts'
import type { EnquiryDeps } from '../enquiries/deps.server.ts'
import { publishConversation } from '../enquiries/notice-commands.server.ts'
import { findFile, readConversation, readStored, selectConversations } from '../enquiries/queries.server.ts'
import { type ConversationView, otherSide, type Side } from '../enquiries/rules.ts'
import { setBlocked } from '../enquiries/status-commands.server.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import {
  findReport,
  type ListedReport,
  listLetters,
  type ReportLetter,
  toListedReport,
} from './report-queries.server.ts'

export type OpenedReport = {
  report: ListedReport
  /** As its customer sees it. */
  conversation: ConversationView
  vendorUserId: string
  /** Null once the listing is deleted. */
  listing: { id: string; hiddenBy: HidingParty | null } | null
  letters: ReportLetter[]
}

/**
 * Opens a reported conversation for an operator, and logs that. Operators see no other conversations.
 * @param input.before the number of a message: reads those before it
 * @returns null when there is no such report
 */
export async function openReport(
  deps: Pick<EnquiryDeps, 'db' | 'now'>,
  input: { operator: Operator; reportId: string; before?: number },
): Promise<OpenedReport | null> {
  const row = await findReport(deps.db, input.reportId)
  if (!row) return null
  const conversation = await selectConversations(deps.db)
    .where('id', '=', row.conversation_id)
    .executeTakeFirstOrThrow()
  await logAction(deps.db, {
    operator: input.operator,
    action: 'open-report',
    subject: { kind: 'conversation', id: row.conversation_id, label: row.business_name },
    at: deps.now(),
  })
  return {
    report: toListedReport(row),
    conversation: await readConversation(deps.db, {
      row: conversation,
      side: 'customer',
      before: input.before,
      masksContacts: false,
    }),
    vendorUserId: conversation.owner_user_id,
    listing: await findListing(deps.db, conversation.business_id),
    letters: await listLetters(deps.db, input.reportId),
  }
}

async function findListing(db: Database, id: string | null): Promise<OpenedReport['listing']> {
  if (id === null) return null
  const row = await db
    .selectFrom('businesses')
    .select('hidden_by')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ? { id, hiddenBy: row.hidden_by } : null
}

/**
 * Closes a report with its outcome.
 * @param input.block the side that can't write in the conversation any more; null for neither
 */
export async function closeReport(
  deps: Pick<EnquiryDeps, 'db' | 'now' | 'liveUpdates' | 'endQuotes'>,
  input: { operator: Operator; reportId: string; outcome: string; block: Side | null },
): Promise<{ ok: true } | { ok: false; reason: 'not_found' | 'closed' }> {
  return deps.db.transaction().execute(async (tx) => {
    const report = await findReport(tx, input.reportId)
    if (!report) return refuse('not_found')
    // Its conversation's row first, as every other command locks it.
    const conversation = await selectConversations(tx)
      .where('id', '=', report.conversation_id)
      .forUpdate('conversations')
      .executeTakeFirstOrThrow()
    const at = deps.now()
    const closed = await tx
      .updateTable('conversation_reports')
      .set({ closed_at: at, closed_by: input.operator.email, outcome: input.outcome })
      .where('id', '=', input.reportId)
      .where('closed_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!closed) return refuse('closed')
    if (input.block)
      await setBlocked(deps, tx, { conversationId: conversation.id, blockedBy: otherSide(input.block) })
    await logAction(tx, {
      operator: input.operator,
      action: 'close-report',
      subject: { kind: 'conversation', id: conversation.id, label: conversation.business_name },
      reason: input.outcome,
      at,
    })
    await publishConversation(deps, tx, conversation)
    return { ok: true }
  })
}

/** Reads a file of a reported conversation for an operator, and logs that. @returns null for any other file */
export async function readReportedFile(
  deps: { db: Database; files: FileStore; now: () => Date },
  { operator, fileId }: { operator: Operator; fileId: string },
): Promise<(StoredFile & { name: string }) | null> {
  const { db } = deps
  const row = await findFile(db, fileId)
  if (!row) return null
  const report = await db
    .selectFrom('conversation_reports')
    .innerJoin('conversations', 'conversations.id', 'conversation_reports.conversation_id')
    .select('conversations.business_name')
    .where('conversation_reports.conversation_id', '=', row.conversation_id)
    .executeTakeFirst()
  if (!report) return null
  await logAction(db, {
    operator,
    action: 'open-report',
    subject: { kind: 'conversation', id: row.conversation_id, label: report.business_name },
    reason: row.name,
    at: deps.now(),
  })
  return readStored(deps.files, row)
}
