import type { ReactNode } from 'react'
import { href } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Link } from '../../../ui/link.tsx'
import type { PictureImage } from '../../../ui/picture.tsx'
import { Picture } from '../../../ui/picture.tsx'
import { ByPlace } from '../../businesses/components/place-links.tsx'
import type { Category } from '../../businesses/rules.ts'
import { CATEGORIES, CATEGORY_PATHS } from '../../businesses/rules.ts'
import type { SearchView } from './list-search-sections.tsx'
import { SearchAnswer } from './search-answer-sections.tsx'

export type CategoryPage = {
  category: Category
  texts: { heading: string; intro: string; advice: string }
  view: SearchView
  landingPlaces: readonly { placeId: string; label: string; listed: number }[]
  picture: PictureImage
  emptyPicture: PictureImage
  /** The offer to follow the search. */
  alert: ReactNode
}

/** The list of a category and the sections below it: links and pictures that work before their script loads. */
export function CategorySections({
  category,
  texts,
  view,
  landingPlaces,
  emptyPicture,
  alert,
}: Omit<CategoryPage, 'picture'>) {
  const path = CATEGORY_PATHS[category]
  return (
    <>
      <div className="mt-3 md:mt-10">
        <SearchAnswer
          view={view}
          path={path}
          everything={`All ${texts.heading.toLowerCase()}`}
          emptyPicture={emptyPicture}
          priority="narrow"
          alert={alert}
          note={
            <>
              <p className="text-sm font-semibold text-brand">Before you choose</p>
              <p className="mt-3 font-display text-xl leading-snug">{texts.advice}</p>
              <p className="mt-5">
                <Link to={href('/advice-support')} className="link">
                  More advice
                </Link>
              </p>
            </>
          }
          whenEmpty={
            <EmptyState
              illustration={<Picture image={emptyPicture} alt="" sizes="280px" ratio="4 / 3" />}
              title="No one here yet"
              text={`The first ${texts.heading.toLowerCase()} will appear here. Is that your trade? It could be you.`}
              action={
                <ButtonLink to={href('/list-your-business')} variant="primary">
                  List your business
                </ButtonLink>
              }
            />
          }
        />
      </div>
      <ByPlace category={category} places={landingPlaces} />
      <nav aria-label="Other categories" className="mt-20 border-t border-line pt-8">
        <h2 className="text-xl">What else the day needs</h2>
        <ul className="mt-4 flex flex-wrap gap-x-7 gap-y-1">
          {CATEGORIES.filter((other) => other !== category).map((other) => (
            <li key={other}>
              <Link to={CATEGORY_PATHS[other]} className="link inline-block py-2">
                {other}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}
