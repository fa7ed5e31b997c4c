import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../adapters/database/port.ts'
import { wallTimeAt } from '../../shared/dates.ts'
import { eachOf } from '../../shared/each-of.ts'
import { newId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import { MINUTE_MS } from '../../shared/time-units.ts'
import { type BookingRow, lockBooking } from '../bookings/row-queries.server.ts'
import { bankOf, offPriceOf } from '../bookings/row-rules.ts'
import { lockPayment } from '../payments/queries.server.ts'
import { findGstAt, findLastAnswer } from '../registrations/register-queries.server.ts'
import type { Sale } from '../sales/rules.ts'
import type { TaxDeps } from './deps.server.ts'
import { adjustmentLine, documentTitle, TAKEN_OFF_BEFORE } from './messages.ts'
import { findSeller, listChain, listChangeEnds, type StoredDocument } from './queries.server.ts'
import {
  type BookingPrice,
  BUYER_NAMED_FROM,
  considerationOf,
  type DocumentLine,
  differenceOf,
  documentNumberText,
  isSampleOf,
  issuerOf,
  saleLines,
  type TaxDocument,
  treatmentOf,
  withGst,
} from './rules.ts'

const BOOKINGS_PER_RUN = 200
/** How often a booking is looked at while the business register hasn't answered. */
const WAITS_FOR_REGISTER_MS = 10 * MINUTE_MS

/**
 * Issues the documents of the bookings whose price or status has changed, oldest first: an invoice once a booking is approved, and a
 * note for each later difference. Each booking is a transaction of its own, so that it doesn't matter where a process dies or how
 * many run this.
 * @throws AggregateError when some bookings fail because of a bug; the others are done
 */
export async function issueSaleDocuments(deps: TaxDeps): Promise<void> {
  const rows = await deps.db
    .selectFrom('tax_queue')
    .select('booking_id')
    .where('look_at', '<=', deps.now())
    .orderBy('look_at')
    .orderBy('booking_id')
    .limit(BOOKINGS_PER_RUN)
    .execute()
  await eachOf(rows, async (row) => {
    await deps.db.transaction().execute((tx) => issueOfBooking(deps, tx, row.booking_id))
  })
}

async function issueOfBooking(deps: TaxDeps, tx: DatabaseTransaction, bookingId: string): Promise<void> {
  const row = await lockBooking(tx, bookingId)
  if (row) await lockPayment(tx, row.payment_row_id)
  // Before anything else is read: a change that isn't committed yet waits here, and puts the booking back afterwards.
  const queued = await tx
    .selectFrom('tax_queue')
    .select(['approved_at', 'waits_since'])
    .where('booking_id', '=', bookingId)
    .forUpdate()
    .executeTakeFirst()
  // Another process has been faster.
  if (!queued) return
  const fresh = row && (await lockBooking(tx, bookingId))
  const lookAt = fresh ? await issueNext(deps, tx, fresh, queued.approved_at) : null
  if (lookAt === null) await tx.deleteFrom('tax_queue').where('booking_id', '=', bookingId).execute()
  else
    await tx
      .updateTable('tax_queue')
      .set({
        look_at: lookAt.at,
        waits_since: lookAt.isWaiting ? (queued.waits_since ?? deps.now()) : null,
      })
      .where('booking_id', '=', bookingId)
      .execute()
}

/**
 * Issues the next document of a locked booking, if its price differs from the documents so far.
 * @returns when to look again; null once they agree
 */
async function issueNext(
  deps: TaxDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  approvedAt: Date | null,
): Promise<{ at: Date; isWaiting: boolean } | null> {
  const now = deps.now()
  // A decline that can be taken back has changed nothing for good.
  const undoableUntil = row.refunds
    .filter(({ state, due_at: dueAt }) => state === 'due' && new Date(dueAt) > now)
    .map(({ due_at: dueAt }) => new Date(dueAt))
    .at(0)
  if (row.status === 'declined' && undoableUntil) return { at: undoableUntil, isWaiting: false }
  const chain = await listChain(tx, row.id)
  const afterCents = considerationOf(priceOf(row))
  const [invoice] = chain
  if (invoice) {
    const before = sumsOf(chain)
    if (before.cents === afterCents) return null
    await storeAdjustment(deps, tx, row, { invoice, before, afterCents })
    return null
  }
  if (afterCents === 0) return null
  const supplied = approvedAt ?? row.created_at
  const seller = await findSeller(tx, row.sale)
  const day = wallTimeAt(supplied, row.sale.timeZone).date
  const treatment = treatmentOf(
    { abn: seller.abn, claimsGst: seller.claimsGst },
    {
      answer: seller.abn ? await findGstAt(tx, { abn: seller.abn, day }) : 'no_answer',
      hasAnswered: seller.abn !== null && (await findLastAnswer(tx, seller.abn)) !== null,
      isAsked: deps.isRegisterAsked,
    },
  )
  if (treatment === 'waits') return { at: new Date(now.getTime() + WAITS_FOR_REGISTER_MS), isWaiting: true }
  await storeInvoice(deps, tx, row, { seller, isTaxed: treatment === 'taxed', day, afterCents })
  return null
}

const sumsOf = (chain: readonly StoredDocument[]) => ({
  cents: chain.reduce((sum, { cents }) => sum + cents, 0),
  gstCents: chain.reduce((sum, { gstCents }) => sum + gstCents, 0),
})

/** The price of a booking as its rows have it. */
function priceOf(row: BookingRow): BookingPrice {
  const priceCents = Number(row.total_price_cents)
  const off = offPriceOf(row)
  const changedCents = row.refunds
    .filter(({ reason }) => reason === 'changed')
    .reduce((sum, { amount_cents: cents }) => sum + Number(cents), 0)
  const lostCents = bankOf(row).returns.reduce((sum, { cents }) => sum + cents, 0)
  const paid = row.instalments.filter(({ state }) => state === 'paid')
  return {
    isApproved: row.status === 'approved',
    priceCents,
    paidCents:
      row.instalments.length === 0
        ? priceCents
        : paid.reduce((sum, { amount_cents: cents }) => sum + Number(cents), 0),
    takenOffCents: off.takenOffCents,
    refundedCents: off.refundedCents,
    // A lost dispute may have taken what a change was to give back, which has lowered the price already.
    lostCents: Math.max(0, lostCents - Math.max(0, Number(row.given_back_cents) - changedCents)),
    agreedKeptCents:
      row.status === 'withdrawn' && row.cancellation ? Number(row.cancellation.kept_cents) : null,
  }
}

async function storeInvoice(
  deps: TaxDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  invoice: {
    seller: { name: string; abn: string | null }
    isTaxed: boolean
    day: string
    afterCents: Cents
  },
): Promise<void> {
  const { seller, isTaxed, day, afterCents } = invoice
  const amounts = differenceOf(afterCents, isTaxed, { cents: 0, gstCents: 0 })
  await storeDocument(deps, tx, {
    vendorUserId: row.owner_user_id,
    bookingId: row.id,
    adjusts: null,
    document: {
      ...{ subject: 'sale', kind: 'invoice', isTaxed, suppliedOn: day },
      supplier: { name: seller.name, abn: seller.abn },
      buyer: buyerOf(row, afterCents),
      event: eventOf(row),
      month: null,
      adjusts: null,
      lines: withGst(invoiceLines(row.sale, afterCents), isTaxed),
      ...amounts,
    },
    timeZone: row.sale.timeZone,
  })
}

/** The lines of a sale, and what has come off it before it was invoiced. */
function invoiceLines(sale: Sale, totalCents: Cents): Omit<DocumentLine, 'gstCents'>[] {
  const lines = saleLines(sale)
  const offCents = totalCents - lines.reduce((sum, { cents }) => sum + cents, 0)
  if (offCents === 0) return lines
  return [...lines, { description: TAKEN_OFF_BEFORE, quantity: 1, unitPriceCents: offCents, cents: offCents }]
}

async function storeAdjustment(
  deps: TaxDeps,
  tx: DatabaseTransaction,
  row: BookingRow,
  change: {
    invoice: StoredDocument
    before: { cents: Cents; gstCents: Cents }
    afterCents: Cents
  },
): Promise<void> {
  const { invoice, before, afterCents } = change
  const { content } = invoice
  const { isTaxed } = content
  const amounts = differenceOf(afterCents, isTaxed, before)
  const at = await changedAt(deps, tx, row)
  await storeDocument(deps, tx, {
    vendorUserId: row.owner_user_id,
    bookingId: row.id,
    adjusts: invoice.id,
    document: {
      ...{ subject: 'sale', kind: 'adjustment', isTaxed },
      suppliedOn: wallTimeAt(at, row.sale.timeZone).date,
      supplier: content.supplier,
      buyer: content.buyer ?? buyerOf(row, Math.max(before.cents, afterCents)),
      event: eventOf(row),
      month: null,
      adjusts: {
        title: documentTitle(content),
        number: content.number,
        issuedOn: content.issuedOn,
        beforeCents: before.cents,
        afterCents,
      },
      lines: [
        {
          description: adjustmentLine(amounts.cents < 0),
          quantity: 1,
          unitPriceCents: amounts.cents,
          ...amounts,
        },
      ],
      ...amounts,
    },
    timeZone: row.sale.timeZone,
  })
}

/** When the price last changed: the newest refund, lost dispute, cancellation or change. Later than the job's own clock is now. */
async function changedAt(deps: TaxDeps, tx: DatabaseTransaction, row: BookingRow): Promise<Date> {
  const moments = [
    ...(row.cancellation ? [row.cancellation.created_at] : []),
    ...row.refunds
      .filter(({ borne_by: borneBy }) => borneBy !== 'operator')
      .map((refund) => refund.created_at),
    ...row.disputes.flatMap(({ status, closed_at: closedAt }) =>
      status === 'lost' && closedAt ? [closedAt] : [],
    ),
    ...(await listChangeEnds(tx, row.id)),
  ]
    // Times are text inside JSON.
    .map((moment) => new Date(moment).getTime())
  const nowMs = deps.now().getTime()
  return new Date(moments.length === 0 ? nowMs : Math.min(nowMs, Math.max(...moments)))
}

function buyerOf(row: BookingRow, cents: Cents): TaxDocument['buyer'] {
  return cents >= BUYER_NAMED_FROM ? { name: row.customer_name, abn: null } : null
}

function eventOf({ vendor_name: business, date, sale }: BookingRow): TaxDocument['event'] {
  return { business, date, place: sale.place }
}

/** A document that isn't numbered yet. */
export type NewDocument = {
  vendorUserId: string
  bookingId: string | null
  /** The id of the invoice that a note adjusts. */
  adjusts: string | null
  document: Omit<TaxDocument, 'number' | 'issuedOn' | 'issuer' | 'isSample'>
  /** The zone of the day on which it is issued. */
  timeZone: string
}

/**
 * Numbers a document in its issuer's series and stores it. The series' row stays locked until the commit, so numbers follow the
 * order of commits, never repeat and leave no gap after a rollback.
 * @returns its id
 */
export async function storeDocument(
  deps: TaxDeps,
  tx: DatabaseTransaction,
  given: NewDocument,
): Promise<string> {
  const { vendorUserId, document } = given
  const { subject } = document
  const issuer = issuerOf(subject === 'sale' ? { subject, vendorUserId } : { subject })
  const { rows } = await sql<{ last_number: number }>`
    insert into tax_series (issuer, last_number) values (${issuer}, 1)
    on conflict (issuer) do update set last_number = tax_series.last_number + 1
    returning last_number`.execute(tx)
  const number = rows[0]?.last_number
  if (number === undefined) throw new Error('a document got no number')
  deps.faultPoint('tax-document-numbered')
  const issuedAt = deps.now()
  const { platform, brand } = deps
  const content: TaxDocument = {
    ...document,
    number: documentNumberText(subject, number),
    issuedOn: wallTimeAt(issuedAt, given.timeZone).date,
    issuer: { brand, name: platform.name ?? brand, abn: platform.abn },
    isSample: isSampleOf(platform),
  }
  const text = JSON.stringify(content)
  const id = newId()
  await tx
    .insertInto('tax_documents')
    .values({
      ...{ id, issuer, number, subject, kind: document.kind, is_taxed: document.isTaxed },
      vendor_user_id: vendorUserId,
      booking_id: given.bookingId,
      month: document.month,
      adjusts: given.adjusts,
      cents: document.cents,
      gst_cents: document.gstCents,
      supplied_on: document.suppliedOn,
      issued_at: issuedAt,
      content: text,
      sha256: createHash('sha256').update(text).digest('hex'),
    })
    .execute()
  deps.faultPoint('tax-document-stored-uncommitted')
  return id
}
