import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import type { OperatorAction, SubjectKind } from './rules.ts'

/** The acting operator. Routes have already checked that this is one (Decision 18). */
export type Operator = { userId: string; email: string }

type Subject = { kind: SubjectKind; id: string; label: string }

/** Writes an operator's action to the log, in the same transaction if the action has one. */
export async function logAction(
  db: Database | DatabaseTransaction,
  entry: { operator: Operator; action: OperatorAction; subject: Subject; reason?: string; at: Date },
): Promise<void> {
  await db
    .insertInto('operator_log')
    .values({
      id: newId(),
      operator_user_id: entry.operator.userId,
      operator_email: entry.operator.email,
      action: entry.action,
      subject_kind: entry.subject.kind,
      subject_id: entry.subject.id,
      subject_label: entry.subject.label,
      reason: entry.reason ?? '',
      created_at: entry.at,
    })
    .execute()
}
