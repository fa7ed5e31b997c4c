/** A mail without its sender, which the adapter adds. */
export type MailMessage = {
  /** The same each time this mail is sent, so that repeated deliveries can be recognised. */
  messageId: string
  to: string
  /** Where replies go, if not to the sender. */
  replyTo?: string
  subject: string
  text: string
  html: string
}

export interface Mail {
  /** Sends one mail. Throws when the mail server does not accept it; the job queue then retries. */
  send(message: MailMessage): Promise<void>
}
