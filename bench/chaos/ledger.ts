import type { Answer } from '../load/visitors.ts'

type Decision = 'approved' | 'declined'

/**
 * The acknowledged writes, recorded as each response came, for comparison with the database at the end. Beside them are the
 * writes without a response, which may have happened or not.
 */
export type Ledger = ReturnType<typeof createLedger>

/** Codes of the payment's steps for a temporary failure; pages and forms have Retry-After instead. */
const PROVIDER_AWAY = /"code":"(provider_unavailable|later)"/

export function createLedger() {
  const answers = new Map<string, number>()
  /** The number of each invalid response: a 5xx that isn't marked as temporary, or an unexpected status or text. */
  const faults = new Map<string, number>()
  /** The times of expected responses by kind, in ms. */
  const times = new Map<string, number[]>()
  const signUps = new Set<string>()
  const subscriptions = new Set<string>()
  const payments = new Set<string>()
  const bookings = new Map<string, { reference: string }>()
  const decisions = new Map<string, { told: Decision | null; possible: Set<Decision> }>()
  const edits = new Map<string, { told: string | null; possible: Set<string> }>()
  let requests = 0
  let signedOut = 0

  const countIn = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)

  function entryOf<Value>(
    map: Map<string, { told: Value | null; possible: Set<Value> }>,
    key: string,
  ): { told: Value | null; possible: Set<Value> } {
    const entry = map.get(key) ?? { told: null, possible: new Set<Value>() }
    map.set(key, entry)
    return entry
  }

  function classOf({ status, error, headers, text }: Answer): string {
    if (status === 0) {
      if (/ECONNREFUSED/.test(error ?? '')) return 'connection refused'
      return /no answer within/.test(error ?? '') ? 'no answer in time' : 'connection reset'
    }
    if (status === 503 && headers['retry-after']) return '503 with Retry-After'
    if (status === 503 && PROVIDER_AWAY.test(text)) return '503: the provider is unavailable'
    if (status >= 500) return `${status}`
    return error === null ? 'as expected' : `unexpected ${status}`
  }

  return {
    answers,
    faults,
    times,
    signUps,
    subscriptions,
    payments,
    bookings,
    decisions,
    edits,
    requests: () => requests,
    signedOutCount: () => signedOut,

    count(answer: Answer): void {
      requests++
      const kind = classOf(answer)
      countIn(answers, kind)
      if (answer.error === null) {
        const name = answer.kind === 'probe' ? `probe: ${answer.what}` : answer.kind
        const taken = times.get(name) ?? []
        times.set(name, taken)
        taken.push(answer.ms)
      }
      if (/^\d|^unexpected/.test(kind) && !kind.startsWith('503 ') && !kind.startsWith('503:'))
        countIn(faults, `${answer.status} ${answer.what}: ${answer.error ?? ''}`)
    },
    signedOut: () => void signedOut++,
    signedUp: (email: string) => void signUps.add(email),
    subscribed: (email: string) => void subscriptions.add(email),
    paymentBegan: (reference: string) => void payments.add(reference),
    booked: ({ bookingId, reference }: { bookingId: string; reference: string }) =>
      void bookings.set(bookingId, { reference }),
    decisionTried: (bookingId: string, decision: Decision) =>
      void entryOf(decisions, bookingId).possible.add(decision),
    decided(bookingId: string, decision: Decision) {
      decisions.set(bookingId, { told: decision, possible: new Set([decision]) })
    },
    editTried: (businessId: string, text: string) => void entryOf(edits, businessId).possible.add(text),
    edited(businessId: string, text: string) {
      edits.set(businessId, { told: text, possible: new Set([text]) })
    },
  }
}
