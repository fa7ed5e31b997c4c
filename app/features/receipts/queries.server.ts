import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { hashText } from '../../shared/signed.ts'
import { findCancellation } from '../bookings/cancellation/queries.server.ts'
import { areRefundsBlocked, type Charge, listCharges, listLostDisputes } from '../payments/queries.server.ts'
import { isStillHere } from '../payments/rules.ts'
import { saleJson } from '../sales/queries.server.ts'
import type { Receipt } from './rules.ts'

/** One who reads a booking's papers: a visitor with its link, its signed-in vendor or customer, or an operator. */
export type PaperReader =
  | { linkToken: string }
  | { bookingId: string; isOperator: true }
  | { bookingId: string; userId: string; verifiedEmail: string | null }

/** The condition that a booking's papers are for this reader, in a query with `bookings` and their `sales`. */
export async function isReadableBy(reader: PaperReader): Promise<RawBuilder<boolean>> {
  if ('linkToken' in reader) return sql`sales.link_hash = ${await hashText(reader.linkToken)}`
  const { bookingId } = reader
  if ('isOperator' in reader) return sql`bookings.id = ${bookingId}`
  // An address that isn't verified reads nothing.
  return sql`bookings.id = ${bookingId} and (sales.owner_user_id = ${reader.userId}
    or sales.customer_user_id = ${reader.userId} or bookings.email = ${reader.verifiedEmail})`
}

/**
 * Finds the receipt of one booking, with any refunds that are due or made.
 * @returns null when there is no such booking, or it belongs to another person
 */
export async function findReceipt(db: Database, reader: PaperReader): Promise<Receipt | null> {
  const row = await db
    .selectFrom('bookings')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .innerJoin('receipt_numbers', 'receipt_numbers.booking_id', 'bookings.id')
    .leftJoin('payment_lines', (join) =>
      join
        .onRef('payment_lines.payment_id', '=', 'sales.id')
        .onRef('payment_lines.line', '=', 'bookings.line'),
    )
    .select([
      'bookings.id',
      'receipt_numbers.number',
      'receipt_numbers.issued_at',
      'bookings.vendor_name',
      'bookings.customer_name',
      'bookings.email',
      sql<string>`to_char(bookings.date, 'YYYY-MM-DD')`.as('date'),
      sql<string>`to_char(bookings.time, 'HH24:MI')`.as('time'),
      'bookings.quantity',
      'bookings.booking_type',
      'bookings.total_price_cents',
      'bookings.payment_id',
      'bookings.payment_row_id',
      saleJson().as('sale'),
      'payment_lines.unit_price_cents',
    ])
    .where(await isReadableBy(reader))
    .orderBy('bookings.line')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  // Of all its charges.
  const charges = await listCharges(db, row.payment_row_id)
  const refunds = (await Promise.all(charges.map((charge) => listRefunds(db, charge))))
    .flat()
    .toSorted((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
  const cancellation = await findCancellation(db, row.id)
  const instalments = await db
    .selectFrom('instalments')
    .select(['amount_cents', 'reduced_cents', 'state', 'due_at', 'paid_at'])
    .where('payment_id', '=', row.payment_row_id)
    .orderBy('number')
    .execute()
  // An instalment that an operator has taken off whole is no payment any more.
  const owed = instalments.filter(({ amount_cents: cents }) => Number(cents) > 0)
  const isPaidInFull = owed.every(({ state }) => state === 'paid')
  return {
    number: row.number,
    issuedAt: row.issued_at,
    timeZone: row.sale.timeZone,
    seller: { name: row.vendor_name, abn: row.sale.abn, gstRegistered: row.sale.gstRegistered },
    customer: { name: row.customer_name, email: row.email },
    event: { date: row.date, time: row.time, place: row.sale.place },
    quantity: row.quantity,
    bookingType: row.booking_type,
    unitPriceCents: Number(row.unit_price_cents ?? row.sale.unitPriceCents),
    lines: row.sale.quote?.lines ?? null,
    totalCents: Number(row.total_price_cents),
    payments: isPaidInFull
      ? []
      : owed.map(({ amount_cents: cents, state, paid_at: paidAt, due_at: dueAt }) => ({
          cents: Number(cents),
          at: paidAt ?? dueAt,
          state,
        })),
    reducedCents: instalments.reduce((sum, { reduced_cents: cents }) => sum + Number(cents), 0),
    cancellation,
    paymentId: row.payment_id,
    // The refund of a change has lowered the total already.
    refunds: refunds.flatMap(({ state, resolution, reason, amountCents, doneAt, dueAt, isWaiting }) =>
      resolution === 'refunded_again' || reason === 'changed'
        ? []
        : [{ state, resolution, amountCents, at: doneAt ?? dueAt, isWaiting }],
    ),
    returns: await listLostDisputes(
      db,
      charges.map((charge) => charge.paymentId),
    ),
  }
}

/** The refunds of a charge, each with whether it waits for the customer's bank. */
async function listRefunds(db: Database, { paymentId, refunds }: Charge) {
  const isBlocked = refunds.some(isStillHere) && (await areRefundsBlocked(db, paymentId))
  return refunds.map((refund) => ({ ...refund, isWaiting: isBlocked && isStillHere(refund) }))
}
