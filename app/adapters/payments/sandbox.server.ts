import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import { newId } from '../../shared/ids.ts'
import type { Database, DatabaseTransaction, Tables } from '../database/port.ts'
import type { ReachPoint } from './crash-points.ts'
import type { PaymentProvider, PaymentSnapshot, ProviderState, WebhookEvent } from './port.ts'
import { checkCard, findSandboxCard, OUTCOME_MESSAGES, type SandboxField } from './sandbox-cards.ts'
import type { SandboxState } from './sandbox-tables.server.ts'

export const SANDBOX_SIGNATURE_HEADER = 'sandbox-signature'

// What the provider that it stands in for takes in Australian dollars.
const MIN_AMOUNT_CENTS = 50
const MAX_AMOUNT_CENTS = 99_999_999
const SIGNATURE_TOLERANCE_S = 300
const DELIVERY_TIMEOUT_MS = 5_000
const FIRST_RETRY_MS = 60_000
const LONGEST_RETRY_MS = 3_600_000
const MAX_DELIVERIES = 60
const DELIVERIES_PER_RUN = 50
const LISTED_AT_ONCE = 100

/** How webhooks misbehave, for tests. 'late' and 'out_of_order' leave them to `runDueWork`. */
export type WebhookFault = 'none' | 'late' | 'twice' | 'out_of_order' | 'never'

export type SandboxConfirmation =
  | { ok: true; status: 'succeeded' | 'requires_action'; id: string }
  | { ok: false; reason: 'unknown_payment' | 'ended'; message: string }
  | { ok: false; reason: 'fields'; message: string; fields: Partial<Record<SandboxField, string>> }
  | { ok: false; reason: 'card_refused'; message: string }

/** The card form's way into the sandbox, beside what every provider can do. */
export interface SandboxProvider extends PaymentProvider {
  /**
   * What a provider does when the card form is sent. Numbers other than the test cards' are refused and not kept.
   * @param challenge the person's answer to the approval that the challenge card asks for
   */
  confirmCard(input: {
    clientSecret: string
    cardNumber: string
    expiry: string
    cvc: string
    challenge?: 'approve' | 'fail'
  }): Promise<SandboxConfirmation>
  /** Delivers the webhooks that are due. */
  runDueWork(): Promise<void>
  setWebhookFault(fault: WebhookFault): void
  /** Resolves once the deliveries that this process began have ended. */
  settleDeliveries(): Promise<void>
}

const states: Record<SandboxState, ProviderState> = {
  requires_payment_method: 'open',
  requires_action: 'open',
  succeeded: 'succeeded',
  canceled: 'cancelled',
}

function snapshotOf(row: Selectable<Tables['sandbox_payments']>): PaymentSnapshot {
  return {
    reference: row.id,
    state: states[row.state],
    amountCents: Number(row.amount_cents),
    currency: row.currency,
    refundedCents: Number(row.refunded_cents),
    paymentId: row.payment_id,
    lastError: row.last_error,
  }
}

/**
 * A card payment provider of our own that needs no network: it keeps its state in its own tables, so that it
 * survives a restart and is right for several processes, and signs its webhooks as Stripe does.
 * @param options.secret the product's; the webhooks' key is derived from it
 * @param options.webhookUrl asked at each delivery, since the port may be known only after start
 * @param options.log told of deliveries that failed; they are tried again
 */
