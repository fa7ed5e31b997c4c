import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Cents } from '../../../shared/money.ts'
import type { Database } from '../../database/port.ts'
import { missingSteps, type SandboxAccountStep, transfersOf } from './accounts.server.ts'
import { measureBalance } from './balance.server.ts'

/** An account with the moves that a tester can make. */
export type SandboxAccount = {
  reference: string
  registeredName: string
  transfers: 'active' | 'pending' | 'restricted'
  isSubmitted: boolean
  isClosed: boolean
  isRejected: boolean
  missing: SandboxAccountStep[]
  bankLast4: string | null
  availableCents: Cents
  pendingCents: Cents
  /** The newest one. */
  payout: { state: 'in_transit' | 'paid' | 'failed'; amountCents: Cents } | null
}

/** Lists the newest accounts of the sandbox. */
export async function listAccounts(
  { db, now }: { db: Database; now: () => Date },
  limit: number,
): Promise<SandboxAccount[]> {
  const rows = await db
    .selectFrom('sandbox_accounts')
    .selectAll()
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('sandbox_payouts')
          .select(['state', 'amount_cents'])
          .whereRef('sandbox_account_id', '=', 'sandbox_accounts.id')
          .orderBy('number', 'desc')
          .limit(1),
      ).as('newestPayout'),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  const accounts: SandboxAccount[] = []
  for (const row of rows) {
    const [payout] = row.newestPayout
    accounts.push({
      reference: row.id,
      registeredName: row.registered_name,
      transfers: transfersOf(row),
      isSubmitted: row.submitted_at !== null,
      isClosed: row.standing === 'closed',
      isRejected: row.standing === 'rejected',
      missing: missingSteps(row),
      bankLast4: row.bank_account?.slice(-4) ?? null,
      ...(await measureBalance(db, row.id, now())),
      payout: payout ? { state: payout.state, amountCents: Number(payout.amount_cents) } : null,
    })
  }
  return accounts
}
