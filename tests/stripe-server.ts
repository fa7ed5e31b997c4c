import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv, type ValidateFunction } from 'ajv'
import qs from 'qs'
import { createCardSide, type StripeCardSide } from './stripe-card-side.ts'
import { createPayoutSide, type StripePayoutSide } from './stripe-payout-side.ts'

/**
 * A small, stateful fake of Stripe's API on this machine: payment intents, saved cards, refunds, disputes and vendors' payouts, with Stripe's rules for
 * states, amounts and idempotency keys. Given Stripe's own OpenAPI description, it checks every request and response against
 * it and records each difference in `problems`.
 */
export type StripeServer = {
  port: number
  /** The differences between messages and the description. Empty if all conform. */
  problems: string[]
  /** The number of checked messages. */
  checked(): { requests: number; responses: number }
  /**
   * Pays as the card form does in the browser. Returns false if the payment can't be paid any more, or was paid before.
   * @param trouble with the card's refunds: pending at first, or failed after a success
   */
  pay(clientSecret: string, trouble?: 'pending' | 'fails'): boolean
  /** Lets every refund with trouble move on: a pending one succeeds, a failing one comes back. */
  moveRefunds(): void
  /** The cardholder's bank takes back what is left of a payment, or asks about it. */
  dispute(paymentIntentId: string, kind: 'dispute' | 'inquiry'): void
  decideDispute(paymentIntentId: string, decision: 'won' | 'lost'): void
  decline(clientSecret: string): void
  /** Fails the next requests: a status or 'silence' (connection cut) before any effect, 'answer-lost' after it. */
  fail(how: number | 'silence' | 'answer-lost', times?: number): void
  /** Cuts the connection after the next requests to 'METHOD /path' have had their effect: the library sends one again. */
  loseAnswerOf(request: string): void
  /** Forgets all idempotency keys, as Stripe does after a day. */
  forgetKeys(): void
  requests: {
    method: string
    path: string
    body: Record<string, unknown>
    headers: Record<string, unknown>
  }[]
  /** Saved cards, and what their owners and banks do. */
  cards: Pick<StripeCardSide, 'confirmSetup' | 'refuseCharges' | 'renewCard'>
  /** Vendors' accounts, and what they do. */
  payouts: Omit<StripePayoutSide, 'answer'>
  /** @param more.account of an event about a connected account @param more.secret of another webhook address */
  event(
    type: string,
    object: object,
    more?: { account?: string; secret?: string },
  ): { body: string; header: string }
  /** An event of API version 2, which names only the object that it is about. */
  notification(
    type: string,
    about: { id: string; type: string },
    secret: string,
  ): { body: string; header: string }
  close(): Promise<void>
}

type Intent = Record<string, unknown> & {
  id: string
  client_secret: string
  amount: number
  status: string
  created: number
}
type Charge = Record<string, unknown> & {
  id: string
  amount: number
  amount_refunded: number
  disputed: boolean
}
type Refund = Record<string, unknown> & {
  id: string
  payment_intent: string
  amount: number
  status: string
  metadata: unknown
}
type Dispute = Record<string, unknown> & {
  id: string
  payment_intent: string
  amount: number
  created: number
  status: string
  balance_transactions: object[]
  evidence: Record<string, unknown>
  evidence_details: Record<string, unknown> & { due_by: number | null; submission_count: number }
  metadata: Record<string, unknown>
}

const MIN_AMOUNT = 50
const MAX_AMOUNT = 99_999_999
/** Paths that are newer than the description. The library's types check them. */
const isNewerPath = (path: string) => path.startsWith('/v2/') || path === '/v1/balance_settings'
/** Parameters that are newer than the description of 2023-08-16. The library's types include them. */
const NEWER_PARAMETERS = new Set(['allowed_payment_method_types'])
const EVIDENCE_SECONDS = 10 * 86_400
/** Statuses that take evidence, and what each becomes once it is sent. */
const AFTER_EVIDENCE = new Map([
  ['needs_response', 'under_review'],
  ['warning_needs_response', 'warning_under_review'],
])

