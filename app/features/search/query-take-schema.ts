import type { LocalDate } from '../../shared/dates.ts'

/**
 * What the parser has to know beside the text.
 * today: where the visitor is likely to be; a day without a year is the next one from then
 * findPlace: the name of the place or state that a text means, or null; it must know whole names only
 */
export type QueryContext = { today: LocalDate; findPlace: (text: string) => string | null }

/**
 * Takes the first match out of the text, if `use` makes something of it: true, or what of the match is to stay.
 * @returns whether it did
 */
export type Take = (pattern: Pattern, use: (match: RegExpExecArray) => boolean | string) => boolean
export type Pattern = { exec(text: string): RegExpExecArray | null }

/** A pattern that finds the first match which also passes a test, as `take` needs it. */
export function firstOf(pattern: RegExp, passes: (match: RegExpExecArray) => boolean): Pattern {
  return {
    exec(text) {
      // Each try begins one letter after the last: a match that fails may hide one inside it.
      const search = new RegExp(pattern.source, 'gi')
      for (let match = search.exec(text); match; match = search.exec(text)) {
        if (passes(match)) return match
        search.lastIndex = match.index + 1
      }
      return null
    },
  }
}

/** Words behind a number that say it counts people. */
export const someone = '(?:guests?|people|ppl|pax|persons?|heads?|attendees|adults|seats|seated|of us)'

const fillers =
  /^(?:(?:a|an|the|for|on|at|in|with|and|from|by|of|to|is|we|i|are|need|want|looking|please|our|my|near|around|-|;|\.)\s+)+|(?:\s+(?:a|an|the|for|on|at|in|with|and|from|by|of|to|is|near|around|-|;|\.))+$/gi
const onlyFiller =
  /^(?:a|an|the|for|on|at|in|with|and|from|by|of|to|is|we|i|are|need|want|near|around|morning|afternoon|evening|night|[-;.:!?]+)$/i

/** A piece of a line without the words at its ends that say nothing. */
export function trimFillers(piece: string): string {
  const trimmed = piece.trim().replace(fillers, '').trim()
  return onlyFiller.test(trimmed) ? '' : trimmed
}
