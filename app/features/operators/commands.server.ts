import { href } from 'react-router'
import type { Database, DatabaseTransaction } from '../../adapters/database/port.ts'
import type { PaymentSnapshot } from '../../adapters/payments/port.ts'
import { newId } from '../../shared/ids.ts'
import { refuse } from '../../shared/result.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { addNotification } from '../notifications/commands.server.ts'
import { presentProvider, providerOf } from '../payments/providers.server.ts'
import { findPayment, findRefund } from '../payments/queries.server.ts'
import { endRefundPause, performDueRefunds } from '../payments/refund-commands.server.ts'
import type { PaymentState } from '../payments/rules.ts'
import { askProviderAgain } from '../payments/sweep-commands.server.ts'
import { newReviewMail, ratingText, reviewRejectedMail } from '../reviews/mails.ts'
import { findOurPayments } from './comparison-queries.server.ts'
import { type DifferenceKind, differencesOf, type OperatorAction, type SubjectKind } from './rules.ts'

/** Who acts. Routes have shown before that this is an operator (Decision 18). */
export type Operator = { userId: string; email: string }

// Refunds and disputes come weeks after a payment.
const COMPARED_DAYS = 35
const DAY_MS = 86_400_000
// What is younger is still moving.
const SETTLING_MS = 600_000

type Subject = { kind: SubjectKind; id: string; label: string }

async function log(
  db: Database | DatabaseTransaction,
  entry: { operator: Operator; action: OperatorAction; subject: Subject; reason?: string; at: Date },
): Promise<void> {
  await db
    .insertInto('operator_log')
    .values({
      id: newId(),
      operator_user_id: entry.operator.userId,
      operator_email: entry.operator.email,
      action: entry.action,
      subject_kind: entry.subject.kind,
      subject_id: entry.subject.id,
      subject_label: entry.subject.label,
      reason: entry.reason ?? '',
      created_at: entry.at,
    })
    .execute()
}

/**
 * Asks the provider about one payment and applies what it says, whatever state it is in here.
 * @returns refuses with 'not_found', 'provider_unavailable' and 'other_provider' (the settings name another one than the
 *   one that made it)
 */
export async function askAboutPayment(
  deps: BookingDeps,
  input: { operator: Operator; paymentId: string },
): Promise<
  | { ok: true; state: PaymentState }
  | { ok: false; reason: 'not_found' | 'provider_unavailable' | 'other_provider' }
> {
  const payment = await findPayment(deps.db, input.paymentId)
  if (!payment) return refuse('not_found')
  if (!providerOf(deps, payment)) return refuse('other_provider')
  await log(deps.db, {
    operator: input.operator,
    action: 'ask-provider',
    subject: { kind: 'payment', id: payment.id, label: payment.sold.businessName },
    at: deps.now(),
  })
  const settled = await askProviderAgain(deps, input.paymentId)
  return settled.ok ? { ok: true, state: settled.state } : refuse('provider_unavailable')
}

/**
 * Tries a refund that failed at the provider again, now instead of after its pause. The action stays the same one,
 * and with it the provider's key: money can't go back twice.
 * @returns refuses with 'not_failing' when it is done, cancelled or was never refused, and with 'other_provider' when the
 *   settings name another one than the one that has the money
 */
export async function retryRefund(
  deps: BookingDeps,
  input: { operator: Operator; refundId: string },
): Promise<{ ok: true; done: boolean } | { ok: false; reason: 'not_failing' | 'other_provider' }> {
  const { db, now } = deps
  const before = await findRefund(db, input.refundId)
  if (before && !providerOf(deps, before)) return refuse('other_provider')
  const retried = await db.transaction().execute(async (tx) => {
    const refund = await endRefundPause(tx, input.refundId)
    if (!refund) return false
    await log(tx, {
      operator: input.operator,
      action: 'retry-refund',
      subject: { kind: 'refund', id: input.refundId, label: refund.paymentId },
      at: now(),
    })
    return true
  })
  if (!retried) return refuse('not_failing')
  await performDueRefunds(deps)
  const after = await findRefund(db, input.refundId)
  return { ok: true, done: after?.state === 'done' }
}

/**
 * Approves a review, or takes it off the page with a reason, of which its author is told (Decision 12). Either can be
 * switched to the other.
 * @returns refuses with 'not_found'
 */
