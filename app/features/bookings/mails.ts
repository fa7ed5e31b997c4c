import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { formatEventTime, formatInstant } from '../../shared/dates.ts'
import { composeMail, greeting, type MailContent, type MailSite, withToken } from '../../shared/mail.ts'
import { type Cents, formatMoney, type PriceUnit } from '../../shared/money.ts'
import { isPlaceholderEmail } from '../../shared/placeholder-email.ts'
import { type PurchaseLinkMail, TOKEN_WHEN_SENT } from '../payments/link-mails.ts'
import type { UnfulfilledReason } from '../payments/rules.ts'
import { cancellingSentence, dayText, dueText, PAID_NOW, STILL_DUE } from '../terms/timeline-messages.ts'
import { timelineOf } from '../terms/timeline-rules.ts'
import { FREE_INSTEAD, QUANTITY_LABELS } from './messages.ts'
import {
  type Alternative,
  agreedLine,
  type BookingTerms,
  type DuePayment,
  nextDue,
  paidCentsOf,
  type VendorContact,
  type VendorReader,
} from './rules.ts'

export type Site = MailSite

/** The facts of a booking that its mails state. */
export type MailedBooking = {
  id: string
  businessId: string
  vendorName: string
  customerName: string
  customerEmail: string
  customerPhone: string
  date: string
  time: string
  timeZone: string
  /** The event with its zone: 'Saturday 14 March 2027, 4:00 pm to 11:00 pm, Melbourne time'. */
  span: string
  place: string
  quantity: number
  bookingType: PriceUnit
  totalCents: Cents
  /** Null for a booking from before there were terms. */
  terms: BookingTerms | null
  /** The id of our payment, from which the customer's unguessable link is derived. */
  paymentId: string
}

export type BookingLinkMail = PurchaseLinkMail

/**
 * Fills the link into a mail that is about to be sent. @param linkToken the token of the payment that the mail names
 */
export function withBookingLink(
  { paymentId: _, ...message }: BookingLinkMail,
  linkToken: string,
): MailMessage {
  return withToken(message, TOKEN_WHEN_SENT, linkToken)
}

const DASHBOARD_PATH = href('/dashboard/bookings')
const SEE_BOOKING = 'See your booking'
const DECIDE = 'Approve or decline'
const SEE_BOOKINGS = 'See your bookings'
const RECEIPT = 'Receipt (PDF)'

/**
 * To the customer, once the booking is paid: the booking, the vendor's contact and the next step.
 * @param decidedBy by when the vendor answers; null where they have agreed by their quote
 */
export function bookingPaidMail(
  booking: MailedBooking,
  contact: VendorContact | null,
  decidedBy: Date | null,
  site: Site,
): BookingLinkMail {
  const due = dueOf(booking)
  const cancelling = cancellingWhenPaid(booking, decidedBy === null)
  return toCustomer(booking, site, 'paid', {
    receipt: true,
    isOn: true,
    subject: `Paid: ${booking.vendorName}, ${when(booking)}`,
    lines: [
      `We’ve received your payment of ${formatMoney(paidCents(booking))}, and ${booking.vendorName} has your booking.`,
      ...(due
        ? [
            `The other ${formatMoney(due.cents)} is due on ${dueDay(due, booking)}. We charge it to the same card, and email you seven days before.`,
          ]
        : []),
      decidedBy
        ? `They’ll answer by ${formatInstant(decidedBy, booking.timeZone)}. If they can’t host you or don’t answer, you’ll get a full refund. Until they answer, you can withdraw the booking yourself.`
        : 'Your booking is confirmed, as you accepted their quote. See you on the day.',
      ...(cancelling ? [cancelling] : []),
    ],
    facts: [...planFacts(booking), ...(contact ? contactFacts(contact) : [])],
  })
}

/** To the vendor, once a booking is paid. @param decidedBy by when they answer; null where they have agreed by their quote */
export function newBookingMail(
  booking: MailedBooking,
  to: VendorReader,
  decidedBy: Date | null,
  site: Site,
): MailMessage {
  const due = dueOf(booking)
  return toVendor(booking, to, site, 'new', {
    canTurnOff: true,
    receipt: true,
    subject: `New booking: ${booking.customerName}, ${when(booking)}`,
    lines: [
      due
        ? `${booking.customerName} has booked ${booking.vendorName} and paid ${formatMoney(paidCents(booking))}. The other ${formatMoney(due.cents)} is due on ${dueDay(due, booking)}.`
        : `${booking.customerName} has booked and paid for ${booking.vendorName}.`,
      decidedBy
        ? `Please approve or decline by ${formatInstant(decidedBy, booking.timeZone)}. After that the booking is declined and refunded automatically.`
        : 'They accepted your quote, so the booking is approved. There is nothing you need to do.',
    ],
    label: decidedBy ? DECIDE : SEE_BOOKINGS,
  })
}

