import { FILTERS } from './filter-rules.ts'
import { tidy } from './filter-schema.ts'
import { goTogether } from './query-kind-schema.ts'
import { barePlaces, namesState, nearWords, startsOf } from './query-place-schema.ts'
import { type QueryContext, type Take, trimFillers } from './query-take-schema.ts'
import type { Search } from './schema.ts'
import { withoutEmptyWords } from './word-rules.ts'

/** The longest remainder of a query that is searched as words. */
const MAX_REST_LENGTH = 100
const MAX_NAMES = 60

/** A query split into filters. Text that the parser didn't understand is in `q`. */
export type ParsedQuery = Partial<Omit<Search, 'sort' | 'after' | 'before' | 'seen'>> & { q: string }

/** The phrase readers in the order in which they run: the first to take a phrase wins. */
const PHRASES = FILTERS.flatMap(({ query }) => query?.anywhere ?? [])
  .sort((a, b) => a.order - b.order)
  .map(({ take }) => take)

const introduction = new RegExp(String.raw`\b(?:${nearWords}|in|at)\s+`, 'gi')

/** The names that `parseQuery` may look up with `findPlace`, such as every prefix of the words after 'near'. */
export function placesInQuery(text: string): string[] {
  const query = withPlainMarks(text)
  const introduced = [...query.matchAll(introduction)].flatMap((match) =>
    startsOf(/^[^,;]*(?:,\s*\w{2,3}\b)?/.exec(query.slice(match.index + match[0].length))?.[0] ?? ''),
  )
  const pieces = query.split(',').map((piece) => piece.trim())
  const named = pieces.flatMap((piece, index) => [piece, `${pieces[index - 1] ?? ''}, ${piece}`])
  const bare = barePlaces(query).map(({ name }) => name)
  return [...new Set([...introduced, ...named.filter(namesState), ...bare])].slice(0, MAX_NAMES)
}

/**
 * Parses a query for what, where and when, such as 'garden venue, Saturday 14 March 2027, 4 pm to 11 pm, 90 guests,
 * near Geelong, up to $8,000'. Accepts any order and many spellings, with the day first in dates (14/3 is in March).
 * Never refuses: text that it doesn't understand stays in `q` and is searched as words.
 * @param text as `readSearch` reads it: one line of limited length
 */
export function parseQuery(text: string, context: QueryContext): ParsedQuery {
  const known = new Map<string, ParsedQuery>()
  // Each rest is parsed once: a query of many services would otherwise branch at each of them.
  const read: Read = (rest, takesService) => {
    const key = `${takesService} ${rest}`
    const before = known.get(key)
    if (before) return before
    const parsed = parse(rest, context, takesService ? { q: '' } : { q: '', service: null }, read)
    known.set(key, parsed)
    return parsed
  }
  return read(text, true)
}

/** Parses a text, or the rest of one. @param takesService whether a service is read as one; otherwise it stays a word */
type Read = (text: string, takesService: boolean) => ParsedQuery

/**
 * @param found what is known; a service of null stays a word
 * @param read parses what is left
 */
function parse(text: string, context: QueryContext, found: ParsedQuery, read: Read): ParsedQuery {
  const known = Object.keys(found).length
  let rest = withPlainMarks(text)
  const take: Take = (pattern, use) => {
    const match = pattern.exec(rest)
    const made = match && use(match)
    if (!match || made === false || made === null) return false
    rest = `${rest.slice(0, match.index)} , ${made === true ? '' : made} , ${rest.slice(match.index + match[0].length)}`
    return true
  }
  for (const takeFrom of PHRASES) takeFrom(take, found, context)
  const isStructured = Object.keys(found).length > known
  const pieces = rest.split(',').map(trimFillers).filter(Boolean)
  const isAlone = (piece: string) => FILTERS.some(({ query }) => query?.alone?.(piece, found))
  const around = (piece: string) =>
    FILTERS.reduce((words, { query }) => query?.around?.(words, found) ?? words, piece)
  const words = pieces
    .filter((piece) => !(isStructured && isAlone(piece)))
    // 'hire' says nothing beside a thing, but 'bar hire' is a service.
    .map((piece) => around(withoutEmptyWords(around(piece))))
  // A trade or an occasion alone may be part of a name: 'Midnight Oil Catering'. Both together are a search, and so is
  // an occasion of several words: 'christmas party'.
  const isWhole = pieces.length === 1 && !words.some(Boolean)
  const isOccasion = isWhole && found.occasion && pieces[0]?.includes(' ')
  // A service is one alone: few businesses are called just 'Florist'. Beside other words it may be part of a name.
  const isKind = found.occasion && (found.category || found.service)
  if (!isStructured && !isKind && !isOccasion && !(isWhole && found.service)) return { q: text }
  if (found.occasion === null) delete found.occasion
  found.q = tidy(words.filter(Boolean).join(' '), MAX_REST_LENGTH)
  for (let before = ''; found.q && found.q !== before; ) {
    before = found.q
    // A removed phrase may leave another at the end of its piece: 'dj saturday night' before a place. The rest must not
    // be parsed again when the address is reloaded. When a filter is typed twice, the first counts.
    const again = read(before, true)
    // A service of another trade stays words: 'photographer, cake'.
    const isOther = again.service && (found.service || !goTogether(again.service, found.category))
    const { q, ...others } = isOther ? read(before, false) : again
    for (const { parameters } of FILTERS) {
      const keys = Object.keys(parameters) as (keyof typeof others)[]
      if (keys.every((key) => found[key] === undefined))
        for (const key of keys) if (others[key] !== undefined) Object.assign(found, { [key]: others[key] })
    }
    // The service of a category that was read before it: 'winery wedding venue'.
    if (others.service) found.service ??= others.service
    // With these filters known, the rest may be a second mention of the occasion, or name a trade beside it.
    found.q = isAlone(q) ? '' : around(q)
    if (found.occasion === null) delete found.occasion
  }
  // A service says its category.
  if (found.service) delete found.category
  else delete found.service
  return found
}

/** Every dash as a hyphen and every apostrophe as the straight one. */
function withPlainMarks(text: string): string {
  return text.replace(/[\u2010-\u2015\u2212]/g, '-').replace(/[\u2018\u2019]/g, "'")
}
