/** Every pattern here is bounded by MAX_QUERY_LENGTH in app/features/search/limits.ts. */
import { type Coordinates, STATES, type State } from '../places/rules.ts'
import { MAX_GUESTS } from '../pricing/limits.ts'
import { guestsText, hoursText } from './asked-rules.ts'
import {
  type CountFact,
  capital,
  type Fact,
  type FactOption,
  type FactValue,
  knownValue,
  listText,
  markersOfFact,
  midSentence,
  valueText,
  wholeText,
  wordsOfFact,
} from './fact-kind-rules.ts'
import { CATEGORIES, type Category } from './rules.ts'
import { categoriesOfService, SERVICE_IDS, type ServiceTexts, servicesShown } from './service-match-rules.ts'
import { SERVICES, type ServiceId } from './service-rules.ts'
import { coverMarkers } from './travel-rules.ts'

/** From the first on, a number of guests narrows a search by its markers. */
export const GUEST_STEPS = [100, 150, 200, 300, 500, 1000, 2000, 5000] as const

const MAX_NAMED_ON_CARD = 2
const ON_THE_ROAD = [
  'Photographers',
  'Hairdresser',
  'Sounds & DJ',
  'Catering',
  'Videographers',
  'Event Planners',
  'Extras',
] as const

/** Values whose own names are their texts. */
function named<const Names extends readonly string[]>(names: Names) {
  return Object.fromEntries(names.map((text) => [text, { text }])) as Record<Names[number], FactOption>
}

// 'Food' and 'food truck' are two things.
const food = String.raw`(?: (?:food|meals?|menus?|options?|dishes)(?=\s*(?:,|$)|\s+(?:in|near|for|and|with|at)\b))?`
// 'Outdoor cinema' and 'indoor plants' are things, so both count only before an event or at the end of a piece.
const event =
  '(?:weddings?|ceremon(?:y|ies)|receptions?|part(?:y|ies)|venues?|events?|functions?|dinners?|birthdays?|celebrations?)'
const somewhere = String.raw`s?(?: (?:areas?|spaces?|settings?))?(?=\s+${event}\b|\s+(?:in|near|for|with|and)\b|\s*(?:,|$))`

/** The parts of a venue's price, as queries say them. */
const included = {
  room: '(?:room|venue|hall) hire|room',
  furniture: 'furniture|tables?(?: (?:and|&) chairs?)?|chairs',
  food: 'catering|food|meals?|menu|dinner|lunch',
  drinks: '(?:open )?bar(?! staff)|drinks?|beverages?|alcohol|wine',
  staff: '(?:bar |wait(?:ing)? ?)?staff|waiters?',
}
const listed = `(?:(?:,| and| &) (?:${Object.values(included).join('|')})){0,4}`

const serviceOptions = Object.fromEntries(
  SERVICE_IDS.map((id): [ServiceId, FactOption] => [
    id,
    { text: midSentence(SERVICES[id].one), categories: categoriesOfService(id) },
  ]),
) as Record<ServiceId, FactOption>

/** 'Room only', 'Room, furniture and staff' or 'All included'. */
function includedText(values: readonly string[]): string {
  if (values.length === Object.keys(included).length) return 'All included'
  if (values.length === 1 && values[0] === 'room') return 'Room only'
  return capital(listText(values))
}

/** The maximum number of guests. A column of its own has it, since it decides what can be booked and found. */
const maxGuests = {
  kind: 'count',
  categories: CATEGORIES,
  max: MAX_GUESTS,
  label: 'Maximum guests',
  hint: 'Customers can’t book for more guests, and searches for more don’t show you. Leave empty for no limit.',
  asks: 'a whole number of guests',
  icon: 'users',
  text: guestsText,
  card: {
    places: { Venues: 1, Catering: 1, 'Event Planners': 1, Extras: 3 },
    text: (guests) => `Up to ${guestsText(guests)}`,
  },
  markers: { prefix: 'm/', steps: GUEST_STEPS, isUnknownFound: true },
  search: null,
} satisfies CountFact

