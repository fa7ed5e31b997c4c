import type { ColumnType, Generated, Selectable } from 'kysely'
import type { DisputeSnapshot, DisputeStatus, ProviderRefundStatus } from '../../adapters/payments/port.ts'
import type { Cents } from '../../shared/money.ts'
import type { BorneBy } from '../ledger/rules.ts'
import type { PaymentState, RefundReason, RefundResolution, RefundStatus } from './rules.ts'

/** One driver returns bigint as text and the other as a number, so read it through Number(). */
type CentsColumn = ColumnType<string | number, Cents, Cents>

type PaymentsTable = {
  id: string
  submit_key: string
  attempt: Generated<number>
  provider: string
  provider_reference: string | null
  amount_cents: CentsColumn
  currency: Generated<string>
  state: Generated<PaymentState>
  /** The sale that it pays for, which has the id of its first payment. */
  sale_id: string
  last_error: string | null
  expires_at: Date
  checked_at: Date | null
  paid_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** Every column, by name: a statement that reads `*` can't be prepared (adapters/database/postgres.server.ts). */
export const PAYMENT_COLUMNS = [
  'payments.id',
  'payments.submit_key',
  'payments.attempt',
  'payments.provider',
  'payments.provider_reference',
  'payments.amount_cents',
  'payments.currency',
  'payments.state',
  'payments.sale_id',
  'payments.last_error',
  'payments.expires_at',
  'payments.checked_at',
  'payments.paid_at',
  'payments.created_at',
  'payments.updated_at',
] as const satisfies readonly `payments.${keyof PaymentsTable}`[]

type PaymentLinesTable = {
  payment_id: string
  line: number
  business_id: string
  description: string
  unit_price_cents: CentsColumn
  quantity: number
  amount_cents: CentsColumn
}

type PaymentEventsTable = {
  provider: string
  event_id: string
  type: string
  provider_reference: string | null
  payload: ColumnType<unknown, string, never>
  received_at: Generated<Date>
  processed_at: Date | null
}

type PaymentActionsTable = {
  id: string
  payment_id: string
  line: number | null
  kind: 'cancel' | 'refund'
  amount_cents: CentsColumn
  reason: RefundReason
  due_at: Date
  state: Generated<RefundStatus>
  claimed_at: Date | null
  attempts: Generated<number>
  last_error: string | null
  created_at: Generated<Date>
  done_at: Date | null
  provider_refund: string | null
  provider_status: ProviderRefundStatus | null
  pending_reason: string | null
  failure_reason: string | null
  asked_at: Date | null
  note: string | null
  resolution: RefundResolution | null
  resolution_reference: string | null
  resolved_at: Date | null
  /** When its customer was asked where to send a refund that came back. */
  account_asked_at: Generated<Date | null>
  /** Null is the vendor, if the payment is fulfilled. */
  borne_by: BorneBy | null
}

/** A row of `payment_actions`, as queries return it. */
export type RefundRow = Selectable<PaymentActionsTable>

type DisputesTable = {
  id: string
  payment_id: string
  provider: string
  provider_dispute: string
  amount_cents: CentsColumn
  reason: string
  status: DisputeStatus
  funds: DisputeSnapshot['funds']
  is_charge_refundable: boolean
  evidence_due_at: Date | null
  opened_at: Date
  checked_at: Date
  closed_at: Date | null
  created_at: Generated<Date>
}

/** A dispute as it is read. */
export type DisputeRow = Selectable<DisputesTable>

/** Every column, by name: a statement that reads `*` can't be prepared (adapters/database/postgres.server.ts). */
export const DISPUTE_COLUMNS = [
  'id',
  'payment_id',
  'provider',
  'provider_dispute',
  'amount_cents',
  'reason',
  'status',
  'funds',
  'is_charge_refundable',
  'evidence_due_at',
  'opened_at',
  'checked_at',
  'closed_at',
  'created_at',
] as const satisfies readonly (keyof DisputesTable)[]

type RefundAccountsTable = {
  refund_id: string
  /** Encrypted. */
  sealed: string
  masked: string
  given_at: Date
  replaced_at: Date | null
  opened_by: string | null
  opened_at: Date | null
}

type ProviderListsTable = {
  provider: string
  list: 'disputes'
  /** When it was last read to the end. */
  read_at: Date
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    provider_lists: ProviderListsTable
    payments: PaymentsTable
    payment_lines: PaymentLinesTable
    payment_events: PaymentEventsTable
    payment_actions: PaymentActionsTable
    refund_accounts: RefundAccountsTable
    disputes: DisputesTable
  }
}
