/** Every pattern here is bounded by MAX_QUERY_LENGTH in app/features/search/limits.ts. */
import type { Cents, PriceUnit } from '../../shared/money.ts'
import { MAX_GUESTS, MAX_TOTAL_CENTS } from '../pricing/limits.ts'
import { firstOf, peopleWords, type Take } from './query-take-schema.ts'

// Guests: '90 guests', 'for 90', '80-100 people', 'party of 20'
const guestsCounted = new RegExp(
  String.raw`(?:\b(?:for|up to|about|around|approximately|approx\.?|roughly|some|max(?:imum)?|seats|seating)\s+)*(?<![\d.,$/:])(\d{1,3}(?:,\d{3})|\d{1,5})(?:\s*(?:-|to|or)\s*(\d{1,5}))?\s*(?:${peopleWords})\b(?!\s*\/)`,
  'i',
)
const guestsSeated = new RegExp(
  String.raw`\b(?:seated|seating|sit-?down)(?: (?:dinner|lunch|reception|meal))?(?: (?:for|of|capacity(?: of)?))? (\d{1,3}(?:,\d{3})|\d{1,5})(?: (?:${peopleWords}))?\b(?!\s*\/)|(?<![\d.,$/:])(\d{1,3}(?:,\d{3})|\d{1,5}) (?:(?:${peopleWords}) )?(?:seated|sitting|sit-?down)\b`,
  'i',
)
const guestsImplied =
  /\b(?:(?:party|group|table|crowd|guests?) of|guests?:?|standing(?: for)?)\s+(\d{1,5})\b|\bfor (?!20[2-4]\d\b|[0-3]?\d (?:to|until|till?|and|&) [0-3]?\d(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))(\d{2,5})\b(?!\s*(?:[-:/.]\s*\d|[ap]\.?m|h\b|hours?|hrs?|dollars|bucks|km|(?:st|nd|rd|th)\b|k\b|(?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))/i

/** Takes the number of guests. */
export function takeGuests(take: Take, found: { guests?: number | null; seated?: boolean }) {
  const use = (...counts: (string | undefined)[]) => {
    // '80 to 100 guests': there must be room for 100.
    const guests = Math.max(...counts.map((count) => Number((count ?? '0').replace(',', ''))))
    if (guests < 1 || guests > MAX_GUESTS) return false
    found.guests = guests
    return true
  }
  // 'seated 120', '120 guests seated', 'sit-down for 120'
  const seatedCount = (match: RegExpExecArray) => {
    const isTaken = use(match[1] ?? match[2])
    if (isTaken) found.seated = true
    return isTaken
  }
  if (take(guestsSeated, seatedCount)) return
  if (!take(guestsCounted, ([, one, other]) => use(one, other)))
    take(guestsImplied, ([, one, other]) => use(one, other))
}

// Money: 'up to $8,000', 'under 8k', 'budget 8000', '$50 to $120 per person', '$65pp', '5-8k'
/** '$65pp', '30 ph', '$65 p/p' */
const perShort = String.raw`p[/.]?[ph]\b`
const amount = String.raw`(\d{1,3}(?:,\d{3}){1,3}|\d{1,8})(?:\.(\d{1,2}))?\s*(k|thousand|grand)?(?:\b|(?=${perShort}))`
const dollarSign = String.raw`(?:au?d?\s?)?\$\s*`
const currency = String.raw`(?:\s*(?:dollars|bucks|aud))?`
const each = String.raw`(?:\s*(?:(?:\/|\bper|\ba|\ban)\s*(person|head|guest|pax|hour|hr|h)\b|\/?(${perShort}|\beach\b)\.?))?`
const asLimit = String.raw`(?:\s*(?:budget|max(?:imum)?|or less|in total|total|all in))?`
const atMost =
  '(?:up to|under|below|less than|no more than|not more than|at most|max(?:imum)?(?: of)?|within|cheaper than|(?:a |our |my )?budget(?: of| is|:)?(?: up to| about| around)?)'
const otherUnit = String.raw`\s*(?:km|kms|kilomet|hours?\b|hrs?\b|h\b|${peopleWords}|%|[ap]m\b|:)`
/** In '$5,000 - 5 December' and '$5,000 - 4 pm' the second number is no amount. */
const notDayOrTime = String.raw`(?!\d{1,2}(?:[/:]\d|\s*[ap]\.?m\b|(?:st|nd|rd|th)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))`
const moneyRange = new RegExp(
  String.raw`(?:\b(?:between|from|for|${atMost})\s+){0,2}(?:${dollarSign}|(?<![\w.,/:$-])(?=\d))${amount}${each}\s{0,3}(?:-|to|and)\s{0,3}(?:${dollarSign})?${notDayOrTime}${amount}${currency}${each}${asLimit}(?!${otherUnit})`,
  'i',
)
const moneyAtMost = new RegExp(
  String.raw`\b${atMost}\s+(?:${dollarSign})?${amount}${currency}${each}(?!${otherUnit}|[-/]\$?\d)`,
  'i',
)
const moneyAtLeast = new RegExp(
  String.raw`(?<!\bno |\bnot )\b(?:over|at least|more than|from|min(?:imum)?(?: of)?|above)\s+(?:${dollarSign}|(?=[\d.,]+\s*(?:(?:k|thousand|grand)\b|${perShort})))${amount}${currency}${each}(?!${otherUnit})`,
  'i',
)
const moneyBare = new RegExp(String.raw`(?:\bfor\s+)?${dollarSign}${amount}${currency}${each}${asLimit}`, 'i')
const moneyInWords = new RegExp(
  String.raw`(?<![\d.,/])${amount}\s*(?:dollars|bucks|aud|(?=${perShort})|(?<=(?:k|thousand|grand)\s*)(?=budget\b|max(?:imum)?\b|or less\b))${each}${asLimit}`,
  'i',
)

/** 'up to 90' without a currency may mean anything. From this amount on it can only be money. */
const LEAST_UNNAMED_CENTS: Cents = 20_000

/** The prices in a query. */
export type QueryPrice = Partial<{
  budgetCents: Cents | null
  minCents: Cents | null
  maxCents: Cents | null
  per: PriceUnit | null
}>

/** Takes the listed price, which names its unit ('per person'), then the total budget, which doesn't. */
export function takeMoney(take: Take, found: QueryPrice) {
  for (const isListed of [true, false]) {
    const saysUnit = (m: RegExpExecArray) => Boolean(m[4] || m[5] || m[9] || m[10]) === isListed
    const use = (m: RegExpExecArray, lowest: Cents | null, highest: Cents | null) => {
      const ends = [lowest, highest].filter((cents) => cents !== null)
      if (!ends.every((cents) => cents > 0 && cents <= MAX_TOTAL_CENTS)) return false
      if (isListed) {
        if (lowest !== null) found.minCents = lowest
        if (highest !== null) found.maxCents = highest
        setPer(m[4] ?? m[5] ?? m[9] ?? m[10])
      } else if (highest === null) found.minCents = lowest
      else found.budgetCents = highest
      return true
    }
    const setPer = (unit = '') => {
      const name = unit.toLowerCase().replace(/[/.]/g, '')
      if (name !== 'each') found.per = ['hour', 'hr', 'h', 'ph'].includes(name) ? 'perHour' : 'perPerson'
    }
    const isTaken =
      take(
        firstOf(moneyRange, (m) => saysUnit(m) && isMoneyRange(m)),
        (m) => {
          const ends = endsOf(m)
          return use(m, Math.min(...ends), Math.max(...ends))
        },
      ) ||
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

/** '5 to 8' may be days or hours. A range of money has a sign, thousands, a unit, or 'budget' and a large amount. */
function isMoneyRange(m: RegExpExecArray): boolean {
  const isNamed = m[3] || m[8] || m[4] || m[9] || /\$|dollars|bucks|aud|p[/.]?[ph]\b/i.test(m[0])
  return Boolean(isNamed) || (/budget/i.test(m[0]) && Math.max(...endsOf(m)) >= LEAST_UNNAMED_CENTS)
}

function endsOf(m: RegExpExecArray): Cents[] {
  const to = toCents(m[6], m[7], m[8])
  // '$5 to 8k': both are thousands. '$800 to 2k': only the second is.
  const from = toCents(m[1], m[2], m[3] ?? m[8])
  return [from > to ? toCents(m[1], m[2], m[3]) : from, to]
}

function toCents(whole = '', rest = '', thousands = ''): Cents {
  return (Number(whole.replaceAll(',', '')) * 100 + Number(rest.padEnd(2, '0'))) * (thousands ? 1_000 : 1)
}