/**
 * Each fact of a listing: a vendor's statement other than its texts and prices (decisions 34 and 71). The form, its checks,
 * the page, the cards, the search and the index all follow from its row, in this order. A missing fact is unknown, which is never
 * shown as 'no'.
 */
export const FACTS = {
  /** Until a vendor states some, those that the listing's texts show count: see `statedMarkers`. */
  services: {
    kind: 'several',
    categories: CATEGORIES,
    options: serviceOptions,
    label: 'Services',
    formLabel: 'What customers can search for',
    hint: 'Tick each service that you offer. A search for ‘florist’ finds only those who offer it.',
    asks: 'Choose from the list.',
    icon: 'sparkles',
    card: null,
    isAmenity: false,
    // The filter by kind asks for a service: see search/filter-rules.ts.
    search: null,
  },
  /**
   * What the price pays for, so that a room for $380 can be compared with a dinner for $12,980. Words don't count: 'food isn't
   * included' has the same words as 'food is included'.
   */
  included: {
    kind: 'several',
    categories: ['Venues'],
    options: {
      room: { text: 'room', spelling: included.room },
      furniture: { text: 'furniture', spelling: included.furniture },
      food: { text: 'food', spelling: included.food },
      drinks: { text: 'drinks', spelling: included.drinks },
      staff: { text: 'staff', spelling: included.staff },
    },
    label: 'Price includes',
    formLabel: 'What your price includes',
    hint: 'Customers compare prices by this. If you have two prices, tick what both include.',
    asks: 'Choose from the list.',
    isOnBooking: true,
    icon: 'list-checks',
    card: { places: { Venues: 2 }, text: includedText },
    isAmenity: false,
    search: {
      parameter: 'included',
      isSingle: false,
      chip: (values) => `${values} included`,
      phrase: (spelling) =>
        new RegExp(
          String.raw`\b(?:(?:with|and) )?(?:${spelling})(?: (?:is |are |all )?included(?: in the price)?\b|(?=${listed} (?:is |are |all )?included\b))|\bincluding (?:${spelling})\b`,
          'i',
        ),
    },
  },
  /** At tables or in rows. */
  seated: {
    kind: 'count',
    categories: ['Venues'],
    max: MAX_GUESTS,
    label: 'Seated',
    formLabel: 'Guests seated',
    asks: 'the guests that you can seat',
    icon: 'armchair',
    text: guestsText,
    card: null,
    markers: { prefix: 'q/', steps: GUEST_STEPS, isUnknownFound: true },
    // The filter by guests asks for seats.
    search: null,
  },
  standing: {
    kind: 'count',
    categories: ['Venues'],
    max: MAX_GUESTS,
    label: 'Standing',
    formLabel: 'Guests standing',
    asks: 'the guests that can stand',
    icon: 'person-standing',
    text: guestsText,
    card: null,
    markers: null,
    search: null,
  },
  minHours: {
    kind: 'count',
    categories: CATEGORIES,
    max: 24,
    label: 'Shortest booking',
    hint: 'In hours, for bookings per hour.',
    asks: 'whole hours',
    icon: 'hourglass',
    text: (hours) => `${hoursText(hours)}, if booked per hour`,
    card: {
      places: { Photographers: 2, Hairdresser: 3, 'Sounds & DJ': 2, Videographers: 2, Extras: 2 },
      text: (hours) => `From ${hoursText(hours)}`,
    },
    usual: {
      Venues: 4,
      Photographers: 2,
      Hairdresser: 1,
      'Sounds & DJ': 3,
      Catering: 3,
      Videographers: 3,
      'Event Planners': 2,
      Extras: 1,
    },
    markers: null,
    search: null,
  },
  /** How far the vendor drives from the listing's suburb. */
  travelKm: {
    kind: 'count',
    categories: ON_THE_ROAD,
    max: 2_000,
    label: 'Travels',
    formLabel: 'How far you travel',
    hint: 'In km from your suburb. Searches for a place within it find you.',
    asks: 'whole kilometres',
    icon: 'route',
    text: (km) => `Up to ${wholeText(km)} km`,
    card: {
      places: {
        Photographers: 1,
        Hairdresser: 1,
        'Sounds & DJ': 1,
        Catering: 3,
        Videographers: 1,
        'Event Planners': 3,
        Extras: 1,
      },
      text: (km) => `Travels ${wholeText(km)} km`,
    },
    usual: {
      Photographers: 100,
      Hairdresser: 50,
      'Sounds & DJ': 100,
      Catering: 50,
      Videographers: 100,
      'Event Planners': 100,
      Extras: 50,
    },
    markers: null,
    search: null,
  },
  /** Besides the radius: a vendor of a whole state, or of the whole country. */
  travelTo: {
    kind: 'several',
    categories: ON_THE_ROAD,
    options: {
      ...(Object.fromEntries(STATES.map((state) => [state, { text: `all of ${state}` }])) as Record<
        State,
        FactOption
      >),
      Australia: { text: 'all of Australia' },
    },
    label: 'Also travels to',
    formLabel: 'You also travel to',
    hint: 'Whole states that you work in, however far they are.',
    asks: 'Choose from the list.',
    icon: 'route',
    card: null,
    isAmenity: false,
    // A place in a search asks for it: see `travelFilterOf` in search/filter-queries.server.ts.
    search: null,
  },
  setting: {
    kind: 'several',
    categories: ['Venues'],
    options: {
      indoor: {
        text: 'indoors',
        chip: 'indoor',
        spelling: String.raw`\bindoor${somewhere}`,
        words: 'indoor | indoors | hall | ballroom | loft | warehouse | pavilion',
      },
      outdoor: {
        text: 'outdoors',
        chip: 'outdoor',
        spelling: String.raw`\boutdoor${somewhere}|\bopen[- ]air\b`,
        words: 'outdoor | outdoors | garden | lawn | verandah | courtyard | terrace',
      },
    },
    label: 'Indoors or outdoors',
    asks: 'Choose indoors, outdoors or both.',
    // Trees mean outdoors, at least as well.
    icon: (settings) => (settings.includes('outdoor') ? 'trees' : 'house'),
    card: {
      places: { Venues: 3 },
      text: (settings) =>
        settings.length > 1 ? 'In & outdoors' : settings[0] === 'outdoor' ? 'Outdoors' : 'Indoors',
    },
    isAmenity: true,
    search: {
      parameter: 'setting',
      none: 'Either',
      isSingle: false,
      phrase: (spelling) => new RegExp(spelling, 'i'),
    },
  },
  stepFree: {
    kind: 'yesNo',
    categories: ['Venues', 'Hairdresser'],
    label: 'Step-free access',
    hint: 'From the street to the toilets.',
    icon: 'accessibility',
    card: { places: { Venues: 4, Hairdresser: 2 }, text: 'Step-free' },
    search: {
      parameter: 'step-free',
      chip: 'step-free access',
      phrase:
        /\b(?:step[- ]?free(?: access)?|(?:wheel ?chair|disabled|disability)[- ](?:access(?:ible|ibility)?|friendly)|wheel ?chairs?(?! hire| rental)|accessible|accessibility)\b/i,
      words: 'step & free | wheelchair | ramp | accessible',
    },
  },
  /** On the site or beside it. */
  parking: {
    kind: 'yesNo',
    categories: ['Venues', 'Hairdresser'],
    label: 'Parking on site',
    icon: 'square-parking',
    card: { places: { Venues: 6 }, text: 'Parking' },
    search: {
      parameter: 'parking',
      chip: 'parking on site',
      phrase:
        /\b(?:(?:with|and) )?(?:(?:free|on-?site|guest|own) )?(?:car )?parking(?: on[- ]site| available)?\b/i,
      words: 'parking & (site | free | car | valet | coach)',
    },
  },
  /** Guests may bring their own drinks. */
  byo: {
    kind: 'yesNo',
    categories: ['Venues', 'Catering'],
    label: 'BYO drinks',
    isOnBooking: true,
    icon: 'wine',
    card: { places: { Venues: 5 }, text: 'BYO' },
    search: {
      parameter: 'byo',
      chip: 'BYO',
      phrase:
        /\b(?:byo|b\.y\.o\.?|bring (?:our|my|your) own (?:drinks?|alcohol|wine|booze))(?: (?:drinks?|alcohol|wine|beer))?(?!\w)/i,
      words: 'byo | corkage',
    },
  },
  dietary: {
    kind: 'several',
    categories: ['Venues', 'Catering'],
    leads: ['Catering'],
    // Hyphens and spaces are the same.
    options: {
      vegetarian: {
        text: 'vegetarian',
        spelling: 'vegetarians?',
        words: 'vegetarian',
        suitedBy: ['vegan'],
      },
      vegan: { text: 'vegan', spelling: 'vegans?', words: 'vegan' },
      'gluten-free': { text: 'gluten-free', spelling: 'gluten[- ]?free|coeliac', words: 'gluten' },
      'dairy-free': { text: 'dairy-free', spelling: '(?:dairy|lactose)[- ]?free', words: 'dairy & free' },
      'nut-free': { text: 'nut-free', spelling: 'nut[- ]?free' },
      halal: { text: 'halal', words: 'halal' },
      kosher: { text: 'kosher', words: 'kosher' },
    },
    label: 'Dietary needs',
    asks: 'Choose from the list.',
    icon: 'salad',
    card: {
      places: { Catering: 2 },
      // The rarest first: most caterers cook for vegetarians.
      text: (diets) => capital(diets.toReversed().slice(0, MAX_NAMED_ON_CARD).join(', ')),
    },
    isAmenity: false,
    search: {
      parameter: 'diet',
      isSingle: false,
      phrase: (spelling) => new RegExp(String.raw`\b(?:${spelling})${food}\b`, 'i'),
    },
  },
  /** The languages other than English that most Australians speak at home, and Auslan. */
  languages: {
    kind: 'several',
    categories: CATEGORIES,
    options: named([
      'Arabic',
      'Auslan',
      'Cantonese',
      'French',
      'German',
      'Greek',
      'Hindi',
      'Indonesian',
      'Italian',
      'Japanese',
      'Korean',
      'Mandarin',
      'Punjabi',
      'Samoan',
      'Spanish',
      'Tagalog',
      'Tamil',
      'Turkish',
      'Vietnamese',
    ]),
    label: 'Languages besides English',
    asks: 'Choose from the list.',
    icon: 'languages',
    card: {
      places: { Photographers: 3, 'Sounds & DJ': 3, Videographers: 3, 'Event Planners': 2 },
      text: (languages) => languages.slice(0, MAX_NAMED_ON_CARD).join(', '),
    },
    isAmenity: false,
    search: {
      parameter: 'language',
      label: 'Speaks',
      none: 'English',
      isSingle: true,
      chip: (language) => `speaks ${language}`,
      phrase: (language) =>
        new RegExp(
          String.raw`\b(?:speak(?:s|ing|ers?)? ${language}|${language}[- ]speak(?:ing|ers?))\b`,
          'i',
        ),
    },
  },
} as const satisfies Record<string, Fact>

