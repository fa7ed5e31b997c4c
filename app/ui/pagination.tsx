import { Link } from 'react-router'
import { Icon } from './icon.tsx'
import { shownPages } from './shown-pages.ts'

/**
 * Links to the other pages of a list. Renders nothing if there is only one page.
 * @param props.page from 1
 * @param props.hrefFor returns the address of a page
 */
export function Pagination({
  page,
  pageCount,
  hrefFor,
}: {
  page: number
  pageCount: number
  hrefFor: (page: number) => string
}) {
  if (pageCount <= 1) return null
  return (
    <nav aria-label="Pages" className="pagination">
      {page > 1 ? (
        <Link to={hrefFor(page - 1)} rel="prev">
          <Icon name="arrow-left" />
          Previous
        </Link>
      ) : null}
      {shownPages(page, pageCount).map((item, index) =>
        item === null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a gap is identified only by its position
          <span key={`gap-${index}`} aria-hidden="true">
            …
          </span>
        ) : item === page ? (
          <span key={item} aria-current="page">
            <span className="unseen">Page </span>
            {item}
          </span>
        ) : (
          <Link key={item} to={hrefFor(item)} aria-label={`Page ${item}`}>
            {item}
          </Link>
        ),
      )}
      {page < pageCount ? (
        <Link to={hrefFor(page + 1)} rel="next">
          Next
          <Icon name="arrow-right" />
        </Link>
      ) : null}
    </nav>
  )
}