export async function moderateReview(
  deps: BookingDeps,
  input: { operator: Operator; reviewId: string } & (
    | { decision: 'approve' }
    | { decision: 'reject'; reason: string }
  ),
): Promise<{ ok: true; changed: boolean } | { ok: false; reason: 'not_found' }> {
  return deps.db.transaction().execute(async (tx) => {
    const review = await tx
      .selectFrom('reviews')
      .innerJoin('businesses', 'businesses.id', 'reviews.business_id')
      .select([
        'reviews.id',
        'reviews.user_id',
        'reviews.business_id',
        'reviews.approved',
        'reviews.rejected_reason',
        'reviews.author_name',
        'reviews.rating',
        'reviews.body',
        'businesses.name',
        'businesses.user_id as owner_user_id',
      ])
      .where('reviews.id', '=', input.reviewId)
      .forUpdate('reviews')
      .executeTakeFirst()
    if (!review) return refuse('not_found')
    const reason = input.decision === 'reject' ? input.reason : null
    // A second tap.
    if (input.decision === 'approve' ? review.approved : review.rejected_reason === reason)
      return { ok: true, changed: false } as const
    const at = deps.now()
    await tx
      .updateTable('reviews')
      .set({ approved: input.decision === 'approve', rejected_reason: reason, moderated_at: at })
      .where('id', '=', review.id)
      .execute()
    await log(tx, {
      operator: input.operator,
      action: input.decision === 'approve' ? 'approve-review' : 'reject-review',
      subject: { kind: 'review', id: review.id, label: review.name },
      reason: reason ?? '',
      at,
    })
    if (review.user_id) {
      await addNotification(
        tx,
        {
          userId: review.user_id,
          kind: 'review',
          title:
            reason === null
              ? `Your review of ${review.name} is published`
              : `Your review of ${review.name} was not published`,
          body: reason ?? 'Thank you for telling others.',
          link: href('/business/:id', { id: review.business_id }),
          eventKey: `review-moderated:${review.id}:${at.getTime()}`,
        },
        at,
      )
      await deps.liveUpdates.publish(tx, `notifications:${review.user_id}`)
    }
    await mailAboutReview(deps, tx, review, { reason, at })
    return { ok: true, changed: true } as const
  })
}

/**
 * The owner hears of a review once it is on their page, with the first approval; its author, by mail too, that it was
 * rejected. Either can have switched the mail off.
 */
async function mailAboutReview(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  review: {
    id: string
    user_id: string | null
    business_id: string
    author_name: string
    rating: number
    body: string
    name: string
    owner_user_id: string
  },
  decided: { reason: string | null; at: Date },
): Promise<void> {
  const mailed = {
    id: review.id,
    businessId: review.business_id,
    businessName: review.name,
    authorName: review.author_name,
    rating: review.rating,
    body: review.body,
  }
  if (decided.reason !== null) {
    const author = review.user_id ? await findMailbox(tx, review.user_id) : undefined
    if (!author) return
    const mail = reviewRejectedMail(mailed, author, { reason: decided.reason, at: decided.at }, deps)
    await deps.jobs.enqueue(tx, 'send-mail', { ...mail, preference: 'reviews', preferenceOf: author.id })
    return
  }
  const isNews = await addNotification(
    tx,
    {
      userId: review.owner_user_id,
      kind: 'review',
      title: `New review of ${review.name}`,
      body: `${review.author_name} gave it ${ratingText(review.rating)}.`,
      link: href('/business/:id', { id: review.business_id }),
      eventKey: `review-published:${review.id}`,
    },
    decided.at,
  )
  const owner = isNews ? await findMailbox(tx, review.owner_user_id) : undefined
  if (!owner) return
  await deps.jobs.enqueue(tx, 'send-mail', {
    ...newReviewMail(mailed, owner, deps),
    preference: 'reviews',
    preferenceOf: owner.id,
  })
  await deps.liveUpdates.publish(tx, `notifications:${owner.id}`)
}

function findMailbox(tx: DatabaseTransaction, userId: string) {
  return tx.selectFrom('users').select(['id', 'email', 'name']).where('id', '=', userId).executeTakeFirst()
}

/**
 * Disables an account: its sessions end at once, it can't sign in, and its businesses are hidden (Decisions 18, 19).
 * Its bookings go on.
 * @returns refuses with 'not_found' and 'own_account'
 */
