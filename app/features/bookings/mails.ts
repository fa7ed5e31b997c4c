import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { formatEventTime, formatInstant } from '../../shared/dates.ts'
import { greeting, mailHtml } from '../../shared/mail-html.ts'
import { type Cents, formatMoney, type PriceUnit } from '../../shared/money.ts'
import { isPlaceholderEmail } from '../../shared/placeholder-email.ts'
import type { UnfulfilledReason } from '../payments/rules.ts'
import { QUANTITY_LABELS } from './messages.ts'
import type { VendorContact } from './rules.ts'

type Site = { brand: string; publicUrl: URL }

/** What a mail about a booking says of it. */
export type MailedBooking = {
  id: string
  vendorName: string
  customerName: string
  customerEmail: string
  customerPhone: string
  date: string
  time: string
  timeZone: string
  /** From when to when, and whose clock: 'Saturday 14 March 2027, 4:00 pm to 11:00 pm, Melbourne time'. */
  span: string
  place: string
  quantity: number
  bookingType: PriceUnit
  totalCents: Cents
  /** Our payment's, from which the customer's unguessable link is made. */
  paymentId: string
}

/** A mail with the customer's booking link, which stands in it once it is sent: what waits in the queue opens nothing. */
export type BookingLinkMail = MailMessage & { paymentId: string }

/** Stands for the token of the booking's link, as part of an address. */
const TOKEN_WHEN_SENT = 'token-when-sent'

/** The mail as it is sent. @param linkToken of the payment that the mail names */
export function withBookingLink(
  { paymentId: _, ...message }: BookingLinkMail,
  linkToken: string,
): MailMessage {
  const fill = (text: string) => text.replaceAll(TOKEN_WHEN_SENT, linkToken)
  return { ...message, text: fill(message.text), html: fill(message.html) }
}

const DASHBOARD_PATH = href('/dashboard/bookings')
const SEE_BOOKING = 'See your booking'
const DECIDE = 'Approve or decline'
const RECEIPT = 'Receipt (PDF)'

/** To the customer, once the booking is paid: what was booked, the vendor's contact, what happens next. */
export function bookingPaidMail(
  booking: MailedBooking,
  contact: VendorContact | null,
  decidedBy: Date,
  site: Site,
): BookingLinkMail {
  return toCustomer(booking, site, 'paid', {
    receipt: true,
    subject: `Paid: ${booking.vendorName}, ${when(booking)}`,
    lines: [
      `we have your payment of ${formatMoney(booking.totalCents)}, and ${booking.vendorName} has your booking.`,
      `They answer by ${formatInstant(decidedBy, booking.timeZone)}. If they can't host you or don't answer, you get a full refund. Until they have answered you can withdraw the booking yourself.`,
    ],
    facts: contact ? contactFacts(contact) : [],
  })
}

/** To the vendor, once a booking is paid. */
export function newBookingMail(
  booking: MailedBooking,
  to: VendorContact,
  decidedBy: Date,
  site: Site,
): MailMessage {
  return toVendor(booking, to, site, 'new', {
    receipt: true,
    subject: `New booking: ${booking.customerName}, ${when(booking)}`,
    lines: [
      `${booking.customerName} has booked and paid for ${booking.vendorName}.`,
      `Please approve or decline by ${formatInstant(decidedBy, booking.timeZone)}. After that the booking is declined and refunded by itself.`,
    ],
    label: DECIDE,
  })
}

/** To the vendor, while a booking still waits (Decision 7). */
export function reminderMail(
  booking: MailedBooking,
  to: VendorContact,
  decidedBy: Date,
  site: Site,
): MailMessage {
  return toVendor(booking, to, site, 'reminder', {
    subject: `Waiting for your answer: ${booking.customerName}, ${when(booking)}`,
    lines: [
      `${booking.customerName} is waiting to hear whether you can host them.`,
      `Please approve or decline by ${formatInstant(decidedBy, booking.timeZone)}. After that the booking is declined and refunded by itself.`,
    ],
    label: DECIDE,
  })
}

/** To the customer, when the event is near. */
export function eventReminderMail(
  booking: MailedBooking,
  contact: VendorContact | null,
  site: Site,
): BookingLinkMail {
  return toCustomer(booking, site, 'event', {
    subject: `Coming up: ${booking.vendorName}, ${when(booking)}`,
    lines: [
      `your booking of ${booking.vendorName} is near: ${booking.span}.`,
      ...(contact ? ['If anything has changed, call or write to them.'] : []),
    ],
    facts: contact ? contactFacts(contact) : [],
  })
}

