import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type {
  DisputeDetails,
  DisputeEvidence,
  PaymentProvider,
  ProviderRefusal,
} from '../../adapters/payments/port.ts'
import { eachOf } from '../../shared/each-of.ts'
import { newId } from '../../shared/ids.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { isPlaceholderEmail } from '../../shared/placeholder-email.ts'
import { refuse } from '../../shared/result.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { settleDisputes } from '../payments/dispute-commands.server.ts'
import { providerNames, providerOf } from '../payments/providers.server.ts'
import { settleRefunds } from '../payments/refund-news-commands.server.ts'
import { listProofs } from '../payouts/proof-commands.server.ts'
import { needsSecondOperator } from '../payouts/rules.ts'
import { findReceipt } from '../receipts/queries.server.ts'
import { drawReceipt } from '../receipts/receipt-pdf.server.ts'
import { receiptNumberText } from '../receipts/rules.ts'
import { saleJson } from '../sales/queries.server.ts'
import type { Sale } from '../sales/rules.ts'
import { APPROVAL_ACTS, type ApprovalAct } from './act-rules.ts'
import {
  type ApprovalFlow,
  askSecondPerson,
  type SettleRefused,
  settleApproval,
} from './approval-commands.server.ts'
import {
  type AnswerKind,
  disputeVersion,
  type EvidenceTexts,
  isAnswered,
  RESEND_ANSWER_AFTER_MS,
  takesAnswer,
} from './dispute-rules.ts'
import { logAction, type Operator } from './log-commands.server.ts'
import type { DisputeAnswerRow } from './tables.server.ts'

/** The services of answers to disputes. */
export type DisputeAnswerDeps = BookingDeps & {
  /** An answer to a dispute of more than this needs a second operator. */
  secondOperatorCents: Cents
}

/** The outcome of an answer: it waits for another operator, is sent, or is sent again until the provider answers. */
type Sent =
  | { ok: true; outcome: 'waits' | 'sent' | 'unreachable' }
  | { ok: false; reason: 'refused'; message: string }

type Changed = {
  ok: false
  reason: 'changed'
  /** The newest answer that the operator had not seen; null where the bank or the provider changed the dispute. */
  by: { email: string; kind: AnswerKind } | null
}

const ANSWER_ACTS = {
  evidence: 'submit-evidence',
  acceptance: 'accept-dispute',
} as const satisfies Record<AnswerKind, ApprovalAct<'answer'>>
type AnswerAct = ApprovalAct<'answer'>

/**
 * Answers a dispute with evidence, or gives it up. The answer is stored before the provider is called, so a provider that
 * doesn't answer loses nothing: it is sent again until there is an answer. Above the limit, a second operator confirms first.
 * @param input.texts of evidence; null to give up
 * @param input.expectedVersion what the operator saw, by `disputeVersion`
 * @returns refuses with 'not_found', 'other_provider', 'changed' (since it was seen, and by whom), 'too_late' (the bank takes
 *   no such answer) and 'refused' (by the provider, in its words)
 */
