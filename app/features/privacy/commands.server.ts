import { sql } from 'kysely'
import type { RequestOrigin } from '../../adapters/accounts/security-log.ts'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { LiveUpdates } from '../../adapters/live-updates/port.ts'
import type { PayoutProvider } from '../../adapters/payments/payout-port.ts'
import { refuse } from '../../shared/result.ts'
import { dropPhoto } from '../accounts/commands.server.ts'
import { accountDeletedMail } from '../accounts/mails.ts'
import { forgetSecurityEvents, hashAddress, noteSecurityEvent } from '../accounts/security-commands.server.ts'
import { forgetAlertsOf } from '../alerts/commands.server.ts'
import { forgetCalendars, lockCalendarsOf } from '../availability/hours-commands.server.ts'
import { decideBooking } from '../bookings/decisions/commands.server.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { isEventOver } from '../bookings/open-queries.server.ts'
import { forgetAlbums } from '../businesses/album-commands.server.ts'
import { isVisible } from '../businesses/visible-queries.server.ts'
import { leaveConversations } from '../enquiries/retention-commands.server.ts'
import { keepIdentity } from '../income-reports/commands.server.ts'
import { hasTrade, lacksDetails } from '../income-reports/queries.server.ts'
import { endSubscription, type NewsletterDeps, subscribe } from '../newsletter/commands.server.ts'
import { forgetEventPayloads } from '../payments/event-commands.server.ts'
import { lockPayments } from '../payments/queries.server.ts'
import { findOpenMoney } from '../payouts/queries.server.ts'
import { listQuoteNotices } from '../quotes/notice-commands.server.ts'
import { leaveQuotes, lockQuotesOf } from '../quotes/retention-commands.server.ts'
import { isByReviewer } from '../reviews/queries.server.ts'
import { blankCustomers, giveToCustomer } from '../sales/commands.server.ts'
import { ACCOUNT_CLOSES } from './messages.ts'
import { listOpenBookings } from './queries.server.ts'
import { DELETED_CUSTOMER, DELETED_REVIEWER, FORGET_AFTER_MS } from './rules.ts'

/** Of acts that no request asks for. */
const UNKNOWN_ORIGIN: RequestOrigin = { userAgent: null, network: null }

type StandingDeps = { db: Database; liveUpdates: LiveUpdates; now: () => Date }

/**
 * Whether an admin is left once this account is gone. It locks the roles, so it comes before every other lock.
 * Operators are a later feature than this one.
 */
export type LeavesAnAdmin = (tx: DatabaseTransaction, userId: string) => Promise<boolean>

export type DeletionDeps = StandingDeps & {
  jobs: Jobs
  brand: string
  publicUrl: URL
  /** null while vendors aren't paid: then no money waits for them here. */
  payouts: PayoutProvider | null
  leavesAnAdmin: LeavesAnAdmin
  /** The key of the security log's hashes. */
  secret: string
}

/**
 * Deactivates an account: its businesses are hidden from new bookings, and it is signed out everywhere (Decision 19).
 * Existing bookings stay. Those that wait for an answer are declined and refunded when their time is up (Decision 7).
 * @returns refuses with 'last_admin'
 */
export async function deactivateAccount(
  deps: StandingDeps & { leavesAnAdmin: LeavesAnAdmin },
  userId: string,
  origin: RequestOrigin = UNKNOWN_ORIGIN,
): Promise<{ ok: true } | { ok: false; reason: 'last_admin' }> {
  const at = deps.now()
  return deps.db.transaction().execute(async (tx) => {
    if (!(await deps.leavesAnAdmin(tx, userId))) return refuse('last_admin')
    await tx
      .updateTable('users')
      .set({ deactivated_at: at, updated_at: at })
      .where('id', '=', userId)
      .where('deactivated_at', 'is', null)
      .execute()
    await tx
      .updateTable('businesses')
      .set({ hidden_at: at, hidden_by: 'deactivation', updated_at: at })
      .where('user_id', '=', userId)
      .where(isVisible())
      .execute()
    await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
    await deps.liveUpdates.publish(tx, `session:${userId}`)
    await noteSecurityEvent(tx, { kind: 'account-deactivated', userId, origin })
    return { ok: true }
  })
}

