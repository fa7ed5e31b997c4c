import { type ComponentType, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Icon } from '../../../ui/icon.tsx'
import { PartBoundary } from '../../../ui/part-boundary.tsx'
import { useMounted } from '../../../ui/use-mounted.ts'
import { categoryOfPath } from '../../businesses/rules.ts'
import { useMapOpen } from '../browser/use-map-open.ts'
import { LIST_TEXT, MAP_LOST_TEXT, MAP_TEXT, NO_WEBGL_TEXT, VIEW_LABEL } from '../map-messages.ts'
import type { ListMapProps } from './list-map-sections.tsx'

/**
 * Shows the map beside a list, or over it on a narrow screen. The map's script is fetched when it is first opened. It is
 * drawn into the element `.map-place` of the list's frame.
 * @param href the list's address with its search
 * @param path the list's path
 * @param count the number of matches in words
 * @param listed the businesses of the list's page
 */
export function MapSwitch({
  href,
  path,
  count,
  listed,
}: {
  href: string
  path: string
  count: string
  listed: ListMapProps['listed']
}) {
  const { isOpen: isChosen, isWide, setOpen } = useMapOpen(href)
  const isOpen = useMounted() && isChosen
  const [ListMap, setListMap] = useState<ComponentType<ListMapProps> | null>(null)
  const [problem, setProblem] = useState('')
  const root = useRef<HTMLDivElement>(null)

  const fail = (text: string) => {
    setProblem(text)
    setOpen(false)
  }
  const change = (open: boolean) => {
    setProblem('')
    setOpen(open)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    // Pressed before this ran.
    if (root.current?.querySelector<HTMLInputElement>('input[value="map"]')?.checked && !isChosen)
      setOpen(true)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each opening
  useEffect(() => {
    if (!isOpen || ListMap) return
    if (!canDraw()) return fail(NO_WEBGL_TEXT)
    import('./list-map-sections.tsx').then(
      (found) => setListMap(() => found.ListMap),
      () => fail(MAP_LOST_TEXT),
    )
  }, [isOpen, ListMap])

  const frame = root.current?.closest<HTMLElement>('.list-and-map')
  const place = frame?.querySelector('.map-place')
  return (
    <div ref={root} className="gap-3 noscript:hidden">
      <ViewSwitch isOpen={isOpen} onChange={change} />
      {problem ? (
        <p role="status" className="text-sm text-quiet">
          {problem}
        </p>
      ) : null}
      {isOpen && ListMap && frame && place
        ? createPortal(
            <PartBoundary part="list-map">
              <ListMap
                list={{ href, category: categoryOfPath(path) }}
                count={count}
                listed={listed}
                isWide={isWide}
                frame={frame}
                viewSwitch={<ViewSwitch isOpen onChange={change} name="view-of-map" />}
                onClose={() => change(false)}
                onFailure={fail}
              />
            </PartBoundary>,
            place,
          )
        : null}
    </div>
  )
}

function ViewSwitch({
  isOpen,
  onChange,
  name = 'view',
}: {
  isOpen: boolean
  onChange: (open: boolean) => void
  name?: string
}) {
  const options = [
    { open: false, label: LIST_TEXT, icon: <Icon name="list" /> },
    { open: true, label: MAP_TEXT, icon: <Icon name="map" /> },
  ]
  return (
    <fieldset className="segments">
      <legend className="unseen">{VIEW_LABEL}</legend>
      {options.map(({ open, label, icon }) => (
        <label key={label}>
          <input
            className="unseen"
            type="radio"
            name={name}
            // A phone shows the picture alone.
            aria-label={label}
            value={open ? 'map' : 'list'}
            checked={isOpen === open}
            onChange={() => onChange(open)}
          />
          {icon}
          <span className="segment-text">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** Whether the browser can draw a map: old graphics cards, remote desktops and locked-down browsers can't. */
function canDraw(): boolean {
  try {
    return document.createElement('canvas').getContext('webgl2') !== null
  } catch {
    return false
  }
}
