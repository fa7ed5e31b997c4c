import type { Selectable } from 'kysely'
import type { DatabaseTransaction, Tables } from '../../adapters/database/port.ts'
import type { ReversalSnapshot, TransferSnapshot } from '../../adapters/payments/payout-port.ts'
import { newId } from '../../shared/ids.ts'
import type { BookingRow } from '../bookings/row-queries.server.ts'
import { reversal, transfer } from '../ledger/rules.ts'
import { askAboutAccount } from './account-commands.server.ts'
import type { PayoutDeps } from './deps.server.ts'
import { lockBookingMoney, postAboutBooking } from './money-commands.server.ts'
import { tellDebt, tellMoneySent } from './notice-commands.server.ts'

type TransferRow = Selectable<Tables['transfers']>

/**
 * Makes a claimed transfer at the provider and stores its answer. The provider's key names the transfer, and a repeat asks
 * first what was made, so that it is made once whatever dies in between.
 * @returns false when the answer is missing; the booking is looked at again later
 */
export async function makeTransfer(
  deps: PayoutDeps,
  { transferId, mode }: { transferId: string; mode: 'make' | 'repeat' | 'look' | 'drop' },
): Promise<boolean> {
  const { db, payouts } = deps
  const row = await db
    .selectFrom('transfers')
    .selectAll()
    .where('id', '=', transferId)
    .executeTakeFirstOrThrow()
  deps.faultPoint('transfer-claimed')
  const { account, charge } = await findWay(deps, row)
  const group = row.payment_id
  if (mode !== 'make') {
    const listed = await payouts.listTransfers(group)
    if (!listed.ok) return false
    const made = listed.transfers.find((one) => one.transferId === transferId)
    if (made) return storeTransfer(deps, row, made)
    if (mode === 'look') return false
    if (mode === 'drop') return dropClaim(deps, row, null)
  }
  if (!account.provider_account) throw new Error('a transfer is claimed for an account that was never made')
  const amountCents = Number(row.amount_cents)
  const made = await payouts.transfer({
    account: account.provider_account,
    amountCents,
    charge,
    group,
    transferId,
  })
  deps.faultPoint('transfer-made')
  if (made.ok) return storeTransfer(deps, row, made.transfer)
  await db
    .updateTable('transfers')
    .set({ last_error: made.message })
    .where('id', '=', transferId)
    .where('state', '=', 'claimed')
    .execute()
  // The provider did nothing, and would answer the same key the same way: the next try has another id.
  if (made.reason === 'refused') {
    await dropClaim(deps, row, made.message)
    await askAboutAccount(deps, account)
  }
  return false
}

/** The account that a transfer goes to, and the charge that it comes from. */
async function findWay(deps: PayoutDeps, row: TransferRow) {
  const account = await deps.db
    .selectFrom('payout_accounts')
    .select(['id', 'attempt', 'provider_account'])
    .where('id', '=', row.payout_account_id)
    .executeTakeFirstOrThrow()
  const payment = await deps.db
    .selectFrom('payments')
    .innerJoin('sales', 'sales.id', 'payments.sale_id')
    .select(['payments.provider_reference', 'sales.commission'])
    .where('payments.id', '=', row.charge_payment_id)
    .executeTakeFirst()
  // The group of a charge from before payouts is another one than the transfer's.
  return { account, charge: payment?.commission ? payment.provider_reference : null }
}

/** Locks the money of a transfer's booking. */
async function lockMoney(tx: DatabaseTransaction, row: TransferRow): Promise<BookingRow> {
  const booking = await lockBookingMoney(tx, row.booking_id)
  if (!booking) throw new Error('a transfer belongs to a booking that does not exist')
  return booking
}

async function storeTransfer(deps: PayoutDeps, row: TransferRow, made: TransferSnapshot): Promise<boolean> {
  const now = deps.now()
  await deps.db.transaction().execute(async (tx) => {
    const booking = await lockMoney(tx, row)
    const amountCents = Number(row.amount_cents)
    if (made.amountCents !== amountCents)
      throw new Error(`transfer ${row.id} was made with ${made.amountCents} instead of ${amountCents} cents`)
    const stored = await tx
      .updateTable('transfers')
      .set({ state: 'made', provider_transfer: made.reference, made_at: now, last_error: null })
      .where('id', '=', row.id)
      .where('state', '=', 'claimed')
      .returning('id')
      .executeTakeFirst()
    // Another process has stored the same answer.
    if (!stored) return
    const entry = transfer({ cents: amountCents, debts: [], paidFrom: 'provider_balance' })
    await postAboutBooking(tx, booking, [
      { key: `transfer:${row.id}`, entry, at: now, reference: made.reference },
    ])
    await tellMoneySent(deps, tx, booking, {
      id: row.id,
      amountCents,
      nettedCents: Number(row.netted_cents ?? 0),
    })
    deps.faultPoint('transfer-stored-uncommitted')
  })
  return true
}

