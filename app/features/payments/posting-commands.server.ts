import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { eachOf } from '../../shared/each-of.ts'
import type { Cents } from '../../shared/money.ts'
import { lockLedger, postTransactions } from '../ledger/commands.server.ts'
import {
  findMoneyOf,
  findUnfulfilledMoney,
  listPaymentTransactions,
  type PaymentTransaction,
} from '../ledger/queries.server.ts'
import {
  type BookingMoney,
  charge,
  disputeLost,
  disputeOpened,
  disputeReopened,
  disputeWon,
  type Entry,
  NO_MONEY,
  OPERATOR_OWN,
  opening,
  refund,
  refundFailed,
  type TransactionKind,
} from '../ledger/rules.ts'
import { commissionOf } from '../sales/rules.ts'
import type { PaymentDeps } from './deps.server.ts'
import { ONLY_LINE_ITEM } from './payment-commands.server.ts'
import { listDifferingPayments } from './posting-queries.server.ts'
import { findPayment, lockPayment, type PaymentRow } from './queries.server.ts'
import { disputedMoneyOf, movedMoneyOf } from './rules.ts'
import { DISPUTE_COLUMNS, type DisputeRow, type RefundRow } from './tables.server.ts'

/** The payment with everything that has moved its money, as the rows have it. */
type PaymentMoney = { payment: PaymentRow; refunds: RefundRow[]; disputes: DisputeRow[] }

/** One transaction to post. The entry depends on what was posted before it. */
type Due = {
  key: string
  providerReference: string | null
  at: Date
  entryOf(money: BookingMoney, posted: readonly PaymentTransaction[]): Entry
}

/**
 * Posts to the ledger what the rows of a payment say and what isn't posted yet: its charge, refunds and disputes. Call it
 * last in each transaction that has changed them, while the payment is locked. It doesn't matter how often, or which
 * process or version wrote the rows.
 * @param purchase the payment's row and its purchase, if this transaction has just stored the purchase. So far there can be
 *   neither refunds nor postings
 */
export async function recordMoney(
  deps: Pick<PaymentDeps, 'fulfilment' | 'faultPoint'>,
  tx: DatabaseTransaction,
  paymentId: string,
  purchase?: { payment: PaymentRow; id: string },
): Promise<void> {
  const payment = purchase?.payment ?? (await findPayment(tx, paymentId))
  if (payment?.state !== 'paid' && payment?.state !== 'failed') return
  const rows = {
    payment,
    refunds: purchase ? [] : await listRefunds(tx, paymentId),
    disputes: await listDisputes(tx, paymentId),
  }
  const posted = purchase ? [] : await listPaymentTransactions(tx, paymentId)
  if (!findDue(rows, posted)) return
  const bookingId = purchase ? purchase.id : await deps.fulfilment.findPurchase(tx, paymentId)
  // An unfulfilled payment is no vendor's money.
  const vendorUserId = bookingId ? payment.sale.ownerUserId : null
  // Posting the first one locks too.
  if (posted.length > 0) await lockLedger(tx, [vendorUserId ?? OPERATOR_OWN])
  for (let due = findDue(rows, posted); due; due = findDue(rows, posted)) {
    const { key, providerReference, at, entryOf } = due
    const money = posted.length === 0 ? NO_MONEY : await findMoney(tx, bookingId, paymentId)
    const entry = entryOf(money, posted)
    const about = { vendorUserId, bookingId, paymentId, providerReference, at }
    await postTransactions(tx, [{ ...entry, ...about, key }])
    posted.push({
      key,
      kind: entry.kind,
      cents: Object.fromEntries(entry.postings.map(({ account, cents }) => [account, cents])),
    })
    deps.faultPoint('money-posted')
  }
}

/** Payments of one step, and steps of one run. */
const PAYMENTS_PER_STEP = 200
const STEPS_PER_RUN = 25

