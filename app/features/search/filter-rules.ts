import { guestsText } from '../businesses/asked-rules.ts'
import { hasFact } from '../businesses/fact-rules.ts'
import { MAX_PLACE_LENGTH } from '../businesses/limits.ts'
import { CATEGORY_TEXTS, OCCASION_NAMES } from '../businesses/messages.ts'
import { CATEGORIES, type Category, OCCASIONS, type Occasion } from '../businesses/rules.ts'
import { SERVICE_IDS, serviceMarker, servicesOfCategory } from '../businesses/service-match-rules.ts'
import { SERVICES, type ServiceId } from '../businesses/service-rules.ts'
import { areaNamed } from '../places/area-rules.ts'
import { MAX_GUESTS } from '../pricing/limits.ts'
import { day, time } from './day-filter-rules.ts'
import { facts, guestMarkers } from './fact-filter-rules.ts'
import {
  type Chip,
  cachedParameter,
  choiceParameter,
  countParameter,
  cursorParameter,
  type Field,
  type Filter,
  flagParameter,
  type Parameter,
  type Relaxation,
  textParameter,
} from './filter-schema.ts'
import { MAX_QUERY_LENGTH } from './limits.ts'
import { BOUNDS_TEXT, withinText } from './map-messages.ts'
import { type Bounds, readBounds, writeBounds } from './map-rules.ts'
import { DISTANCES_KM, HERE, type Near } from './place-rules.ts'
import { price } from './price-filter-rules.ts'
import { takeKind, takeKindsAround } from './query-kind-schema.ts'
import { takeGuests } from './query-number-schema.ts'
import { takePlace } from './query-place-schema.ts'
import { COUNT_CAP, categoriesOf } from './rules.ts'
import { anOccasion } from './term-messages.ts'

/** For the words field of the form. A typed query may be longer. */
const MAX_FORM_WORDS_LENGTH = 100
/** Longer names are too rare to be worth caching. */
const MAX_CACHED_PLACE_LENGTH = 60
/** A longer phrase is only dropped as a whole, never word by word. */
const MAX_RELAXED_WORDS = 4

type Words = {
  /** Words that must all occur in a business's name, category, description, services or place. */
  q: string
}

const words: Filter<Words> = {
  parameters: { q: textParameter('q', MAX_QUERY_LENGTH) },
  tidy: null,
  // The words themselves are in the index: see word-queries.server.ts.
  markers: null,
  changesWithMovesOnly: false,
  chips: ({ q }) => (q ? [{ text: q, without: { q: '' } }] : []),
  relaxed({ q }, { isAlone }) {
    const all: Relaxation<Words>[] =
      q && !isAlone ? [{ without: 'words', loss: 60, text: `Without “${q}”`, change: { q: '' } }] : []
    const each = q.split(' ')
    if (each.length === 1 || each.length > MAX_RELAXED_WORDS) return all
    const single = each.map((word) => ({
      without: 'word',
      word,
      loss: 100,
      text: `Without “${word}”`,
      change: { q: each.filter((other) => other !== word).join(' ') },
    }))
    return [...all, ...single]
  },
  // Text that no other filter takes from a query becomes words.
  query: null,
  form: {
    order: 2,
    fields: ({ q }, { withCategory }) => [
      {
        kind: 'words',
        name: 'q',
        label: 'Keywords',
        value: q,
        placeholder: 'Garden, jazz, vegan …',
        maxLength: MAX_FORM_WORDS_LENGTH,
        width: withCategory ? 'wide' : 'full',
      },
    ],
  },
}

type Kind = {
  category: Category | null
  /** A service, which says its categories as well: see `tidy`. */
  service: ServiceId | null
  /** Limits the categories to those that the occasion needs, and ranks businesses that mention it first. */
  occasion: Occasion | null
}