/** To the vendor, while a booking is still undecided (Decision 7). */
export function reminderMail(
  booking: MailedBooking,
  to: VendorReader,
  decidedBy: Date,
  site: Site,
): MailMessage {
  return toVendor(booking, to, site, 'reminder', {
    canTurnOff: true,
    subject: `Waiting for your answer: ${booking.customerName}, ${when(booking)}`,
    lines: [
      `${booking.customerName} is waiting to hear whether you can host them.`,
      `Please approve or decline by ${formatInstant(decidedBy, booking.timeZone)}. After that the booking is declined and refunded automatically.`,
    ],
    label: DECIDE,
  })
}

/** An event that has moved may be reminded of once more, on its new day. */
const movedKey = ({ date }: MailedBooking, isMoved: boolean) => (isMoved ? `-${date}` : '')

/** To the customer, when the event is near. */
export function eventReminderMail(
  booking: MailedBooking,
  contact: VendorContact | null,
  isMoved: boolean,
  site: Site,
): BookingLinkMail {
  return toCustomer(booking, site, `event${movedKey(booking, isMoved)}`, {
    isOn: true,
    subject: `Coming up: ${booking.vendorName}, ${when(booking)}`,
    lines: [
      `Your booking with ${booking.vendorName} is coming up: ${booking.span}.`,
      ...(contact ? ['If anything has changed, call or email them.'] : []),
    ],
    facts: contact ? contactFacts(contact) : [],
  })
}

/** To the vendor, when the event is near. */
export function eventReminderForVendorMail(
  booking: MailedBooking,
  to: VendorReader,
  isMoved: boolean,
  site: Site,
): MailMessage {
  return toVendor(booking, to, site, `event-vendor${movedKey(booking, isMoved)}`, {
    canTurnOff: true,
    subject: `Coming up: ${booking.customerName}, ${when(booking)}`,
    lines: [`${booking.customerName}’s event is coming up: ${booking.span}.`],
    label: SEE_BOOKINGS,
  })
}

/** To the customer, when the vendor has approved. `reversed` when the booking was declined before (Decision 7). */
export function approvedMail(
  booking: MailedBooking,
  decidedAt: Date,
  reversed: boolean,
  site: Site,
): BookingLinkMail {
  return toCustomer(booking, site, `approved-${decidedAt.getTime()}`, {
    isOn: true,
    subject: reversed
      ? `Good news after all: ${booking.vendorName} confirmed your booking`
      : `Confirmed: ${booking.vendorName}, ${when(booking)}`,
    lines: reversed
      ? [
          `${booking.vendorName} had declined your booking and has now confirmed it.`,
          'The refund we announced is cancelled, since your booking goes ahead as paid.',
        ]
      : [`${booking.vendorName} has confirmed your booking. See you on the day.`],
  })
}

/**
 * To the customer, when the vendor has declined, with the date of the refund (Decision 7).
 * @param decline.reason the vendor's, for a booking that was approved before; else null
 * @param decline.refundDueAt null if all of the price was refunded before
 */
export function declinedMail(
  booking: MailedBooking,
  decline: {
    decidedAt: Date
    reason: string | null
    refundCents: Cents
    refundDueAt: Date | null
    alternatives: readonly Alternative[]
  },
  site: Site,
): BookingLinkMail {
  const { decidedAt, reason, refundCents, refundDueAt, alternatives } = decline
  const refund =
    refundCents === paidCents(booking)
      ? `a full refund of ${formatMoney(refundCents)}`
      : `${formatMoney(refundCents)} back, the rest of your payment`
  return toCustomer(booking, site, `declined-${decidedAt.getTime()}`, {
    subject: `Declined: ${booking.vendorName}, ${when(booking)}`,
    lines: [
      reason === null
        ? `${booking.vendorName} can’t host you this time. We’re sorry.`
        : `${booking.vendorName} had confirmed your booking and can’t host you after all. We’re sorry.`,
      ...(reason === null ? [] : [`The reason: ${reason}`]),
      refundDueAt
        ? `You’ll get ${refund}. We send the refund after ${formatInstant(refundDueAt, booking.timeZone)}. Most banks show it within five to ten business days.`
        : 'All of your payment has been refunded already.',
      ...(alternatives.length > 0 ? [FREE_INSTEAD] : []),
      ...alternatives.map(
        ({ id, name, location }) =>
          `${name}, ${location}: ${new URL(href('/business/:id', { id }), site.publicUrl).href}`,
      ),
    ],
  })
}