export async function startStripeServer(options: {
  descriptionPath: string | undefined
  webhookSecret: string
  now: () => Date
}): Promise<StripeServer> {
  const description = options.descriptionPath ? readDescription(options.descriptionPath) : null
  const intents = new Map<string, Intent>()
  const charges = new Map<string, Charge>()
  const refunds: Refund[] = []
  const disputes: Dispute[] = []
  const files = new Set<string>()
  /** By charge. */
  const troubles = new Map<string, 'pending' | 'fails'>()
  const answers = new Map<string, { signature: string; status: number; body: object }>()
  const problems: string[] = []
  const requests: StripeServer['requests'] = []
  const count = { requests: 0, responses: 0 }
  let failures: (number | 'silence' | 'answer-lost')[] = []
  let lost: string[] = []
  const id = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`
  const seconds = () => Math.floor(options.now().getTime() / 1000)

  function error(status: number, type: string, code: string | undefined, message: string, more: object = {}) {
    return { status, body: { error: { type, ...(code ? { code } : {}), message, ...more } } }
  }
  const missing = (what: string) =>
    error(404, 'invalid_request_error', 'resource_missing', `No such payment_intent: '${what}'`)

  function shown(intent: Intent, expand: unknown): object {
    const wanted = Array.isArray(expand) ? expand : []
    const charge = charges.get(String(intent.latest_charge))
    const card = wanted.includes('payment_method') && cards.findMethod(intent.payment_method)
    return {
      ...intent,
      ...(card ? { payment_method: card } : {}),
      latest_charge: charge && wanted.includes('latest_charge') ? charge : (charge?.id ?? null),
    }
  }

  function createIntent(body: Record<string, unknown>) {
    const amount = Number(body.amount)
    if (amount < MIN_AMOUNT)
      return error(400, 'invalid_request_error', 'amount_too_small', 'Amount must be at least $0.50 aud')
    if (amount > MAX_AMOUNT)
      return error(
        400,
        'invalid_request_error',
        'amount_too_large',
        'Amount must be no more than $999,999.99 aud',
      )
    if (body.customer && !cards.hasCustomer(body.customer))
      return error(400, 'invalid_request_error', 'resource_missing', `No such customer: '${body.customer}'`)
    const intent: Intent = {
      id: id('pi'),
      object: 'payment_intent',
      amount,
      amount_capturable: 0,
      amount_received: 0,
      capture_method: body.capture_method,
      client_secret: '',
      confirmation_method: 'automatic',
      created: seconds(),
      currency: body.currency,
      customer: body.customer ?? null,
      description: body.description ?? null,
      last_payment_error: null,
      latest_charge: null,
      livemode: false,
      metadata: body.metadata ?? {},
      payment_method: null,
      setup_future_usage: body.setup_future_usage ?? null,
      transfer_group: body.transfer_group ?? null,
      payment_method_types: body.allowed_payment_method_types,
      allowed_payment_method_types: body.allowed_payment_method_types,
      status: 'requires_payment_method',
    }
    intent.client_secret = `${intent.id}_secret_${randomBytes(12).toString('hex')}`
    intents.set(intent.id, intent)
    return { status: 200, body: shown(intent, body.expand) }
  }

  function cancelIntent(intent: Intent) {
    if (!isOpen(intent)) return unexpectedState(intent, 'cancel')
    intent.status = 'canceled'
    intent.canceled_at = seconds()
    return { status: 200, body: shown(intent, []) }
  }

  const isOpen = ({ status }: Intent) => status.startsWith('requires_')

  const unexpectedState = (intent: Intent, verb: string) =>
    error(
      400,
      'invalid_request_error',
      'payment_intent_unexpected_state',
      `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`,
      { payment_intent: shown(intent, []) },
    )

  function confirmIntent(intent: Intent, body: Record<string, unknown>) {
    if (!isOpen(intent)) return unexpectedState(intent, 'confirm')
    const card = cards.findMethod(body.payment_method)
    if (!card?.customer || card.customer !== intent.customer)
      return error(
        400,
        'invalid_request_error',
        undefined,
        'The payment method does not belong to the customer of this PaymentIntent.',
      )
    const decline = cards.takeRefusal(card.customer)
    if (!decline) {
      charge(intent)
      intent.payment_method = card.id
      return { status: 200, body: shown(intent, body.expand) }
    }
    const isCode = decline === 'authentication_required' || decline === 'expired_card'
    const refusal = {
      type: 'card_error',
      code: isCode ? decline : 'card_declined',
      decline_code: decline,
      message: 'Your card was declined.',
    }
    intent.last_payment_error = refusal
    return { status: 402, body: { error: { ...refusal, payment_intent: shown(intent, []) } } }
  }

  function charge(intent: Intent) {
    const made = aCharge({
      id: id('ch'),
      amount: intent.amount,
      payment_intent: intent.id,
      created: seconds(),
    })
    charges.set(made.id, made)
    payouts.charged(made)
    Object.assign(intent, {
      status: 'succeeded',
      latest_charge: made.id,
      amount_received: intent.amount,
      last_payment_error: null,
    })
    return made
  }

  const cards = createCardSide({ id, seconds, error })
  const payouts = createPayoutSide({
    id,
    seconds,
    error,
    listOf: (data, url, limit, after) => listOf(data, url, limit, after, (one) => (one as { id: string }).id),
    findCharge: (name) => charges.get(name),
  })

  function createRefund(body: Record<string, unknown>) {
    const intent = intents.get(String(body.payment_intent))
    if (!intent) return missing(String(body.payment_intent))
    const charge = charges.get(String(intent.latest_charge))
    if (intent.status !== 'succeeded' || !charge)
      return error(
        400,
        'invalid_request_error',
        undefined,
        'This PaymentIntent does not have a successful charge to refund.',
      )
    const amount = Number(body.amount)
    if (charge.amount_refunded === charge.amount)
      return error(
        400,
        'invalid_request_error',
        'charge_already_refunded',
        `Charge ${charge.id} has already been refunded.`,
      )
    if (charge.disputed)
      return error(
        400,
        'invalid_request_error',
        'charge_disputed',
        `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      )
    if (charge.amount_refunded + amount > charge.amount)
      return error(
        400,
        'invalid_request_error',
        undefined,
        'Refund amount is greater than unrefunded amount on charge',
      )
    charge.amount_refunded += amount
    charge.refunded = charge.amount_refunded === charge.amount
    const isPending = troubles.get(charge.id) === 'pending'
    const refund: Refund = {
      id: id('re'),
      object: 'refund',
      amount,
      charge: charge.id,
      created: seconds(),
      currency: 'aud',
      metadata: body.metadata ?? {},
      payment_intent: intent.id,
      reason: null,
      receipt_number: null,
      status: isPending ? 'pending' : 'succeeded',
      ...(isPending ? { pending_reason: 'processing' } : {}),
    }
    refunds.unshift(refund)
    payouts.refunded(refund)
    return { status: 200, body: { ...refund } }
  }

  function moveRefund(refund: Refund) {
    const charge = charges.get(String(refund.charge))
    if (!charge) throw new Error('Every refund is of a charge.')
    const trouble = troubles.get(charge.id)
    if (trouble === 'pending' && refund.status === 'pending') {
      refund.status = 'succeeded'
      delete refund.pending_reason
    }
    if (trouble === 'fails' && refund.status === 'succeeded') {
      refund.status = 'failed'
      refund.failure_reason = 'expired_or_canceled_card'
      payouts.refundFailed(refund)
      charge.amount_refunded -= refund.amount
      charge.refunded = false
      troubles.delete(charge.id)
    }
  }

  function openDispute(paymentIntentId: string, kind: 'dispute' | 'inquiry') {
    const charge = charges.get(String(intents.get(paymentIntentId)?.latest_charge))
    if (!charge) throw new Error('Only a charge can be disputed.')
    const amount = charge.amount - charge.amount_refunded
    const isInquiry = kind === 'inquiry'
    charge.disputed = !isInquiry
    const dispute: Dispute = {
      id: id('du'),
      object: 'dispute',
      amount,
      balance_transactions: isInquiry ? [] : [aMovement(id('txn'), -amount, seconds())],
      charge: charge.id,
      created: seconds(),
      currency: 'aud',
      evidence: noEvidence(),
      evidence_details: {
        due_by: seconds() + EVIDENCE_SECONDS,
        has_evidence: false,
        past_due: false,
        submission_count: 0,
      },
      is_charge_refundable: isInquiry,
      livemode: false,
      metadata: {},
      payment_intent: paymentIntentId,
      reason: 'fraudulent',
      status: isInquiry ? 'warning_needs_response' : 'needs_response',
    }
    disputes.unshift(dispute)
    if (!isInquiry) payouts.disputed(dispute)
  }

  function closeDispute(paymentIntentId: string, decision: 'won' | 'lost') {
    const dispute = disputes.find((one) => one.payment_intent === paymentIntentId)
    const charge = charges.get(String(dispute?.charge))
    if (!dispute || !charge) throw new Error('No such dispute.')
    dispute.status = decision
    dispute.evidence_details.due_by = null
    if (decision === 'lost') return
    dispute.balance_transactions.push(aMovement(id('txn'), dispute.amount, seconds()))
    payouts.disputeWon(dispute)
    dispute.is_charge_refundable = true
    charge.disputed = false
  }

  function uploadFile(body: Record<string, unknown>) {
    const file = {
      id: id('file'),
      object: 'file',
      created: seconds(),
      purpose: body.purpose,
      size: String(body.file).length,
      type: 'pdf',
    }
    files.add(file.id)
    return { status: 200, body: file }
  }

  const refusedDispute = (message: string) => error(400, 'invalid_request_error', undefined, message)

  function answerDispute(dispute: Dispute, body: Record<string, unknown>) {
    const next = AFTER_EVIDENCE.get(dispute.status)
    if (!next) return refusedDispute('This dispute is no longer able to accept evidence.')
    const evidence = (body.evidence ?? {}) as Record<string, string>
    if (evidence.receipt !== undefined && !files.has(evidence.receipt))
      return refusedDispute(`No such file upload: '${evidence.receipt}'`)
    Object.assign(dispute.evidence, evidence)
    Object.assign(dispute.metadata, body.metadata)
    dispute.evidence_details.has_evidence = true
    // True is Stripe's default.
    if (body.submit === 'false') return { status: 200, body: structuredClone(dispute) }
    dispute.evidence_details.submission_count += 1
    dispute.status = next
    return { status: 200, body: structuredClone(dispute) }
  }

  function acceptDispute(dispute: Dispute) {
    if (dispute.status !== 'needs_response') return refusedDispute('This dispute is already closed.')
    dispute.status = 'lost'
    dispute.evidence_details.due_by = null
    return { status: 200, body: structuredClone(dispute) }
  }

  function listOf(data: object[], url: string, limit: number, after: unknown, from: (one: object) => string) {
    const start = after ? data.findIndex((one) => from(one) === after) + 1 : 0
    return {
      status: 200,
      body: {
        object: 'list',
        data: data.slice(start, start + limit),
        has_more: data.length > start + limit,
        url,
      },
    }
  }

  function answer(
    method: string,
    path: string,
    body: Record<string, unknown>,
    account: string | null,
  ): { status: number; body: object } {
    const paid = payouts.answer(method, path, body, account)
    if (paid) return paid
    const kept = cards.answer(method, path, body)
    if (kept) return kept
    const [, intentId, verb] = /^\/v1\/payment_intents(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path) ?? []
    if (method === 'POST' && path === '/v1/payment_intents') return createIntent(body)
    if (method === 'GET' && path === '/v1/payment_intents') {
      const since = Number((body.created as { gte?: string })?.gte ?? 0)
      const expand = (body.expand as string[] | undefined)?.map((name) => name.replace(/^data\./, ''))
      const found = [...intents.values()].reverse().filter((intent) => intent.created >= since)
      return listOf(
        found.map((intent) => shown(intent, expand)),
        path,
        Number(body.limit ?? 10),
        body.starting_after,
        (one) => (one as Intent).id,
      )
    }
    if (intentId) {
      const intent = intents.get(intentId)
      if (!intent) return missing(intentId)
      if (method === 'GET') return { status: 200, body: shown(intent, body.expand) }
      if (verb === 'cancel') return cancelIntent(intent)
      if (verb === 'confirm') return confirmIntent(intent, body)
    }
    if (path === '/v1/refunds' && method === 'POST') return createRefund(body)
    if (path === '/v1/refunds' && method === 'GET')
      return listOf(
        refunds.filter((refund) => refund.payment_intent === body.payment_intent),
        path,
        Number(body.limit ?? 10),
        body.starting_after,
        (one) => (one as { id: string }).id,
      )
    if (path === '/v1/disputes' && method === 'GET') {
      const since = Number((body.created as { gte?: string })?.gte ?? 0)
      return listOf(
        disputes.filter(
          (dispute) =>
            dispute.created >= since &&
            (body.payment_intent ?? dispute.payment_intent) === dispute.payment_intent,
        ),
        path,
        Number(body.limit ?? 10),
        body.starting_after,
        (one) => (one as Dispute).id,
      )
    }
    if (path === '/v1/files' && method === 'POST') return uploadFile(body)
    const [, disputeId, disputeVerb] = /^\/v1\/disputes\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? []
    if (disputeId) {
      const dispute = disputes.find((one) => one.id === disputeId)
      if (!dispute)
        return error(404, 'invalid_request_error', 'resource_missing', `No such dispute: '${disputeId}'`)
      if (method === 'GET') return { status: 200, body: structuredClone(dispute) }
      return disputeVerb === 'close' ? acceptDispute(dispute) : answerDispute(dispute, body)
    }
    return error(404, 'invalid_request_error', undefined, `Unrecognized request URL (${method}: ${path})`)
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '/', 'http://localhost')
    const method = request.method ?? 'GET'
    const text = method === 'GET' ? url.search.slice(1) : Buffer.concat(chunks).toString()
    const isJson = method === 'POST' && url.pathname.startsWith('/v2/')
    const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1]
    const body = (
      isJson ? JSON.parse(text) : boundary ? readMultipart(text, boundary) : qs.parse(text)
    ) as Record<string, unknown>
    const isDescribed = !isNewerPath(url.pathname)
    requests.push({ method, path: url.pathname, body, headers: request.headers })
    if (description && isDescribed) {
      count.requests++
      problems.push(...description.checkRequest(method, url.pathname, body))
    }
    const isLost = lost.at(-1) === `${method} ${url.pathname}`
    if (isLost) lost.pop()
    const failure = isLost ? 'answer-lost' : failures.shift()
    if (failure === 'silence') return request.socket.destroy()
    const send = (status: number, content: object) => {
      if (description && isDescribed) {
        count.responses++
        problems.push(...description.checkResponse(method, url.pathname, status, content))
      }
      if (failure === 'answer-lost') return request.socket.destroy()
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': id('req') })
      response.end(JSON.stringify(content))
    }
    if (typeof failure === 'number') {
      const made = error(
        failure,
        failure === 429 ? 'invalid_request_error' : 'api_error',
        undefined,
        'Try later.',
      )
      return send(made.status, made.body)
    }
    if (!/^Bearer sk_test_\w+$/.test(request.headers.authorization ?? '')) {
      const refused = error(401, 'invalid_request_error', undefined, 'You did not provide an API key.')
      return send(refused.status, refused.body)
    }
    const key = method === 'POST' ? request.headers['idempotency-key'] : undefined
    const kept = typeof key === 'string' ? answers.get(key) : undefined
    const signature = `${url.pathname}?${text}`
    if (kept && kept.signature !== signature) {
      const refused = error(
        400,
        'idempotency_error',
        undefined,
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      )
      return send(refused.status, refused.body)
    }
    const account = request.headers['stripe-account']
    const made = kept ?? answer(method, url.pathname, body, typeof account === 'string' ? account : null)
    // Like Stripe, a request that is refused before it begins is not stored under its key.
    const isDone = made.status === 200 || made.status === 402
    if (typeof key === 'string' && isDone) answers.set(key, { signature, ...made })
    send(made.status, made.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const sign = (body: string, secret: string) => {
    const signature = createHmac('sha256', secret).update(`${seconds()}.${body}`).digest('hex')
    return { body, header: `t=${seconds()},v1=${signature}` }
  }
  const bySecret = (clientSecret: string) => {
    const intent = [...intents.values()].find((one) => one.client_secret === clientSecret)
    if (!intent) throw new Error('No such client secret.')
    return intent
  }
  return {
    port: (server.address() as AddressInfo).port,
    problems,
    requests,
    checked: () => count,
    moveRefunds: () => refunds.forEach(moveRefund),
    dispute: openDispute,
    decideDispute: closeDispute,
    pay(clientSecret, trouble) {
      const intent = bySecret(clientSecret)
      // Stripe, too, refuses a second confirmation.
      if (intent.status !== 'requires_payment_method') return false
      const made = charge(intent)
      if (trouble) troubles.set(made.id, trouble)
      if (intent.setup_future_usage) intent.payment_method = cards.addMethod(String(intent.customer))
      return true
    },
    decline(clientSecret) {
      bySecret(clientSecret).last_payment_error = {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'generic_decline',
        message: 'Your card was declined.',
      }
    },
    fail(how, times = 1) {
      failures = Array.from({ length: times }, () => how)
    },
    loseAnswerOf(request) {
      lost = [request, request]
    },
    forgetKeys: () => answers.clear(),
    cards,
    payouts,
    event(type, object, { account, secret = options.webhookSecret } = {}) {
      const body = JSON.stringify({
        id: id('evt'),
        object: 'event',
        api_version: '2026-10-28.endive',
        created: seconds(),
        livemode: false,
        pending_webhooks: 1,
        request: null,
        type,
        ...(account ? { account } : {}),
        data: { object },
      })
      return sign(body, secret)
    },
    notification(type, about, secret) {
      const body = JSON.stringify({
        id: id('evt'),
        object: 'v2.core.event',
        created: new Date(seconds() * 1000).toISOString(),
        livemode: false,
        type,
        related_object: { ...about, url: `/v2/core/accounts/${about.id}` },
      })
      return sign(body, secret)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The parts of a multipart body by name. */
function readMultipart(text: string, boundary: string): Record<string, string> {
  const parts = text.split(`--${boundary}`).slice(1, -1)
  return Object.fromEntries(
    parts.map((part) => {
      const [head = '', ...content] = part.split('\r\n\r\n')
      return [/ name="([^"]*)"/.exec(head)?.[1] ?? '', content.join('\r\n\r\n').replace(/\r\n$/, '')]
    }),
  )
}

function aCharge(about: { id: string; amount: number; payment_intent: string; created: number }): Charge {
  return {
    ...about,
    object: 'charge',
    amount_captured: about.amount,
    amount_refunded: 0,
    billing_details: { address: null, email: null, name: null, phone: null },
    captured: true,
    currency: 'aud',
    disputed: false,
    livemode: false,
    metadata: {},
    paid: true,
    refunded: false,
    status: 'succeeded',
  }
}

/** A movement of the platform's balance by a dispute. */
function aMovement(id: string, amount: number, created: number): object {
  return {
    id,
    object: 'balance_transaction',
    amount,
    available_on: created,
    created,
    currency: 'aud',
    description: null,
    exchange_rate: null,
    fee: 0,
    fee_details: [],
    net: amount,
    reporting_category: 'dispute',
    source: null,
    status: 'available',
    type: 'adjustment',
  }
}

/** Evidence with every field that Stripe names, empty. */
function noEvidence(): Record<string, unknown> {
  const fields = [
    ...['access_activity_log', 'billing_address', 'cancellation_policy', 'cancellation_policy_disclosure'],
    ...['cancellation_rebuttal', 'customer_communication', 'customer_email_address', 'customer_name'],
    ...['customer_purchase_ip', 'customer_signature', 'duplicate_charge_documentation'],
    ...['duplicate_charge_explanation', 'duplicate_charge_id', 'product_description', 'receipt'],
    ...['refund_policy', 'refund_policy_disclosure', 'refund_refusal_explanation', 'service_date'],
    ...['service_documentation', 'shipping_address', 'shipping_carrier', 'shipping_date'],
    ...['shipping_documentation', 'shipping_tracking_number', 'uncategorized_file', 'uncategorized_text'],
  ]
  return Object.fromEntries(fields.map((field) => [field, null]))
}

type Schema = { [key: string]: unknown }

/** Reads Stripe's OpenAPI description. Returns a check for requests and one for responses, compiled on first use. */
function readDescription(path: string) {
  const document = JSON.parse(readFileSync(path, 'utf8')) as {
    paths: Record<string, Record<string, Operation>>
    components: Schema
  }
  const ajv = new Ajv({
    strict: false,
    coerceTypes: true,
    allErrors: true,
    validateFormats: false,
    inlineRefs: false,
  })
  ajv.addSchema({ $id: 'stripe', components: nullsAsTypes(document.components) } as object)
  const validators = new Map<string, ValidateFunction>()
  const validator = (name: string, schema: Schema) => {
    const made = validators.get(name) ?? ajv.compile(pointIntoDocument(nullsAsTypes(schema)) as object)
    validators.set(name, made)
    return made
  }
  const operationOf = (method: string, path: string): [string, Operation] | null => {
    for (const [template, operations] of Object.entries(document.paths)) {
      const pattern = new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`)
      const operation = operations[method.toLowerCase()]
      if (pattern.test(path) && operation) return [`${method} ${template}`, operation]
    }
    return null
  }
  const complaints = (name: string, check: ValidateFunction) =>
    (check.errors ?? []).map((problem) => `${name}: ${problem.instancePath} ${problem.message}`)

  return {
    checkRequest(method: string, path: string, body: Record<string, unknown>): string[] {
      const found = operationOf(method, path)
      if (!found) return [`${method} ${path}: no such operation`]
      const [name, operation] = found
      const known = Object.fromEntries(Object.entries(body).filter(([key]) => !NEWER_PARAMETERS.has(key)))
      const schema: Schema =
        method === 'GET'
          ? {
              type: 'object',
              properties: Object.fromEntries(
                operation.parameters
                  .filter((parameter) => parameter.in === 'query')
                  .map((parameter) => [parameter.name, parameter.schema]),
              ),
            }
          : (Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {})
      const properties = (schema.properties ?? {}) as Schema
      const unknown = Object.keys(known).filter((key) => !(key in properties))
      const check = validator(`${name} request`, schema)
      check(structuredClone(known))
      return [...unknown.map((key) => `${name}: unknown parameter ${key}`), ...complaints(name, check)]
    },
    checkResponse(method: string, path: string, status: number, content: object): string[] {
      const found = operationOf(method, path)
      if (!found) return []
      const [name, operation] = found
      const response = status === 200 ? operation.responses['200'] : operation.responses.default
      const check = validator(
        `${name} ${status === 200}`,
        response?.content['application/json']?.schema ?? {},
      )
      check(structuredClone(content))
      return complaints(`${name} ${status}`, check)
    },
  }
}

type Operation = {
  parameters: { in: string; name: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content: Record<string, { schema: Schema }> }>
}

/** Converts `nullable` of OpenAPI 3.0 to JSON Schema, which has a null type instead. */
function nullsAsTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nullsAsTypes)
  if (typeof value !== 'object' || value === null) return value
  const { nullable, ...rest } = value as Schema
  const schema = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, nullsAsTypes(part)]))
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema
}

function pointIntoDocument(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointIntoDocument)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === '$ref' && typeof part === 'string' ? part.replace(/^#/, 'stripe#') : pointIntoDocument(part),
    ]),
  )
}
