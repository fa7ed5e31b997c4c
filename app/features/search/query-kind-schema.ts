import { CATEGORIES, type Category, OCCASIONS, type Occasion } from '../businesses/rules.ts'

/** Words that mean a category when they stand alone between commas. */
const CATEGORY_WORDS: Record<Category, RegExp> = {
  Venues: /^(?:venues?|function (?:rooms?|centres?|venues?)|party venues?|wedding venues?)$/i,
  Photographers: /^(?:photographers?|photography)$/i,
  Hairdresser: /^(?:hair ?dressers?|hair|hair stylists?)$/i,
  'Sounds & DJ': /^(?:djs?|sounds?(?: (?:&|and) djs?)?|disc jockeys?)$/i,
  Catering: /^(?:catering|caterers?)$/i,
  Videographers: /^(?:videographers?|videography)$/i,
  'Event Planners': /^(?:event planners?|planners?|event planning)$/i,
  Extras: /^extras$/i,
}

const OCCASION_NAMES: Record<Occasion, RegExp> = {
  wedding: /^(?:our |my )?weddings?(?: reception| ceremony)?$/i,
  birthday: /^(?:\w+ )?birthdays?(?: party)?$/i,
  corporate: /^(?:corporate(?: event| function| party)?|work (?:party|event|function))$/i,
  engagement: /^(?:our |my )?engagements?(?: party)?$/i,
  christening: /^(?:christenings?|baptisms?|naming days?|christening and naming day)$/i,
  anniversary: /^(?:our |my )?(?:wedding )?anniversar(?:y|ies)$/i,
  'end-of-year': /^(?:end[- ]of[- ]year(?: party)?|christmas party|staff party)$/i,
  memorial: /^(?:memorials?|wakes?|funerals?|memorial and wake)$/i,
}

/**
 * Reads a whole piece of a query as a category or an occasion into `found`, unless that is set already.
 * @returns whether it did
 */
export function takeKind(
  piece: string,
  found: { category?: Category | null; occasion?: Occasion | null },
): boolean {
  const category = CATEGORIES.find((each) => CATEGORY_WORDS[each].test(piece))
  if (category && !found.category) {
    found.category = category
    return true
  }
  const occasion = OCCASIONS.find((each) => OCCASION_NAMES[each].test(piece))
  if (occasion && !found.occasion) {
    found.occasion = occasion
    return true
  }
  return false
}
