import type { ColumnType, Generated } from 'kysely'
import type { Cents } from '../../shared/money.ts'

/** One driver returns bigint as text, the other as a number: always read it through Number(). */
type CentsColumn = ColumnType<string | number, Cents, Cents>

/** A payment's state, in Stripe's terms. */
export type SandboxState = 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'

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
  created_at: Generated<Date>
}

type SandboxEventsTable = {
  id: string
  number: ColumnType<string | number, never, never>
  type: string
  sandbox_payment_id: string
  created_at: Generated<Date>
  deliver_at: Generated<Date>
  delivered_at: Date | null
  attempts: Generated<number>
}

declare module '../database/port.ts' {
  interface Tables {
    sandbox_payments: SandboxPaymentsTable
    sandbox_refunds: SandboxRefundsTable
    sandbox_events: SandboxEventsTable
  }
}
