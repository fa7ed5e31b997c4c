/** Every pattern here is bounded by MAX_QUERY_LENGTH in app/features/search/limits.ts. */

import { MAX_PLACE_LENGTH } from '../businesses/limits.ts'
import { areaNamed } from '../places/area-rules.ts'
import { parsePlaceText, STATES, stateNamed, stateNames } from '../places/rules.ts'
import { tidy } from './filter-schema.ts'
import { HERE, type Near, nearWithin, ORDINARY_WORDS } from './place-rules.ts'
import { isComingYear } from './query-month-schema.ts'
import {
  firstOf,
  peopleWords,
  type QueryContext,
  stretchAt,
  type Take,
  trimFillers,
} from './query-take-schema.ts'
import { NEAR_KM } from './rules.ts'

// Places: 'near Geelong VIC', 'within 25 km of Perth', 'in Byron Bay', 'dj fitzroy', 'marquee 3220', 'near me'
const MAX_PLACE_WORDS = 6
export const nearWords = String.raw`near(?:by)?(?: to)?|around|close to|not far from|within \d{1,3}\s*(?:km|kms|kilomet(?:re|er)s?)(?: of| from)?`
const placePhrase = String.raw`\s+((?:the\s+)?(?:\d{4}\b|[^\d\s,;$])[^,;$]*(?:,\s*(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT)\b)?)`
const withinKm = /^within (\d{1,3})/i
const nearPlace = new RegExp(String.raw`\b(?:${nearWords})${placePhrase}`, 'i')
const inPlace = new RegExp(String.raw`\b(?:in|at)${placePhrase}`, 'i')
const phraseEnd = /\s(?:in|at|on|for|with|from|and|who|that)\s.*/i
const nearMe = new RegExp(
  String.raw`\b(?:${nearWords})\s+(?:me|us|here|my (?:place|house|home|location|area|suburb))\b|\bin my area\b|\bnearby\s*(?=,|$)`,
  'i',
)

/** 'nearby photographers', but not 'nearby Geelong' */
const nearbyFirst = /(?:^|,)\s*nearby\s+(?!to\b)([^,]+)/i

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
export function takePlace(take: Take, found: { place?: string; near?: Near }, context: QueryContext) {
  const { findPlace } = context
  const known = (phrase = '') => startsOf(phrase).find((start) => findPlace(start) !== null)
  const use = (match: RegExpExecArray) => {
    const phrase = (match[1] ?? '').trim()
    const name = known(phrase)
    // Text after 'near' is a place even if the name is unknown, so that the page can say it's unknown.
    const place = name ? findPlace(name) : trimFillers(tidy(phrase.replace(phraseEnd, ''), MAX_PLACE_LENGTH))
    if (!place) return false
    found.place = place
    const within = Number(withinKm.exec(match[0])?.[1] ?? 0)
    if (within > 0) found.near = nearWithin(within, NEAR_KM)
    // A postcode leads to its largest suburb and means the others too.
    if (name && POSTCODE.test(name)) found.near ??= true
    return name ? phrase.slice(name.length) : (phraseEnd.exec(phrase)?.[0] ?? '')
  }
  const useHere = () => {
    found.place = HERE
    return true
  }
  const isHere =
    take(nearMe, useHere) ||
    take(
      firstOf(nearbyFirst, (match) => known(match[1]) === undefined),
      (match) => useHere() && (match[1] ?? ''),
    )
  if (isHere || take(nearPlace, use)) {
    found.near ??= true
    const area = areaNamed(found.place ?? '')
    if (area) found.place = findPlace(`${area.name}, ${area.state}`) ?? found.place
  } else
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
  if (!found.place) takeBarePlace(take, found, context)
  // A state or an area has no surroundings.
  const isArea = areaNamed(found.place ?? '') !== null && !found.place?.includes(',')
  if (STATES.some((state) => state === found.place) || isArea) delete found.near
}

/** 'Geelong VIC' or 'Geelong, Victoria' between commas. A name followed by its state can only be a place. */
const placeWithState = new RegExp(
  String.raw`(?:^|,)\s*([^\d\s,;$][^,;$]*?(?:,\s*|\s+)(?:${[...STATES, ...Object.values(stateNames)].join('|')}))\s*(?=,|$)`,
  'i',
)

