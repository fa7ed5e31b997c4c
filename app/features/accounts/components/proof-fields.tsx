import type { ReactNode } from 'react'
import { FACTOR_PROOF_LABEL, PROOF_LABEL } from '../messages.ts'
import type { AccountField, AccountResult } from './account-form.tsx'
import { PasskeyProof } from './passkey-proof.tsx'

/**
 * How a form asks again who its person is. Null where a hosted service checks passwords.
 * @param needsCode whether the password isn't enough
 */
export type ProofAsked = { isDue: boolean; byPasskey: boolean; needsCode: boolean } | null

/**
 * The fields and the button by which an account form asks who its person is. With a hosted service that is the password
 * each time, otherwise a proof once the last is older than ten minutes.
 * @param result the form's refusal, which may ask for a proof that wasn't due when the page was opened
 */
export function proofFields(
  asked: ProofAsked,
  result: AccountResult,
  hint?: string,
): { fields: AccountField[]; children: ReactNode } {
  const field = {
    type: 'password',
    autoComplete: 'current-password',
    ...(hint ? { hint } : {}),
  } as const
  if (!asked) return { fields: [{ ...field, name: 'password', label: 'Your password' }], children: null }
  if (!asked.isDue && !result?.error?.proof) return { fields: [], children: null }
  return {
    fields: [
      asked.needsCode
        ? {
            ...field,
            name: 'proof',
            label: FACTOR_PROOF_LABEL,
            type: 'text',
            inputMode: 'numeric',
            autoComplete: 'one-time-code',
          }
        : { ...field, name: 'proof', label: PROOF_LABEL },
    ],
    children: asked.byPasskey ? <PasskeyProof /> : null,
  }
}
