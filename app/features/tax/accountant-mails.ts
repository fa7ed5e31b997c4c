import { href } from 'react-router'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { formatMonth } from '../../shared/dates.ts'
import { composeMail, greeting, type MailSite } from '../../shared/mail.ts'

const urlOf = (token: string, site: MailSite) =>
  new URL(href('/accountant/:token', { token }), site.publicUrl).href

/** To an accountant: a vendor wants to send them documents. Anybody may be asked, so it has no typed text but a proven address. */
export function accountantAskedMail(
  about: { id: string; email: string; vendorEmail: string; token: string },
  site: MailSite,
): MailMessage {
  const url = urlOf(about.token, site)
  const composed = composeMail({
    id: `accountant-${about.id}`,
    to: about.email,
    site,
    subject: `Tax documents from a ${site.brand} vendor?`,
    content: {
      headline: { tone: 'waits', text: 'Tax documents each month?' },
      lines: [
        'Hello,',
        `The vendor with the email address ${about.vendorEmail} would like to send you their invoices, adjustment notes and commission from ${site.brand} each month.`,
        'If you’re their accountant and want that, please agree within 7 days. Otherwise do nothing: we won’t write again.',
      ],
      link: { label: 'See and agree', url },
      why: 'You get this email because a vendor has entered this address as their accountant’s.',
    },
  })
  return { ...composed, unsubscribeUrl: url }
}

/** To a vendor: their accountant has agreed. The address has just proved itself, and the vendor's own is proven. */
export function accountantAgreedMail(
  about: { id: string; accountantEmail: string },
  vendor: { email: string; name: string },
  site: MailSite,
): MailMessage {
  return composeMail({
    id: `accountant-${about.id}-agreed`,
    to: vendor.email,
    site,
    subject: 'Your accountant gets your tax documents',
    content: {
      headline: { tone: 'good', text: 'Your accountant has agreed' },
      lines: [
        greeting(vendor.name),
        `From the next month on, ${about.accountantEmail} gets an email each month with links to your invoices, adjustment notes and commission.`,
        'If you didn’t ask for that, or it’s the wrong address, stop it on Payouts.',
      ],
      link: { label: 'Open Payouts', url: new URL(href('/dashboard/payouts'), site.publicUrl).href },
      why: `You get this email because you entered this address as your accountant’s on ${site.brand}.`,
    },
  })
}

/** To an accountant who has agreed: a month's documents, by a link that is open for 30 days. */
export function accountantMonthMail(
  about: { id: string; email: string; vendorName: string; month: string; token: string },
  site: MailSite,
): MailMessage {
  const url = urlOf(about.token, site)
  const month = formatMonth(about.month)
  const composed = composeMail({
    id: `accountant-${about.id}-${about.month}`,
    to: about.email,
    site,
    subject: `Tax documents of ${about.vendorName} for ${month}`,
    content: {
      headline: { tone: 'plain', text: `Tax documents for ${month}` },
      lines: [
        'Hello,',
        `The invoices, adjustment notes and commission of ${about.vendorName} for ${month} are ready, with files for Xero. The link needs no account, and opens them for 30 days.`,
      ],
      link: { label: 'Open the documents', url },
      second: { label: 'Stop these emails', url },
      why: 'You get this email because you’ve agreed to get it each month as this vendor’s accountant.',
    },
  })
  return { ...composed, unsubscribeUrl: url }
}
