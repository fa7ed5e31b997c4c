import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import { lockByName } from '../../shared/locks.server.ts'
import type { Cents } from '../../shared/money.ts'
import { needsSecondOperator } from '../payouts/rules.ts'
import type { Operator } from './log-commands.server.ts'
import { SUM_WINDOW_MS } from './rules.ts'

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

/** Forgets moves that no sum counts any more. */
export async function forgetMoves(db: Database, now: Date): Promise<void> {
  await db
    .deleteFrom('operator_moves')
    .where('created_at', '<=', new Date(now.getTime() - SUM_WINDOW_MS))
    .execute()
}