/** Restores a deactivated account. Businesses that were hidden for another reason stay hidden. */
export async function reactivateAccount(
  deps: StandingDeps,
  userId: string,
  origin: RequestOrigin = UNKNOWN_ORIGIN,
): Promise<void> {
  const at = deps.now()
  await deps.db.transaction().execute(async (tx) => {
    await tx
      .updateTable('users')
      .set({ deactivated_at: null, updated_at: at })
      .where('id', '=', userId)
      .execute()
    await tx
      .updateTable('businesses')
      .set({ hidden_at: null, hidden_by: null, updated_at: at })
      .where('user_id', '=', userId)
      .where('hidden_by', '=', 'deactivation')
      .execute()
    await deps.liveUpdates.publish(tx, `session:${userId}`)
    await noteSecurityEvent(tx, { kind: 'account-reactivated', userId, origin })
  })
}

/**
 * Declines every open booking of a vendor's businesses, each with a full refund (Decisions 7 and 19). Each is a
 * transaction of its own, so those already declined stay declined if a later one fails.
 * @returns how many were declined, and how many could no longer be
 */
export async function declineOpenBookings(
  deps: BookingDeps,
  userId: string,
): Promise<{ declined: number; refused: number }> {
  const open = await listOpenBookings(deps.db, { userId, now: deps.now() })
  let declined = 0
  for (const { id } of open) {
    const decided = await decideBooking(deps, {
      userId,
      bookingId: id,
      decision: 'declined',
      reason: ACCOUNT_CLOSES,
      // A closing account can undo nothing.
      isAtOnce: true,
    })
    if (decided.ok) declined++
  }
  return { declined, refused: open.length - declined }
}

/**
 * Deletes an account with its businesses, files, notifications and newsletter entry (Decision 19), in one transaction.
 * Files go by jobs of that transaction, so an unavailable file store delays them and fails nothing. The caller has asked
 * for a proof. Businesses leave a tombstone. Bookings keep the fields that the law requires: the customer's name, email
 * and phone are blanked now on past bookings, and on the others once they are over (`blankDeletedCustomers`).
 * @returns refuses with 'open_bookings' while bookings of its businesses are paid, not refunded and not yet over, and with
 *   'open_money' while money is held for it or owed by it. Refuses a vendor whom customers have paid with 'details_missing' while the
 *   reports to the Tax Office lack details that only they know. Refuses with 'quote_being_paid' while a customer pays for one of
 *   its quotes, and the last admin with 'last_admin'
 */
export async function deleteAccount(
  deps: DeletionDeps,
  userId: string,
  origin: RequestOrigin = UNKNOWN_ORIGIN,
): Promise<
  | { ok: true }
  | {
      ok: false
      reason:
        | 'open_bookings'
        | 'quote_being_paid'
        | 'open_money'
        | 'details_missing'
        | 'not_found'
        | 'last_admin'
    }
