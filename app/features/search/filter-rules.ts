import { formatDay, formatTime, type LocalDate, type LocalTime } from '../../shared/dates.ts'
import { type Cents, PRICE_UNITS, type PriceUnit } from '../../shared/money.ts'
import { CATEGORIES, type Category, OCCASIONS, type Occasion } from '../businesses/rules.ts'
import { CATEGORY_TEXTS, OCCASION_NAMES, UNIT_TEXTS } from '../businesses/wording.ts'
import {
  amountParameter,
  type Chip,
  choiceParameter,
  countParameter,
  cursorParameter,
  dateParameter,
  type Filter,
  flagParameter,
  keptParameter,
  type Relaxation,
  textParameter,
  timeParameter,
} from './filter-schema.ts'
import { MAX_GUESTS, MAX_HOURS, MAX_LINE_LENGTH, MAX_PLACE_LENGTH } from './limits.ts'
import { takeDate, takeTimes } from './line-date-schema.ts'
import { takeKind } from './line-kind-schema.ts'
import { takeGuests, takeMoney } from './line-number-schema.ts'
import { takePlace } from './line-place-schema.ts'
import { categoriesOf, WEEKDAYS, weekdayOf } from './rules.ts'
import { anOccasion, guestsText, hoursText, priceText, shortMoney } from './wording.ts'

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
  // What no other filter takes out of a line is words.
  line: null,
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
  line: { alone: takeKind },
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

type Day = {
  date: LocalDate | null
  /** The weekday that was written, where that day is another one; '' where they agree. */
  weekday: string
}

const day: Filter<Day> = {
  parameters: {
    date: dateParameter('date'),
    weekday: {
      name: 'weekday',
      empty: '',
      read: (text) => WEEKDAYS.find((each) => each === text) ?? '',
      write: (value) => value,
    },
  },
  tidy: ({ date, weekday }) => ({ date, weekday: date && weekday !== weekdayOf(date) ? weekday : '' }),
  // Bookings decide, and the index has none of them: `listBookable` is asked.
  markers: null,
  changesWithMovesOnly: false,
  chips: ({ date }) => (date ? [{ text: formatDay(date), without: { date: null, weekday: '' } }] : []),
  relaxed: ({ date }) =>
    date
      ? [
          {
            without: 'date',
            loss: 20,
            text: `On any day, not only ${formatDay(date)}`,
            change: { date: null },
          },
        ]
      : [],
  line: { anywhere: { order: 4, take: takeDate } },
  form: {
    order: 4,
    fields: ({ date }) => [{ kind: 'date', name: 'date', label: 'Day', value: date ?? '' }],
  },
}

type Time = {
  from: LocalTime | null
  /** At or before `from` it is the next day. Only with `from`. */
  until: LocalTime | null
  /** The length in whole hours, where no end is given. */
  hours: number | null
}

