import type { RenderedMail } from '../mail/port.ts'
import type { ReceivedMail } from './port.ts'

/**
 * Makes the mail that a mail program would send as the reply to a mail of the demo's outbox: the typed text, and the
 * original quoted below it.
 * @returns null for a mail that takes no replies
 */
export function replyTo(
  mail: RenderedMail & { sentAt: string },
  reply: { id: string; text: string },
): ReceivedMail | null {
  if (!mail.replyTo) return null
  const quoted = mail.text.split('\n').map((line) => `> ${line}`)
  return {
    id: reply.id,
    to: [mail.replyTo.toLowerCase()],
    text: [reply.text, '', `On ${mail.sentAt}, ${mail.to} wrote:`, ...quoted].join('\n'),
    headers: new Map(),
    files: [],
  }
}
