import { DAY_MS } from '../../app/shared/time-units.ts'
import { formsOf } from '../page-forms.ts'
import { type Act, outcomeOf, withBooking } from './acts.ts'
import { answerChange, proposeChange } from './booking-acts.ts'
import { type Hands, list } from './world.ts'

const BOOKINGS = '/dashboard/bookings'
const LISTINGS = '/dashboard/list-business'
const CALENDAR = '/dashboard/calendar'
const SETUP = '/dashboard/payouts/setup'
const REASON = 'The roof leaks since the storm.'
const EDIT_PATH = /\/dashboard\/list-business\/([^/"]+)\/edit/g

type Listed = { id: string; status: string; isAsked: boolean }
type BookingsPage = { bookings: { id: string; listed: { status: string }; change: object | null }[] }

/** The vendor's bookings as their page lists them. */
async function listBookings(hands: Hands): Promise<Listed[]> {
  const { bookings = [] } = await hands.data<BookingsPage>(BOOKINGS, 'routes/dashboard/bookings')
  return bookings.map(({ id, listed, change }) => ({ id, status: listed.status, isAsked: change !== null }))
}

async function decide(hands: Hands): Promise<string> {
  const { random, world } = hands
  const all = await listBookings(hands)
  const pending = all.filter(({ status }) => status === 'pending')
  // Most decide what waits; some change their mind.
  const booking = random.pick(pending.length > 0 && random.chance(0.65) ? pending : all)
  if (!booking?.status) return 'nothing booked'
  const decision = random.chance(0.7) ? 'approved' : 'declined'
  const fields = { bookingId: booking.id, decision, seen: booking.status, reason: REASON }
  const answer = await hands.post(BOOKINGS, fields)
  if (answer.status === 200 && booking.status !== decision) {
    world.reached.add(decision === 'approved' ? 'a booking was approved' : 'a booking was declined')
    if (booking.status === 'declined') world.reached.add('a decline was taken back')
  }
  return `${booking.status} to ${decision}: ${outcomeOf(answer)}`
}

async function extend(hands: Hands): Promise<string> {
  const booking = hands.random.pick(await listBookings(hands))
  if (!booking) return 'nothing booked'
  const answer = await hands.post(BOOKINGS, { intent: 'extend', bookingId: booking.id })
  if (answer.status === 200) hands.world.reached.add('a vendor gave more time for a balance')
  return outcomeOf(answer)
}

const onBooking =
  (work: (hands: Hands, key: string) => Promise<string>) =>
  async (hands: Hands): Promise<string> => {
    const all = await listBookings(hands)
    const asked = all.filter(({ isAsked }) => isAsked)
    const booking = hands.random.pick(asked.length > 0 ? asked : all)
    return booking ? work(hands, booking.id) : 'nothing booked'
  }

/** The ids of the vendor's listings. */
async function listListings(hands: Hands): Promise<string[]> {
  const { text } = await hands.get(LISTINGS)
  return [...new Set([...text.matchAll(EDIT_PATH)].map(([, id]) => id ?? ''))]
}

/** Changes name, price and terms of a listing. What was sold stays. */
async function edit(hands: Hands): Promise<string> {
  const { random } = hands
  const id = random.pick(await listListings(hands))
  if (!id) return 'no listing'
  const answer = await hands.press(`${LISTINGS}/${id}/edit`, 'Update', {
    name: `Hall ${random.whole(1, 99)} of ${hands.person.name}`,
    price: String(random.whole(90, 250)),
    policy: random.pick(['flexible', 'moderate', 'long']) ?? 'moderate',
    plan: random.pick(['full', 'deposit']) ?? 'full',
  })
  return outcomeOf(answer)
}

async function hideOrDelete(hands: Hands): Promise<string> {
  const { random } = hands
  const ids = await listListings(hands)
  const id = random.pick(ids)
  if (!id) {
    await list(hands, { price: '180', priceUnit: 'perPerson', policy: 'moderate', plan: 'full' })
    return 'listed again'
  }
  const intent = random.pick(['hide', 'show', 'show', 'delete']) ?? 'show'
  return `${intent}: ${outcomeOf(await hands.post(LISTINGS, { intent, businessId: id }))}`
}

/** Shows every listing again, or lists one where none is left. */
export async function showAll(hands: Hands): Promise<void> {
  const ids = await listListings(hands)
  for (const id of ids) await hands.post(LISTINGS, { intent: 'show', businessId: id })
  if (ids.length === 0)
    await list(hands, { price: '180', priceUnit: 'perPerson', policy: 'moderate', plan: 'full' })
}

/** Takes more events at once, or fewer hours: never fewer events, which would leave those that are booked above the limit. */
async function setHours(hands: Hands): Promise<string> {
  const { random } = hands
  const id = random.pick(await listListings(hands))
  if (!id) return 'no listing'
  const path = `/dashboard/availability?business=${id}`
  const { text } = await hands.get(path)
  const forms = formsOf(text, path)
  const capacity = Number(forms.find(({ fields }) => fields.intent === 'settings')?.fields.capacity ?? 1)
  const typed = {
    businessId: id,
    capacity: String(capacity + random.whole(0, 1)),
    eventHours: String(random.whole(3, 7)),
  }
  return outcomeOf(await hands.pressIn(forms, 'settings', typed))
}

async function blockTime(hands: Hands): Promise<string> {
  const { random, world } = hands
  const id = random.pick(await listListings(hands))
  if (!id) return 'no listing'
  const day = (ahead: number) =>
    new Date(world.product.now.getTime() + ahead * DAY_MS).toISOString().slice(0, 10)
  const ahead = random.whole(10, 110)
  const fields = {
    intent: 'block',
    businessId: id,
    from: day(ahead),
    to: day(ahead + random.whole(0, 3)),
    note: 'Away',
  }
  const answer = await hands.post(CALENDAR, fields)
  if (answer.status === 200) world.reached.add('a vendor blocked time')
  return outcomeOf(answer)
}

/** Opens an account at the provider and fills in its form. */
export async function setUpPayouts(hands: Hands): Promise<string> {
  const { world } = hands
  await register(hands)
  const { text } = await hands.get(SETUP)
  const version = /name="version" value="([^"]+)"/.exec(text)?.[1]
  const opened = await hands.post(SETUP, { intent: 'continue', ...(version ? { version } : {}) })
  if (opened.status !== 303 || !opened.location) return `not opened: ${outcomeOf(opened)}`
  const { location: form } = await world.product.atProvider(opened.location)
  if (!form) return 'no form'
  const fill = (fields: Record<string, string>) => world.product.atProvider(form, fields)
  await fill({ step: 'person', givenName: 'Ines', surname: 'Marlow', dateOfBirth: '1990-01-31' })
  await fill({ step: 'bank', bsb: '110-000', account: '000 123 456' })
  const answer = await fill({ step: 'confirm' })
  await hands.get('/dashboard/payouts/return')
  if (answer.status === 302) world.reached.add('a vendor set up payouts')
  return outcomeOf(answer)
}

