import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { formatInstant } from '../../shared/dates.ts'
import { composeMail, type MailSite } from '../../shared/mail.ts'
import { formatMoney } from '../../shared/money.ts'
import type { MoneyTrouble } from '../payments/deps.server.ts'
import { daysBeforeText, OPERATIONS_ZONE } from './messages.ts'

/** To an operator: a dispute to answer, a refund to pay back another way, or an event that was called off late. */
export function troubleMail(trouble: MoneyTrouble, to: string, site: MailSite): MailMessage {
  const amount = formatMoney(trouble.amountCents)
  const by = trouble.dueAt ? ` by ${formatInstant(trouble.dueAt, OPERATIONS_ZONE)}` : ''
  const { subject, lines } = textOf(trouble, amount, by)
  const link = {
    label: 'See the payment',
    url: new URL(href('/operations/payments/:id', { id: trouble.paymentId }), site.publicUrl).href,
  }
  return composeMail({
    id: `${trouble.key.replace(':', '-')}-${to.replace('@', '-at-')}`,
    to,
    site,
    subject,
    content: { lines, link, why: `You get this email because you look after payments on ${site.brand}.` },
  })
}

function textOf(trouble: MoneyTrouble, amount: string, by: string): { subject: string; lines: string[] } {
  switch (trouble.kind) {
    case 'dispute':
      return {
        subject: `Dispute of ${amount}${by}`,
        lines: [
          `A customer's bank disputes ${amount}. No refund leaves while it has the money.`,
          trouble.dueAt
            ? `Answer it under Disputes${by}: with evidence, or by accepting it.`
            : 'The bank asks for no answer yet.',
        ],
      }
    case 'refund_failed':
      return {
        subject: `A refund of ${amount} came back`,
        lines: [
          `The customer's bank did not take a refund of ${amount}. The customer has been told that it is paid back another way.`,
          'Send it again, or pay it back another way and record how.',
        ],
      }
    case 'instalment_not_created':
      return {
        subject: `A balance of ${amount} can't be charged`,
        lines: [
          `The payment service doesn't take our payment for a balance of ${amount}. The customer's card hasn't been charged.`,
          "We try again every few minutes. If that doesn't help, ask the payment service.",
        ],
      }
    case 'near_decline': {
      const { vendorName, span, daysBefore, reason } = trouble
      return {
        subject: `Declined ${daysBeforeText(daysBefore)}: ${vendorName}`,
        lines: [
          `${vendorName} has declined a booking that they had approved: ${span}.`,
          `Their reason: ${reason}`,
          `The customer has been told, and ${amount} is due back to them. They may need help to find another vendor.`,
        ],
      }
    }
  }
}
