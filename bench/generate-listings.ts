import { type Kysely, sql } from 'kysely'
import type { Tables } from '../app/adapters/database/port.ts'
import { columnsOf } from '../app/features/businesses/commands.server.ts'
import type { Fact } from '../app/features/businesses/fact-kind-rules.ts'
import {
  FACT_NAMES,
  FACTS,
  type FactName,
  type Facts,
  factsOf,
  MARKERS_VERSION,
  statedMarkers,
  WORD_MARKERS,
} from '../app/features/businesses/fact-rules.ts'
import { CATEGORIES, type Category, otherUnit } from '../app/features/businesses/rules.ts'
import { UNSET_FIELDS } from '../app/features/businesses/schema.ts'
import type { Coordinates } from '../app/features/places/rules.ts'
import { toSlug } from '../app/shared/ids.ts'
import type { Cents, PriceUnit, UnitPrice } from '../app/shared/money.ts'
import { demoBusinesses } from '../content/demo/businesses.ts'

/** A possible place of a generated listing: a row of the table of places, the largest first. */
export type GeneratorPlace = { id: string; population: number; latitude: number; longitude: number }

export type GeneratedListing = {
  id: string
  userId: string
  name: string
  category: Category
  description: string
  priceCents: Cents
  priceUnit: PriceUnit
  secondPrice: UnitPrice | null
  maxGuests: number | null
  facts: Facts
  placeId: string
  /** The point of its place. */
  at: Coordinates
  servicesOffered: string[]
  createdAt: Date
}

const FIRST_LISTED_MS = Date.UTC(2021, 0, 1)
const LAST_LISTED_MS = Date.UTC(2026, 0, 1)
/** One vendor in a hundred mistypes a word, so that the market has as many misspellings as a real one. */
const MISTYPED_SHARE = 0.01
const ON_REQUEST_SHARE = 0.02
/** One venue or caterer in five takes bookings by both units. */
const SECOND_PRICE_SHARE = 0.2
/** Texts show the services of most listings, and few vendors work in whole states. */
const RARELY_STATED: ReadonlySet<FactName> = new Set(['services', 'travelTo'])
const LISTINGS_PER_OWNER = 3
const ROWS_PER_INSERT = 1_000

/** Sentences and services of the demo listings, by category, so that generated text has the words of the trade. */
const sentences = textsOf((description) => description.split(/(?<=[.!?])\s+/))
const services = new Map(
  CATEGORIES.map((category) => [
    category,
    demoBusinesses.filter((business) => business.category === category).flatMap((b) => b.servicesOffered),
  ]),
)

function textsOf(split: (description: string) => string[]): Map<Category, string[]> {
  return new Map(
    CATEGORIES.map((category) => [
      category,
      demoBusinesses
        .filter((business) => business.category === category)
        .flatMap(({ description }) => split(description)),
    ]),
  )
}

const ADJECTIVES =
  'Amber Autumn Blue Bright Bronze Coastal Copper Coral Crimson Dappled Distant Early Ember Fern Flinders Garden Gentle Ghost Golden Grand Granite Green Hidden High Honey Indigo Iron Ivory Jade Late Lemon Little Long Lucky Lunar Merry Misty Noble North Old Olive Opal Orchard Paper Pearl Plain Quiet Rambling Red River Rose Rustic Saffron Salt Scarlet Second Silver Slow South Spring Steel Stone Summer Sunny Tall Timber Twilight Velvet Wandering Warm West White Wide Wild Winter Yellow'.split(
    ' ',
  )
const NOUNS =
  'Acacia Anchor Apple Arbour Arrow Banksia Barn Bay Bell Bird Blossom Boat Bower Bridge Brook Cabin Canopy Cedar Cherry Clay Cliff Clover Cockatoo Cove Creek Daisy Dawn Dove Dune Feather Field Figtree Finch Fire Flame Forest Fox Gate Grove Harbour Hare Harvest Heath Heron Hill Horizon Jacaranda Kestrel Kite Lake Lantern Lark Leaf Lilac Lyrebird Magpie Maple Meadow Moon Myrtle Oak Orchid Owl Paddock Palm Pear Peacock Pine Plum Poppy Quarry Quill Raven Reef Ribbon Robin Rosella Sail Sand Shell Shore Sky Sparrow Star Stream Swallow Swan Thistle Thorn Tide Tulip Valley Vine Violet Wattle Wave Willow Wren Yarra'.split(
    ' ',
  )