export type FactName = keyof typeof FACTS
export const FACT_NAMES = Object.keys(FACTS) as FactName[]

/** A vendor's statements about a listing. The maximum number of guests has a column of its own. */
export type Facts = { [Name in FactName]?: FactValue<(typeof FACTS)[Name]> }

/** A listing's facts with its maximum number of guests. */
export type Stated = { maxGuests: number | null; facts: Facts }

/** The rows of all that a listing states, the maximum number of guests first. */
export const STATED_FACTS: Readonly<Record<FactName | 'maxGuests', Fact>> = { maxGuests, ...FACTS }
export type StatedName = keyof typeof STATED_FACTS
export const STATED_NAMES = Object.keys(STATED_FACTS) as StatedName[]

/** undefined for an unknown one. */
export function statedValue({ maxGuests: most, facts }: Stated, name: StatedName): unknown {
  return name === 'maxGuests' ? (most ?? undefined) : facts[name]
}

/** The facts that matter for each category, in the order of the page. */
export const CATEGORY_FACTS = Object.fromEntries(
  CATEGORIES.map((category) => {
    const names = FACT_NAMES.filter((name) => hasFact(category, name))
    const leads = (name: FactName) => (FACTS as Record<FactName, Fact>)[name].leads?.includes(category)
    return [category, [...names.filter(leads), ...names.filter((name) => !leads(name))]]
  }),
) as unknown as Readonly<Record<Category, readonly FactName[]>>

