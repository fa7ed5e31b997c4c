import { type ActName, actOf, type InputOf } from '../../features/operators/act-rules.ts'
import type { OperationAnswer } from '../../features/operators/components/operation-form.tsx'
import { REFUSALS, type RefusalReason } from '../../features/operators/refusal-messages.ts'
import {
  type BookingServices,
  bookingDeps,
  type EnquiryServices,
  type PayoutServices,
} from '../../services/deps.server.ts'
import type { Cents } from '../../shared/money.ts'
import type { SignedInOperator } from './operator.server.ts'

/** The operator, and the services that acts are carried out with. */
export type ActContext = {
  services: BookingServices & EnquiryServices & PayoutServices
  operator: SignedInOperator
}

/** Carries acts out, each by its command. An act without one is a type error. */
export type ActHandlers<Name extends ActName> = {
  readonly [One in Name]: (context: ActContext, input: InputOf<One>) => Promise<OperationAnswer>
}

type Refused = { ok: false; reason: RefusalReason } | { ok: false; reason: 'exceeds'; leftCents: Cents }

/** The services of acts that a second person confirms above an amount. */
export const secondPersonDeps = (services: BookingServices) => ({
  ...bookingDeps(services),
  secondOperatorCents: services.config.operatorSecondPersonCents,
})

/** The answer to any refused act. */
export function refused(reason: RefusalReason): OperationAnswer {
  return { ok: false, message: REFUSALS[reason] }
}

/**
 * The answer to an act: that it's done, or the refusal in the act's own words or in those of all.
 * @param message if its command has more to say than the act's `done`
 */
export function answerOf(
  name: ActName,
  outcome: { ok: true } | { ok: false; reason: RefusalReason },
  message: string = actOf(name).done,
): OperationAnswer {
  if (outcome.ok) return { ok: true, message }
  const { refusals } = actOf(name)
  const own = refusals?.texts[outcome.reason]
  return refusals && own
    ? { ok: false, message: own, errors: { [refusals.field]: own } }
    : refused(outcome.reason)
}

/** The same for an act with an amount, whose refusal names the most that it could have been. */
export function answerOfAmount(
  name: ActName,
  outcome: { ok: true } | Refused,
  words: { done?: string | undefined; tooHigh: (leftCents: Cents) => string },
): OperationAnswer {
  if (outcome.ok || outcome.reason !== 'exceeds') return answerOf(name, outcome, words.done)
  const message = words.tooHigh(outcome.leftCents)
  // A confirmation has no field for the amount.
  return { ok: false, message, ...('amount' in actOf(name).input ? { errors: { amount: message } } : {}) }
}
