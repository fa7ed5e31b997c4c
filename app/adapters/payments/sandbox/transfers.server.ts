import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { newId } from '../../../shared/ids.ts'
import { lockByName } from '../../../shared/locks.server.ts'
import type { Cents } from '../../../shared/money.ts'
import type { Database, DatabaseTransaction, Tables } from '../../database/port.ts'
import type { PayoutProvider, ReversalSnapshot, TransferSnapshot } from '../payout-port.ts'
import type { ProviderRefusal } from '../port.ts'
import { lockAccount, transfersOf } from './accounts.server.ts'
import { addMovement, availabilityOfCharge, measureBalance } from './balance.server.ts'
import { lockPayment } from './payments.server.ts'

type Deps = { db: Database; now: () => Date }
type TransferInput = Parameters<PayoutProvider['transfer']>[0]
type ReversalInput = Parameters<PayoutProvider['reverse']>[0]

const refused = (message: string): ProviderRefusal => ({ ok: false, reason: 'refused', message })

/** Transfers to vendors' accounts and their reversals, as a provider makes and lists them. */
export function transferCalls(
  deps: Deps,
): Pick<PayoutProvider, 'transfer' | 'listTransfers' | 'reverse' | 'listReversals'> {
  const { db } = deps
  return {
    transfer: (input) => db.transaction().execute((tx) => transferIn(deps, tx, input)),

    async listTransfers(group) {
      const rows = await db
        .selectFrom('sandbox_transfers')
        .selectAll()
        .where('transfer_group', '=', group)
        .orderBy('number', 'desc')
        .execute()
      return { ok: true, transfers: rows.map(transferSnapshotOf) }
    },

    reverse: (input) => db.transaction().execute((tx) => reverseIn(deps, tx, input)),

    async listReversals(transfer) {
      const rows = await db
        .selectFrom('sandbox_reversals')
        .selectAll()
        .where('sandbox_transfer_id', '=', transfer)
        .orderBy('number', 'desc')
        .execute()
      return { ok: true, reversals: rows.map(reversalSnapshotOf) }
    },
  }
}

