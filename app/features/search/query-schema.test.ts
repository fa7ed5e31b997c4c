import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PARTY_SEARCH } from '../../../tests/searches.ts'
import { CATEGORIES, OCCASIONS } from '../businesses/rules.ts'
import { queryOf } from './filter-messages.ts'
import { type ParsedQuery, parseQuery, placesInQuery } from './query-schema.ts'
import { NO_SEARCH, readSearch, type Search, searchHref } from './schema.ts'

const PLACES: Record<string, string> = {
  geelong: 'Geelong, VIC',
  'geelong, vic': 'Geelong, VIC',
  'geelong vic': 'Geelong, VIC',
  perth: 'Perth, WA',
  'byron bay': 'Byron Bay, NSW',
  bright: 'Bright, VIC',
  'orange nsw': 'Orange, NSW',
  richmond: 'Richmond',
  vic: 'VIC',
  victoria: 'VIC',
  'st kilda': 'St Kilda, VIC',
  melbourne: 'Melbourne',
  'melbourne, vic': 'Melbourne, VIC',
  'mornington peninsula': 'Mornington Peninsula',
  mornington: 'Mornington, VIC',
  'richmond, vic': 'Richmond, VIC',
  'summer hill': 'Summer Hill, NSW',
  orange: 'Orange, NSW',
  '3220': 'Geelong, VIC',
  '2027': 'Darling Point, NSW',
}
const context = {
  today: '2026-11-20',
  findPlace: (text: string) =>
    Object.hasOwn(PLACES, text.toLowerCase()) ? (PLACES[text.toLowerCase()] ?? null) : null,
}
const typed = (q: string) => readSearch(new URLSearchParams({ q })).q
const parse = (text: string) => parseQuery(typed(text), context)

/** Services that each could be read as one or stay a word, so that a query of 300 characters has very many readings. */
const MANY_READINGS =
  'dj dj dj dj byo byo dj byo byo byo dj byo dj byo dj byo security byo security byo security dj security security dj security ' +
  'dj security byo byo dj dj byo security byo dj byo dj dj dj security security byo security dj security security security dj ' +
  'byo dj security security dj byo dj dj security dj byo'

