import { isLocalDate, isLocalTime, type LocalDate, type LocalTime } from '../../shared/dates.ts'
import { type Cents, parsePrice, toNumericString } from '../../shared/money.ts'
import { BUSINESS_ID, type Category, MAX_ID_LENGTH } from '../businesses/rules.ts'
import { MAX_TOTAL_CENTS } from '../pricing/limits.ts'
import type { QueryContext, Take } from './query-take-schema.ts'

/** One parameter of a search's address. */
export type Parameter<Value> = {
  name: string
  empty: Value
  /** Reads any text. Returns `empty` for text that it doesn't understand. */
  read(text: string): Value
  /** The inverse of `read`: '' for `empty`. */
  write(value: Value): string
  /**
   * Whether the page cache accepts a list with this value. Without this function no value is accepted: too few visitors
   * choose the same one, or bookings change the list all the time.
   */
  isCacheable?(text: string): boolean
}

/**
 * One filter of a search: a parameter, or several that belong together. Everything that the product does with the
 * filter is here. `null` marks a deliberate omission.
 */
export type Filter<Values extends object> = {
  parameters: { [Key in keyof Values]: Parameter<Values[Key]> }
  /** Drops what doesn't go together, such as an end without a beginning. */
  tidy: ((values: Values) => Values) | null
  /** Index markers, of which a listing must have one. None for an empty filter. The view `search_source` lists them. */
  markers: ((values: Values) => readonly string[]) | null
  /** Only adding, removing or moving a listing can change the matches. If false, any edit of a listing can. */
  changesWithMovesOnly: boolean
  /** The active filter in plain words, which `parseQuery` parses back to the same values. */
  chips: ((values: Values) => Chip<Values>[]) | null
  /** The smaller searches to offer when nothing is found. */
  relaxed: ((values: Values, beside: Beside) => Relaxation<Values>[]) | null
  /** Reads the filter from a typed query. */
  query: QueryReader<Values> | null
  /** The form's fields with their values. */
  form: { order: number; fields: (values: Values, context: FormContext) => Field[] } | null
}

/**
 * @property without the values that remove the search term
 * @property isUntyped whether no query can say it, so that it is no part of the query to edit
 */
export type Chip<Values> = { text: string; without: Partial<Values>; isUntyped?: boolean }

/**
 * The rest of a search that is to be relaxed.
 * @property isAlone whether no other filter is set
 * @property day whether the search has a date or months, so that times are checked
 */
export type Beside = { isAlone: boolean; day: 'date' | 'months' | null }

/**
 * @property without what is dropped or widened
 * @property loss how far the results get from the original search; the smallest is offered first
 * @property word the word that is dropped
 */
export type Relaxation<Values> = {
  without: string
  loss: number
  text: string
  change: Partial<Values>
  word?: string
}

/**
 * Three ways to read a part of a query into `found`. `anywhere` takes phrases out of the text, in ascending `order`.
 * `alone` reads a whole piece between commas, in a query where some phrase was taken, and returns whether it did.
 * `around` reads either end of a piece and returns the words between them.
 */
export type QueryReader<Values> = {
  anywhere?: { order: number; take: (take: Take, found: Partial<Values>, context: QueryContext) => void }
  alone?: (piece: string, found: Partial<Values>) => boolean
  around?: (piece: string, found: Partial<Values>) => string
}

/**
 * @property withCategory false on the page of a single category
 * @property category the category that is searched, whose facts the form asks for; null for all
 */
export type FormContext = { nearKm: number; withCategory: boolean; category: Category | null }

type FieldFrame = { name: string; label: string; value: string; width?: 'narrow' | 'wide' | 'full' }

/** A field of the search form. */
export type Field =
  | (FieldFrame & {
      kind: 'choice'
      /** The first, empty option. */
      none?: string
      options: readonly { value: string; label: string }[]
    })
  | (FieldFrame & { kind: 'words' | 'place'; placeholder: string; maxLength: number })
  | (FieldFrame & { kind: 'date' | 'time' })
  | (FieldFrame & { kind: 'count'; max: number })
  | (FieldFrame & { kind: 'amount'; placeholder?: string })
  /** Yes, or no matter: '1' or ''. */
  | (FieldFrame & { kind: 'flag' })
  | { kind: 'hidden'; name: string; value: string }
  /** @property areChips for flags, side by side */
  | { kind: 'group'; label: string; areChips?: boolean; fields: readonly Field[] }

