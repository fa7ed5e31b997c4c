import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { LiveUpdates } from '../../adapters/live-updates/port.ts'
import type { CommissionTerms } from '../ledger/rules.ts'
import type { PaymentDeps } from '../payments/deps.server.ts'
import type { UndecidedTimes } from './decisions/rules.ts'
import type { Alternative, StoredBooking } from './rules.ts'

/** The actions open to a vendor. Both are allowed while vendors aren't paid by us. */
export type VendorStanding = {
  /** False once the provider refuses to pay this vendor for good. */
  takesBookings: boolean
  /** False while an account is asked for and isn't ready. */
  mayApprove: boolean
}

/** A booking whose vendor calls it off. */
export type AlternativesRequest = Pick<StoredBooking, 'date' | 'time' | 'bookingType' | 'quantity'> & {
  businessId: string
}

/** A quote whose sale is being paid. Its row is locked. */
export type QuotedSale = {
  /** Whether the vendor holds the time beyond this payment, so that giving it up frees nothing. */
  isHeld: boolean
  /** Stores that the sale became a booking. */
  whenBooked(bookingId: string): Promise<void>
  /** Lets the customer accept the quote again. The payment's own hold is gone by then. */
  whenEnded(): Promise<void>
}

/** The services that bookings need in addition to those of payments. They are enough to turn a paid payment into a booking. */
export type BookingServices = {
  jobs: Jobs
  liveUpdates: LiveUpdates
  now: () => Date
  /** The key that the tokens of booking links are derived with. */
  secret: string
  brand: string
  publicUrl: URL
  /** Decision 79: how long a vendor's decline can be undone before its customer is told and refunded. */
  refundGraceMs: number
  /** How long a time is held, and its payment open, until the card's confirmation begins. */
  holdMs: number
  /** Decision 7: when the vendor is reminded of an undecided booking, and when it is declined. */
  undecided: UndecidedTimes
  /** How long before an event its vendor and customer are reminded. */
  remindBeforeEventMs: number
  /** The commission where no rate is set for the vendor or the category; null while vendors aren't paid. */
  commission: CommissionTerms | null
  /** How long money waits after an event, and how long it may be held; null while vendors aren't paid. */
  payoutTimes: { delayMs: number; holdLimitMs: number } | null
  /** Gives a new booking the next receipt number in its seller's series, in the same transaction. */
  numberReceipt(
    tx: DatabaseTransaction,
    receipt: { bookingId: string; sellerUserId: string; issuedAt: Date },
  ): Promise<void>
  /** Finds businesses that could take the place of one whose vendor calls a booking off: near, and free at that time. */
  findAlternatives(tx: DatabaseTransaction, booking: AlternativesRequest): Promise<Alternative[]>
  /** Finds the actions that the state of a vendor's payouts allows. */
  findStanding(db: Database | DatabaseTransaction, vendorUserId: string): Promise<VendorStanding>
  /** Locks the quote that this payment accepts, ahead of the business's calendar; null for any other sale. */
  lockQuotedSale(tx: DatabaseTransaction, paymentId: string): Promise<QuotedSale | null>
  /** Does nothing, except in the test that kills the process at each of these points. */
  faultPoint: PaymentDeps['faultPoint']
}

/** The services of booking commands, as `createBookingDeps` builds them. */
export type BookingDeps = BookingServices & PaymentDeps
