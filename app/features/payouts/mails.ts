import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { formatInstant, formatShortDay, formatWeekday, HOME_ZONE, wallTimeAt } from '../../shared/dates.ts'
import { composeMail, greeting, type MailHeadline, type MailSite as Site } from '../../shared/mail.ts'
import { type Cents, formatMoney } from '../../shared/money.ts'
import { zoneLabel } from '../../shared/time-span.ts'
import { HELD_TEXTS, requirementText } from './messages.ts'
import type { HeldReason } from './rules.ts'

type Vendor = { name: string; email: string }

/** A booking as mails about its money mention it. */
export type PaidBooking = {
  businessId: string
  vendorName: string
  /** The event with its zone. */
  span: string
}

/** The provider needs something of a vendor before it pays them, or keeps paying them. */
export function accountNeedsMail(
  needs: { key: string; codes: readonly string[]; dueAt: Date | null; isPaused: boolean },
  to: Vendor,
  site: Site,
): MailMessage {
  const texts = [...new Set(needs.codes.map(requirementText))]
  const by = needs.dueAt ? ` by ${formatInstant(needs.dueAt, HOME_ZONE)}` : ''
  return message(needs.key, to, site, {
    subject: needs.isPaused
      ? 'Your payouts are paused'
      : needs.dueAt
        ? `By ${formatShortDay(wallTimeAt(needs.dueAt, HOME_ZONE).date)}: your payouts need something`
        : 'Your payouts need something',
    headline: needs.isPaused
      ? { tone: 'bad', text: 'Your payouts are paused' }
      : { tone: 'waits', text: `Your payouts need something${by}` },
    lines: [
      needs.isPaused
        ? 'The payment provider has paused your account. Until it is ready again, we hold your money.'
        : `The payment provider needs something from you${by}. After that, payouts may stop.`,
      ...(texts.length > 0 ? [`It asks for: ${texts.join(', ')}.`] : []),
    ],
    label: 'Open your payouts',
  })
}

/** The vendor's account takes money. */
export function accountReadyMail(key: string, to: Vendor, site: Site): MailMessage {
  return message(key, to, site, {
    subject: 'Your payouts are ready',
    headline: { tone: 'good', text: 'Your payouts are ready' },
    lines: [
      'The payment provider has checked your account. We send your share of each booking there after its event.',
      'Money that was waiting for your account leaves within minutes.',
    ],
    label: 'See your payouts',
  })
}

/** A vendor's share has been sent to their account. */
export function moneySentMail(
  transfer: { key: string; booking: PaidBooking; amountCents: Cents; nettedCents: Cents },
  to: Vendor,
  site: Site,
): MailMessage {
  const { booking, amountCents, nettedCents } = transfer
  const amount = formatMoney(amountCents)
  return message(transfer.key, to, site, {
    subject: amountCents > 0 ? `${amount} is on its way to you` : 'A debt was paid from your booking',
    headline:
      amountCents > 0
        ? { tone: 'good', text: `${amount} is on its way to you` }
        : { tone: 'plain', text: 'A debt was paid from your booking' },
    lines: [
      amountCents > 0
        ? `We have sent ${amount} to your account for ${booking.vendorName}, ${booking.span}. Your bank usually has it within a few business days.`
        : `Your share for ${booking.vendorName}, ${booking.span}, has paid a debt, so nothing is left to send.`,
      ...(nettedCents > 0 ? [`${formatMoney(nettedCents)} of your share has paid what you owed us.`] : []),
    ],
    label: 'See your payouts',
    booking,
  })
}

/** A transfer is due and doesn't leave. */
export function moneyHeldMail(
  held: { key: string; booking: PaidBooking; amountCents: Cents; reason: HeldReason },
  to: Vendor,
  site: Site,
): MailMessage {
  const { booking, amountCents, reason } = held
  return message(held.key, to, site, {
    subject: `${formatMoney(amountCents)} is waiting: ${booking.vendorName}`,
    headline: { tone: 'bad', text: `${formatMoney(amountCents)} is waiting` },
    lines: [
      `${formatMoney(amountCents)} for ${booking.vendorName}, ${booking.span}, is ready to leave and waits.`,
      HELD_TEXTS[reason],
    ],
    label: 'Open your payouts',
    booking,
  })
}

/** The vendor's bank has returned a payout. */
export function bankReturnedMail(
  payout: { key: string; amountCents: Cents; bankLast4: string | null },
  to: Vendor,
  site: Site,
): MailMessage {
  const account = payout.bankLast4 ? ` ending in ${payout.bankLast4}` : ''
  return message(payout.key, to, site, {
    subject: `Your bank returned ${formatMoney(payout.amountCents)}`,
    headline: { tone: 'bad', text: `Your bank returned ${formatMoney(payout.amountCents)}` },
    lines: [
      `Your bank account${account} didn’t accept ${formatMoney(payout.amountCents)}. The money is in your account at the payment provider, and nothing is lost.`,
      'Check your bank details in the provider’s form. It pays you again once they are right.',
    ],
    label: 'Check your bank details',
  })
}

