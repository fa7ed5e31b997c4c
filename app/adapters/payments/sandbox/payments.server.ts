import type { Selectable } from 'kysely'
import { newId } from '../../../shared/ids.ts'
import type { Database, DatabaseTransaction, Tables } from '../../database/port.ts'
import type { PaymentProvider, PaymentSnapshot, ProviderRefusal, ProviderState } from '../port.ts'
import type { SandboxState } from '../sandbox-tables.server.ts'
import type { SandboxWebhooks } from './webhooks.server.ts'

// Stripe's limits for Australian dollars.
const MIN_AMOUNT_CENTS = 50
const MAX_AMOUNT_CENTS = 99_999_999
const PAGE_SIZE = 100

const states: Record<SandboxState, ProviderState> = {
  requires_payment_method: 'open',
  requires_action: 'open',
  succeeded: 'succeeded',
  canceled: 'cancelled',
}

/** Reads a payment's row. */
export function snapshotOf(row: Selectable<Tables['sandbox_payments']>): PaymentSnapshot {
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

type Deps = { db: Database; now: () => Date; webhooks: Pick<SandboxWebhooks, 'addEvent' | 'deliverSoon'> }

const isChargeable = (cents: number) =>
  Number.isInteger(cents) && cents >= MIN_AMOUNT_CENTS && cents <= MAX_AMOUNT_CENTS
const NOT_CHARGEABLE = {
  ok: false,
  reason: 'refused',
  message: 'The amount is outside the range that can be charged.',
} as const satisfies ProviderRefusal

type PaymentCalls = Pick<PaymentProvider, 'create' | 'retrieve' | 'cancel' | 'list'>

/** Calls that create, retrieve, cancel and list the sandbox's payments. */
export function paymentCalls(deps: Deps): PaymentCalls {
  const { db, now, webhooks } = deps
  return {
    async create(input) {
      const { amountCents } = input
      if (!isChargeable(amountCents)) return NOT_CHARGEABLE
      const { card } = input
      if (card && !(await hasCustomer(db, card.customer)))
        return { ok: false, reason: 'refused', message: 'No such customer.' }
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
          sandbox_customer_id: input.card?.customer ?? null,
          saves_card: input.card?.use === 'save',
          sandbox_method_id: null,
          transfer_group: input.group ?? input.paymentId,
          charge_key: null,
          decline_code: null,
          created_at: now(),
          updated_at: now(),
        })
        .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
        .execute()
      const row = await db
        .selectFrom('sandbox_payments')
        .select(['id', 'client_secret', 'amount_cents', 'payment_id', 'sandbox_customer_id'])
        .where('idempotency_key', '=', input.idempotencyKey)
        .executeTakeFirstOrThrow()
      const isSame =
        Number(row.amount_cents) === amountCents &&
        row.payment_id === input.paymentId &&
        row.sandbox_customer_id === (card?.customer ?? null)
      if (!isSame)
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
      const outcome = await db.transaction().execute((tx) => cancelIn(deps, tx, reference))
      if (!outcome.ok) return outcome
      if ('eventId' in outcome && outcome.eventId) webhooks.deliverSoon(outcome.eventId)
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
      const rows = await query.orderBy('created_at', 'desc').orderBy('id').limit(PAGE_SIZE).execute()
      const next = rows.length === PAGE_SIZE ? (rows.at(-1)?.id ?? null) : null
      return { ok: true, snapshots: rows.map(snapshotOf), next }
    },
  }
}

async function hasCustomer(db: Database, id: string): Promise<boolean> {
  return Boolean(
    await db.selectFrom('sandbox_customers').select('id').where('id', '=', id).executeTakeFirst(),
  )
}

async function cancelIn({ now, webhooks }: Deps, tx: DatabaseTransaction, reference: string) {
  const row = await lockPayment(tx, { column: 'id', value: reference })
  if (!row) return { ok: false, reason: 'refused', message: 'No such payment.' } as const
  if (row.state === 'canceled') return { ok: true } as const
  if (row.state === 'succeeded')
    return {
      ok: false,
      reason: 'refused',
      message: 'A payment that has succeeded can’t be cancelled.',
    } as const
  await tx
    .updateTable('sandbox_payments')
    .set({ state: 'canceled', updated_at: now() })
    .where('id', '=', reference)
    .execute()
  return { ok: true, eventId: await webhooks.addEvent(tx, 'payment_intent.canceled', reference) } as const
}

/** Reads a payment and locks its row until the transaction ends. */
export async function lockPayment(
  tx: DatabaseTransaction,
  by: { column: 'id' | 'client_secret'; value: string },
) {
  return tx
    .selectFrom('sandbox_payments')
    .selectAll()
    .where(by.column, '=', by.value)
    .forUpdate()
    .executeTakeFirst()
}