export async function disableAccount(
  deps: BookingDeps,
  input: { operator: Operator; userId: string; reason: string },
): Promise<{ ok: true; changed: boolean } | { ok: false; reason: 'not_found' | 'own_account' }> {
  if (input.userId === input.operator.userId) return refuse('own_account')
  return deps.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, input.userId)
    if (!user) return refuse('not_found')
    if (user.disabled_at) return { ok: true, changed: false } as const
    const at = deps.now()
    await tx
      .updateTable('users')
      .set({ disabled_at: at, disabled_reason: input.reason, updated_at: at })
      .where('id', '=', user.id)
      .execute()
    await tx
      .updateTable('businesses')
      .set({ hidden_at: at, hidden_by: 'disabling', updated_at: at })
      .where('user_id', '=', user.id)
      .where('hidden_at', 'is', null)
      .where('deleted_at', 'is', null)
      .execute()
    await log(tx, {
      operator: input.operator,
      action: 'disable-account',
      subject: { kind: 'account', id: user.id, label: user.email },
      reason: input.reason,
      at,
    })
    await deps.liveUpdates.publish(tx, `session:${user.id}`)
    return { ok: true, changed: true } as const
  })
}

/** Lets a disabled account sign in again and shows the businesses that were hidden with it. Refuses with 'not_found'. */
export async function enableAccount(
  deps: BookingDeps,
  input: { operator: Operator; userId: string },
): Promise<{ ok: true; changed: boolean } | { ok: false; reason: 'not_found' }> {
  return deps.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, input.userId)
    if (!user) return refuse('not_found')
    if (!user.disabled_at) return { ok: true, changed: false } as const
    const at = deps.now()
    await tx
      .updateTable('users')
      .set({ disabled_at: null, disabled_reason: null, updated_at: at })
      .where('id', '=', user.id)
      .execute()
    // Refused since the account was disabled, but kept till now: by them the person was told why.
    await tx.deleteFrom('sessions').where('user_id', '=', user.id).execute()
    await tx
      .updateTable('businesses')
      .set({ hidden_at: null, hidden_by: null, updated_at: at })
      .where('user_id', '=', user.id)
      .where('hidden_by', '=', 'disabling')
      .execute()
    await log(tx, {
      operator: input.operator,
      action: 'enable-account',
      subject: { kind: 'account', id: user.id, label: user.email },
      at,
    })
    return { ok: true, changed: true } as const
  })
}