/** Whether listings of a category have a fact. */
export function hasFact(category: Category, name: StatedName): boolean {
  return STATED_FACTS[name].categories.includes(category)
}

/** The known facts of a stored object, for a listing of this category. Ignores all others. */
export function factsOf(category: Category, stored: Readonly<Record<string, unknown>>): Facts {
  const known = CATEGORY_FACTS[category].flatMap((name): [FactName, unknown][] => {
    const value = knownValue(FACTS[name], stored[name], category)
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(known)
}

/**
 * The facts that a booking states, each with its label.
 * @param facts of its sale; null in one from before sales had them
 */
export function factsOnBooking(facts: Facts | null): { label: string; text: string }[] {
  return FACT_NAMES.flatMap((name) => {
    const fact: Fact = FACTS[name]
    const value = fact.isOnBooking ? knownValue(fact, facts?.[name]) : undefined
    return value === undefined ? [] : [{ label: fact.label, text: valueText(fact, value) }]
  })
}

/** The number of guests to seat or stand decides the bound if the vendor gave none. null for no bound. */
export function guestBound(most: number | null, { seated, standing }: Facts): number | null {
  const stated = Math.max(seated ?? 0, standing ?? 0)
  return most ?? (stated > 0 ? stated : null)
}

/**
 * The version of the markers and words in these rows. Raise it when they change, as a test demands: a job then refills every
 * listing's markers.
 */
export const MARKERS_VERSION = 3

/**
 * The markers of the search index that a listing's own statements give it, with the services that its texts show if it
 * states none, and the cells that its vendor travels to.
 * @param listing.at the point of its place
 */
export function statedMarkers(listing: Stated & ServiceTexts & { at: Coordinates }): string[] {
  // A statement from another category doesn't count, as on its page.
  const stated = factsOf(listing.category, listing.facts)
  const facts = { ...stated, services: stated.services ?? servicesShown(listing) }
  const { travelKm } = facts
  return [
    ...STATED_NAMES.flatMap((name) => {
      const fact = STATED_FACTS[name]
      return markersOfFact(name, fact, knownValue(fact, statedValue({ ...listing, facts }, name)))
    }),
    ...(travelKm ? coverMarkers(listing.at, travelKm) : []),
  ]
}

/**
 * The markers that a listing's words give it where it doesn't state the fact, with the words in PostgreSQL's tsquery syntax.
 * Without them, a search for 'halal' would lose every listing whose vendor never saw the question.
 */
export const WORD_MARKERS = FACT_NAMES.flatMap((fact) =>
  wordsOfFact(fact, FACTS[fact]).map(({ marker, words }) => ({ fact, marker, words })),
)
