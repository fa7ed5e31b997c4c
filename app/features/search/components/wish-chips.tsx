import { X } from 'lucide-react'
import { Link } from 'react-router'

/** The wishes of a search as they were understood; pressing one takes it back. */
export function WishChips({ wishes }: { wishes: readonly { text: string; href: string }[] }) {
  if (wishes.length === 0) return null
  return (
    <ul className="wish-chips" aria-label="What you asked for">
      {wishes.map(({ text, href }) => (
        <li key={text}>
          <Link to={href} preventScrollReset>
            <span className="unseen">Without </span>
            {text}
            <X aria-hidden="true" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
