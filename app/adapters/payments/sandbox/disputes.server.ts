import type { Selectable } from 'kysely'
import { newId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import { refuse } from '../../../shared/result.ts'
import { DAY_MS } from '../../../shared/time-units.ts'
import type { Database, DatabaseTransaction, Tables } from '../../database/port.ts'
import { EVIDENCE_TEXTS, fitsEvidence } from '../dispute-evidence.ts'
import type {
  DisputeDetails,
  DisputeEvidence,
  DisputeSnapshot,
  PaymentProvider,
  ProviderRefusal,
} from '../port.ts'
import { addMovement, DISPUTE_FEE_CENTS } from './balance.server.ts'
import { lockPayment } from './payments.server.ts'
import type { SandboxWebhooks } from './webhooks.server.ts'

/** How long a vendor's side may answer; card networks give 7 to 21 days. */
const EVIDENCE_DAYS = 10
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

type DisputeCalls = Pick<
  PaymentProvider,
  'listDisputesOf' | 'listDisputes' | 'retrieveDispute' | 'uploadReceipt' | 'answerDispute' | 'acceptDispute'
>

/** The sandbox's disputes as a provider lists them and takes answers to them. */
export function disputeCalls(
  deps: Deps & { db: Database; webhooks: Pick<SandboxWebhooks, 'deliverSoon'> },
): DisputeCalls {
  const { db, now, webhooks } = deps
  async function deliver(
    work: (tx: DatabaseTransaction) => Promise<Answered>,
  ): Promise<({ ok: true } & DisputeDetails) | ProviderRefusal> {
    const outcome = await db.transaction().execute(work)
    if (!outcome.ok) return outcome
    webhooks.deliverSoon(...outcome.eventIds)
    return { ok: true, ...detailsOf(outcome.row) }
  }
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

    async retrieveDispute(reference) {
      const row = await selectDispute(db, reference).executeTakeFirst()
      return row ? { ok: true, ...detailsOf(row) } : NO_DISPUTE
    },

    async uploadReceipt({ name, bytes }) {
      const id = `sbf_${newId(24)}`
      await db
        .insertInto('sandbox_files')
        .values({ id, name, size_bytes: bytes.length, created_at: now() })
        .execute()
      return { ok: true, file: id }
    },

    answerDispute: (input) => deliver((tx) => answerIn(deps, tx, input)),
    acceptDispute: (input) => deliver((tx) => acceptIn(deps, tx, input)),
  }
}

const selectDispute = (db: Database | DatabaseTransaction, reference: string) =>
  db.selectFrom('sandbox_disputes').selectAll().where('id', '=', reference)

const refused = (message: string): ProviderRefusal => ({ ok: false, reason: 'refused', message })
const NO_DISPUTE = refused('No such dispute.')

type Row = Selectable<Tables['sandbox_disputes']>
type Answered = { ok: true; row: Row; eventIds: string[] } | ProviderRefusal

/** The statuses that take evidence, and what each becomes once it was sent. */
const AFTER_EVIDENCE: Partial<Record<Row['status'], Row['status']>> = {
  needs_response: 'under_review',
  warning_needs_response: 'warning_under_review',
}

async function answerIn(
  { webhooks, now }: Deps,
  tx: DatabaseTransaction,
  input: Parameters<PaymentProvider['answerDispute']>[0],
): Promise<Answered> {
  const row = await selectDispute(tx, input.reference).forUpdate('sandbox_disputes').executeTakeFirst()
  if (!row) return NO_DISPUTE
  if (row.answer_key === input.idempotencyKey)
    return sameEvidence(row.evidence, input.evidence)
      ? { ok: true, row, eventIds: [] }
      : refused('This key was used with other evidence.')
  const next = AFTER_EVIDENCE[row.status]
  if (!next) return refused('This dispute takes no evidence any more.')
  if (row.evidence_due_at && row.evidence_due_at <= now()) return refused('The evidence comes too late.')
  const problem = await findProblem(tx, input.evidence)
  if (problem) return refused(problem)
  const evidence = JSON.stringify(input.evidence)
  const stored = await tx
    .updateTable('sandbox_disputes')
    .set(
      input.submit
        ? {
            evidence,
            status: next,
            answer_key: input.idempotencyKey,
            submission_count: row.submission_count + 1,
          }
        : { evidence },
    )
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const eventId = await webhooks.addEvent(tx, 'charge.dispute.updated', row.sandbox_payment_id)
  return { ok: true, row: stored, eventIds: [eventId] }
}

async function acceptIn(
  deps: Deps,
  tx: DatabaseTransaction,
  input: Parameters<PaymentProvider['acceptDispute']>[0],
): Promise<Answered> {
  const row = await selectDispute(tx, input.reference).forUpdate('sandbox_disputes').executeTakeFirst()
  if (!row) return NO_DISPUTE
  if (row.acceptance_key === input.idempotencyKey) return { ok: true, row, eventIds: [] }
  if (row.status !== 'needs_response') return refused('This dispute can’t be closed any more.')
  const lost = await decideDispute(deps, tx, row.sandbox_payment_id, 'lost')
  if (!lost.ok) return refused('This dispute can’t be closed any more.')
  const stored = await tx
    .updateTable('sandbox_disputes')
    .set({ acceptance_key: input.idempotencyKey })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ok: true, row: stored, eventIds: lost.eventIds }
}

const NO_EVIDENCE: DisputeEvidence = {
  customerName: '',
  customerEmail: '',
  product: '',
  serviceDate: '',
  terms: '',
  refusal: '',
  statement: '',
  receiptFile: null,
}

function sameEvidence(stored: DisputeEvidence | null, given: DisputeEvidence): boolean {
  const names = [...EVIDENCE_TEXTS, 'receiptFile'] as const
  return stored !== null && names.every((name) => stored[name] === given[name])
}

/** Why the evidence can't be taken, as Stripe would refuse it; null if it can. */
async function findProblem(tx: DatabaseTransaction, evidence: DisputeEvidence): Promise<string | null> {
  const { receiptFile } = evidence
  if (!fitsEvidence(evidence)) return 'A text of the evidence is too long.'
  if (receiptFile === null) return null
  const file = await tx
    .selectFrom('sandbox_files')
    .select('id')
    .where('id', '=', receiptFile)
    .executeTakeFirst()
  return file ? null : 'No such file.'
}

function detailsOf(row: Row): DisputeDetails {
  return {
    dispute: snapshotOf(row),
    evidence: row.evidence ?? NO_EVIDENCE,
    submissionCount: row.submission_count,
    answerKey: row.answer_key,
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

function snapshotOf(row: Row): DisputeSnapshot {
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
