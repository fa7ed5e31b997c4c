import type { SVGProps } from 'react'
import type { IconName } from './icon-names.ts'
import sprite from './icons.svg?url'

/**
 * An icon of the sprite, 24 px wide in the colour of the text by default (base.css). Screen readers skip it without a
 * label. Its drawing is in a file that all pages share, so a document with a hundred icons stays small and renders fast.
 */
export function Icon({ name, className, ...rest }: { name: IconName } & SVGProps<SVGSVGElement>) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it has an aria-label or is hidden.
    <svg
      className={className ? `icon ${className}` : 'icon'}
      aria-hidden={rest['aria-label'] ? undefined : true}
      {...rest}
    >
      <use href={`${sprite}#${name}`} />
    </svg>
  )
}
