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

/** The prefixes of a phrase that end with a whole word, longest first. */
export function startsOf(phrase: string): string[] {
  const words = phrase.trim().split(/\s+/).slice(0, MAX_PLACE_WORDS)
  return words.map((_, index) =>
    words
      .slice(0, words.length - index)
      .join(' ')
      .replace(/,$/, ''),
  )
}

/** Takes the place, and `near` if its surroundings count too. */
export function takePlace(
  take: Take,
  found: { place?: string; near?: boolean },
  { findPlace }: QueryContext,
) {
  const known = (phrase = '') => startsOf(phrase).find((start) => findPlace(start) !== null)
  const use = (match: RegExpExecArray) => {
    const phrase = (match[1] ?? '').trim()
    const name = known(phrase)
    // Text after 'near' is a place even if the name is unknown, so that the page can say it's unknown.
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
  // A whole state has no surroundings.
  if (STATES.some((state) => state === found.place)) delete found.near
}

/** 'Geelong VIC' or 'Geelong, Victoria' between commas. A name followed by its state can only be a place. */
const placeWithState = new RegExp(
  String.raw`(?:^|,)\s*([^\d\s,;$][^,;$]*?(?:,\s*|\s+)(?:${[...STATES, ...Object.values(stateNames)].join('|')}))\s*(?=,|$)`,
  'i',
)

/** Whether a text names a state, alone or after a place. */
export function namesState(text: string): boolean {
  return parsePlaceText(text).state !== null
}
