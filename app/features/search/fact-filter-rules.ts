import { DIET_TEXTS } from '../businesses/fact-messages.ts'
import {
  DIETS,
  type Diet,
  type FactName,
  hasFact,
  LANGUAGES,
  type Language,
  SETTINGS,
  type Setting,
} from '../businesses/fact-rules.ts'
import type { Category } from '../businesses/rules.ts'
import {
  type Chip,
  cachedParameter,
  choiceParameter,
  type Field,
  type Filter,
  flagParameter,
  type Relaxation,
  severalParameter,
} from './filter-schema.ts'
import { takeFacts } from './query-fact-schema.ts'

/** The facts that a listing must have. If it doesn't say, its words count: see fact_words() (0039). */
type FactFilter = {
  /** All of them. */
  settings: readonly Setting[]
  stepFree: boolean
  parking: boolean
  byo: boolean
  /** All of them. */
  diets: readonly Diet[]
  language: Language | null
}

type FactKey = keyof FactFilter

/** The fact that each key asks for. */
const FACT_OF = {
  settings: 'setting',
  stepFree: 'stepFree',
  parking: 'parking',
  byo: 'byo',
  diets: 'dietary',
  language: 'languages',
} as const satisfies Record<FactKey, FactName>
const KEYS = Object.keys(FACT_OF) as FactKey[]

const settings = severalParameter('setting', SETTINGS)
const diets = severalParameter('diet', DIETS)
const NONE: FactFilter = {
  settings: settings.empty,
  stepFree: false,
  parking: false,
  byo: false,
  diets: diets.empty,
  language: null,
}

const joined = new Intl.ListFormat('en-AU', { type: 'conjunction' })

/** A chip of each set key, which `takeFacts` reads back. */
function textOf(values: FactFilter, key: FactKey): string | null {
  switch (key) {
    case 'settings':
      return joined.format(values.settings)
    case 'stepFree':
      return values.stepFree ? 'step-free access' : null
    case 'parking':
      return values.parking ? 'parking on site' : null
    case 'byo':
      return values.byo ? 'BYO' : null
    case 'diets':
      return joined.format(values.diets.map((diet) => DIET_TEXTS[diet]))
    case 'language':
      return values.language && `speaks ${values.language}`
  }
}

const setKeys = (values: FactFilter) => KEYS.filter((key) => values[key] !== NONE[key])

/** The facts of a listing. */
export const facts: Filter<FactFilter> = {
  parameters: {
    settings: cachedParameter(settings),
    stepFree: cachedParameter(flagParameter('step-free')),
    parking: cachedParameter(flagParameter('parking')),
    byo: cachedParameter(flagParameter('byo')),
    diets: cachedParameter(diets),
    language: choiceParameter('language', LANGUAGES),
  },
  tidy: null,
  // Several groups, of each of which a listing must have one: see `factGroups`.
  markers: null,
  changesWithMovesOnly: false,
  chips: (values) =>
    setKeys(values).flatMap((key): Chip<FactFilter>[] => {
      const text = textOf(values, key)
      return text ? [{ text, without: { [key]: NONE[key] } }] : []
    }),
  relaxed: (values) =>
    setKeys(values).flatMap((key): Relaxation<FactFilter>[] => {
      const text = textOf(values, key)
      return text ? [{ without: key, loss: 45, text: `Without “${text}”`, change: { [key]: NONE[key] } }] : []
    }),
  query: { anywhere: { order: 4, take: takeFacts } },
  form: {
    order: 8,
    fields: (values, { category }) =>
      KEYS.filter(
        (key) => category === null || hasFact(category, FACT_OF[key]) || values[key] !== NONE[key],
      ).map((key) => fieldOf(values, key)),
  },
}

/**
 * The markers of each fact, of which a listing must have one. Vegan food suits vegetarians. A search for
 * seats without a category means venues.
 */
export function factGroups(values: FactFilter & { seated: boolean; category: Category | null }): string[][] {
  const { language, seated, category } = values
  return [
    ...(seated && !category ? [['c/Venues']] : []),
    ...values.settings.map((setting) => [`k/${setting}`]),
    ...(values.stepFree ? [['k/stepFree']] : []),
    ...(values.parking ? [['k/parking']] : []),
    ...(values.byo ? [['k/byo']] : []),
    ...values.diets.map((diet) => (diet === 'vegetarian' ? ['k/vegetarian', 'k/vegan'] : [`k/${diet}`])),
    ...(language ? [[`k/${language}`]] : []),
  ]
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const NEEDED = [{ value: '1', label: 'Needed' }]

function fieldOf(values: FactFilter, key: FactKey): Field {
  const choice = (
    name: string,
    label: string,
    options: readonly { value: string; label: string }[],
    none = 'Any',
  ): Field => {
    const value = values[key]
    return {
      kind: 'choice',
      name,
      label,
      none,
      // Several values, which only a query can ask for, are one option more.
      options:
        Array.isArray(value) && value.length > 1
          ? [...options, { value: String(value), label: capital(textOf(values, key) ?? '') }]
          : options,
      value: typeof value === 'boolean' ? (value ? '1' : '') : String(value ?? ''),
    }
  }
  switch (key) {
    case 'settings':
      return choice(
        'setting',
        'Indoors or outdoors',
        SETTINGS.map((value) => ({ value, label: `${capital(value)}s` })),
        'Either',
      )
    case 'stepFree':
      return choice('step-free', 'Step-free access', NEEDED)
    case 'parking':
      return choice('parking', 'Parking on site', NEEDED)
    case 'byo':
      return choice('byo', 'BYO drinks', NEEDED)
    case 'diets':
      return choice(
        'diet',
        'Dietary needs',
        DIETS.map((value) => ({ value, label: capital(DIET_TEXTS[value]) })),
      )
    case 'language':
      return choice(
        'language',
        'Speaks',
        LANGUAGES.map((value) => ({ value, label: value })),
        'English',
      )
  }
}

/** The steps of guest_markers() (0039). */
export const GUEST_STEPS = [100, 150, 200, 300, 500, 1000, 2000, 5000] as const

/**
 * The markers of listings with room for a number of guests, or of unknown size. None for fewer than the first step:
 * most listings have room for them, so checking each of a page is faster. The exact number is checked there anyway.
 */
export function guestMarkers(guests: number | null, isSeated: boolean): string[] {
  const step = GUEST_STEPS.findLast((each) => each <= (guests ?? 0))
  const prefix = isSeated ? 'q' : 'm'
  return step ? [`${prefix}/${step}`, `${prefix}/any`] : []
}
