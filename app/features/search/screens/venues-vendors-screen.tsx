import type { ReactNode } from 'react'
import { href } from 'react-router'
import { Card, CoverLink } from '../../../ui/card.tsx'
import { deferred } from '../../../ui/deferred.tsx'
import { Picture, type PictureImage } from '../../../ui/picture.tsx'
import { CATEGORY_PATHS, type Category } from '../../businesses/rules.ts'
import { ListSearch, type SearchView } from './list-search-sections.tsx'

/** The list. */
export const ListAnswer = deferred(
  'list-answer',
  async () => (await import('./search-answer-sections.tsx')).SearchAnswer,
)

const PATH = href('/venues-vendors')

/** Every venue and vendor in one list, with a search and links to the categories. */
export function VenuesVendorsScreen({
  view,
  heading,
  categories,
  emptyPicture,
  alert,
}: {
  view: SearchView
  heading: string
  categories: readonly { category: Category; count: number; image: PictureImage }[]
  emptyPicture: PictureImage
  /** The offer to follow the search. */
  alert: ReactNode
}) {
  return (
    <div className="page page-wide pt-4 pb-24 md:pt-14">
      <h1 className="max-w-4xl wrap-anywhere max-md:text-3xl">{heading}</h1>
      {view.isSearching ? null : (
        <p className="lede mt-4 max-md:hidden">
          Everyone on one page. Say what, where and what matters to you, or browse a category.
        </p>
      )}
      <div className="relative z-1 mt-4 md:mt-8">
        <ListSearch view={view} path={PATH} />
      </div>
      {view.isSearching || view.isRefused ? null : (
        <nav aria-label="Categories" className="mt-4 md:mt-10">
          <ul className="flex gap-4 overflow-x-auto -my-2 py-2 max-xl:-mx-[var(--gutter)] max-xl:px-[var(--gutter)] xl:-m-2 xl:p-2 xl:grid xl:grid-cols-8">
            {categories.map(({ category, count, image }) => (
              <Card as="li" pressable key={category} className="flex-none md:w-34 xl:w-auto">
                <Picture image={image} alt="" ratio="4 / 3" sizes="150px" className="max-md:hidden!" />
                <p className="leading-snug max-md:py-2.5 md:mt-2">
                  <CoverLink to={CATEGORY_PATHS[category]} className="font-semibold">
                    {category}
                  </CoverLink>
                  <span className="figures ml-2 text-sm text-quiet">{count.toLocaleString('en-AU')}</span>
                </p>
              </Card>
            ))}
          </ul>
        </nav>
      )}
      <div className="mt-2 md:mt-10">
        <ListAnswer
          view={view}
          path={PATH}
          everything="Show everything"
          emptyPicture={emptyPicture}
          alert={alert}
          priority
        />
      </div>
    </div>
  )
}
