import { z } from 'zod'
import { plainText } from '../../shared/form-texts.ts'
import { parsePrice } from '../../shared/money.ts'
import { AMOUNT_INVALID, MAX_REASON_LENGTH, REASON_MISSING } from './messages.ts'
import type { RefusalReason } from './refusal-messages.ts'
import type { Permission } from './role-rules.ts'

/** A field that an operator fills in before an act. */
export type ActField = {
  label: string
  /** Says who will read it, or how to type it. */
  hint: string
} & (
  | {
      maxLength: number
      inputMode?: 'decimal'
      /** The lines that a long text begins with. Without it the text has one line. */
      rows?: number
      /** Whether it may be left empty. */
      isOptional?: boolean
    }
  | { options: readonly { value: string; label: string }[] }
)

/** Everything about one act of an operator, except the command that carries it out: that one is the server's. */
export type Act = {
  permission: Permission
  /**
   * Whether the operator has to have proved who they are within ten minutes: when money moves or starts to, when a bank or a
   * person gets a final answer, and when rights or an account are given or taken. A withdrawn proposal, a question, a hold and
   * moderation take nothing that can't be given back.
   */
  asksAgain: boolean
  /** Set if a second person may have to confirm it: what decides that, its name while it waits, and the payload that is stored. */
  secondPerson?: { by: 'amount' | 'role'; waiting: string; payload: z.ZodType }
  /** The schema of each value that its form sends, beside the act's name. */
  input: Readonly<Record<string, z.ZodType>>
  /** Those that the operator fills in, in this order. The others come from the page. */
  fields?: Readonly<Record<string, ActField>>
  /** The name of the button, also by what the act is about, and while it runs. */
  button: string
  buttons?: Readonly<Record<string, string>>
  pending: string
  look?: 'brand' | 'danger' | 'quiet'
  /** A question before a step that can't be undone. */
  question?: { title: string; body: string; confirmLabel: string; cancelLabel?: string; danger?: boolean }
  /** The answer once it's done, unless its command has more to say. */
  done: string
  /** Refusals in words of its own, beside the field that they belong to. The others are in `REFUSALS`. */
  refusals?: { field: string; texts: Readonly<Partial<Record<RefusalReason, string>>> }
  /** The entries that it writes into the operators' log, in words. */
  logs: Readonly<Record<string, string>>
}

/** The id of what an act is about. */
export const subject = z.string().min(1).max(100)

export const reasonSchema = plainText({ required: REASON_MISSING, max: MAX_REASON_LENGTH })

/** An amount in cents, from what was typed. */
export const amountSchema = z.string().transform((text, context) => {
  const cents = parsePrice(text)
  if (cents !== null && cents > 0) return cents
  context.addIssue({ code: 'custom', message: AMOUNT_INVALID })
  return z.NEVER
})

/** An amount in cents that the page has shown. */
export const expectedCents = z.coerce.number().int().min(0)

export const reasonField = (label: string, hint: string) => ({ label, hint, maxLength: MAX_REASON_LENGTH })

export const amountField = (label: string, hint: string) =>
  ({ label, hint, maxLength: 20, inputMode: 'decimal' }) as const

/** Confirming what another operator has asked for. It gives a final answer, so it asks for a proof again. */
export const confirming = <const Words extends Pick<Act, 'pending' | 'done'> & Partial<Act>>(
  permission: Permission,
  words: Words,
) => ({ permission, asksAgain: true, input: { id: subject }, button: 'Confirm', logs: {}, ...words })

/** Dropping what waits for a second person. It takes nothing that can't be asked for again. */
export const dropping = (permission: Permission, logs: Act['logs'] = {}) => ({
  permission,
  asksAgain: false,
  input: { id: subject },
  button: 'Drop',
  pending: 'Dropping...',
  look: 'quiet' as const,
  done: 'Dropped',
  logs,
})
