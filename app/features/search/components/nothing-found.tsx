import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Picture, type PictureImage } from '../../../ui/picture.tsx'
import { NOTHING_AT_ALL_TEXT, NOTHING_TEXT, NOTHING_TITLE } from '../messages.ts'

/**
 * The empty result of a search, with links to relaxed searches.
 * @param children the first businesses of the closest relaxed search
 */
export function NothingFound({
  ways,
  everything,
  image,
  children,
}: {
  ways: readonly { label: string; found: string; href: string }[]
  /** The address of the list without a search. */
  everything: string
  image: PictureImage
  children?: ReactNode
}) {
  return (
    <>
      <EmptyState
        illustration={<Picture image={image} alt="" sizes="280px" ratio="4 / 3" />}
        title={NOTHING_TITLE}
        text={ways.length > 0 ? NOTHING_TEXT : NOTHING_AT_ALL_TEXT}
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
