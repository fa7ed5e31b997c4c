import { useCallback, useRef, useState } from 'react'
import { useAutoplay } from './autoplay.ts'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { Picture, type PictureImage } from './picture.tsx'

/** The time of each picture, from the start of its fade (Specification, section 9). */
export const FADE_DELAY_MS = 3000
/** The duration of a fade, as a timed CSS transition (Specification, section 9; Decision 17). */
export const FADE_SPEED_MS = 800

export type FadeCarouselProps = {
  /** Without images, the placeholder shows; a single one is a still picture without controls. */
  images: readonly (PictureImage & { alt?: string })[]
  /** The subject of the pictures, for the accessible names of the group and each picture: 'Saltbush House'. */
  label: string
  sizes: string
  /** The frame's aspect ratio; default '3 / 2'. */
  ratio?: string
  /** Whether its first picture is the page's first. */
  priority?: boolean
  className?: string
}

/**
 * Pictures that fade into one another automatically, in a loop. They stop while someone looks closer (see
 * `useAutoplay`).
 */
export function FadeCarousel({
  images,
  label,
  sizes,
  ratio = '3 / 2',
  priority,
  className,
}: FadeCarouselProps) {
  const frame = useRef<HTMLElement>(null)
  const count = images.length
  const { index, seen, go } = useSlides(count)
  const current = count > 0 ? index % count : 0
  const advance = useCallback(() => go(1), [go])
  const { possible, paused, setPaused, running } = useAutoplay({
    element: frame,
    delayMs: FADE_DELAY_MS,
    step: index,
    enabled: count > 1,
    advance,
  })
  if (count <= 1) {
    return (
      <Picture
        image={images[0] ?? null}
        alt={images[0]?.alt ?? label}
        sizes={sizes}
        ratio={ratio}
        priority={priority}
        className={className}
      />
    )
  }
  return (
    <section
      ref={frame}
      className={classNames('carousel', className)}
      aria-roledescription="carousel"
      aria-label={`Pictures of ${label}`}
    >
      <div
        className="fade-frame"
        style={{ '--ratio': ratio } as React.CSSProperties}
        aria-live={running ? 'off' : 'polite'}
      >
        {images.map((image, place) => (
          // biome-ignore lint/a11y/useSemanticElements: a slide is a group of its own kind, not a set of fields
          <div
            key={image.url}
            role="group"
            aria-roledescription="slide"
            aria-label={`Image ${place + 1} of ${count}`}
            aria-hidden={place !== current}
            className="fade-slide"
            data-shown={place === current}
            style={{ transitionDuration: `${FADE_SPEED_MS}ms` }}
          >
            {place < seen || place <= current + 1 ? (
              <Picture
                image={image}
                alt={image.alt ?? `${label}, picture ${place + 1} of ${count}`}
                sizes={sizes}
                ratio={ratio}
                priority={priority && place === 0}
              />
            ) : null}
          </div>
        ))}
        <FadeBar
          position={`${current + 1} / ${count}`}
          paused={possible ? paused : null}
          onPause={setPaused}
          onStep={go}
        />
      </div>
    </section>
  )
}

/**
 * The slide in view. The last one is followed by the first.
 * @returns `seen`: how many slides have to be loaded; `go`: steps forwards or backwards
 */
function useSlides(count: number) {
  const [index, setIndex] = useState(0)
  const [seen, setSeen] = useState(1)
  const go = useCallback(
    (step: number) => {
      setIndex((before) => (before + step + count) % count)
      // Loads the remaining pictures just before one of them is needed.
      setSeen(count)
    },
    [count],
  )
  return { index, seen, go }
}

/** The position in the carousel, and its buttons. */
function FadeBar({
  position,
  paused,
  onPause,
  onStep,
}: {
  /** As '2 / 5'. */
  position: string
  /** Null where the pictures don't move by themselves. */
  paused: boolean | null
  onPause: (paused: boolean) => void
  onStep: (step: number) => void
}) {
  return (
    <div className="fade-bar">
      <span className="fade-count" aria-hidden="true">
        {position}
      </span>
      {paused === null ? null : (
        <IconButton
          framed
          label={paused ? 'Play the pictures' : 'Pause the pictures'}
          onClick={() => onPause(!paused)}
        >
          {paused ? <Icon name="play" /> : <Icon name="pause" />}
        </IconButton>
      )}
      <IconButton framed label="Previous image" onClick={() => onStep(-1)}>
        <Icon name="arrow-left" />
      </IconButton>
      <IconButton framed label="Next image" onClick={() => onStep(1)}>
        <Icon name="arrow-right" />
      </IconButton>
    </div>
  )
}
