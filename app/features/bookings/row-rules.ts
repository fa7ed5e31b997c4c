import { type Cents, type PriceUnit, toNumericString } from '../../shared/money.ts'
import { isStillHere, type RefundStatus, refundStateOf } from '../payments/rules.ts'
import { leftCentsOf, takenOffCentsOf } from '../sales/amount-rules.ts'
import { type Replan, type ReplanRefusal, replan } from '../sales/replan-rules.ts'
import { agreedTermsOf } from '../terms/rules.ts'
import type { CancellationView } from './cancellation/rules.ts'
import {
  amountsText,
  type BookedEvent,
  type ChangeView,
  changeRefusal,
  freeUntilOf,
} from './changes/rules.ts'
import { vendorStatusOf } from './decisions/decline-rules.ts'
import { declineReasonText } from './decisions/messages.ts'
import type { BookingRow } from './row-queries.server.ts'
import {
  type BankView,
  type BookingTerms,
  isOfEnd,
  mergeRefunds,
  type OffPrice,
  type RefundView,
  type StoredBooking,
  toRefundView,
} from './rules.ts'
import { type BookingStatus, isCalledOff, type PaymentStatus } from './status-rules.ts'

/** Converts a row into the record of the specification, section 3. */
export function toStoredBooking(row: {
  vendor_id: string
  vendor_name: string
  customer_name: string
  email: string
  phone: string
  date: string
  time: string
  quantity: number
  booking_type: PriceUnit
  total_price_cents: string | number
  payment_status: PaymentStatus
  payment_id: string
  status: BookingStatus
  created_at: Date
}): StoredBooking {
  return {
    vendorId: row.vendor_id,
    vendorName: row.vendor_name,
    customerName: row.customer_name,
    email: row.email,
    phone: row.phone,
    date: row.date,
    time: row.time,
    quantity: row.quantity,
    bookingType: row.booking_type,
    totalPrice: toNumericString(Number(row.total_price_cents)),
    paymentStatus: row.payment_status,
    paymentId: row.payment_id,
    createdAt: row.created_at.toISOString(),
    status: row.status,
  }
}

/** The refunds of a booking for screens: the one of its end, and what else an operator or a change has given back. */
export function refundsOf(row: BookingRow): { refund: RefundView | null; otherRefunds: RefundView[] } {
  const refunds = row.refunds.map((refund) => {
    const state = refundStateOf({
      // The query leaves cancelled refunds out.
      state: refund.state as Exclude<RefundStatus, 'cancelled'>,
      providerStatus: refund.provider_status,
    })
    const { resolution } = refund
    const amountCents = Number(refund.amount_cents)
    return {
      state,
      resolution,
      amountCents,
      waitingCents: refund.is_blocked && isStillHere({ state, resolution }) ? amountCents : 0,
      // Times are text inside JSON.
      dueAt: new Date(refund.due_at),
      doneAt: refund.done_at ? new Date(refund.done_at) : null,
      reason: refund.reason,
    }
  })
  const [ofItsEnd, ...more] = mergeRefunds(refunds.filter(isOfEnd))
  const besides = refunds.filter((refund) => !isOfEnd(refund))
  return {
    refund: ofItsEnd ? toRefundView(ofItsEnd) : null,
    otherRefunds: [...besides, ...more].map(toRefundView),
  }
}

/** The masked account for what the customer's bank has sent back; null unless one is named for all of it. */
export function refundAccountOf(row: BookingRow): string | null {
  const accounts = row.refunds
    .filter(
      ({ state, provider_status: providerStatus, resolution, is_blocked: isBlocked }) =>
        refundStateOf({ state: state as Exclude<RefundStatus, 'cancelled'>, providerStatus }) === 'failed' &&
        resolution === null &&
        !isBlocked,
    )
    .map(({ account }) => account)
  return accounts.includes(null) ? null : (accounts[0] ?? null)
}

/** The amounts that have come off a booking's price at its vendor's cost. */
export function offPriceOf(row: BookingRow): OffPrice {
  const { refunds, instalments } = row
  const { ofVendor = [], ours = [] } = Object.groupBy(
    refunds.filter(({ reason }) => reason !== 'changed'),
    (refund) => (isOurs(row, refund) ? 'ours' : 'ofVendor'),
  )
  const sum = (of: typeof refunds) => of.reduce((cents, refund) => cents + Number(refund.amount_cents), 0)
  return {
    refundedCents: sum(ofVendor),
    ourCents: sum(ours),
    isGone: ofVendor.every(
      (refund) =>
        refund.resolution === 'paid_otherwise' ||
        (refund.state === 'done' &&
          refundStateOf({ state: refund.state, providerStatus: refund.provider_status }) === 'done'),
    ),
    takenOffCents: takenOffCentsOf({ instalments }),
  }
}

/** Whether we bear a refund. What we bore before a booking was declined or cancelled isn't the vendor's any more. */
function isOurs(
  { status, cancellation }: Pick<BookingRow, 'status' | 'cancellation'>,
  refund: BookingRow['refunds'][number],
): boolean {
  if (refund.borne_by !== 'operator') return false
  const hasEnded = isCalledOff(status)
  // Times are text inside JSON.
  return (
    !hasEnded || (cancellation !== null && new Date(cancellation.created_at) < new Date(refund.created_at))
  )
}

