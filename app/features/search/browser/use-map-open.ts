import { useSyncExternalStore } from 'react'
import { useLocation, useNavigate, useNavigation } from 'react-router'
import { boundsOf } from '../map-rules.ts'

/** The map has room beside the list from here on. */
const WIDE = '(width >= 1200px)'
const KEY = 'map'

const listeners = new Set<() => void>()
/** Where storage is blocked, the choice lasts until the page is reloaded. */
let chosen: boolean | null = null

function isChosen(): boolean | null {
  try {
    const stored = sessionStorage.getItem(KEY)
    return chosen ?? (stored === null ? null : stored === 'open')
  } catch {
    return chosen
  }
}

function choose(isOpen: boolean) {
  chosen = isOpen
  try {
    sessionStorage.setItem(KEY, isOpen ? 'open' : 'closed')
  } catch {
    // Blocked.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function subscribeToWidth(listener: () => void) {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/**
 * Whether the map is open. Beside the list, the choice lasts for the visit, and an address with a part of the map opens
 * it. On a narrow screen the map covers the list, so it belongs to the entry in the history: 'Back' closes it, and
 * returns to it from a business's page.
 * @param listHref the list's address
 */
export function useMapOpen(listHref: string) {
  const isWide = useSyncExternalStore(
    subscribeToWidth,
    () => window.matchMedia(WIDE).matches,
    () => false,
  )
  const wasChosen = useSyncExternalStore(subscribe, isChosen, () => null)
  const { state } = useLocation()
  const navigate = useNavigate()
  const isOpen = isWide ? (wasChosen ?? boundsOf(listHref) !== null) : isMapState(state)
  const { location: coming } = useNavigation()
  const setOpen = (open: boolean) => {
    if (isWide) return choose(open)
    if (open) return void navigate(listHref, { state: MAP_STATE, preventScrollReset: true })
    // A move of the map may have begun a search that isn't shown yet. Its list is the one to show.
    const { pathname, search } = coming && isMapState(coming.state) ? coming : window.location
    void navigate({ pathname, search }, { replace: true, preventScrollReset: true })
  }
  return { isOpen, isWide, setOpen }
}

/** The state of a history entry on which the map covers the list. */
export const MAP_STATE = { map: true }

function isMapState(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'map' in state && state.map === true
}
