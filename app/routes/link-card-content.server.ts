import type { LinkCard } from '../adapters/link-cards/port.ts'
import { MAX_PICTURES } from '../adapters/link-cards/port.ts'
import { askedQuery, askedTexts, NOTHING_ASKED, readAsked } from '../features/businesses/asked-rules.ts'
import { categoryCountText, landingHeading } from '../features/businesses/landing-messages.ts'
import { findLanding } from '../features/businesses/landing-queries.server.ts'
import {
  OCCASION_NAMES,
  PRICE_ON_REQUEST_TEXT,
  priceText,
  reviewCountText,
} from '../features/businesses/messages.ts'
import type { BusinessCardView } from '../features/businesses/queries.server.ts'
import { type Category, categoryOfPath, isBookable } from '../features/businesses/rules.ts'
import { SERVICE_IDS } from '../features/businesses/service-match-rules.ts'
import { listBusinessCards } from '../features/reviews/card-queries.server.ts'
import { foundText, headingOf } from '../features/search/messages.ts'
import { splitQuery } from '../features/search/name-queries.server.ts'
import { OCCASIONS_HEADING } from '../features/search/occasion-messages.ts'
import { listFound } from '../features/search/queries.server.ts'
import { firstPage, readSearch } from '../features/search/schema.ts'
import { serviceHeading } from '../features/search/service-messages.ts'
import { findServiceLanding } from '../features/search/service-queries.server.ts'
import { namesText, SHARED_EMPTY_TEXT, SHARED_TITLE } from '../features/shortlists/messages.ts'
import { findSharedList, listSavedIds } from '../features/shortlists/queries.server.ts'
import { isLinkToken } from '../features/shortlists/rules.ts'
import { findAbout } from '../features/shortlists/vote-queries.server.ts'
import type { Services } from '../services.server.ts'
import { HOME_ZONE, wallTimeAt } from '../shared/dates.ts'
import { writeMonths } from '../shared/periods.ts'
import { hashText } from '../shared/signed.ts'
import { CATEGORY_SCENES } from './site/category-scenes.ts'
import { siteImage } from './site/site-image.server.ts'

/** The content of a page's card. @property pictures their addresses. @property isPrivate true for a card behind a secret link */
export type CardContent = Omit<LinkCard, 'brand' | 'pictures'> & {
  pictures: readonly string[]
  isPrivate?: true
}

type CardServices = Pick<Services, 'db' | 'config' | 'now'>

/**
 * Finds the content of a page's card: public data alone, and no text from the address.
 * @param path the page's path, without its first slash
 * @returns null for a page that has no card, or isn't there
 */
export async function findCardContent(
  services: CardServices,
  path: string,
  query: URLSearchParams,
): Promise<CardContent | null> {
  const parts = path.split('/')
  const [first = '', second = '', third, fourth] = parts
  const category = categoryOfPath(`/${first}`)
  if (first === 'business' && parts.length === 2) return businessContent(services, second)
  if (path === 'events') return OCCASIONS
  if (first === 'services' && (parts.length === 2 || (parts.length === 4 && third === 'in')))
    return serviceContent(services, second, fourth ?? null)
  if (category && parts.length === 3 && second === 'in')
    return landingContent(services, category, third ?? '')
  if (first === 'shortlist' && parts.length === 2) return shortlistContent(services, second, query)
  if ((category && parts.length === 1) || path === 'venues-vendors')
    return searchContent(services, category, query)
  return null
}

const OCCASIONS: CardContent = {
  title: OCCASIONS_HEADING,
  lines: [`${OCCASION_NAMES.wedding}, ${OCCASION_NAMES.birthday.toLowerCase()}, work party and more`],
  price: null,
  rating: null,
  pictures: (['wedding', 'birthday', 'corporate'] as const).map(
    (occasion) => siteImage(`occasion-${occasion}`, 'occasions', '3x2').url,
  ),
}

/** The first pictures of businesses, and a drawn one of their kind if they have none. */
export function picturesOf(cards: readonly BusinessCardView[], category: Category | null): readonly string[] {
  const pictures = cards.flatMap(({ pictures: [picture] }) => picture?.url ?? []).slice(0, MAX_PICTURES)
  if (pictures.length > 0) return pictures
  return [siteImage(CATEGORY_SCENES[category ?? 'Venues'], 'category', '3x2').url]
}

