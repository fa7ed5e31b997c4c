import { href } from 'react-router'
import type { MailMessage } from '../../../adapters/mail/port.ts'
import { formatInstant, formatShortDay, formatWeekday, wallTimeAt } from '../../../shared/dates.ts'
import type { MailHeadline } from '../../../shared/mail.ts'
import { type Cents, formatMoney } from '../../../shared/money.ts'
import { TOKEN_WHEN_SENT } from '../../payments/link-mails.ts'
import type { Replan } from '../../sales/replan-rules.ts'
import { backForVendorText, backLines, backToCustomer, SENT_NOW } from '../bank-messages.ts'
import {
  type BookingLinkMail,
  dayOf,
  type MailedBooking,
  type Site,
  toCustomer,
  toVendor,
  weekdayOf,
} from '../frame-mails.ts'
import { QUANTITY_LABELS } from '../messages.ts'
import type { VendorReader } from '../rules.ts'
import { changedFacts, changeMoneyLines, changeText } from './messages.ts'
import type { BookedEvent, ChangeSide } from './rules.ts'

/** The facts of a change that its mails state. */
export type MailedChange = {
  id: string
  proposedBy: ChangeSide
  before: BookedEvent
  after: BookedEvent
  expiresAt: Date
}

/** The reader of a mail about a change. The customer's has the link of the booking. */
export type ChangeReader = { side: 'customer' } | { side: 'vendor'; contact: VendorReader }

/** The content of a mail about a change. */
type Content = { subject: string; headline: MailHeadline; lines: string[]; label: string; isOn?: boolean }

/** To the side that answers a proposal. */
export function changeProposedMail(
  booking: MailedBooking,
  change: MailedChange,
  plan: Replan,
  reader: ChangeReader,
  site: Site,
) {
  const { side } = reader
  const who = side === 'vendor' ? booking.customerName : booking.vendorName
  return changeMail(booking, change, 'proposed', reader, site, {
    subject: `Proposed: ${changeText(change, booking)}, ${nameFor(booking, side)}`,
    headline: { tone: 'waits', text: `Proposed: ${changeText(change, booking)}` },
    lines: [
      `${who} proposes to change this booking.`,
      ...changeMoneyLines(
        { ...change, ...plan },
        { timeZone: booking.timeZone, reader: side, customer: booking.customerName, answers: true },
      ),
      `Please answer by ${formatInstant(change.expiresAt, booking.timeZone)}. Until then the new time is held. Without an answer, the booking stays as it is.`,
    ],
    label: 'Agree or decline',
  })
}

/** To the side that proposed, once the other one has agreed and the difference is still to be paid. */
export function changeAcceptedMail(
  booking: MailedBooking,
  change: MailedChange,
  plan: Replan,
  reader: ChangeReader,
  site: Site,
) {
  const by = formatInstant(change.expiresAt, booking.timeZone)
  const isCustomer = reader.side === 'customer'
  const due = formatMoney(plan.dueCents)
  const payBy = wallTimeAt(change.expiresAt, booking.timeZone).date
  return changeMail(booking, change, 'accepted', reader, site, {
    ...(isCustomer
      ? {
          subject: `Pay ${due} by ${formatShortDay(payBy)}: ${changeText(change, booking)}, ${booking.vendorName}`,
          headline: { tone: 'waits', text: `Agreed: pay ${due} by ${formatWeekday(payBy)}` },
        }
      : {
          subject: `Agreed: ${changeText(change, booking)}, ${booking.customerName}`,
          headline: { tone: 'good', text: `Agreed: ${changeText(change, booking)}` },
        }),
    lines: isCustomer
      ? [
          `${booking.vendorName} agrees to your change.`,
          `Please pay ${due} by ${by}. Once it’s paid, the change takes effect. Until then the new time is held.`,
        ]
      : [
          `${booking.customerName} agrees to your change.`,
          `It takes effect when they have paid ${due}. They have until ${by}.`,
        ],
    label: isCustomer ? 'Pay the difference' : 'See your bookings',
  })
}

