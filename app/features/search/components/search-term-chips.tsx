import { Icon } from '../../../ui/icon.tsx'
import { Link } from '../../../ui/link.tsx'

/** The search terms of a search as the parser understood them. Pressing one removes it. */
export function SearchTermChips({ searchTerms }: { searchTerms: readonly { text: string; href: string }[] }) {
  if (searchTerms.length === 0) return null
  return (
    <ul className="search-term-chips" aria-label="Your search terms">
      {searchTerms.map(({ text, href }) => (
        <li key={text}>
          <Link to={href} preventScrollReset>
            <span className="unseen">Without </span>
            {text}
            <Icon name="x" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