/** Locks the charge, then the account, so that concurrent transfers never exceed either. */
async function transferIn(
  deps: Deps,
  tx: DatabaseTransaction,
  input: TransferInput,
): Promise<{ ok: true; transfer: TransferSnapshot } | ProviderRefusal> {
  const now = deps.now()
  const charge = input.charge ? await lockPayment(tx, { column: 'id', value: input.charge }) : null
  const account = await lockAccount(tx, input.account)
  if (!account) return refused('No such account.')
  const before = await tx
    .selectFrom('sandbox_transfers')
    .selectAll()
    .where('transfer_id', '=', input.transferId)
    .executeTakeFirst()
  if (before) {
    const isSame =
      before.sandbox_account_id === input.account &&
      Number(before.amount_cents) === input.amountCents &&
      before.sandbox_payment_id === input.charge
    return isSame
      ? { ok: true, transfer: transferSnapshotOf(before) }
      : refused('This idempotency key was used with other values.')
  }
  if (!Number.isInteger(input.amountCents) || input.amountCents < 1)
    return refused('The amount must be at least 1 cent.')
  if (transfersOf(account) !== 'active') return refused('The account can’t take transfers.')
  if (input.charge && charge?.state !== 'succeeded') return refused('No such charge.')
  const refusal = charge
    ? await refuseBeyondCharge(tx, charge, input.amountCents)
    : await refuseBeyondBalance(tx, input.amountCents, now)
  if (refusal) return refusal

  const row = await tx
    .insertInto('sandbox_transfers')
    .values({
      id: `sbt_${newId(24)}`,
      sandbox_account_id: account.id,
      amount_cents: input.amountCents,
      sandbox_payment_id: input.charge,
      transfer_group: input.group,
      transfer_id: input.transferId,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const availableAt = charge ? await availabilityOfCharge(tx, charge.id, now) : now
  const movement = { kind: 'transfer', reference: row.id, availableAt } as const
  await addMovement(tx, now, { ...movement, amountCents: -input.amountCents })
  await addMovement(tx, now, { ...movement, account: account.id, amountCents: input.amountCents })
  return { ok: true, transfer: transferSnapshotOf(row) }
}

/** Counts transfers in full, reversed ones too: money that came back is in the balance now. */
async function refuseBeyondCharge(
  tx: DatabaseTransaction,
  charge: { id: string; amount_cents: string | number },
  amountCents: Cents,
): Promise<ProviderRefusal | null> {
  const { transferred } = await tx
    .selectFrom('sandbox_transfers')
    .select(({ fn }) =>
      fn.coalesce(fn.sum<string | number>('amount_cents'), sql<number>`0`).as('transferred'),
    )
    .where('sandbox_payment_id', '=', charge.id)
    .executeTakeFirstOrThrow()
  return Number(transferred) + amountCents > Number(charge.amount_cents)
    ? refused('The transfers of this charge would exceed it.')
    : null
}

async function refuseBeyondBalance(
  tx: DatabaseTransaction,
  amountCents: Cents,
  now: Date,
): Promise<ProviderRefusal | null> {
  // Two transfers at the same time must not spend the same money.
  await lockByName(tx, 'sandbox platform balance')
  const { availableCents } = await measureBalance(tx, null, now)
  return amountCents > availableCents ? refused('The available balance is too low for this transfer.') : null
}

/** Locks the transfer, then the account. */
async function reverseIn(
  deps: Deps,
  tx: DatabaseTransaction,
  input: ReversalInput,
): ReturnType<PayoutProvider['reverse']> {
  const now = deps.now()
  const transfer = await tx
    .selectFrom('sandbox_transfers')
    .selectAll()
    .where('id', '=', input.transfer)
    .forUpdate()
    .executeTakeFirst()
  if (!transfer) return refused('No such transfer.')
  const before = await tx
    .selectFrom('sandbox_reversals')
    .selectAll()
    .where('reversal_id', '=', input.reversalId)
    .executeTakeFirst()
  if (before) {
    const isSame =
      before.sandbox_transfer_id === input.transfer && Number(before.amount_cents) === input.amountCents
    return isSame
      ? { ok: true, reversal: reversalSnapshotOf(before) }
      : refused('This idempotency key was used with other values.')
  }
  const reversedCents = Number(transfer.reversed_cents) + input.amountCents
  if (
    !Number.isInteger(input.amountCents) ||
    input.amountCents < 1 ||
    reversedCents > Number(transfer.amount_cents)
  )
    return refused('The reversal is more than what is left of the transfer.')
  const account = await lockAccount(tx, transfer.sandbox_account_id)
  if (account?.standing === 'closed') return refused('The account is closed.')
  const balance = await measureBalance(tx, transfer.sandbox_account_id, now)
  if (input.amountCents > balance.availableCents + balance.pendingCents)
    return { ok: false, reason: 'empty', message: 'The account’s balance is too low for this reversal.' }

  const row = await tx
    .insertInto('sandbox_reversals')
    .values({
      id: `sbv_${newId(24)}`,
      sandbox_transfer_id: transfer.id,
      amount_cents: input.amountCents,
      reversal_id: input.reversalId,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('sandbox_transfers')
    .set({ reversed_cents: reversedCents })
    .where('id', '=', transfer.id)
    .execute()
  const availableAt = transfer.sandbox_payment_id
    ? await availabilityOfCharge(tx, transfer.sandbox_payment_id, now)
    : now
  const movement = { kind: 'reversal', reference: row.id, availableAt } as const
  await addMovement(tx, now, { ...movement, amountCents: input.amountCents })
  await addMovement(tx, now, {
    ...movement,
    account: transfer.sandbox_account_id,
    amountCents: -input.amountCents,
  })
  return { ok: true, reversal: reversalSnapshotOf(row) }
}

function transferSnapshotOf(row: Selectable<Tables['sandbox_transfers']>): TransferSnapshot {
  return {
    reference: row.id,
    transferId: row.transfer_id,
    amountCents: Number(row.amount_cents),
    reversedCents: Number(row.reversed_cents),
  }
}

function reversalSnapshotOf(row: Selectable<Tables['sandbox_reversals']>): ReversalSnapshot {
  return {
    reference: row.id,
    reversalId: row.reversal_id,
    transferReference: row.sandbox_transfer_id,
    amountCents: Number(row.amount_cents),
  }
}
