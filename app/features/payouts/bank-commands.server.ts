import type { BankPayoutSnapshot } from '../../adapters/payments/payout-port.ts'
import { eachOf } from '../../shared/each-of.ts'
import { newId } from '../../shared/ids.ts'
import type { PayoutDeps } from './deps.server.ts'
import { tellBankReturned } from './notice-commands.server.ts'
import type { PayoutAccountRow } from './queries.server.ts'

const ACCOUNTS_PER_RUN = 50
const ASKED_EVERY_MS = 3_600_000
const DAY_MS = 86_400_000
/** A bank may return a payout for some days. */
const LISTED_MS = 14 * DAY_MS
/** How far back the first question about an account goes. */
const OLDEST_MS = 120 * DAY_MS

/**
 * Asks about payouts from vendors' balances to their banks, hourly for each account whose money is on its way, and stores
 * which transfers are at the bank. Webhooks only bring the question forward.
 */
export async function sweepBankPayouts(deps: PayoutDeps): Promise<void> {
  const { db, payouts } = deps
  const now = deps.now().getTime()
  const rows = await db
    .selectFrom('payout_accounts')
    .selectAll()
    .where('provider', '=', payouts.name)
    .where('provider_account', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('payouts_asked_at', 'is', null),
        eb('payouts_asked_at', '<=', new Date(now - ASKED_EVERY_MS)),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('transfers')
            .select('transfers.id')
            .whereRef('transfers.payout_account_id', '=', 'payout_accounts.id')
            .where('transfers.state', 'in', ['made', 'partly_reversed'])
            .where('transfers.bank_payout_id', 'is', null),
        ),
        eb.exists(
          eb
            .selectFrom('bank_payouts')
            .select('bank_payouts.id')
            .whereRef('bank_payouts.payout_account_id', '=', 'payout_accounts.id')
            .where('bank_payouts.created_at', '>', new Date(now - LISTED_MS)),
        ),
      ]),
    )
    .orderBy('payouts_asked_at', (order) => order.asc().nullsFirst())
    .limit(ACCOUNTS_PER_RUN)
    .execute()
  await eachOf(rows, async (account) => {
    await askAboutBankPayouts(deps, account)
  })
}

/** @returns false when the provider did not answer */
export async function askAboutBankPayouts(deps: PayoutDeps, account: PayoutAccountRow): Promise<boolean> {
  const { db, payouts } = deps
  if (!account.provider_account) return true
  const now = deps.now()
  const lastAsked = account.payouts_asked_at
  const createdSince = new Date(now.getTime() - (lastAsked ? LISTED_MS : OLDEST_MS))
  await db
    .updateTable('payout_accounts')
    .set({ payouts_asked_at: now })
    .where('id', '=', account.id)
    .execute()
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<typeof payouts.listBankPayouts>> = await payouts.listBankPayouts({
      account: account.provider_account,
      createdSince,
      after,
    })
    if (!page.ok) return false
    for (const snapshot of page.payouts) {
      if (!(await applyBankPayout(deps, account, snapshot))) return false
    }
    after = page.next
  } while (after)
  return true
}

/** Stores a payout to a bank, and which transfers it took. The ledger stays as it is: the money was the vendor's before. */
async function applyBankPayout(
  deps: PayoutDeps,
  account: PayoutAccountRow,
  snapshot: BankPayoutSnapshot,
): Promise<boolean> {
  const { db } = deps
  const known = await db
    .selectFrom('bank_payouts')
    .select(['id', 'state'])
    .where('provider_payout', '=', snapshot.reference)
    .executeTakeFirst()
  if (known?.state === snapshot.state) return true
  const listed = await deps.payouts.listTransfersOfPayout({
    account: account.provider_account ?? '',
    payout: snapshot.reference,
  })
  if (!listed.ok) return false
  const now = deps.now()
  await db.transaction().execute(async (tx) => {
    const { amountCents, state, failureReason, arrivesAt, createdAt } = snapshot
    const present = {
      amount_cents: amountCents,
      state,
      failure_reason: failureReason,
      arrives_at: arrivesAt,
      checked_at: now,
    }
    const row = await tx
      .insertInto('bank_payouts')
      .values({
        id: newId(),
        payout_account_id: account.id,
        provider_payout: snapshot.reference,
        created_at: createdAt,
        ...present,
      })
      .onConflict((conflict) => conflict.column('provider_payout').doUpdateSet(present))
      .returning('id')
      .executeTakeFirstOrThrow()
    const isReturned = state === 'failed' || state === 'canceled'
    // Its money is in the account again, and goes out with a later payout.
    if (isReturned)
      await tx
        .updateTable('transfers')
        .set({ bank_payout_id: null })
        .where('bank_payout_id', '=', row.id)
        .execute()
    else if (listed.transfers.length > 0)
      await tx
        .updateTable('transfers')
        .set({ bank_payout_id: row.id })
        .where('payout_account_id', '=', account.id)
        .where('provider_transfer', 'in', listed.transfers)
        .execute()
    if (state === 'failed')
      await tellBankReturned(deps, tx, {
        id: row.id,
        vendorUserId: account.vendor_user_id,
        amountCents,
        bankLast4: account.bank_last4,
      })
  })
  return true
}
