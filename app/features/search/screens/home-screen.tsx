import { href } from 'react-router'
import { deferred } from '../../../ui/deferred.tsx'
import { Picture, type PictureImage } from '../../../ui/picture.tsx'
import { Slider } from '../../../ui/slider.tsx'
import type { CategoryTile } from '../../businesses/components/category-mosaic.tsx'
import type { BusinessCardView } from '../../businesses/queries.server.ts'
import { SearchBox } from '../components/search-box.tsx'
import type { Field } from '../filter-schema.ts'
import { SearchFields } from './list-search-sections.tsx'

/** Everything below the first screen. */
export const HomeSections = deferred(
  'home-sections',
  async () => (await import('./home-sections.tsx')).HomeSections,
)

export const HEADLINE = 'Everyone you love, in one place'

export type HomePage = {
  /** Place suggestions before the visitor types. */
  places: readonly string[]
  fields: readonly Field[]
  heroes: readonly { alt: string; image: PictureImage }[]
  tiles: readonly CategoryTile[]
  /** The best rated of some categories. */
  featured: readonly BusinessCardView[]
  /** A customer's words about the first of those. */
  quote: { body: string; authorName: string } | null
  newest: readonly BusinessCardView[]
  occasions: readonly { occasion: string; name: string }[]
  vendorPicture: PictureImage
}

/** The home page. */
export function HomeScreen({ places, fields, heroes, ...below }: HomePage) {
  return (
    <>
      <Hero heroes={heroes} places={places} fields={fields} />
      <HomeSections {...below} />
    </>
  )
}

function Hero({ heroes, places, fields }: Pick<HomePage, 'heroes' | 'places' | 'fields'>) {
  return (
    <section className="overflow-x-clip" aria-labelledby="headline">
      <div className="page grid gap-x-12 md:grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)] md:items-center">
        <div className="pt-8 pb-6 md:pt-0 md:pb-24">
          <h1 id="headline" className="display">
            {HEADLINE}
          </h1>
          <p className="lede mt-5">
            Venues, cooks, photographers and players across Australia, with their prices on the page. Book by
            card, and hear back within two days.
          </p>
        </div>
        <Slider
          label="Pictures of celebrations"
          slideWidth="100%"
          slideWidthWide="100%"
          className={[
            // Bleeds to the window's right edge, like a picture in a magazine.
            'md:mr-[calc((min(100vw,var(--page)+2*var(--gutter))-100vw)/2-var(--gutter))]',
            'max-md:order-last max-md:-mx-[var(--gutter)] max-md:mt-8',
            '[&_.slider-view]:rounded-none md:[&_.slider-view]:rounded-bl-[56px]',
            '[&_.slider-head]:absolute [&_.slider-head]:top-4 [&_.slider-head]:right-4 [&_.slider-head]:z-2 [&_.slider-head]:mb-0',
          ].join(' ')}
          slides={heroes.map(({ image, alt }, index) => ({
            key: image.url,
            content: (
              <Picture
                image={image}
                alt={alt}
                ratio="16 / 11"
                sizes="(min-width: 769px) 58vw, 100vw"
                priority={index === 0}
                className="rounded-none!"
              />
            ),
          }))}
        />
        <div className="relative z-2 md:col-span-2 md:-mt-16">
          <SearchBox
            action={href('/venues-vendors')}
            fields={<SearchFields action={href('/venues-vendors')} fields={fields} places={places} />}
          />
        </div>
      </div>
    </section>
  )
}
