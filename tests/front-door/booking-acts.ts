import { randomUUID } from 'node:crypto'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { textOf } from '../page-forms.ts'
import { type Act, CUSTOMERS, isDone, outcomeOf, withBooking } from './acts.ts'
import { jsonOf } from './history-client.ts'
import type { Goal } from './sometimes.ts'
import { Hands, type Person, type Unfinished } from './world.ts'

/** Half of them plain, the others with trouble before, at or after the charge. */
const CARDS = [
  ...Array.from({ length: 8 }, () => '4242424242424242'),
  ...['4000002760003184', '4000002500003155', '4000000000000002', '4000000000009995'],
  ...['4000000000007726', '4000000000005126', '4000000000000259'],
]
/** Saved without a payment. The last is refused at each charge. */
const SAVED_CARDS = ['4242424242424242', '4000002500003155', '4000000000000341']
/** Deposits are for events more than a month ahead. */
const NEAREST_DAYS = 40
const FARTHEST_DAYS = 110
const LINK = /\/bookings\/([\w-]{43})/
const SECRET = /sb_[0-9a-z]{24}_secret_[0-9a-z]{26}/
const SETUP_SECRET = /sbs_[0-9a-z]+_secret_[0-9a-z]+/
const PRICE_TO_PAY = /Pay \$([\d,]+\.\d\d)/
const LISTED_ID = /^[a-z0-9-]+/
const SETUP_REFERENCE = /^sbs_[0-9a-z]+/

type Unit = 'perPerson' | 'perHour'
type Slot = { date: string; time: string; quantity: number; bookingType: Unit }

/** The businesses of the public list, each with the unit that its card shows. */
async function listBusinesses(hands: Hands): Promise<{ id: string; unit: Unit }[]> {
  const { text } = await hands.get('/venues-vendors')
  const found = new Map<string, Unit>()
  for (const part of text.split('"/business/').slice(1)) {
    const [id] = LISTED_ID.exec(part) ?? []
    if (id) found.set(id, found.get(id) === 'perHour' || part.includes('per hour') ? 'perHour' : 'perPerson')
  }
  return [...found].map(([id, unit]) => ({ id, unit }))
}

/**
 * Finds a free time by the calendar of a business.
 * @param isRush whether it is the first one of a month, for which others compete
 */
async function findTime(
  hands: Hands,
  business: { id: string; unit: Unit },
  isRush: boolean,
): Promise<Slot | null> {
  const { random, world } = hands
  const quantity = business.unit === 'perHour' ? random.whole(2, 6) : random.whole(2, 40)
  const calendar = `/api/availability/${business.id}?type=${business.unit}&quantity=${quantity}`
  const ahead = (isRush ? FARTHEST_DAYS : random.whole(NEAREST_DAYS, FARTHEST_DAYS)) * DAY_MS
  const month = new Date(world.product.now.getTime() + ahead).toISOString().slice(0, 7)
  const { days = {} } = jsonOf<{ days: Record<string, string> }>(
    await hands.get(`${calendar}&month=${month}`),
  )
  const free = Object.entries(days).flatMap(([day, state]) => (state === 'free' ? [day] : []))
  const date = isRush ? free.at(-1) : random.pick(free)
  if (!date) return null
  const { times = [] } = jsonOf<{ times: string[] }>(await hands.get(`${calendar}&day=${date}`))
  const time = isRush ? times[0] : random.pick(times)
  return time ? { date, time, quantity, bookingType: business.unit } : null
}

type Begun = {
  clientSecret: string
  payment: string
  alreadyPaid?: boolean
  error?: { amount?: number; code?: string }
}

/** Begins the payment of a booking at the price that the product names. */
async function begin(hands: Hands, businessId: string, slot: Slot, submitKey: string) {
  const { person } = hands
  const booking = { fullName: person.name, email: person.email, phone: '0411 222 333', ...slot }
  const ask = async (amount: number) => {
    const body = { amount, submitKey, businessId, booking }
    // Some press twice, or use two tabs.
    const asked = await Promise.all(
      Array.from({ length: hands.random.chance(0.15) ? 2 : 1 }, () =>
        hands.postJson('/create-payment-intent', body),
      ),
    )
    return (
      asked.map((answer) => jsonOf<Begun>(answer)).find(({ clientSecret }) => clientSecret) ??
      jsonOf<Begun>(asked[0] as never)
    )
  }
  const first = await ask(1)
  return first.error?.amount ? ask(first.error.amount) : first
}

