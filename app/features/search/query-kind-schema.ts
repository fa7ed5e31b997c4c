import { CATEGORIES, type Category, OCCASIONS, type Occasion } from '../businesses/rules.ts'

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

const MAX_KIND_WORDS = 3
const joining = /^(?:for|and|&|a|an|the|our|my|with|who|that)$/i
/** In 'sound system' or 'hair pins' the category is only part of a thing. In 'DJ for a wedding' it isn't. */
const isBeginning = (words: readonly string[], count: number) =>
  count !== 1 ||
  words.length === 1 ||
  joining.test(words[count] ?? '') ||
  !CATEGORIES.some((each) => CATEGORY_WORDS[each].test(words.slice(0, count).join(' ')))

/**
 * Reads a whole piece of a query as a category or an occasion into `found`, unless another one is set already. A second
 * word for the same occasion adds nothing: as a word it would become the occasion when the query is read again.
 * @returns whether it did
 */
export function takeKind(
  piece: string,
  found: { category?: Category | null; occasion?: Occasion | null },
): boolean {
  const category = CATEGORIES.find((each) => CATEGORY_WORDS[each].test(piece))
  if (category && !found.category) {
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
 * Reads a category or an occasion at either end of a piece: 'vegan catering', 'wedding photographer', 'dj for a 40th
 * birthday'.
 * @returns the words between them
 */
export function takeKindsAround(
  piece: string,
  found: { category?: Category | null; occasion?: Occasion | null },
): string {
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
  if (words.length === 0 || found.category || had || !found.occasion) return words.join(' ')
  // A wedding florist is none of the trades that a wedding usually needs, but says 'wedding'.
  found.occasion = null
  return piece
}

/** Whether a piece of a query, read first, has a category or an occasion. */
export function namesKind(piece: string): boolean {
  return takeKind(piece, {}) || takeKindsAround(piece, {}) !== piece
}
