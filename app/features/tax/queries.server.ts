import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { LocalDate } from '../../shared/dates.ts'
import type { Cents } from '../../shared/money.ts'
import { hashText } from '../../shared/signed.ts'
import type { Sale } from '../sales/rules.ts'
import { type DocumentSubject, issuerOf, type QuarterSums, quarterStart, type TaxDocument } from './rules.ts'

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

/** A document's reader: a visitor with the booking's link, its signed-in vendor or customer, or an operator. */
export type DocumentReader =
  | { linkToken: string }
  | { bookingId: string; isOperator: true }
  | { bookingId: string; userId: string; verifiedEmail: string | null }

/**
 * Finds a document of a booking.
 * @returns null when there is none with this number, or the booking belongs to another person
 */
export async function findSaleDocument(
  db: Database,
  reader: DocumentReader,
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
export async function listSaleDocuments(db: Database, reader: DocumentReader): Promise<DocumentView[]> {
  const rows = await (await readableBy(db, reader)).orderBy('tax_documents.number').execute()
  return rows.map((row) => viewOf(toDocument(row).content))
}

const viewOf = ({ number, kind, isTaxed, issuedOn, cents }: TaxDocument): DocumentView => ({
  ...{ number, kind, isTaxed, issuedOn, cents },
})

async function readableBy(db: Database, reader: DocumentReader) {
  const query = selectDocuments(db)
    .innerJoin('bookings', 'bookings.id', 'tax_documents.booking_id')
    .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
  if ('linkToken' in reader) return query.where('sales.link_hash', '=', await hashText(reader.linkToken))
  const own = query.where('bookings.id', '=', reader.bookingId)
  if ('isOperator' in reader) return own
  return own.where((eb) =>
    eb.or([
      eb('sales.owner_user_id', '=', reader.userId),
      eb('sales.customer_user_id', '=', reader.userId),
      ...(reader.verifiedEmail ? [eb('bookings.email', '=', reader.verifiedEmail)] : []),
    ]),
  )
}

/** Finds a document of this vendor's, of a sale or of commission. */
export async function findVendorDocument(
  db: Database,
  { userId, subject, number }: { userId: string; subject: DocumentSubject; number: number },
): Promise<StoredDocument | null> {
  const issuer = issuerOf(subject === 'sale' ? { subject, vendorUserId: userId } : { subject })
  const row = await selectDocuments(db)
    .where('issuer', '=', issuer)
    .where('number', '=', number)
    .where('vendor_user_id', '=', userId)
    .executeTakeFirst()
  return row ? toDocument(row) : null
}

/** Lists all documents of a vendor of some days, oldest first. */
export async function listVendorDocuments(
  db: Database,
  period: { userId: string; from: LocalDate; until: LocalDate },
): Promise<StoredDocument[]> {
  const rows = await selectDocuments(db)
    .where('vendor_user_id', '=', period.userId)
    .where('supplied_on', '>=', period.from)
    .where('supplied_on', '<', period.until)
    .orderBy('supplied_on')
    .orderBy('issued_at')
    .orderBy('number')
    .execute()
  return rows.map(toDocument)
}

/** What a vendor's Tax block shows. */
export type VendorTax = {
  /** Newest first. */
  quarters: QuarterSums[]
  /** The newest documents, at most `RECENT_DOCUMENTS`. */
  recent: (DocumentView & { subject: DocumentSubject })[]
  /** How many bookings wait for the business register before they get a document. */
  waitingCount: number
}

const RECENT_DOCUMENTS = 6

/** Finds the sums of a vendor's quarters, and their newest documents. */
export async function findVendorTax(db: Database, userId: string): Promise<VendorTax> {
  const [sums, recent, waiting] = await Promise.all([
    sql<{ first: LocalDate; subject: DocumentSubject; cents: string; gst: string }>`
      select to_char(date_trunc('quarter', supplied_on), 'YYYY-MM-DD') as first, subject, sum(cents) as cents,
        sum(gst_cents) as gst
      from tax_documents where vendor_user_id = ${userId} group by 1, 2`.execute(db),
    selectDocuments(db)
      .where('vendor_user_id', '=', userId)
      .orderBy('issued_at', 'desc')
      .orderBy('number', 'desc')
      .limit(RECENT_DOCUMENTS)
      .execute(),
    db
      .selectFrom('tax_queue')
      .innerJoin('bookings', 'bookings.id', 'tax_queue.booking_id')
      .innerJoin('sales', 'sales.id', 'bookings.payment_row_id')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('sales.owner_user_id', '=', userId)
      .where('tax_queue.is_waiting', '=', true)
      .executeTakeFirstOrThrow(),
  ])
  const quarters = new Map<LocalDate, QuarterSums>()
  for (const { first, subject, cents, gst } of sums.rows) {
    const from = quarterStart(first)
    const quarter = quarters.get(from) ?? {
      ...{ from, salesCents: 0, gstCents: 0, commissionCents: 0, commissionGstCents: 0 },
    }
    if (subject === 'sale') Object.assign(quarter, { salesCents: Number(cents), gstCents: Number(gst) })
    else Object.assign(quarter, { commissionCents: Number(cents), commissionGstCents: Number(gst) })
    quarters.set(from, quarter)
  }
  return {
    quarters: [...quarters.values()].toSorted((one, other) => (one.from < other.from ? 1 : -1)),
    recent: recent.map((row) => {
      const { content } = toDocument(row)
      return { ...viewOf(content), subject: content.subject }
    }),
    waitingCount: Number(waiting.count),
  }
}
