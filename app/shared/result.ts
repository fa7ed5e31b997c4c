/**
 * An expected refusal that keeps the literal type of its reason, so that the caller can map the closed union of reasons
 * to wording.
 */
export function refuse<const Reason extends string>(reason: Reason): { ok: false; reason: Reason } {
  return { ok: false, reason }
}
