import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { greeting } from '../../shared/mail.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { TOKEN_WHEN_SENT } from '../payments/link-mails.ts'
import type { UnfulfilledReason } from '../payments/rules.ts'
import { dayText } from '../terms/timeline-messages.ts'
import {
  type BookingLinkMail,
  bookedWhy,
  type MailedBooking,
  message,
  type Site,
  toCustomer,
} from './frame-mails.ts'

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
    headline: { tone: 'plain', text: `Refunded: ${amount}` },
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
    path: ACCOUNT_PATH,
    label: TELL_US,
    subject: `Tell us where to send ${amount}: ${booking.vendorName}`,
    headline: { tone: 'bad', text: `Tell us where to send ${amount}` },
    lines: cameBackLines(amount),
  })
}

/** To the customer of a payment that became no booking, when the bank has sent the refund back. */
export function unfulfilledRefundCameBackMail(
  refund: MailedRefund & {
    /** The purchase's first payment, from which the customer's link is derived. */
    firstPaymentId: string
    vendorName: string
    customerName: string
    customerEmail: string
  },
  site: Site,
): BookingLinkMail {
  const amount = formatMoney(refund.amountCents)
  const content = {
    subject: `Tell us where to send ${amount}: ${refund.vendorName}`,
    headline: { tone: 'bad', text: `Tell us where to send ${amount}` } as const,
    lines: [greeting(refund.customerName), ...cameBackLines(amount)],
    link: { label: TELL_US, url: new URL(ACCOUNT_PATH, site.publicUrl).href },
    why: bookedWhy(refund, site),
  }
  const mail = message(`refund-${refund.refundId}-failed`, refund.customerEmail, content, site)
  return { ...mail, paymentId: refund.firstPaymentId }
}

/** To the customer, when an account is named for refunds that came back, or replaced: all it takes is the link of their purchase. */
export function refundAccountNamedMail(
  account: {
    /** The purchase's first payment, from which the customer's link is derived. */
    firstPaymentId: string
    vendorName: string
    customerName: string
    customerEmail: string
    amountCents: Cents
    /** 'PayID ending 678'. */
    masked: string
    isReplaced: boolean
    at: Date
  },
  site: Site,
): BookingLinkMail {
  const { firstPaymentId, masked, isReplaced, at } = account
  const amount = formatMoney(account.amountCents)
  const content = {
    subject: `${isReplaced ? 'Account changed' : 'Account saved'} for ${amount}: ${account.vendorName}`,
    headline: { tone: 'plain', text: `We’ll send ${amount} to your ${masked}` } as const,
    lines: [
      greeting(account.customerName),
      `We’ll send ${amount} to your ${masked}${isReplaced ? ' instead of the account that was named before' : ''}. If that wasn’t you, reply to this email.`,
    ],
    link: { label: 'See or change the account', url: new URL(ACCOUNT_PATH, site.publicUrl).href },
    why: bookedWhy(account, site),
  }
  const id = `refund-account-${firstPaymentId}-${at.getTime()}`
  return { ...message(id, account.customerEmail, content, site), paymentId: firstPaymentId }
}

const ACCOUNT_PATH = href('/bookings/:linkToken/refund', { linkToken: TOKEN_WHEN_SENT })
const TELL_US = 'Tell us where to send it'

function cameBackLines(amount: string): string[] {
  return [
    `Your bank didn’t accept the refund of ${amount}, for example because the card was closed. We have the money, and it’s still yours.`,
    'Open your booking and tell us where to send it. We never ask for bank details by email.',
  ]
}

/** To the customer of an unfulfilled payment: it was late, its amount was wrong, or the time was taken. */
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
    subject: `Not booked, ${amount} refunded: ${payment.vendorName}`,
    headline: { tone: 'bad', text: `Not booked: you get ${amount} back` } as const,
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
 * To the customer whose further payment came too late: the booking, its balance or its change had ended or changed.
 * @param payment.due what is due of the booking now; null once nothing is, and where it is over
 */
export function latePaymentMail(
  payment: {
    id: string
    vendorName: string
    customerName: string
    customerEmail: string
    amountCents: Cents
    paidFor: 'balance' | 'change'
    isCalledOff: boolean
    due: { amountCents: Cents; at: Date; timeZone: string } | null
  },
  site: Site,
): MailMessage {
  const amount = formatMoney(payment.amountCents)
  const { paidFor, isCalledOff, due } = payment
  const reached = `Your payment of ${amount} reached us`
  const reason =
    paidFor === 'change'
      ? `${reached} when the change of your booking had ended or its amount had changed.${isCalledOff ? '' : ' The booking stays as it is.'}`
      : isCalledOff
        ? `${reached} after the booking had ended.`
        : `${reached} after the balance of your booking had changed. The booking stays as it is.`
  const stillDue = due
    ? `The balance is now ${formatMoney(due.amountCents)}, due on ${dayText(due.at, due.timeZone)}. It still has to be paid.`
    : 'Nothing more is due.'
  const content = {
    subject: `Refunded: ${amount} from ${payment.vendorName}`,
    headline: { tone: 'plain', text: `Too late: you get ${amount} back` } as const,
    lines: [
      greeting(payment.customerName),
      reason,
      ...(paidFor === 'balance' && !isCalledOff ? [stillDue] : []),
      'We’re refunding all of it to your card now. Most banks show it within five to ten business days.',
    ],
    link: { label: 'Help and advice', url: new URL(href('/advice-support'), site.publicUrl).href },
    why: bookedWhy(payment, site),
  }
  return message(`payment-${payment.id}-too-late`, payment.customerEmail, content, site)
}