const KINDS: Record<Category, string[]> = {
  Venues: [
    'Hall',
    'House',
    'Rooms',
    'Estate',
    'Pavilion',
    'Gardens',
    'Woolshed',
    'Terrace',
    'Function Centre',
    'Loft',
  ],
  Photographers: ['Photography', 'Studio', 'Pictures', 'Portraits', 'Weddings', 'Images'],
  Hairdresser: ['Hair', 'Salon', 'Hair Studio', 'Barbers', 'Bridal Hair', 'Stylists'],
  'Sounds & DJ': ['DJs', 'Sound', 'Band', 'Audio', 'Music', 'Disco', 'Quartet'],
  Catering: ['Catering', 'Kitchen', 'Feasts', 'Table', 'Cakes', 'Paella', 'Coffee Cart'],
  Videographers: ['Films', 'Video', 'Cinema', 'Reels', 'Motion Pictures'],
  'Event Planners': ['Events', 'Weddings', 'Celebrations', 'Planning', 'Occasions'],
  Extras: ['Flowers', 'Hire', 'Photo Booths', 'Balloons', 'Vintage Cars', 'Marquees', 'Lighting'],
}
const BEGINNINGS =
  'Al An Bar Bel Bren Cal Car Chan Cor Dal Del Dun El Fair Far Gal Gar Hal Har Hol Jan Kel Kor Lan Lin Mac Mar Mel Mor Nak Nor Ok Pap Pet Qua Ram Ros San Sil Sul Tan Tor Ul Van Ver Wal Wen Yam Zan'.split(
    ' ',
  )
const MIDDLES = [
  'a',
  'an',
  'ber',
  'bi',
  'den',
  'er',
  'fi',
  'in',
  'ka',
  'lo',
  'ma',
  'mi',
  'no',
  'ri',
  'sa',
  'so',
  'ta',
  'ti',
  'va',
  'wi',
]
const ENDINGS =
  'berg by court da dale elli ford hurst ić ini ko ley man ness nik opoulos ova park quist ridge son stein ton ura vale well worth yama'.split(
    ' ',
  )

/** A random number generator with the same numbers for the same seed on every machine (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Generates listings, deterministically for the same `count` and places. A higher index is a newer listing. Text comes
 * from the demo's sentences, names from lists, places in proportion to their population.
 * @param count the number of listings in the market, which spaces their dates
 * @param places from the table of places, in a fixed order
 */
export function createListingGenerator(
  count: number,
  places: readonly GeneratorPlace[],
): (index: number) => GeneratedListing {
  let total = 0
  const bounds = places.map(({ population }) => {
    total += population + 500
    return total
  })
  const stepMs = (LAST_LISTED_MS - FIRST_LISTED_MS) / count
  return (index) => {
    const random = seeded(index * 2_654_435_761 + 97)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
    const surname = () => pick(BEGINNINGS) + (random() < 0.55 ? pick(MIDDLES) : '') + pick(ENDINGS)
    const category = pick(CATEGORIES)
    const kind = pick(KINDS[category])
    const style = random()
    const name =
      style < 0.3
        ? `${surname()} ${kind}`
        : style < 0.45
          ? `${surname()} & ${surname()} ${kind}`
          : style < 0.75
            ? `${pick(ADJECTIVES)} ${pick(NOUNS)} ${kind}`
            : style < 0.85
              ? `The ${pick(NOUNS)} ${kind}`
              : `${pick(NOUNS)} & ${pick(NOUNS)} ${kind}`
    const own = sentences.get(category) ?? []
    let description = [
      `Ask for ${surname()}.`,
      ...Array.from({ length: 3 + Math.floor(random() * 4) }, () => pick(own)),
    ]
      .reverse()
      .join(' ')
    if (random() < MISTYPED_SHARE) description = mistype(description, random)
    const unit: PriceUnit =
      category === 'Venues' || category === 'Catering'
        ? random() < 0.6
          ? 'perPerson'
          : 'perHour'
        : 'perHour'
    const dollarsPer = (each: PriceUnit) => (each === 'perPerson' ? 15 * 14 ** random() : 60 * 15 ** random())
    const dollars = dollarsPer(unit)
    const placed = places[findPlace(bounds, random() * total)] as GeneratorPlace
    const listing = {
      id: `${toSlug(name).slice(0, 60)}-${index.toString(36)}`,
      userId: `bench-owner-${Math.floor(index / LISTINGS_PER_OWNER)}`,
      name,
      category,
      description,
      priceCents: random() < ON_REQUEST_SHARE ? 0 : Math.round(dollars) * 100,
      priceUnit: unit,
      placeId: placed.id,
      at: { latitude: placed.latitude, longitude: placed.longitude },
      servicesOffered: [
        ...new Set(
          Array.from({ length: 3 + Math.floor(random() * 3) }, () => pick(services.get(category) ?? [])),
        ),
      ],
      createdAt: new Date(FIRST_LISTED_MS + Math.floor(index * stepMs)),
    }
    // Drawn last, so that all other fields stay the same as before second prices existed.
    const hasSecond =
      (category === 'Venues' || category === 'Catering') &&
      listing.priceCents > 0 &&
      random() < SECOND_PRICE_SHARE
    const second = otherUnit(unit)
    const capacity = Math.round(20 * 20 ** random())
    const known = <Value>(share: number, value: Value) => (random() < share ? value : undefined)
    const drawnFacts = (): Record<string, unknown> => {
      const drawn: Record<string, unknown> = {
        seated: known(0.3, Math.ceil(capacity * 0.7)),
        standing: undefined,
        minHours: known(0.5, 1 + Math.floor(random() * 5)),
        setting: known(
          0.5,
          optionsOf(FACTS.setting).filter(() => random() < 0.6),
        ),
        stepFree: known(0.4, random() < 0.6),
        parking: known(0.4, random() < 0.6),
        byo: known(0.4, random() < 0.3),
        dietary: known(
          0.5,
          optionsOf(FACTS.dietary).filter(() => random() < 0.3),
        ),
        languages: known(0.2, [pick(optionsOf(FACTS.languages))]),
        travelKm: known(0.6, 10 * Math.ceil(random() * 20)),
      }
      // A newer fact is drawn by its kind, after all others.
      for (const name of FACT_NAMES)
        if (!Object.hasOwn(drawn, name))
          drawn[name] = known(RARELY_STATED.has(name) ? 0.05 : 0.5, drawnBy(FACTS[name], random))
      return drawn
    }
    return {
      ...listing,
      // Half of all vendors say what they can.
      maxGuests: known(0.5, capacity) ?? null,
      facts: factsOf(category, drawnFacts()),
      secondPrice: hasSecond ? { unit: second, cents: Math.round(dollarsPer(second)) * 100 } : null,
    }
  }
}

