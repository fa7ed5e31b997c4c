import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { newId } from '../../../shared/ids.ts'
import { refuse } from '../../../shared/result.ts'
import { RETURNING_BANK_ACCOUNT } from '../../../shared/sandbox-banks.ts'
import { DAY_MS } from '../../../shared/time-units.ts'
import type { Database, DatabaseTransaction, Tables } from '../../database/port.ts'
import type { BankPayoutSnapshot, PayoutProvider } from '../payout-port.ts'
import { addAccountEvents, lockAccount } from './accounts.server.ts'
import { addMovement } from './balance.server.ts'
import type { SandboxWebhooks } from './webhooks.server.ts'

const PAGE_SIZE = 100
const ACCOUNTS_PER_RUN = 50
const BANK_REFUSAL = 'account_closed'

type PayoutRow = Selectable<Tables['sandbox_payouts']>
type MoveDeps = { now: () => Date; webhooks: Pick<SandboxWebhooks, 'addAccountEvent'> }
type Deps = MoveDeps & { db: Database; webhooks: Pick<SandboxWebhooks, 'addAccountEvent' | 'deliverSoon'> }

/** The payouts of an account as a provider lists them. */
export function bankPayoutCalls({
  db,
}: {
  db: Database
}): Pick<PayoutProvider, 'listBankPayouts' | 'listTransfersOfPayout'> {
  return {
    async listBankPayouts({ account, createdSince, after }) {
      let query = db
        .selectFrom('sandbox_payouts')
        .selectAll()
        .where('sandbox_account_id', '=', account)
        .where('created_at', '>=', createdSince)
      const last = after
        ? await db.selectFrom('sandbox_payouts').select('number').where('id', '=', after).executeTakeFirst()
        : undefined
      if (last) query = query.where('number', '<', last.number)
      const rows = await query.orderBy('number', 'desc').limit(PAGE_SIZE).execute()
      const next = rows.length === PAGE_SIZE ? (rows.at(-1)?.id ?? null) : null
      return { ok: true, payouts: rows.map(snapshotOf), next }
    },

    async listTransfersOfPayout({ account, payout }) {
      // The payout after a returned one takes its money, and so its transfers, to the bank.
      const { rows } = await sql<{ reference: string }>`
        with recursive taken as (
          select id from sandbox_payouts where id = ${payout} and sandbox_account_id = ${account}
          union
          select movement.reference from sandbox_movements movement
            join taken on movement.sandbox_payout_id = taken.id where movement.kind = 'payout_failed'
        )
        select movement.reference from sandbox_movements movement
          join taken on movement.sandbox_payout_id = taken.id
        where movement.kind = 'transfer' order by movement.number desc`.execute(db)
      return { ok: true, transfers: rows.map(({ reference }) => reference) }
    },
  }
}

/** Makes the daily payouts of accounts with available money, and lets those arrive or come back whose day has come. */
export async function runBankPayouts(deps: Deps): Promise<void> {
  const { db, now, webhooks } = deps
  const { rows: accounts } = await sql<{ id: string }>`
    select account.id from sandbox_accounts account
    where account.bank_account is not null and not account.is_bank_refused and account.standing not in ('rejected', 'closed')
      and (select sum(amount_cents - fee_cents) from sandbox_movements movement
        where movement.sandbox_account_id = account.id and sandbox_payout_id is null and available_at <= ${now()}) > 0
      and not exists (select from sandbox_payouts payout where payout.sandbox_account_id = account.id
        and payout.created_at > ${new Date(now().getTime() - DAY_MS)})
    order by account.id limit ${ACCOUNTS_PER_RUN}`.execute(db)
  for (const { id } of accounts) {
    const eventIds = await db.transaction().execute((tx) => payOut(deps, tx, id))
    webhooks.deliverSoon(...eventIds)
  }
  const arriving = await db
    .selectFrom('sandbox_payouts')
    .select(['id', 'sandbox_account_id'])
    .where('state', '=', 'in_transit')
    .where('arrives_at', '<=', now())
    .orderBy('number')
    .limit(ACCOUNTS_PER_RUN)
    .execute()
  for (const payout of arriving) {
    const eventIds = await db.transaction().execute((tx) => arrive(deps, tx, payout))
    webhooks.deliverSoon(...eventIds)
  }
}

/**
 * Takes all available money of an account to its bank. The payout is dated when the money became available, so that a clock
 * moved by weeks finds it at the bank.
 * @returns the events to deliver
 */