export async function answerDispute(
  deps: DisputeAnswerDeps,
  input: {
    operator: Operator
    disputeId: string
    texts: EvidenceTexts | null
    expectedVersion: string
    reason: string
  },
): Promise<Sent | Changed | { ok: false; reason: 'not_found' | 'other_provider' | 'too_late' }> {
  const { operator, disputeId, texts, reason } = input
  const kind = texts ? 'evidence' : 'acceptance'
  const now = deps.now()
  const placed = await deps.db.transaction().execute(async (tx) => {
    const dispute = await lockDispute(tx, disputeId)
    if (!dispute) return refuse('not_found')
    if (!providerOf(deps, dispute)) return refuse('other_provider')
    const newest = await findNewestAnswer(tx, disputeId)
    const proofs = (await listProofs(tx, [disputeId])).get(disputeId)?.length ?? 0
    const version = disputeVersion(dispute, newest, proofs)
    if (version !== input.expectedVersion) {
      const by = newest && !input.expectedVersion.includes(newest.id) ? newest : null
      return { ...refuse('changed'), by: by && { email: by.placed_by_email, kind: by.kind } }
    }
    const answered = newest && { state: newest.state, answeredStatus: newest.answered_status }
    if (isAnswered(dispute, answered)) return { ...refuse('changed'), by: null }
    if (!takesAnswer(kind, dispute, now)) return refuse('too_late')
    const waits = needsSecondOperator(dispute.amountCents, deps.secondOperatorCents)
    const settled = waits
      ? { state: 'waiting' as const, settled_by: null, settled_by_email: null, settled_at: null }
      : {
          state: 'claimed' as const,
          settled_by: operator.userId,
          settled_by_email: operator.email,
          settled_at: now,
        }
    const id = newId()
    const log = {
      subject: { kind: 'dispute', id: disputeId, label: dispute.label } as const,
      text: `${formatMoney(dispute.amountCents)}: ${reason}`,
    }
    if (waits) {
      const asked = await askSecondPerson<AnswerAct>(tx, {
        ...{ id, act: ANSWER_ACTS[kind], payload: {} },
        subject: { kind: 'dispute', id: disputeId },
        ...{ label: dispute.label, amountCents: dispute.amountCents, reason, operator, at: now, log },
        // The bank's deadline ends it.
        lifeMs: null,
      })
      // No answer waits under the dispute's lock, or it would have been 'changed'.
      if (!asked.ok) throw new Error(`Another answer to the dispute ${disputeId} waits.`)
    }
    await tx
      .insertInto('dispute_answers')
      .values({
        id,
        dispute_id: disputeId,
        kind,
        texts: texts && JSON.stringify(texts),
        reason,
        answered_status: dispute.status,
        placed_by: operator.userId,
        placed_by_email: operator.email,
        placed_at: now,
        ...settled,
        claimed_at: waits ? null : now,
        provider_receipt: null,
        last_error: null,
        sent_at: null,
      })
      .execute()
    const { subject, text } = log
    if (!waits) await logAction(tx, { operator, action: ANSWER_ACTS[kind], subject, reason: text, at: now })
    return { ok: true, id, waits } as const
  })
  if (!placed.ok) return placed
  return placed.waits ? { ok: true, outcome: 'waits' } : sendAnswer(deps, placed.id)
}

/**
 * Confirms or drops an answer that waits for a second operator.
 * @returns refuses as `settleApproval` does, with 'too_late' (the bank takes no such answer any more) and 'refused'
 */
export async function settleAnswer(
  deps: DisputeAnswerDeps,
  input: { operator: Operator; answerId: string; isConfirmed: boolean },
): Promise<Sent | { ok: true; outcome: 'dropped' } | SettleRefused | AnswerRefused> {
  const { operator, answerId: id, isConfirmed } = input
  const settled = await settleApproval(deps, answerFlow(deps), { operator, id, isConfirmed })
  if (!settled.ok) return settled
  return settled.done ? sendAnswer(deps, id) : { ok: true, outcome: 'dropped' }
}

type AnswerRefused = { ok: false; reason: 'not_found' | 'too_late' }

