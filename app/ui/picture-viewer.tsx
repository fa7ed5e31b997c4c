import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { useModal } from './modal.ts'
import { Picture, type PictureImage } from './picture.tsx'
import { useZoom } from './use-zoom.ts'
import './picture-viewer.css'

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
  pictures: readonly { image: PictureImage; alt: string }[]
  label: string
  start: number
  onClose: () => void
}) {
  const dialog = useModal(true)
  const strip = useRef<HTMLUListElement>(null)
  const [shown, setShown] = useState(start)
  const { zoom, zoomByKey } = useZoom(strip, shown)
  const count = pictures.length

  const place = (index: number, behavior: ScrollBehavior) => {
    const row = strip.current
    row?.scrollTo({ left: index * row.clientWidth, behavior })
  }
  // After the dialog has opened: before, the row has no width.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, and after a turn of the phone
  useEffect(() => {
    place(start, 'instant')
    const onResize = () => place(shownNow.current, 'instant')
    window.addEventListener('resize', onResize)
    return () => window.removeEventListener('resize', onResize)
  }, [])
  const shownNow = useRef(shown)
  shownNow.current = shown

  // The row's own scrolling is smooth, unless reduced motion is preferred.
  const go = (index: number) => place((index + count) % count, 'auto')
  const onKeyDown = (event: KeyboardEvent) => {
    const target = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: count - 1 }[event.key]
    if (target !== undefined) go(target)
    if (target !== undefined || zoomByKey(event.key)) event.preventDefault()
  }
  const isZoomed = zoom.scale > 1
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
          Picture {shown + 1} of {count}
        </span>
        <span aria-hidden="true">
          {shown + 1} / {count}
        </span>
      </p>
      <ul
        ref={strip}
        // A row that stops scrolling loses the focus otherwise, and the dialog its keys.
        tabIndex={-1}
        className="picture-viewer-strip"
        data-zoomed={isZoomed}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) => {
          if (clientWidth > 0) setShown(Math.round(scrollLeft / clientWidth))
        }}
      >
        {pictures.map(({ image, alt }, index) => (
          <li key={image.url} inert={index !== shown}>
            {/* The neighbours load before they are swiped in. */}
            {Math.abs(index - shown) <= 1 ? (
              <span
                className="picture-viewer-zoom"
                style={
                  index === shown
                    ? { transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }
                    : undefined
                }
              >
                <Picture image={image} alt={alt} sizes="100vw" ratio="auto" />
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      <IconButton
        framed
        label="Close"
        className="picture-viewer-close"
        onClick={() => dialog.current?.close()}
      >
        <Icon name="x" />
      </IconButton>
      {count > 1 ? (
        <>
          <IconButton
            framed
            label="Previous picture"
            className="picture-viewer-step left-3"
            onClick={() => go(shown - 1)}
          >
            <Icon name="arrow-left" />
          </IconButton>
          <IconButton
            framed
            label="Next picture"
            className="picture-viewer-step right-3"
            onClick={() => go(shown + 1)}
          >
            <Icon name="arrow-right" />
          </IconButton>
        </>
      ) : null}
    </dialog>
  )
}
