import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { newId } from '../../../shared/ids.ts'
import type { Database, DatabaseTransaction, Tables } from '../../database/port.ts'
import type { FaultPoint } from '../fault-points.ts'
import type { PayoutEvent, PayoutWebhook } from '../payout-port.ts'
import type { WebhookEvent } from '../port.ts'

const SIGNATURE_HEADER = 'sandbox-signature'
const SIGNATURE_TOLERANCE_S = 300
const DELIVERY_TIMEOUT_MS = 5_000
const FIRST_RETRY_MS = 60_000
const LONGEST_RETRY_MS = 3_600_000
const MAX_DELIVERIES = 60
const DELIVERIES_PER_RUN = 50

/** How a webhook is delivered. 'late' and 'out_of_order' leave it to `deliverDue`, which runs once a minute. */
export const WEBHOOK_FAULTS = ['none', 'late', 'twice', 'out_of_order', 'never'] as const
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number]

const AT_ONCE: readonly WebhookFault[] = ['none', 'twice']
const IN_TIME = WEBHOOK_FAULTS.filter((fault) => fault !== 'never')

/** The webhook addresses, each with a key of its own. */
export type SandboxWebhook = 'platform' | PayoutWebhook

export type SandboxWebhooks = ReturnType<typeof createWebhooks>

type Deps = {
  db: Database
  secret: string
  now: () => Date
  /** Signatures are as old as they really are. */
  realNow: () => Date
  webhookUrl: (webhook: SandboxWebhook) => string
  log?: { warn(fields: object, message: string): void }
  faultPoint: FaultPoint
}

/** The sandbox's events, delivered as signed webhooks until our own server accepts them. */
export function createWebhooks(deps: Deps) {
  const deliveries = new Set<Promise<void>>()
  let fault: WebhookFault = 'none'
  const { addEvent, addCardEvent, addAccountEvent } = createEvents(deps, () => fault)

  /** Delivers events right after the commit, in the background. `deliverDue` delivers the late ones and those that failed. */
  function deliverSoon(...eventIds: string[]) {
    if (eventIds.length === 0) return
    const delivery = deliverEach(deps, eventIds, AT_ONCE)
      .catch((error: unknown) => deps.log?.warn({ err: error, eventIds }, 'sandbox webhook failed'))
      .finally(() => deliveries.delete(delivery))
    deliveries.add(delivery)
  }

  return {
    addEvent,
    addCardEvent,
    addAccountEvent,
    deliverSoon,

    /** Delivers the webhooks that are due, those first that failed or were left out. */
    deliverDue: () => deliverDue(deps),

    /** Chooses how the webhooks of events from now on are delivered, for tests. */
    setWebhookFault(next: WebhookFault) {
      fault = next
    },

    async settleDeliveries() {
      while (deliveries.size > 0) await Promise.all(deliveries)
    },
  }
}

/**
 * The calls that store an event in the caller's transaction and return its id. `deliverSoon` delivers it after the commit.
 * @param presentFault how an event is delivered that brings no fault of its own
 */
function createEvents({ now }: Deps, presentFault: () => WebhookFault) {
  async function insertEvent(
    tx: DatabaseTransaction,
    event: {
      type: string
      webhook: SandboxWebhook
      sandbox_payment_id?: string
      sandbox_account_id?: string
      object_id?: string | null
    },
    ownFault: WebhookFault = presentFault(),
  ): Promise<string> {
    const id = `evt_${newId()}`
    await tx
      .insertInto('sandbox_events')
      .values({
        id,
        ...event,
        fault: ownFault,
        created_at: now(),
        deliver_at: now(),
        delivered_at: null,
      })
      .execute()
    return id
  }

  const addEvent = (
    tx: DatabaseTransaction,
    type: string,
    sandboxPaymentId: string,
    ownFault?: WebhookFault,
  ) => insertEvent(tx, { type, webhook: 'platform', sandbox_payment_id: sandboxPaymentId }, ownFault)

  /** Adds an event about a kept card or a card setup. */
  const addCardEvent = (tx: DatabaseTransaction, type: string, object: string, ownFault?: WebhookFault) =>
    insertEvent(tx, { type, webhook: 'platform', object_id: object }, ownFault)

  /** Adds an event about an account, or about the object of that id on it. */
  const addAccountEvent = (
    tx: DatabaseTransaction,
    webhook: PayoutWebhook,
    type: string,
    account: string,
    object: string | null = null,
    ownFault?: WebhookFault,
  ) => insertEvent(tx, { type, webhook, sandbox_account_id: account, object_id: object }, ownFault)

  return { addEvent, addCardEvent, addAccountEvent }
}

async function deliverEach(
  deps: Deps,
  eventIds: readonly string[],
  faults: readonly WebhookFault[],
): Promise<void> {
  for (const eventId of eventIds) await deliver(deps, eventId, faults)
}

/**
 * Sends one event if it's due and its fault is one of `faults`. An event that isn't accepted is due again later: after a
 * minute, then twice as long each time, up to an hour.
 */
