import { type RefObject, useEffect, useRef, useState } from 'react'
import { NO_ZOOM, panBy, TAP_SCALE, type Zoom, zoomAt } from './zoom.ts'

/** The second tap of a double tap comes this soon, and this near. */
const DOUBLE_TAP_MS = 300
const DOUBLE_TAP_PX = 30
/** The growth by one press of + or −. */
const KEY_STEP = 1.5

type Spot = { clientX: number; clientY: number }

const middleOf = (one: Spot, other: Spot): Spot => ({
  clientX: (one.clientX + other.clientX) / 2,
  clientY: (one.clientY + other.clientY) / 2,
})
const distance = (one: Spot, other: Spot) =>
  Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)

/**
 * Zooms a picture by two fingers, a double tap, a double click, Ctrl and the wheel, or keys. An enlarged picture is
 * moved by one finger or the mouse.
 * @param frame the element that holds the picture and stays in its place
 * @param step changes with the picture, which then starts unzoomed
 */
export function useZoom(frame: RefObject<HTMLElement | null>, step: unknown) {
  const [zoom, setZoom] = useState(NO_ZOOM)
  const latest = useRef(zoom)
  latest.current = zoom
  // biome-ignore lint/correctness/useExhaustiveDependencies: another picture starts unzoomed
  useEffect(() => setZoom(NO_ZOOM), [step])

  useEffect(() => {
    const element = frame.current
    if (!element) return
    const show = (next: Zoom) => {
      latest.current = next
      setZoom(next)
    }
    const gestures = gesturesOn(element, () => latest.current, show)
    const listeners = {
      ...touchListeners(gestures),
      ...mouseListeners(gestures),
    } as Record<string, (event: never) => void>
    for (const [name, listener] of Object.entries(listeners))
      element.addEventListener(name, listener as EventListener, { passive: false })
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        element.removeEventListener(name, listener as EventListener)
    }
  }, [frame])

  /** Zooms by a key: +, − or 0. @returns whether the key is one of them */
  const zoomByKey = (key: string): boolean => {
    const scale = {
      '+': zoom.scale * KEY_STEP,
      '=': zoom.scale * KEY_STEP,
      '-': zoom.scale / KEY_STEP,
      '0': 1,
    }[key]
    const element = frame.current
    if (scale === undefined || !element) return false
    const size = { width: element.clientWidth, height: element.clientHeight }
    setZoom(zoomAt(zoom, scale, { x: 0, y: 0 }, size))
    return true
  }
  return { zoom, zoomByKey }
}

type Gestures = ReturnType<typeof gesturesOn>

/**
 * The changes of the zoom by pointers on a frame.
 * @param current reads the zoom before a change
 * @param show takes the zoom after it
 */
function gesturesOn(element: HTMLElement, current: () => Zoom, show: (zoom: Zoom) => void) {
  const sizeOf = () => ({ width: element.clientWidth, height: element.clientHeight })
  const pointOf = ({ clientX, clientY }: Spot) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
  }
  const zoomBy = (growth: number, at: Spot) =>
    show(zoomAt(current(), current().scale * growth, pointOf(at), sizeOf()))
  return {
    isZoomed: () => current().scale > 1,
    zoomBy,
    /** Enlarges the picture, or shows it whole again. */
    toggle: (at: Spot) => show(zoomAt(current(), current().scale > 1 ? 1 : TAP_SCALE, pointOf(at), sizeOf())),
    pan: (from: Spot, to: Spot) =>
      show(panBy(current(), { x: to.clientX - from.clientX, y: to.clientY - from.clientY }, sizeOf())),
  }
}

/** Two fingers zoom, one moves an enlarged picture, and a double tap enlarges it or shows it whole again. */
function touchListeners({ isZoomed, zoomBy, toggle, pan }: Gestures) {
  let fingers: Touch[] = []
  let lastTap: (Spot & { at: number }) | null = null
  return {
    touchstart(event: TouchEvent) {
      fingers = [...event.touches]
      // Two fingers are no scroll of the row.
      if (fingers.length > 1) event.preventDefault()
    },
    touchmove(event: TouchEvent) {
      const [one, other] = fingers
      const [nowOne, nowOther] = event.touches
      if (one && other && nowOne && nowOther) {
        event.preventDefault()
        zoomBy(distance(nowOne, nowOther) / Math.max(1, distance(one, other)), middleOf(nowOne, nowOther))
        pan(middleOf(one, other), middleOf(nowOne, nowOther))
      } else if (one && nowOne && isZoomed()) {
        event.preventDefault()
        pan(one, nowOne)
      }
      lastTap = null
      fingers = [...event.touches]
    },
    touchend(event: TouchEvent) {
      const [finger] = event.changedTouches
      const isTap = fingers.length === 1 && event.touches.length === 0
      fingers = [...event.touches]
      if (!finger || !isTap) return
      const tap = { clientX: finger.clientX, clientY: finger.clientY, at: event.timeStamp }
      if (lastTap && tap.at - lastTap.at < DOUBLE_TAP_MS && distance(tap, lastTap) < DOUBLE_TAP_PX) {
        // No double click follows, which would undo it.
        event.preventDefault()
        toggle(tap)
        lastTap = null
      } else lastTap = tap
    },
  }
}

/** The mouse moves an enlarged picture, a double click toggles it, and the wheel with Ctrl zooms. */
function mouseListeners({ isZoomed, zoomBy, toggle, pan }: Gestures) {
  let held: Spot | null = null
  return {
    mousedown(event: MouseEvent) {
      held = event
      if (isZoomed()) event.preventDefault()
    },
    mousemove(event: MouseEvent) {
      if (!held || event.buttons !== 1 || !isZoomed()) return
      pan(held, event)
      held = event
    },
    dblclick: toggle,
    wheel(event: WheelEvent) {
      // As a trackpad reports a pinch.
      if (!event.ctrlKey) return
      event.preventDefault()
      zoomBy(Math.exp(-event.deltaY / 100), event)
    },
  }
}
