import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { formatInstant, formatShortDay, wallTimeAt } from '../../shared/dates.ts'
import {
  composeMail,
  greeting,
  type MailContent,
  type MailHeadline,
  type MailSite as Site,
} from '../../shared/mail.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { type PurchaseLinkMail, TOKEN_WHEN_SENT } from '../payments/link-mails.ts'
import { AUTHENTICATION_REQUIRED } from '../sales/plan-rules.ts'
import { cardText, dayAt } from './messages.ts'

/** The facts of an instalment that its mails state. */
export type MailedInstalment = {
  id: string
  /** The purchase's first payment, from which the customer's link is derived. */
  paymentId: string
  businessId: string
  vendorName: string
  customerName: string
  customerEmail: string
  /** The event, in words. */
  span: string
  timeZone: string
  amountCents: Cents
  dueAt: Date
  card: { lastFour: string | null } | null
}

const shortDayAt = (at: Date, timeZone: string) => formatShortDay(wallTimeAt(at, timeZone).date)

const PAY = 'Pay now'
const CHANGE_CARD = 'Use another card'

/** To the customer, 7 days before an instalment is charged: amount, date and card. */
export function instalmentReminderMail(
  instalment: MailedInstalment,
  charge: { chargedAt: Date; cardExpires: boolean },
  site: Site,
): PurchaseLinkMail {
  const { timeZone, vendorName, card } = instalment
  const amount = formatMoney(instalment.amountCents)
  const day = dayAt(charge.chargedAt, timeZone)
  return toCustomer(instalment, site, 'reminder', {
    subject: `${amount} on ${shortDayAt(charge.chargedAt, timeZone)}: ${vendorName}`,
    headline: { tone: 'waits', text: `${amount} is due on ${day}` },
    lines: [
      card
        ? `We’ll charge the rest of your booking with ${vendorName}, ${amount}, to your ${cardText(card.lastFour)} on ${formatInstant(charge.chargedAt, timeZone)}.`
        : `The rest of your booking with ${vendorName}, ${amount}, is due on ${day}. There is no card that we can charge, so please pay it yourself.`,
      ...(charge.cardExpires
        ? ['Your card expires before that day. Please use another card, or pay now.']
        : card
          ? ['There’s nothing you need to do. You can also pay now, or use another card.']
          : []),
    ],
  })
}

/** To the customer, once an instalment is paid. */
export function instalmentPaidMail(instalment: MailedInstalment, site: Site): PurchaseLinkMail {
  const amount = formatMoney(instalment.amountCents)
  return toCustomer(instalment, site, 'paid', {
    subject: `Paid: ${amount} to ${instalment.vendorName}`,
    headline: { tone: 'good', text: `Paid: ${amount}` },
    lines: [`We’ve received your payment of ${amount} for your booking with ${instalment.vendorName}.`],
    links: 'receipt',
  })
}

/**
 * To the customer, when the card was refused.
 * @param refusal.tryId names the try among all of the instalment
 * @param refusal.nextTryAt null when the card is not tried again
 * @param refusal.overdueAt when the booking ends if nothing is paid; null where it stands
 * @param refusal.refundCents what the customer gets back if it ends; null where that isn't known
 */
export function cardRefusedMail(
  instalment: MailedInstalment,
  refusal: {
    declineCode: string
    tryId: string
    nextTryAt: Date | null
    overdueAt: Date | null
    refundCents: Cents | null
  },
  site: Site,
): PurchaseLinkMail {
  const { vendorName, timeZone, card } = instalment
  const { overdueAt, refundCents } = refusal
  const amount = formatMoney(instalment.amountCents)
  const by = overdueAt ? ` by ${shortDayAt(overdueAt, timeZone)}` : ''
  const until = overdueAt
    ? [
        `Pay by ${formatInstant(overdueAt, timeZone)}, or we’ll cancel the booking.${refundCents === null ? '' : ` You’d get ${refundCents > 0 ? formatMoney(refundCents) : 'nothing'} back.`}`,
      ]
    : []
  if (refusal.declineCode === AUTHENTICATION_REQUIRED)
    return toCustomer(instalment, site, `approval-${refusal.tryId}`, {
      subject: `Approve ${amount}${by}: ${vendorName}`,
      headline: { tone: 'bad', text: `Your bank wants you to approve ${amount}` },
      lines: [
        `Your bank didn’t let us charge ${amount} to your ${cardText(card?.lastFour ?? null)} without you. Please open the link and approve the payment. It takes a minute.`,
        ...until,
      ],
    })
  return toCustomer(instalment, site, `refused-${refusal.tryId}`, {
    subject: `Pay ${amount}${by}: your card was refused, ${vendorName}`,
    headline: { tone: 'bad', text: `Your card was refused: pay ${amount}${by}` },
    lines: [
      `We couldn’t charge ${amount} for your booking with ${vendorName}${card ? `: your ${cardText(card.lastFour)} was refused` : ''}.`,
      refusal.nextTryAt
        ? `We’ll try again on ${formatInstant(refusal.nextTryAt, timeZone)}. You can also pay now, or use another card.`
        : 'We won’t try this card again. Please pay now, or use another card.',
      ...until,
    ],
  })
}

