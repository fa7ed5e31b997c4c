import { sql } from 'kysely'
import type { Database } from '../../adapters/database/port.ts'
import { wallTimeAt, wallTimeToUtc } from '../../shared/dates.ts'
import type { TransactionKind } from '../ledger/rules.ts'
import { addMonths } from './earning-rules.ts'
import type { Statement, StatementLine } from './statement-rules.ts'

/**
 * A vendor's statement of one month, from the ledger's postings: what we owe them is the sum of their shares that aren't
 * sent, less their debts.
 * @param input.month 'YYYY-MM', in the vendor's zone
 */
export async function findStatement(
  db: Database,
  input: { userId: string; timeZone: string; month: string },
): Promise<Statement> {
  const { userId, timeZone, month } = input
  const start = wallTimeToUtc(`${month}-01`, '00:00', timeZone)
  const end = wallTimeToUtc(`${addMonths(month, 1)}-01`, '00:00', timeZone)
  const [balances, lines] = await Promise.all([
    sql<{ opening: string | null; closing: string | null; held: string | null }>`
      select
        -sum(p.cents) filter (where p.account in ('vendor_payable', 'vendor_receivable') and t.posted_at < ${start})
          as opening,
        -sum(p.cents) filter (where p.account in ('vendor_payable', 'vendor_receivable')) as closing,
        -sum(p.cents) filter (where p.account in ('customer_money_held', 'disputed')) as held
      from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
      where t.vendor_user_id = ${userId} and t.posted_at < ${end}`.execute(db),
    sql<LineRow>`
      select m.kind, m.posted_at, m.cents, m.gst, m.commission_back, b.customer_name, b.vendor_name, to_char(b.date, 'YYYY-MM-DD') as event
      from (
        select t.id, t.kind, t.posted_at, t.booking_id,
          -coalesce(sum(p.cents) filter (where p.account in ('vendor_payable', 'vendor_receivable')), 0) as cents,
          -coalesce(sum(p.cents) filter (where p.account = 'gst_on_commission'), 0) as gst,
          coalesce(sum(p.cents) filter (where p.account in ('commission', 'gst_on_commission')
            and t.kind in ('refund', 'dispute_opened')), 0) as commission_back
        from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
        where t.vendor_user_id = ${userId} and t.posted_at >= ${start} and t.posted_at < ${end}
        group by t.id
      ) m left join bookings b on b.id = m.booking_id
      where m.cents <> 0 or m.commission_back <> 0
      order by m.posted_at, m.booking_id, m.kind <> 'earned', m.id`.execute(db),
  ])
  const [sums] = balances.rows
  return {
    month,
    openingCents: Number(sums?.opening ?? 0),
    closingCents: Number(sums?.closing ?? 0),
    heldCents: Number(sums?.held ?? 0),
    lines: lines.rows.flatMap((row) => linesOf(row, timeZone)),
  }
}

/** A refund or a dispute of earned money posts the commission that it gives back with it. The statement has it on a line of its own. */
function linesOf(row: LineRow, timeZone: string): StatementLine[] {
  const about = {
    date: wallTimeAt(row.posted_at, timeZone).date,
    booking:
      row.customer_name !== null && row.vendor_name !== null && row.event !== null
        ? { customerName: row.customer_name, businessName: row.vendor_name, event: row.event }
        : null,
  }
  const cents = Number(row.cents)
  const gstCents = Number(row.gst)
  const backCents = Number(row.commission_back)
  if (backCents === 0) return [{ ...about, kind: row.kind, cents, gstCents }]
  return [
    { ...about, kind: row.kind, cents: cents - backCents, gstCents: 0 },
    { ...about, kind: 'commission_back', cents: backCents, gstCents },
  ]
}

type LineRow = {
  kind: TransactionKind
  posted_at: Date
  cents: string
  gst: string
  commission_back: string
  customer_name: string | null
  vendor_name: string | null
  event: string | null
}
