import type { Selectable } from 'kysely'
import { newId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import { refuse } from '../../../shared/result.ts'
import type { Database, DatabaseTransaction, Tables } from '../../database/port.ts'
import type { DisputeSnapshot, PaymentProvider } from '../port.ts'
import { addMovement, DISPUTE_FEE_CENTS } from './balance.server.ts'
import { lockPayment } from './payments.server.ts'
import type { SandboxWebhooks } from './webhooks.server.ts'

/** How long a vendor's side may answer; card networks give 7 to 21 days. */
const EVIDENCE_DAYS = 10
const DAY_MS = 86_400_000
const PAGE_SIZE = 100

type Deps = { now: () => Date; webhooks: Pick<SandboxWebhooks, 'addEvent'> }

/** How the bank decides. `inquiry_closed` ends an inquiry that never became a dispute. */
export type DisputeDecision = 'won' | 'lost' | 'inquiry_closed'

/**
 * Opens a dispute of all that is left of a payment, as the cardholder's bank would.
 * @param kind an inquiry takes no money yet
 * @returns the events to deliver; refuses with 'not_charged' and 'disputed' (there is an open one)
 */
export async function openDispute(
  { now, webhooks }: Deps,
  tx: DatabaseTransaction,
  sandboxPaymentId: string,
  kind: 'dispute' | 'inquiry' = 'dispute',
): Promise<{ ok: true; eventIds: string[] } | { ok: false; reason: 'not_charged' | 'disputed' }> {
  const payment = await lockPayment(tx, { column: 'id', value: sandboxPaymentId })
  const { lostCents } = await measureDisputes(tx, sandboxPaymentId)
  const leftCents = payment ? Number(payment.amount_cents) - Number(payment.refunded_cents) - lostCents : 0
  if (payment?.state !== 'succeeded' || leftCents < 1) return refuse('not_charged')
  const open = await tx
    .selectFrom('sandbox_disputes')
    .select('id')
    .where('sandbox_payment_id', '=', sandboxPaymentId)
    .where('evidence_due_at', 'is not', null)
    .executeTakeFirst()
  if (open) return refuse('disputed')
  const id = `sbd_${newId(24)}`
  await tx
    .insertInto('sandbox_disputes')
    .values({
      id,
      sandbox_payment_id: sandboxPaymentId,
      amount_cents: leftCents,
      reason: 'fraudulent',
      status: kind === 'inquiry' ? 'warning_needs_response' : 'needs_response',
      funds: kind === 'inquiry' ? 'held' : 'withdrawn',
      evidence_due_at: new Date(now().getTime() + EVIDENCE_DAYS * DAY_MS),
      created_at: now(),
    })
    .execute()
  const eventIds: string[] = [await webhooks.addEvent(tx, 'charge.dispute.created', sandboxPaymentId)]
  if (kind === 'dispute') {
    await addMovement(tx, now(), {
      kind: 'dispute',
      reference: id,
      amountCents: -leftCents,
      feeCents: DISPUTE_FEE_CENTS,
    })
    eventIds.push(await webhooks.addEvent(tx, 'charge.dispute.funds_withdrawn', sandboxPaymentId))
  }
  return { ok: true, eventIds }
}

/**
 * Ends the open dispute of a payment as the bank would.
 * @returns the events to deliver; refuses with 'no_dispute' (none is open) and 'inquiry' (an inquiry is closed, a dispute is won or lost)
 */
export async function decideDispute(
  { now, webhooks }: Deps,
  tx: DatabaseTransaction,
  sandboxPaymentId: string,
  decision: DisputeDecision,
): Promise<{ ok: true; eventIds: string[] } | { ok: false; reason: 'no_dispute' | 'inquiry' }> {
  const open = await tx
    .selectFrom('sandbox_disputes')
    .selectAll()
    .where('sandbox_payment_id', '=', sandboxPaymentId)
    .where('evidence_due_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!open) return refuse('no_dispute')
  const isInquiry = open.status.startsWith('warning_')
  if (isInquiry !== (decision === 'inquiry_closed')) return refuse('inquiry')
  await tx
    .updateTable('sandbox_disputes')
    .set({
      status: decision === 'inquiry_closed' ? 'warning_closed' : decision,
      funds: decision === 'won' ? 'reinstated' : open.funds,
      evidence_due_at: null,
    })
    .where('id', '=', open.id)
    .execute()
  const eventIds: string[] = [await webhooks.addEvent(tx, 'charge.dispute.closed', sandboxPaymentId)]
  if (decision === 'won') {
    const amountCents = Number(open.amount_cents)
    await addMovement(tx, now(), { kind: 'dispute_reversal', reference: open.id, amountCents })
    eventIds.push(await webhooks.addEvent(tx, 'charge.dispute.funds_reinstated', sandboxPaymentId))
  }
  return { ok: true, eventIds }
}

/** The sandbox's disputes as a provider lists them. */
export function disputeCalls({
  db,
}: {
  db: Database
}): Pick<PaymentProvider, 'listDisputesOf' | 'listDisputes'> {
  return {
    async listDisputesOf(reference) {
      const rows = await db
        .selectFrom('sandbox_disputes')
        .selectAll()
        .where('sandbox_payment_id', '=', reference)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute()
      return { ok: true, disputes: rows.map(snapshotOf) }
    },

    async listDisputes({ createdSince, after }) {
      let query = db.selectFrom('sandbox_disputes').selectAll().where('created_at', '>=', createdSince)
      const last = after
        ? await db
            .selectFrom('sandbox_disputes')
            .select(['id', 'created_at'])
            .where('id', '=', after)
            .executeTakeFirst()
        : undefined
      if (last)
        query = query.where((eb) =>
          eb.or([
            eb('created_at', '<', last.created_at),
            eb.and([eb('created_at', '=', last.created_at), eb('id', '>', last.id)]),
          ]),
        )
      const rows = await query.orderBy('created_at', 'desc').orderBy('id').limit(PAGE_SIZE).execute()
      const next = rows.length === PAGE_SIZE ? (rows.at(-1)?.id ?? null) : null
      return { ok: true, disputes: rows.map(snapshotOf), next }
    },
  }
}

/** Whether the payment's money is at the bank because of a dispute, which stops refunds, and what lost ones have taken. */
export async function measureDisputes(
  tx: DatabaseTransaction,
  sandboxPaymentId: string,
): Promise<{ isBlocked: boolean; lostCents: Cents }> {
  const rows = await tx
    .selectFrom('sandbox_disputes')
    .select(['status', 'amount_cents'])
    .where('sandbox_payment_id', '=', sandboxPaymentId)
    .where('funds', '=', 'withdrawn')
    .execute()
  return {
    isBlocked: rows.some(({ status }) => status !== 'lost'),
    lostCents: rows
      .filter(({ status }) => status === 'lost')
      .reduce((sum, row) => sum + Number(row.amount_cents), 0),
  }
}

function snapshotOf(row: Selectable<Tables['sandbox_disputes']>): DisputeSnapshot {
  return {
    reference: row.id,
    paymentReference: row.sandbox_payment_id,
    amountCents: Number(row.amount_cents),
    reason: row.reason,
    status: row.status,
    funds: row.funds,
    isChargeRefundable: row.funds !== 'withdrawn',
    evidenceDueAt: row.evidence_due_at,
    openedAt: row.created_at,
  }
}