const answerFlow = (
  deps: BookingDeps,
): ApprovalFlow<AnswerAct, { dispute: LockedDispute }, object, AnswerRefused> => {
  const settle = (
    tx: DatabaseTransaction,
    { id }: { id: string },
    operator: Operator,
    moved: { state: 'claimed' | 'dropped'; claimed_at: Date | null },
  ) =>
    tx
      .updateTable('dispute_answers')
      .set({
        ...{ settled_by: operator.userId, settled_by_email: operator.email, settled_at: deps.now() },
        ...moved,
      })
      .where('id', '=', id)
      .execute()
  return {
    acts: APPROVAL_ACTS.answer,
    lock: (tx, { subjectId }) => lockDispute(tx, subjectId),
    async check(tx, { act, subjectId }) {
      const dispute = await lockDispute(tx, subjectId)
      if (!dispute) return refuse('not_found')
      const kind = act === ANSWER_ACTS.evidence ? 'evidence' : 'acceptance'
      return takesAnswer(kind, dispute, deps.now()) ? { ok: true, seen: '', dispute } : refuse('too_late')
    },
    async carryOut(tx, approval, { dispute }, operator) {
      await settle(tx, approval, operator, { state: 'claimed', claimed_at: deps.now() })
      await logAction(tx, {
        operator,
        action: approval.act,
        subject: { kind: 'dispute', id: dispute.id, label: dispute.label },
        reason: `${formatMoney(dispute.amountCents)}: confirmed`,
        at: deps.now(),
      })
      return { ok: true }
    },
    async drop(tx, approval, operator) {
      await settle(tx, approval, operator, { state: 'dropped', claimed_at: null })
    },
    dropped: ({ subjectId: id, label, amountCents }) => ({
      action: 'drop-answer',
      subject: { kind: 'dispute', id, label },
      text: `${formatMoney(amountCents)}: dropped`,
    }),
  }
}

/** Sends the answers again whose process died, or that the provider didn't answer. */
export async function resendAnswers(deps: BookingDeps): Promise<void> {
  const before = new Date(deps.now().getTime() - RESEND_ANSWER_AFTER_MS)
  const stuck = await deps.db
    .selectFrom('dispute_answers')
    .innerJoin('disputes', 'disputes.id', 'dispute_answers.dispute_id')
    .select('dispute_answers.id')
    .where('dispute_answers.state', '=', 'claimed')
    .where('dispute_answers.claimed_at', '<=', before)
    .where('disputes.provider', 'in', providerNames(deps))
    .execute()
  await eachOf(stuck, async ({ id }) => {
    const claimed = await deps.db
      .updateTable('dispute_answers')
      .set({ claimed_at: deps.now() })
      .where('id', '=', id)
      .where('state', '=', 'claimed')
      .where('claimed_at', '<=', before)
      .returning('id')
      .executeTakeFirst()
    if (claimed) await sendAnswer(deps, id)
  })
}

/** Sends a claimed answer, and applies what the provider then says of the dispute. */
async function sendAnswer(deps: BookingDeps, answerId: string): Promise<Sent> {
  const answer = await deps.db
    .selectFrom('dispute_answers')
    .innerJoin('disputes', 'disputes.id', 'dispute_answers.dispute_id')
    .innerJoin('payments', 'payments.id', 'disputes.payment_id')
    .innerJoin('sales', 'sales.id', 'payments.sale_id')
    .leftJoin('bookings', 'bookings.payment_row_id', 'payments.id')
    .selectAll('dispute_answers')
    .select([
      'disputes.provider',
      'disputes.provider_dispute',
      'disputes.payment_id',
      'payments.provider_reference',
      saleJson().as('sale'),
      'bookings.id as booking_id',
    ])
    .where('dispute_answers.id', '=', answerId)
    .executeTakeFirstOrThrow()
  const provider = providerOf(deps, answer)
  if (!provider) return { ok: true, outcome: 'unreachable' }
  const sent = await callProvider(deps, provider, answer)
  const { db } = deps
  if (!sent.ok && sent.reason === 'unreachable') {
    await db
      .updateTable('dispute_answers')
      .set({ last_error: sent.message })
      .where('id', '=', answerId)
      .execute()
    return { ok: true, outcome: 'unreachable' }
  }
  await db
    .updateTable('dispute_answers')
    .set(
      sent.ok
        ? { state: 'sent', sent_at: deps.now(), last_error: null }
        : { state: 'refused', last_error: sent.message },
    )
    .where('id', '=', answerId)
    .where('state', '=', 'claimed')
    .execute()
  const payment = { id: answer.payment_id, provider_reference: answer.provider_reference }
  if (await settleRefunds(deps, provider, payment)) await settleDisputes(deps, provider, payment)
  return sent.ok ? { ok: true, outcome: 'sent' } : { ok: false, reason: 'refused', message: sent.message }
}

