import { parsePlaceText, STATES, stateNames } from '../places/rules.ts'
import { tidy } from './filter-schema.ts'
import { MAX_PLACE_LENGTH } from './limits.ts'
import { firstOf, type QueryContext, type Take, trimFillers } from './query-take-schema.ts'

// Places: 'near Geelong VIC', 'within 25 km of Perth', 'in Byron Bay'
const MAX_PLACE_WORDS = 6
export const nearWords = String.raw`near(?:by)?(?: to)?|around|close to|not far from|within \d{1,3}\s*(?:km|kms|kilomet(?:re|er)s?)(?: of| from)?`
const placePhrase = String.raw`\s+((?:the\s+)?[^\d\s,;$][^,;$]*(?:,\s*(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT)\b)?)`
const nearPlace = new RegExp(String.raw`\b(?:${nearWords})${placePhrase}`, 'i')
const inPlace = new RegExp(String.raw`\b(?:in|at)${placePhrase}`, 'i')
const phraseEnd = /\s(?:in|at|on|for|with|from|and|who|that)\s.*/i

/** The text from its beginning to the end of each word, the longest first. */
export function startsOf(phrase: string): string[] {
  const words = phrase.trim().split(/\s+/).slice(0, MAX_PLACE_WORDS)
  return words.map((_, index) =>
    words
      .slice(0, words.length - index)
      .join(' ')
      .replace(/,$/, ''),
  )
}

/** Takes the place, and whether its surroundings are meant. */
export function takePlace(
  take: Take,
  found: { place?: string; near?: boolean },
  { findPlace }: QueryContext,
) {
  const known = (phrase = '') => startsOf(phrase).find((start) => findPlace(start) !== null)
  const use = (match: RegExpExecArray) => {
    const phrase = (match[1] ?? '').trim()
    const name = known(phrase)
    // After 'near' it is a place even if we do not know it: then the page can say so.
    const place = name ? findPlace(name) : trimFillers(tidy(phrase.replace(phraseEnd, ''), MAX_PLACE_LENGTH))
    if (!place) return false
    found.place = place
    return name ? phrase.slice(name.length) : (phraseEnd.exec(phrase)?.[0] ?? '')
  }
  if (take(nearPlace, use)) found.near = true
  else
    take(
      firstOf(inPlace, (match) => known(match[1]) !== undefined),
      use,
    )
  if (!found.place)
    take(
      firstOf(placeWithState, (match) => findPlace(match[1] ?? '') !== null),
      (match) => {
        found.place = findPlace(match[1] ?? '') ?? ''
        return true
      },
    )
  // There is no 'near' of a whole state.
  if (STATES.some((state) => state === found.place)) delete found.near
}

/** 'Geelong VIC' or 'Geelong, Victoria' between commas: with its state a name can only be a place. */
const placeWithState = new RegExp(
  String.raw`(?:^|,)\s*([^\d\s,;$][^,;$]*?(?:,\s*|\s+)(?:${[...STATES, ...Object.values(stateNames)].join('|')}))\s*(?=,|$)`,
  'i',
)

/** Whether a text names a state, behind a place or alone. */
export function namesState(text: string): boolean {
  return parsePlaceText(text).state !== null
}