/**
 * Confirms a card at the provider, as the card form does, and reports the payment to the product.
 * @returns the booking's id, or a word for what happened instead
 */
export async function payBy(
  hands: Hands,
  clientSecret: string,
  { card = hands.random.pick(CARDS) ?? '', reports = true } = {},
): Promise<{ bookingId: string | null; outcome: string }> {
  const { random, world } = hands
  world.references.add(clientSecret.slice(0, clientSecret.indexOf('_secret')))
  const fields = { clientSecret, cardNumber: card, expiry: '12 / 39', cvc: '123' }
  let confirmed = await hands.postJson('/api/sandbox/confirm', fields)
  let { payment } = jsonOf<{ payment: { status: string } }>(confirmed)
  if (payment?.status === 'requires_action') {
    // Some close the page while their bank asks.
    if (random.chance(0.15)) return { bookingId: null, outcome: 'left at the bank' }
    const challenge = random.chance(0.8) ? 'approve' : 'fail'
    confirmed = await hands.postJson('/api/sandbox/confirm', { ...fields, challenge })
    payment = jsonOf<{ payment: { status: string } }>(confirmed).payment
  }
  if (payment?.status !== 'succeeded') return { bookingId: null, outcome: `card ${outcomeOf(confirmed)}` }
  if (!reports) return { bookingId: null, outcome: 'paid, not reported' }
  const report = () => hands.postJson('/api/payment-report', { clientSecret })
  const [reported] = await Promise.all(random.chance(0.15) ? [report(), report()] : [report()])
  if (!reported) return { bookingId: null, outcome: 'no answer' }
  if (reported.status === 0) world.reached.add('a process died with a payment in flight')
  const { state, bookingId = null } = jsonOf<{ state: string; bookingId: string | null }>(reported)
  return { bookingId, outcome: state ?? outcomeOf(reported) }
}

/** Notes an acknowledged booking and opens the page behind the payment, which has the booking's link. */
async function arrives(hands: Hands, { bookingId, reference }: { bookingId: string; reference: string }) {
  const { person, world } = hands
  world.told.bookings.set(bookingId, reference)
  world.reached.add(person.kind === 'guest' ? 'a guest booked' : 'a customer booked')
  const { text } = await hands.get(`/success?payment_intent=${reference}`)
  const [, link] = LINK.exec(text) ?? []
  if (link) person.links.push(link)
}

/** Finishes a payment that this browser has begun. */
export async function finish(hands: Hands, begun: Unfinished, card?: string): Promise<string> {
  const isQuick = hands.random.chance(0.2)
  if (!isQuick) {
    const held = await hands.postJson('/api/hold', { submitKey: begun.submitKey, do: 'keep' })
    // No card is confirmed unless the hold was extended.
    if (held.status !== 200) return `hold ${outcomeOf(held)}`
  }
  const reports = hands.random.chance(0.9)
  const { bookingId, outcome } = await payBy(hands, begun.clientSecret, {
    reports,
    ...(card ? { card } : {}),
  })
  if (bookingId) await arrives(hands, { bookingId, reference: begun.reference })
  else if (outcome === 'paid') hands.world.reached.add('a payment came too late for its time')
  return outcome
}

async function book(hands: Hands): Promise<string> {
  const business = hands.random.pick(await listBusinesses(hands))
  const slot = business && (await findTime(hands, business, false))
  return slot ? bookTime(hands, business.id, slot) : 'no time'
}