/** To the vendor, when the event is near. */
export function eventReminderForVendorMail(
  booking: MailedBooking,
  to: VendorContact,
  site: Site,
): MailMessage {
  return toVendor(booking, to, site, 'event-vendor', {
    subject: `Coming up: ${booking.customerName}, ${when(booking)}`,
    lines: [`the event of ${booking.customerName} is near: ${booking.span}.`],
    label: 'See your bookings',
  })
}

/** To the customer, when the vendor approved. `reversed` when a decline was taken back (Decision 7). */
export function approvedMail(
  booking: MailedBooking,
  decidedAt: Date,
  reversed: boolean,
  site: Site,
): BookingLinkMail {
  return toCustomer(booking, site, `approved-${decidedAt.getTime()}`, {
    subject: reversed
      ? `Good news after all: ${booking.vendorName} approved your booking`
      : `Approved: ${booking.vendorName}, ${when(booking)}`,
    lines: reversed
      ? [
          `${booking.vendorName} had declined your booking and has now approved it.`,
          'The refund we announced is cancelled, since your booking goes ahead as paid.',
        ]
      : [`${booking.vendorName} has approved your booking. See you on the day.`],
  })
}

/** To the customer, when the vendor declined: says by when the refund comes (Decision 7). */
export function declinedMail(
  booking: MailedBooking,
  decidedAt: Date,
  refundDueAt: Date,
  site: Site,
): BookingLinkMail {
  return toCustomer(booking, site, `declined-${decidedAt.getTime()}`, {
    subject: `Declined: ${booking.vendorName}, ${when(booking)}`,
    lines: [
      `${booking.vendorName} can't host you this time. We're sorry.`,
      `You get ${formatMoney(booking.totalCents)} back in full. We send the refund after ${formatInstant(refundDueAt, booking.timeZone)}; most banks show it within five to ten business days.`,
    ],
  })
}

/** To the customer, when nobody answered in time (Decision 7). */
export function undecidedMail(booking: MailedBooking, site: Site): BookingLinkMail {
  return toCustomer(booking, site, 'undecided', {
    subject: `No answer in time: ${booking.vendorName}, ${when(booking)}`,
    lines: [
      `${booking.vendorName} has not answered in time, so we have declined your booking for you. We're sorry.`,
      `You get ${formatMoney(booking.totalCents)} back in full. We send the refund now; most banks show it within five to ten business days.`,
    ],
  })
}

/** To the customer, after they withdrew. */
export function withdrawnMail(booking: MailedBooking, site: Site): BookingLinkMail {
  return toCustomer(booking, site, 'withdrawn', {
    subject: `Withdrawn: ${booking.vendorName}, ${when(booking)}`,
    lines: [
      'you have withdrawn your booking.',
      `You get ${formatMoney(booking.totalCents)} back in full. We send the refund now; most banks show it within five to ten business days.`,
    ],
  })
}

/** To the vendor, after the customer withdrew. */
export function customerWithdrewMail(booking: MailedBooking, to: VendorContact, site: Site): MailMessage {
  return toVendor(booking, to, site, 'customer-withdrew', {
    subject: `Withdrawn: ${booking.customerName}, ${when(booking)}`,
    lines: [
      `${booking.customerName} has withdrawn this booking before it was decided. There is nothing for you to do.`,
    ],
    label: 'See your bookings',
  })
}

/** To the vendor, when the time to answer has run out. */
export function declinedForVendorMail(booking: MailedBooking, to: VendorContact, site: Site): MailMessage {
  return toVendor(booking, to, site, 'declined-for-vendor', {
    subject: `Declined without an answer: ${booking.customerName}, ${when(booking)}`,
    lines: [
      'The time to answer this booking has run out. It was declined and the customer gets a full refund.',
    ],
    label: 'See your bookings',
  })
}

/** To the customer, once the provider has taken the refund. */
export function refundedMail(booking: MailedBooking, site: Site): BookingLinkMail {
  return toCustomer(booking, site, 'refunded', {
    subject: `Refunded: ${formatMoney(booking.totalCents)} from ${booking.vendorName}`,
    lines: [
      `we have sent ${formatMoney(booking.totalCents)} back to your card. Most banks show it within five to ten business days.`,
    ],
  })
}

