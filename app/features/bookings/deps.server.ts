import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { LiveUpdates } from '../../adapters/live-updates/port.ts'
import type { PaymentDeps } from '../payments/deps.server.ts'
import type { UndecidedTimes } from './rules.ts'

/** The services that bookings need beside those of payments. They are enough to make a paid payment a booking. */
export type BookingServices = {
  jobs: Jobs
  liveUpdates: LiveUpdates
  now: () => Date
  /** Makes the links of bookings. */
  secret: string
  brand: string
  publicUrl: URL
  /** Decision 7: how long a decline can be undone before its refund is made. */
  refundGraceMs: number
  /** How long a time is kept free, and its payment open, until the card is being confirmed. */
  holdMs: number
  /** Decision 7: when a booking that nobody decides is reminded of and declined. */
  undecided: UndecidedTimes
  /** How long before an event both sides are reminded of it. */
  remindBeforeEventMs: number
  /** Gives a new booking its place in its seller's series of receipts, in the same transaction. */
  numberReceipt(
    tx: DatabaseTransaction,
    receipt: { bookingId: string; sellerUserId: string; issuedAt: Date },
  ): Promise<void>
  /** Does nothing but in the test that kills the process at each of these points. */
  faultPoint: PaymentDeps['faultPoint']
}

/** The services of every command of bookings, as `createBookingDeps` joins them. */
export type BookingDeps = BookingServices & PaymentDeps
