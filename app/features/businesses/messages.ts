import { type Cents, formatMoney, type PriceUnit } from '../../shared/money.ts'
import { type Category, type Occasion, offeredPrices, type Pricing } from './rules.ts'

// The business page (Specification, sections 2 and 8).
export const BUSINESS_NOT_FOUND_TEXT = 'Business not found.'
export const ABOUT_TEXT = 'About'
/** 'Starting Price: $' plus the price. `price` includes the dollar sign. */
export const startingPriceText = (price: string) => `Starting Price: ${price}`
export const GO_BACK_TEXT = 'Go Back'
export const BOOK_NOW_TEXT = 'Book Now'
export const ADD_TO_CART_TEXT = 'Add to Cart'
export const addedToCartText = (vendorName: string) => `${vendorName} added to cart!`
/** '{name} | {brand}' (Specification, section 2). */
export const businessTitle = (name: string, brand: string) => `${name} | ${brand}`

/** Shown instead of a price (Decision 5). */
export const ASK_QUESTION_TEXT = 'Ask a question'
export const ASK_FOR_QUOTE_TEXT = 'Ask for a quote'
export const PRICE_ON_REQUEST_TEXT = 'Price on request'
/** Decision 8: the mark of a vendor with a registered ABN. */
export const ABN_REGISTERED_TEXT = 'ABN registered'
export const ABN_REGISTERED_HINT =
  'This vendor has registered an Australian Business Number with valid check digits.'

export const UNIT_TEXTS = {
  perPerson: 'per person',
  perHour: 'per hour',
} as const satisfies Record<PriceUnit, string>

/** The unit that a booking of each type counts. */
export const COUNTED_TEXTS = {
  perPerson: 'guests',
  perHour: 'hours',
} as const satisfies Record<PriceUnit, string>

export const SEE_FREE_DAYS_TEXT = 'See free days and your total'
/** Below the booking buttons. @param when 'You pay when you book.' */
export const bookNoteText = (when: string, answerTime: string) =>
  `${when} The vendor answers within ${answerTime}, and you get a full refund if they can’t do it.`
export const NO_PRICE_NOTE =
  'This vendor sets a price for each event. Ask for a quote, and book once it suits you.'

/** Before what was asked for earlier in the visit. */
export const YOUR_EVENT_TEXT = 'Your event'
export const CLEAR_TEXT = 'Clear'

/** '$85.00 per person'. */
export function unitPriceText(cents: Cents, unit: PriceUnit): string {
  return `${formatMoney(cents)} ${UNIT_TEXTS[unit]}`
}

/** The price line of a card: 'from $84.00 per person · $450.00 per hour', or 'Price on request' (Decision 5). */
export function priceText(pricing: Pricing): string {
  if (pricing.priceCents === 0) return PRICE_ON_REQUEST_TEXT
  return `from ${offeredPrices(pricing)
    .map(({ cents, unit }) => unitPriceText(cents, unit))
    .join(' · ')}`
}

export function reviewCountText(count: number): string {
  return count === 1 ? '1 review' : `${count} reviews`
}

/** Made once: a new one takes longer than the rest of a card. */
const whole = new Intl.NumberFormat('en-AU')

/** '1 business', '24 businesses'. */
export function businessCountText(count: number): string {
  return count === 1 ? '1 business' : `${whole.format(count)} businesses`
}

/** 'about 25 km away', or 'in the same place' below 1 km. @param distanceKm whole km as the crow flies */
export function distanceText(distanceKm: number): string {
  return distanceKm < 1 ? 'in the same place' : `about ${whole.format(distanceKm)} km away`
}

/** The place of a business on a card: 'Geelong, VIC', or 'Geelong, VIC · about 5 km away'. */
export function locationText(location: string, distanceKm?: number): string {
  return distanceKm === undefined ? location : `${location} · ${distanceText(distanceKm)}`
}

type CategoryTexts = {
  /** The category's name in headings and running text. Tags and menus use the category itself. */
  heading: string
  /** The paragraph under the heading of its page. */
  intro: string
  /** One thing worth knowing before choosing. */
  advice: string
  /** One line beside its picture. */
  line: string
}

