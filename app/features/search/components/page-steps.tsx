import { ArrowLeft, ArrowRight } from 'lucide-react'
import { Link } from 'react-router'

/** Links to the previous and next page of a list whose pages have no numbers. */
export function PageSteps({ previous, next }: { previous: string | null; next: string | null }) {
  if (!previous && !next) return null
  return (
    <nav aria-label="Pages" className="pagination">
      {previous ? (
        <Link to={previous} rel="prev">
          <ArrowLeft aria-hidden="true" />
          Previous
        </Link>
      ) : null}
      {next ? (
        <Link to={next} rel="next">
          Next
          <ArrowRight aria-hidden="true" />
        </Link>
      ) : null}
    </nav>
  )
}
