import { type Selectable, sql } from 'kysely'
import type { Database, DatabaseTransaction, Tables } from '../../adapters/database/port.ts'
import type { DisputeStatus } from '../../adapters/payments/port.ts'
import type { Cents } from '../../shared/money.ts'
import type { VendorStanding } from '../bookings/deps.server.ts'
import { findVendorBalances } from '../ledger/queries.server.ts'
import { paymentsOf } from '../payments/queries.server.ts'
import type { Debt, PayoutAccountState, StoredRequirement } from './rules.ts'

/** A vendor's account as screens show it: without the provider's id. */
export type PayoutAccount = {
  id: string
  state: PayoutAccountState
  requirements: StoredRequirement[]
  bankLast4: string | null
  /** ISO 8601. */
  activeSince: string | null
  /** When the provider was last asked; ISO 8601. */
  checkedAt: string | null
}

/** The account of a vendor with a provider; null while they have none. */
export async function findPayoutAccount(
  db: Database | DatabaseTransaction,
  input: { userId: string; provider: string },
): Promise<PayoutAccount | null> {
  const row = await selectAccount(db, input)
  return row ? toAccount(row) : null
}

/** All accounts of a vendor, one with each provider that the settings have ever named. */
export async function listPayoutAccounts(db: Database, userId: string): Promise<PayoutAccount[]> {
  const rows = await db
    .selectFrom('payout_accounts')
    .selectAll()
    .where('vendor_user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  return rows.map(toAccount)
}

function toAccount(row: PayoutAccountRow): PayoutAccount {
  return {
    id: row.id,
    state: row.state,
    requirements: row.requirements,
    bankLast4: row.bank_last4,
    activeSince: row.active_since?.toISOString() ?? null,
    checkedAt: row.checked_at?.toISOString() ?? null,
  }
}

/** A row of `payout_accounts`, for commands alone: it has the provider's id. */
export type PayoutAccountRow = Selectable<Tables['payout_accounts']>

/** Reads the row of a vendor's account. */
export function selectAccount(
  db: Database | DatabaseTransaction,
  input: { userId: string; provider: string },
): Promise<PayoutAccountRow | undefined> {
  return db
    .selectFrom('payout_accounts')
    .selectAll()
    .where('vendor_user_id', '=', input.userId)
    .where('provider', '=', input.provider)
    .executeTakeFirst()
}

/** A dispute as it concerns a vendor. */
export type Obstacle = {
  id: string
  status: DisputeStatus
  amountCents: Cents
  /** It blocks the booking's money: it is open, or a bank has the money and hasn't given it back. */
  isOpen: boolean
  /** It is or was about money, not an inquiry alone. */
  isKnownToVendor: boolean
  evidenceDueAt: Date | null
  /** When we stored it. */
  learnedAt: Date
}

/** Finds the obstacles to transferring a payment's money: refunds that haven't left or came back, and disputes. */
export async function findObstacles(
  db: Database | DatabaseTransaction,
  firstPaymentId: string,
): Promise<{ isRefundInTheWay: boolean; disputes: Obstacle[] }> {
  const payments = paymentsOf(db, firstPaymentId).select('id')
  const refund = await db
    .selectFrom('payment_actions')
    .select('id')
    .where('payment_id', 'in', payments)
    .where('kind', '=', 'refund')
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['due', 'claimed']),
        eb.and([
          eb('state', '=', 'done'),
          eb.or([
            eb.and([eb('provider_status', '=', 'pending'), eb('pending_reason', '=', 'insufficient_funds')]),
            eb('provider_status', '=', 'requires_action'),
            // It came back, and the customer is still owed the money.
            eb.and([eb('provider_status', 'in', ['failed', 'canceled']), eb('resolution', 'is', null)]),
          ]),
        ]),
      ]),
    )
    .executeTakeFirst()
  const disputes = await db
    .selectFrom('disputes')
    .select(['id', 'status', 'funds', 'amount_cents', 'closed_at', 'evidence_due_at', 'created_at'])
    .where('payment_id', 'in', payments)
    .orderBy('opened_at')
    .orderBy('id')
    .execute()
  return {
    isRefundInTheWay: refund !== undefined,
    disputes: disputes.map(({ id, status, funds, amount_cents, closed_at, evidence_due_at, created_at }) => ({
      id,
      status,
      amountCents: Number(amount_cents),
      isOpen: closed_at === null || (funds === 'withdrawn' && status !== 'lost'),
      isKnownToVendor: funds !== 'held' || status === 'lost' || status === 'won',
      evidenceDueAt: evidence_due_at,
      learnedAt: created_at,
    })),
  }
}

/** The debts of a vendor by booking, oldest first. */
export async function listDebts(db: Database | DatabaseTransaction, vendorUserId: string): Promise<Debt[]> {
  const { rows } = await sql<{ booking_id: string; cents: string }>`
    select booking_id, sum(cents) as cents from ledger_postings
    where vendor_user_id = ${vendorUserId} and account = 'vendor_receivable' and booking_id is not null
    group by booking_id having sum(cents) > 0
    order by min(transaction_id), booking_id`.execute(db)
  return rows.map((row) => ({ bookingId: row.booking_id, cents: Number(row.cents) }))
}

/**
 * Finds the actions that the state of a vendor's payout account allows.
 * @param isAccountRequired whether approving needs an account that takes transfers
 */
export async function findStanding(
  db: Database | DatabaseTransaction,
  input: { userId: string; provider: string; isAccountRequired: boolean },
): Promise<VendorStanding> {
  const state = (await selectAccount(db, input))?.state ?? 'none'
  return { takesBookings: state !== 'rejected', mayApprove: !input.isAccountRequired || state === 'active' }
}

/** Money that keeps a vendor's account from being deleted, in cents. */
export type OpenMoney = { heldCents: Cents; owedCents: Cents }

/** Finds the money held for a vendor and the vendor's debt, in cents; null if there is neither. */
export async function findOpenMoney(
  db: Database | DatabaseTransaction,
  userId: string,
): Promise<OpenMoney | null> {
  const balances = await findVendorBalances(db, userId)
  const heldCents = -balances.customer_money_held - balances.vendor_payable + balances.disputed
  const owedCents = balances.vendor_receivable
  const isOpen =
    balances.customer_money_held !== 0 ||
    balances.vendor_payable !== 0 ||
    balances.disputed !== 0 ||
    owedCents !== 0
  return isOpen ? { heldCents: Math.max(0, heldCents), owedCents } : null
}

/**
 * The name that operators know a vendor by: of the booking's business, else their own.
 * @returns null when there is no such vendor, or the booking is another vendor's
 */
export async function findVendorName(
  db: Database | DatabaseTransaction,
  { userId, bookingId }: { userId: string; bookingId: string | null },
): Promise<string | null> {
  if (bookingId !== null) {
    const booking = await db
      .selectFrom('bookings')
      .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
      .select('bookings.vendor_name')
      .where('bookings.id', '=', bookingId)
      .where('sales.owner_user_id', '=', userId)
      .executeTakeFirst()
    return booking?.vendor_name ?? null
  }
  const user = await db.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst()
  return user?.name ?? null
}
