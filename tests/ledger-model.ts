import type { BookingMoney } from '../app/features/ledger/rules.ts'
import type { Cents } from '../app/shared/money.ts'

/** The rest of a charge that can be refunded, in cents, whoever bears it. The product asks the payments for it. */
export function refundableCents(money: BookingMoney): Cents {
  const { chargedCents, refundedCents, disputedCents, lostCents } = money
  return Math.max(0, chargedCents - refundedCents - disputedCents - lostCents)
}
