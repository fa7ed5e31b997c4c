import type { Database } from '../../adapters/database/port.ts'
import type { OperatorAction } from './act-rules.ts'
import { PAGE_SIZE, type SubjectKind } from './rules.ts'

export type LogEntry = {
  id: string
  at: string
  operatorEmail: string
  action: OperatorAction
  subjectKind: SubjectKind
  subjectId: string
  subjectLabel: string
  reason: string
}

/** Returns the operators' actions, newest first. */
export async function listOperatorLog(db: Database): Promise<LogEntry[]> {
  const rows = await db
    .selectFrom('operator_log')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(PAGE_SIZE * 2)
    .execute()
  return rows.map(toLogEntry)
}

/** Converts a row of the log. */
export function toLogEntry(row: {
  id: string
  created_at: Date
  operator_email: string
  action: OperatorAction
  subject_kind: SubjectKind
  subject_id: string
  subject_label: string
  reason: string
}): LogEntry {
  return {
    id: row.id,
    at: row.created_at.toISOString(),
    operatorEmail: row.operator_email,
    action: row.action,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    subjectLabel: row.subject_label,
    reason: row.reason,
  }
}