async function bookTime(hands: Hands, businessId: string, slot: Slot): Promise<string> {
  const { world, random } = hands
  const submitKey = randomUUID()
  const { clientSecret, payment, error } = await begin(hands, businessId, slot, submitKey)
  if (error?.code === 'time_gone') world.reached.add('a time was taken before')
  if (!clientSecret || !payment) return `not begun: ${error?.code ?? 'no answer'}`
  const begun = { by: hands.person, clientSecret, submitKey, reference: payment }
  world.references.add(payment)
  if (random.chance(0.12)) {
    world.unfinished.push(begun)
    return 'begun and left'
  }
  return finish(hands, begun)
}

/** Several people want the same time at the same moment. */
async function compete(hands: Hands): Promise<string> {
  const { world, random, person } = hands
  const business = random.pick(await listBusinesses(hands))
  const slot = business && (await findTime(hands, business, true))
  if (!slot) return 'no time'
  const others = world.of(...CUSTOMERS).filter((one) => one !== person)
  const rivals = [random.pick(others), random.pick(others)].flatMap((one) => one ?? [])
  const all = [hands, ...rivals.map((rival) => new Hands(world, rival, random.branch()))]
  const outcomes = await Promise.all(all.map((each) => bookTime(each, business.id, slot)))
  return outcomes.join(' | ')
}

/** A booking's own link of this person. @returns null without one */
const aLink = ({ person, random }: Hands): string | undefined => random.pick(person.links)

async function withdraw(hands: Hands): Promise<string> {
  const link = aLink(hands)
  if (!link) return 'nothing booked'
  const answer = await hands.post(`/bookings/${link}`, { intent: 'withdraw' })
  if (isDone(answer)) hands.world.reached.add('a booking was withdrawn')
  return outcomeOf(answer)
}

async function cancel(hands: Hands): Promise<string> {
  const link = aLink(hands)
  if (!link) return 'nothing booked'
  const answer = await hands.press(`/bookings/${link}/cancel`, 'cancel')
  if (isDone(answer)) hands.world.reached.add('a booking was cancelled by its customer')
  return outcomeOf(answer)
}

/**
 * Proposes another date, time or number of a booking.
 * @param key the booking's link, or its id for its vendor
 */
export async function proposeChange(hands: Hands, key: string): Promise<string> {
  const { random, world } = hands
  const path = `/bookings/${key}/change`
  const { text } = await hands.get(path)
  const [, date = ''] = /name="date"[^>]*value="([^"]+)"/.exec(text) ?? []
  const [, time = ''] = /name="time"[^>]*value="([^"]+)"/.exec(text) ?? []
  const [, quantity = ''] = /name="quantity"[^>]*value="([^"]+)"/.exec(text) ?? []
  if (!date || !time || !quantity) return 'not offered'
  const days = random.chance(0.5) ? random.whole(1, 20) : 0
  const wanted = new URLSearchParams({
    date: new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10),
    time: random.chance(0.3) ? '16:00' : time,
    quantity: String(Math.max(1, Number(quantity) + random.whole(-2, 4))),
  })
  const answer = await hands.press(`${path}?${wanted}`, 'propose')
  if (isDone(answer)) world.reached.add('a change was proposed')
  return outcomeOf(answer)
}

/** Answers a proposal, or pays what an accepted change costs. */
export async function answerChange(hands: Hands, key: string): Promise<string> {
  const { random, world } = hands
  const path = `/bookings/${key}/change`
  const answer = await hands.press(path, random.chance(0.75) ? 'agree' : 'decline')
  if (isDone(answer)) world.reached.add('a change was answered')
  return answer ? outcomeOf(answer) : payOpen(hands, path, 'a change was paid')
}

/** Pays what a page asks for: a balance or a change. */
async function payOpen(hands: Hands, path: string, goal: Goal): Promise<string> {
  const page = await hands.get(path)
  const [, price] = PRICE_TO_PAY.exec(textOf(page.text)) ?? []
  if (!price) return 'nothing to pay'
  const shownCents = String(Math.round(Number(price.replaceAll(',', '')) * 100))
  const opened = await hands.post(path, { intent: 'open', shownCents })
  const [secret] = SECRET.exec(opened.text) ?? []
  if (!secret) return `not opened: ${outcomeOf(opened)}`
  const { outcome } = await payBy(hands, secret)
  if (outcome === 'paid') hands.world.reached.add(goal)
  return outcome
}

