import type { MailMessage } from '../../adapters/mail/port.ts'

/** A mail whose link is filled in when it is sent, so that a queued mail can't open the purchase. */
export type PurchaseLinkMail = MailMessage & {
  /** The purchase's first payment, from which the customer's unguessable link is derived. */
  paymentId: string
}

/** The placeholder for the link's token in a queued mail. */
export const TOKEN_WHEN_SENT = 'token-when-sent'
