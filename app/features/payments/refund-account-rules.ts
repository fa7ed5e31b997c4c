import { z } from 'zod'
import { cleanAbn, cleanEmail, cleanPhone } from '../../shared/contact.ts'
import { plainText } from '../../shared/form-texts.ts'
import { MAX_EMAIL_LENGTH, MAX_PERSON_NAME_LENGTH } from '../../shared/one-line.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { groupAbnDigits, isValidAbn } from '../registrations/rules.ts'

/** The account for a refund that can't go back to the card: a PayID, or an account at an Australian bank. */
export type RefundAccount = { name: string } & (
  | { kind: 'payid'; payId: string }
  | { kind: 'account'; bsb: string; account: string }
)

/** The life of an account whose refund isn't settled. */
export const REFUND_ACCOUNT_LASTS_MS = 90 * DAY_MS
/** How long an operator sees an account after opening it. */
export const OPENED_ACCOUNT_LASTS_MS = 10 * MINUTE_MS

export const ACCOUNT_NAME_MISSING = 'Enter the name of the account.'
export const KIND_MISSING = 'Choose PayID or a bank account.'
export const PAY_ID_INVALID = 'Enter an Australian mobile number, an email address or an ABN.'
export const BSB_INVALID = 'A BSB has 6 digits, such as 062-000.'
export const ACCOUNT_INVALID = 'An account number has 5 to 9 digits.'

/** The form's fields. Of those of the other kind, nothing is read. */
export const refundAccountSchema = z.object({
  kind: z.enum(['payid', 'account'], { error: KIND_MISSING }),
  name: plainText({ required: ACCOUNT_NAME_MISSING, max: MAX_PERSON_NAME_LENGTH }),
  payId: plainText({ max: MAX_EMAIL_LENGTH }).default(''),
  bsb: plainText({ max: 20 }).default(''),
  account: plainText({ max: 30 }).default(''),
})
export type RefundAccountField = keyof z.input<typeof refundAccountSchema>

const SEPARATORS = /[\s-]/g

/**
 * Reads the account that a customer has typed.
 * @returns the account, or a message for each field that isn't right
 */
export function readRefundAccount(
  typed: Record<string, unknown>,
): { ok: true; account: RefundAccount } | { ok: false; errors: Partial<Record<RefundAccountField, string>> } {
  const parsed = refundAccountSchema.safeParse(typed)
  if (!parsed.success) {
    const { fieldErrors } = z.flattenError(parsed.error)
    const errors = Object.entries(fieldErrors).flatMap(([field, messages]) =>
      messages?.[0] ? [[field, messages[0]]] : [],
    )
    return { ok: false, errors: Object.fromEntries(errors) }
  }
  const { kind, name } = parsed.data
  if (kind === 'payid') {
    const payId = toPayId(parsed.data.payId)
    return payId === null
      ? { ok: false, errors: { payId: PAY_ID_INVALID } }
      : { ok: true, account: { kind, name, payId } }
  }
  const bsb = parsed.data.bsb.replace(SEPARATORS, '')
  const account = parsed.data.account.replace(SEPARATORS, '')
  const errors = {
    ...(/^\d{6}$/.test(bsb) ? {} : { bsb: BSB_INVALID }),
    ...(/^\d{5,9}$/.test(account) ? {} : { account: ACCOUNT_INVALID }),
  }
  if (Object.keys(errors).length > 0) return { ok: false, errors }
  return { ok: true, account: { kind, name, bsb: `${bsb.slice(0, 3)}-${bsb.slice(3)}`, account } }
}

/** A PayID as banks write it: '0412 345 678', an email address, or '51 824 753 556'; null for anything else. */
function toPayId(typed: string): string | null {
  const email = cleanEmail(typed.toLowerCase())
  if (z.email().safeParse(email).success) return email
  const digits = cleanPhone(typed).replace(SEPARATORS, '').replace(/^\+61/, '0')
  if (/^04\d{8}$/.test(digits)) return `${digits.slice(0, 4)} ${digits.slice(4, 7)} ${digits.slice(7)}`
  const abn = cleanAbn(typed)
  return isValidAbn(abn) ? groupAbnDigits(abn) : null
}

/** An account as its customer and operators see it before it's opened: 'PayID ending 678'. */
export function maskAccount(account: RefundAccount): string {
  if (account.kind === 'account') return `account ending ${account.account.slice(-3)}`
  const [person = '', domain] = account.payId.split('@')
  return domain === undefined
    ? `PayID ending ${person.replaceAll(' ', '').slice(-3)}`
    : `PayID ${person.slice(0, 1)}…@${domain}`
}

/** An account in full, as an operator types it at the bank. */
export function accountText(account: RefundAccount): string {
  return account.kind === 'payid'
    ? `PayID ${account.payId}, ${account.name}`
    : `BSB ${account.bsb}, account ${account.account}, ${account.name}`
}