// Parameters -------------------------------------------------------------------------------------------------------

/** One line of text of at most `maxLength` characters. */
export function textParameter(name: string, maxLength: number): Parameter<string> {
  return { name, empty: '', read: (text) => tidy(text, maxLength), write: (value) => value }
}

/** One of several known values. */
export function choiceParameter<Known extends string>(
  name: string,
  known: readonly Known[],
): Parameter<Known | null> {
  return {
    name,
    empty: null,
    read: (text) => known.find((each) => each === text) ?? null,
    write: (value) => value ?? '',
  }
}

/** Several of some known values, joined by commas in their own order. */
export function severalParameter<Known extends string>(
  name: string,
  known: readonly Known[],
): Parameter<readonly Known[]> {
  const empty: readonly Known[] = []
  return {
    name,
    empty,
    read(text) {
      const typed = text.split(',')
      const chosen = known.filter((each) => typed.includes(each))
      return chosen.length > 0 ? chosen : empty
    },
    write: (values) => values.join(','),
  }
}

/** A flag: '1' or absent. */
export function flagParameter(name: string): Parameter<boolean> {
  return { name, empty: false, read: (text) => text === '1', write: (value) => (value ? '1' : '') }
}

/** A whole number from 1 to `max`. */
export function countParameter(name: string, max: number): Parameter<number | null> {
  return {
    name,
    empty: null,
    read(text) {
      const count = /^\d{1,6}$/.test(text) ? Number(text) : 0
      return count >= 1 && count <= max ? count : null
    },
    write: (value) => (value === null ? '' : String(value)),
  }
}

/** An amount written in dollars or thousands, '8000' or '8k', and stored in cents, up to `MAX_TOTAL_CENTS`. */
export function amountParameter(name: string): Parameter<Cents | null> {
  return {
    name,
    empty: null,
    read(text) {
      const typed = text.trim().slice(0, 20)
      const thousands = /(?:k|thousand)$/i.exec(typed)
      const dollars = thousands ? typed.slice(0, thousands.index).trim() : typed
      const cents = (parsePrice(dollars) ?? 0) * (thousands ? 1_000 : 1)
      return cents > 0 && cents <= MAX_TOTAL_CENTS ? cents : null
    },
    write: (value) => (value === null ? '' : toNumericString(value).replace(/\.00$/, '')),
  }
}

/** A date. */
export function dateParameter(name: string): Parameter<LocalDate | null> {
  return {
    name,
    empty: null,
    read: (text) => (isLocalDate(text) ? text : null),
    write: (value) => value ?? '',
  }
}

/** A time of day. */
export function timeParameter(name: string): Parameter<LocalTime | null> {
  return {
    name,
    empty: null,
    read: (text) => (isLocalTime(text) ? text : null),
    write: (value) => value ?? '',
  }
}

/** Two numbers and an id. */
const MAX_CURSOR_LENGTH = MAX_ID_LENGTH + 40

/** A cursor in a list: up to two whole numbers and the id of a business, separated by dots. */
export function cursorParameter(name: string): Parameter<string> {
  return {
    name,
    empty: '',
    read(text) {
      if (text.length > MAX_CURSOR_LENGTH) return ''
      const parts = text.split('.')
      const id = parts.pop() ?? ''
      const isWhole =
        BUSINESS_ID.test(id) && parts.length <= 2 && parts.every((part) => /^\d{1,18}$/.test(part))
      return isWhole ? text : ''
    },
    write: (value) => value,
  }
}

/** Lets the page cache accept lists with a value of the parameter: by default, any value in its canonical form. */
export function cachedParameter<Value>(
  parameter: Parameter<Value>,
  isCacheable = (text: string) => text !== '' && parameter.write(parameter.read(text)) === text,
): Parameter<Value> {
  return { ...parameter, isCacheable }
}

/** One line of text of at most `length` characters. */
export function tidy(text: string, length: number): string {
  // Cut by code point: half of a surrogate pair can't be encoded in an address.
  return Array.from(
    text
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  )
    .slice(0, length)
    .join('')
    .trim()
}
