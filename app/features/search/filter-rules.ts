import { CATEGORY_TEXTS, OCCASION_NAMES } from '../businesses/messages.ts'
import { CATEGORIES, type Category, OCCASIONS, type Occasion } from '../businesses/rules.ts'
import { day, time } from './day-filter-rules.ts'
import {
  type Chip,
  choiceParameter,
  countParameter,
  cursorParameter,
  type Filter,
  flagParameter,
  keptParameter,
  type Relaxation,
  textParameter,
} from './filter-schema.ts'
import { MAX_GUESTS, MAX_LINE_LENGTH, MAX_PLACE_LENGTH } from './limits.ts'
import { anOccasion, guestsText } from './messages.ts'
import { price } from './price-filter-rules.ts'
import { takeKind } from './query-kind-schema.ts'
import { takeGuests } from './query-number-schema.ts'
import { takePlace } from './query-place-schema.ts'
import { categoriesOf } from './rules.ts'

/** Words of the form's field; a line may have more. */
const MAX_FORM_WORDS_LENGTH = 100
/** Longer names are typed too seldom to be kept. */
const MAX_KEPT_PLACE_LENGTH = 60
/** Longer phrases are taken back as a whole. */
const MAX_LOOSE_WORDS = 4

type Words = {
  /** Words that must all be found in a business's name, category, description, services or place. */
  q: string
}

const words: Filter<Words> = {
  parameters: { q: textParameter('q', MAX_LINE_LENGTH) },
  tidy: null,
  // The words themselves are in the index: see word-queries.server.ts.
  markers: null,
  changesWithMovesOnly: false,
  chips: ({ q }) => (q ? [{ text: q, without: { q: '' } }] : []),
  relaxed({ q }, isAlone) {
    const all: Relaxation<Words>[] =
      q && !isAlone ? [{ without: 'words', loss: 60, text: `Without “${q}”`, change: { q: '' } }] : []
    const each = q.split(' ')
    if (each.length === 1 || each.length > MAX_LOOSE_WORDS) return all
    const single = each.map((word) => ({
      without: 'word',
      word,
      loss: 100,
      text: `Without “${word}”`,
      change: { q: each.filter((other) => other !== word).join(' ') },
    }))
    return [...all, ...single]
  },
  // Text that no other filter takes out of a line becomes words.
  query: null,
  form: {
    order: 2,
    fields: ({ q }, { withCategory }) => [
      {
        kind: 'words',
        name: 'q',
        label: 'In a few words',
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
  /** Keeps to the categories that an occasion needs, and puts businesses that mention it first. */
  occasion: Occasion | null
}

const kind: Filter<Kind> = {
  parameters: {
    category: keptParameter(choiceParameter('category', CATEGORIES)),
    occasion: keptParameter(choiceParameter('occasion', OCCASIONS)),
  },
  tidy: null,
  markers(values) {
    const categories = categoriesOf(values)
    return categories.length < CATEGORIES.length ? categories.map((category) => `c/${category}`) : []
  },
  changesWithMovesOnly: true,
  chips({ category, occasion }) {
    const chips: Chip<Kind>[] = []
    if (category) chips.push({ text: category, without: { category: null } })
    if (occasion) chips.push({ text: OCCASION_NAMES[occasion], without: { occasion: null } })
    return chips
  },
  relaxed({ category, occasion }) {
    const relaxed: Relaxation<Kind>[] = []
    if (category)
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
  query: { alone: takeKind },
  form: {
    order: 1,
    fields: ({ category, occasion }, { withCategory }) => [
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
      {
        kind: 'choice',
        name: 'occasion',
        label: 'For which occasion',
        value: occasion ?? '',
        none: 'Any',
        options: OCCASIONS.map((value) => ({ value, label: OCCASION_NAMES[value] })),
      },
    ],
  },
}

type Guests = { guests: number | null }

const guests: Filter<Guests> = {
  parameters: { guests: countParameter('guests', MAX_GUESTS) },
  tidy: null,
  markers: null,
  changesWithMovesOnly: false,
  chips: ({ guests }) => (guests ? [{ text: guestsText(guests), without: { guests: null } }] : []),
  relaxed: ({ guests }) =>
    guests
      ? [
          {
            without: 'guests',
            loss: 50,
            text: `For fewer than ${guestsText(guests)}`,
            change: { guests: null },
          },
        ]
      : [],
  query: { anywhere: { order: 1, take: takeGuests } },
  form: {
    order: 6,
    fields: ({ guests }) => [
      {
        kind: 'count',
        name: 'guests',
        label: 'Guests',
        value: guests === null ? '' : String(guests),
        max: MAX_GUESTS,
        width: 'narrow',
      },
    ],
  },
}

type Place = {
  /** A suburb, a town or a state; '' for all of Australia. */
  place: string
  /** Around the place as well: `NEAR_KM` as the crow flies. Only with a suburb or town. */
  near: boolean
}

const place: Filter<Place> = {
  parameters: {
    place: keptParameter(
      textParameter('place', MAX_PLACE_LENGTH),
      (text) => text.length <= MAX_KEPT_PLACE_LENGTH,
    ),
    near: keptParameter(flagParameter('near')),
  },
  tidy: ({ place, near }) => ({ place, near: near && place !== '' }),
  // Known once the place is found: `indexFilterOf` in filter-queries.server.ts.
  markers: null,
  changesWithMovesOnly: true,
  chips: ({ place, near }) =>
    place
      ? [{ text: `${near ? 'near' : 'in'} ${place.replace(',', '')}`, without: { place: '', near: false } }]
      : [],
  relaxed({ place, near }) {
    const relaxed: Relaxation<Place>[] = []
    if (place && !near)
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
    fields: ({ place, near }, { nearKm }) => [
      {
        kind: 'place',
        name: 'place',
        label: 'Where',
        value: place,
        placeholder: 'Suburb, town or state',
        maxLength: MAX_PLACE_LENGTH,
        width: 'wide',
      },
      {
        kind: 'choice',
        name: 'near',
        label: 'How far',
        value: near ? '1' : '',
        none: 'Only there',
        options: [{ value: '1', label: `Up to ${nearKm} km around` }],
      },
    ],
  },
}

export const SORTS = ['relevance', 'newest', 'price'] as const
export type Sort = (typeof SORTS)[number]

type ListPosition = {
  /** null: by relevance where there are words or an occasion, else the newest first. */
  sort: Sort | null
  /** The last business of the page before, or the first of the page after: see `readCursor` of each sort. */
  after: string
  before: string
}

/** No filter: which part of the list is shown, and in which order. */
export const listPosition: Filter<ListPosition> = {
  parameters: {
    sort: keptParameter(choiceParameter('sort', SORTS)),
    after: cursorParameter('after'),
    before: cursorParameter('before'),
  },
  tidy: ({ sort, after, before }) => ({ sort, after, before: after ? '' : before }),
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
export const FILTERS = [words, kind, day, time, guests, place, price] as const
