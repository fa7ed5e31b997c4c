import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { listBookingTransactions } from '../ledger/queries.server.ts'
import { reversal } from '../ledger/rules.ts'
import { pauseAfterTries } from '../payments/rules.ts'
import type { PayoutDeps } from './deps.server.ts'
import { postAboutBooking } from './money-commands.server.ts'
import { tellDebt } from './notice-commands.server.ts'
import { splitReversal } from './rules.ts'
import {
  lookAgain,
  type Next,
  nextTryAt,
  type ReversalRow,
  type Subject,
  type TransferRow,
} from './settlement-subject-commands.server.ts'

/**
 * Plans the reversals of a booking's transfers, newest first, and claims the first one. An amount that paid debts instead of
 * being transferred becomes a debt at once.
 * @returns null when nothing has to come back
 */
export async function planReversals(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  subject: Subject,
): Promise<Next | null> {
  const { row, money, transfers } = subject
  const now = deps.now()
  // Plans again, since the ledger may have changed. Claimed reversals stay, since they may have been made already.
  const claimed = subject.reversals.filter(({ state }) => state === 'claimed')
  const planned = subject.reversals.filter(({ state }) => state === 'due').map(({ id }) => id)
  if (planned.length > 0) await tx.deleteFrom('transfer_reversals').where('id', 'in', planned).execute()
  const [open] = claimed
  if (open) return repeatReversal(deps, tx, row.id, open)
  const missingCents = -money.payableCents
  if (missingCents <= 0) return null
  const { reversals, owedCents } = splitReversal(
    missingCents,
    transfers
      .filter(({ state }) => state === 'made' || state === 'partly_reversed')
      .map((one) => ({ id: one.id, restCents: restOf(one) })),
  )
  if (owedCents > 0) {
    const nth =
      (await listBookingTransactions(tx, row.id)).filter(({ kind }) => kind === 'reversal').length + 1
    const key = `reversal:${row.id}:${nth}`
    await postAboutBooking(tx, row, [{ key, entry: reversal({ broughtBackCents: 0, owedCents }), at: now }])
    await tellDebt(deps, tx, row, { key: `${row.id}-${nth}`, owedCents })
  }
  const [first] = reversals
  if (!first) return { kind: 'again' }
  const id = newId()
  await tx
    .insertInto('transfer_reversals')
    .values({
      id,
      transfer_id: first.transferId,
      amount_cents: first.cents,
      state: 'claimed',
      claimed_at: now,
      attempts: 1,
      last_error: null,
      provider_reversal: null,
      done_at: null,
      created_at: now,
    })
    .execute()
  await lookAgain(tx, row.id, new Date(now.getTime() + pauseAfterTries(1)))
  return { kind: 'reversal', reversalId: id, isRepeat: false }
}

/** Returns the part of a transfer that hasn't been reversed, in cents. */
function restOf(row: TransferRow): Cents {
  return Number(row.amount_cents) - Number(row.reversed_cents)
}

/** Repeats a reversal whose answer is missing, with its own id and amount. */
async function repeatReversal(
  deps: PayoutDeps,
  tx: DatabaseTransaction,
  bookingId: string,
  row: ReversalRow,
): Promise<Next> {
  const now = deps.now()
  const repeatAt = nextTryAt(row)
  if (repeatAt > now) return lookAgain(tx, bookingId, repeatAt)
  await tx
    .updateTable('transfer_reversals')
    .set({ claimed_at: now, attempts: row.attempts + 1 })
    .where('id', '=', row.id)
    .execute()
  await lookAgain(tx, bookingId, new Date(now.getTime() + pauseAfterTries(row.attempts + 1)))
  return { kind: 'reversal', reversalId: row.id, isRepeat: true }
}