async function payOut(deps: MoveDeps, tx: DatabaseTransaction, accountId: string): Promise<string[]> {
  const now = deps.now()
  const account = await lockAccount(tx, accountId)
  const { rows } = await sql<{ cents: string | number | null; newest: Date | null; last: Date | null }>`
    select sum(amount_cents - fee_cents)::bigint as cents, max(available_at) as newest,
      (select max(created_at) from sandbox_payouts where sandbox_account_id = ${accountId}) as last
    from sandbox_movements
    where sandbox_account_id = ${accountId} and sandbox_payout_id is null and available_at <= ${now}`.execute(
    tx,
  )
  const [found] = rows
  const cents = Number(found?.cents ?? 0)
  if (!account || !found?.newest || cents <= 0) return []
  const createdAt = new Date(
    Math.max(new Date(found.newest).getTime(), found.last ? new Date(found.last).getTime() + DAY_MS : 0),
  )
  if (createdAt > now) return []
  const id = `sbp_${newId(24)}`
  await tx
    .insertInto('sandbox_payouts')
    .values({
      id,
      sandbox_account_id: accountId,
      amount_cents: cents,
      state: 'in_transit',
      failure_reason: null,
      arrives_at: new Date(createdAt.getTime() + DAY_MS),
      created_at: createdAt,
    })
    .execute()
  await addMovement(tx, now, { account: accountId, kind: 'payout', reference: id, amountCents: -cents })
  await tx
    .updateTable('sandbox_movements')
    .set({ sandbox_payout_id: id })
    .where('sandbox_account_id', '=', accountId)
    .where('sandbox_payout_id', 'is', null)
    .where('available_at', '<=', now)
    .execute()
  return [await deps.webhooks.addAccountEvent(tx, 'connected', 'payout.created', accountId, id)]
}

async function arrive(
  deps: MoveDeps,
  tx: DatabaseTransaction,
  payout: { id: string; sandbox_account_id: string },
): Promise<string[]> {
  const account = await lockAccount(tx, payout.sandbox_account_id)
  const row = await tx
    .selectFrom('sandbox_payouts')
    .selectAll()
    .where('id', '=', payout.id)
    .where('state', '=', 'in_transit')
    .forUpdate()
    .executeTakeFirst()
  if (!account || !row) return []
  return account.bank_account === RETURNING_BANK_ACCOUNT ? failPayout(deps, tx, row) : pay(deps, tx, row)
}

/**
 * Lets the newest payout of an account arrive, or come back from the bank, which is possible after it has arrived too.
 * @returns the events to deliver; refuses with 'no_account', and 'no_payout' when none can move there
 */
export async function moveNewestPayout(
  deps: MoveDeps,
  tx: DatabaseTransaction,
  accountId: string,
  to: 'paid' | 'failed',
): Promise<{ ok: true; eventIds: string[] } | { ok: false; reason: 'no_account' | 'no_payout' }> {
  const account = await lockAccount(tx, accountId)
  if (!account) return refuse('no_account')
  const row = await tx
    .selectFrom('sandbox_payouts')
    .selectAll()
    .where('sandbox_account_id', '=', accountId)
    .where('state', 'in', to === 'failed' ? ['in_transit', 'paid'] : ['in_transit'])
    .orderBy('number', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return refuse('no_payout')
  return { ok: true, eventIds: await (to === 'failed' ? failPayout : pay)(deps, tx, row) }
}

async function pay({ webhooks }: MoveDeps, tx: DatabaseTransaction, row: PayoutRow): Promise<string[]> {
  await tx.updateTable('sandbox_payouts').set({ state: 'paid' }).where('id', '=', row.id).execute()
  return [await webhooks.addAccountEvent(tx, 'connected', 'payout.paid', row.sandbox_account_id, row.id)]
}

/** The money is back on the account, and stays there until the vendor names another bank account. */
async function failPayout(deps: MoveDeps, tx: DatabaseTransaction, row: PayoutRow): Promise<string[]> {
  const { sandbox_account_id: account } = row
  await tx
    .updateTable('sandbox_payouts')
    .set({ state: 'failed', failure_reason: BANK_REFUSAL })
    .where('id', '=', row.id)
    .execute()
  await addMovement(tx, deps.now(), {
    account,
    kind: 'payout_failed',
    reference: row.id,
    amountCents: Number(row.amount_cents),
  })
  const before = await lockAccount(tx, account)
  const after = await tx
    .updateTable('sandbox_accounts')
    .set({ is_bank_refused: true })
    .where('id', '=', account)
    .returningAll()
    .executeTakeFirstOrThrow()
  return [
    await deps.webhooks.addAccountEvent(tx, 'connected', 'payout.failed', account, row.id),
    ...(before ? await addAccountEvents(deps, tx, before, after) : []),
  ]
}

function snapshotOf(row: PayoutRow): BankPayoutSnapshot {
  return {
    reference: row.id,
    amountCents: Number(row.amount_cents),
    state: row.state,
    failureReason: row.failure_reason,
    arrivesAt: row.arrives_at,
    createdAt: row.created_at,
  }
}
