import type { DisputeEvidence } from './port.ts'

type EvidenceText = Exclude<keyof DisputeEvidence, 'receiptFile'>

/** Stripe's limits, in characters. All texts together may have 150,000, which these never reach. */
export const EVIDENCE_TEXT_LIMITS = {
  customerName: 5_000,
  customerEmail: 5_000,
  product: 20_000,
  serviceDate: 5_000,
  terms: 20_000,
  refusal: 20_000,
  statement: 20_000,
} as const satisfies Record<EvidenceText, number>

/** The texts of an evidence. */
export const EVIDENCE_TEXTS = Object.keys(EVIDENCE_TEXT_LIMITS) as EvidenceText[]

/** Whether every text is within the provider's limit. */
export function fitsEvidence(evidence: DisputeEvidence): boolean {
  return EVIDENCE_TEXTS.every((name) => evidence[name].length <= EVIDENCE_TEXT_LIMITS[name])
}
