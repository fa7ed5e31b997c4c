import { addDays, type LocalDate, type LocalTime, wallTimeAt, wallTimeToUtc } from '../../app/shared/dates.ts'
import type { PriceUnit } from '../../app/shared/money.ts'
import { DAY_MS, HOUR_MS } from '../../app/shared/time-units.ts'
import { type Random, randomFrom } from '../illustrations/random.ts'
import { demoBusinesses } from './businesses.ts'
import { demoBlocks } from './calendars.ts'
import { DEMO_VENDOR_KEY } from './owners.ts'
import {
  inventPeople,
  OWN_REVIEWS,
  type PastPerson,
  PHOTOGRAPHY_REVIEWS,
  VENUE_REVIEWS,
} from './past-people.ts'

/** What happens to one booking of the demo's past, and when. Only what lies in the past is done. */
export type PastBooking = {
  /** The submit key of its payment, by which a restart finds it. */
  key: string
  businessId: string
  /** The owner's key in `demoOwners`. */
  ownerKey: string
  customer: PastPerson
  date: LocalDate
  time: LocalTime
  quantity: number
  bookingType: PriceUnit
  bookedAt: Date
  /** The vendor's answer; null if they never answer. */
  answer: { at: Date; decision: 'approved' | 'declined' } | null
  /** How it ends before its event: 'called off' is by the vendor. */
  end: { at: Date; how: 'withdrawn' | 'cancelled' | 'called off' } | null
  review: { at: Date; rating: number; body: string; isPublished: boolean } | null
  /** What goes wrong with its money, for the operators' list 'Do first'. */
  trouble?: { at: Date; kind: DemoTrouble }
}

/** Trouble with a booking's money: its bank disputes the charge or sends the refund back, or its vendor can't be paid. */
export type DemoTrouble = 'disputed' | 'refund came back' | 'vendor paused' | 'payout came back'

/** Where the demo vendor's listings are. */
export const DEMO_ZONE = 'Australia/Melbourne'
const VENUE = 'harbour-light-pavilion'
const PHOTOGRAPHER = 'okafor-and-daughters'
const SATURDAY = 6
/** A year of events, and some weeks before it for their payments. */
const FIRST_WEEK = -60
const LAST_WEEK = 30
/** What is nearer to the present is written one by one. */
const INVENTED_UNTIL_DAYS = 3
/** Days on which visitors and the demo's conversations book (conversations.ts). */
const KEPT_FREE = { from: 135, to: 165 }
const PEOPLE = 200
/** Between a customer's signing up and their first booking. */
const ACCOUNT_BEFORE_BOOKING_MS = HOUR_MS

/** How popular an event is in each month, from January: Australia marries in spring and autumn. */
const SEASON = [0.6, 0.8, 1, 0.85, 0.5, 0.3, 0.25, 0.35, 0.65, 0.95, 1, 0.9] as const

type Weekday = { offset: number; chance: number }
type Listing = {
  id: string
  days: readonly Weekday[]
  times: readonly [LocalTime, ...LocalTime[]]
  quantities: readonly [number, ...number[]]
  reviews: typeof VENUE_REVIEWS
}

const LISTINGS: readonly Listing[] = [
  {
    id: VENUE,
    // From Saturday: the day itself, then Friday and Sunday.
    days: [
      { offset: 0, chance: 0.95 },
      { offset: -1, chance: 0.6 },
      { offset: 1, chance: 0.6 },
    ],
    times: ['15:00', '16:00', '16:00', '17:00', '17:30'],
    quantities: [40, 55, 60, 70, 75, 80, 90, 95, 100, 110, 120, 140],
    reviews: VENUE_REVIEWS,
  },
  {
    id: PHOTOGRAPHER,
    days: [
      { offset: 0, chance: 0.8 },
      { offset: 1, chance: 0.45 },
    ],
    times: ['09:30', '10:00', '11:00', '13:00', '14:00'],
    quantities: [4, 5, 6, 6, 8, 8, 9],
    reviews: PHOTOGRAPHY_REVIEWS,
  },
]

/** What becomes of a booking of the past, dealt in this order so that every state is there. */
const FATES = [
  ...['kept', 'kept', 'kept', 'withdrawn', 'kept', 'kept', 'kept', 'declined', 'kept', 'kept', 'kept'],
  ...[
    'cancelled',
    'kept',
    'kept',
    'kept',
    'kept',
    'unanswered',
    'kept',
    'kept',
    'kept',
    'called off',
    'kept',
  ],
] as const
type Fate = (typeof FATES)[number]

