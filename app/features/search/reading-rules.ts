import { trimEndWhere } from '../../shared/trim-end.ts'
import { type Search, searchHref } from './schema.ts'

/** Each run of adjacent words is parsed once, which takes 0.1 ms: these limits allow about 100 runs. */
const MAX_WORDS = 16
const MAX_RUN = 8

/** Two searches with the same key are the same search. */
export function searchKey(search: Partial<Search>): string {
  return searchHref('', search)
}

/**
 * The query without one run of adjacent words, by the search that is left. The shortest run wins, together with the words
 * before it that say nothing on their own: 'near', 'for', 'up to'.
 * @returns an empty map for a long query
 */
export function shorterQueries(query: string, parse: (query: string) => Search): Map<string, string> {
  // A comma in an amount doesn't end the word: '$25,000'.
  const words = [...query.matchAll(/[^\s,]+(?:,\d+)*/g)]
  const shorter = new Map<string, string>()
  if (words.length > MAX_WORDS) return shorter
  const without = (from: number, to: number): string => {
    const [first, last] = [words[from], words[to]]
    return first && last ? withoutStretch(query, first.index, last.index + last[0].length) : query
  }
  const keyOf = (rest: string) => searchKey(parse(rest))
  for (let length = 1; length <= Math.min(words.length, MAX_RUN); length += 1) {
    for (let from = 0; from + length <= words.length; from += 1) {
      const to = from + length - 1
      const key = keyOf(without(from, to))
      if (shorter.has(key)) continue
      let first = from
      while (first > 0 && keyOf(without(first - 1, to)) === key) first -= 1
      shorter.set(key, without(first, to))
    }
  }
  return shorter
}

function withoutStretch(query: string, start: number, end: number): string {
  const before = query.slice(0, start)
  const after = query.slice(end)
  const parts = [trimEndWhere(before, /[\s,]/), after.replace(/^[\s,]+/, '')].map((part) => part.trim())
  const hasComma = /,\s*$/.test(before) || /^\s*,/.test(after)
  return parts.filter(Boolean).join(hasComma ? ', ' : ' ')
}
