import { useId } from 'react'

/** A string of lights along an edge, as over a long table: the site's signature ornament. Decorative. */
export function Festoon() {
  const id = useId()
  return (
    <svg className="festoon" width="100%" height="56" aria-hidden="true">
      <defs>
        <pattern id={id} width="240" height="56" patternUnits="userSpaceOnUse">
          <path d="M0 4Q120 46 240 4" fill="none" stroke="var(--line-strong)" strokeWidth="1.4" />
          {[
            [24, 11.6],
            [72, 21.64],
            [120, 25],
            [168, 21.64],
            [216, 11.6],
          ].map(([x, y]) => (
            <g key={x} transform={`translate(${x} ${y})`}>
              <circle cy="11" r="11" fill="var(--glow)" opacity=".13" />
              <path d="M0-1v4" stroke="var(--line-strong)" strokeWidth="3" />
              <path d="M-3 4.5h6c1.6 2.6 2 4.6 2 6.5a5 5 0 0 1-10 0c0-1.9.4-3.9 2-6.5Z" fill="var(--glow)" />
            </g>
          ))}
        </pattern>
      </defs>
      <rect width="100%" height="56" fill={`url(#${id})`} />
    </svg>
  )
}
