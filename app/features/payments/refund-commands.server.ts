import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { PaymentProvider, RefundSnapshot } from '../../adapters/payments/port.ts'
import { eachOf } from '../../shared/each-of.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { refuse } from '../../shared/result.ts'
import type { BorneBy } from '../ledger/rules.ts'
import type { PaymentDeps } from './deps.server.ts'
import { ONLY_LINE_ITEM } from './payment-commands.server.ts'
import { recordMoney } from './posting-commands.server.ts'
import { providerNames, providerOf } from './providers.server.ts'
import {
  findPayment,
  isBlockedByDispute,
  listCharges,
  listRefundsOfPayment,
  lockPayment,
  type Refund,
  sumLostDisputes,
} from './queries.server.ts'
import {
  isRefundNews,
  orderedCents,
  pauseAfterTries,
  REFUND_WATCH_MS,
  type RefundReason,
  refundableCents,
  refundStateOf,
  sumRefunds,
} from './rules.ts'

const REFUNDS_PER_RUN = 50
const PENDING_ASKED_EVERY_MS = 600_000
const DONE_ASKED_EVERY_MS = 86_400_000

/** A refund as it is ordered. */
export type RefundOrder = {
  paymentId: string
  /** Null for all of a payment that bought nothing. */
  line: number | null
  reason: RefundReason
  /** `cancelRefund` can take it back until then. */
  dueAt: Date
  /** An operator's reason. */
  note?: string
  /** Null is the vendor. */
  borneBy?: BorneBy | null
}

/**
 * Orders a refund of a part, in the transaction that decides that money goes back. The sum is checked under the payment's
 * lock, so refunds never exceed the charge.
 * @returns refuses with 'exceeds' and what is left, in cents
 */
export async function addRefund(
  deps: { now: () => Date },
  tx: DatabaseTransaction,
  order: RefundOrder & { amountCents: Cents },
): Promise<{ ok: true; refundId: string } | { ok: false; reason: 'exceeds'; leftCents: Cents }> {
  const leftCents = await lockRefundable(tx, order.paymentId)
  if (order.amountCents > leftCents) return { ...refuse('exceeds'), leftCents }
  return { ok: true, refundId: await insertRefund(deps, tx, order) }
}

/**
 * Orders refunds of a purchase, newest charge first, none of more than its charge has left.
 * @param order.paymentId the purchase's first payment
 * @param order.amountCents null for all that is left
 * @returns the sum in cents; 0 where nothing is left and nothing was ordered
 */
export async function addRefundOfPurchase(
  deps: { now: () => Date },
  tx: DatabaseTransaction,
  order: RefundOrder & { amountCents: Cents | null },
): Promise<Cents> {
  await lockPayment(tx, order.paymentId)
  let orderedCents = 0
  for (const { paymentId } of await listCharges(tx, order.paymentId)) {
    const leftCents = await lockRefundable(tx, paymentId)
    const wantedCents = order.amountCents === null ? leftCents : order.amountCents - orderedCents
    const amountCents = Math.min(leftCents, wantedCents)
    if (amountCents <= 0) continue
    await insertRefund(deps, tx, { ...order, paymentId, amountCents })
    orderedCents += amountCents
  }
  return orderedCents
}

/** Locks a payment and returns the rest that can still be refunded, in cents. */
async function lockRefundable(tx: DatabaseTransaction, paymentId: string): Promise<Cents> {
  const payment = await lockPayment(tx, paymentId)
  const refunds = await listRefundsOfPayment(tx, paymentId)
  return refundableCents(
    chargeCents(payment, refunds),
    sumRefunds(refunds),
    await sumLostDisputes(tx, paymentId),
  )
}

/** The charged amount in cents: ours, or the provider's if the payment was refunded because the two differ. */
function chargeCents(payment: { amount_cents: string | number }, refunds: readonly Refund[]): Cents {
  const charged = refunds.filter(({ reason }) => reason === 'wrong_amount').map((one) => one.amountCents)
  return Math.max(Number(payment.amount_cents), ...charged)
}

