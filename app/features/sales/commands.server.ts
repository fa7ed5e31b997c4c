import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import { newId } from '../../shared/ids.ts'
import type { Sale } from './rules.ts'
import { type InstalmentRow, PLAIN_COLUMNS } from './tables.server.ts'

/**
 * Stores a sale, ahead of its first payment and in the same transaction.
 * @param input.linkHash the hash of the unguessable link to its booking
 */
export async function addSale(
  tx: DatabaseTransaction,
  { sale, linkHash, now }: { sale: Sale; linkHash: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('sales')
    .values({ ...columnsOf(sale), link_hash: linkHash, created_at: now })
    .execute()
}

/** Stores the new terms of a sale after both sides have agreed to a change. Its payments are locked. */
export async function changeSale(tx: DatabaseTransaction, sale: Sale): Promise<void> {
  await tx.updateTable('sales').set(columnsOf(sale)).where('id', '=', sale.id).execute()
}

function columnsOf(sale: Sale) {
  const { customer, date, time, event, occupied, terms } = sale
  return {
    ...plainColumnsOf(sale),
    customer_name: customer.fullName,
    customer_email: customer.email,
    customer_phone: customer.phone,
    date,
    time,
    event_from: new Date(event.from),
    event_until: new Date(event.until),
    occupied_from: new Date(occupied.from),
    occupied_until: new Date(occupied.until),
    policy: terms && JSON.stringify(terms.policy),
    instalments: terms && JSON.stringify(terms.instalments),
  }
}

type PlainName = keyof typeof PLAIN_COLUMNS

function plainColumnsOf(sale: Sale) {
  const columns = (Object.keys(PLAIN_COLUMNS) as PlainName[]).map((name) => {
    const value = sale[name]
    return [PLAIN_COLUMNS[name], typeof value === 'object' && value ? JSON.stringify(value) : value]
  })
  return Object.fromEntries(columns) as {
    [Name in PlainName as (typeof PLAIN_COLUMNS)[Name]]: Sale[Name] extends object | null
      ? string | null
      : Sale[Name]
  }
}

/**
 * Stores the instalments of a sale whose first payment is paid, in the transaction that stores the purchase.
 * @returns them in their order; a price that was paid at once has none
 */
export async function addInstalments(
  tx: DatabaseTransaction,
  sale: Sale,
  now: Date,
): Promise<Pick<InstalmentRow, 'amount_cents' | 'reduced_cents' | 'state' | 'due_at' | 'paid_at'>[]> {
  const instalments = sale.terms?.instalments ?? []
  if (instalments.length < 2) return []
  const rows = instalments.map(({ number, cents, dueAt }) => ({
    id: newId(),
    payment_id: sale.id,
    number,
    amount_cents: cents,
    reduced_cents: 0,
    due_at: dueAt === null ? now : new Date(dueAt),
    state: dueAt === null ? ('paid' as const) : ('scheduled' as const),
    paid_by: dueAt === null ? sale.id : null,
    try_at: null,
    claimed_at: null,
    decline_code: null,
    extended_at: null,
    reminded_at: null,
    paid_at: dueAt === null ? now : null,
    created_at: now,
  }))
  await tx.insertInto('instalments').values(rows).execute()
  return rows
}

/**
 * Moves a guest's sales into their account. Their payments are locked.
 * @param guest the condition that selects the guest's sales. `sales` is in the query
 */
export async function giveToCustomer(
  tx: DatabaseTransaction,
  { userId, guest }: { userId: string; guest: RawBuilder<boolean> },
): Promise<void> {
  await tx
    .updateTable('sales')
    .set({ customer_user_id: userId })
    .where('customer_user_id', 'is', null)
    .where(guest)
    .execute()
}

/**
 * Blanks the customer's name, email and phone in sales.
 * @param input.name the replacement for the customer's name
 * @param input.where the condition that selects the sales. `sales` is in the query
 */
export async function blankCustomers(
  db: Database | DatabaseTransaction,
  input: { name: string; where: RawBuilder<boolean> },
): Promise<void> {
  await db
    .updateTable('sales')
    .set({ customer_name: input.name, customer_email: '', customer_phone: '' })
    .where(sql<boolean>`sales.customer_email <> ''`)
    .where(input.where)
    .execute()
}
