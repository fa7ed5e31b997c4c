import { createElement, type SVGProps } from 'react'

type Drawing = { node: readonly [tag: string, attributes: Record<string, string>][] }

/**
 * Stands in for Lucide's function of this name (vite.config.ts): the same drawing without its provider, its aliases and
 * its units, of which nothing is used here. An icon stands beside its words, so it is unseen unless it says otherwise.
 * @public
 */
export default function createLucideIcon({ node }: Drawing) {
  return (props: SVGProps<SVGSVGElement>) =>
    createElement(
      'svg',
      {
        'aria-hidden': true,
        width: 24,
        height: 24,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...props,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
}
