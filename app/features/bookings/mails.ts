import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { formatInstant, formatShortInstant, formatTime } from '../../shared/dates.ts'
import type { MailHeadline } from '../../shared/mail.ts'
import { formatMoney } from '../../shared/money.ts'
import { isPlaceholderEmail } from '../../shared/placeholder-email.ts'
import { TOKEN_WHEN_SENT } from '../payments/link-mails.ts'
import { nextDue, type PlannedPayment } from '../sales/amount-rules.ts'
import { payOrEndText } from '../terms/policy-messages.ts'
import { cancellingSentence, dayText, dueText, PAID_NOW, STILL_DUE } from '../terms/timeline-messages.ts'
import { timelineOf } from '../terms/timeline-rules.ts'
import {
  backForVendorText,
  backLines,
  backToCustomer,
  isAtBank,
  type RefundParts,
  SENT_NOW,
} from './bank-messages.ts'
import type { ComingUpDays } from './decisions/rules.ts'
import {
  type BookingLinkMail,
  dayOf,
  type MailedBooking,
  paidCents,
  SEE_BOOKINGS,
  type Site,
  toCustomer,
  toVendor,
  weekdayAt,
  weekdayOf,
} from './frame-mails.ts'
import { ALL_REFUNDED, FREE_INSTEAD, PAY_NOW, refundText } from './messages.ts'
import {
  type Alternative,
  agreedLine,
  partPaymentOf,
  type VendorContact,
  type VendorReader,
} from './rules.ts'

const DECIDE = 'Approve or decline'

/** The headline of a booking that ended: what happened, and what its customer gets back now. */
export function endedHeadline(
  what: string,
  { refundCents, waitingCents }: Pick<RefundParts, 'refundCents' | 'waitingCents'>,
  tone: MailHeadline['tone'] = 'bad',
): MailHeadline {
  const sentCents = refundCents - waitingCents
  return { tone, text: sentCents > 0 ? `${what}: you get ${formatMoney(sentCents)} back` : what }
}

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
    ...(decidedBy
      ? {
          subject: `Sent to ${booking.vendorName}: answer by ${weekdayAt(decidedBy, booking)}`,
          headline: {
            tone: 'waits',
            text: `Sent to ${booking.vendorName}. They answer by ${weekdayAt(decidedBy, booking)}`,
          },
        }
      : {
          subject: `Confirmed: ${dayOf(booking)}, ${booking.vendorName}`,
          headline: { tone: 'good', text: `Confirmed for ${weekdayOf(booking)}` },
        }),
    lines: [
      `We’ve received your payment of ${formatMoney(paidCents(booking))}, and ${booking.vendorName} has your booking.`,
      ...(due
        ? [
            `The other ${formatMoney(due.cents)} is due on ${dueDay(due, booking)}. We charge it to the same card, and email you seven days before.`,
          ]
        : []),
      decidedBy
        ? `They’ll answer by ${formatInstant(decidedBy, booking.timeZone)}. If they can’t take your booking or don’t answer, you’ll get a full refund. Until they answer, you can withdraw the booking yourself.`
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
    subject: `New booking: ${dayOf(booking)}, ${booking.customerName}`,
    headline: decidedBy
      ? { tone: 'waits', text: `New booking: answer by ${weekdayAt(decidedBy, booking)}` }
      : { tone: 'good', text: `Booked for ${weekdayOf(booking)}` },
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
    subject: `Answer by ${formatShortInstant(decidedBy, booking.timeZone)}: ${booking.customerName}, ${dayOf(booking)}`,
    headline: { tone: 'waits', text: `Answer by ${weekdayAt(decidedBy, booking)}` },
    lines: [
      `${booking.customerName} is waiting to hear whether you can take their booking.`,
      `Please approve or decline by ${formatInstant(decidedBy, booking.timeZone)}. After that the booking is declined and refunded automatically.`,
    ],
    label: DECIDE,
  })
}

/** An event that has moved may be reminded of once more, on its new day. */
const movedKey = ({ date }: MailedBooking, isMoved: boolean) => (isMoved ? `-${date}` : '')

const TO_GO: Record<ComingUpDays, string> = { 42: 'Six weeks to go', 7: 'One week to go', 1: 'Tomorrow' }

