import { useEffect, useState } from 'react'

const KEY = 'incomplete-listings'

/**
 * Remembers in this browser which listings were incomplete, so that a listing that becomes complete says so once.
 * @param store the browser's, which private windows may refuse
 * @returns whether it has become complete since it was last seen
 */
export function noteCompleteness(
  store: Pick<Storage, 'getItem' | 'setItem'>,
  { id, isComplete }: { id: string; isComplete: boolean },
): boolean {
  try {
    const known = new Set(JSON.parse(store.getItem(KEY) ?? '[]') as string[])
    const hasBecome = isComplete && known.delete(id)
    if (!isComplete) known.add(id)
    store.setItem(KEY, JSON.stringify([...known]))
    return hasBecome
  } catch {
    return false
  }
}

/** Whether to say, this once, that a listing has become complete. */
export function useCompletedOnce(id: string, isComplete: boolean): boolean {
  const [says, setSays] = useState(false)
  useEffect(() => {
    if (noteCompleteness(localStorage, { id, isComplete })) setSays(true)
  }, [id, isComplete])
  return says
}
