/**
 * This browser's record of its session at a hosted service, so that a page loads the service's SDK only when it is
 * needed. It proves nothing.
 */
const KEY = 'hosted-session'
// The SDK treats a token as expired this long before its end (Specification, section 9).
const EARLY_MS = 30_000

type Mark = { token: string; endsAtMs: number }

/** The mark; null when this browser never exchanged a token for a session. */
export function readMark(): Mark | null {
  try {
    const mark = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Partial<Mark> | null
    return mark && typeof mark.token === 'string' && typeof mark.endsAtMs === 'number' ? (mark as Mark) : null
  } catch {
    // Storage is blocked or holds something else. Every page then loads the SDK.
    return null
  }
}

/** @param mark.token the end of the exchanged ID token's signature: enough to recognise it, useless otherwise */
export function writeMark(mark: Mark | null): void {
  try {
    if (mark) localStorage.setItem(KEY, JSON.stringify(mark))
    else localStorage.removeItem(KEY)
  } catch {
    // Storage is blocked: see readMark.
  }
}

/** Whether, by this browser's record, the session has expired or is about to. */
export function hasRunOut(mark: Mark | null): boolean {
  return mark === null || mark.endsAtMs - EARLY_MS < Date.now()
}
