import { href } from 'react-router'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { Jobs } from '../../adapters/jobs/port.ts'
import type { Mail } from '../../adapters/mail/port.ts'
import { eachOf } from '../../shared/each-of.ts'
import { isPlaceholderEmail } from '../../shared/placeholder-email.ts'
import { refuse } from '../../shared/result.ts'
import { sameText, signText } from '../../shared/signed.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { findInvitable, listDueAgain, listFirstInvitable } from './invitation-queries.server.ts'
import { INVITE_AGAIN_MS } from './invitation-rules.ts'
import { reviewInvitationMail } from './mails.ts'

export type InvitationDeps = {
  db: Database
  jobs: Jobs
  now: () => Date
  secret: string
  brand: string
  publicUrl: URL
}

/**
 * Invites customers to write a review: the day after their event, and once more a week later if they haven't. Each is sent
 * once, however many processes run this.
 */
export async function inviteReviews(deps: InvitationDeps): Promise<void> {
  const first = await listFirstInvitable(deps.db, deps.now())
  const again = await listDueAgain(deps.db, deps.now())
  await eachOf(
    [...first.map((id) => () => inviteFirst(deps, id)), ...again.map((id) => () => inviteAgain(deps, id))],
    (invite) => invite(),
  )
}

async function inviteFirst(deps: InvitationDeps, bookingId: string): Promise<void> {
  const now = deps.now()
  await deps.db.transaction().execute(async (tx) => {
    const booking = await findInvitable(tx, { bookingId, now })
    if (!booking) return
    const isWanted = !(await hasEnded(deps, tx, booking.email))
    const added = await tx
      .insertInto('review_invitations')
      .values({
        booking_id: bookingId,
        sent: isWanted ? 1 : 0,
        next_at: isWanted ? new Date(now.getTime() + INVITE_AGAIN_MS) : null,
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('booking_id').doNothing())
      .returning('booking_id')
      .executeTakeFirst()
    if (added && isWanted) await deps.jobs.enqueue(tx, 'send-review-invitation', { bookingId, number: 1 })
  })
}

async function inviteAgain(deps: InvitationDeps, bookingId: string): Promise<void> {
  const now = deps.now()
  await deps.db.transaction().execute(async (tx) => {
    const booking = await findInvitable(tx, { bookingId, now })
    const isWanted = booking !== null && !(await hasEnded(deps, tx, booking.email))
    const changed = await tx
      .updateTable('review_invitations')
      .set({ next_at: null, ...(isWanted ? { sent: 2 } : {}) })
      .where('booking_id', '=', bookingId)
      .where('next_at', '<=', now)
      .returning('booking_id')
      .executeTakeFirst()
    if (changed && isWanted) await deps.jobs.enqueue(tx, 'send-review-invitation', { bookingId, number: 2 })
  })
}

/**
 * Sends an invitation, with the booking's link. The queue has only ids. Nothing is sent if the review was written, the
 * booking disputed or the mails ended since.
 */
export async function mailInvitation(
  deps: InvitationDeps,
  mail: Mail,
  { bookingId, number }: { bookingId: string; number: 1 | 2 },
): Promise<void> {
  const booking = await findInvitable(deps.db, { bookingId, now: deps.now() })
  if (!booking || isPlaceholderEmail(booking.email) || (await hasEnded(deps, deps.db, booking.email))) return
  await mail.send(
    reviewInvitationMail(
      {
        bookingId,
        number,
        businessId: booking.vendor_id,
        businessName: booking.vendor_name,
        date: booking.sale.date,
      },
      { email: booking.email, name: booking.customer_name },
      {
        linkToken: await bookingLinkToken(deps.secret, booking.payment_row_id),
        endUrl: await endUrl(deps, bookingId),
      },
      deps,
    ),
  )
}

/** The address that ends these mails by one POST, without an account. It opens nothing else of the booking. */
async function endUrl({ publicUrl, secret }: InvitationDeps, bookingId: string): Promise<string> {
  const url = new URL(href('/reviews/end'), publicUrl)
  url.searchParams.set('booking', bookingId)
  url.searchParams.set('token', await endToken(secret, bookingId))
  return url.href
}

const endToken = (secret: string, bookingId: string) =>
  signText(secret, `review-invitations-end:${bookingId}`)

/**
 * Ends the invitations to the address of a booking, for all of its bookings.
 * @returns refuses with 'wrong_token' for an address that isn't one of ours
 */
export async function endInvitations(
  deps: Pick<InvitationDeps, 'db' | 'secret' | 'now'>,
  { bookingId, token }: { bookingId: string; token: string },
): Promise<{ ok: true } | { ok: false; reason: 'wrong_token' }> {
  if (!sameText(token, await endToken(deps.secret, bookingId))) return refuse('wrong_token')
  const booking = await deps.db
    .selectFrom('bookings')
    .select('email')
    .where('id', '=', bookingId)
    .executeTakeFirst()
  // Its account is deleted, so nothing is sent any more.
  if (!booking?.email) return { ok: true }
  await deps.db
    .insertInto('review_invitation_ends')
    .values({ address_hash: await addressHash(deps.secret, booking.email), ended_at: deps.now() })
    .onConflict((conflict) => conflict.column('address_hash').doNothing())
    .execute()
  return { ok: true }
}

/** Without the key, a hash can't be compared with those of guessed addresses. */
const addressHash = (secret: string, email: string) =>
  signText(secret, `review-invitations:${email.trim().toLowerCase()}`)

async function hasEnded(
  { secret }: Pick<InvitationDeps, 'secret'>,
  db: Database | DatabaseTransaction,
  email: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('review_invitation_ends')
    .select('address_hash')
    .where('address_hash', '=', await addressHash(secret, email))
    .executeTakeFirst()
  return row !== undefined
}
