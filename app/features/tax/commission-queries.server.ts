import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { LocalDate } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { HOUR_MS } from '../../shared/time-units.ts'
import type { Party, TaxDocument } from './rules.ts'

/** The commission of one transaction of the ledger that is on no document yet. Below 0, it was given back. */
export type CommissionRow = {
  transactionId: string
  bookingId: string | null
  /** With the GST in it. */
  cents: Cents
  gstCents: Cents
  booking: { customerName: string; businessName: string; date: LocalDate } | null
}

/**
 * The commission of each transaction that no document has, by posting. It counts when it was posted, or when the last before it of the
 * same booking was if that is later. A dispute's day may be before the one on which its booking was
 * earned, so what is given back counts no earlier than what was taken: all of a booking counts in the order of its posting.
 */
const uninvoicedBefore = (before: Date) => sql`(
  select * from (
    select t.id, t.vendor_user_id, t.booking_id, p.account, p.cents, greatest(t.posted_at, (
      select max(earlier.posted_at)
      from ledger_postings ep join ledger_transactions earlier on earlier.id = ep.transaction_id
      where ep.booking_id = t.booking_id and ep.account in ('commission', 'gst_on_commission') and earlier.id < t.id
    )) as counts_at
    from ledger_postings p join ledger_transactions t on t.id = p.transaction_id
    where p.account in ('commission', 'gst_on_commission') and t.posted_at < ${before}
      and not exists (select from invoiced_commissions where transaction_id = p.transaction_id)
  ) uninvoiced where counts_at < ${before})`

/** A month that began this long ago may be over, in whatever zone: fewer days than the shortest month has. */
const MONTH_MAY_BE_OVER_MS = 12 * HOUR_MS

/** Lists vendors with commission on no document, the one with the oldest first. Some of them may have it of this month alone. */
export async function listUninvoicedVendors(db: Database, limit: number, now: Date): Promise<string[]> {
  const monthBegan = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) + MONTH_MAY_BE_OVER_MS)
  const { rows } = await sql<{ vendor_user_id: string }>`
    select vendor_user_id from ${uninvoicedBefore(monthBegan)} u
    group by 1 order by min(counts_at), 1 limit ${limit}`.execute(db)
  return rows.map(({ vendor_user_id: userId }) => userId)
}

/** When the oldest of a vendor's commission counts that is on no document yet; null without any. */
export async function findOldestUninvoiced(
  tx: DatabaseTransaction,
  of: { userId: string; before: Date },
): Promise<Date | null> {
  const { rows } = await sql<{ counts_at: Date | null }>`
    select min(counts_at) as counts_at from ${uninvoicedBefore(of.before)} u
    where vendor_user_id = ${of.userId}`.execute(tx)
  return rows[0]?.counts_at ?? null
}

/** Lists a vendor's commission on no document yet, oldest first. @param of.before the first instant after it */
export async function listUninvoiced(
  tx: DatabaseTransaction,
  of: { userId: string; before: Date },
): Promise<CommissionRow[]> {
  const { rows } = await sql<{
    id: string | number
    booking_id: string | null
    cents: string
    gst: string
    customer_name: string | null
    vendor_name: string | null
    event: LocalDate | null
  }>`
    select u.*, b.customer_name, b.vendor_name, to_char(b.date, 'YYYY-MM-DD') as event
    from (
      select id, booking_id, counts_at, -sum(cents) as cents,
        -coalesce(sum(cents) filter (where account = 'gst_on_commission'), 0) as gst
      from ${uninvoicedBefore(of.before)} postings where vendor_user_id = ${of.userId}
      group by 1, 2, 3
    ) u left join bookings b on b.id = u.booking_id
    order by u.counts_at, u.id`.execute(tx)
  return rows.map((row) => ({
    transactionId: String(row.id),
    bookingId: row.booking_id,
    cents: Number(row.cents),
    gstCents: Number(row.gst),
    booking:
      row.customer_name !== null && row.vendor_name !== null && row.event !== null
        ? { customerName: row.customer_name, businessName: row.vendor_name, date: row.event }
        : null,
  }))
}

/** An invoice of commission, and its amount after the notes so far. */
export type CommissionInvoice = { id: string; content: TaxDocument; leftCents: Cents }

/** Finds the newest commission invoice with each booking. @returns by booking */
export async function findCommissionInvoices(
  tx: DatabaseTransaction,
  bookingIds: readonly string[],
): Promise<Map<string, CommissionInvoice>> {
  const { rows } = await sql<{ booking_id: string; id: string; content: string; left_cents: string }>`
    select distinct on (t.booking_id) t.booking_id, d.id, d.content,
      d.cents + coalesce((select sum(n.cents) from tax_documents n where n.vendor_user_id = d.vendor_user_id and n.adjusts = d.id), 0) as left_cents
    from ledger_transactions t
    join invoiced_commissions on invoiced_commissions.transaction_id = t.id
    join tax_documents d on d.id = invoiced_commissions.document_id and d.kind = 'invoice'
    where t.booking_id in (select json_array_elements_text(${JSON.stringify(bookingIds)}::json))
    order by t.booking_id, d.number desc`.execute(tx)
  return new Map(
    rows.map((row) => [
      row.booking_id,
      { id: row.id, content: JSON.parse(row.content) as TaxDocument, leftCents: Number(row.left_cents) },
    ]),
  )
}

/** Finds a vendor as a document names them: their registration, else their account. */
export async function findVendorParty(tx: DatabaseTransaction, userId: string): Promise<Party> {
  const registration = await tx
    .selectFrom('business_registrations')
    .select(['business_name as name', 'abn'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (registration) return registration
  const user = await tx
    .selectFrom('users')
    .select(['name', 'email'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return { name: user?.name || user?.email || 'Former vendor', abn: null }
}
