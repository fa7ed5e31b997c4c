import type { MailMessage } from '../../adapters/mail/port.ts'
import { composeMail, greeting, type MailSite } from '../../shared/mail.ts'

/**
 * The welcome mail, with its unsubscribe link (Decision 22).
 * @param mail.unsubscribeUrl works without an account
 */
export function welcomeMail(mail: {
  messageId: string
  to: string
  site: MailSite
  unsubscribeUrl: string
}): MailMessage {
  const { brand } = mail.site
  const composed = composeMail({
    id: 'newsletter',
    to: mail.to,
    site: mail.site,
    subject: `Welcome to the ${brand} newsletter`,
    content: {
      headline: { tone: 'good', text: 'Welcome' },
      lines: [
        greeting(''),
        `Welcome to the ${brand} newsletter.`,
        'Once a month we write about places, people and dates worth knowing. We use this address for nothing else.',
      ],
      isLinkLast: true,
      link: { label: 'Unsubscribe', url: mail.unsubscribeUrl },
      why: `You get this email because this address was entered for the ${brand} newsletter.`,
    },
  })
  return { ...composed, messageId: mail.messageId, unsubscribeUrl: mail.unsubscribeUrl }
}