> {
  const at = deps.now()
  return deps.db.transaction().execute(async (tx) => {
    if (!(await deps.leavesAnAdmin(tx, userId))) return refuse('last_admin')
    const user = await tx
      .selectFrom('users')
      .select(['email', 'email_verified', 'name', 'image'])
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
    if (!user) return { ok: false as const, reason: 'not_found' as const }
    const leaver = { userId, verifiedEmail: user.email_verified ? user.email : null }
    const purchases = await lockPurchasesOf(tx, leaver)
    // A paid quote's booking is approved at once, so nobody would notice that its vendor is gone. The lock comes before the
    // bookings are counted: a payment that was first has one by then.
    if (await lockQuotesOf(tx, leaver)) return { ok: false as const, reason: 'quote_being_paid' as const }
    // Another card confirmed at this moment may still become a booking. Nobody can answer it, so it is declined and
    // refunded like any other unanswered booking.
    if ((await listOpenBookings(tx, { userId, now: at })).length > 0)
      return { ok: false as const, reason: 'open_bookings' as const }
    if (deps.payouts && (await findOpenMoney(tx, userId)))
      return { ok: false as const, reason: 'open_money' as const }
    // Without payouts there is no page to add them on.
    if (deps.payouts && (await lacksDetails(tx, userId, at)))
      return { ok: false as const, reason: 'details_missing' as const }

    await lockCalendarsOf(tx, userId)
    await tx
      .updateTable('businesses')
      .set({ deleted_at: at, images: '[]', updated_at: at })
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .execute()
    await forgetAlbums(tx, userId)
    await forgetCalendars(tx, userId)
    await keepIdentity(tx, { userId, at, hasTraded: await hasTrade(tx, userId) })
    await tx.deleteFrom('business_registrations').where('user_id', '=', userId).execute()
    const uploads = await tx
      .selectFrom('uploads')
      .select('key')
      .where('user_id', '=', userId)
      .orderBy('key')
      .forUpdate()
      .execute()
    await tx.updateTable('uploads').set({ attached_to: null }).where('user_id', '=', userId).execute()
    if (uploads.length > 0)
      await deps.jobs.enqueue(tx, 'delete-uploads', { keys: uploads.map(({ key }) => key) })
    await dropPhoto(deps, tx, { userId, url: user.image })
    await tx.deleteFrom('notifications').where('user_id', '=', userId).execute()
    await tx
      .updateTable('reviews')
      .set({ user_id: null, author_name: DELETED_REVIEWER })
      .where(isByReviewer(leaver))
      .execute()
    // The subscription and guest bookings of an address belong to the account that has confirmed it.
    if (user.email_verified) {
      await tx.deleteFrom('newsletter').where('email', '=', user.email).execute()
      await forgetAlertsOf(tx, user.email)
      // Bookings made as a guest count as the account's (Decision 3). From now on they have its id.
      await giveToCustomer(tx, {
        userId,
        guest: sql`
          exists (select from bookings where payment_row_id = sales.id and bookings.email = ${user.email})`,
      })
    }
    await leaveQuotes(deps, tx, leaver)
    await leaveConversations({ ...deps, listQuoteNotices }, tx, { ...leaver, name: DELETED_CUSTOMER })
    await deps.jobs.enqueue(
      tx,
      'send-mail',
      accountDeletedMail({ ...user, emailVerified: user.email_verified }, deps),
    )
    // Cascades to sessions, password, links, devices, alerts and the shortlist.
    await tx.deleteFrom('users').where('id', '=', userId).execute()
    await blankIn(tx, at, purchases)
    await deps.liveUpdates.publish(tx, `session:${userId}`)
    // The security log keeps what happened for its 180 days, so that a thief can't delete the traces with the account.
    // The hash lets an operator who knows the address find them.
    const addressHash = await hashAddress(deps.secret, user.email)
    await noteSecurityEvent(tx, { kind: 'account-deleted', userId, addressHash, origin })
    return { ok: true as const }
  })
}

/**
 * Blanks name, email and phone of customers with deleted accounts, on every booking that is over or refunded. Until
 * then the vendor needs to reach them.
 */
export async function blankDeletedCustomers(deps: { db: Database; now: () => Date }): Promise<void> {
  await deps.db.transaction().execute((tx) => blankIn(tx, deps.now(), null))
}

/**
 * Deletes personal data that has served its purpose: expired sessions, counters of sign-ins, the customer's details of
 * payments that led to no booking, payloads of processed payment events, and old events of the security log. docs/operate.md lists every retention
 * period. Records that tax law requires (payments, bookings, receipts, refunds) stay. So does the fact that an event
 * was seen, which prevents it from being processed twice.
 */
