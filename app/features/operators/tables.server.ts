import type { ColumnType } from 'kysely'
import type { DifferenceKind, OperatorAction, SubjectKind } from './rules.ts'

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

declare module '../../adapters/database/port.ts' {
  interface Tables {
    operator_log: OperatorLogTable
    payment_comparisons: PaymentComparisonsTable
    payment_differences: PaymentDifferencesTable
  }
}
