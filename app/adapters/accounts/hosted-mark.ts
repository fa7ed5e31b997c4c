/**
 * What this browser remembers of its session at a hosted service, so that a page asks for the service's SDK only when
 * there is something to do. It is no proof of anything.
 */
const KEY = 'hosted-session'
// The SDK counts a token as expired this much early (Specification, section 9).
const EARLY_MS = 30_000

type Mark = { token: string; endsAtMs: number }

/** The mark, or null where this browser's session was never exchanged. */
export function readMark(): Mark | null {
  try {
    const mark = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Partial<Mark> | null
    return mark && typeof mark.token === 'string' && typeof mark.endsAtMs === 'number' ? (mark as Mark) : null
  } catch {
    // Blocked storage, or somebody wrote into it: then every page asks.
    return null
  }
}

/** @param mark.token the end of the exchanged ID token's signature: enough to know it again, useless for anything else */
export function writeMark(mark: Mark | null): void {
  try {
    if (mark) localStorage.setItem(KEY, JSON.stringify(mark))
    else localStorage.removeItem(KEY)
  } catch {
    // Blocked storage: see readMark.
  }
}

/** Whether the session has run out, as far as this browser knows, or will at any moment. */
export function hasRunOut(mark: Mark | null): boolean {
  return mark === null || mark.endsAtMs - EARLY_MS < Date.now()
}