/**
 * To the customer, six weeks, a week and a day before the event.
 * @param near.isToday whether the event's day has come, by the venue's clock
 * @param near.endsAt when the booking ends if what is due stays unpaid; null where it stands
 * @param near.now at which it is sent
 */
export function comingUpMail(
  booking: MailedBooking,
  contact: VendorContact | null,
  near: { days: ComingUpDays; isToday: boolean; endsAt: Date | null; now: Date },
  site: Site,
): BookingLinkMail {
  const { days, isToday } = near
  const due = dueOf(booking)
  const unpaid = unpaidLines(booking, near)
  const start = isToday ? 'Today' : TO_GO[days]
  return toCustomer(booking, site, `coming-up-${days}-${booking.date}`, {
    isOn: true,
    canStop: true,
    subject: `Coming up: ${dayOf(booking)}, ${formatTime(booking.time)}, ${booking.vendorName}`,
    headline:
      due && unpaid
        ? { tone: 'waits', text: `${start}: pay ${formatMoney(due.cents)}` }
        : { tone: 'good', text: `${start}: ${weekdayOf(booking)}, ${formatTime(booking.time)}` },
    ...(unpaid
      ? { label: PAY_NOW, path: href('/bookings/:linkToken/pay', { linkToken: TOKEN_WHEN_SENT }) }
      : {}),
    lines: [
      ...(unpaid ?? []),
      `Your booking with ${booking.vendorName} is coming up: ${booking.span}, in ${booking.place}.`,
      ...(due && !unpaid
        ? [
            `The other ${formatMoney(due.cents)} is due on ${dueDay(due, booking)}. We charge it to the same card.`,
          ]
        : []),
      ...(contact
        ? [
            days === 1
              ? 'If anything has changed, call or email them.'
              : 'Has the time or the number of people changed? Propose a change on your booking’s page, or call or email them.',
          ]
        : []),
    ],
    facts: [...planFacts(booking), ...(contact ? contactFacts(contact) : [])],
  })
}

/** What a customer whose card was refused has to pay, and when that ends the booking; null where nothing is unpaid. */
function unpaidLines(
  { terms, timeZone }: MailedBooking,
  { endsAt, now }: { endsAt: Date | null; now: Date },
): string[] | null {
  const due = terms && partPaymentOf(terms)
  if (!due || due.standing === 'scheduled') return null
  const amount = formatMoney(due.cents)
  if (due.standing === 'overdue')
    return [`${amount} is overdue, so your booking is about to end. Please pay now.`]
  return [
    `Your card wasn’t charged, and ${amount} is due. ${endsAt && endsAt > now ? payOrEndText(formatInstant(endsAt, timeZone)) : 'Please pay now.'}`,
  ]
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
    subject: `Coming up: ${dayOf(booking)}, ${formatTime(booking.time)}, ${booking.customerName}`,
    headline: { tone: 'good', text: `Coming up: ${weekdayOf(booking)}, ${formatTime(booking.time)}` },
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
      ? `Confirmed after all: ${dayOf(booking)}, ${booking.vendorName}`
      : `Confirmed: ${dayOf(booking)}, ${booking.vendorName}`,
    headline: { tone: 'good', text: `Confirmed for ${weekdayOf(booking)}` },
    lines: reversed
      ? [
          `${booking.vendorName} had declined your booking and has now confirmed it.`,
          'The refund we announced is cancelled, since your booking goes ahead as paid.',
        ]
      : [`${booking.vendorName} has confirmed your booking. See you on the day.`],
  })
}

/**
 * To the customer, when the vendor's decline stands, with the refund (Decisions 7 and 79).
 * @param decline.reason as `declineReasonText` says it; null for none
 */
export function declinedMail(
  booking: MailedBooking,
  decline: {
    decidedAt: Date
    wasApproved: boolean
    reason: string | null
    refund: RefundParts
    alternatives: readonly Alternative[]
  },
  site: Site,
): BookingLinkMail {
  const { decidedAt, wasApproved, reason, refund, alternatives } = decline
  return toCustomer(booking, site, `declined-${decidedAt.getTime()}`, {
    subject: `Declined: ${dayOf(booking)}, ${booking.vendorName}`,
    headline: endedHeadline('Declined', refund),
    lines: [
      wasApproved
        ? `${booking.vendorName} had confirmed your booking and can’t take it after all. We’re sorry.`
        : `${booking.vendorName} can’t take your booking. We’re sorry.`,
      ...(reason === null ? [] : [`The reason: ${reason}`]),
      ...refundLines(booking, refund, SENT_NOW),
      ...(alternatives.length > 0 ? [FREE_INSTEAD] : []),
      ...alternatives.map(
        ({ id, name, location }) =>
          `${name}, ${location}: ${new URL(href('/business/:id', { id }), site.publicUrl).href}`,
      ),
    ],
  })
}

