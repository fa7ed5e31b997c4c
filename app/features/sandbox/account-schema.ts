import { z } from 'zod'
import type { SandboxAccountStep } from '../../adapters/payments/sandbox/accounts.server.ts'
import { isLocalDate } from '../../shared/dates.ts'
import { GOOD_BANK_ACCOUNT, RETURNING_BANK_ACCOUNT, SANDBOX_BSB } from '../../shared/sandbox-banks.ts'
import { ACCOUNT_FIELD_MESSAGES } from './account-messages.ts'

const NAME_LENGTH = 100
const name = (message: string) => z.string(message).trim().min(1, message).max(NAME_LENGTH, message)
const digits = (message: string) =>
  z
    .string(message)
    .trim()
    .transform((typed) => typed.replace(/[\s-]/g, ''))

/** A day that has passed, as an HTML date field sends it. */
const birthday = z
  .string(ACCOUNT_FIELD_MESSAGES.dateOfBirth)
  .refine(
    (typed) => typed >= '1900' && isLocalDate(typed) && new Date(typed) < new Date(),
    ACCOUNT_FIELD_MESSAGES.dateOfBirth,
  )

/** The steps of the test provider's account form. Only its test bank accounts are taken, never a real one. */
export const accountFormSchema = z.discriminatedUnion('step', [
  z.object({
    step: z.literal('person'),
    givenName: name(ACCOUNT_FIELD_MESSAGES.givenName),
    surname: name(ACCOUNT_FIELD_MESSAGES.surname),
    dateOfBirth: birthday,
  }),
  z.object({
    step: z.literal('bank'),
    bsb: digits(ACCOUNT_FIELD_MESSAGES.bsb).refine(
      (typed) => typed === SANDBOX_BSB,
      ACCOUNT_FIELD_MESSAGES.bsb,
    ),
    account: digits(ACCOUNT_FIELD_MESSAGES.account).refine(
      (typed) => typed === GOOD_BANK_ACCOUNT || typed === RETURNING_BANK_ACCOUNT,
      ACCOUNT_FIELD_MESSAGES.account,
    ),
  }),
  z.object({ step: z.literal('document') }),
  z.object({ step: z.literal('confirm') }),
])

/** Returns the step that is shown: a chosen step if it can be changed, otherwise the first that is missing; null for none. */
export function shownStep(
  form: { missing: readonly SandboxAccountStep[]; hasEnded: boolean },
  chosen: string | null,
): SandboxAccountStep | null {
  if (form.hasEnded) return null
  const changeable = (['person', 'bank'] as const).find((step) => step === chosen)
  return changeable ?? form.missing[0] ?? null
}