/** To the customer, when the vendor has not answered in time (Decision 7). */
export function undecidedMail(booking: MailedBooking, site: Site): BookingLinkMail {
  return toCustomer(booking, site, 'undecided', {
    subject: `No answer in time: ${booking.vendorName}, ${when(booking)}`,
    lines: [
      `${booking.vendorName} didn’t answer in time, so we have declined your booking for you. We’re sorry.`,
      `You’ll get a full refund of ${formatMoney(paidCents(booking))}. We’re sending it now. Most banks show it within five to ten business days.`,
    ],
  })
}

/** To the customer, after they withdrew. */
export function withdrawnMail(booking: MailedBooking, site: Site): BookingLinkMail {
  return toCustomer(booking, site, 'withdrawn', {
    subject: `Withdrawn: ${booking.vendorName}, ${when(booking)}`,
    lines: [
      'You have withdrawn your booking.',
      `You’ll get a full refund of ${formatMoney(paidCents(booking))}. We’re sending it now. Most banks show it within five to ten business days.`,
    ],
  })
}

/** To the vendor, after the customer withdrew. */
export function customerWithdrewMail(booking: MailedBooking, to: VendorReader, site: Site): MailMessage {
  return toVendor(booking, to, site, 'customer-withdrew', {
    subject: `Withdrawn: ${booking.customerName}, ${when(booking)}`,
    lines: [
      `${booking.customerName} withdrew this booking before you had answered. There’s nothing you need to do.`,
    ],
    label: SEE_BOOKINGS,
  })
}

/** To the vendor, when the time to answer is over. */
export function declinedForVendorMail(booking: MailedBooking, to: VendorReader, site: Site): MailMessage {
  return toVendor(booking, to, site, 'declined-for-vendor', {
    subject: `Declined without an answer: ${booking.customerName}, ${when(booking)}`,
    lines: [
      'The time to answer this booking has passed. It was declined, and the customer gets a full refund.',
    ],
    label: SEE_BOOKINGS,
  })
}

/** The money of a cancelled booking, in cents. */
export type CancelledAmounts = { refundCents: Cents; keptCents: Cents; uncollectedCents: Cents }

const POLICY_KEEPS = 'under the cancellation policy of the booking'

/** Tells a customer what is refunded of a cancelled booking, what the vendor keeps and what is never charged. */
function amountLines(booking: MailedBooking, amounts: CancelledAmounts): string[] {
  const { refundCents, keptCents, uncollectedCents } = amounts
  return [
    refundCents > 0
      ? `You’ll get ${formatMoney(refundCents)} back. We’re sending it now. Most banks show it within five to ten business days.`
      : 'You get nothing back.',
    ...(keptCents > 0 ? [`${booking.vendorName} keeps ${formatMoney(keptCents)} ${POLICY_KEEPS}.`] : []),
    ...(uncollectedCents > 0 ? [`${formatMoney(uncollectedCents)} will never be charged.`] : []),
  ]
}

/** Tells a vendor what they keep of a cancelled booking, and that its time is free again. */
function keptLines({ refundCents, keptCents, uncollectedCents }: CancelledAmounts): string[] {
  return [
    keptCents > 0
      ? `You keep ${formatMoney(keptCents)} ${POLICY_KEEPS}, before our commission. ${formatMoney(refundCents)} goes back to the customer.`
      : `You keep nothing. ${formatMoney(refundCents)} goes back to the customer.`,
    ...(uncollectedCents > 0 ? [`The balance of ${formatMoney(uncollectedCents)} won’t be charged.`] : []),
    'The time is free again.',
  ]
}

/** To the customer, after they cancelled an approved booking. */
export function cancelledByCustomerMail(
  booking: MailedBooking,
  amounts: CancelledAmounts,
  site: Site,
): BookingLinkMail {
  return toCustomer(booking, site, 'cancelled', {
    subject: `Cancelled: ${booking.vendorName}, ${when(booking)}`,
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
    subject: `Cancelled: ${booking.customerName}, ${when(booking)}`,
    lines: [`${booking.customerName} has cancelled this booking.`, ...keptLines(amounts)],
    label: SEE_BOOKINGS,
  })
}

