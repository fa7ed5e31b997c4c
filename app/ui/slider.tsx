import {
  type CSSProperties,
  type DragEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useAutoplay } from './autoplay.ts'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

/** The slider's defaults (Specification, section 9). */
export const SLIDER_DELAY_MS = 3000
export const SLIDER_SPEED_MS = 300
/** A drag of fewer pixels counts as a press. */
export const SWIPE_THRESHOLD_PX = 5

export type SliderProps = {
  label: string
  slides: readonly { key: string; content: ReactNode }[]
  /** Shown on the line of the arrows, at its left: usually the section's heading. */
  heading?: ReactNode
  /** CSS widths of a slide up to 768 px and above. Defaults '84%' and a third. */
  slideWidth?: string
  slideWidthWide?: string
  className?: string
}

/**
 * A row of cards that advances automatically and can be swiped. Without the script the row scrolls. After the last stop
 * it returns to the first.
 */
export function Slider({ label, slides, heading, slideWidth, slideWidthWide, className }: SliderProps) {
  const root = useRef<HTMLElement>(null)
  const view = useRef<HTMLDivElement>(null)
  const track = useRef<HTMLUListElement>(null)
  const [index, setIndex] = useState(0)
  const { live, layout } = useLayout(view, track)
  // The last stop is the first to reveal the end of the row.
  const lastStop = Math.max(
    0,
    layout.offsets.findIndex((offset) => offset >= layout.end - 1),
  )
  const stop = Math.min(index, lastStop)
  const shift = shiftOf(layout, stop)
  const go = useCallback(
    (step: number) =>
      setIndex((before) => (Math.min(before, lastStop) + step + lastStop + 1) % (lastStop + 1)),
    [lastStop],
  )
  const advance = useCallback(() => go(1), [go])
  const movable = lastStop > 0
  const { possible, paused, setPaused } = useAutoplay({
    element: root,
    delayMs: SLIDER_DELAY_MS,
    step: stop,
    enabled: movable,
    advance,
  })

  const swipe = useSwipe({ track, layout, stop, lastStop, onStop: setIndex })

  const inView = (slide: number) => {
    if (!live || layout.viewWidth === 0) return true
    const left = (layout.offsets[slide] ?? 0) - shift
    return left > -layout.slideWidth / 2 && left + layout.slideWidth / 2 < layout.viewWidth
  }
  const sizes = { '--slide': slideWidth, '--slide-wide': slideWidthWide } as CSSProperties

  return (
    <section
      ref={root}
      className={classNames('carousel', className)}
      aria-roledescription="carousel"
      aria-label={label}
    >
      <div className="slider-head">
        <div>{heading}</div>
        <div className="carousel-bar" style={movable ? undefined : { visibility: 'hidden' }}>
          {possible ? (
            <IconButton framed label={paused ? 'Play' : 'Pause'} onClick={() => setPaused(!paused)}>
              {paused ? <Icon name="play" /> : <Icon name="pause" />}
            </IconButton>
          ) : null}
          <IconButton framed label="Previous" onClick={() => go(-1)}>
            <Icon name="arrow-left" />
          </IconButton>
          <IconButton framed label="Next" onClick={() => go(1)}>
            <Icon name="arrow-right" />
          </IconButton>
        </div>
      </div>
      {/* Swiping is a shortcut; the arrows are the accessible control. */}
      <div ref={view} className="slider-view" data-live={live} {...swipe}>
        <ul
          ref={track}
          className="slider-track"
          style={{
            ...sizes,
            transitionDuration: `${SLIDER_SPEED_MS}ms`,
            transform: live ? `translate3d(${-shift}px, 0, 0)` : undefined,
          }}
        >
          {slides.map((slide, place) => (
            <li
              key={slide.key}
              aria-roledescription="slide"
              aria-label={`${place + 1} of ${slides.length}`}
              inert={!inView(place)}
            >
              {slide.content}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

type Layout = { offsets: number[]; viewWidth: number; slideWidth: number; end: number }

/** Measures the row once the script runs and whenever its width changes; `live` is true from then on. */
function useLayout(view: RefObject<HTMLDivElement | null>, track: RefObject<HTMLUListElement | null>) {
  const [live, setLive] = useState(false)
  const [layout, setLayout] = useState<Layout>({ offsets: [0], viewWidth: 0, slideWidth: 0, end: 0 })

  useEffect(() => {
    const viewElement = view.current
    const trackElement = track.current
    if (!viewElement || !trackElement) return
    viewElement.scrollLeft = 0
    setLive(true)
    const measure = () => {
      const items = [...trackElement.children] as HTMLElement[]
      const first = items[0]?.offsetLeft ?? 0
      // The view's padding is room for a card's focus ring.
      const viewWidth = trackElement.clientWidth
      setLayout({
        offsets: items.map((item) => item.offsetLeft - first),
        viewWidth,
        slideWidth: items[0]?.offsetWidth ?? 0,
        end: Math.max(0, trackElement.scrollWidth - viewWidth),
      })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(viewElement)
    return () => observer.disconnect()
  }, [view, track])
  return { live, layout }
}

/** The row's shift for a stop, in pixels. */
const shiftOf = (layout: Layout, stop: number) => Math.min(layout.offsets[stop] ?? 0, layout.end)

/** Lets a pointer drag the row, which then settles at the nearest stop. */
function useSwipe({
  track,
  layout,
  stop,
  lastStop,
  onStop,
}: {
  track: RefObject<HTMLUListElement | null>
  layout: Layout
  stop: number
  lastStop: number
  onStop: (stop: number) => void
}) {
  const drag = useRef<{ id: number; startX: number; from: number; moved: boolean } | null>(null)
  const swallowClick = useRef(false)

  const place = (px: number, animated: boolean) => {
    if (!track.current) return
    track.current.style.transitionDuration = animated ? `${SLIDER_SPEED_MS}ms` : '0ms'
    track.current.style.transform = `translate3d(${-px}px, 0, 0)`
  }
  const onPointerDown = (event: PointerEvent) => {
    if (lastStop === 0 || event.button !== 0) return
    swallowClick.current = false
    drag.current = { id: event.pointerId, startX: event.clientX, from: shiftOf(layout, stop), moved: false }
  }
  const onPointerMove = (event: PointerEvent) => {
    const held = drag.current
    if (!held || held.id !== event.pointerId) return
    const distance = event.clientX - held.startX
    if (!held.moved && Math.abs(distance) <= SWIPE_THRESHOLD_PX) return
    if (!held.moved) {
      held.moved = true
      event.currentTarget.setPointerCapture(event.pointerId)
    }
    place(held.from - distance, false)
  }
  const onPointerEnd = (event: PointerEvent) => {
    const held = drag.current
    if (!held || held.id !== event.pointerId) return
    drag.current = null
    if (!held.moved) return
    swallowClick.current = true
    const distance = event.clientX - held.startX
    const slides = Math.max(1, Math.round(Math.abs(distance) / Math.max(1, layout.slideWidth)))
    const target = Math.min(lastStop, Math.max(0, stop + (distance < 0 ? slides : -slides)))
    place(shiftOf(layout, target), true)
    onStop(target)
  }
  return {
    onPointerDown,
    onPointerMove,
    onPointerUp: onPointerEnd,
    onPointerCancel: onPointerEnd,
    onDragStart: (event: DragEvent) => event.preventDefault(),
    onClickCapture(event: MouseEvent) {
      if (!swallowClick.current) return
      swallowClick.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
