/** Every pattern here is bounded by MAX_QUERY_LENGTH in app/features/search/limits.ts. */
import type { LocalDate } from '../../shared/dates.ts'

/**
 * The inputs of the parser, apart from the text.
 * @property today the date where the visitor is likely to be; a day without a year is the next one from then
 * @property findPlace returns the name of the place, area, postcode or state with exactly this name, or null
 */
export type QueryContext = { today: LocalDate; findPlace: (text: string) => string | null }

/**
 * Removes the first match from the text if `use` accepts it. `use` returns true, or the part of the match to keep in
 * the text; false rejects the match.
 * @returns whether a match was removed
 */
export type Take = (pattern: Pattern, use: (match: RegExpExecArray) => boolean | string) => boolean
export type Pattern = { exec(text: string): RegExpExecArray | null }

/** A pattern for `Take` whose first match also passes a test. */
export function firstOf(pattern: RegExp, passes: (match: RegExpExecArray) => boolean): Pattern {
  return {
    exec(text) {
      // A rejected match may contain an acceptable one, so the next try begins one character later.
      const search = new RegExp(pattern.source, 'gi')
      for (let match = search.exec(text); match; match = search.exec(text)) {
        if (passes(match)) return match
        search.lastIndex = match.index + 1
      }
      return null
    },
  }
}

/** A pattern for `Take` that matches one known stretch of a text. */
export function stretchAt(find: (text: string) => { index: number; length: number } | null): Pattern {
  return {
    exec(text) {
      const found = find(text)
      if (!found) return null
      const { index, length } = found
      return Object.assign([text.slice(index, index + length)] as [string], {
        index,
        input: text,
      }) as RegExpExecArray
    },
  }
}

/** The words after a number that make it a number of guests. */
export const peopleWords =
  '(?:guests?|people|ppl|pax|persons?|heads?|attendees|adults|seats|seated|standing|of us)'

const fillers =
  /^(?:(?:a|an|the|for|on|at|in|with|and|from|by|of|to|is|we|i|are|need|want|looking|please|our|my|near|around|-|;|\.)\s+)+|(?:\s+(?:a|an|the|for|on|at|in|with|and|from|by|of|to|is|near|around|-|;|\.))+$/gi
const onlyFiller =
  /^(?:a|an|the|for|on|at|in|with|and|from|by|of|to|is|we|i|are|need|want|near|around|morning|afternoon|evening|night|[-;.:!?]+)$/i

/** A piece of a query without the filler words at its ends. */
export function trimFillers(piece: string): string {
  const trimmed = piece.trim().replace(fillers, '').trim()
  return onlyFiller.test(trimmed) ? '' : trimmed
}