/** To the customer, when the booking ended because its balance stayed overdue. */
export function overdueEndedMail(
  booking: MailedBooking,
  amounts: CancelledAmounts,
  site: Site,
): BookingLinkMail {
  return toCustomer(booking, site, 'overdue-ended', {
    subject: `Cancelled, as its balance wasn’t paid: ${booking.vendorName}, ${when(booking)}`,
    lines: [
      'The balance of your booking was still unpaid a week after it was due, so the booking is cancelled.',
      ...amountLines(booking, amounts),
    ],
  })
}

/** To the vendor, when the booking ended because its balance stayed overdue. */
export function overdueEndedForVendorMail(
  booking: MailedBooking,
  to: VendorReader,
  amounts: CancelledAmounts,
  site: Site,
): MailMessage {
  return toVendor(booking, to, site, 'overdue-ended-for-vendor', {
    subject: `Cancelled, as its balance wasn’t paid: ${booking.customerName}, ${when(booking)}`,
    lines: [
      'The balance of this booking was still unpaid a week after it was due, so the booking is cancelled.',
      ...keptLines(amounts),
    ],
    label: SEE_BOOKINGS,
  })
}

type Cancellation = { side: 'vendor' | 'customer'; reason: string }

/** To the customer, when an operator has cancelled the booking for one of its sides. */
export function cancelledMail(
  booking: MailedBooking,
  { side, reason, refundCents }: Cancellation & { refundCents: Cents },
  site: Site,
): BookingLinkMail {
  const whose = side === 'vendor' ? `for ${booking.vendorName}` : 'for you'
  return toCustomer(booking, site, 'cancelled', {
    subject: `Cancelled: ${booking.vendorName}, ${when(booking)}`,
    lines: [
      `We cancelled this booking ${whose}. The reason: ${reason}`,
      refundCents > 0
        ? `You get ${formatMoney(refundCents)} back. Most banks show it within five to ten business days.`
        : 'You get nothing more back.',
    ],
  })
}

/** To the vendor, when an operator has cancelled the booking for one of its sides. */
export function cancelledForVendorMail(
  booking: MailedBooking,
  to: VendorReader,
  cancellation: Cancellation & { refundCents: Cents; keptCents: Cents },
  site: Site,
): MailMessage {
  const { side, reason, refundCents, keptCents } = cancellation
  const whose = side === 'vendor' ? 'for you' : `for ${booking.customerName}`
  return toVendor(booking, to, site, 'cancelled-for-vendor', {
    subject: `Cancelled: ${booking.customerName}, ${when(booking)}`,
    lines: [
      `We cancelled this booking ${whose}. The reason: ${reason}`,
      ...(keptCents > 0
        ? [
            `You keep ${formatMoney(keptCents)}, before our commission. ${formatMoney(refundCents)} goes back to the customer.`,
          ]
        : []),
      'The time is free again.',
    ],
    label: SEE_BOOKINGS,
  })
}

type MailedRefund = { refundId: string; amountCents: Cents }

/** To the customer, once the refund has succeeded. */
export function refundedMail(
  booking: MailedBooking,
  { refundId, amountCents }: MailedRefund,
  site: Site,
): BookingLinkMail {
  const amount = formatMoney(amountCents)
  return toCustomer(booking, site, `refunded-${refundId}`, {
    subject: `Refunded: ${amount} from ${booking.vendorName}`,
    lines: [`We’ve refunded ${amount} to your card. Most banks show it within five to ten business days.`],
  })
}

/** To the customer, when the bank has sent the refund back. */
export function refundCameBackMail(
  booking: MailedBooking,
  { refundId, amountCents }: MailedRefund,
  site: Site,
): BookingLinkMail {
  const amount = formatMoney(amountCents)
  return toCustomer(booking, site, `refund-failed-${refundId}`, {
    subject: `Your refund came back: ${amount} from ${booking.vendorName}`,
    lines: cameBackLines(amount),
  })
}

