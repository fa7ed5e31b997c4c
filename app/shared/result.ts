/**
 * An expected refusal that keeps the literal type of its reason, so that the caller can map the closed union of reasons
 * to wording. A transaction that returns it is rolled back (adapters/database/transactions.server.ts).
 */
export function refuse<const Reason extends string>(reason: Reason): { ok: false; reason: Reason } {
  return { ok: false, reason }
}

const keeping = new WeakSet<object>()

/** Marks a refusal whose transaction is committed: an attempt that counts, or a state that was found to be over. */
export function keepWrites<Refusal extends { ok: false }>(refusal: Refusal): Refusal {
  keeping.add(refusal)
  return refusal
}

/** Whether a refusal is marked by `keepWrites`. */
export function keepsWrites(refusal: { ok: false }): boolean {
  return keeping.has(refusal)
}
