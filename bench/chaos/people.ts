import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Market } from '../load/market.ts'
import {
  type Account,
  type Answer,
  createVisitor,
  DECLINE_REASON,
  openPage,
  searchFor,
  signIn,
  signUp,
  type Visitor,
} from '../load/visitors.ts'
import type { Ledger } from './ledger.ts'
import type { FaultyProvider } from './provider.ts'

/**
 * People who persist through every fault: without a response, or with a temporary failure, they retry with the same values,
 * as a person with a browser would. Acknowledged writes go into the ledger.
 */

const READERS = 10
const CUSTOMERS = 14
const READER_PAUSE_MS = 250
const CUSTOMER_PAUSE_MS = 4_000
const VENDOR_PAUSE_MS = 1_000
const TRY_AGAIN_AFTER_MS = 2_000
const TRIES = 8
/** How long people wait for a response. */
const PATIENCE_MS = 10_000
/** Shares of the customers who create an account, who compete for the same time, and who leave before they pay. */
const NEW_ACCOUNTS = 0.15
const RUSH = 0.2
const LEAVING = 0.08
/** Shares of the vendors' decisions. */
const DECLINING = 0.25
const SECOND_THOUGHTS = 0.2
const EDIT_EVERY_MS = 8_000
const FIRST_MONTHS_AHEAD = 2
const MONTHS = 18

type Decision = 'approved' | 'declined'
type Listing = { id: string; fields: Record<string, string> }

export type People = {
  /** Starts no more visits; resolves when the running ones have ended. */
  stop(): Promise<void>
}

/** Creates a visitor with a browser and an address of their own. */
export type NewVisitor = (options?: { answerMs?: number }) => Visitor

