import type Stripe from 'stripe'
import { EVIDENCE_TEXTS, fitsEvidence } from './dispute-evidence.ts'
import {
  DISPUTE_STATUSES,
  type DisputeDetails,
  type DisputeEvidence,
  type DisputeSnapshot,
  type DisputeStatus,
  type PaymentProvider,
  type ProviderRefusal,
} from './port.ts'
import { askStripe, listPage, NOT_FROM_STRIPE, PAGE_SIZE, refusedWith } from './stripe-client.server.ts'

/** The metadata key that identifies our answer. Stripe forgets idempotency keys after a day, but metadata stays. */
const OUR_ANSWER = 'jubilee_answer'

/** Stripe's fields of the texts that are sent. */
const TEXT_FIELDS = {
  customerName: 'customer_name',
  customerEmail: 'customer_email_address',
  product: 'product_description',
  serviceDate: 'service_date',
  terms: 'refund_policy_disclosure',
  refusal: 'refund_refusal_explanation',
  statement: 'uncategorized_text',
} as const satisfies Record<Exclude<keyof DisputeEvidence, 'receiptFile'>, keyof Stripe.Dispute.Evidence>

type DisputeCalls = Pick<
  PaymentProvider,
  'listDisputesOf' | 'listDisputes' | 'retrieveDispute' | 'uploadReceipt' | 'answerDispute' | 'acceptDispute'
>

/** Stripe's disputes: listed, answered with evidence, and given up. */
export function disputeCalls(stripe: Stripe): DisputeCalls {
  return {
    listDisputesOf: (reference) =>
      askStripe(async () => {
        const page = await stripe.disputes.list({ payment_intent: reference, limit: PAGE_SIZE })
        if (!Array.isArray(page.data)) return NOT_FROM_STRIPE
        return { ok: true, disputes: page.data.flatMap(snapshotOf) }
      }),

    async listDisputes({ createdSince, after }) {
      const found = await listPage((page) => stripe.disputes.list(page), { since: createdSince, after })
      return found.ok ? { ok: true, disputes: found.items.flatMap(snapshotOf), next: found.next } : found
    },

    retrieveDispute: (reference) => askAbout(reference, () => stripe.disputes.retrieve(reference)),

    uploadReceipt: ({ name, bytes }) =>
      askStripe(async () => {
        // Without a key of ours: each upload has another boundary, so a repeat would not be the same request.
        const file = await stripe.files.create({
          purpose: 'dispute_evidence',
          file: { data: bytes, name, type: 'application/pdf' },
        })
        return file.object === 'file' && file.id ? { ok: true, file: file.id } : NOT_FROM_STRIPE
      }),

    async answerDispute({ reference, evidence, submit, idempotencyKey }) {
      if (!fitsEvidence(evidence)) return refusedWith('A text of the evidence is too long.')
      return askAbout(reference, () =>
        stripe.disputes.update(
          reference,
          {
            evidence: paramsOf(evidence),
            submit,
            ...(submit ? { metadata: { [OUR_ANSWER]: idempotencyKey } } : {}),
          },
          { idempotencyKey },
        ),
      )
    },

    acceptDispute: ({ reference, idempotencyKey }) =>
      askAbout(reference, () => stripe.disputes.close(reference, {}, { idempotencyKey })),
  }
}

async function askAbout(
  reference: string,
  call: () => Promise<Stripe.Dispute>,
): Promise<({ ok: true } & DisputeDetails) | ProviderRefusal> {
  return askStripe(async () => {
    const found = await call()
    if (found.object !== 'dispute' || found.id !== reference) return NOT_FROM_STRIPE
    const [dispute] = snapshotOf(found)
    if (!dispute) return refusedWith('This dispute is of another product.')
    const { evidence, evidence_details: sent, metadata } = found
    const receipt = evidence.receipt
    return {
      ok: true,
      dispute,
      evidence: {
        ...(Object.fromEntries(
          EVIDENCE_TEXTS.map((name) => [name, evidence[TEXT_FIELDS[name]] ?? '']),
        ) as Record<keyof typeof TEXT_FIELDS, string>),
        receiptFile: typeof receipt === 'string' ? receipt : (receipt?.id ?? null),
      },
      submissionCount: sent.submission_count,
      answerKey: metadata[OUR_ANSWER] ?? null,
    }
  })
}

function paramsOf(evidence: DisputeEvidence): Stripe.DisputeUpdateParams.Evidence {
  return {
    ...Object.fromEntries(
      EVIDENCE_TEXTS.flatMap((name) => (evidence[name] ? [[TEXT_FIELDS[name], evidence[name]]] : [])),
    ),
    ...(evidence.receiptFile ? { receipt: evidence.receiptFile } : {}),
  }
}

/** @returns one snapshot; none for a dispute of a charge that no PaymentIntent made, since it is not ours */
function snapshotOf(dispute: Stripe.Dispute): DisputeSnapshot[] {
  const payment = dispute.payment_intent
  const paymentReference = typeof payment === 'string' ? payment : payment?.id
  if (!paymentReference) return []
  const isKnown = (status: string): status is DisputeStatus => DISPUTE_STATUSES.some((one) => one === status)
  // The withdrawal is the first movement of the balance, its return the second.
  const movedCents = dispute.balance_transactions.reduce((sum, { amount }) => sum + amount, 0)
  const dueBy = dispute.evidence_details.due_by
  return [
    {
      reference: dispute.id,
      paymentReference,
      amountCents: dispute.amount,
      reason: dispute.reason,
      // A status that is newer than this adapter needs a person.
      status: isKnown(dispute.status) ? dispute.status : 'needs_response',
      funds: dispute.balance_transactions.length === 0 ? 'held' : movedCents < 0 ? 'withdrawn' : 'reinstated',
      isChargeRefundable: dispute.is_charge_refundable,
      evidenceDueAt: dueBy ? new Date(dueBy * 1000) : null,
      openedAt: new Date(dispute.created * 1000),
    },
  ]
}
