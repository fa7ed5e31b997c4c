import { type ComponentProps, type ReactNode, useState } from 'react'
import { Link, type LinkProps, useViewTransitionState } from 'react-router'
import { classNames } from './class-names.ts'

export type CardProps = ComponentProps<'div'> & {
  /** A ground with a hairline around it. Without it the card is its picture and its words. */
  framed?: boolean
  /** Inner space; only sensible on framed cards. */
  padded?: boolean
  /** The card holds one CoverLink, and the whole of it can be pressed. */
  pressable?: boolean
  as?: 'div' | 'article' | 'li' | 'section'
}

/** What belongs together. A pressable card holds one `CoverLink`; other controls in it get the class 'above-cover'. */
export function Card({ framed, padded, pressable, as: Element = 'div', className, ...rest }: CardProps) {
  const names = classNames(
    'card',
    framed && 'card-framed',
    padded && 'card-padded',
    pressable && 'card-link',
    className,
  )
  return <Element className={names} {...(rest as object)} />
}

/** The one link of a pressable card, usually its title: the card's whole surface leads where it leads. */
export function CoverLink({ className, children, ...rest }: LinkProps & { children: ReactNode }) {
  return (
    <Link className={classNames('cover-link', className)} {...rest}>
      {children}
    </Link>
  )
}

/**
 * The picture of a card that grows into the one of the page it leads to, where the browser can (card.css). That page's
 * own picture has the class 'morph-end'.
 * @param to where the card leads
 * @returns `link` for its CoverLink, `picture` as the class name of its Picture
 */
export function useMorph(to: string) {
  // One business may stand on a page twice: only the picture that was pressed may carry the name.
  const [isPressed, setIsPressed] = useState(false)
  const isMoving = useViewTransitionState(to)
  return {
    link: { to, viewTransition: true, onClick: () => setIsPressed(true) },
    picture: isPressed && isMoving ? 'morph' : undefined,
  }
}