function optionsOf({ options }: { options: object }): string[] {
  return Object.keys(options)
}

function drawnBy(fact: Fact, random: () => number): unknown {
  if (fact.kind === 'yesNo') return random() < 0.5
  if (fact.kind === 'several') return optionsOf(fact).filter(() => random() < 0.3)
  return Math.ceil(random() * (fact.markers?.steps.at(-1) ?? fact.max))
}

function findPlace(bounds: readonly number[], at: number): number {
  let low = 0
  let high = bounds.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bounds[middle] as number) > at) high = middle
    else low = middle + 1
  }
  return low
}

function mistype(text: string, random: () => number): string {
  const words = text.split(' ')
  const at = Math.floor(random() * words.length)
  const word = words[at] ?? ''
  if (word.length < 4) return text
  const letter = 1 + Math.floor(random() * (word.length - 2))
  words[at] = word.slice(0, letter) + word[letter + 1] + word[letter] + word.slice(letter + 2)
  return words.join(' ')
}

/** The places in their fixed order. */
export function findGeneratorPlaces(db: Kysely<Tables>): Promise<GeneratorPlace[]> {
  return db
    .selectFrom('places')
    .select(['id', 'population', 'latitude', 'longitude'])
    .orderBy('population', 'desc')
    .orderBy('id')
    .execute()
}

/**
 * Fills an empty, migrated database with listings, then builds the search index at once, which takes a tenth of the time
 * of updating it row by row.
 * @param report receives the number of listings inserted so far
 */
export async function fillListings(
  db: Kysely<Tables>,
  count: number,
  report: (done: number) => void = () => {},
): Promise<void> {
  const listing = createListingGenerator(count, await findGeneratorPlaces(db))
  await sql`alter table businesses disable trigger businesses_searched`.execute(db)
  for (let start = 0; start < count; start += ROWS_PER_INSERT) {
    const rows = Array.from({ length: Math.min(ROWS_PER_INSERT, count - start) }, (_, offset) => {
      const made = listing(start + offset)
      return {
        id: made.id,
        user_id: made.userId,
        ...columnsOf({ ...UNSET_FIELDS, ...made }, 'Jubilee'),
        facts: made.facts,
        markers: statedMarkers(made),
        markers_version: MARKERS_VERSION,
        place_id: made.placeId,
        created_at: made.createdAt,
        updated_at: made.createdAt,
      }
    })
    const names = Object.keys(rows[0] ?? {})
    const columns = sql.join(names.map((name) => sql.ref(name)))
    const words = JSON.stringify(WORD_MARKERS)
    const markers = sql`with_word_markers(
      markers, facts, ${words}::jsonb, name, category, services_offered, description)`
    const values = names.map((name) => (name === 'markers' ? markers : sql.ref(name)))
    await sql`insert into businesses (${columns}) select ${sql.join(values)}
      from jsonb_populate_recordset(null::businesses, ${JSON.stringify(rows)}::jsonb)`.execute(db)
    if (start % 50_000 === 0) report(start)
  }
  await sql`alter table businesses enable trigger businesses_searched`.execute(db)
  await sql`select rebuild_search()`.execute(db)
  // PostgreSQL's autovacuum does this within a minute, and the embedded database's job every night.
  await sql`vacuum analyze`.execute(db)
}
