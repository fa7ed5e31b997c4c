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

export type MapView = ReturnType<typeof openMapView>

/**
 * Draws the map into an element.
 * @param options.style the operator's style, or the embedded one
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
    style: string | ReturnType<typeof mapStyle>
    isShared: boolean
    onMoved: (bounds: Bounds | null) => void
    onSelect: (group: MapGroup) => void
  },
) {
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

  let groups: readonly MapGroup[] = []
  let selected: string | null = null
  let lit: string | null = null
  let markers = new Map<string, { marker: Marker; button: HTMLButtonElement; cluster: MapCluster }>()

  const press = (cluster: MapCluster) => {
    const extent = extentOf(cluster.groups)
    if (cluster.groups.length === 1 || !extent || map.getZoom() >= MAX_ZOOM - 0.1)
      return onSelect(cluster.lead)
    const zoom = map.cameraForBounds(toLngLats(extent), { padding: FIT_PADDING })?.zoom ?? MAX_ZOOM
    map.easeTo(
      {
        center: [(extent.west + extent.east) / 2, (extent.south + extent.north) / 2],
        // At least one step closer, or a press might change nothing.
        zoom: Math.min(MAX_ZOOM, Math.max(zoom, map.getZoom() + 1)),
      },
      ASKED,
    )
  }

  const mark = () => {
    for (const { button, cluster } of markers.values()) {
      const has = (placeId: string | null) => cluster.groups.some((group) => group.placeId === placeId)
      if (cluster.groups.length === 1) button.setAttribute('aria-expanded', String(has(selected)))
      button.toggleAttribute('data-lit', has(lit) || has(selected))
    }
    const all = [...markers.values()].map(({ button }) => button)
    // One stop for the Tab key: arrows lead from one marker to the next.
    const stop = all.find((button) => button === document.activeElement) ?? all[0]
    for (const button of all) button.tabIndex = button === stop ? 0 : -1
  }

  const create = (cluster: MapCluster) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'map-marker'
    if (cluster.groups.length > 1) button.dataset.cluster = 'true'
    button.textContent = markerText(cluster.count, cluster.price?.cents ?? null)
    button.setAttribute(
      'aria-label',
      markerLabel(placeLabel(cluster.lead), cluster.groups.length - 1, cluster.count, cluster.price),
    )
    button.addEventListener('click', (event) => {
      event.stopPropagation()
      press(cluster)
    })
    button.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
      if (step === undefined) return
      // Otherwise the map would move as well.
      event.stopPropagation()
      event.preventDefault()
      const all = [...markers.values()].map((each) => each.button)
      const next = all.at((all.indexOf(button) + step) % all.length)
      next?.focus()
      mark()
    })
    const { longitude, latitude } = cluster.lead
    return {
      marker: new Marker({ element: button }).setLngLat([longitude, latitude]).addTo(map),
      button,
      cluster,
    }
  }

  const draw = () => {
    const focused = [...markers.values()].find(({ button }) => button === document.activeElement)
    const next = new Map<string, { marker: Marker; button: HTMLButtonElement; cluster: MapCluster }>()
    for (const cluster of clusterGroups(groups, map.getZoom())) {
      const key = `${cluster.lead.placeId} ${cluster.groups.length} ${cluster.count} ${cluster.price?.cents}`
      const kept = markers.get(key)
      markers.delete(key)
      next.set(key, kept ? { ...kept, cluster } : create(cluster))
    }
    for (const { marker } of markers.values()) marker.remove()
    markers = next
    const isLost = focused && !focused.button.isConnected
    const heir = [...next.values()].find(({ cluster }) =>
      cluster.groups.some(({ placeId }) => placeId === focused?.cluster.lead.placeId),
    )
    if (isLost) heir?.button.focus()
    mark()
  }

  map.on('moveend', (event) => {
    draw()
    const isByHand = ('originalEvent' in event && event.originalEvent) || 'isAsked' in event
    if (!isByHand) return
    const bounds = map.getBounds()
    onMoved(
      tidyBounds({
        south: bounds.getSouth(),
        west: bounds.getWest(),
        north: bounds.getNorth(),
        east: bounds.getEast(),
      }),
    )
  })

  return {
    /** Shows the groups of a search. */
    show(shown: readonly MapGroup[]) {
      groups = shown
      draw()
    },
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
    mark(group: { selected: string | null; lit: string | null }) {
      selected = group.selected
      lit = group.lit
      mark()
    },
    /** Returns the focus to a group's marker. */
    focus(placeId: string) {
      const found = [...markers.values()].find(({ cluster }) =>
        cluster.groups.some((group) => group.placeId === placeId),
      )
      found?.button.focus()
      mark()
    },
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
