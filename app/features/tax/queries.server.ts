import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { LocalDate } from '../../shared/dates.ts'
import { type Cents, toNumericString } from '../../shared/money.ts'
import { isReadableBy, type PaperReader } from '../receipts/queries.server.ts'
import type { Sale } from '../sales/rules.ts'
import { commissionOfText } from './messages.ts'
import { type DocumentSubject, issuerOf, type QuarterSums, type TaxDocument } from './rules.ts'

/** A document as stored. */
export type StoredDocument = {
  id: string
  cents: Cents
  gstCents: Cents
  sha256: string
  content: TaxDocument
  /** The stored text of the content, of which the hash is. */
  text: string
}

function selectDocuments(db: Database | DatabaseTransaction) {
  return db
    .selectFrom('tax_documents')
    .select([
      'tax_documents.id',
      'tax_documents.cents',
      'tax_documents.gst_cents',
      'tax_documents.sha256',
      'tax_documents.content',
    ])
}

type DocumentRow = Awaited<ReturnType<ReturnType<typeof selectDocuments>['executeTakeFirstOrThrow']>>

function toDocument(row: DocumentRow): StoredDocument {
  return {
    id: row.id,
    cents: Number(row.cents),
    gstCents: Number(row.gst_cents),
    sha256: row.sha256,
    content: JSON.parse(row.content) as TaxDocument,
    text: row.content,
  }
}

/** Lists the documents of a booking, oldest first: its invoice, and the notes that adjust it. */
export async function listChain(
  db: Database | DatabaseTransaction,
  bookingId: string,
): Promise<StoredDocument[]> {
  const rows = await selectDocuments(db).where('booking_id', '=', bookingId).orderBy('number').execute()
  return rows.map(toDocument)
}

/**
 * Finds the seller of a sale as its documents name them: the registration with the sale's ABN, or the vendor's present one where the
 * sale began without, else the listing.
 */
export async function findSeller(
  tx: DatabaseTransaction,
  sale: Pick<Sale, 'ownerUserId' | 'businessName' | 'abn' | 'gstRegistered'>,
): Promise<{ name: string; abn: string | null; claimsGst: boolean }> {
  const registration = await tx
    .selectFrom('business_registrations')
    .select(['business_name', 'abn', 'gst_registered'])
    .where('user_id', '=', sale.ownerUserId)
    .executeTakeFirst()
  if (registration && (sale.abn === null || sale.abn === registration.abn))
    return {
      name: registration.business_name,
      abn: registration.abn,
      claimsGst: registration.gst_registered || sale.gstRegistered,
    }
  return { name: sale.businessName, abn: sale.abn, claimsGst: sale.gstRegistered }
}

/** When the changes of a booking took effect. */
export async function listChangeEnds(tx: DatabaseTransaction, bookingId: string): Promise<Date[]> {
  const rows = await tx
    .selectFrom('changes')
    .select('ended_at')
    .where('booking_id', '=', bookingId)
    .where('state', '=', 'paid')
    .execute()
  return rows.flatMap(({ ended_at: at }) => (at ? [at] : []))
}

/**
 * Finds a document of a booking.
 * @returns null when there is none with this number, or the booking belongs to another person
 */
export async function findSaleDocument(
  db: Database,
  reader: PaperReader,
  number: number,
): Promise<StoredDocument | null> {
  const query = (await readableBy(db, reader)).where('tax_documents.number', '=', number)
  const row = await query.executeTakeFirst()
  return row ? toDocument(row) : null
}

/** A document as lists link to it. Dates are days. */
export type DocumentView = {
  number: string
  kind: TaxDocument['kind']
  isTaxed: boolean
  issuedOn: LocalDate
  cents: Cents
}

/** Lists the documents of a booking for one who may read them, oldest first. */
export async function listSaleDocuments(db: Database, reader: PaperReader): Promise<DocumentView[]> {
  const rows = await (await readableBy(db, reader)).orderBy('tax_documents.number').execute()
  return rows.map((row) => viewOf(toDocument(row).content))
}

const viewOf = ({ number, kind, isTaxed, issuedOn, cents }: TaxDocument): DocumentView => ({
  ...{ number, kind, isTaxed, issuedOn, cents },
})