/**
 * Posts missing transactions of payments that were written without the ledger: those that are older than it, and those that
 * the previous version settled during an update. Each payment has its own database transaction, so the next run continues
 * where this one ended.
 * @returns how many payments differed
 */
export async function postMissingMoney(
  deps: Pick<PaymentDeps, 'db' | 'fulfilment' | 'faultPoint'>,
  steps = STEPS_PER_RUN,
): Promise<number> {
  let count = 0
  let after = ''
  for (let step = 0; step < steps; step++) {
    const paymentIds = await listDifferingPayments(deps.db, { after, limit: PAYMENTS_PER_STEP })
    await eachOf(paymentIds, (paymentId) =>
      deps.db.transaction().execute(async (tx) => {
        await lockPayment(tx, paymentId)
        await recordMoney(deps, tx, paymentId)
      }),
    )
    count += paymentIds.length
    if (paymentIds.length < PAYMENTS_PER_STEP) break
    after = paymentIds.at(-1) ?? ''
  }
  return count
}

function listRefunds(tx: DatabaseTransaction, paymentId: string): Promise<RefundRow[]> {
  return tx
    .selectFrom('payment_actions')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .where('kind', '=', 'refund')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

function listDisputes(tx: DatabaseTransaction, paymentId: string): Promise<DisputeRow[]> {
  return tx
    .selectFrom('disputes')
    .select(DISPUTE_COLUMNS)
    .where('payment_id', '=', paymentId)
    .orderBy('opened_at')
    .orderBy('id')
    .execute()
}

async function findMoney(
  tx: DatabaseTransaction,
  bookingId: string | null,
  paymentId: string,
): Promise<BookingMoney> {
  if (!bookingId) return (await findUnfulfilledMoney(tx, paymentId)) ?? NO_MONEY
  return findMoneyOf(tx, bookingId)
}

/** The first transaction that is missing: the charge, then refunds, then disputes; null when nothing is. */
function findDue(rows: PaymentMoney, posted: readonly PaymentTransaction[]): Due | null {
  const keys = new Set(posted.map(({ key }) => key))
  const one = [chargeOf(rows), ...rows.refunds.flatMap((row) => refundsOf(rows, row, keys))].find(
    ({ key }) => !keys.has(key),
  )
  return one ?? rows.disputes.map((dispute) => disputeOf(rows, dispute, posted)).find(Boolean) ?? null
}

/** A payment that began before there was a ledger has no terms of commission, and opens it. */
function chargeOf({ payment, refunds }: PaymentMoney): Due {
  const cents = chargedCentsOf(payment, refunds)
  const isOld = payment.sale.commission === null
  return {
    key: `${isOld ? 'opening' : 'charge'}:${payment.id}:${ONLY_LINE_ITEM}`,
    providerReference: payment.provider_reference,
    at: payment.paid_at ?? payment.updated_at,
    entryOf: () => (isOld ? opening({ cents, heldAt: 'provider_balance' }) : charge(cents)),
  }
}

/** A refund, its way back, and its payment past the provider. */
function refundsOf(rows: PaymentMoney, row: RefundRow, keys: ReadonlySet<string>): Due[] {
  const { payment } = rows
  const { id, provider_refund: providerReference } = row
  const cents = Number(row.amount_cents)
  const terms = commissionOf(payment.sale)
  const borneBy = row.borne_by ?? 'vendor'
  const at = row.done_at ?? payment.updated_at
  const { hasLeft, hasComeBack } = movedMoneyOf({
    state: row.state,
    providerStatus: row.provider_status,
    pendingReason: row.pending_reason,
    hadLeft: keys.has(`refund:${id}`),
  })
  const dues: Due[] = []
  if (hasLeft)
    dues.push({
      key: `refund:${id}`,
      providerReference,
      at,
      entryOf: (money) => refund({ money, cents, terms, borneBy, paidFrom: 'provider_balance' }),
    })
  if (hasComeBack)
    dues.push({
      key: `refund_failed:${id}`,
      providerReference,
      at,
      entryOf: (_, posted) =>
        refundFailed({
          cents,
          lossCents: borneBy === 'operator' ? cents : Math.min(cents, lossOf(rows, posted)),
        }),
    })
  if (row.resolution === 'paid_otherwise')
    dues.push({
      key: `refund:${id}:otherwise`,
      providerReference: null,
      at: row.resolved_at ?? at,
      entryOf: (money) => refund({ money, cents, terms, borneBy, paidFrom: 'bank' }),
    })
  return dues
}

/** The operator's loss from refunds and disputes that exceeded the booking's money, in cents. Refunds that an operator chose to bear don't count. */
function lossOf({ refunds }: PaymentMoney, posted: readonly PaymentTransaction[]): Cents {
  const chosen = new Set(refunds.filter((row) => row.borne_by === 'operator').map(({ id }) => id))
  return posted
    .filter(({ kind, key }) => TAKES_MONEY.has(kind) && !chosen.has(key.split(':')[1] ?? ''))
    .reduce((sum, { cents }) => sum + (cents.losses ?? 0), 0)
}

const TAKES_MONEY: ReadonlySet<TransactionKind> = new Set(['refund', 'refund_failed', 'dispute_lost'])

/**
 * The next transaction of a dispute. A bank may change the amount, and an appeal its decision, so each is the difference to
 * what is posted.
 */
function disputeOf(
  { payment }: PaymentMoney,
  dispute: DisputeRow,
  posted: readonly PaymentTransaction[],
): Due | null {
  const terms = commissionOf(payment.sale)
  const own = posted.filter(
    ({ kind, key }) => kind.startsWith('dispute_') && key.split(':')[1] === dispute.id,
  )
  const lost = own.filter(({ kind }) => kind === 'dispute_lost')
  const sumOf = (transactions: readonly PaymentTransaction[], account: 'disputed' | 'losses') =>
    transactions.reduce((sum, { cents }) => sum + (cents[account] ?? 0), 0)
  const lostCents = -sumOf(lost, 'disputed')
  const takenCents = sumOf(own, 'disputed') + lostCents
  const target = disputedMoneyOf({
    status: dispute.status,
    funds: dispute.funds,
    amountCents: Number(dispute.amount_cents),
  })
  const due = (kind: TransactionKind, at: Date, entryOf: Due['entryOf']): Due => {
    const nth = own.filter((one) => one.kind === kind).length + 1
    const key = `${kind}:${dispute.id}${nth === 1 ? '' : `:${nth}`}`
    return { key, providerReference: dispute.provider_dispute, at, entryOf }
  }
  const decidedAt = dispute.closed_at ?? dispute.checked_at
  if (lostCents > target.lostCents) {
    const cents = lostCents - target.lostCents
    const lossCents = Math.min(cents, sumOf(lost, 'losses'))
    return due('dispute_lost', decidedAt, () => disputeReopened({ cents, lossCents }))
  }
  const moreCents = target.disputedCents + target.lostCents - takenCents
  if (moreCents > 0)
    return due('dispute_opened', own.length === 0 ? dispute.opened_at : decidedAt, (money) =>
      disputeOpened({ money, cents: moreCents, terms }),
    )
  if (moreCents < 0) return due('dispute_won', decidedAt, () => disputeWon(-moreCents))
  const cents = target.lostCents - lostCents
  if (cents === 0) return null
  return due('dispute_lost', decidedAt, (money) => disputeLost({ money, cents, borneBy: 'vendor' }))
}

/** The charged amount in cents: ours, or the provider's if the payment was refunded because the two differ. */
function chargedCentsOf(payment: PaymentRow, refunds: readonly RefundRow[]): Cents {
  const wrong = refunds.filter(({ reason }) => reason === 'wrong_amount')
  // The refund may have been cut and ordered again, so the largest one is the charge.
  if (payment.state === 'failed' && wrong.length > 0)
    return Math.max(...wrong.map(({ amount_cents: cents }) => Number(cents)))
  return Number(payment.amount_cents)
}