/**
 * Plans the demo's past: a year of the demo vendor's bookings with a season in it, what waits now, and the bookings of the
 * demo's customer. The same for everybody who starts on one day; only what is hours ago is counted from the hour.
 * @param now when the demo begins
 * @param customer the demo's customer
 * @returns both parts in the order in which their bookings were made: `recent` is what a visitor looks for first
 */
export function planPast(now: Date, customer: PastPerson): { recent: PastBooking[]; year: PastBooking[] } {
  const { date: today } = wallTimeAt(now, DEMO_ZONE)
  const people = inventPeople(today, PEOPLE)
  const nextPerson = () => {
    const person = people.shift()
    if (!person) throw new Error('The demo’s past needs more people.')
    return person
  }
  const days = freeDays(today)
  const year = callOffOne(LISTINGS.flatMap((listing) => planListing(listing, { today, days, nextPerson })))
  const recent = planRecent({ now, today, days, nextPerson, customer })
  const own = planOwn({ now, today, days, customer })
  const troubled = planTroubled({ now, today, nextPerson })
  const byTime = (one: PastBooking, other: PastBooking) => one.bookedAt.getTime() - other.bookedAt.getTime()
  return { recent: [...recent, ...own].sort(byTime), year: [...year, ...troubled].sort(byTime) }
}

/** Keeps all but the last that the vendor called off: from the second on, the listing's page tells every visitor. */
function callOffOne(bookings: readonly PastBooking[]): PastBooking[] {
  const last = bookings.findLast(({ end }) => end?.how === 'called off')
  return bookings.map((booking) =>
    booking.end?.how === 'called off' && booking !== last ? { ...booking, end: null } : booking,
  )
}

/**
 * The accounts that invented customers of the past have, opened shortly before they first book.
 * @param plan as `planPast` returns it for `customer`
 */
export function pastAccounts(
  { recent, year }: ReturnType<typeof planPast>,
  customer: PastPerson,
): (PastPerson & { userId: string; openedAt: Date })[] {
  // Each of them books once.
  return [...recent, ...year].flatMap(({ customer: { userId, ...person }, bookedAt }) =>
    userId === null || userId === customer.userId
      ? []
      : { userId, ...person, openedAt: new Date(bookedAt.getTime() - ACCOUNT_BEFORE_BOOKING_MS) },
  )
}

type Days = ReturnType<typeof freeDays>

/** The days that listings still have free. */
function freeDays(today: LocalDate) {
  const taken = new Map<string, Set<LocalDate>>()
  const takenBy = (businessId: string) => {
    const known = taken.get(businessId)
    if (known) return known
    const days = new Set<LocalDate>()
    for (const { from, to } of demoBlocks(businessId, today)) {
      // From the day before, since a party lasts beyond midnight.
      for (let day = addDays(from, -1); day <= to; day = addDays(day, 1)) days.add(day)
    }
    taken.set(businessId, days)
    return days
  }
  const take = (businessId: string, day: LocalDate): boolean => {
    const days = takenBy(businessId)
    const ahead = daysFrom(today, day)
    if (days.has(day) || (ahead >= KEPT_FREE.from && ahead <= KEPT_FREE.to)) return false
    days.add(day)
    return true
  }
  return {
    take,
    /** Takes the first free day of a weekday from so many days ahead. */
    takeNext(businessId: string, daysAhead: number, weekday: number): LocalDate {
      let day = nextWeekday(addDays(today, daysAhead), weekday)
      while (!take(businessId, day)) day = addDays(day, 7)
      return day
    },
  }
}

const weekdayOf = (day: LocalDate) => new Date(`${day}T00:00:00Z`).getUTCDay()
const nextWeekday = (day: LocalDate, weekday: number) => addDays(day, (weekday - weekdayOf(day) + 7) % 7)
const daysFrom = (from: LocalDate, to: LocalDate) =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)
const at = (day: LocalDate, random: Random) =>
  new Date(wallTimeToUtc(day, '07:30', DEMO_ZONE).getTime() + random.int(0, 14 * 60) * 60_000)