/** To the customer of a payment that became no booking, when the bank has sent the refund back. */
export function unfulfilledRefundCameBackMail(
  refund: MailedRefund & { vendorName: string; customerName: string; customerEmail: string },
  site: Site,
): MailMessage {
  const amount = formatMoney(refund.amountCents)
  const content = {
    subject: `Your refund came back: ${amount} from ${refund.vendorName}`,
    lines: [greeting(refund.customerName), ...cameBackLines(amount)],
    link: { label: 'Help and advice', url: new URL(href('/advice-support'), site.publicUrl).href },
    why: bookedWhy(refund, site),
  }
  return message(`refund-${refund.refundId}-failed`, refund.customerEmail, content, site)
}

function cameBackLines(amount: string): string[] {
  return [
    `Your bank didn’t accept the refund of ${amount}, for example because the card was closed. We have the money, and it’s still yours.`,
    'We’ll pay it back another way. Please reply to this email with the details of an account in your name.',
  ]
}

/** To a customer whose payment bought no booking: it was late, its amount was wrong, or the time was taken. */
export function notBookedMail(
  payment: {
    id: string
    vendorName: string
    customerName: string
    customerEmail: string
    amountCents: Cents
    /** The event that was to be booked. */
    span: string
    why: UnfulfilledReason
  },
  site: Site,
): MailMessage {
  const amount = formatMoney(payment.amountCents)
  const reasons = {
    paid_too_late: `Your payment of ${amount} reached us after it had expired, so ${payment.vendorName} isn’t booked.`,
    wrong_amount: `Your payment of ${amount} isn’t the price of the booking, so ${payment.vendorName} isn’t booked.`,
    time_gone: `Your payment of ${amount} reached us after our hold on your time had ended, and someone else had taken it by then. So ${payment.vendorName} isn’t booked for ${payment.span}. We’re sorry.`,
  } as const satisfies Record<UnfulfilledReason, string>
  const content = {
    subject: `Not booked, and refunded: ${payment.vendorName}`,
    lines: [
      greeting(payment.customerName),
      reasons[payment.why],
      `We’re refunding all of it to your card now. Most banks show it within five to ten business days. You’re welcome to book ${payment.why === 'time_gone' ? 'another time' : 'again'}.`,
    ],
    link: { label: 'Find a venue or vendor', url: new URL(href('/venues-vendors'), site.publicUrl).href },
    why: bookedWhy(payment, site),
  }
  return message(`payment-${payment.id}-not-booked`, payment.customerEmail, content, site)
}

/**
 * To the customer whose further payment came too late: the balance of a booking that had ended, or the difference of a change that
 * had.
 */
export function latePaymentMail(
  payment: {
    id: string
    vendorName: string
    customerName: string
    customerEmail: string
    amountCents: Cents
    paidFor: 'balance' | 'change'
  },
  site: Site,
): MailMessage {
  const amount = formatMoney(payment.amountCents)
  const content = {
    subject: `Refunded: ${amount} from ${payment.vendorName}`,
    lines: [
      greeting(payment.customerName),
      payment.paidFor === 'balance'
        ? `Your payment of ${amount} reached us after the booking had ended.`
        : `Your payment of ${amount} reached us when the change of your booking had ended or its amount had changed. The booking stays as it is.`,
      'We’re refunding all of it to your card now. Most banks show it within five to ten business days.',
    ],
    link: { label: 'Help and advice', url: new URL(href('/advice-support'), site.publicUrl).href },
    why: bookedWhy(payment, site),
  }
  return message(`payment-${payment.id}-too-late`, payment.customerEmail, content, site)
}

/** A fact of a mail: its label and value. */
type MailFact = readonly [string, string]

/**
 * A mail to the customer, with the booking's facts and its link.
 * @param content.path another page of the booking than its own
 * @param content.isOn whether the event takes place, so that it belongs into a calendar
 */
export function toCustomer(
  booking: MailedBooking,
  site: Site,
  kind: string,
  content: {
    subject: string
    lines: string[]
    facts?: MailFact[]
    receipt?: boolean
    path?: string
    label?: string
    isOn?: boolean
  },
): BookingLinkMail {
  const page = href('/bookings/:linkToken', { linkToken: TOKEN_WHEN_SENT })
  const path = content.path ?? page
  const mail = message(
    `booking-${booking.id}-${kind}`,
    booking.customerEmail,
    {
      subject: content.subject,
      lines: [greeting(booking.customerName), ...content.lines],
      facts: [...factsOf(booking), ...(content.facts ?? [])],
      link: { label: content.label ?? SEE_BOOKING, url: new URL(path, site.publicUrl).href },
      ...(content.receipt
        ? {
            second: {
              label: RECEIPT,
              url: new URL(`${path}/receipt.pdf`, site.publicUrl).href,
            },
          }
        : {}),
      ...(content.isOn ? { calendar: new URL(`${page}/calendar.ics`, site.publicUrl).href } : {}),
      business: { id: booking.businessId, name: booking.vendorName },
      why: bookedWhy(booking, site),
    },
    site,
  )
  return { ...mail, paymentId: booking.paymentId }
}