/** Registers the business, which payouts need. Once is enough, and another time changes nothing. */
async function register(hands: Hands): Promise<void> {
  await hands.post('/dashboard/register-business', {
    businessName: 'Nia & Co',
    abn: '51 824 753 556',
    businessStructure: 'Sole Trader',
    industryType: 'Florist',
    principalAddress: '1 Sample Street',
    businessPhone: '0355501234',
    businessEmail: 'shop@example.com',
    ownerName: 'Nia',
    ownerDob: '1990-02-03',
    ownerPhone: '0400000000',
    ownerEmail: 'nia@example.com',
  })
}

async function readMoney(hands: Hands): Promise<string> {
  const pages = ['/dashboard', '/dashboard/payouts', BOOKINGS, '/dashboard/bookings.csv']
  return outcomeOf(await hands.get(hands.random.pick(pages) ?? ''))
}

/** The acts of vendors. */
export const VENDOR_ACTS: readonly Act[] = [
  { name: 'decide', by: ['vendor'], weight: 12, finds: withBooking, perform: decide },
  { name: 'give more time', by: ['vendor'], weight: 1, finds: withBooking, perform: extend },
  {
    name: 'propose a change as vendor',
    by: ['vendor'],
    weight: 2,
    finds: withBooking,
    perform: onBooking(proposeChange),
  },
  {
    name: 'answer a change as vendor',
    by: ['vendor'],
    weight: 8,
    finds: withBooking,
    perform: onBooking(answerChange),
  },
  { name: 'edit a listing', by: ['vendor'], weight: 2, perform: edit },
  { name: 'hide or delete a listing', by: ['vendor'], weight: 0.5, perform: hideOrDelete },
  { name: 'set hours', by: ['vendor'], weight: 1, perform: setHours },
  { name: 'block time', by: ['vendor'], weight: 1, perform: blockTime },
  { name: 'set up payouts', by: ['vendor'], weight: 3, perform: setUpPayouts },
  { name: 'look at the money', by: ['vendor'], weight: 1, perform: readMoney },
]
