import { renderMail, type SendingSite, withFooter } from './frame.server.ts'
import type { Mail, RenderedMailSender } from './port.ts'

/** Renders the HTML part and the footer of each mail before it is sent. The queue stores only what the mail shows. */
export function createRenderedMail(sender: RenderedMailSender, site: SendingSite): Mail {
  return {
    send(message) {
      if (message.content === undefined) return sender.send(message)
      const { content, ...envelope } = message
      const { subject, text } = envelope
      return sender.send({
        ...envelope,
        text: withFooter(text, content, site),
        html: renderMail(content, subject, site),
      })
    },
  }
}
