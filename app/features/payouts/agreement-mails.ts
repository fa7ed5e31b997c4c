import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { formatInstant, formatShortDay, HOME_ZONE, wallTimeAt } from '../../shared/dates.ts'
import { composeMail, greeting, type MailHeadline, type MailSite as Site } from '../../shared/mail.ts'

/** A vendor by their account. Anyone can list with another person's address, so an unproved one gets no name. */
export type AgreementReader = { email: string; name: string; isProven: boolean }

/** The vendor agreement has changed, and the vendor has accepted an earlier one. */
export function agreementChangedMail(
  change: { key: string; until: Date },
  to: AgreementReader,
  site: Site,
): MailMessage {
  const day = formatShortDay(wallTimeAt(change.until, HOME_ZONE).date)
  return message(change.key, to, site, `By ${day}: accept the new vendor agreement`, [
    'We have a new vendor agreement. It now says what each of us promises about listings, and what happens when a customer complains after the event. New vendors accept it before their first listing becomes public.',
    `Please read and accept it by ${formatInstant(change.until, HOME_ZONE)}. Until then, the version that you accepted holds. After that, your payouts wait, and new listings aren’t shown, until you accept it. Your public listings stay public.`,
    'If you don’t want the change, you can end the agreement at any time, without a fee.',
  ])
}

/** A vendor lists, and has accepted no vendor agreement: they began before it was asked for. */
export function agreementAskedMail(key: string, to: AgreementReader, site: Site): MailMessage {
  return message(key, to, site, 'Please accept our vendor agreement', [
    'Every vendor now accepts our vendor agreement. It says what we do for you, what it costs, when you’re paid, and what happens if a customer cancels or complains.',
    'Your public listings stay public. Your payouts wait, and new listings aren’t shown, until you accept it.',
  ])
}

function message(key: string, to: AgreementReader, site: Site, title: string, lines: string[]): MailMessage {
  const headline: MailHeadline = { tone: 'waits', text: title }
  return composeMail({
    id: key.replace(/[^\w.-]/g, '-'),
    to: to.email,
    site,
    subject: title,
    content: {
      headline,
      lines: [greeting(to.isProven ? to.name : ''), ...lines],
      link: { label: 'Read and accept', url: new URL(href('/dashboard/agreement'), site.publicUrl).href },
      why: `You get this email because you list a business on ${site.brand}.`,
    },
  })
}
