/**
 * An expected refusal that keeps the literal type of its reason, so that the caller can map the closed union of reasons
 * to wording. A transaction that returns it is rolled back (adapters/database/transactions.server.ts).
 */
export function refuse<const Reason extends string>(reason: Reason): { ok: false; reason: Reason } {
  return { ok: false, reason }
}

/** Marks a refusal itself, so that it is known wherever this file was loaded from: a build, or its source. */
const KEEPS_WRITES = Symbol.for('jubilee: keeps what its transaction has written')

/** Marks a refusal whose transaction is committed: an attempt that counts, or a state that was found to be over. */
export function keepWrites<Refusal extends { ok: false }>(refusal: Refusal): Refusal {
  return Object.defineProperty(refusal, KEEPS_WRITES, { value: true })
}

/** Whether a refusal is marked by `keepWrites`. */
export function keepsWrites(refusal: { ok: false }): boolean {
  return KEEPS_WRITES in refusal
}
