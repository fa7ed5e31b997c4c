import { useEffect, useSyncExternalStore } from 'react'
import { readOwnCookie, SIGNED_IN_COOKIE } from '../../../shared/cookies.ts'
import { SHORTLIST_HINT_COOKIE } from '../rules.ts'
import { findSaved, type HeartAnswer, pressHeart } from './shortlist-client.ts'

const NONE: ReadonlySet<string> = new Set()

// One window has one list, however many hearts it shows.
let saved = NONE
const listeners = new Set<() => void>()
// Other tabs of this browser learn of a change without asking the server. On the server an open channel would keep the
// process alive.
const channel =
  typeof window === 'undefined' || typeof BroadcastChannel === 'undefined'
    ? null
    : new BroadcastChannel('shortlist')
if (channel) channel.onmessage = ({ data }) => show(data as string[])

function show(ids: readonly string[]) {
  saved = new Set(ids)
  for (const listener of listeners) listener()
}

/** Shows the list that the server has told, in every tab. */
export function showSaved(ids: readonly string[]): void {
  show(ids)
  channel?.postMessage(ids)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whose list was read last. undefined before the first read. */
let readFor: string | null | undefined

/** Reads the list once for each visitor of this window. A visitor who has none makes no request. */
function readOnce(userId: string | null) {
  if (readFor === userId) return
  readFor = userId
  const isHinted = [SHORTLIST_HINT_COOKIE, SIGNED_IN_COOKIE].some((name) =>
    readOwnCookie(document.cookie, name),
  )
  if (!isHinted) return show([])
  findSaved().then(
    (ids) => {
      if (ids) show(ids)
    },
    // Empty hearts are the worst that happens. The next page tries again.
    () => {
      readFor = undefined
    },
  )
}

/** The presses that the server hasn't answered yet, by business. */
const pending = new Map<string, boolean>()
// One at a time: the first press makes the list, and the next ones need its cookie.
let last: Promise<unknown> = Promise.resolve()

/** The list as it will be once the pending presses are answered. */
function withPending(ids: Iterable<string>): string[] {
  const all = new Set(ids)
  for (const [id, isWanted] of pending) {
    if (isWanted) all.add(id)
    else all.delete(id)
  }
  return [...all]
}

/**
 * Saves or removes a business. The heart changes at once, and back if it fails.
 * @returns null while an earlier press of this heart is under way, which then decides
 */
async function press(businessId: string, isWanted: boolean): Promise<HeartAnswer | null> {
  if (pending.has(businessId)) return null
  const wasSaved = saved.has(businessId)
  pending.set(businessId, isWanted)
  show(withPending(saved))
  const answering = last.then(() => pressHeart(businessId, isWanted))
  last = answering
  const answer = await answering
  pending.delete(businessId)
  if (answer.ok) showSaved(withPending(answer.ids))
  else show([...saved].filter((id) => id !== businessId).concat(wasSaved ? businessId : []))
  return answer
}

/**
 * The businesses on the visitor's shortlist. Empty on the server and until the browser has read it.
 * @param userId the account that is signed in; undefined until that is known
 */
export function useShortlist(userId: string | null | undefined) {
  useEffect(() => {
    if (userId !== undefined) readOnce(userId)
  }, [userId])
  const ids = useSyncExternalStore(
    subscribe,
    () => saved,
    () => NONE,
  )
  return { ids, press }
}
