import { sql } from 'kysely'
import { href } from 'react-router'
import type { Database } from '../../adapters/database/port.ts'
import { listAccounts, matchesAccount, type OperatorAccount } from './account-queries.server.ts'
import { type ListedBooking, listBookings, matchesBooking } from './booking-queries.server.ts'
import { listListings, matchesListing, type OperatorListing } from './listing-queries.server.ts'
import { listPayments, matchesWords, type OperatorPayment } from './payment-queries.server.ts'
import { mayOpen, type Role } from './role-rules.ts'
import { COUNT_LIMIT, SEARCH_SIZE } from './rules.ts'
import { countVendors, type FoundVendor, listVendors } from './vendor-queries.server.ts'

/** The results of one kind: the newest, and how many there are, counted up to `COUNT_LIMIT` + 1. */
export type FoundKind<Row> = { rows: Row[]; count: number }

/** The results of a search by kind. Null for a kind whose list the operator's role may not open. */
export type OperatorSearch = {
  vendors: FoundKind<FoundVendor> | null
  accounts: FoundKind<OperatorAccount> | null
  bookings: FoundKind<ListedBooking> | null
  payments: FoundKind<OperatorPayment> | null
  listings: FoundKind<OperatorListing> | null
}

type Asked = { words: string; role: Role; now: Date; adminEmails: ReadonlySet<string> }

/** The address under which vendors have their pages. They have no list. */
const VENDORS = href('/operations/vendors/:id', { id: '' })

/** Searches the lists that the operator's role may open. */
export async function searchEverything(
  db: Database,
  { words, role, now, adminEmails }: Asked,
): Promise<OperatorSearch> {
  const asked = { words, now, limit: SEARCH_SIZE }
  const kind = async <Row>(path: string, rows: () => Promise<Row[]>, count: () => Promise<number>) => {
    if (!mayOpen(role, path)) return null
    const found = await rows()
    // A full page alone leaves open how many there are.
    return { rows: found, count: found.length < SEARCH_SIZE ? found.length : await count() }
  }
  const [vendors, accounts, bookings, payments, listings] = await Promise.all([
    kind(
      VENDORS,
      () => listVendors(db, asked),
      () => countVendors(db, words),
    ),
    kind(
      href('/operations/accounts'),
      () => listAccounts(db, { ...asked, disabled: false, adminEmails }),
      () => countUpTo(db.selectFrom('users').where(matchesAccount(words)).select(sql`1`.as('one'))),
    ),
    kind(
      href('/operations/bookings'),
      () => listBookings(db, { ...asked, filter: 'all' }),
      () => countUpTo(db.selectFrom('bookings').where(matchesBooking(words)).select(sql`1`.as('one'))),
    ),
    kind(
      href('/operations/payments'),
      () => listPayments(db, { ...asked, filter: 'all' }),
      () => countUpTo(db.selectFrom('payments').where(matchesWords(words)).select(sql`1`.as('one'))),
    ),
    kind(
      href('/operations/listings'),
      () => listListings(db, { ...asked, hidden: false }),
      () =>
        countUpTo(
          db
            .selectFrom('businesses')
            .where('deleted_at', 'is', null)
            .where(matchesListing(words))
            .select(sql`1`.as('one')),
        ),
    ),
  ])
  return { vendors, accounts, bookings, payments, listings }

  async function countUpTo(query: { limit(rows: number): { execute(): Promise<unknown[]> } }) {
    return (await query.limit(COUNT_LIMIT + 1).execute()).length
  }
}

/**
 * Finds what an id names, if the operator's role may open it: a payment or a booking by our id or the provider's, a
 * dispute, an account or a listing.
 * @returns the address of its screen; null for anything that isn't an id
 */
export async function findById(db: Database, id: string, role: Role): Promise<string | null> {
  // Ids have no spaces and are longer than a name's word; a listing's have a hyphen.
  if (!/^[\w-]{8,100}$/.test(id)) return null
  const paymentId = await findPaymentId(db, id)
  if (paymentId) return href('/operations/payments/:id', { id: paymentId })
  const dispute = await db
    .selectFrom('disputes')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', id), eb('provider_dispute', '=', id)]))
    .executeTakeFirst()
  if (dispute) return href('/operations/disputes/:id?', { id: dispute.id })
  const query = new URLSearchParams({ q: id })
  if (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst())
    return `${href('/operations/accounts')}?${query}`
  if (!id.includes('-') || !mayOpen(role, href('/operations/listings'))) return null
  const listing = await db
    .selectFrom('businesses')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return listing ? `${href('/operations/listings')}?${query}` : null
}

async function findPaymentId(db: Database, id: string): Promise<string | null> {
  const payment = await db
    .selectFrom('payments')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', id), eb('provider_reference', '=', id)]))
    .executeTakeFirst()
  if (payment) return payment.id
  const booking = await db
    .selectFrom('bookings')
    .select('payment_row_id')
    .where((eb) => eb.or([eb('id', '=', id), eb('payment_id', '=', id)]))
    .executeTakeFirst()
  return booking?.payment_row_id ?? null
}