/** A mail to the vendor, with the booking's facts and its customer's contact. */
export function toVendor(
  booking: MailedBooking,
  to: VendorReader,
  site: Site,
  kind: string,
  content: {
    subject: string
    lines: string[]
    label: string
    facts?: MailFact[]
    receipt?: boolean
    canTurnOff?: boolean
  },
): MailMessage {
  return message(
    `booking-${booking.id}-${kind}`,
    to.email,
    {
      subject: content.subject,
      lines: [greeting(to.person), ...content.lines],
      facts: [
        ...factsOf(booking),
        ...(content.facts ?? []),
        ['Customer', booking.customerName],
        ['Phone', booking.customerPhone],
        ['Email', booking.customerEmail],
      ],
      link: { label: content.label, url: new URL(DASHBOARD_PATH, site.publicUrl).href },
      // The vendor opens it by the booking's id while signed in, since the customer's link can withdraw the booking.
      ...(content.receipt
        ? {
            second: {
              label: RECEIPT,
              url: new URL(
                href('/bookings/:linkToken/receipt.pdf', { linkToken: booking.id }),
                site.publicUrl,
              ).href,
            },
          }
        : {}),
      business: { id: booking.businessId, name: booking.vendorName },
      why: `You get this email because ${booking.vendorName} takes bookings on ${site.brand}.`,
      ...(content.canTurnOff ? { settings: new URL(href('/settings-privacy'), site.publicUrl).href } : {}),
    },
    site,
  )
}

function when(booking: MailedBooking): string {
  return formatEventTime(booking.date, booking.time)
}

/** The paid amount of the booking, before any refund, in cents. */
function paidCents({ terms, totalCents }: MailedBooking): Cents {
  return terms ? paidCentsOf(terms) : totalCents
}

function dueOf({ terms }: MailedBooking): DuePayment | null {
  return terms && nextDue(terms)
}

function dueDay({ at }: DuePayment, { timeZone }: MailedBooking): string {
  return dayText(new Date(at), timeZone)
}

/** The facts 'paid' and 'still due' of a price in parts; none once nothing is due. */
function planFacts(booking: MailedBooking): (readonly [string, string])[] {
  const due = dueOf(booking)
  return due
    ? [
        [PAID_NOW, formatMoney(paidCents(booking))],
        [STILL_DUE, dueText({ ...due, at: new Date(due.at) }, booking.timeZone)],
      ]
    : []
}

/** Until when cancelling is free, or what it costs, as of the payment; null for a booking from before there were terms. */
function cancellingWhenPaid(
  { terms, date, time, timeZone }: MailedBooking,
  isApproved: boolean,
): string | null {
  if (!terms) return null
  const line = timelineOf({ ...agreedLine(terms, { date, time, timeZone }), now: new Date(terms.paidAt) })
  return cancellingSentence(line, timeZone, isApproved)
}

/** The vendor's contact details, for a customer who has paid (Decision 20). */
function contactFacts(contact: VendorContact): (readonly [string, string])[] {
  return [
    ['Vendor', contact.name],
    ...(contact.phone ? [['Phone', contact.phone] as const] : []),
    ...(isPlaceholderEmail(contact.email) ? [] : [['Email', contact.email] as const]),
  ]
}

function factsOf(booking: MailedBooking): (readonly [string, string])[] {
  return [
    ['Booked', booking.vendorName],
    ['When', booking.span],
    ['Where', booking.place],
    [QUANTITY_LABELS[booking.bookingType], String(booking.quantity)],
    ['Total', `${formatMoney(booking.totalCents)} including GST where it applies`],
  ]
}

/** Why a customer gets a mail about a business. */
function bookedWhy({ vendorName }: { vendorName: string }, { brand }: Site): string {
  return `You get this email because you booked ${vendorName} on ${brand}.`
}

function message(
  id: string,
  to: string,
  { subject, ...content }: MailContent & { subject: string },
  site: Site,
) {
  return composeMail({ id, to, site, subject, content })
}
