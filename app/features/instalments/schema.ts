import { z } from 'zod'
import type { PublicPaymentConfig } from '../../adapters/payments/port.ts'

/** The pages of an instalment by the booking's link: paying it now, or using another card. */
export type InstalmentStep = 'pay' | 'card'

/** The amount on the button that opens a payment, in cents. A page of an earlier version doesn't send it. */
export const shownCentsSchema = z.coerce.number().int().nonnegative().optional()

/** The form that opens the payment of an instalment. */
export const payInstalmentSchema = z.object({ intent: z.literal('open'), shownCents: shownCentsSchema })

/** The forms that begin and end the change of the card. */
export const changeCardSchema = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('setup'), setupKey: z.string().regex(/^[\w-]{16,64}$/) }),
  z.object({ intent: z.literal('keep'), reference: z.string().regex(/^[\w-]{1,100}$/) }),
])

/** The server's answer to a press on the page of an instalment. */
export type InstalmentAnswer =
  | {
      ok: true
      intent: 'open'
      clientSecret: string
      reference: string
      provider: PublicPaymentConfig
      amountCents: number
      method: string | null
    }
  | {
      ok: true
      intent: 'setup'
      clientSecret: string
      reference: string
      provider: PublicPaymentConfig
      consent: string
    }
  | { ok: true; intent: 'keep'; lastFour: string }
  | {
      ok: false
      reason:
        | 'unknown_booking'
        | 'nothing_due'
        | 'amount_changed'
        | 'unknown_setup'
        | 'unreadable'
        | 'provider_unavailable'
        // Only for the payment of a change.
        | 'time_gone'
        | 'balance_unpaid'
        | 'too_small'
    }
