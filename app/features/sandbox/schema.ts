import { z } from 'zod'
import { ACCOUNT_MISSING, CLOCK_STEP_INVALID, PAYMENT_MISSING } from './messages.ts'
import {
  ACCOUNT_STEPS,
  DISPUTE_STEPS,
  MAX_CLOCK_STEP,
  PAYOUT_STEPS,
  REFUND_STEPS,
  SAVED_CARD_STEPS,
  stepMs,
  WEBHOOK_CHOICES,
} from './rules.ts'

/** A whole number, typed or as JSON. Nothing typed counts as 0. */
function whole(max: number) {
  const number = z.number().int(CLOCK_STEP_INVALID).min(0, CLOCK_STEP_INVALID).max(max, CLOCK_STEP_INVALID)
  const typed = z
    .string()
    .trim()
    .regex(/^\d{0,6}$/, CLOCK_STEP_INVALID)
    .transform(Number)
  return z.union([z.number(), typed], CLOCK_STEP_INVALID).pipe(number).default(0)
}

const webhooks = z.enum(WEBHOOK_CHOICES).default('at_once')
const reference = (message: string) =>
  z
    .string(message)
    .trim()
    .regex(/^[\w-]{1,100}$/, message)
const payment = reference(PAYMENT_MISSING)
const account = reference(ACCOUNT_MISSING)

/** How far the clock moves forward. */
export const clockSchema = z
  .object({
    days: whole(MAX_CLOCK_STEP.days),
    hours: whole(MAX_CLOCK_STEP.hours),
    minutes: whole(MAX_CLOCK_STEP.minutes),
  })
  .refine((step) => stepMs(step) > 0, { path: ['days'], message: CLOCK_STEP_INVALID })

/** A step of the dispute of a payment, named by the provider's reference. */
export const disputeSchema = z.object({ payment, step: z.enum(DISPUTE_STEPS), webhooks })

/** A step of the newest refund of a payment, named by the provider's reference. */
export const refundSchema = z.object({ payment, step: z.enum(REFUND_STEPS), webhooks })

/** The outcome of the next charge of the card that a payment has saved. */
export const savedCardSchema = z.object({ payment, step: z.enum(SAVED_CARD_STEPS) })

/** A move of a vendor's account, named by the provider's reference. */
export const accountSchema = z.object({ account, step: z.enum(ACCOUNT_STEPS), webhooks })

/** The end of the newest payout of an account, named by the provider's reference. */
export const payoutSchema = z.object({ account, step: z.enum(PAYOUT_STEPS), webhooks })

const intent = <Name extends string>(name: Name) => ({ intent: z.literal(name) })

/** The forms of the console. */
export const consoleSchema = z.discriminatedUnion('intent', [
  clockSchema.safeExtend(intent('clock')),
  disputeSchema.extend(intent('dispute')),
  refundSchema.extend(intent('refund')),
  savedCardSchema.extend(intent('saved-card')),
  accountSchema.extend(intent('account')),
  payoutSchema.extend(intent('payout')),
])

export type SandboxOperation = z.output<typeof consoleSchema>
