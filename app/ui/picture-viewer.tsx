import { type KeyboardEvent, type UIEvent, useEffect, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { useModal } from './modal.ts'
import { Picture, type PictureImage } from './picture.tsx'
import { useZoom } from './use-zoom.ts'
import type { Zoom } from './zoom.ts'
import './picture-viewer.css'

/** `caption` is shown below its picture. */
type ViewedPictures = readonly { image: PictureImage; alt: string; caption?: string }[]

/**
 * Pictures over the whole screen, one at a time: swiped or changed by arrow keys, enlarged by two fingers, a double tap
 * or + and −, closed by Escape. The focus returns to where it was.
 * @param label the subject of the pictures
 * @param start the index of the first one to show
 */
export function PictureViewer({
  pictures,
  label,
  start,
  onClose,
}: {
  pictures: ViewedPictures
  label: string
  start: number
  onClose: () => void
}) {
  const dialog = useModal(true)
  const count = pictures.length
  const { strip, current, go, onScroll } = useStrip(start, count)
  const { zoom, zoomByKey } = useZoom(strip, current)
  const onKeyDown = (event: KeyboardEvent) => {
    const target = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: count - 1 }[event.key]
    if (target !== undefined) go(target)
    if (target !== undefined || zoomByKey(event.key)) event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      className="picture-viewer"
      aria-label={`Pictures of ${label}`}
      onClose={onClose}
      onKeyDown={onKeyDown}
    >
      <p className="picture-viewer-count figures" aria-live="polite">
        <span className="unseen">
          Picture {current + 1} of {count}
        </span>
        <span aria-hidden="true">
          {current + 1} / {count}
        </span>
      </p>
      <ul
        ref={strip}
        // A row that stops scrolling loses the focus otherwise, and the dialog its keys.
        tabIndex={-1}
        className="picture-viewer-strip"
        data-zoomed={zoom.scale > 1}
        onScroll={onScroll}
      >
        <Pictures pictures={pictures} current={current} zoom={zoom} />
      </ul>
      <IconButton
        framed
        label="Close"
        className="picture-viewer-close"
        onClick={() => dialog.current?.close()}
      >
        <Icon name="x" />
      </IconButton>
      {count > 1 ? <StepButtons onStep={(step) => go(current + step)} /> : null}
    </dialog>
  )
}

/**
 * The row of pictures, which scrolls by one at a time.
 * @returns `shown`: the index of the picture in view; `go`: scrolls to an index, from either end on to the other
 */
function useStrip(start: number, count: number) {
  const strip = useRef<HTMLUListElement>(null)
  const [current, setCurrent] = useState(start)
  const latest = useRef(current)
  latest.current = current

  const place = (index: number, behavior: ScrollBehavior) => {
    const row = strip.current
    row?.scrollTo({ left: index * row.clientWidth, behavior })
  }
  // After the dialog has opened: before, the row has no width.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, and after a turn of the phone
  useEffect(() => {
    place(start, 'instant')
    const onResize = () => place(latest.current, 'instant')
    window.addEventListener('resize', onResize)
    return () => window.removeEventListener('resize', onResize)
  }, [])

  return {
    strip,
    current,
    // The row's own scrolling is smooth, unless reduced motion is preferred.
    go: (index: number) => place((index + count) % count, 'auto'),
    onScroll({ currentTarget: { scrollLeft, clientWidth } }: UIEvent<HTMLElement>) {
      if (clientWidth > 0) setCurrent(Math.round(scrollLeft / clientWidth))
    },
  }
}

/** The pictures of the row. Those next to the one in view load before they are swiped in. */
function Pictures({ pictures, current, zoom }: { pictures: ViewedPictures; current: number; zoom: Zoom }) {
  return pictures.map(({ image, alt, caption }, index) => (
    <li key={image.url} inert={index !== current}>
      {Math.abs(index - current) <= 1 ? (
        <span
          className="picture-viewer-zoom"
          style={
            index === current
              ? { transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }
              : undefined
          }
        >
          <Picture image={image} alt={alt} sizes="100vw" ratio="auto" />
        </span>
      ) : null}
      {caption ? <p className="picture-viewer-caption">{caption}</p> : null}
    </li>
  ))
}

/** The buttons that lead to the previous and the next picture. */
function StepButtons({ onStep }: { onStep: (step: 1 | -1) => void }) {
  return (
    <>
      <IconButton
        framed
        label="Previous picture"
        className="picture-viewer-step left-3"
        onClick={() => onStep(-1)}
      >
        <Icon name="arrow-left" />
      </IconButton>
      <IconButton
        framed
        label="Next picture"
        className="picture-viewer-step right-3"
        onClick={() => onStep(1)}
      >
        <Icon name="arrow-right" />
      </IconButton>
    </>
  )
}
