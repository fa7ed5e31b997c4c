import { useEffect, useState } from 'react'
import { findGroups, type MapAnswer, type MappedList } from './map-client.ts'

/**
 * The groups of a list's map. While those of another search are fetched, the previous ones stay.
 * @returns `answer` with the address of its list; isLost if it couldn't be fetched
 */
export function useMapGroups({ href, category }: MappedList) {
  const [answer, setAnswer] = useState<(MapAnswer & { href: string }) | null>(null)
  const [lostHref, setLostHref] = useState<string | null>(null)
  useEffect(() => {
    const request = new AbortController()
    findGroups({ href, category }, request.signal).then(
      (found) => {
        setAnswer({ ...found, href })
        setLostHref(null)
      },
      () => {
        if (!request.signal.aborted) setLostHref(href)
      },
    )
    return () => request.abort()
  }, [href, category])
  return { answer, isLost: lostHref === href }
}
