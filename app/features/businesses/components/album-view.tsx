import { type ComponentType, useEffect, useRef, useState } from 'react'
import { PartBoundary } from '../../../ui/part-boundary.tsx'
import type { PictureViewer } from '../../../ui/picture-viewer.tsx'
import { RenderedOnce } from '../../../ui/rendered-once.tsx'
import { ALBUM_HEADING, albumAlt, showMoreText } from '../album-messages.ts'
import type { AlbumPicture } from '../album-rules.ts'
import './album-view.css'

/** The rest is folded, and a folded picture isn't fetched. */
const SHOWN_FIRST = 8

type Album = { album: readonly AlbumPicture[]; name: string }

/** The album of a business's page. Nothing without pictures. Without a script each picture leads to itself. */
export function AlbumView({ album, name }: Album) {
  const root = useRef<HTMLDivElement>(null)
  const [Viewer, setViewer] = useState<ComponentType<Parameters<typeof PictureViewer>[0]> | null>(null)
  const [start, setStart] = useState<number | null>(null)
  useEffect(() => {
    const box = root.current
    if (!box) return
    const onClick = async (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-index]')
      // A new tab is for the picture itself.
      if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      try {
        const { PictureViewer } = await import('../../../ui/picture-viewer.tsx')
        setViewer(() => PictureViewer)
        setStart(Number(link.dataset.index))
      } catch {
        window.location.assign(link.href)
      }
    }
    box.addEventListener('click', onClick)
    return () => box.removeEventListener('click', onClick)
  }, [])
  if (album.length === 0) return null
  return (
    <div ref={root}>
      <RenderedOnce as="section" aria-labelledby="album" inside={Pictures} data={{ album, name }} />
      {Viewer && start !== null ? (
        <PartBoundary part="picture-viewer">
          <Viewer
            pictures={album.map((image, index) => ({
              image,
              alt: albumAlt(name, image, index, album.length),
              caption: image.caption,
            }))}
            label={name}
            start={start}
            onClose={() => setStart(null)}
          />
        </PartBoundary>
      ) : null}
    </div>
  )
}

function Pictures({ album, name }: Album) {
  const rest = album.slice(SHOWN_FIRST)
  const figures = (pictures: readonly AlbumPicture[], from: number) => (
    <ul className="album-pictures mt-5">
      {pictures.map((picture, offset) => (
        <li key={picture.url}>
          <AlbumFigure picture={picture} index={from + offset} count={album.length} name={name} />
        </li>
      ))}
    </ul>
  )
  return (
    <>
      <h2 id="album" className="text-2xl">
        {ALBUM_HEADING}
      </h2>
      {figures(album.slice(0, SHOWN_FIRST), 0)}
      {rest.length > 0 ? (
        <details className="mt-3">
          <summary className="cursor-pointer py-3 font-semibold text-brand">
            {showMoreText(album.length)}
          </summary>
          {figures(rest, SHOWN_FIRST)}
        </details>
      ) : null}
    </>
  )
}

/** Two sizes are enough for a small picture: thirty of the page's own would be 45 kB of addresses. */
function AlbumFigure({
  picture,
  index,
  count,
  name,
}: {
  picture: AlbumPicture
  index: number
  count: number
  name: string
}) {
  const srcSet = (format: string) =>
    [320, 640].map((width) => `${picture.url}?w=${width}&f=${format} ${width}w`).join(', ')
  const sizes = '(min-width: 769px) 200px, 45vw'
  return (
    <figure>
      <a href={`${picture.url}?w=1600&f=jpeg`} data-index={index}>
        <span className="picture" style={{ aspectRatio: '4 / 3', backgroundColor: picture.colour }}>
          <picture>
            <source type="image/avif" srcSet={srcSet('avif')} sizes={sizes} />
            <img
              src={`${picture.url}?w=640&f=jpeg`}
              srcSet={srcSet('jpeg')}
              sizes={sizes}
              alt={albumAlt(name, picture, index, count)}
              width={picture.width}
              height={picture.height}
              loading="lazy"
              decoding="async"
            />
          </picture>
        </span>
      </a>
      {picture.caption ? <figcaption>{picture.caption}</figcaption> : null}
    </figure>
  )
}
