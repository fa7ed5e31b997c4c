import { type ComponentProps, type ReactNode, useState } from 'react'
import type { LinkProps } from 'react-router'
import { classNames } from './class-names.ts'
import { Link, useMovesTo } from './link.tsx'
import { RenderedOnce } from './rendered-once.tsx'

export type CardProps = ComponentProps<'div'> & {
  /** A background with a hairline border. Without it, the card is only its picture and its text. */
  framed?: boolean
  /** Inner space; useful on framed cards only. */
  padded?: boolean
  /** The card holds one CoverLink, and its whole surface is pressable. */
  pressable?: boolean
  as?: 'div' | 'article' | 'li' | 'section'
  /** See `RenderedOnce`. */
  sameFor?: string | false
}

/**
 * A group of related content. A pressable card holds one `CoverLink`; its other controls get the class 'above-cover'.
 */
export function Card({
  framed,
  padded,
  pressable,
  as = 'div',
  className,
  sameFor = false,
  ...rest
}: CardProps) {
  const names = classNames(
    'card',
    framed && 'card-framed',
    padded && 'card-padded',
    pressable && 'card-link',
    className,
  )
  return <RenderedOnce as={as} className={names} sameFor={sameFor} {...(rest as object)} />
}

/** The one link of a pressable card, usually its title. The whole surface of the card follows it. */
export function CoverLink({ className, children, ...rest }: LinkProps & { children: ReactNode }) {
  return (
    <Link className={classNames('cover-link', className)} {...rest}>
      {children}
    </Link>
  )
}

/**
 * Morphs a card's picture into the picture of the page that it leads to, in browsers that support it (card.css). The
 * page's own picture has the class 'morph-end'.
 * @param to the address of that page
 * @returns `link` for the CoverLink, `picture` as the class name of the Picture
 */
export function useMorph(to: string) {
  // One business may appear on a page twice: only the pressed picture may carry the transition name.
  const [isPressed, setIsPressed] = useState(false)
  const isMoving = useMovesTo(to)
  return {
    link: { to, viewTransition: true, onClick: () => setIsPressed(true) },
    picture: isPressed && isMoving ? 'morph' : undefined,
  }
}
