import type { MailContent } from '../../shared/mail.ts'

/** A mail without its sender, which the adapter adds. */
type Envelope = {
  /** The same each time this mail is sent, so that repeated deliveries can be recognised. */
  messageId: string
  to: string
  /** Where replies go, if not to the sender. */
  replyTo?: string
  /**
   * The address that ends a recurring mail by a POST without an account (RFC 8058). Mail programs show a button
   * for it.
   */
  unsubscribeUrl?: string
  subject: string
  text: string
}

/** A mail as it leaves, with both of its parts. */
export type RenderedMail = Envelope & { html: string }

/** A mail as features write and queue it. A mail queued by the version before is already rendered. */
export type MailMessage =
  | (Envelope & { content: MailContent; html?: undefined })
  | (RenderedMail & { content?: undefined })

export interface Mail {
  /** Sends one mail. Throws when the mail server does not accept it; the job queue then retries. */
  send: (message: MailMessage) => Promise<void>
}

/** Sends mails whose HTML part is there. Both are properties, so that the compiler never takes one for the other. */
export interface RenderedMailSender {
  send: (mail: RenderedMail) => Promise<void>
}
