import {
  DIETS,
  type Diet,
  LANGUAGES,
  type Language,
  SETTINGS,
  type Setting,
} from '../businesses/fact-rules.ts'
import { firstOf, type Take } from './query-take-schema.ts'

/** Spellings of each diet. Hyphens and spaces are the same. */
const DIET_WORDS: Record<Diet, string> = {
  vegetarian: 'vegetarians?',
  vegan: 'vegans?',
  'gluten-free': 'gluten[- ]?free|coeliac',
  'dairy-free': '(?:dairy|lactose)[- ]?free',
  'nut-free': 'nut[- ]?free',
  halal: 'halal',
  kosher: 'kosher',
}
// 'Food' and 'food truck' are two things.
const food = String.raw`(?: (?:food|meals?|menus?|options?|dishes)(?=\s*(?:,|$)|\s+(?:in|near|for|and|with|at)\b))?`
const dietsTyped = DIETS.map(
  (diet) => [diet, new RegExp(String.raw`\b(?:${DIET_WORDS[diet]})${food}\b`, 'i')] as const,
)

// 'Outdoor cinema' and 'indoor plants' are things, so both count only before an event or at the end of a piece.
const event =
  '(?:weddings?|ceremon(?:y|ies)|receptions?|part(?:y|ies)|venues?|events?|functions?|dinners?|birthdays?|celebrations?)'
const setting = new RegExp(
  String.raw`\b(indoor|outdoor)s?(?: (?:areas?|spaces?|settings?))?(?=\s+${event}\b|\s+(?:in|near|for|with|and)\b|\s*(?:,|$))|\bopen[- ]air\b`,
  'i',
)
const stepFree =
  /\b(?:step[- ]?free(?: access)?|(?:wheel ?chair|disabled|disability)[- ](?:access(?:ible|ibility)?|friendly)|wheel ?chairs?(?! hire| rental)|accessible|accessibility)\b/i
const parking =
  /\b(?:(?:with|and) )?(?:(?:free|on-?site|guest|own) )?(?:car )?parking(?: on[- ]site| available)?\b/i
const byo =
  /\b(?:byo|b\.y\.o\.?|bring (?:our|my|your) own (?:drinks?|alcohol|wine|booze))(?: (?:drinks?|alcohol|wine|beer))?(?!\w)/i
const language = new RegExp(
  String.raw`\b(?:speak(?:s|ing|ers?)? (${LANGUAGES.join('|')})|(${LANGUAGES.join('|')})[- ]speak(?:ing|ers?))\b`,
  'i',
)

type Found = Partial<{
  settings: readonly Setting[]
  stepFree: boolean
  parking: boolean
  byo: boolean
  diets: readonly Diet[]
  language: Language | null
}>

/** Takes the facts that a query names: 'outdoor', 'step-free', 'BYO', 'halal', 'speaks Greek'. */
export function takeFacts(take: Take, found: Found) {
  const takeSetting = () =>
    take(setting, ([, where]) => {
      const named = where?.toLowerCase() === 'indoor' ? 'indoor' : 'outdoor'
      found.settings = SETTINGS.filter((each) => each === named || found.settings?.includes(each))
      return true
    })
  while (takeSetting());
  for (const [key, pattern] of [
    ['stepFree', stepFree],
    ['parking', parking],
    ['byo', byo],
  ] as const)
    take(pattern, () => {
      found[key] = true
      return true
    })
  for (const [diet, typed] of dietsTyped) {
    take(
      firstOf(typed, () => true),
      () => {
        found.diets = [...(found.diets ?? []), diet]
        return true
      },
    )
  }
  take(language, ([, one, other]) => {
    found.language = LANGUAGES.find((each) => each.toLowerCase() === (one ?? other)?.toLowerCase()) ?? null
    return found.language !== null
  })
}
