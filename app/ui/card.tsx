import { type ComponentProps, type ElementType, type ReactNode, useState } from 'react'
import type { LinkProps } from 'react-router'
import { classNames } from './class-names.ts'
import { Link, useMovesTo } from './link.tsx'

type CardLook = {
  /** A background with a hairline border. Without it, the card is only its picture and its text. */
  framed?: boolean
  /** Inner space; useful on framed cards only. */
  padded?: boolean
  /** The card holds one CoverLink, and its whole surface is pressable. */
  pressable?: boolean
}

/** The class names of a card, for the rare element that is not a Card. */
export function cardClass({ framed, padded, pressable }: CardLook): string {
  return classNames('card', framed && 'card-framed', padded && 'card-padded', pressable && 'card-link')
}

export type CardProps = ComponentProps<'div'> & CardLook & { as?: 'div' | 'article' | 'li' | 'section' }

/**
 * A group of related content. A pressable card holds one `CoverLink`; its other controls get the class 'above-cover'.
 */
export function Card({ framed, padded, pressable, as = 'div', className, ...rest }: CardProps) {
  // The properties are those of any of these elements, which TypeScript can't follow.
  const Element = as as ElementType
  return <Element className={classNames(cardClass({ framed, padded, pressable }), className)} {...rest} />
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
