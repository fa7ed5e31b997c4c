import type { ColumnType, Generated, Selectable } from 'kysely'
import type { DisputeSnapshot, DisputeStatus, ProviderRefundStatus } from '../../adapters/payments/port.ts'
import type { Cents, PriceUnit } from '../../shared/money.ts'
import type { BorneBy, CommissionTerms } from '../ledger/rules.ts'
import type { SoldTerms } from '../terms/rules.ts'
import type { PaymentState, RefundReason, RefundResolution, RefundStatus } from './rules.ts'

/** One driver returns bigint as text and the other as a number, so read it through Number(). */
type CentsColumn = ColumnType<string | number, Cents, Cents>

/** The checked booking that waits for its payment. Its shape is bookings' `BookingDraft`. */
export type StoredDraft = {
  fullName: string
  email: string
  phone: string
  date: string
  time: string
  quantity: number
  bookingType: PriceUnit
}

/** The offer as it was when the payment began (Decision 4), with the changes that both sides have agreed to since. The owner's user id has its own column. */
export type SoldSnapshot = {
  businessId: string
  businessName: string
  place: string
  timeZone: string
  unitPriceCents: Cents
  priceUnit: PriceUnit
  abn: string | null
  gstRegistered: boolean
  /** The event itself, and the vendor's time that it occupies with setting up and cleaning. */
  event: SoldSpan
  occupied: SoldSpan
  /** Missing in payments that began before there was a ledger: none was agreed. */
  commission?: CommissionTerms
  /** Missing in payments that began before there were terms: paid in full, and only withdrawn while undecided. */
  terms?: SoldTerms
  /** How long the vendor has to answer. Missing where they have agreed by a quote, and in older payments. */
  answerWithinMs?: number
  /** The quote that was accepted; missing where the listing's own price was paid. */
  quote?: SoldQuote
}

/** A quote as it was accepted. Its lines add up to the price. */
export type SoldQuote = {
  id: string
  lines: readonly { label: string; quantity: number; unitPriceCents: Cents }[]
}

/** ISO 8601, UTC; `until` is the first instant outside. */
type SoldSpan = { from: string; until: string }

type PaymentsTable = {
  id: string
  submit_key: string
  attempt: Generated<number>
  provider: string
  provider_reference: string | null
  amount_cents: CentsColumn
  currency: Generated<string>
  state: Generated<PaymentState>
  draft: ColumnType<StoredDraft, string, string>
  sold: ColumnType<SoldSnapshot, string, string>
  owner_user_id: string
  customer_user_id: string | null
  link_hash: string
  terms_version: string
  /** The first payment of the same purchase; null for a first one. */
  follows: Generated<string | null>
  last_error: string | null
  expires_at: Date
  checked_at: Date | null
  paid_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** A row of `payments`, as queries return it. */
export type PaymentRow = Selectable<PaymentsTable>

/** Every column, by name: a statement that reads `*` can't be prepared (adapters/database/postgres.server.ts). */
export const PAYMENT_COLUMNS = [
  'id',
  'submit_key',
  'attempt',
  'provider',
  'provider_reference',
  'amount_cents',
  'currency',
  'state',
  'draft',
  'sold',
  'owner_user_id',
  'customer_user_id',
  'link_hash',
  'terms_version',
  'follows',
  'last_error',
  'expires_at',
  'checked_at',
  'paid_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof PaymentsTable)[]

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
  /** Null is the vendor, if the payment bought something of one. */
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
    disputes: DisputesTable
  }
}