async function deliver(deps: Deps, eventId: string, faults: readonly WebhookFault[]): Promise<void> {
  const { db, now } = deps
  // Claims the event by postponing its next try, so that no other process sends it at the same time.
  const claimed = await db
    .updateTable('sandbox_events')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      deliver_at: new Date(now().getTime() + FIRST_RETRY_MS),
    }))
    .where('id', '=', eventId)
    .where('delivered_at', 'is', null)
    .where('deliver_at', '<=', now())
    .where('fault', 'in', faults)
    .returningAll()
    .executeTakeFirst()
  if (!claimed) return
  const payload = payloadOf(eventId, claimed)
  let delivered = false
  for (let copy = 0; copy < (claimed.fault === 'twice' ? 2 : 1); copy++)
    delivered = await post(deps, claimed.webhook, payload, eventId)
  if (delivered) {
    await db.updateTable('sandbox_events').set({ delivered_at: now() }).where('id', '=', eventId).execute()
  } else {
    const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** (claimed.attempts - 1), LONGEST_RETRY_MS)
    await db
      .updateTable('sandbox_events')
      .set({ deliver_at: new Date(now().getTime() + pauseMs) })
      .where('id', '=', eventId)
      .execute()
  }
}

/** Delivers the events that are due, 50 at most. */
async function deliverDue(deps: Deps): Promise<void> {
  const { db, now } = deps
  const due = await db
    .selectFrom('sandbox_events')
    .select('id')
    .where('delivered_at', 'is', null)
    .where('deliver_at', '<=', now())
    .where('attempts', '<', MAX_DELIVERIES)
    .where('fault', 'in', IN_TIME)
    .orderBy(sql`case when fault = 'out_of_order' then -number else number end`)
    .limit(DELIVERIES_PER_RUN)
    .execute()
  await deliverEach(
    deps,
    due.map(({ id }) => id),
    IN_TIME,
  )
}

function payloadOf(id: string, event: Selectable<Tables['sandbox_events']>): string {
  return JSON.stringify({
    id,
    object: 'event',
    type: event.type,
    created: Math.floor(event.created_at.getTime() / 1000),
    ...(event.sandbox_account_id ? { account: event.sandbox_account_id } : {}),
    data: { object: { id: event.sandbox_payment_id ?? event.object_id ?? event.sandbox_account_id } },
  })
}

async function post(deps: Deps, webhook: SandboxWebhook, payload: string, eventId: string): Promise<boolean> {
  const { realNow, webhookUrl, log } = deps
  const timestamp = String(Math.floor(realNow().getTime() / 1000))
  deps.faultPoint('webhook-sending')
  try {
    const response = await fetch(webhookUrl(webhook), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [SIGNATURE_HEADER]: `t=${timestamp},v1=${signatureOf(deps.secret, webhook, timestamp, payload).toString('hex')}`,
      },
      body: payload,
      redirect: 'error',
      signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
    })
    await response.body?.cancel()
    if (!response.ok) log?.warn({ status: response.status, eventId }, 'sandbox webhook refused')
    return response.ok
  } catch (error) {
    log?.warn({ err: error, eventId }, 'sandbox webhook not delivered')
    return false
  }
}

type SignatureDeps = { secret: string; realNow: () => Date }

/** @returns null when the signature doesn't match the body or is too old */
export function parseWebhook(deps: SignatureDeps, rawBody: string, headers: Headers): WebhookEvent | null {
  const payload = readSigned(deps, 'platform', rawBody, headers)
  if (!payload) return null
  const { id } = payload.data.object
  const event = { id: payload.id, type: payload.type, reference: null, payload }
  if (payload.type.startsWith('setup_intent.')) return { ...event, card: { setup: id } }
  if (payload.type.startsWith('payment_method.')) return { ...event, card: { method: id } }
  return { ...event, reference: id }
}

/** @returns null when the signature doesn't match the body and address, or is too old */
export function parsePayoutWebhook(
  deps: SignatureDeps,
  webhook: PayoutWebhook,
  rawBody: string,
  headers: Headers,
): PayoutEvent | null {
  const payload = readSigned(deps, webhook, rawBody, headers)
  if (!payload) return null
  const { id, type, account = null, data } = payload
  return { id, type, account, payout: type.startsWith('payout.') ? data.object.id : null, payload }
}

type Payload = { id: string; type: string; account?: string; data: { object: { id: string } } }

function readSigned(
  { secret, realNow }: SignatureDeps,
  webhook: SandboxWebhook,
  rawBody: string,
  headers: Headers,
): Payload | null {
  const fields = new Map(
    (headers.get(SIGNATURE_HEADER) ?? '').split(',').map((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return [name, value] as const
    }),
  )
  const timestamp = fields.get('t') ?? ''
  const given = Buffer.from(fields.get('v1') ?? '', 'hex')
  const right = signatureOf(secret, webhook, timestamp, rawBody)
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  // Checked after the signature, so that an unsigned request learns nothing about the tolerance.
  if (Math.abs(realNow().getTime() / 1000 - Number(timestamp)) > SIGNATURE_TOLERANCE_S) return null
  return JSON.parse(rawBody) as Payload
}

/** The names from which the keys are derived. */
const KEY_NAMES = {
  platform: 'sandbox webhooks',
  connected: 'sandbox webhooks of connected accounts',
  accounts: 'sandbox webhooks of accounts',
} as const satisfies Record<SandboxWebhook, string>

function signatureOf(secret: string, webhook: SandboxWebhook, timestamp: string, payload: string): Buffer {
  const webhookKey = createHmac('sha256', secret).update(KEY_NAMES[webhook]).digest()
  return createHmac('sha256', webhookKey).update(`${timestamp}.${payload}`).digest()
}