function lockUser(tx: DatabaseTransaction, userId: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'email', 'disabled_at'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Hides a listing from the public and from new bookings; its owner is told why and can't show it again (Decision 18).
 * @returns refuses with 'not_found', also for a deleted one
 */
export async function hideListing(
  deps: BookingDeps,
  input: { operator: Operator; businessId: string; reason: string },
): Promise<{ ok: true; changed: boolean } | { ok: false; reason: 'not_found' }> {
  return deps.db.transaction().execute(async (tx) => {
    const business = await lockBusiness(tx, input.businessId)
    if (!business) return refuse('not_found')
    if (business.hidden_by === 'operator' && business.operator_reason === input.reason)
      return { ok: true, changed: false } as const
    const at = deps.now()
    await tx
      .updateTable('businesses')
      .set({ hidden_at: at, hidden_by: 'operator', operator_reason: input.reason, updated_at: at })
      .where('id', '=', business.id)
      .execute()
    await log(tx, {
      operator: input.operator,
      action: 'hide-listing',
      subject: { kind: 'listing', id: business.id, label: business.name },
      reason: input.reason,
      at,
    })
    await tellOwner(deps, tx, business, {
      title: `${business.name} is hidden by ${deps.brand}`,
      body: input.reason,
      at,
    })
    return { ok: true, changed: true } as const
  })
}

/**
 * Shows a listing again.
 * @returns refuses with 'not_found' and 'hidden_by_owner', whose choice that is
 */
export async function showHiddenListing(
  deps: BookingDeps,
  input: { operator: Operator; businessId: string },
): Promise<{ ok: true; changed: boolean } | { ok: false; reason: 'not_found' | 'hidden_by_owner' }> {
  return deps.db.transaction().execute(async (tx) => {
    const business = await lockBusiness(tx, input.businessId)
    if (!business) return refuse('not_found')
    if (!business.hidden_at) return { ok: true, changed: false } as const
    if (business.hidden_by === 'owner') return refuse('hidden_by_owner')
    const at = deps.now()
    await tx
      .updateTable('businesses')
      .set({ hidden_at: null, hidden_by: null, updated_at: at })
      .where('id', '=', business.id)
      .execute()
    await log(tx, {
      operator: input.operator,
      action: 'show-listing',
      subject: { kind: 'listing', id: business.id, label: business.name },
      at,
    })
    await tellOwner(deps, tx, business, {
      title: `${business.name} is shown again`,
      body: 'People can find and book it.',
      at,
    })
    return { ok: true, changed: true } as const
  })
}

function lockBusiness(tx: DatabaseTransaction, businessId: string) {
  return tx
    .selectFrom('businesses')
    .select(['id', 'name', 'user_id', 'hidden_at', 'hidden_by', 'operator_reason'])
    .where('id', '=', businessId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

async function tellOwner(
  deps: BookingDeps,
  tx: DatabaseTransaction,
  business: { id: string; user_id: string },
  about: { title: string; body: string; at: Date },
): Promise<void> {
  await addNotification(
    tx,
    {
      userId: business.user_id,
      kind: 'listing',
      title: about.title,
      body: about.body,
      link: href('/dashboard/list-business'),
      eventKey: `listing-standing:${business.id}:${about.at.getTime()}`,
    },
    about.at,
  )
  await deps.liveUpdates.publish(tx, `notifications:${business.user_id}`)
}

/**
 * Compares what the provider says of the payments of the last weeks with what we hold, both ways, and keeps every
 * difference. It changes nothing. What is younger than ten minutes is left to the next time.
 * @param input.operator who asked for it; null for the nightly job
 */
export async function compareWithProvider(
  deps: BookingDeps,
  input: { operator: Operator | null },
): Promise<{ comparisonId: string; differences: number; failure: string | null }> {
  const { db, now } = deps
  const payments = presentProvider(deps)
  const startedAt = now()
  const comparisonId = newId()
  await db
    .insertInto('payment_comparisons')
    .values({ id: comparisonId, started_at: startedAt, finished_at: null, failure: null })
    .execute()
  if (input.operator)
    await log(db, {
      operator: input.operator,
      action: 'compare',
      subject: { kind: 'comparison', id: comparisonId, label: payments.name },
      at: startedAt,
    })

  const createdSince = new Date(startedAt.getTime() - COMPARED_DAYS * DAY_MS)
  const before = new Date(startedAt.getTime() - SETTLING_MS)
  const theirs = new Map<string, PaymentSnapshot>()
  let failure: string | null = null
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<typeof payments.list>> = await payments.list({ createdSince, after })
    if (!page.ok) {
      failure = page.message
      break
    }
    for (const snapshot of page.snapshots) theirs.set(snapshot.reference, snapshot)
    after = page.next
  } while (after)

  // Ours are read after theirs: what was settled in between is then here as well.
  const ours = await findOurPayments(db, { provider: payments.name, createdSince, before })
  const known = new Set(ours.map((payment) => payment.reference))
  let differences = 0
  const keep = async (
    kind: DifferenceKind,
    about: { reference: string; paymentId: string | null; ours: string; theirs: string },
  ) => {
    differences++
    await db
      .insertInto('payment_differences')
      .values({
        comparison_id: comparisonId,
        reference: about.reference,
        kind,
        payment_id: about.paymentId,
        ours: about.ours,
        theirs: about.theirs,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  for (const payment of ours) {
    if (failure) break
    let snapshot = theirs.get(payment.reference) ?? null
    if (!snapshot) {
      // Made there a little before the first one that was listed, perhaps.
      const asked = await payments.retrieve(payment.reference)
      if (asked.ok) snapshot = asked.snapshot
      else if (asked.reason !== 'unknown_payment') {
        failure = asked.message
        break
      }
    }
    for (const kind of differencesOf(payment, snapshot)) {
      await keep(kind, {
        reference: payment.reference,
        paymentId: payment.paymentId,
        ours: `${payment.state}, ${payment.amountCents} cents, ${payment.bookings} booked, ${payment.refundedCents} refunded`,
        theirs: snapshot
          ? `${snapshot.state}, ${snapshot.amountCents} cents, ${snapshot.refundedCents} refunded`
          : 'nothing',
      })
    }
  }
  for (const snapshot of theirs.values()) {
    if (failure || known.has(snapshot.reference)) continue
    const here = await db
      .selectFrom('payments')
      .select(['id', 'created_at'])
      .where((eb) =>
        eb.or([eb('provider_reference', '=', snapshot.reference), eb('id', '=', snapshot.paymentId)]),
      )
      .executeTakeFirst()
    // Known but too young to compare, or waiting for its reference.
    if (here) continue
    await keep('unknown_here', {
      reference: snapshot.reference,
      paymentId: null,
      ours: 'nothing',
      theirs: `${snapshot.state}, ${snapshot.amountCents} cents, ${snapshot.refundedCents} refunded`,
    })
  }
  await db
    .updateTable('payment_comparisons')
    .set({ finished_at: now(), payments_checked: ours.length, failure })
    .where('id', '=', comparisonId)
    .execute()
  return { comparisonId, differences, failure }
}