/**
 * Gives up the claim of a transfer that was not made. The debts that it has paid stay paid. The rest is planned anew, under
 * another id.
 * @param error the provider's, if it has refused
 */
async function dropClaim(deps: PayoutDeps, row: TransferRow, error: string | null): Promise<boolean> {
  await deps.db.transaction().execute(async (tx) => {
    await lockMoney(tx, row)
    const claim = await tx
      .selectFrom('transfers')
      .select('id')
      .where('id', '=', row.id)
      .where('state', '=', 'claimed')
      .where('attempts', '=', row.attempts)
      .executeTakeFirst()
    if (!claim) return
    if (Number(row.netted_cents) > 0) {
      const { purpose } = row
      const spent = { state: 'made', amount_cents: 0, made_at: deps.now(), purpose } as const
      await tx.updateTable('transfers').set(spent).where('id', '=', row.id).execute()
      return
    }
    await tx
      .updateTable('transfers')
      .set({
        id: newId(),
        state: 'due',
        charge_payment_id: null,
        amount_cents: null,
        netted_cents: null,
        last_error: error,
      })
      .where('id', '=', row.id)
      .execute()
  })
  return true
}

/**
 * Brings a part of a transfer back and stores the provider's answer. What it can't bring back becomes the vendor's debt.
 * @returns false when the answer is missing; the booking is looked at again later
 */
export async function makeReversal(
  deps: PayoutDeps,
  { reversalId, isRepeat }: { reversalId: string; isRepeat: boolean },
): Promise<boolean> {
  const { db, payouts } = deps
  const row = await db
    .selectFrom('transfer_reversals')
    .selectAll()
    .where('id', '=', reversalId)
    .executeTakeFirstOrThrow()
  const made = await db
    .selectFrom('transfers')
    .selectAll()
    .where('id', '=', row.transfer_id)
    .executeTakeFirstOrThrow()
  deps.faultPoint('reversal-claimed')
  if (!made.provider_transfer) throw new Error('a reversal is claimed of a transfer that was never made')
  if (isRepeat) {
    // The provider forgets keys after a day.
    const listed = await payouts.listReversals(made.provider_transfer)
    if (!listed.ok) return false
    const found = listed.reversals.find((one) => one.reversalId === reversalId)
    if (found) return storeReversal(deps, made, reversalId, found)
  }
  const answer = await payouts.reverse({
    transfer: made.provider_transfer,
    amountCents: Number(row.amount_cents),
    reversalId,
  })
  deps.faultPoint('reversal-made')
  if (answer.ok) return storeReversal(deps, made, reversalId, answer.reversal)
  await db
    .updateTable('transfer_reversals')
    .set({ last_error: answer.message })
    .where('id', '=', reversalId)
    .where('state', '=', 'claimed')
    .execute()
  if (answer.reason === 'unreachable') return false
  return storeReversal(deps, made, reversalId, null)
}

/** @param came null when nothing could be brought back */
async function storeReversal(
  deps: PayoutDeps,
  made: TransferRow,
  reversalId: string,
  came: ReversalSnapshot | null,
): Promise<boolean> {
  const now = deps.now()
  await deps.db.transaction().execute(async (tx) => {
    const booking = await lockMoney(tx, made)
    const stored = await tx
      .updateTable('transfer_reversals')
      .set(
        came
          ? { state: 'done', provider_reversal: came.reference, done_at: now, last_error: null }
          : { state: 'impossible', done_at: now },
      )
      .where('id', '=', reversalId)
      .where('state', '=', 'claimed')
      .returning('amount_cents')
      .executeTakeFirst()
    if (!stored) return
    const cents = Number(stored.amount_cents)
    const entry = reversal(
      came ? { broughtBackCents: cents, owedCents: 0 } : { broughtBackCents: 0, owedCents: cents },
    )
    await postAboutBooking(tx, booking, [
      { key: `reversal:${reversalId}`, entry, at: now, reference: came?.reference ?? null },
    ])
    if (!came) {
      await tellDebt(deps, tx, booking, { key: reversalId, owedCents: cents })
      return
    }
    const before = await tx
      .selectFrom('transfers')
      .select(['amount_cents', 'reversed_cents'])
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow()
    const reversedCents = Number(before.reversed_cents) + cents
    const isAll = reversedCents === Number(before.amount_cents)
    await tx
      .updateTable('transfers')
      .set({ reversed_cents: reversedCents, state: isAll ? 'reversed' : 'partly_reversed' })
      .where('id', '=', made.id)
      .execute()
  })
  return true
}
