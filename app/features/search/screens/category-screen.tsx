import { deferred } from '../../../ui/deferred.tsx'
import { Picture } from '../../../ui/picture.tsx'
import { CATEGORY_PATHS } from '../../businesses/rules.ts'
import type { CategoryPage } from './category-sections.tsx'
import { ListSearch } from './list-search-sections.tsx'

/** The list and the sections below it. */
export const CategorySections = deferred(
  'category-sections',
  async () => (await import('./category-sections.tsx')).CategorySections,
)

/** The page of a category: its search, and below it the list. On a phone the list begins in the first screen. */
export function CategoryScreen({
  category,
  texts,
  view,
  landingPlaces,
  picture,
  emptyPicture,
  alert,
}: CategoryPage) {
  return (
    <div className="page page-wide pt-4 pb-24 md:pt-12">
      <header className="grid items-end gap-x-12 gap-y-6 md:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]">
        <div className="md:pb-14 lg:pb-20">
          <h1 className="display max-md:text-3xl">{texts.heading}</h1>
          <p className="lede mt-5 max-md:hidden">{texts.intro}</p>
        </div>
        <Picture
          image={picture}
          alt=""
          ratio="2 / 1"
          sizes="(min-width: 1280px) 690px, (min-width: 769px) 52vw, 92vw"
          priority="wide"
          className="max-md:hidden!"
        />
      </header>
      <div className="relative z-1 mt-4 md:-mt-10 md:mr-12 lg:-mt-14 lg:mr-24">
        <ListSearch view={view} path={CATEGORY_PATHS[category]} />
      </div>
      <CategorySections
        category={category}
        texts={texts}
        view={view}
        landingPlaces={landingPlaces}
        emptyPicture={emptyPicture}
        alert={alert}
      />
    </div>
  )
}