const hoursAfter = (time: Date, hours: number) => new Date(time.getTime() + hours * HOUR_MS)

type Making = { today: LocalDate; days: Days; nextPerson: () => PastPerson }

function planListing(listing: Listing, { today, days, nextPerson }: Making): PastBooking[] {
  const random = randomFrom(`past-${listing.id}-${today}`)
  const saturday = nextWeekday(today, SATURDAY)
  const bookings: PastBooking[] = []
  for (let week = FIRST_WEEK; week <= LAST_WEEK; week++) {
    for (const { offset, chance } of listing.days) {
      const date = addDays(saturday, week * 7 + offset)
      const season = SEASON[Number(date.slice(5, 7)) - 1] ?? 0
      // The business grows: a year ago it had three quarters of today's bookings.
      const growth = 1 + (0.25 * Math.min(week, 0)) / 52
      // Drawn whether or not the day is used, so that one day's blocks don't change all others.
      const isBooked = random.chance(chance * season * growth)
      const leadDays = Math.round(13 + 130 * random.next() ** 1.6)
      const bookedOn = addDays(date, -leadDays)
      const drawn = {
        time: random.pick(listing.times),
        quantity: random.pick(listing.quantities),
        bookedAt: at(bookedOn, random),
        hours: random.range(0.4, 30),
        endDays: random.range(0.15, 0.6),
      }
      if (!isBooked || daysFrom(bookedOn, today) < INVENTED_UNTIL_DAYS || !days.take(listing.id, date))
        continue
      const fate = FATES[bookings.length % FATES.length] ?? 'kept'
      bookings.push({
        ...madeOf(listing.id, date),
        customer: nextPerson(),
        time: drawn.time,
        quantity: drawn.quantity,
        bookedAt: drawn.bookedAt,
        ...lifeOf(fate, drawn, leadDays),
      })
    }
  }
  return addReviews(bookings, listing, today)
}

/** What follows a booking by its fate. */
function lifeOf(
  fate: Fate,
  { bookedAt, hours, endDays }: { bookedAt: Date; hours: number; endDays: number },
  leadDays: number,
): Pick<PastBooking, 'answer' | 'end' | 'review'> {
  const answeredAt = hoursAfter(bookedAt, hours)
  const endedAt = hoursAfter(answeredAt, 24 * leadDays * endDays)
  const none = { answer: null, end: null, review: null }
  if (fate === 'unanswered') return none
  if (fate === 'withdrawn') return { ...none, end: { at: answeredAt, how: fate } }
  if (fate === 'declined') return { ...none, answer: { at: answeredAt, decision: fate } }
  const answer = { at: answeredAt, decision: 'approved' } as const
  if (fate === 'kept') return { ...none, answer }
  return { ...none, answer, end: { at: endedAt, how: fate === 'cancelled' ? 'cancelled' : 'called off' } }
}

/** Gives the newest events that took place their reviews, one in two, if their customers have accounts. */
function addReviews(bookings: PastBooking[], { reviews }: Listing, today: LocalDate): PastBooking[] {
  const over = bookings.filter(
    ({ date, answer, end, customer }) =>
      date < addDays(today, -9) && answer?.decision === 'approved' && !end && customer.userId !== null,
  )
  over.reverse().forEach((booking, index) => {
    const written = reviews[index]
    if (!written) return
    const [rating, body] = written
    const writtenAt = wallTimeToUtc(addDays(booking.date, 4), '19:40', DEMO_ZONE)
    booking.review = { at: writtenAt, rating, body, isPublished: true }
  })
  return bookings
}

const listingOf = (businessId: string) => {
  const listing = demoBusinesses.find(({ id }) => id === businessId)
  if (!listing) throw new Error(`There is no demo business ${businessId}.`)
  return listing
}

function madeOf(businessId: string, date: LocalDate) {
  const { ownerKey, priceUnit } = listingOf(businessId)
  return { key: `demo-${businessId}-${date}`, businessId, ownerKey, date, bookingType: priceUnit }
}

type Written = {
  businessId: string
  time: LocalTime
  quantity: number
  bookedAt: Date
  date: LocalDate
  customer: PastPerson
}

const write = (
  written: Written,
  life: Partial<Pick<PastBooking, 'answer' | 'end' | 'review'>>,
): PastBooking => ({
  answer: null,
  end: null,
  review: null,
  ...written,
  ...madeOf(written.businessId, written.date),
  ...life,
})

