import { DAY_MS } from '../../app/shared/time-units.ts'
import { type Act, CUSTOMERS, isDone, outcomeOf, withTalk } from './acts.ts'
import { finish } from './booking-acts.ts'
import { jsonOf } from './history-client.ts'
import { type Hands, mailedPath } from './world.ts'

const BUSINESS = /"\/business\/([a-z0-9-]+)"/g
const TALK = /"\/dashboard\/inbox\/([\w-]{20,})/g
const QUOTE = /"(\/quotes\/[\w-]+(?:\/[\w-]{43})?)"/g

const pathsIn = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, path]) => path ?? '')),
]

/** Asks a business for a quote. A guest presses the link of the mail before the vendor sees it. */
async function ask(hands: Hands): Promise<string> {
  const { random, world, person } = hands
  const id = random.pick(pathsIn((await hands.get('/venues-vendors')).text, BUSINESS))
  if (!id) return 'no business'
  const eventDate = new Date(world.product.now.getTime() + random.whole(40, 110) * DAY_MS)
    .toISOString()
    .slice(0, 10)
  const body = world.text()
  const typed = { wish: 'quote', body, eventDate, guests: '20', budget: '5000' }
  const isGuest = person.kind === 'guest'
  const contact: Record<string, string> = isGuest ? { name: person.name, email: person.email } : {}
  const answer = await hands.press(`/business/${id}/ask`, 'Send', { ...typed, ...contact })
  if (isGuest && answer?.status === 200) {
    const path = await mailedPath(hands, /./)
    if (path?.startsWith('/conversations/')) {
      const verified = await hands.press(path, 'verify')
      // Until then it waits, and is forgotten.
      if (isDone(verified)) world.told.messages.add(body)
      person.talks.push(path)
    }
  }
  if (answer?.status === 302 && answer.location) {
    world.told.messages.add(body)
    person.talks.push(answer.location)
  }
  return outcomeOf(answer)
}

/** The path of one of this person's conversations. */
async function aTalk(hands: Hands): Promise<string | undefined> {
  const { person, random } = hands
  if (person.kind !== 'vendor') return random.pick(person.talks)
  const { text } = await hands.get('/dashboard/inbox')
  return random.pick(pathsIn(text, TALK).map((id) => `/dashboard/inbox/${id}`))
}

async function write(hands: Hands): Promise<string> {
  const path = await aTalk(hands)
  if (!path) return 'no conversation'
  const body = hands.world.text()
  const answer = await hands.press(path, 'send', { body })
  if (answer?.status === 200) hands.world.told.messages.add(body)
  return outcomeOf(answer)
}

/** Closes, blocks, unblocks or reports a conversation. */
async function close(hands: Hands): Promise<string> {
  const path = await aTalk(hands)
  if (!path) return 'no conversation'
  const wanted = hands.random.pick(['close', 'block', 'unblock', 'unblock', 'report']) ?? 'close'
  const answer = await hands.press(path, wanted, wanted === 'report' ? { reason: 'Not polite' } : {})
  if (isDone(answer) && wanted === 'block') hands.world.reached.add('a conversation was blocked')
  return `${wanted}: ${outcomeOf(answer)}`
}

async function sendQuote(hands: Hands): Promise<string> {
  const { random, world } = hands
  const path = await aTalk(hands)
  if (!path) return 'no conversation'
  const typed = {
    'lines[0].label': 'The hall',
    'lines[0].unitPrice': String(random.whole(300, 3_000)),
    time: random.pick(['12:00', '16:00']) ?? '16:00',
    hours: '4',
    holdHours: random.pick(['0', '24', '48']) ?? '0',
    plan: random.pick(['full', 'deposit']) ?? 'full',
  }
  const answer = await hands.press(`${path}?quote`, 'send-quote', typed)
  if (isDone(answer)) world.reached.add('a quote was sent')
  return outcomeOf(answer)
}

async function withdrawQuote(hands: Hands): Promise<string> {
  const path = await aTalk(hands)
  if (!path) return 'no conversation'
  return outcomeOf(await hands.press(path, 'withdraw-quote'))
}

type PaymentPage = {
  unfinished: { booking: object; totalPrice: string; vendor: { id: string }; submitKey: string } | null
}

/** Accepts or declines a quote, or chooses again, and pays. */
async function answerQuote(hands: Hands): Promise<string> {
  const { random, world, person } = hands
  const talk = await aTalk(hands)
  if (!talk) return 'no conversation'
  const quote = random.pick(pathsIn((await hands.get(talk)).text, QUOTE))
  if (!quote) return 'no quote'
  const wanted = random.pick(['accept', 'accept', 'accept', 'continue', 'again', 'decline']) ?? 'accept'
  const contact = { fullName: person.name, email: person.email, phone: '0411 222 333' }
  const answer = await hands.press(quote, wanted, wanted === 'accept' ? contact : {})
  if (answer?.location !== '/payment') return `${wanted}: ${outcomeOf(answer)}`
  world.reached.add('a quote was accepted')
  const { unfinished } = await hands.data<PaymentPage>('/payment', 'routes/checkout/payment')
  if (!unfinished) return 'nothing to pay'
  const { booking, submitKey, vendor } = unfinished
  const amount = Math.round(Number(unfinished.totalPrice) * 100)
  const made = await hands.postJson('/create-payment-intent', {
    amount,
    submitKey,
    businessId: vendor.id,
    booking,
  })
  const { clientSecret, payment } = jsonOf<{ clientSecret: string; payment: string }>(made)
  if (!clientSecret || !payment) return `not begun: ${outcomeOf(made)}`
  world.references.add(payment)
  if (random.chance(0.1)) return 'accepted and left'
  const outcome = await finish(hands, { by: person, clientSecret, submitKey, reference: payment })
  if (outcome === 'paid') world.reached.add('a quote was paid')
  return outcome
}

/** The acts of people who write to each other. */
export const TALK_ACTS: readonly Act[] = [
  { name: 'ask for a quote', by: CUSTOMERS, weight: 4, perform: ask },
  { name: 'write', by: ['customer', 'guest', 'vendor'], weight: 2, finds: withTalk, perform: write },
  {
    name: 'close a conversation',
    by: ['customer', 'guest', 'vendor'],
    weight: 1,
    finds: withTalk,
    perform: close,
  },
  { name: 'send a quote', by: ['vendor'], weight: 6, finds: withTalk, perform: sendQuote },
  { name: 'withdraw a quote', by: ['vendor'], weight: 1, finds: withTalk, perform: withdrawQuote },
  { name: 'answer a quote', by: CUSTOMERS, weight: 7, finds: withTalk, perform: answerQuote },
]
