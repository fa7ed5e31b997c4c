import type { Database } from '../../adapters/database/port.ts'
import { type FactLine, factLines } from './fact-messages.ts'
import { type Facts, factsOf } from './fact-rules.ts'
import type { Category } from './rules.ts'

function selectPrefilled(db: Database, ids: readonly string[]) {
  return db
    .selectFrom('prefilled_facts')
    .selectAll()
    .where('business_id', 'in', [...ids])
    .execute()
}

/** The prefilled facts of a listing that its vendor has neither confirmed nor stated otherwise since. */
export function openPrefilled(
  { category, facts }: { category: Category; facts: Facts },
  prefilled: Readonly<Record<string, unknown>>,
): Facts {
  const open = Object.entries(factsOf(category, prefilled)).filter(([name]) => !Object.hasOwn(facts, name))
  return Object.fromEntries(open)
}

/** The prefilled facts as they are stored, in the account's export. */
export async function exportPrefilled(db: Database, ids: readonly string[]): Promise<Map<string, object>> {
  const rows = ids.length > 0 ? await selectPrefilled(db, ids) : []
  return new Map(rows.map(({ business_id, facts }) => [business_id, facts]))
}

/**
 * The prefilled facts of these listings that their vendor has neither confirmed nor stated otherwise since.
 * @returns their lines as a page shows them, by listing; none for a listing without any
 */
export async function listPrefilled(
  db: Database,
  listings: readonly { id: string; category: Category; facts: Facts }[],
): Promise<Map<string, FactLine[]>> {
  if (listings.length === 0) return new Map()
  const rows = await selectPrefilled(
    db,
    listings.map(({ id }) => id),
  )
  const prefilled = new Map(rows.map((row) => [row.business_id, row.facts]))
  return new Map(
    listings.flatMap(({ id, category, facts }) => {
      const open = openPrefilled({ category, facts }, prefilled.get(id) ?? {})
      const lines = factLines({ category, maxGuests: null, facts: open }, null)
      return lines.length > 0 ? [[id, lines] as const] : []
    }),
  )
}