describe('parseQuery', () => {
  it('reads each rest of a query once', () => {
    let asked = 0
    const counting = {
      findPlace: context.findPlace,
      get today() {
        asked++
        return context.today
      },
    }
    parseQuery(typed(MANY_READINGS), counting)
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThan(1_000)
  })

  const whole: ParsedQuery = { ...PARTY_SEARCH, q: '' }

  it('splits a query into filters', () => {
    // 14 March 2027 is a Sunday. The date counts, and the page points out the mismatch.
    expect(parse('Saturday 14 March 2027, 4 pm to 11 pm, 90 guests, near Geelong, up to $8,000')).toEqual({
      ...whole,
      weekday: 'Saturday',
    })
  })

  it.each([
    'Sunday 14 March 2027, 4 pm to 11 pm, 90 guests, near Geelong, up to $8,000',
    'up to $8,000, near Geelong VIC, 90 guests, 4 pm to 11 pm, Sun 14/3/2027',
    'For 90 people near Geelong, VIC on 14/03/27 from 4 until 11pm for up to $8k',
    '14-3-2027 4-11pm 90 pax around Geelong max 8000 dollars',
    '14.3.2027, 16:00–23:00, ninety guests, 90 guests, close to Geelong, budget: $8,000.00',
    'the 14th of March, 4:00 pm till 11:00 pm, party of 90, within 25 km of Geelong, under 8 thousand',
    'March 14th, 2027 between 4 and 11 p.m. for 80-90 guests near Geelong, no more than $8000',
    '2027-03-14, 4pm - 11pm, up to 90 guests, near Geelong, $8,000 budget',
  ])('understands the same search in another spelling: %s', (query) => {
    const { q, ...found } = parse(query)
    const { q: _, ...wanted } = whole
    expect(found).toEqual(wanted)
    expect(['', 'ninety guests']).toContain(q)
  })

  it.each<[string, Partial<ParsedQuery>]>([
    // Facts
    ['step-free', { stepFree: true }],
    ['Step free access', { stepFree: true }],
    ['wheelchair accessible', { stepFree: true }],
    ['disability access', { stepFree: true }],
    ['outdoor', { setting: ['outdoor'] }],
    ['outdoors, 14 March', { setting: ['outdoor'], date: '2027-03-14' }],
    ['indoor venue', { setting: ['indoor'], category: 'Venues' }],
    ['open-air venue', { setting: ['outdoor'], category: 'Venues' }],
    ['outdoor cinema', { q: 'outdoor cinema' }],
    ['outdoor heaters, 14 March', { q: 'outdoor heaters', date: '2027-03-14' }],
    ['BYO', { byo: true }],
    ['byo wine, 14 March', { byo: true, date: '2027-03-14' }],
    ['bring our own drinks', { byo: true }],
    ['venue with catering included', { category: 'Venues', included: ['food'] }],
    ['catering included', { included: ['food'] }],
    ['venues, food and drinks included', { category: 'Venues', included: ['food', 'drinks'] }],
    ['furniture, food, drinks and staff included', { included: ['furniture', 'food', 'drinks', 'staff'] }],
    ['hall with tables and chairs included in the price', { q: 'hall', included: ['furniture'] }],
    ['wedding venue including bar staff', { category: 'Venues', occasion: 'wedding', included: ['staff'] }],
    ['halal', { dietary: ['halal'] }],
    ['halal food, DJ', { dietary: ['halal'], category: 'Sounds & DJ' }],
    ['gluten free', { dietary: ['gluten-free'] }],
    ['lactose-free meals', { dietary: ['dairy-free'] }],
    ['vegan and gluten free', { dietary: ['vegan', 'gluten-free'] }],
    ['indoor and outdoor venue', { setting: ['indoor', 'outdoor'], category: 'Venues' }],
    ['halal food truck', { service: 'food-truck', dietary: ['halal'] }],
    ['wheelchair hire', { q: 'wheelchair hire' }],
    ['accessible venue', { stepFree: true, category: 'Venues' }],
    ['200 standing', { guests: 200 }],
    ['standing 200', { guests: 200 }],
    ['vegans', { dietary: ['vegan'] }],
    ['parking', { parking: true }],
    ['free on-site parking', { q: 'free', parking: true }],
    ['speaks Greek', { languages: 'Greek' }],
    ['auslan-speaking', { languages: 'Auslan' }],
    ['speaking Klingon', { q: 'speaking Klingon' }],
    ['seated 120', { guests: 120, seated: true }],
    ['120 seated', { guests: 120, seated: true }],
    ['1,200 guests seated', { guests: 1_200, seated: true }],
    ['seated dinner for 80 people', { guests: 80, seated: true }],
    ['sit-down 60', { guests: 60, seated: true }],
    ['seats 120', { q: 'seats 120' }],
    ['120 guests', { guests: 120 }],
    // Days
    ['14 March', { date: '2027-03-14' }],
    ['14 December', { date: '2026-12-14' }],
    ['20 Nov', { date: '2026-11-20' }],
    ['19 Nov', { date: '2027-11-19' }],
    ['29 February', { date: '2028-02-29' }],
    ['14/3', { date: '2027-03-14' }],
    ["14 Mar '27", { date: '2027-03-14' }],
    ['Friday the 12th of March 2027', { date: '2027-03-12' }],
    ['today', { date: '2026-11-20' }],
    ['tomorrow night', { date: '2026-11-21' }],
    ['on Saturday', { date: '2026-11-21' }],
    ['this Friday', { date: '2026-11-20' }],
    ['next weekend', { date: '2026-11-21' }],
    ['garden, Sunday', { q: 'garden', date: '2026-11-22' }],
    ["New Year's Eve", { date: '2026-12-31' }],
    ['Australia Day', { date: '2027-01-26' }],
    // Several days: the first counts.
    ['wedding venue saturday 5-6 december', { category: 'Venues', occasion: 'wedding', date: '2026-12-05' }],
    ['4-6 December byron bay', { date: '2026-12-04', place: 'Byron Bay, NSW', near: true }],
    ['wedding 9/10 january 2027', { occasion: 'wedding', date: '2027-01-09' }],
    ['venue 8-9 May 2027', { category: 'Venues', date: '2027-05-08' }],
    ['dj 12-15 dec', { category: 'Sounds & DJ', date: '2026-12-12' }],
    ['5th – 6th of December', { date: '2026-12-05' }],
    ['between the 5th and 6th of december', { date: '2026-12-05' }],
    ['sat 5 & sun 6 december, geelong', { date: '2026-12-05', place: 'Geelong, VIC', near: true }],
    ['sat/sun 5/6 dec', { date: '2026-12-05' }],
    ['Friday 4th to Sunday 6th December', { date: '2026-12-04' }],
    ['venue for 12 to 15 december', { category: 'Venues', date: '2026-12-12' }],
    ['20-30 people 5-6 dec', { guests: 30, date: '2026-12-05' }],
    ['December 5-6 2026', { date: '2026-12-05' }],
    ['december 24-26', { date: '2026-12-24' }],
    ['march 14 to 15', { date: '2027-03-14' }],
    ['march 14 from 4pm', { date: '2027-03-14', from: '16:00' }],
    ['5-6/12', { date: '2026-12-05' }],
    ['12-14/3/27', { date: '2027-03-12' }],
    ['for 90 and 14 march', { guests: 90, date: '2027-03-14' }],
    // Times
    ['4-11pm', { from: '16:00', until: '23:00' }],
    ['10-2pm', { from: '10:00', until: '14:00' }],
    ['8pm - 2', { from: '20:00', until: '02:00' }],
    ['6pm till midnight', { from: '18:00', until: '00:00' }],
    ['noon to 2.30pm', { from: '12:00', until: '14:30' }],
    ['9:00-17:00', { from: '09:00', until: '17:00' }],
    ['16:00', { from: '16:00' }],
    ['at 4.30 pm', { from: '16:30' }],
    ['from 7am', { from: '07:00' }],
    ['12am', { from: '00:00' }],
    ['8 pm for 4 hours', { from: '20:00', hours: 4 }],
    ['3.5 hrs', { hours: 4 }],
    // Guests
    ['for 90', { guests: 90 }],
    ['80 to 100 guests', { guests: 100 }],
    ['1,200 people', { guests: 1_200 }],
    ['group of 20', { guests: 20 }],
    // Money
    ['under $500', { budgetCents: 50_000 }],
    ['$499.50', { budgetCents: 49_950 }],
    ['between $500 and $900', { budgetCents: 90_000 }],
    ['1500 dollars', { budgetCents: 150_000 }],
    ['up to 1,500', { budgetCents: 150_000 }],
    ['up to $120 per person', { maxCents: 12_000, per: 'perPerson' }],
    ['$50 to $120 a head', { minCents: 5_000, maxCents: 12_000, per: 'perPerson' }],
    ['$150/hr', { maxCents: 15_000, per: 'perHour' }],
    ['from $100 per hour', { minCents: 10_000, per: 'perHour' }],
    ['$50 to $120 each', { minCents: 5_000, maxCents: 12_000 }],
    // Money as it's often typed: per person and per hour
    ['$65pp catering', { category: 'Catering', maxCents: 6_500, per: 'perPerson' }],
    ['catering under $50pp', { category: 'Catering', maxCents: 5_000, per: 'perPerson' }],
    ['catering $50 pp', { category: 'Catering', maxCents: 5_000, per: 'perPerson' }],
    ['$65 p.p., $65/pp', { maxCents: 6_500, per: 'perPerson' }],
    ['$20-30pp catering', { category: 'Catering', minCents: 2_000, maxCents: 3_000, per: 'perPerson' }],
    ['20-30pp', { minCents: 2_000, maxCents: 3_000, per: 'perPerson' }],
    ['65pp catering', { category: 'Catering', maxCents: 6_500, per: 'perPerson' }],
    ['from 65pp', { minCents: 6_500, per: 'perPerson' }],
    [
      'catering for 30-40 people $25pp',
      { category: 'Catering', guests: 40, maxCents: 2_500, per: 'perPerson' },
    ],
    ['$30ph dj', { category: 'Sounds & DJ', maxCents: 3_000, per: 'perHour' }],
    ['$150p/h', { maxCents: 15_000, per: 'perHour' }],
    // and thousands and budgets
    ['venue 5-8k', { category: 'Venues', budgetCents: 800_000 }],
    ['venue 5–10k', { category: 'Venues', budgetCents: 1_000_000 }],
    ['photographer 2.5-3k', { category: 'Photographers', budgetCents: 300_000 }],
    ['3k-5k photographer', { category: 'Photographers', budgetCents: 500_000 }],
    [
      'venue between 5k and 10k geelong',
      { category: 'Venues', budgetCents: 1_000_000, place: 'Geelong, VIC', near: true },
    ],
    ['$800-2k', { budgetCents: 200_000 }],
    ['between 5 and 10 thousand', { budgetCents: 1_000_000 }],
    ['budget 3-4k', { budgetCents: 400_000 }],
    ['budget of 3000-4000', { budgetCents: 400_000 }],
    ['budget $3000-4000', { budgetCents: 400_000 }],
    ['up to 5-6k, 5-6 dec', { budgetCents: 600_000, date: '2026-12-05' }],
    ['10k budget, 90 guests', { budgetCents: 1_000_000, guests: 90 }],
    ['over 5k', { minCents: 500_000 }],
    ['$5,000 - 5 December', { budgetCents: 500_000, date: '2026-12-05' }],
    ['budget 5000 - 4pm', { budgetCents: 500_000, from: '16:00' }],
    // Places
    ['in Byron Bay', { place: 'Byron Bay, NSW' }],
    ['Orange NSW', { place: 'Orange, NSW' }],
    ['near Richmond', { place: 'Richmond', near: true }],
    ['in Victoria', { place: 'VIC' }],
    ['near Victoria', { place: 'VIC' }],
    ['within 50 km of Geelong', { place: 'Geelong, VIC', near: 50 }],
    ['within 7km of Geelong', { place: 'Geelong, VIC', near: 10 }],
    ['within 300 kms of Geelong', { place: 'Geelong, VIC', near: 100 }],
    ['near Gelong', { place: 'Gelong', near: true }],
    ['near Gelong with a fireplace', { q: 'fireplace', place: 'Gelong', near: true }],
    ['braids in the garden in Bright', { q: 'braids in the garden', place: 'Bright, VIC' }],
    // Places without a preposition
    ['Geelong', { place: 'Geelong, VIC', near: true }],
    ['dj geelong', { category: 'Sounds & DJ', place: 'Geelong, VIC', near: true }],
    ['dj melbourne', { category: 'Sounds & DJ', place: 'Melbourne' }],
    ['near Melbourne', { place: 'Melbourne, VIC', near: true }],
    ['richmond melbourne', { place: 'Richmond, VIC', near: true }],
    ['Mornington Peninsula winery', { service: 'winery', place: 'Mornington Peninsula' }],
    ['marquee 3220', { service: 'marquee', place: 'Geelong, VIC', near: true }],
    ['in 3220', { place: 'Geelong, VIC', near: true }],
    ['dj near me', { category: 'Sounds & DJ', place: 'me', near: true }],
    ['nearby caterers', { category: 'Catering', place: 'me', near: true }],
    // Months and seasons. It is 20 November 2026.
    ['venue march', { category: 'Venues', months: { first: '2027-03', last: '2027-03' } }],
    ['november', { months: { first: '2026-11', last: '2026-11' } }],
    ['october', { months: { first: '2027-10', last: '2027-10' } }],
    ['in March 2028', { months: { first: '2028-03', last: '2028-03' } }],
    ['march or april', { months: { first: '2027-03', last: '2027-04' } }],
    ['december to february', { months: { first: '2026-12', last: '2027-02' } }],
    ['may wedding', { occasion: 'wedding', months: { first: '2027-05', last: '2027-05' } }],
    ['next autumn', { months: { first: '2027-03', last: '2027-05' } }],
    ['this spring', { months: { first: '2026-09', last: '2026-11' } }],
    ['next spring', { months: { first: '2027-09', last: '2027-11' } }],
    ['summer 2027', { months: { first: '2026-12', last: '2027-02' } }],
    ['summer 2027/28', { months: { first: '2027-12', last: '2028-02' } }],
    ['next month', { months: { first: '2026-12', last: '2026-12' } }],
    ['wedding 2027', { occasion: 'wedding', months: { first: '2027-01', last: '2027-12' } }],
    ['Saturdays in March', { weekday: 'Saturday', months: { first: '2027-03', last: '2027-03' } }],
    ['weekends in March', { weekday: 'weekend', months: { first: '2027-03', last: '2027-03' } }],
    ['venue summer hill', { category: 'Venues', place: 'Summer Hill, NSW', near: true }],
    // Weekdays
    ['dj saturday night', { category: 'Sounds & DJ', date: '2026-11-21' }],
    ['dj saturday night melbourne', { category: 'Sounds & DJ', date: '2026-11-21', place: 'Melbourne' }],
    // Categories, occasions and free text
    ['wedding venue', { category: 'Venues', occasion: 'wedding' }],
    ['dj for 40th birthday', { category: 'Sounds & DJ', occasion: 'birthday' }],
    ['christmas party', { occasion: 'end-of-year' }],
    // Two words for one occasion
    ['funeral wake venue', { category: 'Venues', occasion: 'memorial' }],
    ['funeral, wake, 14 March', { occasion: 'memorial', date: '2027-03-14' }],
    ['funeral wake flowers', { occasion: 'memorial', service: 'florist' }],
    ['wedding, wedding cake, 14 March', { occasion: 'wedding', service: 'cake', date: '2027-03-14' }],
    ['cheap marquee hire geelong', { service: 'marquee', place: 'Geelong, VIC', near: true }],
    [
      'wedding florist geelong',
      { occasion: 'wedding', service: 'florist', place: 'Geelong, VIC', near: true },
    ],
    ['wedding florist', { occasion: 'wedding', service: 'florist' }],
    ['woolshed', { service: 'barn' }],
    // The service of a category says it. Of another trade it stays a word.
    ['cake catering', { service: 'cake' }],
    [
      'winery wedding venue march',
      { service: 'winery', occasion: 'wedding', months: { first: '2027-03', last: '2027-03' } },
    ],
    [
      'photographer, cake, geelong',
      { category: 'Photographers', q: 'cake', place: 'Geelong, VIC', near: true },
    ],
    // More special words stay words, and a service may be part of a thing.
    ['jazz band geelong', { service: 'band', q: 'jazz', place: 'Geelong, VIC', near: true }],
    ['flower girl dress', { q: 'flower girl dress' }],
    ['marquee lining geelong', { q: 'marquee lining', place: 'Geelong, VIC', near: true }],
    ['bar hire geelong', { service: 'bar', place: 'Geelong, VIC', near: true }],
    ['venue near St Kilda', { category: 'Venues', place: 'St Kilda, VIC', near: true }],
    ['DJ, tomorrow', { category: 'Sounds & DJ', date: '2026-11-21' }],
    ['wedding, 14 March', { occasion: 'wedding', date: '2027-03-14' }],
    ['jazz trio for 90', { q: 'jazz trio', guests: 90 }],
    // Typed twice, the first counts, and the rest is not parsed again when the address is reloaded.
    ['hall, 14 March 2027 to 15 March 2027', { q: 'hall', date: '2027-03-14' }],
  ])('understands a single filter: %s', (query, wanted) => {
    expect(parse(query)).toEqual({ q: '', ...wanted })
  })

  it.each([
    ['Catering with drinks included', '?category=Catering'],
    ['cake, drinks included', '?service=cake'],
    ['halal food, DJ', '?category=Sounds+%26+DJ'],
    ['halal food, catering', '?category=Catering&diet=halal'],
    ['venue with drinks included', '?category=Venues&included=drinks'],
    ['wedding, drinks included', '?included=drinks&occasion=wedding'],
    ['drinks included', '?included=drinks'],
  ])('asks for no fact that none of its categories has: %s', (query, address) => {
    expect(searchHref('', parse(query))).toBe(address)
  })

  it.each([
    'garden party',
    'photographer',
    'orange',
    'The Back Verandah',
    'Level 12 Rooftop',
    '9 to 5 Films',
    'Under One Canopy',
    'Midnight Oil Catering',
    'Sunday Sessions',
    'Saturday Night Disco',
    "Today's Films",
    'Quartet at Four',
    'March of Time',
    'we may dance',
    'spring rolls',
    'warm in the sun',
    'Good Friday fish',
    'orange roses',
    'sound system',
    '31 February',
    '30-1 December',
    'up to 90',
    '2.5k',
    '5k fun run',
    '4k video',
    '1-2k people',
    '31/02/2027',
    '25:00',
    'in the garden',
    'hair for 6',
    "x'; drop table places; --",
    '$',
    '',
    '  ',
  ])('leaves text without a filter as words: %s', (query) => {
    expect(parse(query)).toEqual({ q: query.trim() })
  })

  it('looks up only places that the query may name', () => {
    expect(placesInQuery('a barn near Byron Bay, 90 guests')).toContain('Byron Bay')
    expect(placesInQuery('in the garden in Bright')).toContain('Bright')
    expect(placesInQuery('hall, Geelong, VIC')).toContain('Geelong, VIC')
    expect(placesInQuery('woolshed')).toEqual(['woolshed'])
    // An ordinary word is a place only with a preposition or a state.
    expect(placesInQuery('orange hall')).toEqual(['orange hall'])
    expect(placesInQuery('in a '.repeat(100)).length).toBeLessThanOrEqual(60)
  })

  it('never fails, and understands nothing more in the words that it leaves', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'grapheme', maxLength: 12 }),
            fc.constantFrom(
              '4 pm',
              'to',
              '-',
              '11',
              '14/3',
              '5-6',
              'March',
              'and',
              '2027',
              '90',
              'guests',
              'near',
              'in',
              'Geelong',
              '$',
              '8,000',
              '5-8k',
              '3k',
              'pp',
              'budget',
              'up to',
              'per',
              'person',
              ',',
              'Saturday',
              'VIC',
              'for',
              'constructor',
              '__proto__',
            ),
          ),
          { maxLength: 12 },
        ),
        (parts) => {
          const parsed = parse(parts.join(' '))
          const address = searchHref('', parsed)
          // Reloading the address parses nothing new, so there's no redirect loop.
          const again = readSearch(new URLSearchParams(address.slice(1)))
          expect(Object.keys(parse(again.q))).toEqual(['q'])
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it.each([
    'funeral wake venue',
    'wake, funeral, 14 March',
    'christmas staff party venue',
    'wedding birthday venue',
    'birthday wedding venue',
    'wedding, birthday, venue, 14 March',
    'corporate funeral wake venue',
    'dj catering wedding',
    'vegan birthday wedding venue',
  ])('reads the query that queryOf writes of %j as the same search', (text) => {
    const search = { ...NO_SEARCH, ...parse(text) }
    expect({ ...NO_SEARCH, ...parse(queryOf(search)) }).toEqual(search)
  })

  it('reads the query that queryOf writes of several occasions and trades as the same search', () => {
    const words = fc.constantFrom(
      ...[
        'wedding',
        'birthday',
        '40th birthday',
        'funeral',
        'christmas party',
        'engagement',
        'corporate event',
      ],
      ...['venue', 'wedding venue', 'dj', 'catering', 'photographer', 'wedding planner', 'hair'],
      ...[
        'cake',
        'florist',
        'winery',
        'vegan',
        'jazz',
        'for',
        'and',
        'near Geelong',
        '90 guests',
        '14 March',
        '4 pm',
        '$50 per person',
      ],
    )
    fc.assert(
      fc.property(
        fc.array(fc.tuple(words, fc.constantFrom(' ', ', ')), { minLength: 1, maxLength: 6 }),
        (parts) => {
          const search = { ...NO_SEARCH, ...parse(parts.flat().join('')) }
          const again = { ...NO_SEARCH, ...parse(queryOf(search)) }
          // An occasion beside words alone may be part of a name, so that line is words.
          const isOnlyWords = Object.entries(again).every(
            ([key, value]) => key === 'q' || value === NO_SEARCH[key as keyof Search],
          )
          if (!isOnlyWords) expect(again).toEqual(search)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('reads the query that queryOf writes as the same search', () => {
    const dates = fc
      .integer({ min: 0, max: 3_000 })
      .map((days) => new Date(Date.UTC(2026, 10, 20 + days)).toISOString().slice(0, 10))
    const times = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '15', '30'))
      .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`)
    const orNull = <T>(each: fc.Arbitrary<T>) => fc.option(each, { nil: null })
    fc.assert(
      fc.property(
        fc.record({
          q: fc.constantFrom('', 'jazz trio', 'long table under trees', 'vintage'),
          category: orNull(fc.constantFrom(...CATEGORIES)),
          occasion: orNull(fc.constantFrom(...OCCASIONS)),
          place: fc.constantFrom('', 'Geelong, VIC', 'Byron Bay, NSW', 'VIC'),
          date: orNull(dates),
          from: orNull(times),
          until: orNull(times),
          hours: orNull(fc.integer({ min: 1, max: 24 })),
          guests: orNull(fc.integer({ min: 1, max: 10_000 })),
          budgetCents: orNull(fc.integer({ min: 20_000, max: 99_999_999 })),
          minCents: orNull(fc.integer({ min: 1, max: 99_999_999 })),
          maxCents: orNull(fc.integer({ min: 1, max: 99_999_999 })),
          per: orNull(fc.constantFrom('perPerson' as const, 'perHour' as const)),
          near: fc.boolean(),
        }),
        (searchTerms) => {
          const known = { ...PLACES, 'byron bay nsw': 'Byron Bay, NSW' }
          // Only searches that an address can represent.
          const search: Search = readSearch(
            new URLSearchParams(
              searchHref('', {
                ...NO_SEARCH,
                ...searchTerms,
                near: searchTerms.near && searchTerms.place !== 'VIC',
              }).slice(1),
            ),
          )
          const { q, ...parts } = parseQuery(queryOf(search), {
            today: '2026-11-20',
            findPlace: (text) => (known as Record<string, string>)[text.toLowerCase()] ?? null,
          })
          const isOnlyWords = Object.keys(parts).length === 0
          if (!isOnlyWords) expect({ ...NO_SEARCH, ...parts, q }).toEqual(search)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