async function readableBy(db: Database, reader: PaperReader) {
  return selectDocuments(db)
    .innerJoin('bookings', 'bookings.id', 'tax_documents.booking_id')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
    .where(await isReadableBy(reader))
}

/** Finds a document of this vendor's, of a sale or of commission. */
export async function findVendorDocument(
  db: Database,
  { userId, subject, number }: { userId: string; subject: DocumentSubject; number: number },
): Promise<StoredDocument | null> {
  const row = await selectDocuments(db)
    .where('issuer', '=', issuerOf(vendorSeries({ userId, subject })))
    .where('number', '=', number)
    .where('vendor_user_id', '=', userId)
    .executeTakeFirst()
  return row ? toDocument(row) : null
}

/** Lists all documents of one subject of a vendor's quarter, oldest first. @param quarter.from its first day */
export async function listQuarterDocuments(
  db: Database,
  quarter: { userId: string; subject: DocumentSubject; from: LocalDate },
): Promise<TaxDocument[]> {
  const rows = await selectDocuments(db)
    .where('vendor_user_id', '=', quarter.userId)
    .where('subject', '=', quarter.subject)
    .where(isOfQuarter(quarter.from))
    .orderBy('supplied_on')
    .orderBy('number')
    .execute()
  return rows.map((row) => toDocument(row).content)
}

/** A month's mail to an accountant: its documents, and those of earlier months that were issued after their own mail. */
export type MonthOfAccountant = {
  userId: string
  /** 'YYYY-MM'. */
  month: string
  /** When the late ones were issued: after the mail before, up to this one. */
  late: { after: Date; until: Date }
}

/** Lists all documents of one subject that go with a month's mail, oldest first. */
export async function listMonthDocuments(
  db: Database,
  of: MonthOfAccountant & { subject: DocumentSubject },
): Promise<TaxDocument[]> {
  const rows = await selectDocuments(db)
    .where('vendor_user_id', '=', of.userId)
    .where('subject', '=', of.subject)
    .where(goesWith(of))
    .orderBy('supplied_on')
    .orderBy('number')
    .execute()
  return rows.map((row) => toDocument(row).content)
}

/** Finds one document that goes with a month's mail; null for any other one. */
export async function findMonthDocument(
  db: Database,
  of: MonthOfAccountant & { subject: DocumentSubject; number: number },
): Promise<StoredDocument | null> {
  const row = await selectDocuments(db)
    .where('issuer', '=', issuerOf(vendorSeries(of)))
    .where('number', '=', of.number)
    .where('vendor_user_id', '=', of.userId)
    .where(goesWith(of))
    .executeTakeFirst()
  return row ? toDocument(row) : null
}

const goesWith = ({ month, late: { after, until } }: MonthOfAccountant) => {
  const from = `${month}-01`
  return sql<boolean>`(supplied_on >= ${from}::date and supplied_on < ${from}::date + interval '1 month'
    or supplied_on < ${from}::date and issued_at > ${after}::timestamptz and issued_at <= ${until}::timestamptz)`
}

const vendorSeries = ({ userId, subject }: { userId: string; subject: DocumentSubject }) =>
  subject === 'sale' ? { subject, vendorUserId: userId } : { subject }

const isOfQuarter = (from: LocalDate) =>
  sql<boolean>`supplied_on >= ${from}::date and supplied_on < ${from}::date + interval '3 months'`

/** The sums of a vendor's Tax block. */
export type VendorTax = {
  /** Newest first. */
  quarters: QuarterSums[]
  /** How many bookings wait for the business register before they get a document. */
  waitingCount: number
}

