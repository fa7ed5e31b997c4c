import { randomFrom } from '../illustrations/random.ts'

/** A customer of the demo's past. */
export type PastPerson = {
  /** Null for a guest. Only accounts can write reviews. */
  userId: string | null
  name: string
  email: string
  phone: string
}

const FIRST_NAMES = [
  ...['Amelia', 'Ravi', 'Sophie', 'Marcus', 'Leila', 'Hugh', 'Nadia', 'Callum', 'Yasmin', 'Oscar', 'Greta'],
  ...[
    'Dimitri',
    'Harriet',
    'Kofi',
    'Imogen',
    'Sanjay',
    'Bridie',
    'Luca',
    'Freya',
    'Tariq',
    'Rosie',
    'Anders',
  ],
  ...['Mei', 'Declan', 'Paloma', 'Jarrah', 'Noor', 'Felix', 'Saskia', 'Omar', 'Clementine', 'Viet', 'Ingrid'],
] as const

const LAST_NAMES = [
  ...['Abbott', 'Banerjee', 'Castellano', 'Dunne', 'Eltahir', 'Forsyth', 'Georgiou', 'Hallam', 'Ibrahim'],
  ...['Janssen', 'Kelleher', 'Lombardi', 'Mahoney', 'Nakamura', 'Oyelaran', 'Papas', 'Quinlan', 'Rosetti'],
  ...['Silva', 'Tran', 'Underwood', 'Vella', 'Walsh', 'Xenakis', 'Yeung', 'Zielinski', 'Ashby', 'Bui'],
] as const

/** One customer in so many has an account. The others book as guests. */
const ACCOUNT_EVERY = 3

/**
 * Invents customers, no two with one name.
 * @param seed the same seed gives the same people
 * @param count at most some 460: after that, names repeat
 */
export function inventPeople(seed: string, count: number): PastPerson[] {
  const random = randomFrom(`people-${seed}`)
  const firsts = random.shuffle(FIRST_NAMES)
  const lasts = random.shuffle(LAST_NAMES)
  return Array.from({ length: count }, (_, index) => {
    // Neighbours share no name, and a first name meets another last name each time.
    const round = Math.floor(index / firsts.length)
    const first = firsts[index % firsts.length] ?? ''
    const last = lasts[(index + round) % lasts.length] ?? ''
    return {
      userId: index % ACCOUNT_EVERY === 0 ? `demo-customer-${index + 1}` : null,
      name: `${first} ${last}`,
      email: `${first}.${last}@example.com`.toLowerCase(),
      // The numbers that Australia reserves for fiction.
      phone: `0491 570 ${random.pick(['006', '156', '157', '158', '159', '110'])}`,
    }
  })
}

type Written = readonly [rating: 1 | 2 | 3 | 4 | 5, body: string]

/** What customers of the past write of the demo vendor's venue, newest first. */
export const VENUE_REVIEWS: readonly Written[] = [
  [
    5,
    'The ceremony was at five, and the whole lawn turned gold as we said our vows. Nobody wanted to go inside.',
  ],
  [
    5,
    'Ninety colleagues, three courses, and we were out on the foreshore by eleven. Easiest Christmas party yet.',
  ],
  [
    4,
    'Wonderful food and a room full of light. It gets windy at the end of the jetty, so pin your veil well.',
  ],
  [5, 'They remembered every allergy on our list without asking twice.'],
  [
    5,
    'My parents’ golden anniversary. The crew taught my father to fold the doors back himself. He is still talking about it.',
  ],
  [4, 'A great venue and a calm team. I’d have liked the dance floor to open half an hour earlier.'],
  [5, 'We moved the date twice and Matilda never made us feel it.'],
  [
    3,
    'Pretty place and good dinner. The heating took an hour to catch up in July, so bring a jumper to a winter party.',
  ],
  [5, 'Long tables, candles, the city across the water. Exactly what we had hoped for.'],
  [5, 'The ramp and the small room made the day possible for my grandmother.'],
  [4, 'Speeches were easy to hear, even at the far end. Parking took some patience.'],
  [5, 'Our run sheet fell apart at three o’clock, and they quietly put it back together.'],
]

/** What customers of the past write of the demo vendor's photography, newest first. */
export const PHOTOGRAPHY_REVIEWS: readonly Written[] = [
  [5, 'Adaeze caught my sister laughing in the one second she forgot the camera.'],
  [5, 'First pictures the next morning, the gallery three weeks later, and not one dull frame.'],
  [4, 'Beautiful work. We would have liked a few more of the tables before people sat down.'],
  [5, 'Two photographers meant nobody had to choose between the bride and the band.'],
  [5, 'The film photographs are on our wall. The rest are on everybody else’s.'],
  [4, 'Kind, quick and almost invisible. The album took a week longer than we were told.'],
  [5, 'Ngozi got forty cousins to look the same way. I didn’t think it could be done.'],
]

/** The reviews of the demo's customer. */
export const OWN_REVIEWS: readonly Written[] = [
  [
    5,
    'The glasshouse did all the decorating for us. The team had the aisle turned into a dance floor in twenty minutes.',
  ],
  [4, 'She read the room better than we did, and played one request too many from my uncle.'],
]