export function createSandboxProvider(options: {
  db: Database
  secret: string
  now: () => Date
  webhookUrl: () => string
  log?: { warn(fields: object, message: string): void }
  reach?: ReachPoint
}): SandboxProvider {
  const { db, now } = options
  const reach = options.reach ?? (() => {})
  const webhookKey = createHmac('sha256', options.secret).update('sandbox webhooks').digest()
  const deliveries = new Set<Promise<void>>()
  let fault: WebhookFault = 'none'

  function signatureOf(timestamp: string, payload: string): Buffer {
    return createHmac('sha256', webhookKey).update(`${timestamp}.${payload}`).digest()
  }

  async function addEvent(tx: DatabaseTransaction, type: string, sandboxPaymentId: string): Promise<string> {
    const id = `evt_${newId()}`
    await tx
      .insertInto('sandbox_events')
      .values({
        id,
        type,
        sandbox_payment_id: sandboxPaymentId,
        created_at: now(),
        deliver_at: now(),
        delivered_at: null,
      })
      .execute()
    return id
  }

  /** Right after the commit, without keeping the person waiting. What fails is left to `runDueWork`. */
  function deliverSoon(eventId: string | undefined) {
    if (!eventId || fault === 'late' || fault === 'out_of_order' || fault === 'never') return
    const delivery = deliver(eventId)
      .catch((error: unknown) => options.log?.warn({ err: error, eventId }, 'sandbox webhook'))
      .finally(() => deliveries.delete(delivery))
    deliveries.add(delivery)
  }

  async function deliver(eventId: string): Promise<void> {
    // Taken by moving its next try on, so that no other process sends it at the same time.
    const taken = await db
      .updateTable('sandbox_events')
      .set((eb) => ({
        attempts: eb('attempts', '+', 1),
        deliver_at: new Date(now().getTime() + FIRST_RETRY_MS),
      }))
      .where('id', '=', eventId)
      .where('delivered_at', 'is', null)
      .where('deliver_at', '<=', now())
      .returning(['type', 'sandbox_payment_id', 'created_at', 'attempts'])
      .executeTakeFirst()
    if (!taken) return
    const payload = JSON.stringify({
      id: eventId,
      object: 'event',
      type: taken.type,
      created: Math.floor(taken.created_at.getTime() / 1000),
      data: { object: { id: taken.sandbox_payment_id } },
    })
    let delivered = false
    for (let copy = 0; copy < (fault === 'twice' ? 2 : 1); copy++) delivered = await post(payload, eventId)
    if (delivered) {
      await db.updateTable('sandbox_events').set({ delivered_at: now() }).where('id', '=', eventId).execute()
    } else {
      const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** (taken.attempts - 1), LONGEST_RETRY_MS)
      await db
        .updateTable('sandbox_events')
        .set({ deliver_at: new Date(now().getTime() + pauseMs) })
        .where('id', '=', eventId)
        .execute()
    }
  }

  async function post(payload: string, eventId: string): Promise<boolean> {
    const timestamp = String(Math.floor(now().getTime() / 1000))
    reach('webhook-sending')
    try {
      const response = await fetch(options.webhookUrl(), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [SANDBOX_SIGNATURE_HEADER]: `t=${timestamp},v1=${signatureOf(timestamp, payload).toString('hex')}`,
        },
        body: payload,
        redirect: 'error',
        signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MS),
      })
      await response.body?.cancel()
      if (!response.ok) options.log?.warn({ status: response.status, eventId }, 'sandbox webhook refused')
      return response.ok
    } catch (error) {
      options.log?.warn({ err: error, eventId }, 'sandbox webhook not delivered')
      return false
    }
  }

  async function lockPayment(tx: DatabaseTransaction, by: { column: 'id' | 'client_secret'; value: string }) {
    return tx
      .selectFrom('sandbox_payments')
      .selectAll()
      .where(by.column, '=', by.value)
      .forUpdate()
      .executeTakeFirst()
  }

  const provider: SandboxProvider = {
    name: 'sandbox',

    async create(input) {
      const { amountCents } = input
      if (!Number.isInteger(amountCents) || amountCents < MIN_AMOUNT_CENTS || amountCents > MAX_AMOUNT_CENTS)
        return { ok: false, reason: 'refused', message: 'The amount is outside of what can be charged.' }
      const id = `sb_${newId(24)}`
      await db
        .insertInto('sandbox_payments')
        .values({
          id,
          client_secret: `${id}_secret_${newId()}`,
          idempotency_key: input.idempotencyKey,
          amount_cents: amountCents,
          currency: input.currency,
          description: input.description,
          card_last4: null,
          last_error: null,
          payment_id: input.paymentId,
          created_at: now(),
          updated_at: now(),
        })
        .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
        .execute()
      const row = await db
        .selectFrom('sandbox_payments')
        .select(['id', 'client_secret', 'amount_cents', 'payment_id'])
        .where('idempotency_key', '=', input.idempotencyKey)
        .executeTakeFirstOrThrow()
      if (Number(row.amount_cents) !== amountCents || row.payment_id !== input.paymentId)
        return { ok: false, reason: 'refused', message: 'This idempotency key was used with other values.' }
      return { ok: true, reference: row.id, clientSecret: row.client_secret }
    },

    async retrieve(reference) {
      const row = await db
        .selectFrom('sandbox_payments')
        .selectAll()
        .where('id', '=', reference)
        .executeTakeFirst()
      if (!row) return { ok: false, reason: 'unknown_payment', message: 'No such payment.' }
      return { ok: true, snapshot: snapshotOf(row), clientSecret: row.client_secret }
    },

    async cancel(reference) {
      const outcome = await db.transaction().execute(async (tx) => {
        const row = await lockPayment(tx, { column: 'id', value: reference })
        if (!row) return { ok: false, reason: 'refused', message: 'No such payment.' } as const
        if (row.state === 'canceled') return { ok: true } as const
        if (row.state === 'succeeded')
          return {
            ok: false,
            reason: 'refused',
            message: 'A payment that has succeeded can not be cancelled.',
          } as const
        await tx
          .updateTable('sandbox_payments')
          .set({ state: 'canceled', updated_at: now() })
          .where('id', '=', reference)
          .execute()
        return { ok: true, eventId: await addEvent(tx, 'payment_intent.canceled', reference) } as const
      })
      if (!outcome.ok) return outcome
      deliverSoon('eventId' in outcome ? outcome.eventId : undefined)
      return { ok: true }
    },

    async refund(input) {
      const outcome = await db.transaction().execute(async (tx) => {
        const row = await lockPayment(tx, { column: 'id', value: input.reference })
        if (!row) return { ok: false, reason: 'refused', message: 'No such payment.' } as const
        const before = await tx
          .selectFrom('sandbox_refunds')
          .select(['amount_cents', 'sandbox_payment_id'])
          .where('idempotency_key', '=', input.idempotencyKey)
          .executeTakeFirst()
        if (before) {
          const same =
            Number(before.amount_cents) === input.amountCents && before.sandbox_payment_id === input.reference
          return same
            ? ({ ok: true } as const)
            : ({
                ok: false,
                reason: 'refused',
                message: 'This idempotency key was used with other values.',
              } as const)
        }
        if (row.state !== 'succeeded')
          return { ok: false, reason: 'refused', message: 'This payment has not been charged.' } as const
        const refunded = Number(row.refunded_cents) + input.amountCents
        if (
          !Number.isInteger(input.amountCents) ||
          input.amountCents < 1 ||
          refunded > Number(row.amount_cents)
        )
          return {
            ok: false,
            reason: 'refused',
            message: 'The refund is more than what is left of the payment.',
          } as const
        await tx
          .insertInto('sandbox_refunds')
          .values({
            id: `sbr_${newId(24)}`,
            sandbox_payment_id: row.id,
            idempotency_key: input.idempotencyKey,
            amount_cents: input.amountCents,
            created_at: now(),
          })
          .execute()
        await tx
          .updateTable('sandbox_payments')
          .set({ refunded_cents: refunded, updated_at: now() })
          .where('id', '=', row.id)
          .execute()
        return { ok: true, eventId: await addEvent(tx, 'charge.refunded', row.id) } as const
      })
      if (!outcome.ok) return outcome
      deliverSoon('eventId' in outcome ? outcome.eventId : undefined)
      return { ok: true }
    },

    async list({ createdSince, after }) {
      let query = db.selectFrom('sandbox_payments').selectAll().where('created_at', '>=', createdSince)
      const last = after
        ? await db
            .selectFrom('sandbox_payments')
            .select(['id', 'created_at'])
            .where('id', '=', after)
            .executeTakeFirst()
        : undefined
      if (last)
        query = query.where((eb) =>
          eb.or([
            eb('created_at', '<', last.created_at),
            eb.and([eb('created_at', '=', last.created_at), eb('id', '>', last.id)]),
          ]),
        )
      const rows = await query.orderBy('created_at', 'desc').orderBy('id').limit(LISTED_AT_ONCE).execute()
      const next = rows.length === LISTED_AT_ONCE ? (rows.at(-1)?.id ?? null) : null
      return { ok: true, snapshots: rows.map(snapshotOf), next }
    },

    referenceOf(clientSecret) {
      return /^(sb_[0-9a-z]{24})_secret_[0-9a-z]{26}$/.exec(clientSecret)?.[1] ?? null
    },

    parseWebhook(rawBody, headers): WebhookEvent | null {
      const fields = new Map(
        (headers.get(SANDBOX_SIGNATURE_HEADER) ?? '').split(',').map((pair) => {
          const [name = '', value = ''] = pair.split('=')
          return [name, value] as const
        }),
      )
      const timestamp = fields.get('t') ?? ''
      const given = Buffer.from(fields.get('v1') ?? '', 'hex')
      const right = signatureOf(timestamp, rawBody)
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null
      // Checked after the signature, so that an unsigned time tells nothing.
      if (Math.abs(now().getTime() / 1000 - Number(timestamp)) > SIGNATURE_TOLERANCE_S) return null
      const payload = JSON.parse(rawBody) as { id: string; type: string; data: { object: { id: string } } }
      return { id: payload.id, type: payload.type, reference: payload.data.object.id, payload }
    },

    publicConfig: () => ({ provider: 'sandbox' }),

    async confirmCard(input) {
      const fields = checkCard(input, now())
      const card = findSandboxCard(input.cardNumber)
      if (!card || Object.keys(fields).length > 0)
        return { ok: false, reason: 'fields', message: Object.values(fields)[0] ?? '', fields }
      reach('card-checked')
      const { result, eventId } = await db.transaction().execute(async (tx) => {
        const row = await lockPayment(tx, { column: 'client_secret', value: input.clientSecret })
        const done = (result: SandboxConfirmation, eventId?: string) => ({ result, eventId })
        if (!row) return done({ ok: false, reason: 'unknown_payment', message: 'No such payment.' })
        if (row.state === 'succeeded') return done({ ok: true, status: 'succeeded', id: row.id })
        if (row.state === 'canceled')
          return done({ ok: false, reason: 'ended', message: 'This payment has ended. Start a new one.' })

        const move = async (state: SandboxState, error: string | null, event?: string) => {
          await tx
            .updateTable('sandbox_payments')
            .set({ state, last_error: error, card_last4: card.number.slice(-4), updated_at: now() })
            .where('id', '=', row.id)
            .execute()
          return event ? addEvent(tx, event, row.id) : undefined
        }
        const refused = async (message: string) =>
          done(
            { ok: false, reason: 'card_refused', message },
            await move('requires_payment_method', message, 'payment_intent.payment_failed'),
          )
        const succeeded = async () => {
          const event = await move('succeeded', null, 'payment_intent.succeeded')
          reach('card-charged-uncommitted')
          return done({ ok: true, status: 'succeeded', id: row.id }, event)
        }

        if (card.outcome === 'approved') return succeeded()
        if (card.outcome !== 'challenge') return refused(OUTCOME_MESSAGES[card.outcome])
        // An answer counts only once the approval was asked for.
        if (row.state === 'requires_action' && input.challenge === 'approve') return succeeded()
        if (row.state === 'requires_action' && input.challenge === 'fail')
          return refused(OUTCOME_MESSAGES.challenge_failed)
        return done(
          { ok: true, status: 'requires_action', id: row.id },
          await move('requires_action', null, 'payment_intent.requires_action'),
        )
      })
      if (result.ok && result.status === 'succeeded') reach('card-charged')
      deliverSoon(eventId)
      return result
    },

    async runDueWork() {
      if (fault === 'never') return
      const due = await db
        .selectFrom('sandbox_events')
        .select('id')
        .where('delivered_at', 'is', null)
        .where('deliver_at', '<=', now())
        .where('attempts', '<', MAX_DELIVERIES)
        .orderBy('number', fault === 'out_of_order' ? 'desc' : 'asc')
        .limit(DELIVERIES_PER_RUN)
        .execute()
      for (const event of due) await deliver(event.id)
    },

    setWebhookFault(next) {
      fault = next
    },

    async settleDeliveries() {
      while (deliveries.size > 0) await Promise.all(deliveries)
    },
  }
  return provider
}
