import { href } from 'react-router'
import { deferred } from '../../../ui/deferred.tsx'
import { SearchBox } from '../components/search-box.tsx'
import type { HomePage } from './home-sections.tsx'
import { SearchFields } from './list-search-sections.tsx'

/** The pictures of celebrations. Without the script they scroll. */
export const HomeSlider = deferred(
  'home-slider',
  async () => (await import('./home-sections.tsx')).HomeSlider,
)

/** The first businesses, still in the first screen. */
export const HomeListings = deferred(
  'home-listings',
  async () => (await import('./home-sections.tsx')).HomeListings,
)

/** Everything below the first screen. */
export const HomeSections = deferred(
  'home-sections',
  async () => (await import('./home-sections.tsx')).HomeSections,
)

export const HEADLINE = 'Everyone you love, in one place'

/** The home page. */
export function HomeScreen({ places, fields, heroes, ready, ...below }: HomePage) {
  return (
    <>
      <Hero heroes={heroes} places={places} fields={fields} ready={ready} answerTime={below.answerTime} />
      <HomeSections {...below} />
    </>
  )
}

function Hero({
  heroes,
  places,
  fields,
  ready,
  answerTime,
}: Pick<HomePage, 'heroes' | 'places' | 'fields' | 'ready' | 'answerTime'>) {
  return (
    <section className="overflow-x-clip" aria-labelledby="headline">
      <div className="page page-wide grid gap-x-12 md:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)] md:items-center">
        <div className="pt-4 pb-3 md:pt-6 md:pb-20">
          <h1 id="headline" className="display max-md:text-3xl md:text-[clamp(2.4rem,1.2rem+2.6vw,3.4rem)]">
            {HEADLINE}
          </h1>
          <p className="lede mt-2 max-w-none! max-md:text-base md:mt-4">
            Venues, cooks, photographers and musicians across Australia, with their prices on the page.
            <span className="max-md:hidden"> Book by card, and hear back within {answerTime}.</span>
          </p>
        </div>
        <HomeSlider heroes={heroes} />
        <div className="relative z-2 md:col-span-2 md:-mt-16">
          <SearchBox
            action={href('/venues-vendors')}
            fields={<SearchFields action={href('/venues-vendors')} fields={fields} places={places} />}
          />
        </div>
        <HomeListings ready={ready} />
      </div>
    </section>
  )
}