/** To both sides, once a change is in effect. */
export function changedMail(
  booking: MailedBooking,
  change: MailedChange,
  { plan, waitingCents }: { plan: Replan; waitingCents: Cents },
  reader: ChangeReader,
  site: Site,
) {
  const { timeZone } = booking
  const isCustomer = reader.side === 'customer'
  const { balance, refundCents } = plan
  const refund = { refundCents, waitingCents, returnedCents: 0 }
  return changeMail(booking, change, 'changed', reader, site, {
    subject: `Changed: ${changeText(change, booking)}, ${nameFor(booking, reader.side)}`,
    headline: { tone: 'good', text: `Changed: ${changeText(change, booking)}` },
    lines: [
      'Both sides have agreed, and this booking has changed.',
      ...(plan.dueCents > 0
        ? [
            isCustomer
              ? `We’ve received your payment of ${formatMoney(plan.dueCents)}.`
              : `${formatMoney(plan.dueCents)} is paid.`,
          ]
        : []),
      ...(refundCents === 0
        ? []
        : isCustomer
          ? backLines(refund, {
              sent: (cents) => `You’ll get ${formatMoney(cents)} back. ${SENT_NOW}`,
              nothing: '',
            })
          : [backForVendorText(refund, { sent: backToCustomer, nothing: '' })]),
      ...(balance
        ? [
            `The balance is now ${formatMoney(balance.cents)}, due on ${formatInstant(balance.dueAt, timeZone)}.`,
          ]
        : []),
      'The days of the cancellation policy count from the new date. If the booking is in your calendar, add it again.',
    ],
    label: isCustomer ? 'See your booking' : 'See your bookings',
    isOn: true,
  })
}

/** To the side that proposed, after the other one declined; or to the other one, after the proposal was taken back. */
export function changeDeclinedMail(
  booking: MailedBooking,
  change: MailedChange,
  kind: 'declined' | 'taken_back',
  reader: ChangeReader,
  site: Site,
) {
  const who = reader.side === 'vendor' ? booking.customerName : booking.vendorName
  const isTakenBack = kind === 'taken_back'
  return changeMail(booking, change, kind, reader, site, {
    subject: `Change ${isTakenBack ? 'taken back' : 'declined'}: stays ${dayOf(booking)}, ${nameFor(booking, reader.side)}`,
    headline: {
      tone: 'plain',
      text: `Change ${isTakenBack ? 'taken back' : 'declined'}: it stays ${weekdayOf(booking)}`,
    },
    lines: [
      isTakenBack
        ? `${who} has taken the proposed change back.`
        : `${who} can’t agree to the proposed change.`,
      'The booking stays as it is.',
    ],
    label: reader.side === 'customer' ? 'See your booking' : 'See your bookings',
  })
}

/** To both sides, when nobody has answered or paid in time. */
export function changeExpiredMail(
  booking: MailedBooking,
  change: MailedChange,
  reader: ChangeReader,
  site: Site,
) {
  return changeMail(booking, change, 'expired', reader, site, {
    subject: `Change expired: stays ${dayOf(booking)}, ${nameFor(booking, reader.side)}`,
    headline: { tone: 'plain', text: `Change expired: it stays ${weekdayOf(booking)}` },
    lines: [
      'The proposed change wasn’t answered or paid for in time, so it has expired.',
      'The booking stays as it is. The proposed time is free again.',
    ],
    label: reader.side === 'customer' ? 'See your booking' : 'See your bookings',
  })
}

/** The kinds of mails about a change that may still take effect, or has. */
const STANDING: ReadonlySet<string> = new Set(['proposed', 'accepted', 'changed'])
/** The labels that the facts of a change have in a booking's mails, where they differ. */
const BOOKING_LABELS: Readonly<Record<string, string>> = { People: QUANTITY_LABELS.perPerson, Price: 'Total' }

const nameFor = (booking: MailedBooking, side: ChangeSide) =>
  side === 'vendor' ? booking.customerName : booking.vendorName

function changeMail(
  booking: MailedBooking,
  change: MailedChange,
  kind: string,
  reader: ChangeReader,
  site: Site,
  content: Content,
): MailMessage | BookingLinkMail {
  const key = `change-${change.id}-${kind}`
  // The new values stand in the place of the booking's own, unless nothing changes.
  const isEnded = !STANDING.has(kind)
  const facts = changedFacts(change, booking).map(({ label, before, after }) =>
    isEnded
      ? ([`${label}, as proposed`, after] as const)
      : ([BOOKING_LABELS[label] ?? label, `${before} → ${after}`] as const),
  )
  if (reader.side === 'vendor')
    return toVendor(booking, reader.contact, site, `${key}-vendor`, { ...content, facts })
  const path = href('/bookings/:linkToken/change', { linkToken: TOKEN_WHEN_SENT })
  return toCustomer(booking, site, key, { ...content, facts, path })
}
