import type { PayoutProvider } from '../../adapters/payments/payout-port.ts'
import type { Cents } from '../../shared/money.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'

/** The services of payout commands. */
export type PayoutDeps = Pick<
  BookingDeps,
  'db' | 'jobs' | 'liveUpdates' | 'now' | 'brand' | 'publicUrl' | 'faultPoint'
> & {
  payouts: PayoutProvider
  /** How long after an event its vendor's share leaves. */
  payoutDelayMs: number
  /** How long money is held for a vendor at most. */
  holdLimitMs: number
  /** An operator's order on more than this needs a second operator. */
  secondOperatorCents: Cents
}