async function businessContent({ db }: CardServices, id: string): Promise<CardContent | null> {
  const [card] = await listBusinessCards(db, [id])
  if (!card) return null
  const { rating } = card
  return {
    title: card.name,
    lines: [card.location],
    price: isBookable(card) ? priceText(card) : PRICE_ON_REQUEST_TEXT,
    rating: rating && {
      average: rating.average,
      text: `${rating.average.toFixed(1)} (${reviewCountText(rating.count)})`,
    },
    pictures: card.pictures[0] ? [card.pictures[0].url] : picturesOf([], card.category),
  }
}

async function serviceContent(
  { db, config, now }: CardServices,
  id: string,
  placeId: string | null,
): Promise<CardContent | null> {
  const service = SERVICE_IDS.find((each) => each === id)
  const landing =
    service && (await findServiceLanding(db, service, placeId, { nearKm: config.nearKm, now: now() }))
  if (!landing) return null
  return {
    title: serviceHeading(landing),
    lines: [landing.place?.state ?? 'Australia', foundText(landing)],
    price: null,
    rating: null,
    pictures: picturesOf(landing.businesses, null),
  }
}

async function landingContent(
  { db }: CardServices,
  category: Category,
  placeId: string,
): Promise<CardContent | null> {
  const landing = await findLanding(db, category, placeId, listBusinessCards)
  if (!landing) return null
  const listed = landing.listed + landing.listedAround
  return {
    title: landingHeading(landing),
    lines: [landing.place.state, categoryCountText(category, listed)],
    price: null,
    rating: null,
    pictures: picturesOf([...landing.businesses, ...landing.around], category),
  }
}

async function searchContent(
  { db, config, now }: CardServices,
  category: Category | null,
  query: URLSearchParams,
): Promise<CardContent> {
  const today = wallTimeAt(now(), HOME_ZONE).date
  const typed = await splitQuery(db, firstPage(readSearch(query)), today)
  const search = { ...typed, category: category ?? typed.category }
  const found = await listFound(db, search, { nearKm: config.nearKm, now: now() })
  const isDated = search.date !== null || search.months !== null
  // Words and places as they were typed could say anything in our name.
  const subject = headingOf({ ...search, q: '', place: '', near: false, bounds: null }, EVERYONE)
  const place = found.place && found.place !== 'unknown' ? found.place.label : null
  return {
    title: place
      ? `${subject} ${search.near === false ? 'in' : 'near'} ${place.replace(/,.*/, '')}`
      : subject,
    lines: [
      ...askedTexts({
        ...NOTHING_ASKED,
        date: search.date ?? '',
        guests: search.guests,
        months: writeMonths(search.months),
        weekday: search.months ? search.weekday : '',
      }),
      found.total > 0 ? foundText(found, isDated) : '',
    ].filter(Boolean),
    price: null,
    rating: null,
    pictures: picturesOf(found.businesses, search.category),
  }
}

const EVERYONE = 'Venues & vendors'

/** Finds the visible businesses of a shared list, with its owner's title, day and guests. Notes and votes stay on the page. */
async function shortlistContent(
  { db }: CardServices,
  link: string,
  query: URLSearchParams,
): Promise<CardContent | null> {
  const list = isLinkToken(link) ? await findSharedList(db, await hashText(link)) : null
  if (!list) return null
  const [about, ids] = await Promise.all([findAbout(db, list.id), listSavedIds(db, list.id)])
  const cards = await listBusinessCards(db, ids)
  const typed = readAsked(query.toString())
  const { date, guests } = askedQuery(typed) ? typed : about
  return {
    isPrivate: true,
    title: about.title || SHARED_TITLE,
    lines: [
      ...askedTexts({ ...NOTHING_ASKED, date, guests }),
      cards.length > 0 ? namesText(cards.map(({ name }) => name)) : SHARED_EMPTY_TEXT,
    ].filter(Boolean),
    price: null,
    rating: null,
    pictures: picturesOf(cards, null),
  }
}
