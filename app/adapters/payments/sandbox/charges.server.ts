import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Cents } from '../../../shared/money.ts'
import type { Database } from '../../database/port.ts'
import type { DisputeStatus } from '../port.ts'

/** A charge with the refunds and disputes that a tester can move on. */
export type SandboxCharge = {
  reference: string
  amountCents: Cents
  refundedCents: Cents
  cardLast4: string | null
  /** Whether it saved its card for later charges. */
  savesCard: boolean
  createdAt: Date
  refunds: { status: 'pending' | 'succeeded' | 'failed'; amountCents: Cents }[]
  /** The newest one. */
  dispute: { status: DisputeStatus; isOpen: boolean } | null
}

/** Lists the newest charges of the sandbox. */
export async function listCharges(db: Database, limit: number): Promise<SandboxCharge[]> {
  const rows = await db
    .selectFrom('sandbox_payments')
    .select((eb) => [
      'id',
      'amount_cents',
      'refunded_cents',
      'card_last4',
      'saves_card',
      'created_at',
      jsonArrayFrom(
        eb
          .selectFrom('sandbox_refunds')
          .select(['status', 'amount_cents'])
          .whereRef('sandbox_payment_id', '=', 'sandbox_payments.id')
          .orderBy('created_at', 'desc')
          .orderBy('id'),
      ).as('refunds'),
      jsonArrayFrom(
        eb
          .selectFrom('sandbox_disputes')
          .select(['status', 'evidence_due_at'])
          .whereRef('sandbox_payment_id', '=', 'sandbox_payments.id')
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .limit(1),
      ).as('newestDispute'),
    ])
    .where('state', '=', 'succeeded')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => {
    const [dispute] = row.newestDispute
    return {
      reference: row.id,
      amountCents: Number(row.amount_cents),
      refundedCents: Number(row.refunded_cents),
      cardLast4: row.card_last4,
      savesCard: row.saves_card,
      createdAt: row.created_at,
      refunds: row.refunds.map(({ status, amount_cents }) => ({ status, amountCents: Number(amount_cents) })),
      dispute: dispute ? { status: dispute.status, isOpen: dispute.evidence_due_at !== null } : null,
    }
  })
}
