import type { ColumnType, Generated, Selectable } from 'kysely'
import type { DisputeStatus } from '../../adapters/payments/port.ts'
import type { Cents } from '../../shared/money.ts'
import type { Side } from '../enquiries/rules.ts'
import type { PayoutOrderKind } from '../payouts/rules.ts'
import type { OperatorAction, SecondPersonAct } from './act-rules.ts'
import type { AnswerKind, AnswerState, EvidenceTexts } from './dispute-rules.ts'
import type { Role } from './role-rules.ts'
import type { DifferenceKind, LetterKind, SubjectKind } from './rules.ts'

type OperatorLogTable = {
  id: string
  operator_user_id: string
  operator_email: string
  action: OperatorAction
  subject_kind: SubjectKind
  subject_id: string
  subject_label: string
  reason: string
  created_at: ColumnType<Date, Date, never>
}

type AdminClaimsTable = {
  email: string
  user_id: string | null
  claimed_at: ColumnType<Date, never, never>
}

type PaymentComparisonsTable = {
  id: string
  started_at: Date
  finished_at: Date | null
  payments_checked: ColumnType<number, number | undefined, number>
  failure: string | null
}

type PaymentDifferencesTable = {
  comparison_id: string
  reference: string
  kind: DifferenceKind
  payment_id: string | null
  ours: string
  theirs: string
}

type DisputeAnswersTable = {
  id: string
  number: ColumnType<string | number, never, never>
  dispute_id: string
  kind: AnswerKind
  /** Null for an acceptance. */
  texts: ColumnType<EvidenceTexts | null, string | null, never>
  reason: string
  answered_status: DisputeStatus
  placed_by: string
  placed_by_email: string
  placed_at: Date
  state: AnswerState
  settled_by: string | null
  settled_by_email: string | null
  settled_at: Date | null
  claimed_at: Date | null
  provider_receipt: string | null
  last_error: string | null
  sent_at: Date | null
}

/** A row of `dispute_answers`, as queries return it. */
export type DisputeAnswerRow = Selectable<DisputeAnswersTable>

/** The subject of an approval: a purchase, a debt or share of a booking, an account or a dispute. */
export type ApprovalSubject = 'purchase' | PayoutOrderKind | 'account' | 'dispute'

type ApprovalsTable = {
  id: string
  act: SecondPersonAct
  subject_kind: ApprovalSubject
  subject_id: string
  payment_id: string | null
  label: string
  amount_cents: ColumnType<string | number | null, Cents | null, never>
  payload: ColumnType<unknown, string, never>
  reason: string
  seen: string
  asked_by: string
  asked_by_email: string
  asked_at: Date
  expires_at: Date | null
  settled_by: string | null
  settled_by_email: string | null
  settled_at: Date | null
  outcome: 'done' | 'dropped' | 'expired' | null
}

type OperatorNamingsTable = {
  id: string
  user_id: string
  user_email: string
  /** Null is no role. */
  former_role: Role | null
  role: Role | null
  placed_by: string
  placed_by_email: string
  placed_at: Date
  settled_by: string | null
  settled_by_email: string | null
  settled_at: Date | null
  /** Rows from before there were approvals may have ended without effect. */
  outcome: 'done' | 'dropped' | 'expired' | null
}

type OperatorMovesTable = {
  id: string
  payment_id: string
  amount_cents: ColumnType<string | number, Cents, never>
  operator_user_id: string
  created_at: Date
}

type OperatorViewsTable = {
  id: string
  session_id: string
  operator_user_id: string
  operator_email: string
  subject_user_id: string
  reason: string
  started_at: Date
  expires_at: Date
  ended_at: Date | null
}

type ReportLettersTable = {
  id: string
  report_id: string
  kind: LetterKind
  sent_to: Side | 'both'
  body: string
  sent_by_email: string
  sent_at: Date
}

/** The holder of a task of the list 'Do first', and the note on it. */
type TaskMarksTable = {
  /** The task's key. */
  task: string
  holder_user_id: string | null
  holder_email: string | null
  note: Generated<string>
  noted_by_email: string | null
  changed_at: Date
  /** When its task was first found to have ended; null while that is open. */
  ended_at: Generated<Date | null>
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    admin_claims: AdminClaimsTable
    operator_log: OperatorLogTable
    payment_comparisons: PaymentComparisonsTable
    payment_differences: PaymentDifferencesTable
    dispute_answers: DisputeAnswersTable
    approvals: ApprovalsTable
    operator_moves: OperatorMovesTable
    operator_namings: OperatorNamingsTable
    operator_views: OperatorViewsTable
    report_letters: ReportLettersTable
    task_marks: TaskMarksTable
  }
}
