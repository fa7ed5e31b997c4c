import { CATEGORIES, type Category, OCCASIONS, type Occasion } from '../businesses/rules.ts'
import { serviceNamed } from '../businesses/service-match-rules.ts'
import { SERVICES, type ServiceId } from '../businesses/service-rules.ts'

/** Words that mean a category when they stand alone between commas, or at an end of a piece. */
const CATEGORY_WORDS: Record<Category, RegExp> = {
  Venues:
    /^(?:venues?|function (?:rooms?|centres?|venues?|spaces?)|party (?:venues?|rooms?)|wedding venues?|(?:event|reception|ceremony) (?:venues?|spaces?)|venue hire)$/i,
  Photographers: /^(?:photographers?|photography|photogs?)$/i,
  Hairdresser: /^(?:hair ?dressers?|hair|hair stylists?|hair ?styling)$/i,
  'Sounds & DJ': /^(?:djs?|d\.j\.|sounds?(?: (?:&|and) djs?)?|disc jockeys?|dj hire)$/i,
  Catering: /^(?:catering|caterers?)$/i,
  Videographers: /^(?:videographers?|videography)$/i,
  'Event Planners':
    /^(?:(?:event|party|wedding) planners?|planners?|event planning|(?:wedding|event) (?:coordinators?|planning))$/i,
  Extras: /^extras$/i,
}

const OCCASION_NAMES: Record<Occasion, RegExp> = {
  wedding: /^(?:our |my )?(?:weddings?(?: reception| ceremony)?|elopements?)$/i,
  birthday: /^(?:\w+ )?birthdays?(?: party)?$/i,
  corporate: /^(?:corporate(?: event| function| party)?|work (?:party|event|function))$/i,
  engagement: /^(?:our |my )?engagements?(?: party)?$/i,
  christening: /^(?:christenings?|baptisms?|naming days?|christening and naming day)$/i,
  anniversary: /^(?:our |my )?(?:wedding )?anniversar(?:y|ies)(?: party)?$/i,
  'end-of-year': /^(?:end[- ]of[- ]year(?: party)?|(?:christmas|xmas)(?: part(?:y|ies))?|staff party)$/i,
  memorial: /^(?:memorials?|wakes?|funerals?|memorial and wake)$/i,
}
/** 'vegan birthday' says more than the occasion, '40th birthday' doesn't. */
const PLAIN_BIRTHDAY =
  /^(?:(?:\d{1,3}(?:st|nd|rd|th)|first|my|our|his|her|mum'?s|dad'?s|milestone|surprise) )?birthdays?(?: party)?$/i

const MAX_KIND_WORDS = 4
const joining = /^(?:for|and|&|a|an|the|our|my|with|who|that)$/i
/** In 'sound system', 'hair pins' or 'cake stand' the kind is only part of a thing. In 'DJ for a wedding' it isn't. */
const isBeginning = (words: readonly string[], count: number) =>
  count !== 1 ||
  words.length === 1 ||
  joining.test(words[count] ?? '') ||
  !(serviceNamed(words[0] ?? '') || CATEGORIES.some((each) => CATEGORY_WORDS[each].test(words[0] ?? '')))

/** Whether a service and a category that a query names can be meant together. */
export function goTogether(
  service: ServiceId | null | undefined,
  category: Category | null | undefined,
): boolean {
  return !service || !category || SERVICES[service].category === category
}

/** The kinds that a query has named so far. With a service of null, words that name a service stay words. */
type FoundKind = { category?: Category | null; service?: ServiceId | null; occasion?: Occasion | null }

/**
 * Reads a whole piece of a query as a service, a category or an occasion into `found`, unless another one is set already. A
 * second word for the same occasion adds nothing: as a word it would become the occasion when the query is read again.
 * @returns whether it did
 */
export function takeKind(piece: string, found: FoundKind): boolean {
  const service = serviceNamed(piece)
  if (
    service &&
    found.service !== null &&
    (found.service ?? service) === service &&
    goTogether(service, found.category)
  ) {
    found.service = service
    // 'wedding car' and 'birthday cake' name the occasion as well.
    const occasion = OCCASIONS.find((each) => OCCASION_NAMES[each].test(piece.split(' ')[0] ?? ''))
    if (occasion) found.occasion ??= occasion
    return true
  }
  const category = CATEGORIES.find((each) => CATEGORY_WORDS[each].test(piece))
  // 'cake catering' is no more than 'cake'.
  if (category && found.service && goTogether(found.service, category)) return true
  if (category && !found.category && !found.service) {
    found.category = category
    // 'wedding venue' and 'wedding planner' name the occasion as well.
    if (/^wedding /i.test(piece)) found.occasion ??= 'wedding'
    return true
  }
  const occasion = OCCASIONS.find((each) => OCCASION_NAMES[each].test(piece))
  if (occasion && (found.occasion ?? occasion) === occasion) {
    found.occasion = occasion
    return true
  }
  return false
}

/**
 * Reads a service, a category or an occasion at either end of a piece: 'vegan catering', 'wedding photographer', 'dj for a 40th
 * birthday'.
 * @returns the words between them
 */
export function takeKindsAround(piece: string, found: FoundKind): string {
  const had = found.occasion
  let words = piece.split(/\s+/).filter(Boolean)
  const isKind = (some: readonly string[]) => {
    const text = some.join(' ')
    if (/birthday/i.test(text) && !PLAIN_BIRTHDAY.test(text)) return false
    // In 'wedding, wedding cake' it is part of the thing.
    if (had && OCCASION_NAMES[had].test(text)) return false
    return takeKind(text, found)
  }
  for (let again = true; again; ) {
    again = false
    while (words[0] && joining.test(words[0])) words = words.slice(1)
    while (words.at(-1) && joining.test(words.at(-1) ?? '')) words = words.slice(0, -1)
    for (let count = Math.min(MAX_KIND_WORDS, words.length); count > 0 && !again; count--) {
      if (isKind(words.slice(-count))) {
        words = words.slice(0, -count)
        again = true
      } else if (isBeginning(words, count) && isKind(words.slice(0, count))) {
        words = words.slice(count)
        again = true
      }
    }
  }
  // On its own it is the occasion again: 'wedding, wedding venue'.
  if (had && OCCASION_NAMES[had].test(words.join(' '))) return ''
  if (words.length === 0 || found.category || found.service || had || !found.occasion) return words.join(' ')
  // A wedding florist is none of the trades that a wedding usually needs, but says 'wedding'.
  found.occasion = null
  return piece
}

/** Whether a piece of a query, read first, has a category or an occasion. */
export function namesKind(piece: string): boolean {
  return takeKind(piece, {}) || takeKindsAround(piece, {}) !== piece
}
