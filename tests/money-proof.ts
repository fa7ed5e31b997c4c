import { sql } from 'kysely'
import type { Database } from '../app/adapters/database/port.ts'
import { compareAll } from '../app/features/ledger/comparison-queries.server.ts'
import { proveLedger } from '../app/features/ledger/queries.server.ts'
import type { LedgerCheck } from '../app/features/ledger/rules.ts'
import { listPurchases } from '../app/features/sales/queries.server.ts'
import { MONEY_COMPARISONS } from '../app/services/deps.server.ts'

/**
 * Proves all money of a database as the product does, without the provider.
 * @param perPage small pages, to try the paging itself
 * @returns the checks that found differences
 */
export async function findMoneyDifferences(
  db: Database,
  perPage?: { purchases: number; transactions: number },
): Promise<LedgerCheck[]> {
  const checks = [
    ...(await proveLedger(db)),
    ...(await compareAll(db, MONEY_COMPARISONS, listPurchases, perPage)),
  ]
  return checks.filter(({ count }) => count > 0)
}

/**
 * Compares some purchases alone, after each step of a history. It would double the time of `npm test`, so only `npm run histories`
 * does it. The end of each history is always proved.
 * @param paymentIds their first payments
 */
export async function findPurchaseDifferences(
  db: Database,
  paymentIds: readonly string[],
): Promise<LedgerCheck[]> {
  if (process.env.HISTORIES === undefined) return []
  const checks = await compareAll(
    db,
    MONEY_COMPARISONS.filter(({ of }) => of === 'purchases'),
    (after, limit) => sql`
      select id from sales
      where id in (select json_array_elements_text(${JSON.stringify(paymentIds)}::json)) and id > ${after}
      order by id limit ${limit}`,
  )
  return checks.filter(({ count }) => count > 0)
}
