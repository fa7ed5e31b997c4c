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

/** The dates from which an instalment's deadline follows. @param input.sale the sale that it is of */
export function deadlineOf(
  row: Pick<InstalmentRow, 'due_at' | 'unpaid_since' | 'extended_at'>,
  { sale }: { sale: Pick<Sale, 'event'> },
): Deadline {
  return {
    dueAt: row.due_at,
    unpaidSince: row.unpaid_since,
    extendedAt: row.extended_at,
    eventFrom: new Date(sale.event.from),
  }
}
