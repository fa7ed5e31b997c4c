import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { formatDay, formatShortDay, formatWeekday } from '../../shared/dates.ts'
import {
  composeMail,
  greeting,
  type MailHeadline,
  type MailSite as Site,
  withToken,
} from '../../shared/mail.ts'
import { formatMoney } from '../../shared/money.ts'
import { lineCents } from '../pricing/line-rules.ts'
import { countText, lineText, priceText, SEE_CONVERSATION, validText } from './messages.ts'
import { lastValidDay, optionalIds, type QuoteView, totalOf } from './rules.ts'

type Recipient = { name: string; email: string }

/** A mail about a quote, whose link is filled in when it is sent: a queued mail can't open the quote. */
export type QuoteLinkMail = MailMessage & {
  /** The conversation whose link opens the quote. */
  conversationId: string
}

/** The placeholder for the link's token in a queued mail. */
const TOKEN_WHEN_SENT = 'token-when-sent'

/** Fills the link into a mail that is about to be sent. @param linkToken the token of the mail's conversation */
export function withQuoteLink(
  { conversationId: _, ...message }: QuoteLinkMail,
  linkToken: string,
): MailMessage {
  return withToken(message, TOKEN_WHEN_SENT, linkToken)
}

/** To the customer: a quote and what it offers. @param replaced whether it takes the place of an earlier one */
export function quoteSentMail(quote: QuoteView, to: Recipient, replaced: boolean, site: Site): QuoteLinkMail {
  const total = priceText(quote)
  const optional = optionalIds(quote.lines)
  const day = formatShortDay(quote.date)
  return toCustomer(quote, to, site, 'sent', {
    subject: `${replaced ? 'New quote' : 'Quote'} for ${day}: ${total}, ${quote.businessName}`,
    headline: { tone: 'waits', text: `${total} for ${formatWeekday(quote.date)}` },
    lines: [
      replaced
        ? `${quote.businessName} has sent you a new quote in place of the one before.`
        : `${quote.businessName} has sent you a quote.`,
      ...(quote.note ? [quote.note] : []),
      `${validText(lastValidDay(new Date(quote.validUntil), quote.timeZone))}. To accept it, open it and pay by card. Answering this email doesn’t accept it.`,
      ...(quote.heldUntil ? ['The vendor is holding this time for you.'] : []),
    ],
    facts: [
      ['When', quote.span],
      ['For', countText(quote)],
      ...quote.lines.map((line): readonly [string, string] => [
        lineText(line),
        `${formatMoney(lineCents(line))}${line.isOptional ? ' (optional)' : ''}`,
      ]),
      [
        'Total',
        optional.length > 0
          ? `${total}, or ${formatMoney(totalOf(quote.lines))} with all optional lines`
          : total,
      ],
    ],
    label: 'See the quote',
  })
}

/** To the customer: their vendor has withdrawn a quote. */
export function quoteWithdrawnMail(quote: QuoteView, to: Recipient, site: Site): QuoteLinkMail {
  return toCustomer(quote, to, site, 'withdrawn', {
    subject: `Quote withdrawn: ${formatShortDay(quote.date)}, ${quote.businessName}`,
    headline: { tone: 'bad', text: `Quote withdrawn for ${formatWeekday(quote.date)}` },
    lines: [
      `${quote.businessName} has withdrawn the quote of ${priceText(quote)} for ${formatDay(quote.date)}.`,
      'It can’t be accepted any more. You can write to them to ask for another one.',
    ],
    facts: [],
    label: 'See the quote',
  })
}

/** To the vendor: the customer has declined a quote. */
export function quoteDeclinedMail(quote: QuoteView, to: Recipient, site: Site): MailMessage {
  return toVendor(quote, to, site, 'declined', {
    subject: `Quote declined: ${formatShortDay(quote.date)}, ${quote.customerName}`,
    headline: { tone: 'bad', text: `Quote declined for ${formatWeekday(quote.date)}` },
    lines: [`${quote.customerName} has declined your quote of ${priceText(quote)}.`],
  })
}

/** To the vendor: a quote has expired unanswered. */
export function quoteExpiredMail(quote: QuoteView, to: Recipient, site: Site): MailMessage {
  return toVendor(quote, to, site, 'expired', {
    subject: `Quote expired: ${formatShortDay(quote.date)}, ${quote.customerName}`,
    headline: { tone: 'plain', text: `Quote expired for ${formatWeekday(quote.date)}` },
    lines: [
      `${quote.customerName} didn’t accept your quote of ${priceText(quote)} in time, so it has expired.`,
      'You can send a new one.',
    ],
  })
}

type Content = {
  subject: string
  headline: MailHeadline
  lines: string[]
  facts?: (readonly [string, string])[]
}

function toCustomer(
  quote: QuoteView,
  to: Recipient,
  site: Site,
  kind: string,
  content: Content & { label: string },
): QuoteLinkMail {
  const path = href('/quotes/:id/:link?', { id: quote.id, link: TOKEN_WHEN_SENT })
  const why = `You get this email because you asked ${quote.businessName} for a quote on ${site.brand}.`
  const mail = message(quote, to, site, kind, { ...content, link: { label: content.label, path }, why })
  return { ...mail, conversationId: quote.conversationId }
}

function toVendor(quote: QuoteView, to: Recipient, site: Site, kind: string, content: Content): MailMessage {
  const path = href('/dashboard/inbox/:id?', { id: quote.conversationId })
  const facts = [['When', quote.span] as const]
  const why = `You get this email because ${quote.businessName} is your listing on ${site.brand}.`
  return message(quote, to, site, kind, { facts, ...content, link: { label: SEE_CONVERSATION, path }, why })
}

function message(
  quote: QuoteView,
  to: Recipient,
  site: Site,
  kind: string,
  {
    subject,
    headline,
    lines,
    facts = [],
    link,
    why,
  }: Content & { link: { label: string; path: string }; why: string },
) {
  return composeMail({
    id: `quote-${quote.id}-${kind}`,
    to: to.email,
    site,
    subject,
    content: {
      headline,
      lines: [greeting(to.name), ...lines],
      facts,
      link: { label: link.label, url: new URL(link.path, site.publicUrl).href },
      business: { id: quote.businessId, name: quote.businessName },
      why,
    },
  })
}
