import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { DAY_MS } from '../../app/shared/time-units.ts'
import type { Answer, Bookable } from '../load/visitors.ts'
import type { Ledger } from './ledger.ts'
import type { NewVisitor } from './people.ts'

/** Sends one request at fixed times, whether earlier responses have come or not, and stores the result of each. */
export type Probe = { name: string; results: { sentAt: number; doneAt: number; isOk: boolean }[] }

export type Probes = { all: Probe[]; stop(): Promise<void> }

const ANSWER_MS = 2_000
/** A probe has recovered once it has succeeded for this long. */
const STEADY_MS = 3_000
/** Beyond the days of the customers' slot requests, so that probes don't compete with them. */
const FIRST_DAY_AHEAD = 620

/**
 * Starts probes of a write and its commit, a page rendered for each request, a cached page, and a payment's first step,
 * which needs the database and the provider.
 */
export function startProbes(world: { newVisitor: NewVisitor; ledger: Ledger; business: Bookable }): Probes {
  const { newVisitor, ledger, business } = world
  let isOver = false
  const running: Promise<void>[] = []

  function start(name: string, everyMs: number, ask: (nth: number) => Promise<Answer>): Probe {
    const probe: Probe = { name, results: [] }
    const one = async (nth: number) => {
      const sentAt = performance.now()
      const { error } = await ask(nth)
      probe.results.push({ sentAt, doneAt: performance.now(), isOk: error === null })
    }
    const all = async () => {
      const asked: Promise<void>[] = []
      const startedAt = performance.now()
      for (let nth = 0; !isOver; nth++) {
        asked.push(one(nth))
        await pause(Math.max(0, startedAt + (nth + 1) * everyMs - performance.now()))
      }
      await Promise.all(asked)
    }
    running.push(all())
    return probe
  }

  const look = (what: string, path: string) =>
    newVisitor({ answerMs: ANSWER_MS }).ask({ kind: 'probe', what, path, expect: [200] })
  const all = [
    start('writes', 250, async () => {
      const email = `letter-${randomBytes(8).toString('hex')}@example.com`
      const answer = await newVisitor({ answerMs: ANSWER_MS }).ask({
        kind: 'probe',
        what: 'POST /newsletter',
        path: '/newsletter.data',
        form: { email },
        expect: [200],
      })
      if (answer.error === null) ledger.subscribed(email)
      return answer
    }),
    start('rendered pages', 250, (nth) =>
      look('GET /business/:id?nth', `/business/${business.id}?nth=${nth}`),
    ),
    // A business that no vendor edits: an edit just before the database fails would drop its page from the cache.
    start('cached pages', 250, () => look('GET /business/:id', `/business/${business.id}`)),
    start('payments', 1_000, async (nth) => {
      const date = new Date(Date.now() + (FIRST_DAY_AHEAD + (nth % 100)) * DAY_MS).toISOString().slice(0, 10)
      const booking = {
        fullName: 'Kim Lee',
        email: 'kim@example.com',
        phone: '0411 222 333',
        date,
        time: '12:00',
        quantity: 1,
        bookingType: business.unit,
      }
      const submitKey = randomBytes(24).toString('hex')
      const visitor = newVisitor({ answerMs: ANSWER_MS })
      const asked = { kind: 'probe', what: 'POST /create-payment-intent', path: '/create-payment-intent' }
      const json = { amount: business.priceCents, submitKey, businessId: business.id, booking }
      return visitor.ask({ ...asked, json, expect: [200] })
    }),
  ]
  return {
    all,
    async stop() {
      isOver = true
      await Promise.all(running)
    },
  }
}

/**
 * Evaluates a probe's results during and after a fault.
 * @param fault.from the moment from which recovery counts: the fault's start, or the end of a lasting fault
 * @param fault.until the start of the next fault
 * @returns recoveredMs null if it never recovered
 */
export function recoveryOf(
  probe: Probe,
  fault: { beganAt: number; from: number; until: number },
): { failed: number; asked: number; recoveredMs: number | null } {
  const results = probe.results
    .filter(({ sentAt }) => sentAt >= fault.beganAt && sentAt < fault.until)
    .toSorted((one, other) => one.sentAt - other.sentAt)
  const failed = results.filter(({ isOk }) => !isOk).length
  const since = results.filter(({ sentAt }) => sentAt >= fault.from)
  const isSteady = (index: number) => {
    const until = (since[index]?.sentAt ?? 0) + STEADY_MS
    return since.slice(index).every(({ isOk, sentAt }) => isOk || sentAt > until)
  }
  const back = since.findIndex((_, index) => isSteady(index))
  const recoveredMs = back > 0 ? (since[back]?.doneAt ?? 0) - fault.from : 0
  return { failed, asked: results.length, recoveredMs: back < 0 ? null : recoveredMs }
}
