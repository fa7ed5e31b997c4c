import { addDays, isLocalDate, isLocalTime, type LocalDate, type LocalTime } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { CATEGORIES, type Category, OCCASIONS, type Occasion } from '../businesses/rules.ts'
import { parsePlaceText, STATES, stateNames } from '../places/rules.ts'
import { MAX_GUESTS, MAX_HOURS, MAX_LINE_LENGTH } from './limits.ts'
import { MAX_BUDGET_CENTS, MAX_PLACE_LENGTH, type Search, tidy, WEEKDAYS, weekdayOf } from './schema.ts'

/** What is left of a line as words. */
const MAX_REST_LENGTH = 100

/** What a line of text was understood to ask for; what was not understood is in `q`. */
export type Line = Partial<Omit<Search, 'sort' | 'after' | 'before'>> & { q: string }

/**
 * What the parser has to know beside the text.
 * today: where the visitor is likely to be; a day without a year is the next one from then
 * findPlace: the name of the place or state that a text means, or null; it must know whole names only
 */
export type LineContext = { today: LocalDate; findPlace: (text: string) => string | null }

/** The names that `findPlace` will be asked for: what stands after a word such as 'near', cut at every word. */
export function placesInLine(text: string): string[] {
  const line = tidyLine(text)
  const introduced = [...line.matchAll(new RegExp(String.raw`\b(?:${nearWords}|in|at)\s+`, 'gi'))].flatMap(
    (match) =>
      startsOf(/^[^,;]*(?:,\s*\w{2,3}\b)?/.exec(line.slice(match.index + match[0].length))?.[0] ?? ''),
  )
  const pieces = line.split(',').map((piece) => piece.trim())
  const named = pieces.flatMap((piece, index) => [piece, `${pieces[index - 1] ?? ''}, ${piece}`])
  return [...new Set([...introduced, ...named.filter(namesState)])].slice(0, MAX_NAMES)
}

/**
 * Takes a line apart that asks for what, where and when, such as 'garden venue, Saturday 14 March 2027, 4 pm to 11 pm,
 * 90 guests, near Geelong, up to $8,000', in any order and many spellings; days are Australian (14/3 is in March).
 * Nothing is ever refused: what is not understood stays in `q`, to be looked for as words.
 */
export function parseLine(text: string, context: LineContext): Line {
  const found: Line = { q: '' }
  let rest = tidyLine(text)
  const take: Take = (pattern, use) => {
    const match = pattern.exec(rest)
    const made = match && use(match)
    if (!match || made === false || made === null) return false
    rest = `${rest.slice(0, match.index)} , ${made === true ? '' : made} , ${rest.slice(match.index + match[0].length)}`
    return true
  }
  takeGuests(take, found)
  takeMoney(take, found)
  takeTimes(take, found)
  takeDate(take, found, context.today)
  takePlace(take, found, context)
  const isStructured = Object.keys(found).length > 1
  if (!isStructured) return { q: tidy(text, MAX_LINE_LENGTH) }
  const pieces = rest.split(',').map(trimFillers).filter(Boolean)
  found.q = tidy(pieces.filter((piece) => !takeWhole(piece, found)).join(' '), MAX_REST_LENGTH)
  // Of what was said twice the first counts; the rest must not be understood anew when the address is read again.
  if (found.q) found.q = parseLine(found.q, context).q
  return found
}

/**
 * Takes the first match out of the text, if `use` makes something of it: true, or what of the match is to stay.
 * @returns whether it did
 */
type Take = (pattern: Pattern, use: (match: RegExpExecArray) => boolean | string) => boolean
type Pattern = { exec(text: string): RegExpExecArray | null }

function tidyLine(text: string): string {
  return tidy(text, MAX_LINE_LENGTH)
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018\u2019]/g, "'")
}

const fillers =
  /^(?:(?:a|an|the|for|on|at|in|with|and|from|by|of|to|is|we|i|are|need|want|looking|please|our|my|near|around|-|;|\.)\s+)+|(?:\s+(?:a|an|the|for|on|at|in|with|and|from|by|of|to|is|near|around|-|;|\.))+$/gi
