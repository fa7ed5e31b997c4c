import { z } from 'zod'
import type { DisputeStatus } from '../../adapters/payments/port.ts'
import { plainText } from '../../shared/form-texts.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { MAX_MESSAGE_FILES } from '../enquiries/rules.ts'

/** The longest text that a vendor sends with their proof, in characters. */
export const MAX_PROOF_WORDS = 2_000
/** How often a vendor can send proof about one dispute. */
export const MAX_PROOFS = 3
/** An operator needs this long before the bank's own deadline. */
const BEFORE_EVIDENCE_MS = 2 * DAY_MS

export const PROOF_MISSING = 'Write what happened, or attach a file.'
export const TOO_MANY_PROOF_FILES = `Attach at most ${MAX_MESSAGE_FILES} files.`

/** Until when a vendor can send proof; null where the bank asks for no evidence by a day. */
export function proofDueAt(evidenceDueAt: Date | null): Date | null {
  return evidenceDueAt && new Date(evidenceDueAt.getTime() - BEFORE_EVIDENCE_MS)
}

const CLOSED_STATUSES: readonly DisputeStatus[] = ['won', 'lost', 'warning_closed']

/** Why a vendor can't send proof; null if they can. */
export function proofRefusal(
  dispute: { status: DisputeStatus; evidenceDueAt: Date | null; proofs: number },
  now: Date,
): 'decided' | 'too_late' | 'too_many' | null {
  const dueAt = proofDueAt(dispute.evidenceDueAt)
  if (CLOSED_STATUSES.includes(dispute.status)) return 'decided'
  if (dueAt && dueAt <= now) return 'too_late'
  return dispute.proofs >= MAX_PROOFS ? 'too_many' : null
}

// A browser sends a file without a name for an empty field.
const files = z.preprocess(
  (sent) => [sent].flat().filter((file) => file instanceof File && file.name !== ''),
  z.array(z.instanceof(File)).max(MAX_MESSAGE_FILES, { error: TOO_MANY_PROOF_FILES }),
)

/** A vendor's proof: words, files, or both. */
export const proofSchema = z
  .object({
    words: plainText({ max: MAX_PROOF_WORDS, multiline: true }).default(''),
    files,
    submitKey: z.string().regex(/^[A-Za-z0-9_-]{20,64}$/),
  })
  .refine(({ words, files: sent }) => words !== '' || sent.length > 0, {
    path: ['words'],
    error: PROOF_MISSING,
  })
export type Proof = z.output<typeof proofSchema>
