import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Cents } from '../../shared/money.ts'
import { type Deadline, isClosed } from './plan-rules.ts'
import type { Sale } from './rules.ts'
import type { InstalmentRow } from './tables.server.ts'

/** Lists the instalments of a purchase in the order in which they are due; none where it was paid at once. */
export function listInstalments(
  db: Database | DatabaseTransaction,
  firstPaymentId: string,
): Promise<InstalmentRow[]> {
  return db
    .selectFrom('instalments')
    .selectAll()
    .where('payment_id', '=', firstPaymentId)
    .orderBy('number')
    .execute()
}

/** Finds the unpaid rest of a purchase, in cents, and when its next instalment is due; null once nothing is due. */
export async function findDue(
  db: Database | DatabaseTransaction,
  firstPaymentId: string,
): Promise<{ dueCents: Cents; dueAt: Date } | null> {
  const rows = (await listInstalments(db, firstPaymentId)).filter((row) => !isClosed(row))
  const [next] = rows
  if (!next) return null
  return { dueCents: rows.reduce((sum, row) => sum + Number(row.amount_cents), 0), dueAt: next.due_at }
}

/** Adds up what was taken off the instalments of a purchase, in cents. */
export async function sumReductions(
  db: Database | DatabaseTransaction,
  firstPaymentId: string,
): Promise<Cents> {
  const sum = await db
    .selectFrom('instalments')
    .select((eb) => eb.fn.sum('reduced_cents').as('cents'))
    .where('payment_id', '=', firstPaymentId)
    .executeTakeFirst()
  return Number(sum?.cents ?? 0)
}

/**
 * The dates from which an instalment's deadline follows.
 * @param row from its table, or from JSON, where times are text
 * @param input.sale the sale that it is of
 */
export function deadlineOf(
  row: { due_at: Date | string; unpaid_since: Date | string | null; extended_at: Date | string | null },
  { sale }: { sale: Pick<Sale, 'event'> },
): Deadline {
  const at = (time: Date | string | null) => (time ? new Date(time) : null)
  return {
    dueAt: new Date(row.due_at),
    unpaidSince: at(row.unpaid_since),
    extendedAt: at(row.extended_at),
    eventFrom: new Date(sale.event.from),
  }
}
