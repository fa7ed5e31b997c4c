import { isLocalDate, isLocalTime, type LocalDate, type LocalTime } from '../../shared/dates.ts'
import { type Cents, parsePrice, toNumericString } from '../../shared/money.ts'
import { BUSINESS_ID, MAX_ID_LENGTH } from '../businesses/rules.ts'
import { MAX_BUDGET_CENTS } from './limits.ts'
import type { QueryContext, Take } from './query-take-schema.ts'

/** One parameter of a search's address. */
export type Parameter<Value> = {
  name: string
  empty: Value
  /** Reads any text. Returns `empty` for a text that it doesn't understand. */
  read(text: string): Value
  /** Writes what `read` reads; '' for `empty`. */
  write(value: Value): string
  /**
   * Whether the rendered list with this value is worth keeping in the page cache. Without it no value is: too few visitors
   * ask for the same one, or bookings change the list all the time.
   */
  isWorthKeeping?(text: string): boolean
}

/**
 * One filter of a search: a parameter, or several that belong together. Everything that the product does with a filter
 * stands here; `null` says that it deliberately doesn't.
 */
export type Filter<Values extends object> = {
  parameters: { [Key in keyof Values]: Parameter<Values[Key]> }
  /** Drops what doesn't go together, such as an end without a beginning. */
  tidy: ((values: Values) => Values) | null
  /** Markers in the index of which a listing has one; none where the filter is empty. See `search_markers()` (0021). */
  markers: ((values: Values) => readonly string[]) | null
  /** Only a listing that comes, goes or moves can change what passes. Otherwise any edit of a listing may. */
  changesWithMovesOnly: boolean
  /** The active filter as people say it. The parser of lines understands it again. */
  chips: ((values: Values) => Chip<Values>[]) | null
  /**
   * The smaller searches to offer when nothing is found.
   * @param isAlone whether no other filter is set
   */
  relaxed: ((values: Values, isAlone: boolean) => Relaxation<Values>[]) | null
  /** Takes the filter out of a typed line. */
  query: QueryReader<Values> | null
  /** The form's fields with their values. */
  form: { order: number; fields: (values: Values, context: FormContext) => Field[] } | null
}

/** @property without the values that take the filter back */
export type Chip<Values> = { text: string; without: Partial<Values> }

/**
 * @property loss how much of the search term is lost: the smallest is offered first
 * @property word the word that is left out
 */
export type Relaxation<Values> = {
  without: string
  loss: number
  text: string
  change: Partial<Values>
  word?: string
}

/**
 * Two ways to understand a part of a line. `anywhere` takes phrases out of the text, in ascending `order`; `alone` says
 * whether it understood a piece between commas as a whole, in a line where some phrase was understood. Both write into `found`.
 */
export type QueryReader<Values> = {
  anywhere?: { order: number; take: (take: Take, found: Partial<Values>, context: QueryContext) => void }
  alone?: (piece: string, found: Partial<Values>) => boolean
}

/** @property withCategory false on the page of one category */
export type FormContext = { nearKm: number; withCategory: boolean }

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
  | { kind: 'hidden'; name: string; value: string }
  | { kind: 'group'; label: string; fields: readonly Field[] }

// Parameters -------------------------------------------------------------------------------------------------------

/** One line of text of at most `maxLength` characters. */
export function textParameter(name: string, maxLength: number): Parameter<string> {
  return { name, empty: '', read: (text) => tidy(text, maxLength), write: (value) => value }
}

/** One of some known words. */
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

/** '1' or nothing. */
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

/** An amount in dollars, kept in cents. */
export function amountParameter(name: string): Parameter<Cents | null> {
  return {
    name,
    empty: null,
    read(text) {
      const cents = parsePrice(text.slice(0, 20))
      return cents !== null && cents > 0 && cents <= MAX_BUDGET_CENTS ? cents : null
    },
    write: (value) => (value === null ? '' : toNumericString(value).replace(/\.00$/, '')),
  }
}

/** A day of the calendar. */
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

/** A place in a list: up to two whole numbers and the id of a business, parted by dots. */
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

/** Makes lists with a value of the parameter worth keeping in the page cache. */
export function keptParameter<Value>(
  parameter: Parameter<Value>,
  isWorthKeeping = (text: string) => text !== '' && parameter.write(parameter.read(text)) === text,
): Parameter<Value> {
  return { ...parameter, isWorthKeeping }
}

/** One line of text of at most `length` characters. */
export function tidy(text: string, length: number): string {
  // Cut by character: half of an emoji is not a letter that an address can carry.
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
