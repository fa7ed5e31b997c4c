import type { RequestOrigin } from '../../adapters/accounts/security-log.ts'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { noteSecurityEvent } from '../accounts/security-commands.server.ts'
import type { OperatorAction } from './act-rules.ts'
import type { SubjectKind } from './rules.ts'

/**
 * The acting operator. Routes have already checked that this is one (Decision 18).
 * @param origin of the request; without one, the security log has neither device nor network
 */
export type Operator = { userId: string; email: string; origin?: RequestOrigin }

/** The subject of an entry in the log. */
export type LogSubject = { kind: SubjectKind; id: string; label: string }

/**
 * Writes an operator's action to the log, in the same transaction if the action has one. The security log gets it as well:
 * about the account that it concerns, or else about the operator's own.
 */
export async function logAction(
  db: Database | DatabaseTransaction,
  entry: { operator: Operator; action: OperatorAction; subject: LogSubject; reason?: string; at: Date },
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
  await noteSecurityEvent(db, {
    kind: 'operator-act',
    detail: entry.action,
    userId: entry.subject.kind === 'account' ? entry.subject.id : entry.operator.userId,
    actorUserId: entry.operator.userId,
    origin: entry.operator.origin ?? { userAgent: null, network: null },
  })
}
