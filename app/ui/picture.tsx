import { useCallback, useState } from 'react'
import { preload } from 'react-dom'
import { classNames } from './class-names.ts'

/** An image that the site serves in several sizes: `?w=` selects a width in pixels, `&f=` a format. */
export type PictureImage = {
  url: string
  /** Width of the stored original, in pixels. */
  width: number
  height: number
  /** The dominant colour, shown while the image loads. */
  colour: string | null
}

export const PICTURE_WIDTHS = [320, 480, 640, 800, 960, 1280, 1600]
const FALLBACK_WIDTH = 640
/** The screens on which a picture is the page's first, as in `layout.css`. */
const MEDIA = { wide: '(width >= 769px)', narrow: '(width < 769px)' }

function srcSet(image: PictureImage, format: string): string {
  const fitting = PICTURE_WIDTHS.filter((width) => width <= image.width)
  const widths = fitting.length > 0 ? fitting : PICTURE_WIDTHS.slice(0, 1)
  return widths.map((width) => `${image.url}?w=${width}&f=${format} ${width}w`).join(', ')
}

export type Priority = boolean | keyof typeof MEDIA

export type PictureProps = {
  /** Null shows the placeholder. */
  image: PictureImage | null
  /** A description of the picture; '' if it is decorative. */
  alt: string
  /** The displayed width, as in the `sizes` attribute: '(min-width: 769px) 33vw, 100vw'. */
  sizes: string
  /**
   * The page's first picture: fetched at once, before others. At most one per page. If another one comes first on
   * narrow screens, one is 'wide' and the other 'narrow'.
   */
  priority?: Priority | undefined
  /** The frame's aspect ratio, such as '4 / 3'; by default the image's own. */
  ratio?: string
  className?: string
}

/** A picture in the best format and size that the browser supports, or a placeholder if it is missing or fails. */
export function Picture({ image, alt, sizes, priority, ratio, className }: PictureProps) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const url = image?.url ?? null
  // A server-rendered image may fail before React listens for it.
  const watchEarlyFailure = useCallback(
    (element: HTMLImageElement | null) => {
      if (element?.complete && element.naturalWidth === 0 && element.currentSrc) setFailedUrl(url)
    },
    [url],
  )
  if (priority && image) {
    // The browser finds this at the top of the head, long before it parses the picture. Browsers without AVIF ignore
    // it.
    preload(`${image.url}?w=${FALLBACK_WIDTH}&f=avif`, {
      as: 'image',
      type: 'image/avif',
      imageSrcSet: srcSet(image, 'avif'),
      imageSizes: sizes,
      fetchPriority: 'high',
      ...(priority === true ? {} : { media: MEDIA[priority] }),
    })
  }
  // A phone fetches what is first on wide screens only when it comes near; a wide screen has preloaded it.
  const isEager = priority && priority !== 'wide'
  const shape = ratio ?? (image ? `${image.width} / ${image.height}` : '4 / 3')
  return (
    <span
      className={classNames('picture', className)}
      style={{ aspectRatio: shape, backgroundColor: image?.colour ?? undefined }}
    >
      {image && failedUrl !== url ? (
        <picture>
          <source type="image/avif" srcSet={srcSet(image, 'avif')} sizes={sizes} />
          <source type="image/webp" srcSet={srcSet(image, 'webp')} sizes={sizes} />
          <img
            ref={watchEarlyFailure}
            src={`${image.url}?w=${FALLBACK_WIDTH}&f=jpeg`}
            srcSet={srcSet(image, 'jpeg')}
            sizes={sizes}
            alt={alt}
            width={image.width}
            height={image.height}
            loading={isEager ? 'eager' : 'lazy'}
            fetchPriority={isEager ? 'high' : undefined}
            decoding={priority ? 'auto' : 'async'}
            draggable={false}
            onError={() => setFailedUrl(url)}
          />
        </picture>
      ) : (
        <PicturePlaceholder alt={alt} />
      )}
    </span>
  )
}

/** A low sun over hills in the colours of the page, the nearest hill the darkest: replaces a missing picture. */
export function PicturePlaceholder({ alt }: { alt: string }) {
  return (
    <svg
      viewBox="0 0 400 300"
      preserveAspectRatio="xMidYMid slice"
      role={alt ? 'img' : undefined}
      aria-label={alt || undefined}
      aria-hidden={alt ? undefined : true}
      data-placeholder=""
    >
      <path fill="var(--glow-soft)" d="M0 0h400v300H0z" />
      <circle cx="248" cy="176" r="44" fill="var(--glow)" />
      <path
        fill="light-dark(color-mix(in srgb, var(--brand) 34%, var(--glow-soft)), color-mix(in srgb, var(--brand) 40%, var(--brand-soft)))"
        d="M0 190c70-34 122-30 190-8s136 10 210-22v140H0z"
      />
      <path
        fill="light-dark(color-mix(in srgb, var(--brand) 64%, var(--glow-soft)), color-mix(in srgb, var(--brand) 18%, var(--brand-soft)))"
        d="M0 226c86 6 128-34 216-22s120 34 184 18v78H0z"
      />
      <path
        fill="light-dark(var(--brand), var(--brand-soft))"
        d="M0 262c100-26 150 8 236 2s112-26 164-14v50H0z"
      />
    </svg>
  )
}
