import { createHmac } from 'node:crypto'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startStripeServer } from '../../tests/stripe-server.ts'

/**
 * The fake Stripe behind a proxy that can fail. While it returns 500 or hangs, it still performs half of the requests.
 * While it loses responses, it performs all of them: the hardest case is a payment that was taken without a response.
 */
export type ProviderFault = 'none' | 'answers 500' | 'hangs' | 'loses answers'

/** A payment at the provider. */
export type TakenPayment = {
  reference: string
  /** The id of our payment. */
  paymentId: string
  isPaid: boolean
  amountCents: number
  refundedCents: number
  refunds: number
}

export type FaultyProvider = {
  port: number
  setFault(fault: ProviderFault): void
  /**
   * Confirms a card, as the card form does in the browser.
   * @returns 'unknown' without a response: the card may be charged or not
   */
  confirm(clientSecret: string): Promise<'paid' | 'refused' | 'unknown'>
  /** Every payment ever made there. */
  listPayments(): Promise<TakenPayment[]>
  /** Webhooks sent, never delivered, and waiting for delivery. */
  webhooks(): { events: number; lost: number; waiting: number }
  close(): Promise<void>
}

const SECRET_KEY = 'sk_test_chaos'
const WEBHOOK_SECRET = 'whsec_chaos'
const BROWSER_WAITS_MS = 10_000
/** Shares of requests performed despite a fault, and of responses that are lost. */
const DONE_UNSAID = 0.5
const LOST_ANSWERS = 0.7
/** Shares of webhooks that never arrive, and that arrive twice at the same time. */
const LOST_WEBHOOKS = 0.2
const DOUBLE_WEBHOOKS = 0.2
const LONGEST_WEBHOOK_PAUSE_MS = 20_000
const WEBHOOK_MS = 20_000

/** The product's settings to use it. */
export const PROVIDER_SETTINGS = {
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: SECRET_KEY,
  STRIPE_PUBLISHABLE_KEY: 'pk_test_chaos',
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
}

/** @param webhookUrl the product's address for events */
export async function startFaultyProvider(webhookUrl: () => string): Promise<FaultyProvider> {
  const stripe = await startStripeServer({
    descriptionPath: undefined,
    webhookSecret: WEBHOOK_SECRET,
    now: () => new Date(),
  })
  let fault: ProviderFault = 'none'
  let isOver = false
  const webhooks = { events: 0, lost: 0, waiting: 0 }

  /** Decides the fate of one call. */
  function presentFault(): { present: ProviderFault; isDone: boolean } {
    if (fault === 'none') return { present: fault, isDone: true }
    if (fault !== 'loses answers') return { present: fault, isDone: Math.random() < DONE_UNSAID }
    return { present: Math.random() < LOST_ANSWERS ? fault : 'none', isDone: true }
  }

  const door = createServer(async (asked, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of asked) chunks.push(chunk as Buffer)
    const { present, isDone } = presentFault()
    if (!isDone) return fail(present)
    const { host: _, connection: __, ...headers } = asked.headers
    const passed = request(
      { host: '127.0.0.1', port: stripe.port, method: asked.method, path: asked.url, headers },
      (made) => {
        if (present !== 'none') {
          made.resume()
          made.once('end', () => fail(present))
          return
        }
        answer.writeHead(made.statusCode ?? 502, made.headers)
        made.pipe(answer)
      },
    )
    passed.once('error', () => answer.destroy())
    passed.end(Buffer.concat(chunks))

    function fail(how: ProviderFault) {
      if (how === 'loses answers') answer.destroy()
      // The client ends a request that hangs.
      if (how !== 'answers 500') return
      answer.writeHead(500, { 'content-type': 'application/json' })
      answer.end(JSON.stringify({ error: { type: 'api_error', message: 'Something went wrong at Stripe.' } }))
    }
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))

  /** Delivers an event until it is accepted, with a new signature each time, as Stripe does. */
  async function deliver(body: string): Promise<void> {
    webhooks.waiting++
    for (let pauseMs = 1_000; !isOver; pauseMs = Math.min(pauseMs * 2, LONGEST_WEBHOOK_PAUSE_MS)) {
      const at = Math.floor(Date.now() / 1_000)
      const signature = createHmac('sha256', WEBHOOK_SECRET).update(`${at}.${body}`).digest('hex')
      const answer = await fetch(webhookUrl(), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` },
        body,
        signal: AbortSignal.timeout(WEBHOOK_MS),
      }).catch(() => null)
      await answer?.body?.cancel()
      if (answer?.ok) break
      await pause(pauseMs)
    }
    webhooks.waiting--
  }

  async function ask<Listed>(path: string): Promise<Listed[]> {
    const answer = await fetch(`http://127.0.0.1:${stripe.port}/v1/${path}`, {
      headers: { authorization: `Bearer ${SECRET_KEY}` },
    })
    return ((await answer.json()) as { data: Listed[] }).data
  }

  return {
    port: (door.address() as AddressInfo).port,
    setFault(next) {
      fault = next
    },
    async confirm(clientSecret) {
      const { present, isDone } = presentFault()
      const [id = ''] = clientSecret.split('_secret_')
      if (isDone && stripe.pay(clientSecret)) {
        const { body } = stripe.event('payment_intent.succeeded', { object: 'payment_intent', id })
        webhooks.events++
        if (Math.random() < LOST_WEBHOOKS) webhooks.lost++
        else {
          void deliver(body)
          if (Math.random() < DOUBLE_WEBHOOKS) void deliver(body)
        }
      } else if (isDone) return 'refused'
      if (present === 'hangs') await pause(BROWSER_WAITS_MS)
      return present === 'none' ? 'paid' : 'unknown'
    },
    async listPayments() {
      const payments: TakenPayment[] = []
      for (let after = ''; ; after = `&starting_after=${payments.at(-1)?.reference}`) {
        const page = await ask<{
          id: string
          status: string
          amount: number
          metadata: { jubilee_payment: string }
          latest_charge: { amount_refunded: number } | null
        }>(`payment_intents?limit=100&expand[]=data.latest_charge${after}`)
        for (const intent of page) {
          const refundedCents = intent.latest_charge?.amount_refunded ?? 0
          const refunds =
            refundedCents > 0 ? await ask<object>(`refunds?limit=100&payment_intent=${intent.id}`) : []
          payments.push({
            reference: intent.id,
            paymentId: intent.metadata.jubilee_payment,
            isPaid: intent.status === 'succeeded',
            amountCents: intent.amount,
            refundedCents,
            refunds: refunds.length,
          })
        }
        if (page.length < 100) return payments
      }
    },
    webhooks: () => webhooks,
    async close() {
      isOver = true
      door.closeAllConnections()
      await new Promise((resolve) => door.close(resolve))
      await stripe.close()
    },
  }
}