/** Finds the sums of a vendor's quarters. */
export async function findVendorTax(db: Database, userId: string): Promise<VendorTax> {
  const [sums, waiting] = await Promise.all([
    sql<{ first: LocalDate; subject: DocumentSubject; cents: string; gst: string }>`
      select to_char(date_trunc('quarter', supplied_on), 'YYYY-MM-DD') as first, subject, sum(cents) as cents,
        sum(gst_cents) as gst
      from tax_documents where vendor_user_id = ${userId} group by 1, 2 order by 1 desc`.execute(db),
    db
      .selectFrom('tax_queue')
      .innerJoin('bookings', 'bookings.id', 'tax_queue.booking_id')
      .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('sales.owner_user_id', '=', userId)
      .where('tax_queue.waits_since', 'is not', null)
      .executeTakeFirstOrThrow(),
  ])
  const quarters = new Map<LocalDate, QuarterSums>()
  for (const { first: from, subject, cents, gst } of sums.rows) {
    const quarter = quarters.get(from) ?? {
      ...{ from, salesCents: 0, gstCents: 0, commissionCents: 0, commissionGstCents: 0 },
    }
    if (subject === 'sale') Object.assign(quarter, { salesCents: Number(cents), gstCents: Number(gst) })
    else Object.assign(quarter, { commissionCents: Number(cents), commissionGstCents: Number(gst) })
    quarters.set(from, quarter)
  }
  return { quarters: [...quarters.values()], waitingCount: Number(waiting.count) }
}

/** Whether the Tax block has anything to show. */
export const hasTax = ({ quarters, waitingCount }: VendorTax) => quarters.length > 0 || waitingCount > 0

/** Whether a vendor has a document, of a sale or of commission. */
export async function hasDocuments(db: Database, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('tax_documents')
    .select('id')
    .where('vendor_user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The documents of a quarter as the Tax block lists them. */
export type QuarterDocuments = {
  /** Its first day. */
  from: LocalDate
  /** Newest first. `about` is the business that was booked, or the month of commission. */
  documents: (DocumentView & { subject: DocumentSubject; about: string })[]
  hasMore: boolean
  hasSales: boolean
  hasCommission: boolean
}

const LISTED_DOCUMENTS = 20

/** Finds the newest documents of a vendor's quarter. @param quarter.from its first day */
export async function findQuarterDocuments(
  db: Database,
  quarter: { userId: string; from: LocalDate },
): Promise<QuarterDocuments> {
  const { userId, from } = quarter
  const [rows, subjects] = await Promise.all([
    selectDocuments(db)
      .where('vendor_user_id', '=', userId)
      .where(isOfQuarter(from))
      .orderBy('issued_at', 'desc')
      .orderBy('number', 'desc')
      .limit(LISTED_DOCUMENTS + 1)
      .execute(),
    db
      .selectFrom('tax_documents')
      .select('subject')
      .distinct()
      .where('vendor_user_id', '=', userId)
      .where(isOfQuarter(from))
      .execute(),
  ])
  return {
    from,
    documents: rows.slice(0, LISTED_DOCUMENTS).map((row) => {
      const { content } = toDocument(row)
      return {
        ...viewOf(content),
        subject: content.subject,
        about: content.month ? commissionOfText(content.month) : (content.event?.business ?? ''),
      }
    }),
    hasMore: rows.length > LISTED_DOCUMENTS,
    hasSales: subjects.some(({ subject }) => subject === 'sale'),
    hasCommission: subjects.some(({ subject }) => subject === 'commission'),
  }
}

/**
 * Exports the documents of an account: those of the bookings that a person has made with all that they say, and a vendor's own
 * without their customers.
 * @param bookingIds the bookings that the person has made
 */
export async function exportDocuments(db: Database, userId: string, bookingIds: readonly string[]) {
  const [made, sold] = await Promise.all([
    selectDocuments(db)
      .where(
        sql<boolean>`booking_id in (select json_array_elements_text(${JSON.stringify(bookingIds)}::json))`,
      )
      .orderBy('issued_at')
      .execute(),
    selectDocuments(db).where('vendor_user_id', '=', userId).orderBy('issued_at').execute(),
  ])
  return {
    ofBookingsMade: made.map((row) => toDocument(row).content),
    asVendor: sold.map((row) => {
      const { subject, number, kind, isTaxed, issuedOn, suppliedOn, cents, gstCents } =
        toDocument(row).content
      const amounts = { total: toNumericString(cents), gst: toNumericString(gstCents) }
      return { subject, number, kind, isTaxed, issuedOn, suppliedOn, ...amounts }
    }),
  }
}
