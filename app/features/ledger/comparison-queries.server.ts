import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { LedgerCheck } from './rules.ts'

/** Differences that a proof lists of each invariant. Its count has them all. */
const LISTED_DIFFERENCES = 20

/**
 * Compares what tables say with what follows from the ledger and from other tables. Each feature has its own, for the tables
 * that it may read.
 */
export type Comparison = {
  name: LedgerCheck['name']
  /**
   * The rows that it reads: a page of purchases, a page of the ledger's transactions, or everything at once. Its SQL
   * finds the `id`s of the page in the table `page`.
   */
  of: 'purchases' | 'transactions' | 'everything'
  /** Selects the `subject`, the `cents` and the `detail` of each difference. The detail is a sentence without its full stop. */
  differences: RawBuilder<unknown>
}

/** Selects the `id`s of the purchases after one, in order. */
export type PurchasePages = (after: string, limit: number) => RawBuilder<unknown>

/** Small enough that the embedded database, which has one connection, never keeps a request waiting for long. */
const PURCHASES_PER_PAGE = 500
const TRANSACTIONS_PER_PAGE = 2_500

/** Formats an amount in cents as dollars: '-$1,200.50'. */
export const dollars = (cents: RawBuilder<unknown>) =>
  sql`to_char(coalesce(${cents}, 0) / 100.0, 'FMMI$999,999,999,990.00')`

/**
 * Runs comparisons, page by page. Each page has its own snapshot of the database, in which all rows of a purchase are of one
 * moment, since whatever moves money commits its rows together. So no commit between two pages looks like a difference.
 * @returns a check for each comparison, in their order
 */
export async function compareAll(
  db: Database,
  comparisons: readonly Comparison[],
  listPurchases: PurchasePages,
  perPage: { purchases: number; transactions: number } = {
    purchases: PURCHASES_PER_PAGE,
    transactions: TRANSACTIONS_PER_PAGE,
  },
): Promise<LedgerCheck[]> {
  const checks = new Map<LedgerCheck['name'], LedgerCheck>(
    comparisons.map(({ name }) => [name, { name, count: 0, differences: [] }]),
  )
  const add = (found: LedgerCheck) => {
    const check = checks.get(found.name)
    if (!check) return
    check.count += found.count
    check.differences.push(...found.differences.slice(0, LISTED_DIFFERENCES - check.differences.length))
  }
  const allOf = (of: Comparison['of']) => comparisons.filter((one) => one.of === of)
  await comparePages(db, allOf('purchases'), '', (after) => listPurchases(after, perPage.purchases), add)
  await comparePages(
    db,
    allOf('transactions'),
    '0',
    (after) => transactionsAfter(after, perPage.transactions),
    add,
  )
  for (const one of allOf('everything')) add(await compareIn(db, one, sql`select ''::text as id where false`))
  return [...checks.values()]
}

const transactionsAfter = (after: string, limit: number) => sql`
  select id, key, kind, vendor_user_id, booking_id, payment_id, provider_reference
  from ledger_transactions where id > ${after}::bigint order by id limit ${limit}`

async function comparePages(
  db: Database,
  comparisons: readonly Comparison[],
  first: string,
  pageAfter: (after: string) => RawBuilder<unknown>,
  add: (found: LedgerCheck) => void,
): Promise<void> {
  if (comparisons.length === 0) return
  for (let after: string | null = first; after !== null; ) {
    const from: string = after
    after = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        const page = pageAfter(from)
        const { rows } = await sql<{ last: string | number | null }>`
          select max(id) as last from (${page}) page`.execute(tx)
        const last = rows[0]?.last ?? null
        if (last === null) return null
        for (const one of comparisons) add(await compareIn(tx, one, page))
        return String(last)
      })
  }
}

function compareIn(
  tx: Database | DatabaseTransaction,
  { name, differences }: Comparison,
  page: RawBuilder<unknown>,
): Promise<LedgerCheck> {
  return findDifferences(
    tx,
    name,
    sql`with page as materialized (${page}) select * from (${differences}) differing`,
  )
}

/**
 * Runs the query of a check.
 * @param differences selects `subject` and `cents` of each, and a `detail` where there is more to say
 */
export async function findDifferences(
  tx: Database | DatabaseTransaction,
  name: LedgerCheck['name'],
  differences: RawBuilder<unknown>,
): Promise<LedgerCheck> {
  const { rows } = await sql<{ subject: string; cents: string; detail: string | null; count: string }>`
    select d->>'subject' as subject, d->>'cents' as cents, d->>'detail' as detail, count(*) over () as count
    from (select to_jsonb(found) as d from (${differences}) found) listed
    order by 1, 3 limit ${LISTED_DIFFERENCES}`.execute(tx)
  return {
    name,
    count: Number(rows[0]?.count ?? 0),
    differences: rows.map(({ subject, cents, detail }) => ({
      subject,
      cents: Number(cents),
      ...(detail === null ? {} : { detail }),
    })),
  }
}
