import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useModal } from '../../../ui/modal.ts'
import { placeLabel } from '../../places/rules.ts'
import type { MappedList } from '../browser/map-client.ts'
import { findOwnPlace } from '../browser/position-client.ts'
import { useListedPlaces } from '../browser/use-listed-places.ts'
import { useMapGroups } from '../browser/use-map-groups.ts'
import { MAP_STATE } from '../browser/use-map-open.ts'
import { useMapView } from '../browser/use-map-view.ts'
import {
  FOLLOW_TEXT,
  GROUPS_LOST_TEXT,
  MAP_LABEL,
  MAP_LOADING_TEXT,
  MAP_LOST_TEXT,
  NONE_HERE_TEXT,
  PART_TEXT,
  POSITION_TEXT,
  SEARCH_HERE_TEXT,
  SKIP_MAP_TEXT,
  ZOOM_IN_TEXT,
  ZOOM_OUT_TEXT,
} from '../map-messages.ts'
import { type Bounds, boundsOf, type MapGroup, movedHref, nearHref } from '../map-rules.ts'
import { NO_PLACE_TEXT } from '../near-me-messages.ts'
import { MapCards } from './map-cards-sections.tsx'
import 'maplibre-gl/dist/maplibre-gl.css'
import './list-map-sections.css'

export type ListMapProps = {
  list: MappedList
  /** The number of matches in words. */
  count: string
  /** The businesses of the list's page. */
  listed: readonly { id: string; location: string }[]
  /** Whether there is room for the map beside the list. */
  isWide: boolean
  /** The element that contains the list and the map. */
  frame: HTMLElement
  viewSwitch: ReactNode
  onClose: () => void
  onFailure: (text: string) => void
}

/** The map of a list: beside it, or over it on a narrow screen. */
export function ListMap(props: ListMapProps) {
  const { isWide, count, viewSwitch, onClose } = props
  const end = useRef<HTMLParagraphElement>(null)
  if (!isWide)
    return (
      <FullMap onClose={onClose}>
        <div className="map-bar">
          <p className="figures font-semibold" role="status">
            {count}
          </p>
          {viewSwitch}
        </div>
        <MapPane {...props} />
      </FullMap>
    )
  return (
    <section className="map-panel" aria-label={MAP_LABEL}>
      <button type="button" className="map-skip" onClick={() => end.current?.focus()}>
        {SKIP_MAP_TEXT}
      </button>
      <MapPane {...props} />
      <p ref={end} tabIndex={-1} className="unseen" />
    </section>
  )
}

/** A map over the whole screen. Escape closes it. */
function FullMap({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const dialog = useModal(true)
  return (
    <dialog ref={dialog} className="map-full" aria-label={MAP_LABEL} onClose={onClose}>
      {children}
    </dialog>
  )
}

function MapPane({ list, listed, isWide, frame, onFailure }: ListMapProps) {
  const container = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const { answer, isLost } = useMapGroups(list)
  const [selected, setSelected] = useState<MapGroup | null>(null)
  const [follows, setFollows] = useState(true)
  const [waiting, setWaiting] = useState<{ bounds: Bounds | null } | null>(null)
  const [note, setNote] = useState('')
  const state = isWide ? null : MAP_STATE

  const search = (bounds: Bounds | null) => {
    setWaiting(null)
    follow(bounds)
    // One entry in the history for all moves: 'Back' leads to the search before the map was moved.
    const replace = !isWide || boundsOf(list.href) !== null
    void navigate(movedHref(list.href, bounds), { replace, state, preventScrollReset: true })
  }
  const { view, follow } = useMapView(container, {
    answer,
    isShared: isWide && window.matchMedia('(pointer: coarse)').matches,
    onMoved: (bounds) => (follows ? search(bounds) : setWaiting({ bounds })),
    onSelect: setSelected,
    onFailure: () => onFailure(MAP_LOST_TEXT),
  })
  const groups = answer?.groups ?? []
  const shown = groups.find(({ placeId }) => placeId === selected?.placeId) ?? null
  const lit = useListedPlaces(frame, listed, shown && placeLabel(shown))
  const litId = groups.find((group) => placeLabel(group) === lit)?.placeId ?? null
  useEffect(() => view?.mark({ selected: shown?.placeId ?? null, lit: litId }), [view, shown, litId])

  const close = () => {
    setSelected(null)
    if (shown) view?.focus(shown.placeId)
  }
  const locate = async () => {
    setNote('')
    const place = await findOwnPlace()
    if (place) await navigate(nearHref(list.href, place), { state, preventScrollReset: true })
    else setNote(NO_PLACE_TEXT)
  }
  const message = isLost
    ? GROUPS_LOST_TEXT
    : answer && groups.length === 0
      ? NONE_HERE_TEXT
      : answer?.isPart
        ? PART_TEXT
        : note
  return (
    <div className="map-pane">
      {view ? null : <p className="map-loading">{MAP_LOADING_TEXT}</p>}
      <div ref={container} className="map-canvas" />
      <div className="map-tools">
        <FollowChoice follows={follows} onChange={setFollows} />
        {waiting && !follows ? (
          <Button variant="brand" size="small" onClick={() => search(waiting.bounds)}>
            {SEARCH_HERE_TEXT}
          </Button>
        ) : null}
      </div>
      <div className="map-zoom">
        <IconButton label={ZOOM_IN_TEXT} onClick={() => view?.zoom(1)}>
          <Icon name="plus" />
        </IconButton>
        <IconButton label={ZOOM_OUT_TEXT} onClick={() => view?.zoom(-1)}>
          <Icon name="minus" />
        </IconButton>
        <IconButton label={POSITION_TEXT} onClick={() => void locate()}>
          <Icon name="locate-fixed" />
        </IconButton>
      </div>
      <p role="status" className="map-note">
        {message}
      </p>
      {shown ? <MapCards key={shown.placeId} list={list} group={shown} onClose={close} /> : null}
    </div>
  )
}

function FollowChoice({ follows, onChange }: { follows: boolean; onChange: (follows: boolean) => void }) {
  const id = useId()
  return (
    <label htmlFor={id} className="map-follow">
      <input
        id={id}
        type="checkbox"
        checked={follows}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {FOLLOW_TEXT}
    </label>
  )
}
