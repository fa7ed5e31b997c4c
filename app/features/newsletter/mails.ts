import type { MailMessage } from '../../adapters/mail/port.ts'
import { mailHtml } from '../../shared/mail-html.ts'

/**
 * The welcome mail, with its unsubscribe link (Decision 22).
 * @param mail.unsubscribeUrl works without an account
 */
export function welcomeMail(mail: {
  messageId: string
  to: string
  brand: string
  unsubscribeUrl: string
}): MailMessage {
  const subject = `Welcome to the ${mail.brand} newsletter`
  const lines = [
    `Welcome to the ${mail.brand} newsletter.`,
    'Once a month we write about places, people and dates worth knowing. We use this address for nothing else.',
  ]
  return {
    messageId: mail.messageId,
    to: mail.to,
    subject,
    text: `${lines.join('\n\n')}\n\nUnsubscribe: ${mail.unsubscribeUrl}\n`,
    html: mailHtml({
      brand: mail.brand,
      subject,
      lines,
      link: { label: 'Unsubscribe', url: mail.unsubscribeUrl },
    }),
  }
}
