import type { ColumnType, Generated } from 'kysely'
import type { BankPayoutSnapshot } from '../../adapters/payments/payout-port.ts'
import type { Cents } from '../../shared/money.ts'
import type {
  HeldReason,
  PayoutAccountState,
  PayoutOrderKind,
  ReversalState,
  StoredRequirement,
  TransferState,
} from './rules.ts'

/** One driver returns bigint as text and the other as a number, so read it through Number(). */
type CentsColumn = ColumnType<string | number, Cents, Cents>
type NullableCents = ColumnType<string | number | null, Cents | null, Cents | null>

type DisputeProofsTable = {
  id: string
  dispute_id: string
  vendor_user_id: string
  submit_key: string
  words: string
  created_at: Date
}

type DisputeProofFilesTable = {
  id: string
  proof_id: string
  position: number
  key: string
  name: string
  content_type: 'image/webp' | 'application/pdf'
  bytes: number
}

type PayoutAccountsTable = {
  id: string
  vendor_user_id: string
  provider: string
  /** Never reaches a browser. */
  provider_account: string | null
  state: Generated<PayoutAccountState>
  requirements: ColumnType<StoredRequirement[], string | undefined, string>
  bank_last4: string | null
  attempt: Generated<number>
  active_since: Date | null
  checked_at: Date | null
  payouts_asked_at: Generated<Date | null>
  /** When its payouts were last read to the end. */
  payouts_listed_at: Generated<Date | null>
  created_at: Date
}

type FormerPayoutAccountsTable = {
  id: string
  payout_account_id: string
  provider: string
  /** Never reaches a browser. */
  provider_account: string
  bank_last4: string | null
  payouts_asked_at: Date | null
  payouts_listed_at: Date | null
  replaced_at: Date
}

type TransfersTable = {
  id: string
  booking_id: string
  purpose: string
  vendor_user_id: string
  payment_id: string
  /** Null is our balance. */
  charge_payment_id: ColumnType<string | null, string | null | undefined, string | null>
  provider: string
  state: Generated<TransferState>
  held_reason: HeldReason | null
  due_at: Date
  amount_cents: NullableCents
  netted_cents: NullableCents
  payout_account_id: string | null
  provider_transfer: string | null
  reversed_cents: ColumnType<string | number, Cents | undefined, Cents>
  claimed_at: Date | null
  attempts: Generated<number>
  last_error: string | null
  made_at: Date | null
  bank_payout_id: string | null
  created_at: Date
}

type TransferReversalsTable = {
  id: string
  transfer_id: string
  amount_cents: CentsColumn
  state: Generated<ReversalState>
  claimed_at: Date | null
  attempts: Generated<number>
  last_error: string | null
  provider_reversal: string | null
  done_at: Date | null
  created_at: Date
}

type BankPayoutsTable = {
  id: string
  payout_account_id: string
  provider_payout: string
  amount_cents: CentsColumn
  state: BankPayoutSnapshot['state']
  failure_reason: string | null
  arrives_at: Date
  checked_at: Date
  created_at: Date
}

type PayoutHoldsTable = {
  id: string
  vendor_user_id: string
  booking_id: string | null
  reason: string
  placed_by: string
  placed_at: Date
  released_by: string | null
  released_at: Date | null
}

type PayoutQueueTable = {
  booking_id: string
  look_at: Date
}

type PayoutOrdersTable = {
  id: string
  kind: PayoutOrderKind
  vendor_user_id: string
  booking_id: string
  amount_cents: CentsColumn
  reason: string
  placed_by: string
  placed_by_email: string
  placed_at: Date
  settled_by: string | null
  settled_at: Date | null
  /** Rows from before there were approvals may have ended without effect. */
  outcome: 'done' | 'dropped' | 'expired' | null
}

declare module '../../adapters/database/port.ts' {
  interface Tables {
    payout_accounts: PayoutAccountsTable
    dispute_proofs: DisputeProofsTable
    dispute_proof_files: DisputeProofFilesTable
    former_payout_accounts: FormerPayoutAccountsTable
    transfers: TransfersTable
    transfer_reversals: TransferReversalsTable
    bank_payouts: BankPayoutsTable
    payout_holds: PayoutHoldsTable
    payout_queue: PayoutQueueTable
    payout_orders: PayoutOrdersTable
  }
}
