import { type RawBuilder, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Sale } from './rules.ts'

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
    .values({
      id: sale.id,
      owner_user_id: sale.ownerUserId,
      customer_user_id: sale.customerUserId,
      link_hash: linkHash,
      terms_version: sale.termsVersion,
      customer_name: sale.customer.fullName,
      customer_email: sale.customer.email,
      customer_phone: sale.customer.phone,
      business_id: sale.businessId,
      business_name: sale.businessName,
      place: sale.place,
      time_zone: sale.timeZone,
      abn: sale.abn,
      gst_registered: sale.gstRegistered,
      quantity: sale.quantity,
      booking_type: sale.bookingType,
      unit_price_cents: sale.unitPriceCents,
      commission: json(sale.commission),
      quote: json(sale.quote),
      answer_within_ms: sale.answerWithinMs,
      created_at: now,
      ...changeable(sale),
    })
    .execute()
}

/** Stores the new terms of a sale after both sides have agreed to a change. Its payments are locked. */
export async function changeSale(tx: DatabaseTransaction, sale: Sale): Promise<void> {
  await tx
    .updateTable('sales')
    .set({ quantity: sale.quantity, ...changeable(sale) })
    .where('id', '=', sale.id)
    .execute()
}

/** The columns that a change may set. */
function changeable({ date, time, event, occupied, priceCents, terms }: Sale) {
  return {
    date,
    time,
    event_from: new Date(event.from),
    event_until: new Date(event.until),
    occupied_from: new Date(occupied.from),
    occupied_until: new Date(occupied.until),
    price_cents: priceCents,
    policy: json(terms?.policy ?? null),
    instalments: json(terms?.instalments ?? null),
  }
}

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

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