const kind: Filter<Kind> = {
  parameters: {
    category: cachedParameter(choiceParameter('category', CATEGORIES)),
    service: cachedParameter(choiceParameter('service', SERVICE_IDS)),
    occasion: cachedParameter(choiceParameter('occasion', OCCASIONS)),
  },
  tidy: (values) => (values.service ? { ...values, category: null } : values),
  markers(values) {
    // Only vendors of its categories have a service's marker. An occasion ranks them, but asks nothing of their texts.
    if (values.service) return [serviceMarker(values.service)]
    const categories = categoriesOf(values)
    return categories.length < CATEGORIES.length ? categories.map((category) => `c/${category}`) : []
  },
  changesWithMovesOnly: true,
  chips({ category, service, occasion }) {
    const chips: Chip<Kind>[] = []
    if (service) chips.push({ text: SERVICES[service].one, without: { service: null } })
    else if (category) chips.push({ text: category, without: { category: null } })
    if (occasion) chips.push({ text: OCCASION_NAMES[occasion], without: { occasion: null } })
    return chips
  },
  relaxed({ category, service, occasion }) {
    const relaxed: Relaxation<Kind>[] = []
    if (service)
      relaxed.push({
        without: 'service',
        loss: 85,
        text: `Not only ${SERVICES[service].many.toLowerCase()}`,
        change: { service: null, category: SERVICES[service].category },
      })
    else if (category)
      relaxed.push({
        without: 'category',
        loss: 80,
        text: `Not only ${CATEGORY_TEXTS[category].heading.toLowerCase()}`,
        change: { category: null },
      })
    if (occasion)
      relaxed.push({
        without: 'occasion',
        loss: 90,
        text: `Not only for ${anOccasion(OCCASION_NAMES[occasion])}`,
        change: { occasion: null },
      })
    return relaxed
  },
  query: { alone: takeKind, around: takeKindsAround },
  form: {
    order: 1,
    fields: ({ category, service, occasion }, { withCategory, category: searched }) => [
      ...(withCategory
        ? [
            {
              kind: 'choice' as const,
              name: 'category',
              label: 'What',
              value: category ?? '',
              none: 'Anything',
              options: CATEGORIES.map((value) => ({ value, label: value })),
            },
          ]
        : []),
      ...serviceField(service, searched),
      {
        kind: 'choice',
        name: 'occasion',
        label: 'Occasion',
        value: occasion ?? '',
        none: 'Any',
        options: OCCASIONS.map((value) => ({ value, label: OCCASION_NAMES[value] })),
      },
    ],
  },
}

/** The choice among the services of the searched category, or among all. */
function serviceField(service: ServiceId | null, category: Category | null): Field[] {
  const searched = service ? SERVICES[service].category : category
  const offered = searched ? servicesOfCategory(searched) : SERVICE_IDS
  return [
    {
      kind: 'choice',
      name: 'service',
      label: 'Service',
      value: service ?? '',
      none: 'Any',
      options: offered
        .map((value) => ({ value, label: SERVICES[value].one }))
        .sort((a, b) => (a.label < b.label ? -1 : 1)),
    },
  ]
}

type Guests = {
  guests: number | null
  /** All of them need a seat. */
  seated: boolean
}

const guests: Filter<Guests> = {
  parameters: { guests: countParameter('guests', MAX_GUESTS), seated: flagParameter('seated') },
  tidy: ({ guests, seated }) => ({ guests, seated: seated && guests !== null }),
  markers: ({ guests, seated }) => guestMarkers(guests, seated),
  changesWithMovesOnly: false,
  chips: ({ guests, seated }) =>
    guests
      ? [
          {
            text: `${guestsText(guests)}${seated ? ' seated' : ''}`,
            without: { guests: null, seated: false },
          },
        ]
      : [],
  relaxed({ guests, seated }) {
    const relaxed: Relaxation<Guests>[] = []
    if (guests && seated)
      relaxed.push({
        without: 'seats',
        loss: 20,
        text: `${guestsText(guests)}, not all seated`,
        change: { seated: false },
      })
    if (guests)
      relaxed.push({
        without: 'guests',
        loss: 50,
        text: `For fewer than ${guestsText(guests)}`,
        change: { guests: null, seated: false },
      })
    return relaxed
  },
  query: { anywhere: { order: 1, take: takeGuests } },
  form: {
    order: 6,
    fields: ({ guests, seated }, { category }) => [
      {
        kind: 'count',
        name: 'guests',
        label: 'Guests',
        value: guests === null ? '' : String(guests),
        max: MAX_GUESTS,
        width: 'narrow',
      },
      ...(seated || !category || hasFact(category, 'seated')
        ? [
            {
              kind: 'choice' as const,
              name: 'seated',
              label: 'Seats',
              value: seated ? '1' : '',
              none: 'Seated or standing',
              options: [{ value: '1', label: 'All seated' }],
            },
          ]
        : []),
    ],
  },
}

type Place = {
  /** A suburb, a town, an area, a postcode or a state, or `HERE`; '' for all of Australia. */
  place: string
  /** Includes the surroundings of a suburb or town. */
  near: Near
  /** The part of the map that is on the screen. Only without a place. */
  bounds: Bounds | null
}

