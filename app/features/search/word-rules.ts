import { normalForm } from '../../shared/normal-form.ts'
import { CATEGORIES, type Category, type Occasion } from '../businesses/rules.ts'

/** Further words of a search are ignored, which bounds the cost of its SQL. */
const MAX_WORDS = 8

/** Words in a listing that suit an occasion. */
export const OCCASION_WORDS: Record<Occasion, readonly string[]> = {
  wedding: ['wedding', 'bride', 'bridal', 'groom', 'marry', 'elopement', 'vows'],
  birthday: ['birthday', 'party', 'candles'],
  corporate: ['corporate', 'office', 'conference', 'launch', 'team', 'meeting'],
  engagement: ['engagement', 'engaged', 'proposal'],
  christening: ['christening', 'baptism', 'naming', 'baby'],
  anniversary: ['anniversary', 'reunion'],
  'end-of-year': ['christmas', 'staff', 'team', 'office'],
  memorial: ['memorial', 'wake', 'funeral', 'farewell'],
}

/** Trades and things that go by several names. A listing with any of them matches. Plurals need no entry. */
export const TRADE_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    accessible: ['wheelchair', 'ramp', 'lift'],
    baker: ['cake', 'baking'],
    band: ['musicians', 'quartet', 'trio', 'duo'],
    bands: ['band', 'musicians', 'quartet', 'trio', 'duo'],
    barbecue: ['bbq', 'smoked', 'grill'],
    barn: ['woolshed', 'shed'],
    bartender: ['bar', 'cocktail'],
    bartenders: ['bar', 'cocktail'],
    bbq: ['barbecue', 'smoked', 'grill'],
    bridal: ['bride', 'brides', 'wedding'],
    bride: ['bridal', 'brides'],
    caterer: ['catering'],
    caterers: ['catering'],
    celebrant: ['officiant'],
    decorations: ['decor', 'styling', 'lanterns', 'balloons'],
    decorator: ['decor', 'styling', 'lanterns', 'balloons'],
    drone: ['aerial'],
    emcee: ['mc', 'host'],
    florist: ['flowers', 'floral', 'bouquets'],
    florists: ['flowers', 'floral', 'bouquets'],
    flowers: ['florist', 'floral', 'bouquets'],
    indian: ['dosa', 'tandoor', 'chaat', 'masala'],
    kids: ['children', 'childrens'],
    limo: ['limousine', 'chauffeur', 'car'],
    limousine: ['limo', 'chauffeur', 'car'],
    makeup: ['make'],
    marquee: ['tent'],
    marriage: ['wedding'],
    mc: ['emcee', 'host'],
    musician: ['musicians', 'band', 'quartet', 'trio', 'duo'],
    musicians: ['band', 'quartet', 'trio', 'duo'],
    officiant: ['celebrant'],
    outdoor: ['garden', 'lawn', 'verandah', 'courtyard', 'terrace'],
    petting: ['farm', 'pony', 'lamb'],
    photos: ['photographer', 'photography'],

    photobooth: ['booth'],
    rooftop: ['roof', 'terrace'],
    singer: ['vocalist', 'soloist', 'singing'],
    tent: ['marquee'],
    tents: ['marquee'],
    video: ['videographer', 'film'],
    videos: ['videographer', 'film'],
    vineyard: ['winery', 'cellar'],
    waterfront: ['harbour', 'jetty', 'river', 'lake', 'bay'],
    wheelchair: ['step', 'ramp', 'lift'],
    winery: ['vineyard', 'cellar', 'wine'],
    xmas: ['christmas'],
  }),
)

/** Words that people add to a search and that tell no listing from another. 'May' is one if it isn't the month. */
const EMPTY_WORDS =
  /^(?:best|top|good|great|nice|cheap|cheapest|affordable|local|live|professional|artists?|hire|rentals?|services?|packages?|prices?|pricing|costs?|find|book|looking|travels?|travelling|may|need|want|wanted|recommendations?)$/i

/** A text without its empty words: 'marquee hire' is 'marquee'. */
export function withoutEmptyWords(text: string): string {
  return text
    .split(' ')
    .filter((word) => !EMPTY_WORDS.test(word))
    .join(' ')
}

/**
 * The distinct words of a text as the index stores them: lower case, without accents and apostrophes, at most
 * `MAX_WORDS`. `search_text` in 0011_search.sql does the same to listings.
 */
export function searchWords(text: string): string[] {
  return [...new Set(plainWords(text))].slice(0, MAX_WORDS)
}

/** The key by which names are compared: the words without spaces, such as 'harbourlightpavilion'. */
export function nameKey(text: string): string {
  return plainWords(text).join('')
}

function plainWords(text: string): string[] {
  return normalForm(text.toWellFormed(), 'NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f'\u2019]/g, '')
    .split(/[^a-z0-9\u00c0-\u1fff\u2c00-\u2fff\u3040-\uffff]+/u)
    .filter(Boolean)
}

/** Other names that people use for a category. */
const CATEGORY_NAMES: Record<Category, readonly string[]> = {
  Venues: ['venue', 'function', 'hall', 'room', 'reception'],
  Photographers: ['photography'],
  Hairdresser: ['hairdressing', 'hairstylist', 'salon', 'barber'],
  'Sounds & DJ': ['dj', 'music', 'band', 'sounds'],
  Catering: ['caterer', 'food', 'cake'],
  Videographers: ['videography', 'film'],
  'Event Planners': ['planner', 'coordinator', 'event'],
  Extras: ['hire', 'flowers', 'florist', 'marquee', 'decorations'],
}

/** The categories whose name begins with a text, allowing for typing errors: 'photograp', 'Photograhper', 'dj'. */
export function categoriesLike(text: string): Category[] {
  const typed = nameKey(text)
  if (typed.length < 2) return []
  return CATEGORIES.filter((category) =>
    [nameKey(category), ...plainWords(category), ...CATEGORY_NAMES[category]].some(
      (name) =>
        name.startsWith(typed) ||
        (typed.length >= 4 && typingErrors(typed, name.slice(0, typed.length)) <= errorsForgiven(typed)),
    ),
  )
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Every text that is one typing error away from this one. An error is an extra, missing or wrong letter, or two
 * adjacent letters swapped.
 */
export function editsOf(text: string): string[] {
  const edits = new Set<string>()
  for (let at = 0; at <= text.length; at++) {
    const before = text.slice(0, at)
    const after = text.slice(at)
    if (after) edits.add(before + after.slice(1))
    if (after.length > 1) edits.add(before + after[1] + after[0] + after.slice(2))
    for (const letter of LETTERS) {
      edits.add(before + letter + after)
      if (after) edits.add(before + letter + after.slice(1))
    }
  }
  edits.delete(text)
  edits.delete('')
  return [...edits]
}

/** The number of typing errors between two words, as `editsOf` defines them (optimal string alignment distance). */
export function typingErrors(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1)
      next.push(least)
    }
    beforeLast = last
    last = next
  }
  return last[b.length] ?? 0
}

/** How many typing errors a word may have: none in the shortest words, two in long ones. */
export function errorsForgiven(word: string): number {
  return word.length < 4 ? 0 : word.length < 8 ? 1 : 2
}