type Claimed = DisputeAnswerRow & {
  provider_dispute: string
  sale: Pick<Sale, 'customer'>
  booking_id: string | null
}

/** Sends an answer after asking about the dispute: the answer may have arrived before, or somebody may have answered at the provider. */
async function callProvider(
  deps: BookingDeps,
  provider: PaymentProvider,
  answer: Claimed,
): Promise<{ ok: true } | ProviderRefusal> {
  const reference = answer.provider_dispute
  const idempotencyKey = `answer-${answer.id}`
  const found = await provider.retrieveDispute(reference)
  if (!found.ok) return found
  if (isTaken(found, answer, idempotencyKey)) return { ok: true }
  if (found.dispute.status !== answer.answered_status)
    return { ok: false, reason: 'refused', message: 'The dispute was answered or decided in the meantime.' }
  if (!answer.texts) return provider.acceptDispute({ reference, idempotencyKey })
  const receipt = await uploadReceipt(deps, provider, answer)
  if (!receipt.ok) return receipt
  const evidence: DisputeEvidence = {
    customerName: answer.sale.customer.fullName,
    customerEmail: isPlaceholderEmail(answer.sale.customer.email) ? '' : answer.sale.customer.email,
    ...answer.texts,
    receiptFile: receipt.file,
  }
  return provider.answerDispute({ reference, evidence, submit: true, idempotencyKey })
}

function isTaken({ dispute, answerKey }: DisputeDetails, answer: Claimed, key: string): boolean {
  return answer.texts ? answerKey === key : dispute.status === 'lost'
}

/** Uploads the receipt once: a repeat has to name the same file, or the provider takes it for another answer. */
async function uploadReceipt(
  deps: BookingDeps,
  provider: PaymentProvider,
  answer: Claimed,
): Promise<{ ok: true; file: string | null } | ProviderRefusal> {
  if (answer.provider_receipt) return { ok: true, file: answer.provider_receipt }
  const { booking_id: bookingId } = answer
  const receipt = bookingId ? await findReceipt(deps.db, { bookingId, isOperator: true }) : null
  if (!receipt) return { ok: true, file: null }
  const uploaded = await provider.uploadReceipt({
    name: `receipt-${receiptNumberText(receipt.number)}.pdf`,
    bytes: await drawReceipt(receipt, { brand: deps.brand, host: deps.publicUrl.host }),
  })
  if (!uploaded.ok) return uploaded
  await deps.db
    .updateTable('dispute_answers')
    .set({ provider_receipt: uploaded.file })
    .where('id', '=', answer.id)
    .execute()
  return uploaded
}

type LockedDispute = NonNullable<Awaited<ReturnType<typeof lockDispute>>>

/** Locks a dispute, after which no other operator answers it and no news moves it. */
async function lockDispute(tx: DatabaseTransaction, disputeId: string) {
  const row = await tx
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.payment_id')
    .innerJoin('sales', 'sales.id', 'payments.sale_id')
    .select([
      'disputes.id',
      'disputes.provider',
      'disputes.status',
      'disputes.funds',
      'disputes.amount_cents',
      'disputes.evidence_due_at',
      saleJson().as('sale'),
    ])
    .where('disputes.id', '=', disputeId)
    .forUpdate('disputes')
    .executeTakeFirst()
  if (!row) return null
  const { id, provider, status, funds, evidence_due_at: evidenceDueAt } = row
  const amountCents = Number(row.amount_cents)
  return { id, provider, status, funds, amountCents, evidenceDueAt, label: row.sale.businessName }
}

function findNewestAnswer(
  db: Database | DatabaseTransaction,
  disputeId: string,
): Promise<DisputeAnswerRow | null> {
  return db
    .selectFrom('dispute_answers')
    .selectAll()
    .where('dispute_id', '=', disputeId)
    .orderBy('number', 'desc')
    .executeTakeFirst()
    .then((row) => row ?? null)
}