/**
 * A customer's bank disputes the payment of a vendor's booking.
 * @param dispute.proof until when the vendor can send proof, `by` null where the bank names no time; null where none is taken
 * @param dispute.timeZone the zone of the place
 */
export function bookingDisputedMail(
  dispute: {
    key: string
    id: string
    booking: PaidBooking
    amountCents: Cents
    proof: { by: Date | null } | null
    timeZone: string
  },
  to: Vendor,
  site: Site,
): MailMessage {
  const { booking, proof, timeZone } = dispute
  const amount = formatMoney(dispute.amountCents)
  const by = proof?.by
  const day = by && wallTimeAt(by, timeZone).date
  const time = by ? ` by ${formatInstant(by, timeZone)}, ${zoneLabel(timeZone)}` : ''
  const about = `It’s about your booking for ${booking.vendorName}, ${booking.span}.`
  return message(dispute.key, to, site, {
    subject: day
      ? `Send proof by ${formatShortDay(day)}: ${amount} disputed, ${booking.vendorName}`
      : `Disputed: ${amount}, ${booking.vendorName}`,
    headline: {
      tone: 'bad',
      text: `${amount} is disputed${day ? `: send proof by ${formatWeekday(day)}` : ''}`,
    },
    lines: proof
      ? [
          `The bank is deciding, so your ${amount} is on hold. Tell us what happened and upload anything that helps${time}. We’ll send the reply.`,
          `${about} The bank reads your words, so say in them what messages, photos and a signed contract show.`,
        ]
      : [`Your ${amount} is on hold while the bank decides.`, about],
    label: proof ? 'Send your proof' : 'See the dispute',
    path: href('/dashboard/disputes/:id', { id: dispute.id }),
    booking,
  })
}

/** The bank has decided about a disputed booking. */
export function disputeDecidedMail(
  dispute: { key: string; booking: PaidBooking; amountCents: Cents; isWon: boolean },
  to: Vendor,
  site: Site,
): MailMessage {
  const { booking, amountCents, isWon } = dispute
  const amount = formatMoney(amountCents)
  return message(dispute.key, to, site, {
    subject: isWon
      ? `Decided in your favour: ${booking.vendorName}`
      : `Decided in the customer’s favour: ${booking.vendorName}`,
    headline: isWon
      ? { tone: 'good', text: `Decided in your favour: ${amount}` }
      : { tone: 'bad', text: `Decided in the customer’s favour: ${amount}` },
    lines: [
      isWon
        ? `The bank has decided in your favour. ${amount} for ${booking.vendorName}, ${booking.span}, comes back, and your share is sent again.`
        : `The bank has given ${amount} for ${booking.vendorName}, ${booking.span}, to the customer. Your share goes back too. The bank’s fee is ours.`,
    ],
    label: 'See your payouts',
    booking,
  })
}

/** Money could not be brought back, so the vendor owes it. */
export function debtMail(
  debt: { key: string; booking: PaidBooking; owedCents: Cents },
  to: Vendor,
  site: Site,
): MailMessage {
  const { booking, owedCents } = debt
  return message(debt.key, to, site, {
    subject: `You owe ${formatMoney(owedCents)}: ${booking.vendorName}`,
    headline: { tone: 'bad', text: `You owe ${formatMoney(owedCents)}` },
    lines: [
      `The customer of ${booking.vendorName}, ${booking.span}, got money back after we had paid you, and your account doesn’t hold enough to return your share.`,
      `${formatMoney(owedCents)} is left. We take it from your next bookings, oldest debt first. You can also pay it by bank transfer: reply to this email.`,
    ],
    label: 'See your payouts',
    booking,
  })
}

function message(
  key: string,
  to: Vendor,
  site: Site,
  content: {
    subject: string
    headline: MailHeadline
    lines: string[]
    label: string
    path?: string
    booking?: PaidBooking
  },
): MailMessage {
  const { subject, headline, lines, label, path = href('/dashboard/payouts'), booking } = content
  return composeMail({
    id: key.replace(/[^\w.-]/g, '-'),
    to: to.email,
    site,
    subject,
    content: {
      headline,
      lines: [greeting(to.name), ...lines],
      link: { label, url: new URL(path, site.publicUrl).href },
      why: `You get this email because ${site.brand} pays you for bookings.`,
      ...(booking ? { business: { id: booking.businessId, name: booking.vendorName } } : {}),
    },
  })
}