const POSTCODE = /^\d{4}$/
const MAX_BARE_WORDS = 4
const MAX_WORDS_READ = 12
/** Numbers before or after which a number isn't a postcode: an amount, a count, a length. */
const countBefore =
  /(?:\$|\b(?:for|under|below|over|up to|to|budget|max|maximum|about|around|[a-z]\d*-))\s*$/i
const countAfter = new RegExp(
  String.raw`^\s*(?:[-/:.]\s*\d|${peopleWords}|km|kms|dollars?|bucks|aud|k\b|%|per\b|a head|hours?|hrs?|[ap]\.?m\b)`,
  'i',
)

/** @property name a part of a query that may name a place without a preposition; `index` is where it begins */
type BarePlace = { name: string; index: number }

/**
 * The parts of a query that may name a place without a preposition: up to four whole words, or a postcode. Leaves out
 * names of places that are ordinary words or first names too, such as 'hall', 'bright' or 'orange': those need 'in',
 * 'near' or their state.
 */
export function barePlaces(query: string): BarePlace[] {
  return query.split(/[,;]/).reduce<{ places: BarePlace[]; start: number }>(
    ({ places, start }, piece) => {
      const words = [...piece.matchAll(/\S+/g)].slice(0, MAX_WORDS_READ)
      const inPiece = words.flatMap((first, from) =>
        Array.from({ length: Math.min(MAX_BARE_WORDS, words.length - from) }, (_, more) => {
          const last = words[from + more] ?? first
          return {
            name: piece.slice(first.index, last.index + last[0].length),
            index: start + first.index,
          }
        }).toReversed(),
      )
      return {
        places: [...places, ...inPiece.filter(({ name }) => mayBePlace(name))],
        start: start + piece.length + 1,
      }
    },
    { places: [], start: 0 },
  ).places
}

function mayBePlace(name: string): boolean {
  if (POSTCODE.test(name)) return true
  if (!/^[a-z][a-z' .-]*$/i.test(name) || name.length < 2) return false
  // 'act' and 'wa' are words too.
  if (name.length < 4)
    return (
      STATES.some((state) => state === name || (state !== 'ACT' && state.toLowerCase() === name)) ||
      name.length === 3
    )
  // 'The Rock' and 'The Gap' are suburbs, and parties.
  return !(/^the /i.test(name) && !areaNamed(name)) && !ORDINARY_WORDS.has(name.toLowerCase())
}

/**
 * Takes a place without a preposition, and its surroundings: people travel for a party. A suburb counts before the
 * area or state that is typed with it, as in 'fitzroy melbourne'.
 */
function takeBarePlace(
  take: Take,
  found: { place?: string; near?: Near },
  { findPlace, today }: QueryContext,
) {
  const isWide = ({ name }: BarePlace) => {
    const place = findPlace(name) ?? ''
    return areaNamed(place) !== null || stateNamed(place) !== null
  }
  const isRead = ({ name, index }: BarePlace, text: string) =>
    findPlace(name) !== null &&
    (!/^\d/.test(name) ||
      !(
        isComingYear(name, today) ||
        countBefore.test(text.slice(0, index)) ||
        countAfter.test(text.slice(index + name.length))
      ))
  const first = (passes: (bare: BarePlace) => boolean) =>
    stretchAt((text) => {
      let end = 0
      for (const bare of barePlaces(text)) {
        // The longest name first: the Mornington Peninsula, not Mornington.
        if (bare.index < end || !isRead(bare, text)) continue
        end = bare.index + bare.name.length
        if (passes(bare)) return { index: bare.index, length: bare.name.length }
      }
      return null
    })
  const use = ([name]: RegExpExecArray) => {
    found.place = findPlace(name) ?? ''
    found.near = true
    return true
  }
  if (
    !take(
      first((bare) => !isWide(bare)),
      use,
    )
  ) {
    take(first(isWide), use)
    return
  }
  take(first(isWide), ([wide]) => {
    // Of several Richmonds, 'richmond melbourne' is the one in that state.
    const place = findPlace(wide) ?? ''
    const state = areaNamed(place)?.state ?? stateNamed(place)
    if (found.place && !found.place.includes(','))
      found.place = findPlace(`${found.place}, ${state}`) ?? found.place
    return true
  })
}

/** Whether a text names a state, alone or after a place. */
export function namesState(text: string): boolean {
  return parsePlaceText(text).state !== null
}
