import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { formatShortDay, formatWeekday, wallTimeAt } from '../../shared/dates.ts'
import {
  composeMail,
  greeting,
  type MailContent,
  type MailHeadline,
  type MailSite,
  withToken,
} from '../../shared/mail.ts'
import { type Cents, formatMoney, type PriceUnit } from '../../shared/money.ts'
import { type PurchaseLinkMail, TOKEN_WHEN_SENT } from '../payments/link-mails.ts'
import { paidCentsOf } from '../sales/amount-rules.ts'
import { TAKEN_OFF } from '../terms/timeline-messages.ts'
import { QUANTITY_LABELS } from './messages.ts'
import type { BookingTerms, VendorReader } from './rules.ts'

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
  /** The listing's facts at the time of booking, of the rows with `isOnBooking`. */
  stated: readonly { label: string; text: string }[]
  totalCents: Cents
  /** Taken off the balance before it was paid. */
  takenOffCents: Cents
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
/** The label of the link to a vendor's bookings. */
export const SEE_BOOKINGS = 'See your bookings'
const RECEIPT = 'Receipt (PDF)'

/** A fact of a mail: its label and value. */
type MailFact = readonly [string, string]

/**
 * A mail to the customer, with the booking's facts and its link.
 * @param content.path another page of the booking than its own
 * @param content.facts more facts. One with the label of a booking's own stands in its place
 * @param content.canStop whether its reader can end such mails with one press
 * @param content.isOn whether the event takes place, so that it belongs into a calendar
 */
export function toCustomer(
  booking: MailedBooking,
  site: Site,
  kind: string,
  content: {
    subject: string
    headline: MailHeadline
    lines: string[]
    facts?: MailFact[]
    receipt?: boolean
    path?: string
    label?: string
    isOn?: boolean
    canStop?: boolean
  },
): BookingLinkMail {
  const page = href('/bookings/:linkToken', { linkToken: TOKEN_WHEN_SENT })
  const path = content.path ?? page
  const stop = new URL(`${page}/reminders`, site.publicUrl).href
  const mail = message(
    `booking-${booking.id}-${kind}`,
    booking.customerEmail,
    {
      subject: content.subject,
      headline: content.headline,
      lines: [greeting(booking.customerName), ...content.lines],
      facts: withFacts(booking, content.facts),
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
      ...(content.canStop ? { stop } : {}),
    },
    site,
  )
  return { ...mail, paymentId: booking.paymentId, ...(content.canStop ? { unsubscribeUrl: stop } : {}) }
}

/** A mail to the vendor, with the booking's facts and its customer's contact. */
export function toVendor(
  booking: MailedBooking,
  to: VendorReader,
  site: Site,
  kind: string,
  content: {
    subject: string
    headline: MailHeadline
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
      headline: content.headline,
      lines: [greeting(to.person), ...content.lines],
      facts: [
        ...withFacts(booking, content.facts),
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

/** The day of the event in a subject: 'Sat 13 March'. */
export const dayOf = ({ date }: { date: string }): string => formatShortDay(date)

/** The day of the event in a headline: 'Saturday 13 March'. */
export const weekdayOf = ({ date }: { date: string }): string => formatWeekday(date)

/** The day of an instant at the venue, for a headline: 'Saturday 13 March'. */
export const weekdayAt = (at: Date, { timeZone }: { timeZone: string }): string =>
  formatWeekday(wallTimeAt(at, timeZone).date)

/** The paid amount of the booking, before any refund, in cents. */
export function paidCents({ terms, totalCents }: MailedBooking): Cents {
  return terms ? paidCentsOf(terms) : totalCents
}

function withFacts(booking: MailedBooking, more: readonly MailFact[] = []): MailFact[] {
  const own = factsOf(booking)
  const labels = new Set(own.map(([label]) => label))
  return [
    ...own.map((fact) => more.find(([label]) => label === fact[0]) ?? fact),
    ...more.filter(([label]) => !labels.has(label)),
  ]
}

function factsOf(booking: MailedBooking): MailFact[] {
  return [
    ['Booked', booking.vendorName],
    ['When', booking.span],
    ['Where', booking.place],
    [QUANTITY_LABELS[booking.bookingType], String(booking.quantity)],
    ...booking.stated.map(({ label, text }) => [label, text] as const),
    ['Total', `${formatMoney(booking.totalCents)} including GST where it applies`],
    ...(booking.takenOffCents > 0 ? [[TAKEN_OFF, formatMoney(booking.takenOffCents)] as const] : []),
  ]
}

/** Why a customer gets a mail about a business. */
export function bookedWhy({ vendorName }: { vendorName: string }, { brand }: Site): string {
  return `You get this email because you booked ${vendorName} on ${brand}.`
}

/** Composes a mail about a booking or its payment. @param id the mail's own id, under which it's sent once */
export function message(
  id: string,
  to: string,
  { subject, ...content }: MailContent & { subject: string; headline: MailHeadline },
  site: Site,
) {
  return composeMail({ id, to, site, subject, content })
}