const time: Filter<Time> = {
  parameters: {
    from: timeParameter('from'),
    until: timeParameter('until'),
    hours: countParameter('hours', MAX_HOURS),
  },
  tidy({ from, until, hours }) {
    const end = from && until !== from ? until : null
    return { from, until: end, hours: end ? null : hours }
  },
  markers: null,
  changesWithMovesOnly: false,
  chips({ from, until, hours }) {
    const chips: Chip<Time>[] = []
    if (from)
      chips.push({
        text: until ? `${formatTime(from)} to ${formatTime(until)}` : `from ${formatTime(from)}`,
        without: { from: null, until: null },
      })
    if (hours) chips.push({ text: hoursText(hours), without: { hours: null } })
    return chips
  },
  // Without a day nothing is ever refused for its time.
  relaxed: null,
  line: { anywhere: { order: 3, take: takeTimes } },
  form: {
    order: 5,
    fields: ({ from, until, hours }) => [
      { kind: 'time', name: 'from', label: 'From', value: from ?? '', width: 'narrow' },
      { kind: 'time', name: 'until', label: 'Until', value: until ?? '', width: 'narrow' },
      {
        kind: 'count',
        name: 'hours',
        label: 'Or hours',
        value: countText(hours),
        max: MAX_HOURS,
        width: 'narrow',
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
  line: { anywhere: { order: 1, take: takeGuests } },
  form: {
    order: 6,
    fields: ({ guests }) => [
      {
        kind: 'count',
        name: 'guests',
        label: 'Guests',
        value: countText(guests),
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
  // Known once the place is found: `narrowingOf` in filter-queries.server.ts.
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
  line: { anywhere: { order: 5, take: takePlace } },
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

type Price = {
  /** The most that all of it may cost, for the guests or the hours asked for. */
  budgetCents: Cents | null
  /** The listed price, for one hour or one person. */
  minCents: Cents | null
  maxCents: Cents | null
  /** Only listings whose price is per this. */
  per: PriceUnit | null
}

const price: Filter<Price> = {
  parameters: {
    budgetCents: amountParameter('budget'),
    minCents: amountParameter('min'),
    maxCents: amountParameter('max'),
    per: choiceParameter('per', PRICE_UNITS),
  },
  tidy(values) {
    const { minCents, maxCents } = values
    if (minCents === null || maxCents === null || minCents <= maxCents) return values
    return { ...values, minCents: maxCents, maxCents: minCents }
  },
  // Ranges of columns, in the order of an index where they can: see `narrowingOf` and `listByPrice`.
  markers: null,
  changesWithMovesOnly: false,
  chips(values) {
    const { budgetCents, per } = values
    const chips: Chip<Price>[] = []
    if (budgetCents !== null)
      chips.push({ text: `up to ${shortMoney(budgetCents)}`, without: { budgetCents: null } })
    const listed = priceText(values)
    if (listed) chips.push({ text: listed, without: { minCents: null, maxCents: null, per: null } })
    else if (per) chips.push({ text: UNIT_TEXTS[per], without: { per: null } })
    return chips
  },
  relaxed({ budgetCents, minCents, maxCents, per }) {
    const relaxed: Relaxation<Price>[] = []
    if (budgetCents !== null)
      relaxed.push({
        without: 'budget',
        loss: 30,
        text: `Over ${shortMoney(budgetCents)} too`,
        change: { budgetCents: null },
      })
    if (minCents !== null || maxCents !== null || per)
      relaxed.push({
        without: 'price',
        loss: 40,
        text: 'At any price',
        change: { minCents: null, maxCents: null, per: null },
      })
    return relaxed
  },
  line: { anywhere: { order: 2, take: takeMoney } },
  form: {
    order: 7,
    fields: ({ budgetCents, minCents, maxCents, per }) => [
      {
        kind: 'amount',
        name: 'budget',
        label: 'Budget in all',
        value: dollarsText(budgetCents),
        width: 'wide',
      },
      {
        kind: 'group',
        label: 'Listed price',
        fields: [
          { kind: 'amount', name: 'min', label: 'From', value: dollarsText(minCents), placeholder: 'from' },
          { kind: 'amount', name: 'max', label: 'To', value: dollarsText(maxCents), placeholder: 'to' },
          {
            kind: 'choice',
            name: 'per',
            label: 'Per',
            value: per ?? '',
            none: 'person or hour',
            options: [
              { value: 'perPerson', label: 'person' },
              { value: 'perHour', label: 'hour' },
            ],
          },
        ],
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
  line: null,
  form: {
    order: Number.POSITIVE_INFINITY,
    fields: ({ sort }) => (sort ? [{ kind: 'hidden', name: 'sort', value: sort }] : []),
  },
}

/** The filters of a search, in the order in which people say them. */
export const FILTERS = [words, kind, day, time, guests, place, price] as const

function countText(count: number | null): string {
  return count === null ? '' : String(count)
}

function dollarsText(cents: Cents | null): string {
  return cents === null ? '' : String(cents / 100)
}
