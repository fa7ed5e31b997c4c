/** A mail as the product writes it; the adapter adds the sender. */
export type MailMessage = {
  /** Stable for one mail however often it is sent, so that a repeated delivery can be recognised. */
  messageId: string
  to: string
  subject: string
  text: string
  html: string
}

export interface Mail {
  /** Hands one mail over. Throws when it could not be handed over: the job queue then tries again. */
  send(message: MailMessage): Promise<void>
}
