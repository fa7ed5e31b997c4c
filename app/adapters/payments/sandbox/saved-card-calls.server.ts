import { newId } from '../../../shared/ids.ts'
import type { Database, DatabaseTransaction } from '../../database/port.ts'
import type { FaultPoint } from '../fault-points.ts'
import type { CardSetupSnapshot, PaymentProvider, ProviderCard, ProviderRefusal } from '../port.ts'
import { CHARGE_MESSAGES, isExpired, type SandboxChargeAnswer } from '../sandbox-cards.ts'
import type { SandboxState } from '../sandbox-tables.server.ts'
import { chargeIn, refuseIn } from './card-confirmation.server.ts'
import { findMethod, type PresentedCard } from './kept-cards.server.ts'
import { lockPayment, snapshotOf } from './payments.server.ts'
import type { SandboxWebhooks } from './webhooks.server.ts'

type Deps = {
  db: Database
  now: () => Date
  faultPoint: FaultPoint
  webhooks: Pick<SandboxWebhooks, 'addEvent' | 'addCardEvent' | 'deliverSoon'>
}

type SavedCardCalls = Pick<
  PaymentProvider,
  | 'createCustomer'
  | 'chargeSavedCard'
  | 'savedCardOf'
  | 'retrieveCard'
  | 'createCardSetup'
  | 'retrieveCardSetup'
  | 'detachCard'
>

const refused = (message: string): ProviderRefusal => ({ ok: false, reason: 'refused', message })

/** Calls about customers and the cards that the sandbox keeps for them. */
export function savedCardCalls(deps: Deps): SavedCardCalls {
  const { db, now } = deps
  return {
    async createCustomer({ paymentId, idempotencyKey }) {
      await db
        .insertInto('sandbox_customers')
        .values({
          id: `sbc_${newId(24)}`,
          payment_id: paymentId,
          idempotency_key: idempotencyKey,
          next_answer: null,
          created_at: now(),
        })
        .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
        .execute()
      const row = await db
        .selectFrom('sandbox_customers')
        .select(['id', 'payment_id'])
        .where('idempotency_key', '=', idempotencyKey)
        .executeTakeFirstOrThrow()
      return row.payment_id === paymentId
        ? { ok: true, customer: row.id }
        : refused('This idempotency key was used with other values.')
    },

    async chargeSavedCard(input) {
      const { answer, eventIds } = await db.transaction().execute((tx) => chargeSaved(deps, tx, input))
      deps.webhooks.deliverSoon(...eventIds)
      return answer
    },

    async savedCardOf(reference) {
      const row = await db
        .selectFrom('sandbox_payments')
        .select('sandbox_method_id')
        .where('id', '=', reference)
        .executeTakeFirst()
      if (!row) return refused('No such payment.')
      return { ok: true, card: row.sandbox_method_id ? await findCard(db, row.sandbox_method_id) : null }
    },

    async retrieveCard(method) {
      return { ok: true, card: await findCard(db, method) }
    },

    ...setupCalls(deps),

    async detachCard(method) {
      const row = await db
        .updateTable('sandbox_methods')
        .set((eb) => ({ detached_at: eb.fn.coalesce('detached_at', eb.val(now())) }))
        .where('id', '=', method)
        .returning('id')
        .executeTakeFirst()
      return row ? { ok: true } : refused('No such card.')
    },
  }
}

/** Calls about saving a card without a charge. */
function setupCalls({ db, now }: Deps): Pick<SavedCardCalls, 'createCardSetup' | 'retrieveCardSetup'> {
  return {
    async createCardSetup({ customer, idempotencyKey }) {
      const known = await db
        .selectFrom('sandbox_customers')
        .select('id')
        .where('id', '=', customer)
        .executeTakeFirst()
      if (!known) return refused('No such customer.')
      const id = `sbs_${newId(24)}`
      await db
        .insertInto('sandbox_setups')
        .values({
          id,
          client_secret: `${id}_secret_${newId()}`,
          idempotency_key: idempotencyKey,
          sandbox_customer_id: customer,
          state: 'requires_payment_method',
          sandbox_method_id: null,
          created_at: now(),
        })
        .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
        .execute()
      const row = await db
        .selectFrom('sandbox_setups')
        .select(['id', 'client_secret', 'sandbox_customer_id'])
        .where('idempotency_key', '=', idempotencyKey)
        .executeTakeFirstOrThrow()
      return row.sandbox_customer_id === customer
        ? { ok: true, reference: row.id, clientSecret: row.client_secret }
        : refused('This idempotency key was used with other values.')
    },

    async retrieveCardSetup(reference) {
      const row = await db
        .selectFrom('sandbox_setups')
        .selectAll()
        .where('id', '=', reference)
        .executeTakeFirst()
      if (!row) return refused('No such card setup.')
      const setup: CardSetupSnapshot = {
        reference,
        customer: row.sandbox_customer_id,
        state: SETUP_STATES[row.state],
        card: row.sandbox_method_id ? await findCard(db, row.sandbox_method_id) : null,
      }
      return { ok: true, setup, clientSecret: row.client_secret }
    },
  }
}

