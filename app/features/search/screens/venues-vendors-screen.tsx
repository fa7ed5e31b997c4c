import { href } from 'react-router'
import { Card, CoverLink } from '../../../ui/card.tsx'
import { Picture, type PictureImage } from '../../../ui/picture.tsx'
import { CATEGORY_PATHS, type Category } from '../../businesses/rules.ts'
import { ListSearch, type SearchView } from './list-search-sections.tsx'
import { SearchAnswer } from './search-answer-sections.tsx'

const PATH = href('/venues-vendors')

/** Every venue and vendor in one list, with a search and links to the categories. */
export function VenuesVendorsScreen({
  view,
  heading,
  categories,
  emptyPicture,
}: {
  view: SearchView
  heading: string
  categories: readonly { category: Category; count: number; image: PictureImage }[]
  emptyPicture: PictureImage
}) {
  return (
    <div className="page pt-10 pb-24 md:pt-14">
      <h1 className="max-w-4xl wrap-anywhere">{heading}</h1>
      {view.isSearching ? null : (
        <p className="lede mt-4">
          Everyone on one page, newest first. Say what, where and what matters to you, or browse a category.
        </p>
      )}
      <div className="mt-8">
        <ListSearch view={view} path={PATH} />
      </div>
      {view.isSearching || view.isRefused ? null : (
        <nav aria-label="Categories" className="mt-10">
          <ul className="flex gap-4 overflow-x-auto max-xl:-mx-[var(--gutter)] max-xl:px-[var(--gutter)] max-xl:pb-2 xl:grid xl:grid-cols-8">
            {categories.map(({ category, count, image }) => (
              <Card as="li" pressable key={category} className="w-34 flex-none xl:w-auto">
                <Picture image={image} alt="" ratio="4 / 3" sizes="150px" />
                <p className="mt-2 leading-snug">
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
      <div className="mt-10">
        <SearchAnswer
          view={view}
          path={PATH}
          everything="Show everything"
          emptyPicture={emptyPicture}
          priority
        />
      </div>
    </div>
  )
}