/** To the customer of a payment that became no booking: it came too late, its amount was wrong, or its time is gone. */
export function notBookedMail(
  payment: {
    id: string
    vendorName: string
    customerName: string
    customerEmail: string
    amountCents: Cents
    /** The time that was to be booked. */
    span: string
    why: UnfulfilledReason
  },
  site: Site,
): MailMessage {
  const amount = formatMoney(payment.amountCents)
  const reasons = {
    paid_too_late: `your payment of ${amount} reached us after its time had run out, so ${payment.vendorName} is not booked.`,
    wrong_amount: `your payment of ${amount} is not the price of the booking, so ${payment.vendorName} is not booked.`,
    time_gone: `your payment of ${amount} reached us after the time that we had kept free for you was over, and by then somebody else had it. So ${payment.vendorName} is not booked for ${payment.span}. We're sorry.`,
  } as const satisfies Record<UnfulfilledReason, string>
  const content = {
    subject: `Not booked, and refunded: ${payment.vendorName}`,
    lines: [
      greeting(payment.customerName),
      reasons[payment.why],
      `We send all of it back to your card now; most banks show it within five to ten business days. You are welcome to book ${payment.why === 'time_gone' ? 'another time' : 'again'}.`,
    ],
    link: { label: 'Find a venue or vendor', url: new URL(href('/venues-vendors'), site.publicUrl).href },
  }
  return message(`payment-${payment.id}-not-booked`, payment.customerEmail, content, site)
}

function toCustomer(
  booking: MailedBooking,
  site: Site,
  kind: string,
  content: { subject: string; lines: string[]; facts?: (readonly [string, string])[]; receipt?: boolean },
): BookingLinkMail {
  const path = href('/bookings/:linkToken', { linkToken: TOKEN_WHEN_SENT })
  const mail = message(
    `booking-${booking.id}-${kind}`,
    booking.customerEmail,
    {
      subject: content.subject,
      lines: [greeting(booking.customerName), ...content.lines],
      facts: [...factsOf(booking), ...(content.facts ?? [])],
      link: { label: SEE_BOOKING, url: new URL(path, site.publicUrl).href },
      ...(content.receipt
        ? {
            second: {
              label: RECEIPT,
              url: new URL(`${path}/receipt.pdf`, site.publicUrl).href,
            },
          }
        : {}),
    },
    site,
  )
  return { ...mail, paymentId: booking.paymentId }
}

function toVendor(
  booking: MailedBooking,
  to: VendorContact,
  site: Site,
  kind: string,
  content: { subject: string; lines: string[]; label: string; receipt?: boolean },
): MailMessage {
  return message(
    `booking-${booking.id}-${kind}`,
    to.email,
    {
      subject: content.subject,
      lines: [greeting(to.name), ...content.lines],
      facts: [
        ...factsOf(booking),
        ['Customer', booking.customerName],
        ['Phone', booking.customerPhone],
        ['E-mail', booking.customerEmail],
      ],
      link: { label: content.label, url: new URL(DASHBOARD_PATH, site.publicUrl).href },
      // By the booking's id, while signed in: the customer's own link could withdraw the booking.
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
    },
    site,
  )
}

function when(booking: MailedBooking): string {
  return formatEventTime(booking.date, booking.time)
}

/** Decision 20: a customer who has paid learns how to reach the vendor. */
function contactFacts(contact: VendorContact): (readonly [string, string])[] {
  return [
    ['Vendor', contact.name],
    ...(contact.phone ? [['Phone', contact.phone] as const] : []),
    ...(isPlaceholderEmail(contact.email) ? [] : [['E-mail', contact.email] as const]),
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

function message(
  id: string,
  to: string,
  content: {
    subject: string
    lines: string[]
    facts?: (readonly [string, string])[]
    link: { label: string; url: string }
    second?: { label: string; url: string }
  },
  site: Site,
): MailMessage {
  const facts = content.facts ?? []
  const factLines = facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  return {
    messageId: `<${id}@${site.publicUrl.hostname}>`,
    to,
    subject: content.subject,
    text: `${[...content.lines, ...(factLines ? [factLines] : [])].join('\n\n')}\n\n${content.link.label}: ${content.link.url}\n${content.second ? `${content.second.label}: ${content.second.url}\n` : ''}`,
    html: mailHtml({ brand: site.brand, ...content }),
  }
}
