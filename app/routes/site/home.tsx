import { href } from 'react-router'
import {
  countBusinessesByCategory,
  listBusinessPlaces,
} from '../../features/businesses/market-queries.server.ts'
import { CATEGORY_TEXTS, OCCASION_NAMES } from '../../features/businesses/messages.ts'
import { type Category, isBookable, OCCASIONS, pickFeatured } from '../../features/businesses/rules.ts'
import {
  listBestRatedBusinesses,
  listBusinessCards,
  listNewestBusinesses,
} from '../../features/reviews/card-queries.server.ts'
import { findApprovedReviews } from '../../features/reviews/queries.server.ts'
import { pickQuote } from '../../features/reviews/rules.ts'
import { fieldsOf, NO_SEARCH } from '../../features/search/schema.ts'
import {
  HEADLINE,
  HomeListings,
  HomeScreen,
  HomeSections,
  HomeSlider,
} from '../../features/search/screens/home-screen.tsx'
import { SearchFields } from '../../features/search/screens/list-search-sections.tsx'
import { cachePage, servicesContext, structuredDataContext } from '../../request-context.server.ts'
import { answerTimeText } from '../../shared/durations.ts'
import { pageMeta, siteOf } from '../../shared/page-meta.ts'
import { organization, website } from '../../shared/structured-data.ts'
import type { RouteHandle } from '../../shell/load-route-module.ts'
import { cardTopics, listTopics, RATINGS_TOPIC, SUGGESTED_PLACES_TOPIC } from '../page-topics.ts'
import type { Route } from './+types/home'
import { CATEGORY_SCENES } from './category-scenes.ts'
import { siteImage } from './site-image.server.ts'

export const handle: RouteHandle = { deferred: [SearchFields, HomeSlider, HomeListings, HomeSections] }

/** One row in the first screen. */
const READY_COUNT = 4
const FEATURED_COUNT = 4
/** Enough of the best rated to include four categories. */
const RANKED_COUNT = 40
const NEWEST_COUNT = 4
const HEROES = [
  { scene: 'hero-1', alt: 'A long table under string lights in a golden paddock' },
  { scene: 'hero-2', alt: 'A lit pavilion on the bay at dusk' },
  { scene: 'hero-3', alt: 'A couple under a flower arch by the sea' },
  { scene: 'hero-4', alt: 'A woolshed with open doors at sunset' },
] as const
/** The categories in an order in which their tiles of one, two and four cells leave no gap. */
const WALL: readonly Category[] = [
  'Venues',
  'Photographers',
  'Hairdresser',
  'Sounds & DJ',
  'Videographers',
  'Catering',
  'Event Planners',
  'Extras',
]

export async function loader({ context }: Route.LoaderArgs) {
  const { config, db } = context.get(servicesContext)
  const [counts, places, ranked, newest] = await Promise.all([
    countBusinessesByCategory(db),
    listBusinessPlaces(db),
    listBestRatedBusinesses(db, RANKED_COUNT),
    listNewestBusinesses(db, FEATURED_COUNT + READY_COUNT + NEWEST_COUNT),
  ])
  cachePage(context, [
    ...cardTopics(ranked, newest),
    ...listTopics('listings'),
    RATINGS_TOPIC,
    SUGGESTED_PLACES_TOPIC,
  ])
  const featured = pickFeatured(ranked, FEATURED_COUNT)
  const others = (listed: typeof ranked, shown: typeof ranked) =>
    listed.filter(({ id }) => !shown.some((each) => each.id === id))
  const rated = pickFeatured(others(ranked, featured).filter(isBookable), READY_COUNT)
  // A young market has few ratings.
  const ready = [...rated, ...others(newest, [...featured, ...rated]).filter(isBookable)].slice(
    0,
    READY_COUNT,
  )
  const latest = others(newest, [...featured, ...ready]).slice(0, NEWEST_COUNT)
  const [lead] = featured
  const [cards, reviews] = await Promise.all([
    listBusinessCards(
      db,
      [...featured, ...ready, ...latest].map(({ id }) => id),
    ),
    lead ? findApprovedReviews(db, lead.id) : null,
  ])
  const cardOf = new Map(cards.map((card) => [card.id, card]))
  const cardsOf = (shown: typeof ranked) => shown.flatMap(({ id }) => cardOf.get(id) ?? [])
  const site = siteOf(config)
  context.set(structuredDataContext, [
    website(site, href('/venues-vendors')),
    organization(site, Object.values(config.social)),
  ])
  return {
    places,
    fields: fieldsOf(NO_SEARCH, { nearKm: config.nearKm, withCategory: true, category: null }),
    ready: cardsOf(ready),
    featured: cardsOf(featured),
    // A listing that was deleted in between has no card, and its words belong to no other.
    quote: lead && reviews && cardOf.has(lead.id) ? pickQuote(reviews.reviews) : null,
    newest: cardsOf(latest),
    tiles: WALL.map((category) => ({
      category,
      heading: CATEGORY_TEXTS[category].heading,
      line: category === 'Venues' ? CATEGORY_TEXTS.Venues.line : null,
      count: counts.get(category) ?? 0,
      image: siteImage(CATEGORY_SCENES[category], 'category', category === 'Catering' ? '21x9' : '4x3'),
    })),
    occasions: OCCASIONS.map((occasion) => ({ occasion, name: OCCASION_NAMES[occasion] })),
    heroes: HEROES.map(({ scene, alt }) => ({ alt, image: siteImage(scene, 'front', '3x2') })),
    answerTime: answerTimeText(config.undecided.declineAfterMs),
    vendorPicture: siteImage('catering-drinks-cart', 'vendors', '4x3'),
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = matches[0]?.loaderData
  const hero = loaderData?.heroes[0]
  return pageMeta(site, {
    title: site ? `${site.brand} | Venues and vendors for celebrations in Australia` : HEADLINE,
    description:
      'Find and book venues, caterers, photographers, DJs and more for weddings, birthdays and work parties across Australia. Prices on every page, paid by card.',
    path: href('/'),
    shareTitle: HEADLINE,
    ...(hero ? { image: { ...hero.image, alt: hero.alt } } : {}),
  })
}

export default function Home({ loaderData }: Route.ComponentProps) {
  return <HomeScreen {...loaderData} />
}
