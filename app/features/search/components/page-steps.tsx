import { Link } from 'react-router'
import { Icon } from '../../../ui/icon.tsx'

/** Links to the previous and next page of a list whose pages have no numbers. */
export function PageSteps({ previous, next }: { previous: string | null; next: string | null }) {
  if (!previous && !next) return null
  return (
    <nav aria-label="Pages" className="pagination">
      {previous ? (
        <Link to={previous} rel="prev">
          <Icon name="arrow-left" />
          Previous
        </Link>
      ) : null}
      {next ? (
        <Link to={next} rel="next">
          Next
          <Icon name="arrow-right" />
        </Link>
      ) : null}
    </nav>
  )
}