const onlyFiller =
  /^(?:a|an|the|for|on|at|in|with|and|from|by|of|to|is|we|i|are|need|want|near|around|morning|afternoon|evening|night|[-;.:!?]+)$/i

function trimFillers(piece: string): string {
  const trimmed = piece.trim().replace(fillers, '').trim()
  return onlyFiller.test(trimmed) ? '' : trimmed
}

// Guests: '90 guests', 'for 90', '80-100 people', 'party of 20'
const someone = '(?:guests?|people|ppl|pax|persons?|heads?|attendees|adults|seats|seated|of us)'
const guestsCounted = new RegExp(
  String.raw`(?:\b(?:for|up to|about|around|approximately|approx\.?|roughly|some|max(?:imum)?|seats|seating)\s+)*(?<![\d.,$/:])(\d{1,3}(?:,\d{3})|\d{1,5})(?:\s*(?:-|to|or)\s*(\d{1,5}))?\s*(?:${someone})\b(?!\s*\/)`,
  'i',
)
const guestsImplied =
  /\b(?:(?:party|group|table|crowd|guests?) of|guests?:?)\s+(\d{1,5})\b|\bfor (\d{2,5})\b(?!\s*(?:[-:/.]\s*\d|[ap]\.?m|h\b|hours?|hrs?|dollars|bucks|km|(?:st|nd|rd|th)\b|k\b|(?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))/i

function takeGuests(take: Take, found: Line) {
  const use = (...counts: (string | undefined)[]) => {
    // '80 to 100 guests': there must be room for all who may come.
    const guests = Math.max(...counts.map((count) => Number((count ?? '0').replace(',', ''))))
    if (guests < 1 || guests > MAX_GUESTS) return false
    found.guests = guests
    return true
  }
  if (!take(guestsCounted, ([, one, other]) => use(one, other)))
    take(guestsImplied, ([, one, other]) => use(one, other))
}

// Money: 'up to $8,000', 'under 8k', 'budget 8000', '$50 to $120 per person'
const amount = String.raw`(\d{1,3}(?:,\d{3})+|\d{1,8})(?:\.(\d{1,2}))?\s*(k|thousand|grand)?\b`
const dollarSign = String.raw`(?:au?d?\s?)?\$\s*`
const currency = String.raw`(?:\s*(?:dollars|bucks|aud))?`
const each = String.raw`(?:\s*(?:(?:\/|\bper|\ba|\ban)\s*(person|head|guest|pax|hour|hr|h)\b|\b(pp|ph|each)\b))?`
const atMost =
  '(?:up to|under|below|less than|no more than|not more than|at most|max(?:imum)?(?: of)?|within|cheaper than|(?:a |our |my )?budget(?: of| is|:)?(?: up to| about| around)?)'
const moneyRange = new RegExp(
  String.raw`(?:\b(?:between|from|for)\s+)?${dollarSign}${amount}${each}\s*(?:-|to|and)\s*(?:${dollarSign})?${amount}${currency}${each}`,
  'i',
)
const moneyAtMost = new RegExp(
  String.raw`\b${atMost}\s+(?:${dollarSign})?${amount}${currency}${each}(?!\s*(?:km|kms|kilomet|hours?\b|hrs?\b|h\b|${someone}|%|[ap]m\b|:))`,
  'i',
)
const moneyAtLeast = new RegExp(
  String.raw`(?<!\bno |\bnot )\b(?:over|at least|more than|from|min(?:imum)?(?: of)?|above)\s+${dollarSign}${amount}${currency}${each}`,
  'i',
)
const moneyBare = new RegExp(
  String.raw`(?:\bfor\s+)?${dollarSign}${amount}${currency}${each}(?:\s*(?:budget|max(?:imum)?|or less|in total|total|all in))?`,
  'i',
)
const moneyInWords = new RegExp(
  String.raw`(?<![\d.,/])${amount}\s*(?:dollars|bucks|aud)${each}(?:\s*(?:budget|max(?:imum)?|or less|in total|total|all in))?`,
  'i',
)

/** 'up to 90' without a dollar may be anything; from here on it can only be money. */
const LEAST_UNNAMED_CENTS: Cents = 20_000

/** First the listed price, which says for what it is ('per person'), then what all of it may cost, which does not. */
function takeMoney(take: Take, found: Line) {
  for (const isListed of [true, false]) {
    const saysUnit = (m: RegExpExecArray) => Boolean(m[4] || m[5] || m[9] || m[10]) === isListed
    const use = (m: RegExpExecArray, lowest: Cents | null, highest: Cents | null) => {
      const ends = [lowest, highest].filter((cents) => cents !== null)
      if (!ends.every((cents) => cents > 0 && cents <= MAX_BUDGET_CENTS)) return false
      if (isListed) {
        if (lowest !== null) found.minCents = lowest
        if (highest !== null) found.maxCents = highest
        setPer(m[4] ?? m[5] ?? m[9] ?? m[10])
      } else if (highest === null) found.minCents = lowest
      else found.budgetCents = highest
      return true
    }
    const setPer = (unit = '') => {
      const name = unit.toLowerCase()
      if (name !== 'each') found.per = ['hour', 'hr', 'h', 'ph'].includes(name) ? 'perHour' : 'perPerson'
    }
    const isTaken =
      take(firstOf(moneyRange, saysUnit), (m) => {
        // '$5 to 8k': both in thousands.
        const ends = [toCents(m[1], m[2], m[3] ?? m[8]), toCents(m[6], m[7], m[8])]
        return use(m, Math.min(...ends), Math.max(...ends))
      }) ||
      take(firstOf(moneyAtLeast, saysUnit), (m) => use(m, toCents(m[1], m[2], m[3]), null)) ||
      [moneyAtMost, moneyBare, moneyInWords].some((pattern) =>
        take(firstOf(pattern, saysUnit), (m) => {
          const cents = toCents(m[1], m[2], m[3])
          const isNamed = isListed || /[$k]|dollars|bucks|aud|budget/i.test(m[0])
          return (isNamed || cents >= LEAST_UNNAMED_CENTS) && use(m, null, cents)
        }),
      )
    if (isListed && !isTaken) {
      take(/\bper (person|hour)\b/i, (m) => {
        setPer(m[1])
        return true
      })
    }
  }
}

function toCents(whole = '', rest = '', thousands = ''): Cents {
  return (Number(whole.replaceAll(',', '')) * 100 + Number(rest.padEnd(2, '0'))) * (thousands ? 1_000 : 1)
}

// Times: '4 pm to 11 pm', '4-11pm', '16:00-23:00', 'from noon till midnight', '4pm for 7 hours'
const clock = String.raw`(?:(\d{1,2})(?:[:.](\d{2}))?(?:\s*([ap])\.?m\b\.?)?|\b(noon|midday|midnight)\b)`
const timeRange = new RegExp(
  String.raw`(?:\b(?:from|between|at)\s+)?(?<![\d$/.,:-])${clock}\s*(?:-|\bto\b|\buntil\b|\btill?\b|\band\b)\s*${clock}(?![\d/:]|\s*(?:km|hours?|hrs?|${someone}))`,
  'gi',
)
const timeAlone =
  /(?:\b(?:from|at|after|starting(?: at)?)\s+)?(?<![\d$/.,:-])(?:(\d{1,2})(?:[:.](\d{2}))?\s*([ap])\.?m\b\.?|([01]?\d|2[0-3]):([0-5]\d))(?![\d/])|\b(?:from|at)\s+(noon|midday|midnight)\b/i
const duration = /(?:\bfor\s+)?(?<![\d.,$/:])(\d{1,2})(?:\.(\d))?\s*-?(?:hours?|hrs?|h)\b/i

const NAMED_TIMES: Record<string, string> = { noon: '12:00', midday: '12:00', midnight: '00:00' }

function takeTimes(take: Take, found: Line) {
  const isRange = take(firstOf(timeRange, isClockRange), (m) => {
    const ends = readRange(m)
    if (!ends) return false
    Object.assign(found, ends)
    return true
  })
  if (!isRange) {
    take(timeAlone, (m) => {
      const time = m[6]
        ? NAMED_TIMES[m[6].toLowerCase()]
        : m[4]
          ? toTime(Number(m[4]), Number(m[5]))
          : onTheClock(Number(m[1]), Number(m[2] ?? 0), m[3])
      if (!time) return false
      found.from = time
      return true
    })
  }
  take(duration, (m) => {
    const hours = Number(m[1]) + (Number(m[2] ?? 0) > 0 ? 1 : 0)
    if (hours < 1 || hours > MAX_HOURS || found.until) return false
    found.hours = hours
    return true
  })
}

/** A pattern that finds the first match which also passes a test, as `take` needs it. */
function firstOf(pattern: RegExp, passes: (match: RegExpExecArray) => boolean): Pattern {
  return {
    exec(text) {
      // Each try begins one letter after the last: a match that fails may hide one inside it.
      const search = new RegExp(pattern.source, 'gi')
      for (let match = search.exec(text); match; match = search.exec(text)) {
        if (passes(match)) return match
        search.lastIndex = match.index + 1
      }
      return null
    },
  }
}

/** '10 to 12' alone may be anything: a range of times says so by am or pm, a colon or a word. */
function isClockRange(m: RegExpExecArray): boolean {
  return Boolean(m[3] || m[7] || m[4] || m[8] || (m[0].includes(':') && (m[2] || m[6])))
}

/** Both ends of a range, where one may lend the other its am or pm; of what is possible, the shortest. */
function readRange(m: RegExpExecArray): { from: LocalTime; until: LocalTime } | null {
  const froms = possibleTimes(m[4], m[1], m[2], m[3])
  const untils = possibleTimes(m[8], m[5], m[6], m[7])
  let best: { from: LocalTime; until: LocalTime; minutes: number } | null = null
  for (const from of froms) {
    for (const until of untils) {
      const minutes = (minutesOf(until) - minutesOf(from) + 24 * 60) % (24 * 60)
      // '4:00-11:00' is an afternoon, since few celebrate at four in the morning.
      const isEarly = !m[3] && !m[7] && !m[4] && minutesOf(from) < 7 * 60 && froms.length > 1
      if (minutes > 0 && !isEarly && (!best || minutes < best.minutes)) best = { from, until, minutes }
    }
  }
  return best && { from: best.from, until: best.until }
}

function minutesOf(time: LocalTime): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

function possibleTimes(named?: string, hour?: string, minute = '0', half?: string): LocalTime[] {
  if (named) return [NAMED_TIMES[named.toLowerCase()] ?? '12:00']
  const [h, m] = [Number(hour), Number(minute)]
  if (half) return [onTheClock(h, m, half)].filter((time) => time !== null)
  // Written in full, '09:00' and '16:00' are of the day's 24 hours; '9' may be either half.
  if (h === 0 || h > 12 || hour?.startsWith('0')) return [toTime(h, m)].filter((time) => time !== null)
  return [onTheClock(h, m, 'a'), onTheClock(h, m, 'p')].filter((time) => time !== null)
}

function onTheClock(hour: number, minute: number, half: string | undefined): LocalTime | null {
  if (hour < 1 || hour > 12) return null
  return toTime((hour % 12) + (half?.toLowerCase() === 'p' ? 12 : 0), minute)
}

function toTime(hour: number, minute: number): LocalTime | null {
  const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  return isLocalTime(time) ? time : null
}

// Days: '14 March 2027', 'Sat 14/3/27', 'March 14th', '2027-03-14', 'next Saturday', 'tomorrow', 'New Year's Eve'
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekday = String.raw`(sun|mon|tue|wed|thu|fri|sat)(?:s|nes|rs|ur)?(?:day)?\.?`
const month = String.raw`(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`
const dayBefore = String.raw`(?:\bon\s+)?(?:\b${weekday},?\s+)?(?:the\s+)?(?<![\d$/.:-])`
const year = String.raw`(?:,?[\s'-]*(20\d{2}|2\d|3\d)(?![\d:.]|\s*[ap]\.?m\b))?`
const dayAndMonth = new RegExp(
  String.raw`${dayBefore}(\d{1,2})(?:st|nd|rd|th)?(?:\s+of)?[\s-]*${month}\b${year}`,
  'i',
)
const monthAndDay = new RegExp(
  String.raw`(?:\bon\s+)?(?:\b${weekday},?\s+)?\b${month}\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?\b(?![:.]\d|\s*[ap]\.?m\b)${year}`,
  'i',
)
const dayInNumbers = new RegExp(
  String.raw`${dayBefore}(\d{1,2})([/.-])(\d{1,2})(?:\3(20\d{2}|\d{2}))?(?![\d/:]|\s*[ap]\.?m\b)`,
  'i',
)
const dayInIso = new RegExp(String.raw`${dayBefore}(\d{4})-(\d{2})-(\d{2})(?!\d)`, 'i')
const namedDays: readonly (readonly [RegExp, number, number])[] = [
  [/\b(?:on\s+)?(?:new year'?s eve|nye)\b/i, 12, 31],
  [/\b(?:on\s+)?new year'?s day\b/i, 1, 1],
  [/\b(?:on\s+)?australia day\b/i, 1, 26],
  [/\b(?:on\s+)?valentine'?s day\b/i, 2, 14],
  [/\b(?:on\s+)?christmas eve\b/i, 12, 24],
  [/\b(?:on\s+)?christmas day\b/i, 12, 25],
  [/\b(?:on\s+)?boxing day\b/i, 12, 26],
]
const dayFromToday = /\b(today|tonight|tomorrow)\b(?!')/i
const weekdayFromToday = new RegExp(
  String.raw`\b(?:on|this|this coming|next|coming)\s+(?:${weekday}|(weekend))(?![\w'])(?:\s+(?:morning|afternoon|evening|night))?`,
  'i',
)
const weekdayAlone = new RegExp(
  String.raw`(?:^|,)\s*${weekday}(?:\s+(?:morning|afternoon|evening|night))?\s*(?=,|$)`,
  'i',
)

function takeDate(take: Take, found: Line, today: LocalDate) {
  const use = (parts: {
    weekday?: string | undefined
    day: number
    month: number
    year?: string | undefined
  }) => {
    const date = dayOf(parts, today)
    if (!date) return false
    found.date = date
    const written = WEEKDAYS.find((name) => name.slice(0, 3).toLowerCase() === parts.weekday?.toLowerCase())
    if (written && written !== weekdayOf(date)) found.weekday = written
    return true
  }
  const monthNamed = (name = '') => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1
  if (
    take(dayInIso, (m) => use({ weekday: m[1], year: m[2], month: Number(m[3]), day: Number(m[4]) })) ||
    take(dayAndMonth, (m) =>
      use({ weekday: m[1], day: Number(m[2]), month: monthNamed(m[3]), year: m[4] }),
    ) ||
    take(monthAndDay, (m) =>
      use({ weekday: m[1], month: monthNamed(m[2]), day: Number(m[3]), year: m[4] }),
    ) ||
    take(dayInNumbers, (m) => use({ weekday: m[1], day: Number(m[2]), month: Number(m[4]), year: m[5] })) ||
    namedDays.some(([pattern, month, day]) => take(pattern, () => use({ month, day })))
  )
    return
  const on = (date: LocalDate) => {
    found.date = date
    return true
  }
  if (take(dayFromToday, (m) => on(addDays(today, m[1]?.toLowerCase() === 'tomorrow' ? 1 : 0)))) return
  const nextNamed = (name: string | undefined) =>
    on(
      nextWeekday(
        today,
        name ? WEEKDAYS.findIndex((day) => day.slice(0, 3).toLowerCase() === name.toLowerCase()) : 6,
      ),
    )
  if (take(weekdayFromToday, (m) => nextNamed(m[1]))) return
  take(weekdayAlone, (m) => nextNamed(m[1]))
}

/** A day of the calendar; without a year the next one from today, and a year of two digits is of this century. */
function dayOf(
  parts: { day: number; month: number; year?: string | undefined },
  today: LocalDate,
): LocalDate | null {
  const write = (inYear: number) =>
    `${inYear}-${String(parts.month).padStart(2, '0')}-${String(parts.day).padStart(2, '0')}`
  if (parts.year) {
    const date = write(Number(parts.year) + (parts.year.length === 2 ? 2_000 : 0))
    return isLocalDate(date) ? date : null
  }
  const thisYear = Number(today.slice(0, 4))
  // 29 February may be years away.
  for (let inYear = thisYear; inYear <= thisYear + 8; inYear++) {
    const date = write(inYear)
    if (isLocalDate(date) && date >= today) return date
  }
  return null
}

/** The next one, today included: who writes 'Saturday' on a Saturday morning may mean tonight. */
function nextWeekday(today: LocalDate, index: number): LocalDate {
  const ahead = (index - new Date(`${today}T00:00:00Z`).getUTCDay() + 7) % 7
  return addDays(today, ahead)
}

// Places: 'near Geelong VIC', 'within 25 km of Perth', 'in Byron Bay'
const MAX_PLACE_WORDS = 6
const MAX_NAMES = 60
const nearWords = String.raw`near(?:by)?(?: to)?|around|close to|not far from|within \d{1,3}\s*(?:km|kms|kilomet(?:re|er)s?)(?: of| from)?`
const placePhrase = String.raw`\s+((?:the\s+)?[^\d\s,;$][^,;$]*(?:,\s*(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT)\b)?)`
const nearPlace = new RegExp(String.raw`\b(?:${nearWords})${placePhrase}`, 'i')
const inPlace = new RegExp(String.raw`\b(?:in|at)${placePhrase}`, 'i')
const phraseEnd = /\s(?:in|at|on|for|with|from|and|who|that)\s.*/i

/** The text from its beginning to the end of each word, the longest first. */
function startsOf(phrase: string): string[] {
  const words = phrase.trim().split(/\s+/).slice(0, MAX_PLACE_WORDS)
  return words.map((_, index) =>
    words
      .slice(0, words.length - index)
      .join(' ')
      .replace(/,$/, ''),
  )
}

function takePlace(take: Take, found: Line, { findPlace }: LineContext) {
  const known = (phrase = '') => startsOf(phrase).find((start) => findPlace(start) !== null)
  const use = (match: RegExpExecArray) => {
    const phrase = (match[1] ?? '').trim()
    const name = known(phrase)
    // After 'near' it is a place even if we do not know it: then the page can say so.
    const place = name
      ? findPlace(name)
      : trimFillers(phrase.replace(phraseEnd, '').slice(0, MAX_PLACE_LENGTH))
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
  // There is no 'near' of a whole state.
  if (STATES.some((state) => state === found.place)) delete found.near
}

/** 'Geelong VIC' or 'Geelong, Victoria' between commas: with its state a name can only be a place. */
const placeWithState = new RegExp(
  String.raw`(?:^|,)\s*([^\d\s,;$][^,;$]*?(?:,\s*|\s+)(?:${[...STATES, ...Object.values(stateNames)].join('|')}))\s*(?=,|$)`,
  'i',
)

function namesState(text: string): boolean {
  return parsePlaceText(text).state !== null
}

// What a piece between commas may be as a whole -------------------------------------------------------------------

/** Words that mean a category when they stand alone, beside the category's own name. */
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

function takeWhole(piece: string, found: Line): boolean {
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