const nearParameter: Parameter<Near> = {
  name: 'near',
  empty: false,
  read: (text) => text === '1' || (DISTANCES_KM.find((km) => String(km) === text) ?? false),
  write: (value) => (value === false ? '' : value === true ? '1' : String(value)),
}

/** The distances to choose from. '1' is the usual one. */
function distanceOptions(chosen: Near, nearKm: number): { value: string; label: string }[] {
  const usual = chosen === nearKm ? [] : [{ km: nearKm, value: '1' }]
  const others = DISTANCES_KM.filter((km) => km !== nearKm || km === chosen)
  return [...usual, ...others.map((km) => ({ km, value: String(km) }))]
    .sort((a, b) => a.km - b.km)
    .map(({ km, value }) => ({ value, label: `Within ${km} km` }))
}

const place: Filter<Place> = {
  parameters: {
    place: cachedParameter(
      textParameter('place', MAX_PLACE_LENGTH),
      (text) => text.length <= MAX_CACHED_PLACE_LENGTH,
    ),
    near: cachedParameter(nearParameter),
    bounds: { name: 'bounds', empty: null, read: readBounds, write: writeBounds },
  },
  tidy: ({ place, near, bounds }) => ({
    place,
    near: place === '' ? false : near,
    bounds: place === '' ? bounds : null,
  }),
  // `indexFilterOf` in filter-queries.server.ts adds them once the place is resolved.
  markers: null,
  changesWithMovesOnly: true,
  chips({ place, near, bounds }) {
    if (place)
      return [{ text: `${withinText(near)} ${place.replace(',', '')}`, without: { place: '', near: false } }]
    return bounds ? [{ text: BOUNDS_TEXT, without: { bounds: null }, isUntyped: true }] : []
  },
  relaxed({ place, near, bounds }) {
    const relaxed: Relaxation<Place>[] = []
    if (bounds)
      relaxed.push({ without: 'bounds', loss: 10, text: 'Anywhere in Australia', change: { bounds: null } })
    if (place === HERE) return relaxed
    if (place && !near && !areaNamed(place))
      relaxed.push({ without: 'distance', loss: 10, text: `Near ${place} as well`, change: { near: true } })
    if (place)
      relaxed.push({
        without: 'place',
        loss: 70,
        text: 'Anywhere in Australia',
        change: { place: '', near: false },
      })
    return relaxed
  },
  query: { anywhere: { order: 5, take: takePlace } },
  form: {
    order: 3,
    fields: ({ place, near, bounds }, { nearKm }) => [
      {
        kind: 'place',
        name: 'place',
        label: 'Where',
        value: place,
        placeholder: 'Suburb, postcode or region',
        maxLength: MAX_PLACE_LENGTH,
        width: 'wide',
      },
      {
        kind: 'choice',
        name: 'near',
        label: 'How far',
        value: nearParameter.write(near),
        none: 'This place only',
        options: distanceOptions(near, nearKm),
      },
      // A place replaces the map's area: see `tidy`.
      ...(bounds ? [{ kind: 'hidden' as const, name: 'bounds', value: writeBounds(bounds) }] : []),
    ],
  },
}

export const SORTS = ['recommended', 'newest', 'price', 'rating', 'distance'] as const
export type Sort = (typeof SORTS)[number]

type ListPosition = {
  /** null for the default, recommended. */
  sort: Sort | null
  /** A cursor: the last business of the previous page, or the first of the next page. See `readCursor`. */
  after: string
  before: string
  /** The matches on the pages before that cursor, where each has to be checked to be counted. */
  seen: number | null
}

/** Not a filter: the page of the list and its order. */
export const listPosition: Filter<ListPosition> = {
  parameters: {
    sort: cachedParameter(choiceParameter('sort', SORTS)),
    after: cursorParameter('after'),
    before: cursorParameter('before'),
    seen: countParameter('seen', COUNT_CAP),
  },
  tidy: ({ sort, after, before, seen }) => ({
    sort,
    after,
    before: after ? '' : before,
    seen: after || before ? seen : null,
  }),
  markers: null,
  changesWithMovesOnly: true,
  chips: null,
  relaxed: null,
  query: null,
  form: {
    order: Number.POSITIVE_INFINITY,
    fields: ({ sort }) => (sort ? [{ kind: 'hidden', name: 'sort', value: sort }] : []),
  },
}

/** The filters of a search, in the order in which people say them. */
export const FILTERS = [words, facts, kind, day, time, guests, place, price] as const