/** What waits for the demo vendor now, with different times left, and what they decided in the last days. */
function planRecent({
  now,
  days,
  nextPerson,
  customer,
}: Making & { now: Date; customer: PastPerson }): PastBooking[] {
  const ago = (hours: number) => hoursAfter(now, -hours)
  const venue = (
    daysAhead: number,
    weekday: number,
    time: LocalTime,
    quantity: number,
    hoursAgo: number,
  ) => ({
    businessId: VENUE,
    date: days.takeNext(VENUE, daysAhead, weekday),
    ...{ time, quantity, bookedAt: ago(hoursAgo), customer: nextPerson() },
  })
  const photographer = (daysAhead: number, time: LocalTime, quantity: number, hoursAgo: number) => ({
    businessId: PHOTOGRAPHER,
    date: days.takeNext(PHOTOGRAPHER, daysAhead, SATURDAY),
    ...{ time, quantity, bookedAt: ago(hoursAgo), customer: nextPerson() },
  })
  const approved = (hoursAgo: number) => ({ answer: { at: ago(hoursAgo), decision: 'approved' as const } })
  return [
    // 3, 19 and 40 hours left, then nearly all of the 48.
    write(venue(40, 5, '17:30', 60, 45), {}),
    write(photographer(60, '11:00', 6, 29), {}),
    write({ ...venue(75, SATURDAY, '16:00', 95, 8), customer }, {}),
    write(venue(24, 4, '18:00', 45, 0.6), {}),
    write(venue(33, 0, '15:00', 80, 66), approved(52)),
    write(photographer(47, '10:00', 5, 62), approved(60)),
    write(venue(54, 5, '17:00', 110, 58), {
      answer: { at: ago(50), decision: 'declined' },
    }),
    write(venue(68, 0, '16:00', 70, 54), { end: { at: ago(31), how: 'withdrawn' } }),
    write(photographer(82, '13:00', 8, 49), approved(26)),
  ]
}

/** The bookings of the demo's customer with other vendors: a party to come, one that was, and what came to nothing. */
function planOwn({
  now,
  today,
  days,
  customer,
}: {
  now: Date
  today: LocalDate
  days: Days
  customer: PastPerson
}): PastBooking[] {
  const ago = (hours: number) => hoursAfter(now, -hours)
  const daysAgo = (count: number, time: LocalTime) => wallTimeToUtc(addDays(today, -count), time, DEMO_ZONE)
  const party = days.takeNext('long-lunch-collective', 105, SATURDAY)
  const small = days.takeNext('bobbin-hair', 24, SATURDAY)
  const garden = days.takeNext('moonah-garden', 66, 0)
  const glasshouse = nextWeekday(addDays(today, -172), SATURDAY)
  const christening = nextWeekday(addDays(today, -20), 0)
  const yes = (time: Date, hours: number) => ({
    answer: { at: hoursAfter(time, hours), decision: 'approved' as const },
  })
  const booked = (
    businessId: string,
    [date, time]: [LocalDate, LocalTime],
    quantity: number,
    bookedAt: Date,
  ) => ({ businessId, date, time, quantity, bookedAt, customer })
  const [glassReview, musicReview] = OWN_REVIEWS
  const reviewed = (days: number, written: typeof glassReview, isPublished: boolean) =>
    written && {
      at: wallTimeToUtc(addDays(glasshouse, days), '20:15', DEMO_ZONE),
      rating: written[0],
      body: written[1],
      isPublished,
    }
  return [
    write(
      booked('long-lunch-collective', [party, '13:00'], 60, daysAgo(19, '20:10')),
      yes(daysAgo(19, '20:10'), 13),
    ),
    write(booked('slow-circles', [party, '17:00'], 5, daysAgo(12, '21:30')), yes(daysAgo(12, '21:30'), 16)),
    write(booked('one-good-booth', [party, '18:00'], 4, ago(20)), {}),
    write(booked('bobbin-hair', [small, '10:00'], 3, daysAgo(9, '12:20')), yes(daysAgo(9, '12:20'), 5)),
    write(booked('quarry-road-glasshouse', [glasshouse, '16:00'], 7, daysAgo(260, '19:00')), {
      ...yes(daysAgo(260, '19:00'), 15),
      review: reviewed(3, glassReview, true) ?? null,
    }),
    write(booked('saffron-sound', [glasshouse, '18:00'], 5, daysAgo(248, '20:00')), {
      ...yes(daysAgo(248, '20:00'), 6),
      review: reviewed(3, musicReview, true) ?? null,
    }),
    // To review.
    write(
      booked('second-breakfast', [christening, '10:00'], 35, daysAgo(61, '18:45')),
      yes(daysAgo(61, '18:45'), 20),
    ),
    write(booked('masala-mile', [party, '17:00'], 60, daysAgo(26, '19:00')), {
      answer: { at: daysAgo(25, '10:00'), decision: 'declined' },
    }),
    write(booked('wild-hedge-flowers', [party, '09:00'], 4, daysAgo(15, '22:00')), {
      end: { at: daysAgo(14, '08:00'), how: 'withdrawn' },
    }),
    write(booked('moonah-garden', [garden, '12:00'], 60, daysAgo(33, '20:00')), {
      ...yes(daysAgo(33, '20:00'), 8),
      end: { at: daysAgo(22, '09:00'), how: 'cancelled' },
    }),
  ]
}