/** The state of a booking's payments at the customer's bank. */
export function bankOf({ disputes }: BookingRow): BankView {
  return {
    isDeciding: disputes.some(({ is_blocking: isBlocking }) => isBlocking),
    returns: disputes
      .filter(({ status }) => status === 'lost')
      .map(({ amount_cents: cents, closed_at: closedAt, opened_at: openedAt }) => ({
        cents: Number(cents),
        // Times are text inside JSON.
        at: new Date(closedAt ?? openedAt).toISOString(),
      })),
  }
}

/** The part of a booking's payments that can still be refunded, in cents. */
export function leftOf(row: BookingRow): Cents {
  return leftCentsOf({
    payments: termsOf(row)?.payments ?? null,
    totalCents: Number(row.total_price_cents),
    givenBackCents: Number(row.given_back_cents),
    backCents: row.refunds.reduce((sum, { amount_cents: cents }) => sum + Number(cents), 0),
    returns: bankOf(row).returns,
  })
}

/** How a booking was cancelled; null for any other booking. */
export function cancellationOf({ cancellation }: BookingRow): CancellationView | null {
  return (
    cancellation && {
      by: cancellation.cancelled_by,
      // Times are text inside JSON.
      at: new Date(cancellation.created_at).toISOString(),
      refundCents: Number(cancellation.refund_cents),
      keptCents: Number(cancellation.kept_cents),
      uncollectedCents: Number(cancellation.uncollected_cents),
      reason: cancellation.reason,
    }
  )
}

/** The vendor's reason for declining a booking, as its customer reads it; null for any other booking. */
export function declineReasonOf(row: BookingRow): string | null {
  if (vendorStatusOf(row) !== 'declined') return null
  return declineReasonText(row.decline_code, row.decline_words ?? row.decline_reason)
}

/** When the decision's refund is due; null where there is none, or it has left. */
export function refundDueAtOf(row: BookingRow): Date | null {
  const { refund } = refundsOf(row)
  return refund && new Date(refund.dueAt)
}

/** Why a booking can't be changed; null if it can. */
export function refusalOf(row: BookingRow, now: Date) {
  const { status, payment_status: paymentStatus, sale } = row
  return changeRefusal({ status, paymentStatus, hasTerms: sale.terms !== null, event: sale.event }, now)
}

/** The open change of a booking, with what it costs or refunds at present; null for none. */
export function changeViewOf(row: BookingRow, now: Date): ChangeView | null {
  const { change } = row
  if (!change) return null
  const { sale_before: before, sale_after: after } = change
  const plan = replanOf(row, row.instalments, after, now)
  return {
    id: change.id,
    proposedBy: change.proposed_by,
    isAgreed: change.state === 'accepted',
    before,
    after,
    plan: plan.ok ? plan : null,
    shown: plan.ok ? amountsText(after, plan) : '',
    freeUntil: freeUntilAfter(row, after, now),
    // Times are text inside JSON.
    expiresAt: new Date(change.expires_at).toISOString(),
  }
}

/** Until when cancelling would cost nothing after a change. */
export function freeUntilAfter(row: BookingRow, after: Pick<BookedEvent, 'event'>, now: Date): Date | null {
  const terms = agreedTermsOf({ ...row.sale, event: after.event }, row.paid_at ?? row.created_at)
  return terms && freeUntilOf(terms, now)
}

/** How a booking would be paid after a change. @param instalments of its purchase, as they are now */
export function replanOf(
  row: Pick<BookingRow, 'total_price_cents' | 'date' | 'sale'>,
  instalments: readonly (Pick<BookingRow['instalments'][number], 'amount_cents' | 'state'> & {
    due_at: Date | string
  })[],
  after: { date: string; priceCents: number },
  now: Date,
): ({ ok: true } & Replan) | { ok: false; reason: ReplanRefusal } {
  return replan({
    instalments: instalments.map(({ amount_cents, due_at, state }) => ({
      cents: Number(amount_cents),
      dueAt: new Date(due_at),
      state,
    })),
    priceCents: Number(row.total_price_cents),
    newPriceCents: after.priceCents,
    day: row.date,
    newDay: after.date,
    timeZone: row.sale.timeZone,
    now,
  })
}

/** The columns of a booking that its terms follow from. Times inside JSON are text. */
export type AgreedRow = Pick<BookingRow, 'sale' | 'paid_at' | 'created_at' | 'total_price_cents'> & {
  instalments: readonly (Pick<BookingRow['instalments'][number], 'amount_cents' | 'state'> & {
    due_at: Date | string
    paid_at: Date | string | null
  })[]
}

/** The terms that a booking was agreed with, and its payments as they stand; null for a booking from before there were terms. */
export function termsOf(row: AgreedRow): BookingTerms | null {
  const { terms } = row.sale
  if (!terms) return null
  const paidAt = (row.paid_at ?? row.created_at).toISOString()
  // One that an operator has taken off whole is no payment any more.
  const open = row.instalments.filter(({ amount_cents: cents }) => Number(cents) > 0)
  const instalments = open.map((instalment) => ({
    cents: Number(instalment.amount_cents),
    at: new Date(instalment.paid_at ?? instalment.due_at).toISOString(),
    state: instalment.state,
  }))
  const whole = { cents: Number(row.total_price_cents), at: paidAt, state: 'paid' } as const
  return { tiers: terms.policy.tiers, paidAt, payments: instalments.length > 0 ? instalments : [whole] }
}
