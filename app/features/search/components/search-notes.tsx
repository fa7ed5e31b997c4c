import { Link } from 'react-router'

/** What a person should know beside the answer: what was guessed, and where else it leads. */
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
