import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Bounds, boundsOf, extentOf, type MapGroup, writeBounds } from '../map-rules.ts'
import { mapStyle } from '../map-style-rules.ts'
import type { MapAnswer } from './map-client.ts'
import { loadMapData, type MapView, openMapView, readColours } from './map-view-client.ts'

/**
 * Draws a list's map into an element and keeps it in step with the list.
 * @param options.answer the groups with the address of their list; null until they are fetched
 * @param options.isShared whether the page around the map scrolls with one finger
 * @param options.onFailure called if the map can't be drawn
 * @returns the view, and a function that remembers the bounds of a search that follows the map, so that the map stays
 */
export function useMapView(
  container: RefObject<HTMLElement | null>,
  {
    answer,
    isShared,
    onMoved,
    onSelect,
    onFailure,
  }: {
    answer: (MapAnswer & { href: string }) | null
    isShared: boolean
    onMoved: (bounds: Bounds | null) => void
    onSelect: (group: MapGroup) => void
    onFailure: () => void
  },
) {
  const [view, setView] = useState<MapView | null>(null)
  /** The bounds of the search that the map itself asked for. null before the first. */
  const followed = useRef<string | null>(null)
  const isFirst = useRef(true)
  const moved = useEffectEvent(onMoved)
  const select = useEffectEvent(onSelect)
  const fail = useEffectEvent(onFailure)
  const styleUrl = answer?.styleUrl
  const isAnswered = answer !== null

  useEffect(() => {
    const element = container.current
    if (!element || !isAnswered) return
    let opened: MapView | null = null
    let isOver = false
    const stopFollowing = new AbortController()
    const open = async () => {
      const data = styleUrl ? null : await loadMapData()
      if (isOver) return
      const style = () => (data ? mapStyle(data, readColours(element)) : (styleUrl ?? ''))
      opened = openMapView(element, { style: style(), isShared, onMoved: moved, onSelect: select })
      opened.onFailure(() => fail())
      if (data)
        followTheme(() => opened?.setStyle(mapStyle(data, readColours(element))), stopFollowing.signal)
      isFirst.current = true
      setView(opened)
    }
    open().catch(() => {
      if (!isOver) fail()
    })
    return () => {
      isOver = true
      stopFollowing.abort()
      setView(null)
      opened?.remove()
    }
  }, [container, isAnswered, styleUrl, isShared])

  useEffect(() => {
    if (!view || !answer) return
    view.show(answer.groups)
    const bounds = boundsOf(answer.href)
    if (writeBounds(bounds) === followed.current) return
    followed.current = null
    const area = bounds ?? extentOf(answer.groups)
    if (area) view.fit(area, { isExact: bounds !== null, isAtOnce: isFirst.current })
    isFirst.current = false
  }, [view, answer])

  const follow = (bounds: Bounds | null) => {
    followed.current = writeBounds(bounds)
  }
  return { view, follow }
}

/** Calls back when the colour scheme changes, by the switch of the site or by the system. */
function followTheme(onChange: () => void, signal: AbortSignal) {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  signal.addEventListener('abort', () => observer.disconnect())
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onChange, { signal })
}
