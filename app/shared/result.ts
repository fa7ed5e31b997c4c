/**
 * An expected outcome that refuses, without losing the literal type of its reason: the caller maps the closed union of
 * reasons to wording.
 */
export function refuse<const Reason extends string>(reason: Reason): { ok: false; reason: Reason } {
  return { ok: false, reason }
}
