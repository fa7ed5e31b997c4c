import type { IconName } from '../../ui/icon-names.ts'
import type { Category } from './rules.ts'

/** The properties of every kind of fact. */
type Frame = {
  /** The categories whose form asks for it. */
  categories: readonly Category[]
  /** Those of them in which it comes before all others. */
  leads?: readonly Category[]
  /** The name on the page, in the form and in the search form. */
  label: string
  formLabel?: string
  /** The advice beside its input. */
  hint?: string
}

/** Whether and where a card shows it, the lowest number first. `text` is as short as it can be, or null to leave it out. */
type OnCard<Value> = { places: Partial<Record<Category, number>>; text: (value: Value) => string | null }

/** The markers of a number: one for each of the steps that it reaches (`steps`), or for an unknown one (`any`). */
type Steps = { prefix: string; steps: readonly number[]; isUnknownFound: boolean }

/** A filter of the search. `label` and `none`, the first option, replace the fact's own name and 'Any'. */
type Asked = { parameter: string; label?: string; none?: string }

/** A whole number from 1 to `max`. */
export type CountFact = Frame & {
  kind: 'count'
  max: number
  /** The object of its error's sentence: 'whole hours'. */
  asks: string
  icon: IconName
  text: (count: number) => string
  card: OnCard<number> | null
  /** The numbers that most vendors of a category would give, which the form shows as examples. */
  usual?: Partial<Record<Category, number>>
  markers: Steps | null
  /** Needs `markers`, whose steps it offers. A listing must reach the chosen one. */
  search:
    | (Asked & {
        option: (step: number) => string
        chip: (step: number) => string
        /** Its first group is the number. */
        phrase: RegExp
      })
    | null
}

export type YesNoFact = Frame & {
  kind: 'yesNo'
  icon: IconName
  card: { places: Partial<Record<Category, number>>; text: string } | null
  search: (Asked & { chip: string; phrase: RegExp; words: string }) | null
}

/**
 * One of several values.
 * @property text in the middle of a sentence
 * @property chip its name among the chips of a search, if that isn't the text
 * @property spelling the source of a pattern; the value itself without one
 * @property words what a listing's texts must contain if it says nothing of the fact: a tsquery of PostgreSQL
 * @property suitedBy other values that are found as well
 * @property categories whose vendors may state it, all of the fact's if left out
 */
export type FactOption = {
  text: string
  chip?: string
  spelling?: string
  words?: string
  suitedBy?: readonly string[]
  categories?: readonly Category[]
}

export type SeveralFact = Frame & {
  kind: 'several'
  options: Readonly<Record<string, FactOption>>
  /** Its error. */
  asks: string
  icon: IconName | ((values: readonly string[]) => IconName)
  card: OnCard<readonly string[]> | null
  /** Whether each value is a feature of the place, for search engines. */
  isAmenity: boolean
  search:
    | (Asked & {
        /** Whether a search names only one of them. */
        isSingle: boolean
        /** Around the chosen values. */
        chip?: (values: string) => string
        /** The pattern of one value in a query. */
        phrase: (spelling: string) => RegExp
      })
    | null
}

export type Fact = CountFact | YesNoFact | SeveralFact

/** The value that a fact of this kind may have. */
export type FactValue<Row extends Fact> = Row extends { kind: 'count' }
  ? number
  : Row extends { kind: 'yesNo' }
    ? boolean
    : Row extends { options: infer Options }
      ? (keyof Options & string)[]
      : never

const whole = new Intl.NumberFormat('en-AU')
const joined = new Intl.ListFormat('en-AU', { type: 'conjunction' })

/** '1,200'. */
export const wholeText = (count: number) => whole.format(count)
/** 'vegan, halal and kosher'. */
export const listText = (texts: readonly string[]) => joined.format(texts)
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** 'florist' of 'Florist', but 'MC' stays. */
export const midSentence = (name: string) =>
  /^\p{Lu}\p{Lu}/u.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1)

