import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Picture, type PictureImage } from '../../../ui/picture.tsx'
import {
  EMPTY_PAGE_TEXT,
  EMPTY_PAGE_TITLE,
  NOTHING_AT_ALL_TEXT,
  NOTHING_TEXT,
  NOTHING_TITLE,
} from '../messages.ts'
import { PageSteps } from './page-steps.tsx'

/**
 * The empty result of a search, or one page of it, with links to relaxed searches.
 * @param pages the addresses of the pages before and after an empty one, or null
 * @param alert the offer to follow the search
 * @param children the first businesses of the closest relaxed search
 */
export function NothingFound({
  ways,
  noneText,
  everything,
  image,
  pages: { previous, next },
  alert,
  children,
}: {
  ways: readonly { label: string; found: string; href: string }[]
  /** Replaces the usual text if only the place keeps the search from finding anything. */
  noneText?: string | null
  /** The address of the list without a search. */
  everything: string
  image: PictureImage
  pages: { previous: string | null; next: string | null }
  alert?: ReactNode
  children?: ReactNode
}) {
  const isPage = previous !== null || next !== null
  return (
    <>
      <EmptyState
        illustration={<Picture image={image} alt="" sizes="280px" ratio="4 / 3" />}
        title={isPage ? EMPTY_PAGE_TITLE : NOTHING_TITLE}
        text={isPage ? EMPTY_PAGE_TEXT : ways.length > 0 ? (noneText ?? NOTHING_TEXT) : NOTHING_AT_ALL_TEXT}
        action={
          <ul className="relaxed-ways">
            {ways.map(({ label, found, href }) => (
              <li key={label}>
                <Link to={href} className="link">
                  {label}
                </Link>
                <span className="figures text-sm text-quiet">{found}</span>
              </li>
            ))}
            <li>
              <Link to={everything} className="link">
                Start again
              </Link>
            </li>
          </ul>
        }
      />
      {alert ? <div className="mx-auto max-w-column">{alert}</div> : null}
      <PageSteps previous={previous} next={next} />
      {children ? (
        <section className="mt-16 border-t border-line pt-8" aria-labelledby="close-matches">
          <h2 id="close-matches" className="mb-8 text-2xl">
            Close matches
          </h2>
          {children}
        </section>
      ) : null}
    </>
  )
}
