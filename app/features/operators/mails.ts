import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { formatInstant } from '../../shared/dates.ts'
import { composeMail, greeting, type MailHeadline, type MailSite } from '../../shared/mail.ts'
import { formatMoney } from '../../shared/money.ts'
import type { MailedSide } from '../enquiries/mails.ts'
import type { MoneyTrouble } from '../payments/deps.server.ts'
import { daysBeforeText, OPERATIONS_ZONE, REFUNDS_WAIT, ROLE_HINTS } from './messages.ts'
import type { Role } from './role-rules.ts'
import type { LetterKind } from './rules.ts'

/** To an operator: a dispute to answer, a refund to pay back another way, or an event that was called off late. */
export function troubleMail(trouble: MoneyTrouble, to: string, site: MailSite): MailMessage {
  const amount = formatMoney(trouble.amountCents)
  const by = trouble.dueAt ? ` by ${formatInstant(trouble.dueAt, OPERATIONS_ZONE)}` : ''
  const { subject, headline, lines } = textOf(trouble, amount, by)
  const link = {
    label: 'See the payment',
    url: new URL(href('/operations/payments/:id', { id: trouble.paymentId }), site.publicUrl).href,
  }
  return composeMail({
    id: `${trouble.key.replace(':', '-')}-${to.replace('@', '-at-')}`,
    to,
    site,
    subject,
    content: {
      headline,
      lines: [greeting(''), ...lines],
      link,
      why: `You get this email because you look after payments on ${site.brand}.`,
    },
  })
}

function textOf(
  trouble: MoneyTrouble,
  amount: string,
  by: string,
): { subject: string; headline: MailHeadline; lines: string[] } {
  switch (trouble.kind) {
    case 'dispute':
      return {
        subject: `Dispute of ${amount}${by}`,
        headline: {
          tone: 'waits',
          text: trouble.dueAt ? `Answer the dispute${by}` : 'A payment is disputed',
        },
        lines: [
          `A customer’s bank disputes ${amount}. No refund leaves while it has the money.`,
          trouble.dueAt
            ? `Answer it under Disputes${by}: with evidence, or by accepting it.`
            : 'The bank asks for no answer yet.',
        ],
      }
    case 'refund_failed':
      return {
        subject: `A refund of ${amount} came back`,
        headline: { tone: 'waits', text: `Pay ${amount} back another way` },
        lines: [
          `The customer’s bank didn’t accept a refund of ${amount}.`,
          ...(trouble.isCustomerAsked
            ? [
                'We’ve asked the customer where to send it. Once they’ve named an account, pay it there and record how, or send it to the card again.',
              ]
            : [
                'Their account is deleted, so we have no address to ask. Send it to the card again, or ask the payment service how to reach them.',
              ]),
        ],
      }
    case 'instalment_not_created':
      return {
        subject: `A balance of ${amount} can’t be charged`,
        headline: { tone: 'bad', text: `A balance of ${amount} can’t be charged` },
        lines: [
          `The payment service doesn’t take our payment for a balance of ${amount}. The customer’s card hasn’t been charged.`,
          'We try again every few minutes. If that doesn’t help, ask the payment service.',
        ],
      }
    case 'near_decline': {
      const { vendorName, span, daysBefore, reason, waits } = trouble
      return {
        subject: `Declined ${daysBeforeText(daysBefore)}: ${vendorName}`,
        headline: { tone: 'bad', text: `Declined ${daysBeforeText(daysBefore)}` },
        lines: [
          `${vendorName} has declined a booking that they had approved: ${span}.`,
          `Their reason: ${reason}`,
          `The customer has been told, and ${amount} is due back to them. They may need help to find another vendor.`,
          ...(waits ? [REFUNDS_WAIT] : []),
        ],
      }
    }
  }
}

/** A change of an operator's role: the new or the removed role. */
export type RoleChange = { kind: 'named' | 'changed' | 'removed'; role: Role }

