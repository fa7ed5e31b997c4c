import { Link } from 'react-router'

/** Notes above the results about guesses and corrections, with links to other searches. */
export function SearchNotes({
  notes,
}: {
  notes: readonly { text: string; links: { label: string; href: string }[] }[]
}) {
  if (notes.length === 0) return null
  return (
    <ul className="search-notes">
      {notes.map(({ text, links }) => (
        <li key={text}>
          {text}{' '}
          {links.map(({ label, href }) => (
            <Link key={label} to={href} className="link">
              {label}
            </Link>
          ))}
        </li>
      ))}
    </ul>
  )
}