/** The values of a list in words. */
export function optionTexts(fact: SeveralFact, values: readonly string[]): string[] {
  return values.flatMap((value) => fact.options[value]?.text ?? [])
}

/** The options of a list with their values: those of a category, or all. */
const optionsOf = ({ options }: SeveralFact, category: Category | null) =>
  Object.entries(options).filter(
    ([, { categories }]) => !category || !categories || categories.includes(category),
  )

/** The options of a list, labelled for a form: those of a category, or all. */
export function labelledOptions(
  fact: SeveralFact,
  category: Category | null = null,
): { value: string; label: string }[] {
  return optionsOf(fact, category).map(([value, { text }]) => ({ value, label: capital(text) }))
}

/** Whether the options of a list differ by category. */
export function differsByCategory({ options }: SeveralFact): boolean {
  return Object.values(options).some(({ categories }) => categories !== undefined)
}

/** A stored value, if this fact may have it for a listing of this category. */
export function knownValue(fact: Fact, value: unknown, category: Category | null = null): unknown {
  switch (fact.kind) {
    case 'count':
      return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= fact.max
        ? value
        : undefined
    case 'yesNo':
      return typeof value === 'boolean' ? value : undefined
    case 'several': {
      if (!Array.isArray(value)) return undefined
      const chosen = optionsOf(fact, category).flatMap(([option]) => (value.includes(option) ? [option] : []))
      return chosen.length > 0 ? chosen : undefined
    }
  }
}

/** The value as a page shows it. */
export function valueText(fact: Fact, value: unknown): string {
  switch (fact.kind) {
    case 'count':
      return fact.text(value as number)
    case 'yesNo':
      return value ? 'Yes' : 'No'
    case 'several':
      return capital(listText(optionTexts(fact, value as string[])))
  }
}

/** The value as a card shows it: null for a 'no', and for what cards leave out. */
export function cardText(fact: Fact, value: unknown): string | null {
  switch (fact.kind) {
    case 'count':
      return fact.card?.text(value as number) ?? null
    case 'yesNo':
      return value ? (fact.card?.text ?? null) : null
    case 'several':
      return fact.card?.text(value as string[]) ?? null
  }
}

export function iconOf(fact: Fact, value: unknown): IconName {
  return typeof fact.icon === 'function' ? fact.icon(value as string[]) : fact.icon
}

/** The error of an input that is unclear or out of range. */
export function errorText(fact: Fact): string {
  switch (fact.kind) {
    case 'count':
      return `Enter ${fact.asks}, from 1 to ${whole.format(fact.max)}, or leave it empty.`
    case 'yesNo':
      return 'Choose yes or no, or leave it out.'
    case 'several':
      return fact.asks
  }
}

/** The markers of the search index for a value, undefined for an unknown one. */
export function markersOfFact(name: string, fact: Fact, value: unknown): string[] {
  switch (fact.kind) {
    case 'count': {
      if (!fact.markers) return []
      const { prefix, steps, isUnknownFound } = fact.markers
      if (typeof value !== 'number') return isUnknownFound ? [`${prefix}any`] : []
      return steps.filter((step) => step <= value).map((step) => `${prefix}${step}`)
    }
    case 'yesNo':
      return value === true ? [`k/${name}`] : []
    case 'several':
      return ((value ?? []) as string[]).map((option) => `k/${option}`)
  }
}

/** The words that count for each marker of a fact of which a listing says nothing. */
export function wordsOfFact(name: string, fact: Fact): { marker: string; words: string }[] {
  if (fact.kind === 'yesNo') return fact.search ? [{ marker: `k/${name}`, words: fact.search.words }] : []
  if (fact.kind === 'count') return []
  return Object.entries(fact.options).flatMap(([option, { words }]) =>
    words ? [{ marker: `k/${option}`, words }] : [],
  )
}
