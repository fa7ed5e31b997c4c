import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { addDays, type LocalDate, wallTimeAt, wallTimeToUtc } from '../../shared/dates.ts'
import { eachOf } from '../../shared/each-of.ts'
import { groupBy } from '../../shared/group-by.ts'
import type { Cents } from '../../shared/money.ts'
import { findVendorZone } from '../businesses/owner-queries.server.ts'
import { addMonths } from '../payouts/earning-rules.ts'
import { storeDocument } from './commands.server.ts'
import {
  type CommissionInvoice,
  type CommissionRow,
  findCommissionInvoices,
  findOldestUninvoiced,
  findVendorParty,
  listUninvoiced,
  listUninvoicedVendors,
} from './commission-queries.server.ts'
import type { TaxDeps } from './deps.server.ts'
import { commissionLine, documentTitle } from './messages.ts'
import { type DocumentLine, issuerOf, type Party } from './rules.ts'

const VENDORS_PER_RUN = 200
/** Months of one vendor in one run: a vendor from before has some years of them. */
const MONTHS_PER_VENDOR = 60

/**
 * Invoices the commission of each month that is over to its vendor, from the oldest month on: one invoice for what was taken, and a
 * note to its invoice for what was given back. Each month is a transaction of its own.
 * @throws AggregateError when some vendors fail because of a bug; the others are done
 */
export async function issueCommissionDocuments(deps: TaxDeps): Promise<void> {
  const vendors = await listUninvoicedVendors(deps.db, VENDORS_PER_RUN, deps.now())
  await eachOf(vendors, async (userId) => {
    for (let month = 0; month < MONTHS_PER_VENDOR; month++) {
      const isLast = await deps.db.transaction().execute((tx) => issueOldestMonth(deps, tx, userId))
      if (isLast) return
    }
  })
}

/** @returns whether no month that is over is left */
async function issueOldestMonth(deps: TaxDeps, tx: DatabaseTransaction, userId: string): Promise<boolean> {
  // All commission is numbered in one series, so two processes never invoice one month.
  await sql`
    insert into tax_series (issuer, last_number) values (${issuerOf({ subject: 'commission' })}, 0)
    on conflict (issuer) do update set last_number = tax_series.last_number`.execute(tx)
  const timeZone = await findVendorZone(tx, userId)
  const thisMonth = wallTimeAt(deps.now(), timeZone).date.slice(0, 7)
  const oldest = await findOldestUninvoiced(tx, { userId, before: deps.now() })
  if (!oldest) return true
  const month = wallTimeAt(oldest, timeZone).date.slice(0, 7)
  if (month >= thisMonth) return true
  const firstAfter = `${addMonths(month, 1)}-01`
  const before = wallTimeToUtc(firstAfter, '00:00', timeZone)
  const rows = await listUninvoiced(tx, { userId, before })
  await issueMonth(deps, tx, { userId, timeZone, month, suppliedOn: addDays(firstAfter, -1), rows })
  return false
}

type Month = {
  userId: string
  timeZone: string
  month: string
  suppliedOn: LocalDate
  rows: readonly CommissionRow[]
}

/** One booking's commission of a month, with its transactions. */
type BookingCommission = { bookingId: string | null; cents: Cents; gstCents: Cents; rows: CommissionRow[] }

async function issueMonth(deps: TaxDeps, tx: DatabaseTransaction, month: Month): Promise<void> {
  const byBooking = groupBy(month.rows, ({ bookingId }) => bookingId)
  const bookings = [...byBooking.values()].map(
    (rows): BookingCommission => ({
      bookingId: rows[0]?.bookingId ?? null,
      cents: rows.reduce((sum, { cents }) => sum + cents, 0),
      gstCents: rows.reduce((sum, { gstCents }) => sum + gstCents, 0),
      rows,
    }),
  )
  const vendor = await findVendorParty(tx, month.userId)
  const taken = bookings.filter(({ cents }) => cents > 0)
  const givenBack = bookings.filter(({ cents }) => cents < 0)
  await markInvoiced(
    tx,
    bookings.filter(({ cents }) => cents === 0),
    null,
  )
  if (taken.length > 0) {
    const id = await store(deps, tx, month, { vendor, bookings: taken, adjusts: null })
    await markInvoiced(tx, taken, id)
  }
  const invoices = await findCommissionInvoices(
    tx,
    givenBack.flatMap(({ bookingId }) => bookingId ?? []),
  )
  const byInvoice = groupBy(givenBack, ({ bookingId }) => invoices.get(bookingId ?? '')?.id)
  for (const given of byInvoice.values()) {
    const invoice = invoices.get(given[0]?.bookingId ?? '')
    if (!invoice) throw new Error(`The commission that ${month.userId} gets back was never invoiced.`)
    const id = await store(deps, tx, month, { vendor, bookings: given, adjusts: invoice })
    await markInvoiced(tx, given, id)
  }
}

async function store(
  deps: TaxDeps,
  tx: DatabaseTransaction,
  { userId, timeZone, month, suppliedOn }: Month,
  of: {
    vendor: Party
    bookings: readonly BookingCommission[]
    adjusts: CommissionInvoice | null
  },
): Promise<string> {
  const { adjusts, bookings } = of
  const cents = bookings.reduce((sum, each) => sum + each.cents, 0)
  const gstCents = bookings.reduce((sum, each) => sum + each.gstCents, 0)
  const isTaxed = gstCents !== 0 || (adjusts?.content.isTaxed ?? false)
  const operator = { name: deps.platform.name ?? deps.brand, abn: deps.platform.abn }
  return storeDocument(deps, tx, {
    vendorUserId: userId,
    bookingId: null,
    adjusts: adjusts?.id ?? null,
    timeZone,
    document: {
      subject: 'commission',
      kind: adjusts ? 'adjustment' : 'invoice',
      isTaxed,
      suppliedOn,
      supplier: operator,
      buyer: of.vendor,
      event: null,
      month,
      adjusts: adjusts && {
        title: documentTitle(adjusts.content),
        number: adjusts.content.number,
        issuedOn: adjusts.content.issuedOn,
        beforeCents: adjusts.leftCents,
        afterCents: adjusts.leftCents + cents,
      },
      lines: bookings.map(lineOf),
      cents,
      gstCents,
    },
  })
}

function lineOf({ rows, cents, gstCents }: BookingCommission): DocumentLine {
  const description = commissionLine(rows[0]?.booking ?? null)
  return { description, quantity: 1, unitPriceCents: cents, cents, gstCents }
}

async function markInvoiced(
  tx: DatabaseTransaction,
  bookings: readonly BookingCommission[],
  documentId: string | null,
): Promise<void> {
  const rows = bookings.flatMap((booking) => booking.rows)
  if (rows.length === 0) return
  await tx
    .insertInto('invoiced_commissions')
    .values(rows.map(({ transactionId }) => ({ transaction_id: transactionId, document_id: documentId })))
    .execute()
}