/** To the customer, when the vendor has not answered in time (Decision 7). */
export function undecidedMail(booking: MailedBooking, refund: RefundParts, site: Site): BookingLinkMail {
  return toCustomer(booking, site, 'undecided', {
    subject: `No answer in time: ${dayOf(booking)}, ${booking.vendorName}`,
    headline: endedHeadline('No answer in time', refund),
    lines: [
      `${booking.vendorName} didn’t answer in time, so we have declined your booking for you. We’re sorry.`,
      ...refundLines(booking, refund, SENT_NOW),
    ],
  })
}

/** Tells a customer what they get back of a booking that ends undecided or declined. @param when when it is sent */
function refundLines(booking: MailedBooking, refund: RefundParts, when: string): string[] {
  return backLines(refund, {
    sent: (cents) => {
      const what =
        refund.waitingCents > 0 ? `${formatMoney(cents)} back` : refundText(cents, paidCents(booking))
      return `You’ll get ${what}. ${when}`
    },
    nothing: ALL_REFUNDED,
  })
}

/** To the customer, after they withdrew. */
export function withdrawnMail(booking: MailedBooking, refund: RefundParts, site: Site): BookingLinkMail {
  return toCustomer(booking, site, 'withdrawn', {
    subject: `Withdrawn: ${dayOf(booking)}, ${booking.vendorName}`,
    headline: endedHeadline('Withdrawn', refund, 'plain'),
    lines: ['You have withdrawn your booking.', ...refundLines(booking, refund, SENT_NOW)],
  })
}

/** To the vendor, after the customer withdrew. */
export function customerWithdrewMail(booking: MailedBooking, to: VendorReader, site: Site): MailMessage {
  return toVendor(booking, to, site, 'customer-withdrew', {
    subject: `Withdrawn: ${dayOf(booking)}, ${booking.customerName}`,
    headline: { tone: 'bad', text: `Withdrawn by ${booking.customerName}` },
    lines: [
      `${booking.customerName} withdrew this booking before you had answered. There’s nothing you need to do.`,
    ],
    label: SEE_BOOKINGS,
  })
}

/** To the vendor, when the time to answer is over. */
export function declinedForVendorMail(
  booking: MailedBooking,
  to: VendorReader,
  refund: RefundParts,
  site: Site,
): MailMessage {
  return toVendor(booking, to, site, 'declined-for-vendor', {
    subject: `Not answered: ${dayOf(booking)}, ${booking.customerName}, declined`,
    headline: { tone: 'bad', text: 'Declined, as it wasn’t answered in time' },
    lines: isAtBank(refund)
      ? [
          'The time to answer this booking has passed, and it was declined.',
          backForVendorText(refund, { sent: backToCustomer, nothing: '' }),
        ]
      : ['The time to answer this booking has passed. It was declined, and the customer gets a full refund.'],
    label: SEE_BOOKINGS,
  })
}

function dueOf({ terms }: MailedBooking): PlannedPayment | null {
  return terms && nextDue(terms)
}

function dueDay({ at }: PlannedPayment, { timeZone }: MailedBooking): string {
  return dayText(new Date(at), timeZone)
}

/** The facts 'paid' and 'still due' of a price in parts; none once nothing is due. */
function planFacts(booking: MailedBooking): (readonly [string, string])[] {
  const due = dueOf(booking)
  const isPlanned = booking.terms && partPaymentOf(booking.terms)?.standing === 'scheduled'
  return due
    ? [
        [PAID_NOW, formatMoney(paidCents(booking))],
        [
          STILL_DUE,
          // The card that was refused isn't charged on that day.
          isPlanned ? dueText({ ...due, at: new Date(due.at) }, booking.timeZone) : formatMoney(due.cents),
        ],
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