/**
 * Bookings of other vendors that leave the operators something to do: a dispute in nine days, a refund that came back yesterday,
 * a vendor paused today who is owed money, and a payout that a bank has just returned.
 */
function planTroubled({
  now,
  today,
  nextPerson,
}: Pick<Making, 'today' | 'nextPerson'> & { now: Date }): PastBooking[] {
  const daysAgo = (count: number, time: LocalTime) => wallTimeToUtc(addDays(today, -count), time, DEMO_ZONE)
  const booked = (
    businessId: string,
    { inDays, time, quantity }: { inDays: number; time: LocalTime; quantity: number },
    bookedAt: Date,
    trouble: NonNullable<PastBooking['trouble']>,
    end: PastBooking['end'] = null,
  ) => ({
    ...write(
      { businessId, date: addDays(today, inDays), time, quantity, bookedAt, customer: nextPerson() },
      { answer: { at: hoursAfter(bookedAt, 5), decision: 'approved' }, end },
    ),
    trouble,
  })
  return [
    booked(
      'stringybark-terrace',
      { inDays: 38, time: '16:00', quantity: 90 },
      daysAgo(9, '12:10'),
      // The sandbox's banks take answers for ten days.
      { at: hoursAfter(now, -24), kind: 'disputed' },
    ),
    booked(
      'weatherboard-hall',
      { inDays: 45, time: '15:00', quantity: 60 },
      daysAgo(25, '19:30'),
      { at: daysAgo(1, '10:00'), kind: 'refund came back' },
      { at: daysAgo(4, '09:40'), how: 'cancelled' },
    ),
    booked(
      'riverbend-rooms',
      // Its money isn't due before tomorrow.
      { inDays: -1, time: '11:00', quantity: 70 },
      daysAgo(40, '18:20'),
      { at: hoursAfter(now, -1), kind: 'vendor paused' },
    ),
    booked('salt-plate-studio', { inDays: -9, time: '10:00', quantity: 7 }, daysAgo(50, '13:05'), {
      at: hoursAfter(now, -2),
      kind: 'payout came back',
    }),
  ]
}

/** The page views of a day of the demo vendor's listings, which rise weeks before the events that they lead to. */
export function pastViews(businessId: string, day: LocalDate, daysAgo: number): number {
  const { pageViewsPerDay } = listingOf(businessId)
  const random = randomFrom(`views-${businessId}-${day}`)
  const inTenWeeks = SEASON[Number(addDays(day, 70).slice(5, 7)) - 1] ?? 0
  const isWeekend = weekdayOf(day) === 0 || weekdayOf(day) === SATURDAY
  const growth = 1 - (0.3 * daysAgo) / 365
  return Math.round(
    pageViewsPerDay * (0.35 + 0.85 * inTenWeeks) * growth * (isWeekend ? 1.25 : 0.9) * random.range(0.8, 1.2),
  )
}

/** The demo vendor's listings. */
export const VENDOR_LISTINGS: readonly string[] = demoBusinesses
  .filter(({ ownerKey }) => ownerKey === DEMO_VENDOR_KEY)
  .map(({ id }) => id)