const SETUP_STATES: Record<SandboxState, CardSetupSnapshot['state']> = {
  requires_payment_method: 'open',
  requires_action: 'open',
  succeeded: 'succeeded',
  canceled: 'cancelled',
}

async function findCard(db: Database, method: string): Promise<ProviderCard | null> {
  const row = await db
    .selectFrom('sandbox_methods')
    .selectAll()
    .where('id', '=', method)
    .where('detached_at', 'is', null)
    .executeTakeFirst()
  return row
    ? {
        method: row.id,
        brand: 'visa',
        lastFour: row.last_four,
        expiresYear: row.expires_year,
        expiresMonth: row.expires_month,
      }
    : null
}

type Charge = Parameters<PaymentProvider['chargeSavedCard']>[0]
type Charged = { answer: Awaited<ReturnType<PaymentProvider['chargeSavedCard']>>; eventIds: string[] }

async function chargeSaved(deps: Deps, tx: DatabaseTransaction, input: Charge): Promise<Charged> {
  const payment = await lockPayment(tx, { column: 'id', value: input.reference })
  const unmoved = (answer: Charged['answer']) => ({ answer, eventIds: [] })
  if (!payment) return unmoved(refused('No such payment.'))
  if (payment.state === 'canceled') return unmoved(refused('This payment was cancelled.'))
  if (payment.state === 'succeeded' || payment.charge_key === input.idempotencyKey)
    return unmoved({ ok: true, snapshot: snapshotOf(payment), declineCode: payment.decline_code })
  const customer = payment.sandbox_customer_id
  const presented = customer && (await findMethod(tx, { id: input.method, customer }))
  if (!presented) return unmoved(refused('No such card of this customer.'))
  const result = (await takeNextAnswer(tx, customer)) ?? ownAnswer(presented, deps.now())
  const eventIds =
    result === 'approved'
      ? await chargeIn(deps, tx, payment, presented)
      : await refuseIn(deps, tx, {
          id: payment.id,
          presented,
          message: CHARGE_MESSAGES[result],
          declineCode: result,
        })
  const moved = await tx
    .updateTable('sandbox_payments')
    .set({ charge_key: input.idempotencyKey })
    .where('id', '=', payment.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const answer = { ok: true, snapshot: snapshotOf(moved), declineCode: moved.decline_code } as const
  return { answer, eventIds }
}

/** The outcome that the console has set for a customer's next charge, once. */
async function takeNextAnswer(
  tx: DatabaseTransaction,
  customer: string,
): Promise<SandboxChargeAnswer | null> {
  const { next_answer } = await tx
    .selectFrom('sandbox_customers')
    .select('next_answer')
    .where('id', '=', customer)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (!next_answer) return null
  await tx.updateTable('sandbox_customers').set({ next_answer: null }).where('id', '=', customer).execute()
  return next_answer
}

function ownAnswer({ card, expires }: PresentedCard, now: Date): SandboxChargeAnswer {
  return isExpired(expires, now) ? 'expired_card' : (card.kept ?? 'approved')
}

/**
 * Sets the outcome of the next charge of the card that a payment has saved.
 * @returns refuses with 'no_card' where it has saved none
 */
export async function setNextAnswer(
  tx: DatabaseTransaction,
  reference: string,
  answer: SandboxChargeAnswer,
): Promise<{ ok: true } | { ok: false; reason: 'no_card' }> {
  const row = await tx
    .updateTable('sandbox_customers')
    .set({ next_answer: answer })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('sandbox_payments')
        .select('sandbox_customer_id')
        .where('id', '=', reference)
        .where('saves_card', '=', true),
    )
    .returning('id')
    .executeTakeFirst()
  return row ? { ok: true } : { ok: false, reason: 'no_card' }
}
