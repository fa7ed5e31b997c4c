import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { PaymentProvider, RefundSnapshot } from '../../adapters/payments/port.ts'
import { eachOf } from '../../shared/each-of.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import type { PaymentDeps } from './deps.server.ts'
import { tellOfReturned } from './failed-refund-commands.server.ts'
import { ONLY_LINE_ITEM } from './payment-commands.server.ts'
import { recordMoney } from './posting-commands.server.ts'
import { providerNames, providerOf } from './providers.server.ts'
import { findPayment, listRefundsOfPayment, lockPayment } from './queries.server.ts'
import { fitToCharge, insertRefund } from './refund-commands.server.ts'
import { isRefundNews, REFUND_WATCH_MS, refundStateOf } from './rules.ts'

/** The most refunds that one run of a job sends, or asks about. */
export const REFUNDS_PER_RUN = 50
const PENDING_ASKED_EVERY_MS = 600_000
const DONE_ASKED_EVERY_MS = DAY_MS

const REFUND_KEY = 'refund-'

/** The idempotency key of a refund at the provider. */
export const refundKey = (refundId: string) => `${REFUND_KEY}${refundId}`

/**
 * Stores what the provider says of a refund, and lets follow what follows: the booking's status, mails, an operator's task.
 * Late and repeated news change nothing.
 * @param snapshot what the provider said when it was asked just now, never an event's payload
 */
export async function applyRefundSnapshot(
  deps: PaymentDeps,
  refund: { id: string; payment_id: string; line: number | null },
  snapshot: RefundSnapshot,
): Promise<void> {
  const hasMoved = await deps.db.transaction().execute((tx) => moveRefund(deps, tx, refund, snapshot))
  if (hasMoved) deps.faultPoint('refund-moved')
}

