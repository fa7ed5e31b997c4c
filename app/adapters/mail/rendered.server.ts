import { renderMail } from './frame.server.ts'
import type { Mail, RenderedMailSender } from './port.ts'

/** Renders the HTML part of each mail before it is sent. The queue stores only what the mail shows. */
export function createRenderedMail(
  sender: RenderedMailSender,
  site: { brand: string; publicUrl: URL },
): Mail {
  return {
    send(message) {
      if (message.content === undefined) return sender.send(message)
      const { content, ...envelope } = message
      return sender.send({ ...envelope, html: renderMail(content, envelope.subject, site) })
    },
  }
}
