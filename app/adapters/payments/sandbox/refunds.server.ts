import type { Selectable } from 'kysely'
import { newId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import { refuse } from '../../../shared/result.ts'
import { DAY_MS } from '../../../shared/time-units.ts'
import type { Database, DatabaseTransaction, Tables } from '../../database/port.ts'
import type { PaymentProvider, ProviderRefusal, RefundSnapshot } from '../port.ts'
import type { SandboxBehaviour } from '../sandbox-tables.server.ts'
import { addMovement, availabilityOfCharge } from './balance.server.ts'
import { measureDisputes } from './disputes.server.ts'
import { lockPayment } from './payments.server.ts'
import type { SandboxWebhooks } from './webhooks.server.ts'

/** How long a refund of a card with trouble stands before it moves on. */
const MOVES_AFTER_MS = DAY_MS
const MOVES_PER_RUN = 50

type Deps = { db: Database; now: () => Date; webhooks: Pick<SandboxWebhooks, 'addEvent' | 'deliverSoon'> }
type MoveDeps = { now: () => Date; webhooks: Pick<SandboxWebhooks, 'addEvent'> }

/** The sandbox's refunds as a provider keeps them: ordered, listed, and moving on by themselves. */
export function refundCalls(deps: Deps): Pick<PaymentProvider, 'refund' | 'listRefunds'> {
  const { db, webhooks } = deps
  return {
    async refund(input) {
      const outcome = await db.transaction().execute((tx) => refundIn(deps, tx, input))
      if (!outcome.ok) return outcome
      webhooks.deliverSoon(...outcome.eventIds)
      return { ok: true, refund: outcome.refund }
    },

    async listRefunds(reference) {
      const rows = await db
        .selectFrom('sandbox_refunds')
        .selectAll()
        .where('sandbox_payment_id', '=', reference)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute()
      return { ok: true, refunds: rows.map(snapshotOf) }
    },
  }
}

type Ordered = { ok: true; refund: RefundSnapshot; eventIds: string[] } | ProviderRefusal

const refused = (message: string): ProviderRefusal => ({ ok: false, reason: 'refused', message })

async function refundIn(
  { now, webhooks }: Deps,
  tx: DatabaseTransaction,
  input: { reference: string; amountCents: Cents; idempotencyKey: string },
): Promise<Ordered> {
  const payment = await lockPayment(tx, { column: 'id', value: input.reference })
  if (!payment) return refused('No such payment.')
  const before = await tx
    .selectFrom('sandbox_refunds')
    .selectAll()
    .where('idempotency_key', '=', input.idempotencyKey)
    .executeTakeFirst()
  if (before) {
    const isSame =
      Number(before.amount_cents) === input.amountCents && before.sandbox_payment_id === input.reference
    if (!isSame) return refused('This idempotency key was used with other values.')
    return { ok: true, refund: snapshotOf(before), eventIds: [] }
  }
  if (payment.state !== 'succeeded') return refused('This payment has not been charged.')
  const { isBlocked, lostCents } = await measureDisputes(tx, payment.id)
  if (isBlocked) return refused('This charge is disputed and cannot be refunded.')
  const refundedCents = Number(payment.refunded_cents) + input.amountCents
  if (
    !Number.isInteger(input.amountCents) ||
    input.amountCents < 1 ||
    refundedCents + lostCents > Number(payment.amount_cents)
  )
    return refused('The refund is more than what is left of the payment.')
  const row = await tx
    .insertInto('sandbox_refunds')
    .values({
      id: `sbr_${newId(24)}`,
      sandbox_payment_id: payment.id,
      idempotency_key: input.idempotencyKey,
      amount_cents: input.amountCents,
      ...firstStateOf(payment.behaviour, now()),
      created_at: now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('sandbox_payments')
    .set({ refunded_cents: refundedCents, updated_at: now() })
    .where('id', '=', payment.id)
    .execute()
  // The fee of the charge is not given back.
  await addMovement(tx, now(), {
    kind: 'refund',
    reference: row.id,
    amountCents: -input.amountCents,
    availableAt: await availabilityOfCharge(tx, payment.id, now()),
  })
  const eventIds = [
    await webhooks.addEvent(tx, 'refund.created', payment.id),
    await webhooks.addEvent(tx, 'charge.refunded', payment.id),
  ]
  return { ok: true, refund: snapshotOf(row), eventIds }
}

function firstStateOf(behaviour: SandboxBehaviour, now: Date) {
  const movesAt = new Date(now.getTime() + MOVES_AFTER_MS)
  if (behaviour === 'refund_pending')
    return {
      status: 'pending',
      pending_reason: 'processing',
      failure_reason: null,
      moves_at: movesAt,
      moves_to: 'succeeded',
    } as const
  return {
    status: 'succeeded',
    pending_reason: null,
    failure_reason: null,
    ...(behaviour === 'refund_fails'
      ? ({ moves_at: movesAt, moves_to: 'failed' } as const)
      : { moves_at: null, moves_to: null }),
  } as const
}

/** Moves on the refunds whose time has come: a pending one succeeds, a failing one comes back. */
export async function moveDueRefunds(deps: Deps): Promise<void> {
  const due = await deps.db
    .selectFrom('sandbox_refunds')
    .select('id')
    .where('moves_at', '<=', deps.now())
    .orderBy('moves_at')
    .limit(MOVES_PER_RUN)
    .execute()
  for (const { id } of due) {
    const eventId = await deps.db.transaction().execute((tx) => moveRefund(deps, tx, id))
    if (eventId) deps.webhooks.deliverSoon(eventId)
  }
}

async function moveRefund(deps: Deps, tx: DatabaseTransaction, id: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('sandbox_refunds')
    .selectAll()
    .where('id', '=', id)
    .where('moves_at', '<=', deps.now())
    .forUpdate()
    .executeTakeFirst()
  if (!row?.moves_to) return undefined
  return row.moves_to === 'failed' ? failIn(deps, tx, row) : succeedIn(deps, tx, row)
}

/**
 * Moves the newest refund of a payment on: a pending one succeeds, or any comes back, as from a closed card account.
 * @returns the events to deliver; refuses with 'no_refund' when none can move there any more
 */
export async function moveNewestRefund(
  deps: MoveDeps,
  tx: DatabaseTransaction,
  sandboxPaymentId: string,
  to: 'succeeded' | 'failed',
): Promise<{ ok: true; eventIds: string[] } | { ok: false; reason: 'no_refund' }> {
  const row = await tx
    .selectFrom('sandbox_refunds')
    .selectAll()
    .where('sandbox_payment_id', '=', sandboxPaymentId)
    .where('status', 'in', to === 'failed' ? ['pending', 'succeeded'] : ['pending'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return refuse('no_refund')
  return { ok: true, eventIds: [await (to === 'failed' ? failIn : succeedIn)(deps, tx, row)] }
}

async function succeedIn(
  { webhooks }: MoveDeps,
  tx: DatabaseTransaction,
  row: Selectable<Tables['sandbox_refunds']>,
): Promise<string> {
  await tx
    .updateTable('sandbox_refunds')
    .set({ status: 'succeeded', pending_reason: null, moves_at: null, moves_to: null })
    .where('id', '=', row.id)
    .execute()
  return webhooks.addEvent(tx, 'refund.updated', row.sandbox_payment_id)
}

/** The money is back with us, so it can be refunded again. */
async function failIn(
  { now, webhooks }: MoveDeps,
  tx: DatabaseTransaction,
  row: Selectable<Tables['sandbox_refunds']>,
): Promise<string> {
  const payment = await lockPayment(tx, { column: 'id', value: row.sandbox_payment_id })
  await tx
    .updateTable('sandbox_refunds')
    .set({
      status: 'failed',
      pending_reason: null,
      failure_reason: 'expired_or_canceled_card',
      moves_at: null,
      moves_to: null,
    })
    .where('id', '=', row.id)
    .execute()
  await tx
    .updateTable('sandbox_payments')
    .set({
      refunded_cents: Number(payment?.refunded_cents) - Number(row.amount_cents),
      // Once: the next refund arrives.
      behaviour: 'none',
      updated_at: now(),
    })
    .where('id', '=', row.sandbox_payment_id)
    .execute()
  await addMovement(tx, now(), {
    kind: 'refund_failed',
    reference: row.id,
    amountCents: Number(row.amount_cents),
    availableAt: await availabilityOfCharge(tx, row.sandbox_payment_id, now()),
  })
  return webhooks.addEvent(tx, 'refund.failed', row.sandbox_payment_id)
}

function snapshotOf(row: Selectable<Tables['sandbox_refunds']>): RefundSnapshot {
  return {
    reference: row.id,
    idempotencyKey: row.idempotency_key,
    amountCents: Number(row.amount_cents),
    status: row.status,
    pendingReason: row.pending_reason,
    failureReason: row.failure_reason,
  }
}