/**
 * Cancels refunds that have not left, and those that came back, up to an amount. Of a refund that is larger than the amount, the
 * rest is ordered anew. The payment is locked.
 */
export async function cutWaitingRefunds(
  deps: { now: () => Date },
  tx: DatabaseTransaction,
  paymentId: string,
  amountCents: Cents,
): Promise<void> {
  let leftCents = amountCents
  for (const refund of await listRefundsOfPayment(tx, paymentId)) {
    if (leftCents <= 0) return
    const cameBack = refund.state === 'failed' && refund.resolution === null
    if (refund.state !== 'due' && refund.state !== 'claimed' && !cameBack) continue
    await cancelRefund(tx, refund.id)
    const restCents = refund.amountCents - leftCents
    leftCents -= refund.amountCents
    if (restCents <= 0) continue
    const { line, reason, dueAt, borneBy } = refund
    await insertRefund(deps, tx, { paymentId, line, reason, amountCents: restCents, dueAt, borneBy })
  }
}

/**
 * Cuts the refunds that wait down to what the charge has left. They exceed it when money has gone back that we had not ordered:
 * from the provider's own screens, or by a process of the version before.
 * @returns whether they did
 */
async function fitToCharge(
  deps: { now: () => Date },
  tx: DatabaseTransaction,
  paymentId: string,
): Promise<boolean> {
  const payment = await lockPayment(tx, paymentId)
  const refunds = await listRefundsOfPayment(tx, paymentId)
  const goneCents = orderedCents(sumRefunds(refunds)) + (await sumLostDisputes(tx, paymentId))
  const excessCents = goneCents - chargeCents(payment, refunds)
  await cutWaitingRefunds(deps, tx, paymentId, excessCents)
  return excessCents > 0
}

/** Orders a refund whose amount was checked under the payment's lock. @returns its id */
export async function insertRefund(
  deps: { now: () => Date },
  tx: DatabaseTransaction,
  order: RefundOrder & { amountCents: Cents },
): Promise<string> {
  const id = newId()
  await tx
    .insertInto('payment_actions')
    .values({
      id,
      payment_id: order.paymentId,
      line: order.line,
      kind: 'refund',
      amount_cents: order.amountCents,
      reason: order.reason,
      due_at: order.dueAt,
      claimed_at: null,
      last_error: null,
      created_at: deps.now(),
      done_at: null,
      provider_refund: null,
      provider_status: null,
      pending_reason: null,
      failure_reason: null,
      asked_at: null,
      note: order.note ?? null,
      resolution: null,
      resolution_reference: null,
      resolved_at: null,
      borne_by: order.borneBy ?? null,
    })
    .execute()
  return id
}

/**
 * Takes back the refunds of a purchase's line that are due, unless one of them has been claimed.
 * @param input.paymentId the purchase's first payment
 * @param input.reason only refunds with this reason; an operator's refund is not a decision's to cancel
 * @returns null when one is claimed, or there is none; else a function that takes them back
 */
export async function lockDueRefunds(
  tx: DatabaseTransaction,
  { paymentId, line, reason }: { paymentId: string; line: number; reason: RefundReason },
): Promise<null | (() => Promise<void>)> {
  const charges = await listCharges(tx, paymentId)
  // Races the claim, which finds the state 'due' no more once this commits.
  const refunds = await tx
    .selectFrom('payment_actions')
    .select(['id', 'state'])
    .where(
      'payment_id',
      'in',
      charges.map((charge) => charge.paymentId),
    )
    .where('line', '=', line)
    .where('kind', '=', 'refund')
    .where('state', '<>', 'cancelled')
    .where('reason', '=', reason)
    .orderBy('id')
    .forUpdate()
    .execute()
  if (refunds.length === 0 || refunds.some(({ state }) => state !== 'due')) return null
  return async () => {
    for (const { id } of refunds) await cancelRefund(tx, id)
  }
}

/** Takes back a refund whose payment is locked. */
async function cancelRefund(tx: DatabaseTransaction, refundId: string): Promise<void> {
  await tx.updateTable('payment_actions').set({ state: 'cancelled' }).where('id', '=', refundId).execute()
}

