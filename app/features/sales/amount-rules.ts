import type { Cents } from '../../shared/money.ts'
import { type InstalmentState, isClosed } from './plan-rules.ts'

/** The amounts paid, due and left of a sale, derived here alone. The proof derives them again from the ledger. */

/** One payment of a price as it stands. `at` is when it was paid, or else when it is due: ISO 8601, UTC. */
export type PlannedPayment = { cents: Cents; at: string; state: InstalmentState }

/** All payments of a price. */
type Planned = { payments: readonly PlannedPayment[] }

/** The paid amount of a sale before any refund, in cents. */
export function paidCentsOf({ payments }: Planned): Cents {
  return payments.reduce((sum, { cents, state }) => (state === 'paid' ? sum + cents : sum), 0)
}

/**
 * The paid amount of a price before any refund, and the rest that is still due, in cents.
 * @param price.payments null where all was paid at once
 */
export function paidAndDueOf({
  payments,
  totalCents,
}: {
  payments: readonly PlannedPayment[] | null
  totalCents: Cents
}): { paidCents: Cents; dueCents: Cents } {
  if (!payments) return { paidCents: totalCents, dueCents: 0 }
  const due = payments.filter((payment) => !isClosed(payment))
  return { paidCents: paidCentsOf({ payments }), dueCents: due.reduce((sum, { cents }) => sum + cents, 0) }
}

/** The payment of a sale that comes next; null once nothing is due. */
export function nextDue({ payments }: Planned): PlannedPayment | null {
  return payments.find((payment) => !isClosed(payment)) ?? null
}

/** Adds up what the customer's bank has returned, in cents. */
export function returnedCentsOf({ returns }: { returns: readonly { cents: Cents }[] }): Cents {
  return returns.reduce((sum, { cents }) => sum + cents, 0)
}

/** The cents that were taken off a sale's instalments before they were paid. */
export function takenOffCentsOf({
  instalments,
}: {
  instalments: readonly { reduced_cents: string | number }[]
}): Cents {
  return instalments.reduce((sum, { reduced_cents: cents }) => sum + Number(cents), 0)
}

/**
 * Returns how much of a sale's payments is left to refund, in cents.
 * @param sale.payments null where all was paid at once
 * @param sale.givenBackCents what changes gave back, by which they have lowered the payments already
 * @param sale.backCents all refunds, those of changes included
 * @param sale.returns by the customer's bank. A lost dispute may have cancelled the refund of a change
 */
export function leftCentsOf(sale: {
  payments: readonly PlannedPayment[] | null
  totalCents: Cents
  givenBackCents: Cents
  backCents: Cents
  returns: readonly { cents: Cents }[]
}): Cents {
  const { paidCents } = paidAndDueOf(sale)
  return Math.max(0, paidCents + sale.givenBackCents - sale.backCents - returnedCentsOf(sale))
}