export const CATEGORY_TEXTS = {
  Venues: {
    heading: 'Venues',
    intro:
      'Woolsheds and rooftops, glasshouses and surf clubs. Start here: the room decides the date, the headcount and half the mood.',
    advice:
      'Ask what the price covers. Some venues charge by the head with tables, linen and staff included; others hire the room by the hour and leave the rest to you.',
    line: 'The room that decides the rest',
  },
  Photographers: {
    heading: 'Photographers',
    intro:
      'People who know where the light will be at half past four, and how to get your uncle to smile without saying cheese.',
    advice:
      'Look at one whole gallery, not just the best ten. It shows you the speeches and the dark dance floor as well.',
    line: 'The light at half past four',
  },
  Hairdresser: {
    heading: 'Hairdresser',
    intro:
      'Braids that outlast the dance floor, a blow-dry in your own kitchen, a chair for the whole bridal party. Many come to you.',
    advice:
      'Book a trial four to six weeks ahead, and wear a top in the colour of the day. For a group, allow about forty-five minutes each.',
    line: 'Hair that lasts past the last song',
  },
  'Sounds & DJ': {
    heading: 'Sounds & DJ',
    intro:
      'From a duo under the trees to a floor that stays full until the lights come up. Sound for speeches, too, so the back table hears.',
    advice:
      'Send three songs you love and three you never want to hear. And ask the venue when the music must stop: many have a limit on level and hour.',
    line: 'A duo at dusk, a full floor at ten',
  },
  Catering: {
    heading: 'Catering',
    intro:
      'Long-table feasts, paella over fire, cakes worth the wait, a coffee cart for the morning after. Priced by the head or by the hour.',
    advice:
      'Give the caterer your numbers early and your final count a fortnight before. Ask about dietary needs on the invitation, not the week before.',
    line: 'What people will talk about',
  },
  Videographers: {
    heading: 'Videographers',
    intro:
      'The vows as they sounded, the speech you half heard, the drone shot over the bay. Films to watch again in ten years.',
    advice:
      'Sound is half a film. Ask how the speeches are recorded, and check that the venue lets a drone fly.',
    line: 'The speech you only half heard',
  },
  'Event Planners': {
    heading: 'Event Planners',
    intro:
      'Someone who holds the run sheet so that you can hold a glass. For the whole plan, or just for the day itself.',
    advice:
      'If you like to plan but not to direct traffic, ask for coordination on the day only. It is often just eight to ten hours.',
    line: 'Someone else holds the run sheet',
  },
  Extras: {
    heading: 'Extras',
    intro:
      'Flower arches, lanterns, a vintage car, a photo booth for the shy ones. The small things that make it yours.',
    advice:
      'Choose one or two that people will touch, taste or take home. Check with your venue when things can be brought in and out.',
    line: 'Arches, lanterns and a getaway car',
  },
} as const satisfies Record<Category, CategoryTexts>

export const OCCASION_NAMES = {
  wedding: 'Wedding',
  birthday: 'Birthday',
  corporate: 'Corporate',
  engagement: 'Engagement',
  christening: 'Christening and naming day',
  anniversary: 'Anniversary',
  'end-of-year': 'End-of-year party',
  memorial: 'Memorial and wake',
} as const satisfies Record<Occasion, string>

type OccasionTexts = {
  intro: string
  /** When to begin, and what to book first. */
  start: string
}

export const OCCASION_TEXTS = {
  wedding: {
    intro:
      'One long afternoon with everyone you love in the same place. It takes more hands than any other party, and most of them are booked by the day.',
    start:
      'Begin nine to twelve months ahead with the venue, then the photographer. Saturdays from October to April go first.',
  },
  birthday: {
    intro:
      'A thirtieth on a rooftop, an eightieth with all the grandchildren, a first with more adults than candles. Good food and room to move carry most of it.',
    start:
      'Six to eight weeks is plenty for most. For a milestone on a Saturday night, give the venue three months.',
  },
  corporate: {
    intro:
      'A launch, an offsite, a thank-you that people want to come to. The sound works, lunch is on time, and nobody on your team carries chairs.',
    start:
      'Two to three months, and tell the venue early about screens, microphones and the accounts department.',
  },
  engagement: {
    intro:
      'The first time both families stand in one room. Keep it loose: drinks, food to eat with one hand, and someone to take pictures.',
    start:
      'Four to eight weeks. A Friday evening or Sunday lunch is easier to get, and often kinder in price.',
  },
  christening: {
    intro:
      'A ceremony in the morning and a table in the shade afterwards. Short, bright and over before the nap.',
    start: 'Six weeks. Settle the church or celebrant first, then a garden or a room close by.',
  },
  anniversary: {
    intro:
      'Ten years or fifty: a dinner that takes its time, a film of the old photographs, the song from back then.',
    start: 'Two months, and one more if relatives fly in.',
  },
  'end-of-year': {
    intro:
      'Every team in the country wants the same four Fridays before Christmas. Be early, or be clever and take a Thursday in November.',
    start: 'Book by August for a December Friday. By October, look at lunches and weekdays.',
  },
  memorial: {
    intro:
      'A quiet room, warm food, and a screen for the photographs. People who have done this before, and who need few words from you.',
    start: 'Often only days. Tell the vendor what it’s for when you write. Many make room for it.',
  },
} as const satisfies Record<Occasion, OccasionTexts>
