import { type ComponentType, type MouseEvent, useEffect, useRef, useState } from 'react'
import { FadeCarousel } from '../../../ui/carousel.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { PartBoundary } from '../../../ui/part-boundary.tsx'
import { Picture } from '../../../ui/picture.tsx'
import type { PictureViewer } from '../../../ui/picture-viewer.tsx'
import { FULL_SCREEN_TEXT, pictureAlt } from '../picture-messages.ts'
import type { BusinessImage } from '../rules.ts'

/** Beside the large picture on wide screens. */
const SMALL_PICTURES = 2

const addressOf = ({ url }: BusinessImage) => `${url}?w=1600&f=jpeg`

/**
 * A business's carousel, on wide screens with two small pictures beside it. Each opens full screen. Without a script
 * they lead to the pictures themselves.
 */
export function PictureGallery({ pictures, name }: { pictures: readonly BusinessImage[]; name: string }) {
  const root = useRef<HTMLDivElement>(null)
  const [Viewer, setViewer] = useState<ComponentType<Parameters<typeof PictureViewer>[0]> | null>(null)
  const [start, setStart] = useState<number | null>(null)

  const open = async (index: number) => {
    try {
      const { PictureViewer } = await import('../../../ui/picture-viewer.tsx')
      setViewer(() => PictureViewer)
      setStart(index)
    } catch {
      const picture = pictures[index]
      if (picture) window.location.assign(addressOf(picture))
    }
  }
  const latest = useRef(open)
  latest.current = open
  const [first] = pictures
  const isEmpty = !first
  useEffect(() => {
    // One picture is a frame without controls.
    const frame = root.current?.querySelector<HTMLElement>('.fade-frame, .picture')
    if (!frame || isEmpty) return
    const onClick = ({ target }: Event) => {
      if (!(target as Element).closest('button')) void latest.current(shownIn(frame))
    }
    frame.addEventListener('click', onClick)
    return () => frame.removeEventListener('click', onClick)
  }, [isEmpty])

  const small = pictures.slice(1, 1 + SMALL_PICTURES)
  const follow = (index: number) => (event: MouseEvent) => {
    // A new tab is for the picture itself.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    void open(index)
  }
  return (
    <div ref={root} className={first ? 'gallery gallery-zoom' : 'gallery'}>
      <FadeCarousel
        images={pictures}
        label={name}
        sizes="(min-width: 769px) 58vw, 100vw"
        priority
        className="morph-end max-md:mx-[calc(-1*var(--gutter))] max-md:[&_.fade-frame]:rounded-none max-md:[&.picture]:rounded-none"
      />
      {first ? (
        <a
          href={addressOf(first)}
          title={FULL_SCREEN_TEXT}
          aria-label={FULL_SCREEN_TEXT}
          className="gallery-open icon-button icon-button-framed"
          onClick={(event) => {
            const frame = root.current?.querySelector<HTMLElement>('.fade-frame')
            follow(frame ? shownIn(frame) : 0)(event)
          }}
        >
          <Icon name="maximize-2" />
        </a>
      ) : null}
      {small.length > 0 ? (
        <ul className="gallery-side">
          {small.map((picture, index) => (
            <li key={picture.url}>
              <a href={addressOf(picture)} onClick={follow(index + 1)}>
                <Picture
                  image={picture}
                  alt={pictureAlt(name, pictures, index + 1)}
                  sizes="200px"
                  ratio="auto"
                  className="size-full"
                />
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      {Viewer && start !== null ? (
        <PartBoundary part="picture-viewer">
          <Viewer
            pictures={pictures.map((image, index) => ({ image, alt: pictureAlt(name, pictures, index) }))}
            label={name}
            start={start}
            onClose={() => setStart(null)}
          />
        </PartBoundary>
      ) : null}
    </div>
  )
}

/** The index of the picture that a carousel shows. */
function shownIn(frame: HTMLElement): number {
  return Math.max(
    0,
    [...frame.children].findIndex((slide) => (slide as HTMLElement).dataset.shown === 'true'),
  )
}
