import type { ColumnType, Generated } from 'kysely'
import type { Cents } from '../../shared/money.ts'
import type { DisputeEvidence, DisputeSnapshot, DisputeStatus } from './port.ts'
import type { SandboxMovementKind } from './sandbox/balance.server.ts'
import type { SandboxWebhook, WebhookFault } from './sandbox/webhooks.server.ts'
import type { SandboxChargeAnswer } from './sandbox-cards.ts'

/** One driver returns bigint as text, the other as a number: always read it through Number(). */
type CentsColumn = ColumnType<string | number, Cents, Cents>

/** A payment's state, in Stripe's terms. */
export type SandboxState = 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'

/** The trouble that a test card makes after its charge. */
export type SandboxBehaviour = 'none' | 'refund_pending' | 'refund_fails' | 'disputed'

type SandboxPaymentsTable = {
  id: string
  client_secret: string
  idempotency_key: string
  amount_cents: CentsColumn
  currency: string
  description: string
  state: Generated<SandboxState>
  refunded_cents: ColumnType<string | number, Cents | undefined, Cents>
  card_last4: string | null
  behaviour: Generated<SandboxBehaviour>
  last_error: string | null
  payment_id: string
  sandbox_customer_id: string | null
  saves_card: Generated<boolean>
  sandbox_method_id: string | null
  transfer_group: string | null
  charge_key: string | null
  decline_code: string | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

type SandboxCustomersTable = {
  id: string
  payment_id: string
  idempotency_key: string
  next_answer: SandboxChargeAnswer | null
  created_at: Date
}

type SandboxMethodsTable = {
  id: string
  sandbox_customer_id: string
  last_four: string
  expires_year: number
  expires_month: number
  detached_at: Date | null
  created_at: Date
}

type SandboxSetupsTable = {
  id: string
  client_secret: string
  idempotency_key: string
  sandbox_customer_id: string
  state: SandboxState
  sandbox_method_id: string | null
  created_at: Date
}

type SandboxRefundsTable = {
  id: string
  sandbox_payment_id: string
  idempotency_key: string
  amount_cents: CentsColumn
  status: Generated<'pending' | 'succeeded' | 'failed'>
  pending_reason: string | null
  failure_reason: string | null
  moves_at: Date | null
  moves_to: 'succeeded' | 'failed' | null
  created_at: Generated<Date>
}

type SandboxDisputesTable = {
  id: string
  sandbox_payment_id: string
  amount_cents: CentsColumn
  reason: string
  status: DisputeStatus
  funds: DisputeSnapshot['funds']
  /** Set until the bank has decided, also while it reviews. */
  evidence_due_at: Date | null
  created_at: Date
  evidence: ColumnType<DisputeEvidence | null, string | undefined, string>
  submission_count: Generated<number>
  answer_key: string | null
  acceptance_key: string | null
}

/** An uploaded file. Its content isn't stored. */
type SandboxFilesTable = { id: string; name: string; size_bytes: number; created_at: Date }

type SandboxEventsTable = {
  id: string
  number: ColumnType<string | number, never, never>
  type: string
  sandbox_payment_id: string | null
  webhook: Generated<SandboxWebhook>
  sandbox_account_id: string | null
  object_id: string | null
  fault: Generated<WebhookFault>
  created_at: Generated<Date>
  deliver_at: Generated<Date>
  delivered_at: Date | null
  attempts: Generated<number>
}

/** A row's order of insertion, since two can be inserted in one millisecond. */
type NumberColumn = ColumnType<string | number, never, never>

type SandboxAccountsTable = {
  id: string
  account_id: string
  idempotency_key: string
  email: string
  registered_name: string
  entity_type: 'individual' | 'company'
  abn: string | null
  given_name: string | null
  surname: string | null
  date_of_birth: string | null
  bank_bsb: string | null
  bank_account: string | null
  is_bank_refused: Generated<boolean>
  submitted_at: Date | null
  standing: Generated<'good' | 'in_review' | 'restricted' | 'closed' | 'rejected'>
  restricted_at: Date | null
  created_at: Date
}

type SandboxAccountLinksTable = {
  token: string
  kind: 'link' | 'session'
  sandbox_account_id: string
  return_url: string
  refresh_url: string
  expires_at: Date
  used_at: Date | null
}

type SandboxTransfersTable = {
  id: string
  number: NumberColumn
  sandbox_account_id: string
  amount_cents: CentsColumn
  reversed_cents: ColumnType<string | number, Cents | undefined, Cents>
  sandbox_payment_id: string | null
  transfer_group: string | null
  transfer_id: string
  created_at: Date
}

type SandboxReversalsTable = {
  id: string
  number: NumberColumn
  sandbox_transfer_id: string
  amount_cents: CentsColumn
  reversal_id: string
  created_at: Date
}

type SandboxPayoutsTable = {
  id: string
  number: NumberColumn
  sandbox_account_id: string
  amount_cents: CentsColumn
  state: 'in_transit' | 'paid' | 'failed'
  failure_reason: string | null
  arrives_at: Date
  created_at: Date
}

type SandboxMovementsTable = {
  id: string
  number: NumberColumn
  sandbox_account_id: string | null
  kind: SandboxMovementKind
  reference: string
  amount_cents: CentsColumn
  fee_cents: ColumnType<string | number, Cents | undefined, Cents>
  sandbox_payout_id: string | null
  created_at: Date
  available_at: Date
}

declare module '../database/port.ts' {
  interface Tables {
    sandbox_payments: SandboxPaymentsTable
    sandbox_customers: SandboxCustomersTable
    sandbox_methods: SandboxMethodsTable
    sandbox_setups: SandboxSetupsTable
    sandbox_refunds: SandboxRefundsTable
    sandbox_disputes: SandboxDisputesTable
    sandbox_files: SandboxFilesTable
    sandbox_events: SandboxEventsTable
    sandbox_accounts: SandboxAccountsTable
    sandbox_account_links: SandboxAccountLinksTable
    sandbox_transfers: SandboxTransfersTable
    sandbox_reversals: SandboxReversalsTable
    sandbox_payouts: SandboxPayoutsTable
    sandbox_movements: SandboxMovementsTable
  }
}