export async function forgetWhatIsOver(deps: {
  db: Database
  now: () => Date
  /** The clock of sessions and links. */
  realNow: () => Date
}): Promise<void> {
  const { db, now, realNow } = deps
  const ended = new Date(realNow().getTime() - FORGET_AFTER_MS)
  await db.deleteFrom('sessions').where('expires_at', '<', ended).execute()
  await sql`delete from verifications where expires_at < ${ended}`.execute(db)
  await sql`delete from sign_in_limits where last_request < ${ended.getTime()}`.execute(db)
  const before = new Date(now().getTime() - FORGET_AFTER_MS)
  await db.transaction().execute(async (tx) => {
    const saleIds = await lockPayments(
      tx,
      sql`state in ('failed', 'cancelled', 'expired') and updated_at < ${before}
        and exists (select from sales where sales.id = payments.id and sales.customer_email <> '')
        and not exists (select from bookings where bookings.payment_row_id = payments.id)`,
    )
    await blankCustomers(tx, { name: DELETED_CUSTOMER, where: sql`sales.id = any(${saleIds}::text[])` })
  })
  await forgetEventPayloads(db, before)
  await forgetSecurityEvents({ db, realNow })
}

type Purchases = { bookingIds: string[]; paymentIds: string[] }

/** Locks all purchases of an account, as a guest too: all bookings, then all payments. */
async function lockPurchasesOf(
  tx: DatabaseTransaction,
  { userId, verifiedEmail }: { userId: string; verifiedEmail: string | null },
): Promise<Purchases> {
  const bookings = await sql<{ id: string }>`
    select bookings.id from bookings join sales on sales.id = bookings.payment_row_id
    where sales.customer_user_id = ${userId}
      or sales.customer_user_id is null and bookings.email = ${verifiedEmail}
    order by bookings.id for update of bookings`.execute(tx)
  const bookingIds = bookings.rows.map(({ id }) => id)
  const paymentIds = await lockPayments(
    tx,
    sql`sale_id in (select id from sales where customer_user_id = ${userId}) or id in (
      select payment_row_id from bookings where bookings.id = any(${bookingIds}::text[]))`,
  )
  return { bookingIds, paymentIds }
}

/** @param only of an account that is being deleted, whose rows are locked; null for all accounts */
async function blankIn(tx: DatabaseTransaction, at: Date, only: Purchases | null): Promise<void> {
  const due = await sql<{ id: string }>`
    select bookings.id from bookings join sales on sales.id = bookings.payment_row_id
    where bookings.email <> '' and ${only ? sql<boolean>`bookings.id = any(${only.bookingIds}::text[])` : sql<boolean>`true`}
      and sales.customer_user_id is not null
      and not exists (select from users where users.id = sales.customer_user_id)
      and bookings.payment_status <> 'refund due'
      and (bookings.payment_status = 'refunded'
        or ${isEventOver(at)})
    order by bookings.id for update of bookings
  `.execute(tx)
  const blanked = due.rows.map(({ id }) => id)
  // The vendor's notifications of the booking name the customer.
  if (blanked.length > 0) {
    await tx
      .updateTable('bookings')
      .set({ customer_name: DELETED_CUSTOMER, email: '', phone: '', decline_words: null })
      .where('id', 'in', blanked)
      .execute()
    await tx
      .deleteFrom('notifications')
      .where('event_key', 'like', 'booking-%')
      .where(sql<string>`split_part(event_key, ':', 2)`, 'in', blanked)
      .execute()
  }
  // The sale is blanked with its booking, or at once if no booking was made.
  const saleIds = await lockPayments(
    tx,
    sql`${only ? sql<boolean>`id = any(${only.paymentIds}::text[])` : sql<boolean>`true`}
      and state not in ('open', 'processing')
      and exists (select from sales where sales.id = payments.id and sales.customer_email <> ''
        and sales.customer_user_id is not null
        and not exists (select from users where users.id = sales.customer_user_id))
      and not exists (select from bookings where bookings.payment_row_id = payments.id and bookings.email <> '')`,
  )
  await blankCustomers(tx, { name: DELETED_CUSTOMER, where: sql`sales.id = any(${saleIds}::text[])` })
}

/** Subscribes or unsubscribes the confirmed address of a signed-in person (Decision 22). */
export async function chooseNewsletter(
  deps: NewsletterDeps,
  input: { email: string; wanted: boolean },
): Promise<void> {
  return input.wanted ? subscribe(deps, input.email) : endSubscription(deps, input.email)
}
