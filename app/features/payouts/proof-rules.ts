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

export const PROOF_MISSING = 'Write what happened. The bank reads only your words.'
export const TOO_MANY_PROOF_FILES = `Attach at most ${MAX_MESSAGE_FILES} files.`

/** A dispute, as far as it decides about a vendor's proof. */
export type ProvedDispute = {
  status: DisputeStatus
  /** The bank's own deadline; null where it asks for no evidence by a day. */
  evidenceDueAt: Date | null
  /** When we stored the dispute. */
  learnedAt: Date
  /** Whether an answer of ours is under way or sent, by `isAnswered` of the operators. */
  isAnswered: boolean
  proofs: number
}

/**
 * Until when a vendor can send proof: two days before the bank's deadline, or that deadline itself where we learned of the
 * dispute too late for two days. Null where the bank asks for no evidence by a day.
 */
export function proofDueAt({
  evidenceDueAt,
  learnedAt,
}: Pick<ProvedDispute, 'evidenceDueAt' | 'learnedAt'>): Date | null {
  const early = evidenceDueAt && new Date(evidenceDueAt.getTime() - BEFORE_EVIDENCE_MS)
  return early && early > learnedAt ? early : evidenceDueAt
}

const CLOSED_STATUSES: readonly DisputeStatus[] = ['won', 'lost', 'warning_closed', 'prevented']
const ASKING_STATUSES: readonly DisputeStatus[] = ['needs_response', 'warning_needs_response']

/** Why a vendor can't send proof; null if they can. The bank takes one reply, so nothing helps after it. */
export function proofRefusal(
  dispute: ProvedDispute,
  now: Date,
): 'decided' | 'replied' | 'too_late' | 'too_many' | null {
  const dueAt = proofDueAt(dispute)
  if (CLOSED_STATUSES.includes(dispute.status)) return 'decided'
  if (dispute.isAnswered || !ASKING_STATUSES.includes(dispute.status)) return 'replied'
  if (dueAt && dueAt <= now) return 'too_late'
  return dispute.proofs >= MAX_PROOFS ? 'too_many' : null
}

// A browser sends a file without a name for an empty field.
const files = z.preprocess(
  (sent) => [sent].flat().filter((file) => file instanceof File && file.name !== ''),
  z.array(z.instanceof(File)).max(MAX_MESSAGE_FILES, { error: TOO_MANY_PROOF_FILES }),
)

/** A vendor's proof: words, and files for our operators. The bank gets the words alone. */
export const proofSchema = z.object({
  words: plainText({ required: PROOF_MISSING, max: MAX_PROOF_WORDS, multiline: true }),
  files,
  submitKey: z.string().regex(/^[A-Za-z0-9_-]{20,64}$/),
})
export type Proof = z.output<typeof proofSchema>