/** To the customer, when an operator has taken a part or all off an instalment. It states what is left. */
export function instalmentReducedMail(
  instalment: MailedInstalment,
  cents: Cents,
  site: Site,
): PurchaseLinkMail {
  const { vendorName, amountCents, dueAt, timeZone } = instalment
  return toCustomer(instalment, site, `reduced-to-${amountCents}`, {
    subject: `${formatMoney(cents)} off what you owe: ${vendorName}`,
    headline: { tone: 'good', text: `${formatMoney(cents)} off what you owe` },
    lines: [
      `We’ve taken ${formatMoney(cents)} off the rest of your booking with ${vendorName}.`,
      amountCents > 0
        ? `${formatMoney(amountCents)} is left to pay, due on ${dayAt(dueAt, timeZone)}.`
        : 'There’s nothing left to pay.',
    ],
    links: 'booking',
  })
}

/** To the customer, when the vendor gives more time. */
export function extensionMail(instalment: MailedInstalment, until: Date, site: Site): PurchaseLinkMail {
  const amount = formatMoney(instalment.amountCents)
  return toCustomer(instalment, site, 'extension', {
    subject: `Pay ${amount} by ${shortDayAt(until, instalment.timeZone)}: more time from ${instalment.vendorName}`,
    headline: { tone: 'waits', text: `Pay ${amount} by ${dayAt(until, instalment.timeZone)}` },
    lines: [
      `${instalment.vendorName} has given you more time. Please pay ${amount} by ${formatInstant(until, instalment.timeZone)}.`,
    ],
  })
}

/**
 * To the vendor, on days 0, 3 and 6 of an unpaid instalment.
 * @param state.canExtend whether the vendor can still give more time
 */
export function unpaidInstalmentMail(
  instalment: MailedInstalment,
  to: { name: string; email: string },
  state: { notice: number; overdueAt: Date | null; canExtend: boolean },
  site: Site,
): MailMessage {
  const { customerName, timeZone, span } = instalment
  const amount = formatMoney(instalment.amountCents)
  return message(
    instalment,
    `unpaid-${state.notice}`,
    to.email,
    {
      subject: `Not paid yet: ${amount} by ${customerName}`,
      headline: { tone: 'bad', text: `Not paid yet: ${amount}` },
      lines: [
        greeting(to.name),
        `${customerName}’s payment of ${amount} for their booking hasn’t gone through: ${span}. We’ve asked them to pay.`,
        ...(state.overdueAt
          ? [`If it isn’t paid by ${formatInstant(state.overdueAt, timeZone)}, we’ll cancel the booking.`]
          : []),
        ...(state.canExtend ? ['You can give them more time, once.'] : []),
      ],
      link: {
        label: 'See your bookings',
        url: new URL(href('/dashboard/bookings'), site.publicUrl).href,
      },
      why: `You get this email because ${instalment.vendorName} takes bookings on ${site.brand}.`,
    },
    site,
  )
}

function toCustomer(
  instalment: MailedInstalment,
  site: Site,
  kind: string,
  content: {
    subject: string
    headline: MailHeadline
    lines: string[]
    links?: 'receipt' | 'booking'
  },
): PurchaseLinkMail {
  const booking = href('/bookings/:linkToken', { linkToken: TOKEN_WHEN_SENT })
  const link = (label: string, path: string) => ({ label, url: new URL(path, site.publicUrl).href })
  const seeBooking = link('See your booking', booking)
  const links = {
    receipt: { link: seeBooking, second: link('Receipt (PDF)', `${booking}/receipt.pdf`) },
    booking: { link: seeBooking },
    pay: {
      link: link(PAY, href('/bookings/:linkToken/pay', { linkToken: TOKEN_WHEN_SENT })),
      second: link(CHANGE_CARD, href('/bookings/:linkToken/card', { linkToken: TOKEN_WHEN_SENT })),
    },
  }
  const { subject, headline, lines } = content
  const made = message(
    instalment,
    kind,
    instalment.customerEmail,
    {
      subject,
      headline,
      lines: [greeting(instalment.customerName), ...lines],
      ...links[content.links ?? 'pay'],
      why: `You get this email because you booked ${instalment.vendorName} on ${site.brand}.`,
    },
    site,
  )
  return { ...made, paymentId: instalment.paymentId }
}

function message(
  instalment: MailedInstalment,
  kind: string,
  to: string,
  {
    subject,
    ...content
  }: { subject: string; headline: MailHeadline } & Pick<MailContent, 'lines' | 'link' | 'second' | 'why'>,
  site: Site,
) {
  const facts = [
    ['Booked', instalment.vendorName],
    ['When', instalment.span],
    ['Amount', formatMoney(instalment.amountCents)],
  ] as const
  return composeMail({
    id: `instalment-${instalment.id}-${kind}`,
    to,
    site,
    subject,
    content: {
      ...content,
      facts,
      business: { id: instalment.businessId, name: instalment.vendorName },
    },
  })
}
