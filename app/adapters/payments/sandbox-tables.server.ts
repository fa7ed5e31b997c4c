import type { ColumnType, Generated } from 'kysely'
import type { Cents } from '../../shared/money.ts'
import type { DisputeSnapshot, DisputeStatus } from './port.ts'
import type { WebhookFault } from './sandbox/webhooks.server.ts'

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
  created_at: Generated<Date>
  updated_at: Generated<Date>
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
  evidence_due_at: Date | null
  created_at: Date
}

type SandboxEventsTable = {
  id: string
  number: ColumnType<string | number, never, never>
  type: string
  sandbox_payment_id: string
  fault: Generated<WebhookFault>
  created_at: Generated<Date>
  deliver_at: Generated<Date>
  delivered_at: Date | null
  attempts: Generated<number>
}

declare module '../database/port.ts' {
  interface Tables {
    sandbox_payments: SandboxPaymentsTable
    sandbox_refunds: SandboxRefundsTable
    sandbox_disputes: SandboxDisputesTable
    sandbox_events: SandboxEventsTable
  }
}
