import { createLimitedThreads, type ThreadLimits, threadFile } from '../../shared/limited-thread.server.ts'
import type { LinkCard, LinkCards } from './port.ts'

/** A card takes some 0.2 s, and the first of a thread a second. */
const LIMITS: ThreadLimits = { ms: 15_000, heapMb: 256, bufferMb: 256 }
/** Libraries and fonts take a second to load, so the cards that follow use the same thread. */
const IDLE_MS = 60_000

/** Draws the cards of links in a thread, so that no request waits for one. */
export function createLinkCards(limits: Partial<ThreadLimits> = {}): LinkCards {
  const draw = createLimitedThreads<LinkCard, Uint8Array>(threadFile(import.meta.url, 'card-worker'), {
    idleMs: IDLE_MS,
  })
  return {
    async draw(card) {
      const ended = await draw(card, { ...LIMITS, ...limits })
      return ended.ok ? ended.answer : null
    },
  }
}