async function payBalance(hands: Hands): Promise<string> {
  const link = aLink(hands)
  return link
    ? payOpen(hands, `/bookings/${link}/pay`, 'a balance was paid by its customer')
    : 'nothing booked'
}

async function changeCard(hands: Hands): Promise<string> {
  const link = aLink(hands)
  if (!link) return 'nothing booked'
  const path = `/bookings/${link}/card`
  const started = await hands.post(path, { intent: 'setup', setupKey: randomUUID() })
  const [secret] = SETUP_SECRET.exec(started.text) ?? []
  if (!secret) return `not offered: ${outcomeOf(started)}`
  const card = { cardNumber: hands.random.pick(SAVED_CARDS), expiry: '12 / 39', cvc: '123' }
  await hands.postJson('/api/sandbox/confirm', { clientSecret: secret, ...card, challenge: 'approve' })
  const [reference = ''] = SETUP_REFERENCE.exec(secret) ?? []
  const kept = await hands.post(path, { intent: 'keep', reference })
  if (kept.status === 200) hands.world.reached.add('another card was saved')
  return outcomeOf(kept)
}

async function review(hands: Hands): Promise<string> {
  const { text } = await hands.get('/my-bookings')
  const paths = [...text.matchAll(/"(\/my-bookings\/[\w-]+\/review)"/g)].map(([, path]) => path ?? '')
  const path = hands.random.pick(paths)
  if (!path) return 'nothing to review'
  const answer = await hands.post(path, {
    rating: String(hands.random.whole(1, 5)),
    body: hands.world.text(),
  })
  if (isDone(answer)) hands.world.reached.add('an event was reviewed')
  return outcomeOf(answer)
}

/** Continues a payment that was begun before and left. */
async function comeBack(hands: Hands): Promise<string> {
  const { unfinished } = hands.world
  const mine = unfinished.filter(({ by }) => by === hands.person)
  const begun = hands.random.pick(mine)
  if (!begun) return 'nothing begun'
  unfinished.splice(unfinished.indexOf(begun), 1)
  if (!hands.random.chance(0.25)) return finish(hands, begun)
  return outcomeOf(await hands.postJson('/api/hold', { submitKey: begun.submitKey, do: 'release' }))
}

const onLink =
  (work: (hands: Hands, key: string) => Promise<string>) =>
  async (hands: Hands): Promise<string> => {
    const link = aLink(hands)
    return link ? work(hands, link) : 'nothing booked'
  }

/** A guest is a new person each time, or one who comes back. */
async function bookAsGuest(hands: Hands): Promise<string> {
  const { world } = hands
  const known = world.of('guest')
  const guest: Person = known.length < 3 ? world.addPerson('guest') : hands.person
  return book(new Hands(world, guest, hands.random))
}

/** The acts of customers on bookings. */
export const BOOKING_ACTS: readonly Act[] = [
  { name: 'book', by: CUSTOMERS, weight: 9, perform: book },
  { name: 'book as a guest', by: CUSTOMERS, weight: 5, perform: bookAsGuest },
  { name: 'book what others want', by: CUSTOMERS, weight: 6, perform: compete },
  {
    name: 'come back to a payment',
    by: CUSTOMERS,
    weight: 4,
    finds: (person, { unfinished }) => unfinished.some(({ by }) => by === person),
    perform: comeBack,
  },
  { name: 'withdraw', by: CUSTOMERS, weight: 2, finds: withBooking, perform: withdraw },
  { name: 'cancel', by: CUSTOMERS, weight: 2, finds: withBooking, perform: cancel },
  { name: 'propose a change', by: CUSTOMERS, weight: 4, finds: withBooking, perform: onLink(proposeChange) },
  { name: 'answer a change', by: CUSTOMERS, weight: 8, finds: withBooking, perform: onLink(answerChange) },
  { name: 'pay a balance', by: CUSTOMERS, weight: 3, finds: withBooking, perform: payBalance },
  { name: 'change the card', by: CUSTOMERS, weight: 2, finds: withBooking, perform: changeCard },
  { name: 'review', by: ['customer'], weight: 1, finds: withBooking, perform: review },
]
