import type { RouterContextProvider } from 'react-router'
import type { PROOF_REFUSALS, ProofRefusal } from '../features/accounts/messages.ts'
import { servicesContext } from '../request-context.server.ts'

/**
 * Asks again for the password or a code before a sensitive act, if the last proof is older than ten minutes. The form
 * then shows a field 'proof' beside what was typed, and is sent again.
 * @param options.needsFactor doesn't take the password of an account with a second factor
 * @returns null when the act may go on
 */
export async function askAgain(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  form: FormData,
  { needsFactor = false } = {},
): Promise<ProofRefusal | null> {
  const { proofs } = context.get(servicesContext).accounts
  if (!proofs || !(await proofs.isDue(request))) return null
  const proof = form.get('proof')
  if (typeof proof !== 'string' || proof === '') return 'proof_needed'
  const answer = await proofs.prove(request, { proof, needsFactor })
  if (answer.ok) return null
  if (answer.reason === 'multi-factor-auth-required') return 'proof_code'
  return answer.reason === 'too-many-requests' ? 'proof_limited' : 'proof_wrong'
}

export const PROOF_STATUSES = {
  proof_needed: 403,
  proof_wrong: 403,
  proof_code: 403,
  proof_limited: 429,
} as const satisfies Record<keyof typeof PROOF_REFUSALS, number>
