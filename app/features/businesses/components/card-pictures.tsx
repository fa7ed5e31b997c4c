import { type RefObject, useEffect, useRef, useState } from 'react'
import type { LinkProps } from 'react-router'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Link } from '../../../ui/link.tsx'
import { Picture, type Priority } from '../../../ui/picture.tsx'
import type { BusinessImage } from '../rules.ts'

/**
 * The pictures of a card, to swipe through. Only the first one loads with the page; the others follow at the first
 * touch, or once the pointer is above them.
 * @param link the properties of the card's own link. This second one is for pointers only: keyboards and screen readers
 * meet one link on each card, and its left and right arrow keys change the picture
 */
export function CardPictures({
  pictures,
  link,
  sizes,
  priority,
  ratio = '4 / 3',
  className,
}: {
  pictures: readonly BusinessImage[]
  link: LinkProps
  sizes: string
  priority?: Priority | undefined
  /** The aspect ratio of each picture. */
  ratio?: string
  className?: string | undefined
}) {
  const strip = useRef<HTMLAnchorElement>(null)
  const [isUsed, setUsed] = useState(false)
  const [shown, setShown] = useState(0)
  const move = (step: number) => {
    const { current } = strip
    if (!current) return
    setUsed(true)
    current.scrollTo({
      left: Math.round(current.scrollLeft / current.clientWidth + step) * current.clientWidth,
    })
  }
  useArrowKeys(strip, move)
  const [first] = pictures
  if (pictures.length < 2)
    return (
      <Picture
        image={first ?? null}
        alt=""
        ratio={ratio}
        sizes={sizes}
        priority={priority}
        className={className}
      />
    )
  return (
    <div className="card-pictures" onPointerEnter={() => setUsed(true)}>
      <Link
        {...link}
        ref={strip}
        tabIndex={-1}
        aria-hidden="true"
        draggable={false}
        className={classNames('card-strip', className)}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) => {
          setUsed(true)
          setShown(Math.round(scrollLeft / clientWidth))
        }}
      >
        {pictures.map((picture, index) =>
          index === 0 || isUsed ? (
            <Picture
              key={picture.url}
              image={picture}
              alt=""
              ratio={ratio}
              sizes={sizes}
              priority={index === 0 && priority}
            />
          ) : (
            <span key={picture.url} className="picture" style={{ backgroundColor: picture.colour }} />
          ),
        )}
      </Link>
      <span className="card-dots" aria-hidden="true">
        {pictures.map(({ url }, index) => (
          <i key={url} data-shown={index === shown} />
        ))}
      </span>
      {isUsed ? (
        <>
          <Arrow isShown={shown > 0} className="left-2" onPress={() => move(-1)}>
            <Icon name="arrow-left" />
          </Arrow>
          <Arrow isShown={shown < pictures.length - 1} className="right-2" onPress={() => move(1)}>
            <Icon name="arrow-right" />
          </Arrow>
        </>
      ) : null}
    </div>
  )
}

/** A button under the pointer. */
function Arrow({
  isShown,
  className,
  onPress,
  children,
}: {
  isShown: boolean
  className: string
  onPress: () => void
  children: React.ReactNode
}) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      hidden={!isShown}
      className={classNames('card-arrow', className)}
      onClick={onPress}
    >
      {children}
    </button>
  )
}

/** Lets the arrow keys change the picture while the card's own link has the focus. */
function useArrowKeys(strip: RefObject<HTMLAnchorElement | null>, move: (step: number) => void) {
  const latest = useRef(move)
  latest.current = move
  useEffect(() => {
    const card = strip.current?.closest('.card-link')
    const onKeyDown = (event: Event) => {
      const { key, target } = event as KeyboardEvent
      const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
      if (step === 0 || !(target as Element).matches('.cover-link')) return
      event.preventDefault()
      latest.current(step)
    }
    card?.addEventListener('keydown', onKeyDown)
    return () => card?.removeEventListener('keydown', onKeyDown)
  }, [strip])
}
