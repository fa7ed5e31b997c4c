import { type LngLatBoundsLike, Map as MapLibreMap, Marker, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import mapDataUrl from '../../../map/australia.json?url'
import { placeLabel } from '../../places/rules.ts'
import { CANVAS_LABEL, MAP_CREDIT, markerLabel, markerText } from '../map-messages.ts'
import {
  type Bounds,
  clusterGroups,
  extentOf,
  type MapCluster,
  type MapGroup,
  tidyBounds,
} from '../map-rules.ts'
import type { MapColours, MapData, mapStyle } from '../map-style-rules.ts'

/** A place is a suburb, so a closer view has nothing more to show. */
const MAX_ZOOM = 13
/** A single suburb is shown with its surroundings. */
const MAX_FIT_ZOOM = 10.5
const FIT_PADDING = 64
/** The part of the world that the embedded map draws. A narrow screen shows more than Australia. */
const DRAWN: LngLatBoundsLike = [70, -68, 180, 36]
/** Marks moves that a press in the map asked for, beside those by hand, which have an event of their own. */
const ASKED = { isAsked: true }

/** The address of the operator's style, or the embedded one. */
type MapStyle = string | ReturnType<typeof mapStyle>

export type MapView = ReturnType<typeof openMapView>

/**
 * Draws the map into an element.
 * @param options.isShared whether the page around the map scrolls with one finger
 * @param options.onMoved called after a person moved the map, with its bounds; null for all of Australia
 * @param options.onSelect called with the group whose marker was pressed
 */
export function openMapView(
  container: HTMLElement,
  {
    style,
    isShared,
    onMoved,
    onSelect,
  }: {
    style: MapStyle
    isShared: boolean
    onMoved: (bounds: Bounds | null) => void
    onSelect: (group: MapGroup) => void
  },
) {
  const map = createMap(container, style, isShared)
  const markers = createMarkers(map, (cluster) => {
    if (cluster.groups.length === 1 || !zoomInto(map, cluster)) onSelect(cluster.lead)
  })
  map.on('moveend', (event) => {
    markers.draw()
    const isByHand = ('originalEvent' in event && event.originalEvent) || 'isAsked' in event
    if (isByHand) onMoved(shownBounds(map))
  })

  return {
    /** Shows the groups of a search. */
    show: markers.show,
    /**
     * Moves the map to an area, without a search.
     * @param options.isExact whether the area is a part of the map, not the extent of its markers
     */
    fit(bounds: Bounds, { isExact, isAtOnce }: { isExact: boolean; isAtOnce: boolean }) {
      map.fitBounds(toLngLats(bounds), {
        padding: isExact ? 0 : FIT_PADDING,
        maxZoom: isExact ? MAX_ZOOM : MAX_FIT_ZOOM,
        duration: isAtOnce ? 0 : 500,
      })
    },
    zoom(step: 1 | -1) {
      if (step > 0) map.zoomIn({}, ASKED)
      else map.zoomOut({}, ASKED)
    },
    /** Marks the group whose cards are open, and the one of the card under the pointer. */
    mark: markers.setMarked,
    /** Returns the focus to a group's marker. */
    focus: markers.focus,
    setStyle(changed: ReturnType<typeof mapStyle>) {
      map.setStyle(changed)
    },
    /** Calls back when the map can't be drawn any more. */
    onFailure(report: () => void) {
      map.on('webglcontextlost', report)
    },
    remove() {
      map.remove()
    },
  }
}

/** Creates the map, seen from above with the north at the top. */
function createMap(container: HTMLElement, style: MapStyle, isShared: boolean): MapLibreMap {
  setWorkerUrl(workerUrl)
  const map = new MapLibreMap({
    container,
    style,
    bounds: [112, -44, 155, -10],
    maxBounds: DRAWN,
    maxZoom: MAX_ZOOM,
    cooperativeGestures: isShared,
    dragRotate: false,
    pitchWithRotate: false,
    rollEnabled: false,
    touchPitch: false,
    attributionControl:
      typeof style === 'string' ? { compact: true } : { compact: false, customAttribution: [MAP_CREDIT] },
    locale: { 'Map.Title': CANVAS_LABEL },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  return map
}

/**
 * Moves the map closer to the groups of a cluster.
 * @returns false if it can't come closer
 */
function zoomInto(map: MapLibreMap, cluster: MapCluster): boolean {
  const extent = extentOf(cluster.groups)
  if (!extent || map.getZoom() >= MAX_ZOOM - 0.1) return false
  const zoom = map.cameraForBounds(toLngLats(extent), { padding: FIT_PADDING })?.zoom ?? MAX_ZOOM
  map.easeTo(
    {
      center: [(extent.west + extent.east) / 2, (extent.south + extent.north) / 2],
      // At least one step closer, or a press might change nothing.
      zoom: Math.min(MAX_ZOOM, Math.max(zoom, map.getZoom() + 1)),
    },
    ASKED,
  )
  return true
}

/** The bounds on the screen; null for all of Australia. */
function shownBounds(map: MapLibreMap): Bounds | null {
  const bounds = map.getBounds()
  return tidyBounds({
    south: bounds.getSouth(),
    west: bounds.getWest(),
    north: bounds.getNorth(),
    east: bounds.getEast(),
  })
}

type ShownMarker = { marker: Marker; button: HTMLButtonElement; cluster: MapCluster }

/**
 * The markers of the groups: one stop for the Tab key, with arrows that lead from one marker to the next.
 * @param onPress called with the cluster whose marker was pressed
 */
function createMarkers(map: MapLibreMap, onPress: (cluster: MapCluster) => void) {
  let groups: readonly MapGroup[] = []
  let marked: MarkedGroups = { selected: null, lit: null }
  let markers = new Map<string, ShownMarker>()
  const buttons = () => [...markers.values()].map(({ button }) => button)
  const markerOf = (placeId: string | undefined) =>
    [...markers.values()].find(({ cluster }) => cluster.groups.some((group) => group.placeId === placeId))

  const mark = () => {
    for (const each of markers.values()) showMarked(each, marked)
    const all = buttons()
    const stop = all.find((button) => button === document.activeElement) ?? all[0]
    for (const button of all) button.tabIndex = button === stop ? 0 : -1
  }

  const onStep = (button: HTMLButtonElement, step: number) => {
    const all = buttons()
    all.at((all.indexOf(button) + step) % all.length)?.focus()
    mark()
  }

  const create = (cluster: MapCluster): ShownMarker => {
    const button = createMarkerButton(cluster, { onPress: () => onPress(cluster), onStep })
    const { longitude, latitude } = cluster.lead
    const marker = new Marker({ element: button }).setLngLat([longitude, latitude]).addTo(map)
    return { marker, button, cluster }
  }

  /** Draws the clusters at the present zoom. The markers of unchanged clusters stay, and the focus with them. */
  const draw = () => {
    const focused = [...markers.values()].find(({ button }) => button === document.activeElement)
    const next = new Map<string, ShownMarker>()
    for (const cluster of clusterGroups(groups, map.getZoom())) {
      const key = `${cluster.lead.placeId} ${cluster.groups.length} ${cluster.count} ${cluster.price?.cents}`
      const kept = markers.get(key)
      markers.delete(key)
      next.set(key, kept ? { ...kept, cluster } : create(cluster))
    }
    for (const { marker } of markers.values()) marker.remove()
    markers = next
    const isLost = focused && !focused.button.isConnected
    if (isLost) markerOf(focused.cluster.lead.placeId)?.button.focus()
    mark()
  }

  return {
    draw,
    show(shown: readonly MapGroup[]) {
      groups = shown
      draw()
    },
    setMarked(changed: MarkedGroups) {
      marked = changed
      mark()
    },
    focus(placeId: string) {
      markerOf(placeId)?.button.focus()
      mark()
    },
  }
}

/** The ids of the group whose cards are open, and of the one of the card under the pointer. */
type MarkedGroups = { selected: string | null; lit: string | null }

/** Shows whether the cards of a marker are open, and whether it is lit. */
function showMarked({ button, cluster }: ShownMarker, { selected, lit }: MarkedGroups): void {
  const has = (placeId: string | null) => cluster.groups.some((group) => group.placeId === placeId)
  if (cluster.groups.length === 1) button.setAttribute('aria-expanded', String(has(selected)))
  button.toggleAttribute('data-lit', has(lit) || has(selected))
}

/**
 * The button of a marker, with the number and price of its matches.
 * @param options.onStep called with the steps to another marker, by an arrow key
 */
function createMarkerButton(
  cluster: MapCluster,
  { onPress, onStep }: { onPress: () => void; onStep: (button: HTMLButtonElement, step: number) => void },
): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'map-marker'
  if (cluster.groups.length > 1) button.dataset.cluster = 'true'
  const cents = cluster.price?.cents ?? null
  button.textContent = markerText(cluster.count, cents)
  button.setAttribute(
    'aria-label',
    markerLabel(placeLabel(cluster.lead), cluster.groups.length - 1, cluster.count, cents),
  )
  button.addEventListener('click', (event) => {
    event.stopPropagation()
    onPress()
  })
  button.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    // Otherwise the map would move as well.
    event.stopPropagation()
    event.preventDefault()
    onStep(button, step)
  })
  return button
}

function toLngLats({ south, west, north, east }: Bounds): LngLatBoundsLike {
  return [west, south, east, north]
}

/** The colours of the embedded map, from the styles of the site. */
export function readColours(element: Element): MapColours {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(`--map-${name}`).trim()
  return {
    water: colour('water'),
    land: colour('land'),
    coast: colour('coast'),
    border: colour('border'),
    text: colour('text'),
    quiet: colour('quiet'),
  }
}

let mapData: Promise<MapData> | null = null

/** Fetches the data of the embedded map once. */
export function loadMapData(): Promise<MapData> {
  mapData ??= fetch(mapDataUrl).then(async (response) => {
    if (!response.ok) throw new Error(`The map's data answered ${response.status}.`)
    return (await response.json()) as MapData
  })
  mapData.catch(() => {
    mapData = null
  })
  return mapData
}