/**
 * Ends the pause of a refund that the provider has refused, so that the next run tries it. The action stays the same one,
 * and with it the provider's key: money can't go back twice.
 * @returns its payment; null when it is done, cancelled or was never refused
 */
export async function endRefundPause(
  tx: DatabaseTransaction,
  refundId: string,
): Promise<{ paymentId: string } | null> {
  const refund = await tx
    .updateTable('payment_actions')
    .set({ claimed_at: null })
    .where('id', '=', refundId)
    .where('kind', '=', 'refund')
    .where('state', '=', 'claimed')
    .where('last_error', 'is not', null)
    .returning('payment_id')
    .executeTakeFirst()
  return refund ? { paymentId: refund.payment_id } : null
}

/**
 * Makes the refunds that are due. Each is claimed by a conditional update before the provider is called, and the
 * provider's key names the action, so that money goes back exactly once whatever dies in between. What fails is
 * tried again with growing pauses. Nothing leaves while a dispute blocks the payment's money. A refund of another provider's
 * payment stays due until the settings name its provider again; operators see it as overdue.
 */
export async function performDueRefunds(deps: PaymentDeps): Promise<void> {
  const { db } = deps
  const candidates = await db
    .selectFrom('payment_actions')
    .innerJoin('payments', 'payments.id', 'payment_actions.payment_id')
    .select([
      'payment_actions.id',
      'payment_actions.state',
      'payment_actions.attempts',
      'payment_actions.claimed_at',
      'payments.provider',
    ])
    .where('payment_actions.kind', '=', 'refund')
    .where('payment_actions.state', 'in', ['due', 'claimed'])
    .where('payment_actions.due_at', '<=', deps.now())
    .where('payments.provider', 'in', providerNames(deps))
    .where((eb) => eb.not(isBlockedByDispute('payments.id')))
    .orderBy('payment_actions.due_at')
    .limit(REFUNDS_PER_RUN)
    .execute()
  await eachOf(candidates, async (candidate) => {
    const provider = providerOf(deps, candidate)
    if (!provider) return
    // A claim whose process died before the answer is tried again too: the provider knows its key.
    const pauseMs = pauseAfterTries(candidate.attempts)
    if (candidate.claimed_at && candidate.claimed_at.getTime() + pauseMs > deps.now().getTime()) return
    const claimed = await db
      .updateTable('payment_actions')
      .set((eb) => ({ state: 'claimed', claimed_at: deps.now(), attempts: eb('attempts', '+', 1) }))
      .where('id', '=', candidate.id)
      .where('state', '=', candidate.state)
      .where('attempts', '=', candidate.attempts)
      // A dispute may have come since the list was read.
      .where((eb) => eb.not(isBlockedByDispute('payment_actions.payment_id')))
      .returning(['id', 'payment_id', 'line', 'amount_cents'])
      .executeTakeFirst()
    if (!claimed) return
    deps.faultPoint('refund-claimed')
    const payment = await db
      .selectFrom('payments')
      .select(['id', 'provider_reference'])
      .where('id', '=', claimed.payment_id)
      .executeTakeFirstOrThrow()
    if (!payment.provider_reference) throw new Error('a refund is due for a payment that was never made')
    const refunded = await provider.refund({
      reference: payment.provider_reference,
      amountCents: Number(claimed.amount_cents),
      idempotencyKey: refundKey(claimed.id),
    })
    deps.faultPoint('refund-made')
    if (refunded.ok) {
      await applyRefundSnapshot(deps, claimed, refunded.refund)
      return
    }
    await db
      .updateTable('payment_actions')
      .set({ last_error: refunded.message })
      .where('id', '=', claimed.id)
      // A slow answer may come after the retry's.
      .where('state', '=', 'claimed')
      .execute()
    // The money may have gone back without us, so that less is left than was ordered.
    if (refunded.reason === 'refused') await settleRefunds(deps, provider, payment)
  })
}