/**
 * To an operator whose role changed, and to every admin. A role that waits for a second admin is told to admins alone.
 * @param about.key identifies the change
 * @param about.email the operator's address
 * @param about.by the address of the admin who changed it
 */
export function roleChangedMail(
  about: (RoleChange | { kind: 'asked'; role: Role }) & { key: string; email: string; by: string },
  to: string,
  site: MailSite,
): MailMessage {
  const { kind, role, email, by } = about
  const isOwn = to === email
  const whose = isOwn ? 'Your' : `${email}’s`
  const what = {
    named: `${by} made ${isOwn ? 'you' : email} an operator of ${site.brand}, with the role ${role}.`,
    changed: `${by} changed ${isOwn ? 'your' : whose} role as an operator to ${role}.`,
    removed: `${by} removed ${isOwn ? 'your' : whose} role as an operator (${role}).`,
    asked: `${by} wants to give ${email} the role ${role}. Another admin has to confirm it within 3 days.`,
  }[kind]
  const after =
    kind === 'removed'
      ? `${isOwn ? 'You can’t' : 'They can’t'} open the operators’ screens any more.`
      : ROLE_HINTS[role]
  const wrong = isOwn
    ? 'If you didn’t expect this, ask the admin.'
    : 'If this shouldn’t have happened, change it under People.'
  const path = isOwn ? href('/operations') : href('/operations/people')
  return composeMail({
    id: `operator-role-${about.key}-${to.replace('@', '-at-')}`,
    to,
    site,
    subject: `${whose} role at ${site.brand}: ${kind === 'removed' ? 'removed' : role}${kind === 'asked' ? ', to be confirmed' : ''}`,
    content: {
      headline: {
        tone: kind === 'asked' ? 'waits' : 'plain',
        text:
          kind === 'asked'
            ? 'A role to be confirmed'
            : `${isOwn ? 'Your' : 'An operator’s'} role has changed`,
      },
      lines: [greeting(''), what, after, wrong],
      ...(kind === 'removed' && isOwn
        ? {}
        : { link: { label: 'Open the operators’ screens', url: new URL(path, site.publicUrl).href } }),
      why: isOwn
        ? `You get this email because your account at ${site.brand} is an operator’s.`
        : `You get this email because you are an admin of ${site.brand}.`,
    },
  })
}

/** The title of a letter about a report, in a subject and a notification. @param about.otherName the other side of the conversation */
export function letterTitle({ kind, otherName }: { kind: LetterKind; otherName: string }): string {
  return kind === 'warning'
    ? `A warning about your conversation with ${otherName}`
    : `Your conversation with ${otherName}`
}

/**
 * To one side of a conversation: an operator's words. An address that isn't proved gets no typed text. Its person reads them
 * among their notifications.
 * @param about.key identifies the letter
 * @param about.body the operator's text, with its paragraphs
 */
export function reportLetterMail(
  to: MailedSide,
  about: { key: string; kind: LetterKind; otherName: string; body: string },
  site: MailSite,
): MailMessage {
  const lines = to.isProven
    ? [
        greeting(to.name),
        `We write about your conversation with ${about.otherName}.`,
        ...paragraphsOf(about.body),
      ]
    : ['Hello,', 'We have written to you about one of your conversations. Log in to read it.']
  const link = {
    label: 'Read it on the site',
    url: new URL(href('/notifications'), site.publicUrl).href,
  }
  return composeMail({
    id: `report-letter-${about.key}-${to.side}`,
    to: to.email,
    site,
    subject: to.isProven ? letterTitle(about) : `A message from ${site.brand}`,
    content: {
      headline: to.isProven
        ? { tone: about.kind === 'warning' ? 'bad' : 'plain', text: letterTitle(about) }
        : { tone: 'plain', text: 'We have written to you' },
      lines,
      ...(to.isProven ? {} : { link }),
      why: `You get this email because this address takes part in a conversation on ${site.brand}.`,
    },
  })
}

const paragraphsOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '')
