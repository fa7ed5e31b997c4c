import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { hasPaidFor } from './payment-queries.server.ts'
import type { DifferenceKind, OurPayment } from './rules.ts'

/** Our side of the comparison: payments that the provider must have. */
export async function findOurPayments(
  db: Database,
  input: { provider: string; createdSince: Date; before: Date },
): Promise<(OurPayment & { paymentId: string; reference: string })[]> {
  const rows = await db
    .selectFrom('payments')
    .select((eb) => [
      'payments.id',
      'payments.provider_reference',
      'payments.state',
      'payments.amount_cents',
      'payments.currency',
      eb
        .selectFrom('bookings')
        .select((booked) => booked.fn.countAll().as('count'))
        .where(hasPaidFor)
        .as('bookings'),
      eb
        .selectFrom('payment_actions')
        .select((done) => done.fn.sum('amount_cents').as('cents'))
        .whereRef('payment_actions.payment_id', '=', 'payments.id')
        .where('kind', '=', 'refund')
        .where('state', '=', 'done')
        // The provider counts a refund while it is pending, and no longer once it came back.
        .where(sql<boolean>`coalesce(provider_status, 'succeeded') not in ('failed', 'canceled')`)
        .as('refunded'),
      eb
        .selectFrom('payment_actions')
        .select((due) => due.fn.sum('amount_cents').as('cents'))
        .whereRef('payment_actions.payment_id', '=', 'payments.id')
        .where('kind', '=', 'refund')
        .where('state', 'in', ['due', 'claimed'])
        .as('refunding'),
    ])
    .where('provider', '=', input.provider)
    .where('provider_reference', 'is not', null)
    .where('created_at', '>=', input.createdSince)
    .where('updated_at', '<', input.before)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    paymentId: row.id,
    reference: row.provider_reference ?? '',
    state: row.state,
    amountCents: Number(row.amount_cents),
    currency: row.currency,
    bookings: Number(row.bookings ?? 0),
    refundedCents: Number(row.refunded ?? 0),
    refundingCents: Number(row.refunding ?? 0),
  }))
}

export type ComparisonView = {
  startedAt: string
  finishedAt: string | null
  paymentsChecked: number
  failure: string | null
  differences: {
    reference: string
    kind: DifferenceKind
    paymentId: string | null
    ours: string
    theirs: string
  }[]
}

/**
 * Returns the newest comparison with the provider.
 * @returns null before the first
 */
export async function findNewestComparison(db: Database): Promise<ComparisonView | null> {
  const run = await db
    .selectFrom('payment_comparisons')
    .selectAll()
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!run) return null
  const differences = await db
    .selectFrom('payment_differences')
    .select(['reference', 'kind', 'payment_id', 'ours', 'theirs'])
    .where('comparison_id', '=', run.id)
    .orderBy('kind')
    .orderBy('reference')
    .execute()
  return {
    startedAt: run.started_at.toISOString(),
    finishedAt: run.finished_at?.toISOString() ?? null,
    paymentsChecked: run.payments_checked,
    failure: run.failure,
    differences: differences.map(({ payment_id, ...rest }) => ({ ...rest, paymentId: payment_id })),
  }
}
