import Stripe from 'stripe'
import type { ProviderRefusal } from './port.ts'

export const STRIPE_SIGNATURE_HEADER = 'stripe-signature'

// Longer than Stripe needs, shorter than people wait.
const TIMEOUT_MS = 15_000
const RETRIES = 2
export const SIGNATURE_TOLERANCE_S = 300
export const PAGE_SIZE = 100

/** The response came from another server than Stripe, so it is unknown whether Stripe acted, as after silence. */
export const NOT_FROM_STRIPE = {
  ok: false,
  reason: 'unreachable',
  message: 'The response does not come from Stripe.',
} as const satisfies ProviderRefusal

/** A refusal of ours, before or after Stripe was asked. */
export const refusedWith = (message: string): ProviderRefusal => ({ ok: false, reason: 'refused', message })

export type StripeClientOptions = {
  secretKey: string
  now: () => Date
  /** The API's host, for tests; Stripe's own by default. */
  host?: string
  port?: number
  protocol?: 'http' | 'https'
  timeoutMs?: number
  retries?: number
}

/** Creates a client of Stripe's own library. */
export function createStripeClient(options: StripeClientOptions): Stripe {
  return new Stripe(options.secretKey, {
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    // The library retries unanswered requests with the same idempotency key.
    maxNetworkRetries: options.retries ?? RETRIES,
    telemetry: false,
    ...(options.host ? { host: options.host, port: options.port, protocol: options.protocol } : {}),
  })
}

/**
 * Reads all pages of a list.
 * @param load loads the page after an id
 * @throws StripeAPIError for an answer that is not Stripe's
 */
export async function listAll<Item extends { id: string }>(
  load: (page: { limit: number; starting_after?: string }) => Promise<Stripe.ApiList<Item>>,
): Promise<Item[]> {
  const items: Item[] = []
  let after: string | undefined
  do {
    const page = await load({ limit: PAGE_SIZE, ...(after ? { starting_after: after } : {}) })
    if (!Array.isArray(page.data))
      throw new Stripe.errors.StripeAPIError({ type: 'api_error', message: NOT_FROM_STRIPE.message })
    items.push(...page.data)
    after = page.has_more ? page.data.at(-1)?.id : undefined
  } while (after)
  return items
}

/**
 * Reads one page of a list, newest first.
 * @param load loads what was created since then, after an id
 * @returns `next` leads to the following page; null on the last
 */
export async function listPage<Item extends { id: string }>(
  load: (page: {
    created: { gte: number }
    limit: number
    starting_after?: string
  }) => Promise<Stripe.ApiList<Item>>,
  { since, after }: { since: Date; after: string | null },
): Promise<{ ok: true; items: Item[]; next: string | null } | ProviderRefusal> {
  return askStripe(async () => {
    const page = await load({
      created: { gte: Math.floor(since.getTime() / 1000) },
      limit: PAGE_SIZE,
      ...(after ? { starting_after: after } : {}),
    })
    if (!Array.isArray(page.data)) return NOT_FROM_STRIPE
    return { ok: true, items: page.data, next: page.has_more ? (page.data.at(-1)?.id ?? null) : null }
  })
}

/** Makes a call. @returns its answer, or the refusal that its error means (`refusalOf`) */
export async function askStripe<Answer>(call: () => Promise<Answer>): Promise<Answer | ProviderRefusal> {
  try {
    return await call()
  } catch (error) {
    return refusalOf(error)
  }
}

/** Reads a signed webhook. @returns null where its signature is wrong or too old */
export function readSigned<Event>(read: () => Event): Event | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null
    throw error
  }
}

/**
 * Translates the error of a failed call. Only a definite refusal is 'refused'. After silence, an error at Stripe, too
 * many requests or a lock, Stripe may or may not have acted. A key that Stripe doesn't take says nothing about what was asked
 * for: it is asked again once the key is right.
 * @throws any error that isn't Stripe's, which is a bug of ours
 */
export function refusalOf(error: unknown): ProviderRefusal {
  const { errors } = Stripe
  if (!(error instanceof errors.StripeError)) throw error
  const isOpen =
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeAPIError ||
    error instanceof errors.StripeRateLimitError ||
    error instanceof errors.StripeAuthenticationError ||
    error instanceof errors.StripePermissionError ||
    error.statusCode === 429 ||
    error.code === 'lock_timeout' ||
    error.code === 'idempotency_key_in_use'
  return { ok: false, reason: isOpen ? 'unreachable' : 'refused', message: error.message }
}