/** @returns false where nothing followed: late or repeated news */
async function moveRefund(
  deps: PaymentDeps,
  tx: DatabaseTransaction,
  { id, payment_id: paymentId, line }: { id: string; payment_id: string; line: number | null },
  snapshot: RefundSnapshot,
): Promise<boolean> {
  // The purchase, then the payment, then the refund, as everywhere: two transactions never wait for each other.
  const tell = await deps.fulfilment.lockPurchase(tx, { paymentId, line })
  await lockPayment(tx, paymentId)
  const row = await tx
    .selectFrom('payment_actions')
    .select(['state', 'provider_status', 'amount_cents', 'done_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const now = deps.now()
  if (!isRefundNews(row.provider_status, snapshot.status)) return false
  const isCancelled = row.state === 'cancelled'
  // It came back, and a lost dispute has settled it since.
  if (isCancelled && row.provider_status === snapshot.status) return false
  const before =
    row.state === 'cancelled'
      ? null
      : refundStateOf({ state: row.state, providerStatus: row.provider_status })
  const after = refundStateOf({ state: 'done', providerStatus: snapshot.status })
  await tx
    .updateTable('payment_actions')
    .set({
      state: 'done',
      done_at: after === before ? row.done_at : now,
      last_error: null,
      provider_refund: snapshot.reference,
      provider_status: snapshot.status,
      pending_reason: snapshot.pendingReason,
      failure_reason: snapshot.failureReason,
      asked_at: now,
    })
    .where('id', '=', id)
    .execute()
  if (after === before) return false
  await fitToCharge(deps, tx, paymentId)
  const refunds = await listRefundsOfPayment(tx, paymentId)
  const amountCents = Number(row.amount_cents)
  // A refund that came back is owed no more if a lost dispute has taken its money.
  const isOwed = refunds.some((refund) => refund.id === id)
  await tell(isOwed && after !== 'failed' ? { refundId: id, state: after, amountCents } : null)
  if (after === 'failed' && isOwed) await tellOfReturned(deps, tx, paymentId)
  await recordMoney(deps, tx, paymentId)
  deps.faultPoint('refund-moved-uncommitted')
  return true
}

/**
 * Stores a refund that an operator made at the provider by hand, so that it counts like one of ours. Ignores refunds that have
 * failed.
 */
async function adoptRefund(deps: PaymentDeps, paymentId: string, snapshot: RefundSnapshot): Promise<void> {
  if (snapshot.status === 'failed' || snapshot.status === 'canceled') return
  await deps.db.transaction().execute(async (tx) => {
    // Until the charge is settled here, its purchase is unknown. The next answer will do.
    const payment = await findPayment(tx, paymentId)
    if (payment?.state !== 'paid' && payment?.state !== 'failed') return
    const line = (await deps.fulfilment.findPurchase(tx, paymentId)) ? ONLY_LINE_ITEM : null
    await deps.fulfilment.lockPurchase(tx, { paymentId, line })
    await lockPayment(tx, paymentId)
    // Ours may have been ordered, or another process may have adopted it, since the list was read.
    const ownId = snapshot.idempotencyKey?.startsWith(REFUND_KEY)
      ? snapshot.idempotencyKey.slice(REFUND_KEY.length)
      : ''
    const known = await tx
      .selectFrom('payment_actions')
      .select('id')
      .where('payment_id', '=', paymentId)
      .where((eb) => eb.or([eb('id', '=', ownId), eb('provider_refund', '=', snapshot.reference)]))
      .executeTakeFirst()
    if (known) return
    const { amountCents } = snapshot
    const note = 'Made at the provider'
    const order = { paymentId, line, reason: 'operator', amountCents, dueAt: deps.now(), note } as const
    const id = await insertRefund(deps, tx, order)
    await moveRefund(deps, tx, { id, payment_id: paymentId, line }, snapshot)
  })
}

/**
 * Asks the provider about all refunds of one payment and applies what it says. Refunds that are not ours are adopted.
 * @returns false when the provider did not answer
 */
export async function settleRefunds(
  deps: PaymentDeps,
  provider: PaymentProvider,
  payment: { id: string; provider_reference: string | null },
): Promise<boolean> {
  if (!payment.provider_reference) return true
  const listed = await provider.listRefunds(payment.provider_reference)
  // A refused payment goes to the end of the queue, or 50 of them would block it. During an outage all keep their place.
  if (listed.ok || listed.reason === 'refused')
    await deps.db.transaction().execute(async (tx) => {
      // Two that ask about the payment at once would lock its refunds in any order.
      await lockPayment(tx, payment.id)
      await tx
        .updateTable('payment_actions')
        .set({ asked_at: deps.now() })
        .where('payment_id', '=', payment.id)
        .where('kind', '=', 'refund')
        .where('state', 'in', ['claimed', 'done'])
        .execute()
    })
  if (!listed.ok) return false
  const rows = await deps.db
    .selectFrom('payment_actions')
    .select(['id', 'payment_id', 'line', 'provider_refund'])
    .where('payment_id', '=', payment.id)
    .where('kind', '=', 'refund')
    .execute()
  for (const snapshot of listed.refunds) {
    const row = rows.find(
      ({ id, provider_refund }) =>
        refundKey(id) === snapshot.idempotencyKey || provider_refund === snapshot.reference,
    )
    if (row) await applyRefundSnapshot(deps, row, snapshot)
    else await adoptRefund(deps, payment.id, snapshot)
  }
  await deps.db.transaction().execute(async (tx) => {
    const tell = await deps.fulfilment.lockPurchase(tx, { paymentId: payment.id, line: ONLY_LINE_ITEM })
    if (await fitToCharge(deps, tx, payment.id)) {
      await tell(null)
    }
    // Also of a pending refund that has left our balance only now.
    await recordMoney(deps, tx, payment.id)
  })
  return true
}

/**
 * Asks about refunds whose webhooks may be lost: pending ones every ten minutes, and those
 * that have succeeded once a day for five weeks and once after them, since a bank can send them back. Refunds of earlier versions, whose
 * provider's state is unknown here, come with them, some of them in each run.
 */
export async function askAboutRefunds(deps: PaymentDeps): Promise<void> {
  const { db } = deps
  const now = deps.now().getTime()
  const rows = await db
    .selectFrom('payment_actions')
    .innerJoin('payments', 'payments.id', 'payment_actions.payment_id')
    .select(['payments.id', 'payments.provider', 'payments.provider_reference'])
    .where('payment_actions.kind', '=', 'refund')
    .where('payment_actions.state', '=', 'done')
    .where('payments.provider', 'in', providerNames(deps))
    .where((eb) =>
      eb.or([
        eb.and([
          eb('provider_status', 'is', null),
          eb.or([eb('asked_at', 'is', null), eb('asked_at', '<=', new Date(now - DONE_ASKED_EVERY_MS))]),
        ]),
        eb.and([
          eb('provider_status', 'in', ['pending', 'requires_action']),
          eb('asked_at', '<=', new Date(now - PENDING_ASKED_EVERY_MS)),
        ]),
        eb.and([
          eb('provider_status', '=', 'succeeded'),
          // Until it was asked about once after that, however late.
          sql<boolean>`asked_at < done_at + ${`${REFUND_WATCH_MS} milliseconds`}::interval`,
          eb('asked_at', '<=', new Date(now - DONE_ASKED_EVERY_MS)),
        ]),
      ]),
    )
    .orderBy('payment_actions.asked_at', (order) => order.asc().nullsFirst())
    .limit(REFUNDS_PER_RUN)
    .execute()
  const payments = new Map(rows.map((row) => [row.id, row]))
  await eachOf([...payments.values()], async (payment) => {
    const provider = providerOf(deps, payment)
    if (provider) await settleRefunds(deps, provider, payment)
  })
}
