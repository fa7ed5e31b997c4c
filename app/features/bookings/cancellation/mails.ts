import type { MailMessage } from '../../../adapters/mail/port.ts'
import type { MailHeadline } from '../../../shared/mail.ts'
import { type Cents, formatMoney } from '../../../shared/money.ts'
import {
  BANKS_SHOW,
  backForVendorText,
  backLines,
  backToCustomer,
  type RefundParts,
  SENT_NOW,
} from '../bank-messages.ts'
import {
  type BookingLinkMail,
  dayOf,
  type MailedBooking,
  SEE_BOOKINGS,
  type Site,
  toCustomer,
  toVendor,
} from '../frame-mails.ts'
import { endedHeadline } from '../mails.ts'
import type { VendorReader } from '../rules.ts'

/** The money of a cancelled booking, in cents. */
export type CancelledAmounts = RefundParts & { keptCents: Cents; uncollectedCents: Cents }

const POLICY_KEEPS = 'under the cancellation policy of the booking'

/** Tells a customer what is refunded of a cancelled booking, what the vendor keeps and what is never charged. */
function amountLines(booking: MailedBooking, amounts: CancelledAmounts): string[] {
  const { keptCents, uncollectedCents } = amounts
  return [
    ...backLines(amounts, {
      sent: (cents) => `You’ll get ${formatMoney(cents)} back. ${SENT_NOW}`,
      nothing: 'You get nothing back.',
    }),
    ...(keptCents > 0 ? [`${booking.vendorName} keeps ${formatMoney(keptCents)} ${POLICY_KEEPS}.`] : []),
    ...(uncollectedCents > 0 ? [`${formatMoney(uncollectedCents)} will never be charged.`] : []),
  ]
}

/** Tells a vendor what they keep of a cancelled booking, and that its time is free again. */
function keptLines(amounts: CancelledAmounts): string[] {
  const { keptCents, uncollectedCents } = amounts
  const back = backForVendorText(amounts, { sent: backToCustomer, nothing: backToCustomer(0) })
  return [
    keptCents > 0
      ? `You keep ${formatMoney(keptCents)} ${POLICY_KEEPS}, before our commission. ${back}`
      : `You keep nothing. ${back}`,
    ...(uncollectedCents > 0 ? [`The balance of ${formatMoney(uncollectedCents)} won’t be charged.`] : []),
    'The time is free again.',
  ]
}

const keptHeadline = ({ keptCents }: { keptCents: Cents }): MailHeadline => ({
  tone: 'bad',
  text: keptCents > 0 ? `Cancelled: you keep ${formatMoney(keptCents)}` : 'Cancelled',
})

/** To the customer, after they cancelled an approved booking. */
export function cancelledByCustomerMail(
  booking: MailedBooking,
  amounts: CancelledAmounts,
  site: Site,
): BookingLinkMail {
  return toCustomer(booking, site, 'cancelled', {
    subject: `Cancelled: ${dayOf(booking)}, ${booking.vendorName}`,
    headline: endedHeadline('Cancelled', amounts, 'plain'),
    lines: ['You have cancelled your booking.', ...amountLines(booking, amounts)],
  })
}

/** To the vendor, after the customer cancelled an approved booking. */
export function customerCancelledMail(
  booking: MailedBooking,
  to: VendorReader,
  amounts: CancelledAmounts,
  site: Site,
): MailMessage {
  return toVendor(booking, to, site, 'customer-cancelled', {
    subject: `Cancelled: ${dayOf(booking)}, ${booking.customerName}`,
    headline: keptHeadline(amounts),
    lines: [`${booking.customerName} has cancelled this booking.`, ...keptLines(amounts)],
    label: SEE_BOOKINGS,
  })
}

/** The money of a booking whose balance stayed overdue. @param wasExtended whether its vendor had given 7 more days */
export type OverdueAmounts = CancelledAmounts & { wasExtended: boolean }

const unpaidFor = ({ wasExtended }: OverdueAmounts) => (wasExtended ? 'two weeks' : 'a week')

/** To the customer, when the booking ended because its balance stayed overdue. */
export function overdueEndedMail(
  booking: MailedBooking,
  amounts: OverdueAmounts,
  site: Site,
): BookingLinkMail {
  return toCustomer(booking, site, 'overdue-ended', {
    subject: `Cancelled, not paid: ${dayOf(booking)}, ${booking.vendorName}`,
    headline: endedHeadline('Cancelled, as it wasn’t paid', amounts),
    lines: [
      `The balance of your booking was still unpaid ${unpaidFor(amounts)} after it was due, so the booking is cancelled.`,
      ...amountLines(booking, amounts),
    ],
  })
}

/** To the vendor, when the booking ended because its balance stayed overdue. */
export function overdueEndedForVendorMail(
  booking: MailedBooking,
  to: VendorReader,
  amounts: OverdueAmounts,
  site: Site,
): MailMessage {
  return toVendor(booking, to, site, 'overdue-ended-for-vendor', {
    subject: `Cancelled, not paid: ${dayOf(booking)}, ${booking.customerName}`,
    headline: keptHeadline(amounts),
    lines: [
      `The balance of this booking was still unpaid ${unpaidFor(amounts)} after it was due, so the booking is cancelled.`,
      ...keptLines(amounts),
    ],
    label: SEE_BOOKINGS,
  })
}

type Cancellation = { side: 'vendor' | 'customer'; reason: string }

/** To the customer, when an operator has cancelled the booking for one of its sides. */
export function cancelledMail(
  booking: MailedBooking,
  { side, reason, ...refund }: Cancellation & RefundParts,
  site: Site,
): BookingLinkMail {
  const whose = side === 'vendor' ? `for ${booking.vendorName}` : 'for you'
  return toCustomer(booking, site, 'cancelled', {
    subject: `Cancelled: ${dayOf(booking)}, ${booking.vendorName}`,
    headline: endedHeadline('Cancelled', refund),
    lines: [
      `We cancelled this booking ${whose}. The reason: ${reason}`,
      ...backLines(refund, {
        sent: (cents) => `You get ${formatMoney(cents)} back. ${BANKS_SHOW}`,
        nothing: 'You get nothing more back.',
      }),
    ],
  })
}

/** To the vendor, when an operator has cancelled the booking for one of its sides. */
export function cancelledForVendorMail(
  booking: MailedBooking,
  to: VendorReader,
  cancellation: Cancellation & RefundParts & { keptCents: Cents },
  site: Site,
): MailMessage {
  const { side, reason, keptCents } = cancellation
  const whose = side === 'vendor' ? 'for you' : `for ${booking.customerName}`
  return toVendor(booking, to, site, 'cancelled-for-vendor', {
    subject: `Cancelled: ${dayOf(booking)}, ${booking.customerName}`,
    headline: keptHeadline(cancellation),
    lines: [
      `We cancelled this booking ${whose}. The reason: ${reason}`,
      ...(keptCents > 0
        ? [
            `You keep ${formatMoney(keptCents)}, before our commission. ${backForVendorText(cancellation, { sent: backToCustomer, nothing: backToCustomer(0) })}`,
          ]
        : []),
      'The time is free again.',
    ],
    label: SEE_BOOKINGS,
  })
}
