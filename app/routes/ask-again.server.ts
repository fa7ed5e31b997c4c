import type { RouterContextProvider } from 'react-router'
import type { AccountCode, AccountRefusal } from '../adapters/accounts/port.ts'
import type { ProofAsked } from '../features/accounts/components/proof-fields.tsx'
import { FACTOR_PROOF_NEEDED, PROOF_REFUSALS, type ProofRefusal } from '../features/accounts/messages.ts'
import { servicesContext } from '../request-context.server.ts'

type Asked = { request: Request; context: Readonly<RouterContextProvider> }

/**
 * How a form would ask this person again.
 * @param options.needsFactor for an act that doesn't take the password of an account with a second factor
 * @returns null where a hosted service checks passwords
 */
export async function findProofAsked(
  { request, context }: Asked,
  { needsFactor = false } = {},
): Promise<ProofAsked> {
  const { proofs } = context.get(servicesContext).accounts
  if (!proofs) return null
  const [isDue, ways] = await Promise.all([proofs.isDue(request, { needsFactor }), proofs.findWays(request)])
  return { isDue, byPasskey: ways.hasPasskey, needsCode: needsFactor && ways.hasFactor }
}

/**
 * Asks again for the password, a code or a passkey before a sensitive act, if the last proof is older than ten minutes.
 * The form then shows a field 'proof' beside what was typed, and is sent again. A passkey proves its person by
 * /api/passkey before the form is sent again, so that nothing is due any more.
 * @param options.needsFactor doesn't take the password of an account with a second factor
 * @returns null when the act may go on
 */
export async function askAgain(
  asked: Asked,
  form: FormData,
  { needsFactor = false } = {},
): Promise<ProofRefusal | null> {
  const answer = await proveAgain(asked, form, needsFactor)
  return answer.ok ? null : (REFUSALS[answer.reason] ?? 'proof_wrong')
}

/** The same for the forms of accounts, as a refusal of the account service. */
export async function proveAgain(
  { request, context }: Asked,
  form: FormData,
  needsFactor = false,
): Promise<{ ok: true } | AccountRefusal> {
  const { proofs } = context.get(servicesContext).accounts
  if (!proofs || !(await proofs.isDue(request, { needsFactor }))) return { ok: true }
  const proof = form.get('proof')
  if (typeof proof !== 'string' || proof === '') return { ok: false, reason: 'requires-recent-login' }
  return proofs.prove(request, { proof, needsFactor })
}

const REFUSALS: Partial<Record<AccountCode, ProofRefusal>> = {
  'requires-recent-login': 'proof_needed',
  'multi-factor-auth-required': 'proof_code',
  'too-many-requests': 'proof_limited',
}

/** Where and how the forms of accounts show that a proof was refused. */
export const BESIDE_PROOF = {
  'requires-recent-login': { field: 'proof', message: PROOF_REFUSALS.proof_needed },
  'wrong-password': { field: 'proof', message: PROOF_REFUSALS.proof_wrong },
  'multi-factor-auth-required': { field: 'proof', message: FACTOR_PROOF_NEEDED },
} as const satisfies Partial<Record<AccountCode, { field: string; message: string }>>

/** Takes the proof of a form that changes how an account signs in. */
export type FactorProof = {
  take: (form: FormData) => Promise<{ ok: true } | AccountRefusal>
  /** Where and how the form shows a refusal. */
  besideField: Partial<Record<AccountCode, { field: string; message: string }>>
}

/** The proof for changes of passkeys and two-step login: an account with a second factor gives that one (Decision 52). */
export async function findFactorProof(asked: Asked): Promise<FactorProof> {
  const { accounts } = asked.context.get(servicesContext)
  const ways = await accounts.proofs?.findWays(asked.request)
  return {
    take: (form) => proveAgain(asked, form, true),
    besideField: ways?.hasFactor
      ? { ...BESIDE_PROOF, 'requires-recent-login': BESIDE_PROOF['multi-factor-auth-required'] }
      : BESIDE_PROOF,
  }
}

export const PROOF_STATUSES = {
  proof_needed: 403,
  proof_wrong: 403,
  proof_code: 403,
  proof_limited: 429,
} as const satisfies Record<ProofRefusal, number>
