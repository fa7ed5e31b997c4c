import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import type { BankPayoutSnapshot } from '../../adapters/payments/payout-port.ts'
import { eachOf } from '../../shared/each-of.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import type { PayoutDeps } from './deps.server.ts'
import { tellBankReturned } from './notice-commands.server.ts'

const ACCOUNTS_PER_RUN = 50
const ASKED_EVERY_MS = 3_600_000
/** A bank may return a payout for some days. Every payout is read once more after them. */
const RETURNED_WITHIN_MS = 14 * DAY_MS
/** Our clock and the provider's may differ, and a payout is dated by the day on which its money was free. */
const MARGIN_MS = DAY_MS

/** An account at the provider whose payouts to the bank are read: a vendor's present or former one. */
type BankAccount = {
  /** Of `payout_accounts`. */
  id: string
  /** Of `former_payout_accounts`; null for the present account. */
  former_id: string | null
  vendor_user_id: string
  provider: string
  provider_account: string
  bank_last4: string | null
  payouts_asked_at: Date | null
  payouts_listed_at: Date | null
}

const BANK_ACCOUNTS = sql`
  (select id, null as former_id, vendor_user_id, provider, provider_account, bank_last4, payouts_asked_at,
    payouts_listed_at from payout_accounts where provider_account is not null
  union all
  select f.payout_account_id, f.id, a.vendor_user_id, f.provider, f.provider_account, f.bank_last4, f.payouts_asked_at,
    f.payouts_listed_at from former_payout_accounts f join payout_accounts a on a.id = f.payout_account_id)`

/** The transfers to an account `a` that no bank payout contains yet, among those that it could have made. */
const OPEN_TRANSFERS = sql`
  select made_at from transfers t
  where t.payout_account_id = a.id and t.provider_transfer is not null and t.bank_payout_id is null
    and t.state in ('made', 'partly_reversed') and t.amount_cents > t.reversed_cents
    and (a.former_id is null
      or t.made_at <= (select replaced_at from former_payout_accounts f where f.id = a.former_id))`

/**
 * Asks about payouts from vendors' balances to their banks, hourly for each account whose money is on its way or may still
 * come back, and stores which transfers are at the bank. Webhooks only bring the question forward.
 */
export async function sweepBankPayouts(deps: PayoutDeps): Promise<void> {
  const { db, payouts } = deps
  const askedBefore = new Date(deps.now().getTime() - ASKED_EVERY_MS)
  const returnedWithin = `${RETURNED_WITHIN_MS} milliseconds`
  const { rows } = await sql<BankAccount>`
    select a.* from ${BANK_ACCOUNTS} a
    where a.provider = ${payouts.name} and (a.payouts_asked_at is null or a.payouts_asked_at <= ${askedBefore})
      and (exists (${OPEN_TRANSFERS})
        or exists (select from bank_payouts p where p.payout_account_id = a.id
          and (p.state in ('pending', 'in_transit') or a.payouts_listed_at is null
            or a.payouts_listed_at < p.created_at + ${returnedWithin}::interval)))
    order by a.payouts_asked_at nulls first, a.provider_account limit ${ACCOUNTS_PER_RUN}`.execute(db)
  await eachOf(rows, async (account) => {
    await askAboutBankPayouts(deps, account)
  })
}

/** Finds an account by the provider's id, the former ones among them. */
export async function findBankAccount(
  db: Database,
  account: { provider: string; reference: string },
): Promise<BankAccount | null> {
  const { rows } = await sql<BankAccount>`
    select a.* from ${BANK_ACCOUNTS} a
    where a.provider = ${account.provider} and a.provider_account = ${account.reference}`.execute(db)
  return rows[0] ?? null
}

/**
 * Reads the payouts of an account since the oldest that can have changed, and stores them.
 * @param named a payout that the provider's event names, by its id there; it is read however old it is
 * @returns false when the provider did not answer
 */
export async function askAboutBankPayouts(
  deps: PayoutDeps,
  account: BankAccount,
  named: string | null = null,
): Promise<boolean> {
  const { payouts } = deps
  const now = deps.now()
  const createdSince = await findOldestOpen(deps, account, named)
  await noteReading(deps, account, { payouts_asked_at: now })
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
  await noteReading(deps, account, { payouts_listed_at: now })
  return true
}

/**
 * The moment from which on an account's payouts may be unknown, or other than we know them: a transfer that no bank has, a
 * payout that hasn't arrived, and what a bank could still return when they were last read to the end.
 */
async function findOldestOpen({ db }: PayoutDeps, account: BankAccount, named: string | null): Promise<Date> {
  // The first reading of an account begins with its first payout.
  if (!account.payouts_listed_at) return new Date(0)
  const { rows } = await sql<{ oldest: Date | null }>`
    select least(
      (select min(made_at) from (${OPEN_TRANSFERS}) open),
      (select min(created_at) from bank_payouts p where p.payout_account_id = a.id
        and (p.state in ('pending', 'in_transit') or p.provider_payout = ${named}))) as oldest
    from ${BANK_ACCOUNTS} a where a.provider = ${account.provider} and a.provider_account = ${account.provider_account}`.execute(
    db,
  )
  const read = account.payouts_listed_at.getTime() - RETURNED_WITHIN_MS
  const oldest = rows[0]?.oldest
  return new Date(Math.max(0, Math.min(read, oldest ? new Date(oldest).getTime() - MARGIN_MS : read)))
}

/** Stores when an account was asked about, or read to the end. */
async function noteReading(
  { db }: PayoutDeps,
  { provider, provider_account: reference }: BankAccount,
  at: { payouts_asked_at: Date } | { payouts_listed_at: Date },
): Promise<void> {
  // By the provider's id, since the account may become a former one meanwhile.
  for (const table of ['payout_accounts', 'former_payout_accounts'] as const)
    await db
      .updateTable(table)
      .set(at)
      .where('provider', '=', provider)
      .where('provider_account', '=', reference)
      .execute()
}

/** Stores a payout to a bank, and which transfers it took. The ledger stays as it is: the money was the vendor's before. */
async function applyBankPayout(
  deps: PayoutDeps,
  account: BankAccount,
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
    account: account.provider_account,
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