const REFUND_KEY = 'refund-'
const refundKey = (refundId: string) => `${REFUND_KEY}${refundId}`

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
  const tell = await deps.fulfilment.lockBought(tx, { paymentId, line })
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
  await tell(isOwed ? { refundId: id, state: after, amountCents } : null)
  if (after === 'failed' && isOwed)
    await deps.tellOperators(tx, {
      kind: 'refund_failed',
      paymentId,
      amountCents,
      dueAt: null,
      key: `refund-failed:${id}`,
    })
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
    // Until the charge is settled here, what it bought is unknown. The next answer will do.
    const payment = await findPayment(tx, paymentId)
    if (payment?.state !== 'paid' && payment?.state !== 'failed') return
    const line = (await deps.fulfilment.findBought(tx, paymentId)) ? ONLY_LINE_ITEM : null
    await deps.fulfilment.lockBought(tx, { paymentId, line })
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
    await deps.db
      .updateTable('payment_actions')
      .set({ asked_at: deps.now() })
      .where('payment_id', '=', payment.id)
      .where('kind', '=', 'refund')
      .where('state', 'in', ['claimed', 'done'])
      .execute()
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
    const tell = await deps.fulfilment.lockBought(tx, { paymentId: payment.id, line: ONLY_LINE_ITEM })
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
 * that have succeeded once a day for five weeks, since a bank can send them back. Refunds of earlier versions, whose
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
          eb('done_at', '>', new Date(now - REFUND_WATCH_MS)),
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

/**
 * Records how a refund that came back was settled.
 * @param input.reference the bank's or the transfer's, for 'paid_otherwise'
 * @returns refuses with 'not_failed' (it never came back, or is settled already)
 */
export async function resolveFailedRefund(
  deps: PaymentDeps,
  tx: DatabaseTransaction,
  input: {
    refund: { id: string; paymentId: string; line: number | null }
    reference: string
    note: string
  },
): Promise<{ ok: true } | { ok: false; reason: 'not_failed' }> {
  const { refund } = input
  const tell = await deps.fulfilment.lockBought(tx, { paymentId: refund.paymentId, line: refund.line })
  await lockPayment(tx, refund.paymentId)
  const resolved = await markResolved(deps, tx, refund.id, {
    resolution: 'paid_otherwise',
    resolution_reference: input.reference,
    note: input.note,
  })
  if (!resolved) return refuse('not_failed')
  await tell(null)
  await recordMoney(deps, tx, refund.paymentId)
  return { ok: true }
}

/**
 * Orders a refund that came back once more, under a new key. Its money has stayed reserved for it.
 * @returns refuses with 'not_failed' (it never came back, or is settled already)
 */
export async function refundAgain(
  deps: PaymentDeps,
  tx: DatabaseTransaction,
  refund: {
    id: string
    paymentId: string
    line: number | null
    reason: RefundReason
    amountCents: Cents
    borneBy?: BorneBy | null
  },
): Promise<{ ok: true } | { ok: false; reason: 'not_failed' }> {
  const { paymentId, line, reason, amountCents, borneBy = null } = refund
  await deps.fulfilment.lockBought(tx, { paymentId, line })
  await lockPayment(tx, paymentId)
  if (!(await markResolved(deps, tx, refund.id, { resolution: 'refunded_again' })))
    return refuse('not_failed')
  await insertRefund(deps, tx, { paymentId, line, reason, amountCents, dueAt: deps.now(), borneBy })
  return { ok: true }
}

function markResolved(
  deps: PaymentDeps,
  tx: DatabaseTransaction,
  refundId: string,
  {
    note,
    ...change
  }: { resolution: 'paid_otherwise' | 'refunded_again'; resolution_reference?: string; note?: string },
) {
  return tx
    .updateTable('payment_actions')
    .set((eb) => ({
      ...change,
      // The customer goes on seeing why the booking was declined. The operators' log has both.
      ...(note === undefined ? {} : { note: eb.fn.coalesce('note', eb.val(note)) }),
      resolved_at: deps.now(),
    }))
    .where('id', '=', refundId)
    .where('state', '=', 'done')
    .where('provider_status', 'in', ['failed', 'canceled'])
    .where('resolution', 'is', null)
    .returning('amount_cents')
    .executeTakeFirst()
}
