import { Link } from 'react-router'

/** Links to searches for the day of a booking. Renders nothing without any. */
export function OnwardLinks({
  heading,
  links,
}: {
  heading: string
  links: readonly { text: string; to: string }[]
}) {
  if (links.length === 0) return null
  return (
    <nav aria-label={heading} className="mt-8 print:hidden">
      <h2 className="text-lg">{heading}</h2>
      <ul className="mt-2">
        {links.map(({ text, to }) => (
          <li key={to}>
            <Link className="link figures inline-flex min-h-11 items-center" to={to}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
