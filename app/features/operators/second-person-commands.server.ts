import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { lockByName } from '../../shared/locks.server.ts'
import type { Cents } from '../../shared/money.ts'
import { expirePayoutOrders } from '../payouts/operator-commands.server.ts'
import { needsSecondOperator } from '../payouts/rules.ts'
import type { Operator } from './log-commands.server.ts'
import { ORDER_LIFE_MS, SUM_WINDOW_MS } from './rules.ts'

/**
 * Locks an operator's moves of one purchase, and returns what one operator alone has moved of it in the last 24 hours, in
 * cents. Called before every lock of the purchase, so that two halves of an amount can't both be below the limit.
 */
export async function lockMoves(
  tx: DatabaseTransaction,
  { firstPaymentId, now }: { firstPaymentId: string; now: Date },
): Promise<Cents> {
  await lockByName(tx, 'operator-moves', firstPaymentId)
  const { sum } = await tx
    .selectFrom('operator_moves')
    .select((eb) => eb.fn.sum<string | null>('amount_cents').as('sum'))
    .where('payment_id', '=', firstPaymentId)
    .where('created_at', '>', new Date(now.getTime() - SUM_WINDOW_MS))
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** Whether an amount needs a second person, together with what was moved before. */
export function needsSecondPerson(amounts: { cents: Cents; movedCents: Cents }, limitCents: Cents): boolean {
  return amounts.cents > 0 && needsSecondOperator(amounts.cents + amounts.movedCents, limitCents)
}

/** Records an amount that one operator alone moved. What two have agreed on isn't counted. */
export async function recordMove(
  tx: DatabaseTransaction,
  move: { firstPaymentId: string; cents: Cents; operator: Operator; at: Date },
): Promise<void> {
  await tx
    .insertInto('operator_moves')
    .values({
      id: newId(),
      payment_id: move.firstPaymentId,
      amount_cents: move.cents,
      operator_user_id: move.operator.userId,
      created_at: move.at,
    })
    .execute()
}

/** Whether an order is too old to be confirmed. */
export function isExpired(order: { placed_at: Date }, now: Date): boolean {
  return now.getTime() - order.placed_at.getTime() >= ORDER_LIFE_MS
}

/** Ends the orders that weren't confirmed in time, each table in a statement of its own. */
export async function expireOrders(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - ORDER_LIFE_MS)
  for (const table of ['refund_orders', 'cancellation_orders', 'operator_namings'] as const)
    await db
      .updateTable(table)
      .set({ settled_at: now, outcome: 'expired' })
      .where('settled_at', 'is', null)
      .where('placed_at', '<=', before)
      .execute()
  await expirePayoutOrders(db, { before, now, firstPaymentId: null })
}

/** Ends those of a purchase, so that one may be placed again before the job has run. `lockMoves` comes before. */
export async function expireOrdersOf(
  tx: DatabaseTransaction,
  { firstPaymentId, now }: { firstPaymentId: string; now: Date },
): Promise<void> {
  const before = new Date(now.getTime() - ORDER_LIFE_MS)
  for (const table of ['refund_orders', 'cancellation_orders'] as const)
    await tx
      .updateTable(table)
      .set({ settled_at: now, outcome: 'expired' })
      .where('payment_id', '=', firstPaymentId)
      .where('settled_at', 'is', null)
      .where('placed_at', '<=', before)
      .execute()
  await expirePayoutOrders(tx, { before, now, firstPaymentId })
}

/** Ends the role that was proposed for a person and not confirmed in time, so that another may be proposed. */
export async function expireNamingsOf(tx: DatabaseTransaction, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable('operator_namings')
    .set({ settled_at: now, outcome: 'expired' })
    .where('user_id', '=', userId)
    .where('settled_at', 'is', null)
    .where('placed_at', '<=', new Date(now.getTime() - ORDER_LIFE_MS))
    .execute()
}

/** Forgets moves that no sum counts any more. */
export async function forgetMoves(db: Database, now: Date): Promise<void> {
  await db
    .deleteFrom('operator_moves')
    .where('created_at', '<=', new Date(now.getTime() - SUM_WINDOW_MS))
    .execute()
}