/** @param ledger records every response */
export function createVisitors(port: number, ledger: Ledger): NewVisitor {
  const agent = new Agent({ keepAlive: true })
  let count = 0
  return ({ answerMs = PATIENCE_MS } = {}) => {
    const number = count++
    const visitor = createVisitor({
      origin: `http://127.0.0.1:${port}`,
      agent,
      address: `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
      onStep: () => {},
      answerMs,
    })
    return {
      cookies: visitor.cookies,
      async ask(asked) {
        const answer = await visitor.ask(asked)
        ledger.count(answer)
        return answer
      },
    }
  }
}

/**
 * Starts readers, customers and vendors.
 * @param world.listings the fields of the vendors' edit forms, by their account's email
 */
export function startPeople(world: {
  newVisitor: NewVisitor
  market: Market
  listings: Map<string, Listing[]>
  provider: FaultyProvider
  ledger: Ledger
}): People {
  const { newVisitor, market, listings, provider, ledger } = world
  let isOver = false
  const toDecide = new Map<string, string[]>([...listings.keys()].map((email) => [email, []]))
  const bookable = market.bookable.filter(({ vendor }) => listings.has(vendor.email))

  async function untilOver(work: () => Promise<void>, pauseMs: number): Promise<void> {
    while (!isOver) {
      await work()
      await pause(pauseMs * (0.5 + Math.random()))
    }
  }

  /** Retries while there is no response, or a temporary failure. Stops retrying once the run is over. */
  async function persist(visitor: Visitor, asked: Parameters<Visitor['ask']>[0]): Promise<Answer> {
    let answer = await visitor.ask(asked)
    for (let tries = 1; tries < TRIES && isTemporaryFailure(answer) && !isOver; tries++) {
      await pause(TRY_AGAIN_AFTER_MS * (0.5 + Math.random()))
      answer = await visitor.ask(asked)
    }
    return answer
  }

  async function read(visitor: Visitor): Promise<void> {
    const { lists, landings, businesses } = market.pages
    if (Math.random() < 0.8) {
      // Most visits are to the same few pages.
      const popular = businesses.slice(0, 50)
      await openPage(visitor, pick([...lists, ...landings.slice(0, 20), ...popular]))
      return
    }
    const [word = ''] = pick(market.names).split(' ')
    await searchFor(visitor, {
      typed: [word.slice(0, 3)],
      path: `/venues-vendors?q=${encodeURIComponent(word)}`,
    })
  }

  async function bookAndPay(): Promise<void> {
    const visitor = newVisitor()
    if (Math.random() < NEW_ACCOUNTS) await makeAccount(visitor)
    const isRush = Math.random() < RUSH
    const business = isRush ? bookable[0] : pick(bookable)
    if (!business) return
    const slotRequest = await findTime(visitor, business, isRush)
    if (!slotRequest) return
    const submitKey = randomBytes(24).toString('hex')
    const booking = {
      fullName: 'Kim Lee',
      email: `kim-${submitKey.slice(0, 12)}@example.com`,
      phone: '0411 222 333',
      bookingType: business.unit,
      ...slotRequest,
    }
    const body = {
      amount: business.priceCents * slotRequest.quantity,
      submitKey,
      businessId: business.id,
      booking,
    }
    const made = await persist(visitor, {
      kind: 'booking',
      what: 'POST /create-payment-intent',
      path: '/create-payment-intent',
      json: body,
      expect: [200, 409],
      reads: true,
    })
    const { clientSecret, payment } = parse<{ clientSecret?: string; payment?: string }>(made)
    if (made.status !== 200 || !clientSecret || !payment) return
    ledger.paymentBegan(payment)
    if (Math.random() < LEAVING) return leave(visitor, submitKey)

    const hold = { kind: 'booking', what: 'POST /api/hold', path: '/api/hold', expect: [200, 409] }
    const held = await persist(visitor, { ...hold, json: { submitKey, do: 'keep' } })
    // No card is confirmed unless the hold was extended.
    if (held.status !== 200) return
    const card = await provider.confirm(clientSecret)
    if (card === 'refused') return
    // Without a result half of the customers leave, so the webhook or the sweep has to settle the payment.
    if (card === 'unknown' && Math.random() < 0.5) return
    const reported = await persist(visitor, {
      kind: 'booking',
      what: 'POST /api/payment-report',
      path: '/api/payment-report',
      json: { clientSecret },
      expect: [200],
      reads: true,
    })
    const { state, bookingId } = parse<{ state?: string; bookingId?: string | null }>(reported)
    if (reported.status !== 200 || state !== 'paid' || !bookingId) return
    ledger.booked({ bookingId, reference: payment })
    toDecide.get(business.vendor.email)?.push(bookingId)
  }

  /** Goes back, or closes the page without a request. */
  async function leave(visitor: Visitor, submitKey: string): Promise<void> {
    if (Math.random() < 0.5) return
    const hold = { kind: 'booking', what: 'POST /api/hold', path: '/api/hold', expect: [200] }
    await visitor.ask({ ...hold, json: { submitKey, do: 'release' } })
  }

  async function makeAccount(visitor: Visitor): Promise<void> {
    const email = `new-${randomBytes(8).toString('hex')}@example.com`
    const isIn = await signUp(visitor, { email, password: 'under the jacaranda', displayName: 'Kim Lee' })
    if (isIn) ledger.signedUp(email)
  }

  /** @param isRush whether to request the first free time, in competition with others */
  async function findTime(visitor: Visitor, business: { id: string; unit: string }, isRush: boolean) {
    const quantity = 1 + Math.floor(Math.random() * 4)
    const calendar = `/api/availability/${business.id}?type=${business.unit}&quantity=${quantity}`
    const ahead = FIRST_MONTHS_AHEAD + (isRush ? 0 : Math.floor(Math.random() * MONTHS))
    const now = new Date()
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead))
      .toISOString()
      .slice(0, 7)
    const asked = { kind: 'booking', what: 'GET /api/availability', expect: [200], reads: true }
    const { days = {} } = parse<{ days?: Record<string, string> }>(
      await persist(visitor, { ...asked, path: `${calendar}&month=${month}` }),
    )
    const free = Object.entries(days).flatMap(([day, state]) => (state === 'free' ? [day] : []))
    const date = isRush ? free[0] : pick(free)
    if (!date) return null
    const { times = [] } = parse<{ times?: string[] }>(
      await persist(visitor, { ...asked, path: `${calendar}&day=${date}` }),
    )
    const time = isRush ? times[0] : pick(times)
    return time ? { date, time, quantity } : null
  }

  async function signInAgain(visitor: Visitor, account: Account): Promise<void> {
    while (!isOver && !(await signIn(visitor, account))) await pause(TRY_AGAIN_AFTER_MS)
  }

  async function runBusiness(account: Account): Promise<void> {
    const visitor = newVisitor()
    await signInAgain(visitor, account)
    let edition = 0
    let nextEditAt = performance.now() + EDIT_EVERY_MS * Math.random()
    await untilOver(async () => {
      const bookingId = toDecide.get(account.email)?.shift()
      if (bookingId) {
        const first: Decision = Math.random() < DECLINING ? 'declined' : 'approved'
        const isDecided = await decide(visitor, bookingId, first, 'pending')
        if (isDecided && Math.random() < SECOND_THOUGHTS)
          await decide(visitor, bookingId, first === 'approved' ? 'declined' : 'approved', first)
      }
      if (performance.now() < nextEditAt) return
      nextEditAt = performance.now() + EDIT_EVERY_MS
      const listing = pick(listings.get(account.email) ?? [])
      if (listing) await edit(visitor, listing, ++edition)
    }, VENDOR_PAUSE_MS)
  }

  async function decide(
    visitor: Visitor,
    bookingId: string,
    decision: Decision,
    seen: string,
  ): Promise<boolean> {
    ledger.decisionTried(bookingId, decision)
    const answer = await persist(visitor, {
      kind: 'vendor decisions',
      what: 'POST /dashboard/bookings',
      // The request that the page's script sends.
      path: '/dashboard/bookings.data',
      form: { bookingId, decision, seen, reason: DECLINE_REASON },
      expect: [200, 409],
      reads: true,
    })
    if (answer.status === 202) ledger.signedOut()
    if (answer.status === 200) ledger.decided(bookingId, decision)
    return answer.status === 200
  }

  async function edit(visitor: Visitor, listing: Listing, edition: number): Promise<void> {
    const text = `Edition ${edition}. ${listing.fields.description}`
    ledger.editTried(listing.id, text)
    const answer = await persist(visitor, {
      kind: 'edits',
      what: 'POST /dashboard/list-business/:id/edit',
      path: `/dashboard/list-business/${listing.id}/edit.data`,
      form: { ...listing.fields, description: text },
      expect: [200],
      reads: true,
    })
    if (answer.status === 401) ledger.signedOut()
    if (answer.status === 200) ledger.edited(listing.id, text)
  }

  const everybody = Promise.all([
    ...Array.from({ length: READERS }, () => untilOver(() => read(newVisitor()), READER_PAUSE_MS)),
    ...Array.from({ length: CUSTOMERS }, () => untilOver(bookAndPay, CUSTOMER_PAUSE_MS)),
    ...Array.from(listings.keys(), (email) => {
      const account = market.bookable.find(({ vendor }) => vendor.email === email)?.vendor
      return account ? runBusiness(account) : undefined
    }),
  ])
  return {
    async stop() {
      isOver = true
      await everybody
    },
  }
}

/** Whether there was no response, or a temporary failure. */
function isTemporaryFailure({ status }: Answer): boolean {
  return status === 0 || status >= 500
}

function parse<Body extends object>({ text }: Answer): Partial<Body> {
  try {
    return JSON.parse(text) as Body
  } catch {
    return {}
  }
}

function pick<One>(list: readonly One[]): One {
  return list[Math.floor(Math.random() * list.length)] as One
}
