import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingForm, aBookingWorld, aBusiness, aUser } from '../../../tests/builders.ts'
import type { PaymentProvider } from '../../adapters/payments/port.ts'
import { newId } from '../../shared/ids.ts'
import { HOUR_MS } from '../../shared/time-units.ts'
import { DOCUMENTS } from '../agreements/rules.ts'
import { withdrawBooking } from '../bookings/cancellation/withdrawal-commands.server.ts'
import { startBookingPayment } from '../bookings/checkout/commands.server.ts'
import type { BookingDeps } from '../bookings/deps.server.ts'
import { acceptAndPublish } from '../businesses/agreement-commands.server.ts'
import { showListing } from '../businesses/commands.server.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { reportPayment } from '../payments/settlement-commands.server.ts'
import { sweepPayments } from '../payments/sweep-commands.server.ts'
import { disableAccount, enableAccount } from './account-commands.server.ts'
import { compareWithProvider } from './comparison-commands.server.ts'
import { findNewestComparison } from './comparison-queries.server.ts'
import { hideListing, showHiddenListing } from './listing-commands.server.ts'
import { listOperatorLog } from './log-queries.server.ts'
import { askAboutPayment, retryRefund } from './payment-commands.server.ts'
import { listPayments, measurePayments } from './payment-queries.server.ts'
import { findPaymentTrail } from './payment-trail-queries.server.ts'
import { moderateReview } from './review-commands.server.ts'
import { listReviews } from './review-queries.server.ts'
import { differencesOf } from './rules.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
const operator = { userId: 'operator-1', email: 'operator@example.com' }

beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())

async function started(deps = world.deps, customerUserId: string | null = null) {
  const business = await aBusiness(world.db)
  const payment = await startBookingPayment(deps, {
    amount: 45_500,
    submitKey: `key-${newId()}`,
    businessId: business.id,
    booking: aBookingForm(),
    customerUserId,
  })
  if (!payment.ok || payment.alreadyPaid) throw new Error('not started')
  return { ...payment, business }
}

const charge = (clientSecret: string) =>
  world.payments.confirmCard({ clientSecret, cardNumber: '4242424242424242', expiry: '12 / 30', cvc: '123' })

async function paid() {
  const payment = await started()
  await charge(payment.clientSecret)
  const settled = await reportPayment(world.deps, { clientSecret: payment.clientSecret })
  if (!settled.ok || !settled.purchaseId) throw new Error('not settled')
  return { ...payment, bookingId: settled.purchaseId }
}

/** The sandbox, except that it refuses every refund while `broken.refunds` is true. */
function withBrokenRefunds() {
  const broken = { refunds: true }
  const payments: PaymentProvider = {
    ...world.payments,
    refund: (input) =>
      broken.refunds
        ? Promise.resolve({ ok: false, reason: 'refused', message: 'Insufficient funds in the account.' })
        : world.payments.refund(input),
  }
  return { broken, deps: { ...world.deps, providers: [payments] as const } }
}

const shownAs = async (filter: Parameters<typeof listPayments>[1]['filter'], paymentId: string) =>
  (await listPayments(world.db, { filter, words: '', now: world.clock.now() })).some(
    ({ id }) => id === paymentId,
  )

describe('the payments screen', () => {
  it('shows a payment as open, then as stuck, until asking the provider settles it', async () => {
    const payment = await started()
    expect(await shownAs('open', payment.paymentId)).toBe(true)
    expect(await shownAs('stuck', payment.paymentId)).toBe(false)
    await charge(payment.clientSecret)
    // Neither a webhook nor a sweep has updated it: after its expiry it is stuck.
    world.clock.forward(HOUR_MS)
    expect(await shownAs('stuck', payment.paymentId)).toBe(true)
    expect(await askAboutPayment(world.deps, { operator, paymentId: payment.paymentId })).toEqual({
      ok: true,
      state: 'paid',
    })
    expect(await shownAs('stuck', payment.paymentId)).toBe(false)
    expect(await shownAs('paid', payment.paymentId)).toBe(true)
    const trail = await findPaymentTrail(world.db, payment.paymentId, world.clock.now())
    expect(trail?.trail.map(({ what }) => what)).toEqual([
      'Payment started',
      'Provider asked again',
      'Paid',
      'Booking stored',
    ])
    expect(await askAboutPayment(world.deps, { operator, paymentId: 'nothing' })).toMatchObject({ ok: false })
    expect((await listOperatorLog(world.db))[0]).toMatchObject({
      action: 'ask-provider',
      operatorEmail: operator.email,
    })
  })

  it('finds a payment by its reference, its customer and its business', async () => {
    const payment = await paid()
    for (const words of [payment.reference, 'kim@EXAMPLE', 'Walled', payment.paymentId]) {
      const found = await listPayments(world.db, { filter: 'all', words, now: world.clock.now() })
      expect(
        found.some(({ id }) => id === payment.paymentId),
        words,
      ).toBe(true)
    }
    expect(await listPayments(world.db, { filter: 'all', words: '%', now: world.clock.now() })).toEqual([])
  })

  it('shows a failing refund, and a retry refunds exactly once', async () => {
    const payment = await paid()
    const { broken, deps } = withBrokenRefunds()
    const row = await world.db
      .selectFrom('sales')
      .select('customer_user_id')
      .where('id', '=', payment.paymentId)
      .executeTakeFirstOrThrow()
    expect(row.customer_user_id).toBeNull()
    await withdrawBooking(deps, {
      bookingId: payment.bookingId,
      by: { userId: 'x', verifiedEmail: 'kim@example.com' },
    })
    await performDueRefunds(deps)
    expect(await shownAs('failing', payment.paymentId)).toBe(true)
    const [refund] = (await findPaymentTrail(world.db, payment.paymentId, world.clock.now()))?.refunds ?? []
    expect(refund).toMatchObject({
      state: 'claimed',
      attempts: 1,
      lastError: 'Insufficient funds in the account.',
    })
    const refundId = refund?.id ?? ''
    expect(await retryRefund(deps, { operator, refundId })).toEqual({ ok: true, done: false })
    broken.refunds = false
    expect(await retryRefund(deps, { operator, refundId })).toEqual({ ok: true, done: true })
    expect(await retryRefund(deps, { operator, refundId })).toEqual({ ok: false, reason: 'not_failing' })
    expect(await shownAs('failing', payment.paymentId)).toBe(false)
    expect(await shownAs('refunds', payment.paymentId)).toBe(true)
    expect(await world.payments.retrieve(payment.reference)).toMatchObject({
      snapshot: { refundedCents: 45_500 },
    })
  })
})

describe('a payment of another provider than the configured one', () => {
  it('shows what waits for its provider, and sends no request to the wrong one', async () => {
    const open = await started()
    const booked = await paid()
    await withdrawBooking(world.deps, {
      bookingId: booked.bookingId,
      by: { userId: 'x', verifiedEmail: 'kim@example.com' },
    })
    const [refund] = (await findPaymentTrail(world.db, booked.paymentId, world.clock.now()))?.refunds ?? []
    const refundId = refund?.id ?? ''
    const calls: string[] = []
    const wrong = (name: string) => async () => {
      calls.push(name)
      return { ok: false, reason: 'refused', message: 'No such payment.' } as const
    }
    const present: BookingDeps = {
      ...world.deps,
      providers: [
        {
          ...world.payments,
          name: 'stripe',
          create: wrong('create'),
          retrieve: wrong('retrieve'),
          cancel: wrong('cancel'),
          refund: wrong('refund'),
        },
      ],
    }
    const before = await measurePayments(world.db, world.clock.now())
    world.clock.forward(HOUR_MS)
    await performDueRefunds(present)
    await sweepPayments(present)

    expect(await measurePayments(world.db, world.clock.now())).toMatchObject({
      stuck: before.stuck + 1,
      overdue: before.overdue + 1,
    })
    expect(await shownAs('stuck', open.paymentId)).toBe(true)
    expect(await shownAs('failing', booked.paymentId)).toBe(true)
    expect(await findPaymentTrail(world.db, booked.paymentId, world.clock.now())).toMatchObject({
      provider: 'sandbox',
      refund: { state: 'due', failing: false, overdue: true },
    })

    const refused = { ok: false, reason: 'other_provider' }
    for (const { paymentId } of [open, booked])
      expect(await askAboutPayment(present, { operator, paymentId })).toEqual(refused)
    expect(await retryRefund(present, { operator, refundId })).toEqual(refused)
    expect(calls).toEqual([])
    expect((await listOperatorLog(world.db)).map(({ subjectId }) => subjectId)).not.toContain(open.paymentId)

    await performDueRefunds(world.deps)
    await sweepPayments(world.deps)
    expect(await measurePayments(world.db, world.clock.now())).toMatchObject({
      stuck: before.stuck,
      overdue: before.overdue,
    })
    expect(await shownAs('failing', booked.paymentId)).toBe(false)
  })
})

describe('the metrics for alerts', () => {
  it('count stuck and overdue payments until they are settled', async () => {
    const measure = () => measurePayments(world.db, world.clock.now())
    const before = await measure()
    const paidBefore = before.states.find(({ state }) => state === 'paid')?.count ?? 0
    const open = await started()
    const booked = await paid()
    const { broken, deps } = withBrokenRefunds()
    const by = { userId: 'x', verifiedEmail: 'kim@example.com' }
    await withdrawBooking(deps, { bookingId: booked.bookingId, by })
    await performDueRefunds(deps)
    expect(await measure()).toMatchObject({ stuck: before.stuck, overdue: before.overdue })
    world.clock.forward(HOUR_MS)
    expect(await measure()).toMatchObject({ stuck: before.stuck + 1, overdue: before.overdue + 1 })

    broken.refunds = false
    await performDueRefunds(deps)
    await askAboutPayment(world.deps, { operator, paymentId: open.paymentId })
    const after = await measure()
    expect(after).toMatchObject({ stuck: before.stuck, overdue: before.overdue })
    expect(after.states).toContainEqual({ state: 'paid', count: paidBefore + 1 })
  })
})

describe('compareWithProvider', () => {
  const kindsOf = async (reference: string) =>
    (await findNewestComparison(world.db))?.differences
      .filter((difference) => difference.reference === reference)
      .map(({ kind }) => kind)

  it('finds every difference, and none in matching payments', async () => {
    const fine = await paid()
    const lostHere = await paid()
    const unbooked = await paid()
    const refundedThere = await paid()
    const changed = await paid()
    const unknownThere = await paid()
    world.clock.forward(HOUR_MS)
    await sweepPayments(world.deps)
    world.clock.forward(HOUR_MS)
    const clean = await compareWithProvider(world.deps, { operator })
    expect(clean).toMatchObject({ failure: null })
    expect(await kindsOf(fine.reference)).toEqual([])

    const { db } = world
    const forget = async (paymentId: string) => {
      const booking = db.selectFrom('bookings').select('id').where('payment_row_id', '=', paymentId)
      await db.deleteFrom('receipt_numbers').where('booking_id', 'in', booking).execute()
      await db.deleteFrom('bookings').where('payment_row_id', '=', paymentId).execute()
    }
    await forget(lostHere.paymentId)
    await db.deleteFrom('payment_lines').where('payment_id', '=', lostHere.paymentId).execute()
    await db.deleteFrom('payments').where('id', '=', lostHere.paymentId).execute()
    await forget(unbooked.paymentId)
    await world.payments.refund({
      reference: refundedThere.reference,
      amountCents: 500,
      idempotencyKey: newId(),
    })
    await db
      .updateTable('payments')
      .set({ amount_cents: 45_400 })
      .where('id', '=', changed.paymentId)
      .execute()
    await db
      .updateTable('payments')
      .set({ provider_reference: 'sb_gone' })
      .where('id', '=', unknownThere.paymentId)
      .execute()

    world.clock.forward(HOUR_MS)
    await compareWithProvider(world.deps, { operator: null })
    expect(await kindsOf(lostHere.reference)).toEqual(['unknown_here'])
    expect(await kindsOf(unbooked.reference)).toEqual(['paid_without_booking'])
    expect(await kindsOf(refundedThere.reference)).toEqual(['refunded_there'])
    expect(await kindsOf(changed.reference)).toEqual(['amount'])
    expect(await kindsOf('sb_gone')).toEqual(['unknown_there'])
    expect(await kindsOf(fine.reference)).toEqual([])
  })

  it('reports a comparison that was cut off, instead of success', async () => {
    world.clock.forward(HOUR_MS)
    const deps: BookingDeps = {
      ...world.deps,
      providers: [
        {
          ...world.payments,
          list: () => Promise.resolve({ ok: false, reason: 'unreachable', message: 'No answer.' } as const),
        },
      ],
    }
    expect(await compareWithProvider(deps, { operator })).toMatchObject({
      differences: 0,
      failure: 'No answer.',
    })
    expect(await findNewestComparison(world.db)).toMatchObject({ failure: 'No answer.', differences: [] })
  })

  it('recognises each kind of difference', () => {
    const ours = {
      state: 'paid' as const,
      amountCents: 100,
      currency: 'aud',
      bookings: 1,
      refundedCents: 0,
      refundingCents: 0,
    }
    const theirs = { state: 'succeeded' as const, amountCents: 100, currency: 'aud', refundedCents: 0 }
    expect(differencesOf(ours, theirs)).toEqual([])
    expect(differencesOf(ours, null)).toEqual(['unknown_there'])
    expect(differencesOf({ ...ours, state: 'open', bookings: 0 }, theirs)).toEqual(['paid_there_only'])
    expect(differencesOf(ours, { ...theirs, state: 'open' })).toEqual([
      'paid_here_only',
      'booking_without_payment',
    ])
    expect(differencesOf({ ...ours, bookings: 0 }, theirs)).toEqual(['paid_without_booking'])
    expect(differencesOf({ ...ours, bookings: 0, refundingCents: 100 }, theirs)).toEqual([])
    expect(
      differencesOf(
        { ...ours, state: 'failed', bookings: 0, refundingCents: 90 },
        { ...theirs, amountCents: 90 },
      ),
    ).toEqual([])
    expect(differencesOf(ours, { ...theirs, currency: 'nzd' })).toEqual(['amount'])
    expect(differencesOf({ ...ours, refundedCents: 100 }, theirs)).toEqual(['refunded_here'])
    expect(differencesOf({ ...ours, refundingCents: 100 }, { ...theirs, refundedCents: 100 })).toEqual([])
    expect(differencesOf(ours, { ...theirs, refundedCents: 1 })).toEqual(['refunded_there'])
  })
})

describe('moderateReview', () => {
  it('approves a review, or rejects it and gives the author the reason', async () => {
    const business = await aBusiness(world.db)
    const author = await aUser(world.db)
    const review = await world.db
      .insertInto('reviews')
      .values({
        id: newId(),
        business_id: business.id,
        booking_id: null,
        user_id: author.id,
        author_name: 'Kim L.',
        rating: 5,
        body: 'It was lovely.',
        rejected_reason: null,
        moderated_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const waits = async () => (await listReviews(world.db, 'waiting')).some(({ id }) => id === review.id)
    expect(await waits()).toBe(true)
    const reject = { operator, reviewId: review.id, decision: 'reject', reason: 'It names a guest.' } as const
    expect(await moderateReview(world.deps, reject)).toEqual({ ok: true, changed: true })
    expect(await moderateReview(world.deps, reject)).toEqual({ ok: true, changed: false })
    expect(await waits()).toBe(false)
    const notifications = () =>
      world.db
        .selectFrom('notifications')
        .select(['title', 'body'])
        .where('user_id', '=', author.id)
        .execute()
    expect(await notifications()).toEqual([
      { title: 'Your review of The Walled Garden wasn’t published', body: 'It names a guest.' },
    ])
    const mails = async () =>
      (await world.jobs.mails()).filter(({ messageId }) => messageId.includes(`review-${review.id}`))
    expect(await mails()).toMatchObject([
      { to: author.email, preference: 'reviews', subject: expect.stringContaining('wasn’t published') },
    ])
    expect((await mails())[0]?.text).toContain('It names a guest.')
    const toldOwner = () =>
      world.db.selectFrom('notifications').select('title').where('user_id', '=', business.user_id).execute()
    expect(await toldOwner()).toEqual([])
    world.clock.forward(1000)
    expect(
      await moderateReview(world.deps, { operator, reviewId: review.id, decision: 'approve' }),
    ).toMatchObject({ changed: true })
    expect((await listReviews(world.db, 'decided'))[0]).toMatchObject({ id: review.id, state: 'approved' })
    expect(await notifications()).toHaveLength(2)
    // Rejected and approved once more: the owner gets no second notification of the same review.
    await moderateReview(world.deps, reject)
    await moderateReview(world.deps, { operator, reviewId: review.id, decision: 'approve' })
    expect(await toldOwner()).toEqual([{ title: 'New review of The Walled Garden' }])
    expect((await mails()).filter(({ messageId }) => messageId.includes('-published'))).toMatchObject([
      { to: `${business.user_id}@example.com`, preference: 'reviews', preferenceOf: business.user_id },
    ])
    expect(
      await moderateReview(world.deps, { operator, reviewId: 'none', decision: 'approve' }),
    ).toMatchObject({
      reason: 'not_found',
    })
  })
})

describe('disableAccount', () => {
  it('hides the listings and blocks sign-in until the account is enabled again', async () => {
    const { db, deps } = world
    const user = await aUser(db)
    const shown = await aBusiness(db, { user_id: user.id })
    const hidden = await aBusiness(db, {
      user_id: user.id,
      hidden_at: world.clock.now(),
      hidden_by: 'owner',
    })
    await db
      .insertInto('sessions')
      .values({ id: newId(), user_id: user.id, token: newId(), expires_at: new Date('2030-01-01') })
      .execute()
    const disable = {
      operator,
      userId: user.id,
      reason: 'Sells what is not theirs.',
      protectedEmails: new Set<string>(),
      adminEmails: new Set<string>(),
    }
    expect(await disableAccount(deps, disable)).toEqual({ ok: true, changed: true })
    expect(await disableAccount(deps, disable)).toEqual({ ok: true, changed: false })
    // From now on the accounts' adapter refuses the session and gives the reason; enabling the account deletes it.
    const sessions = () => db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute()
    expect(await sessions()).toHaveLength(1)
    const isHidden = async (id: string) =>
      (await db.selectFrom('businesses').select('hidden_at').where('id', '=', id).executeTakeFirstOrThrow())
        .hidden_at !== null
    expect([await isHidden(shown.id), await isHidden(hidden.id)]).toEqual([true, true])
    expect(await enableAccount(deps, { operator, userId: user.id })).toEqual({ ok: true, changed: true })
    expect(await sessions()).toEqual([])
    expect([await isHidden(shown.id), await isHidden(hidden.id)]).toEqual([false, true])
    expect(await disableAccount(deps, { ...disable, userId: operator.userId })).toMatchObject({
      reason: 'own_account',
    })
    expect(await disableAccount(deps, { ...disable, userId: 'none' })).toMatchObject({ reason: 'not_found' })
    const logged = (await listOperatorLog(db)).filter(({ subjectId }) => subjectId === user.id)
    expect(new Set(logged.map(({ action }) => action))).toEqual(
      new Set(['disable-account', 'enable-account']),
    )
  })
})

describe('showHiddenListing', () => {
  const rowOf = (id: string) =>
    world.db
      .selectFrom('businesses')
      .select(['hidden_at', 'hidden_by', 'owner_hidden_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const hide = (businessId: string, reason = 'Not a venue') =>
    hideListing(world.deps, { operator, businessId, reason })
  const show = (businessId: string) => {
    // One notification for each moment.
    world.clock.forward(1_000)
    return showHiddenListing(world.deps, { operator, businessId })
  }
  const noticesOf = async (userId: string) =>
    (
      await world.db
        .selectFrom('notifications')
        .select('body')
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .execute()
    ).map(({ body }) => body)

  it('leaves a listing hidden with its disabled account, which shows it when it is enabled', async () => {
    const { db, deps } = world
    const user = await aUser(db)
    const { id } = await aBusiness(db, { user_id: user.id })
    await hide(id)
    await disableAccount(deps, {
      operator,
      userId: user.id,
      reason: 'Fraud',
      protectedEmails: new Set(),
      adminEmails: new Set(),
    })
    expect(await rowOf(id)).toMatchObject({ hidden_by: 'operator' })
    const still = { ok: true, stillHiddenBy: 'disabling' }
    expect(await show(id)).toEqual({ ...still, changed: true })
    expect(await rowOf(id)).toMatchObject({ hidden_by: 'disabling', hidden_at: world.clock.now() })
    expect(await show(id)).toEqual({ ...still, changed: false })
    expect(await noticesOf(user.id)).not.toContain('People can find and book it.')
    await enableAccount(deps, { operator, userId: user.id })
    expect(await rowOf(id)).toMatchObject({ hidden_by: null })
  })

  it.each([false, true])(
    'leaves a listing hidden with its deactivated account (disabled too: %s)',
    async (isDisabled) => {
      const { db, deps } = world
      const at = world.clock.now()
      const user = await aUser(db)
      await db
        .updateTable('users')
        .set({ deactivated_at: at, ...(isDisabled ? { disabled_at: at, disabled_reason: 'Fraud' } : {}) })
        .where('id', '=', user.id)
        .execute()
      const { id } = await aBusiness(db, { user_id: user.id })
      await hide(id)
      expect(await show(id)).toEqual({ ok: true, changed: true, stillHiddenBy: 'deactivation' })
      await enableAccount(deps, { operator, userId: user.id })
      expect(await rowOf(id)).toMatchObject({ hidden_by: 'deactivation' })
    },
  )

  it('leaves a listing that waits for the vendor agreement to its owner', async () => {
    const user = await aUser(world.db)
    const since = new Date('2026-11-01T00:00:00Z')
    const waits = { hidden_at: since, hidden_by: 'agreement', waiting_since: since } as const
    const { id } = await aBusiness(world.db, { user_id: user.id, ...waits })
    await hide(id)
    expect(await rowOf(id)).toMatchObject({ hidden_by: 'operator' })
    const still = { ok: true, stillHiddenBy: 'agreement' }
    expect(await show(id)).toEqual({ ...still, changed: true })
    expect(await rowOf(id)).toMatchObject({ hidden_by: 'agreement', hidden_at: since })
    expect(await show(id)).toEqual({ ...still, changed: false })
    // Accepting while an operator hides it leaves only the operator's hiding.
    await hide(id)
    await acceptAndPublish(world.deps, { userId: user.id, version: DOCUMENTS.vendor_agreement.version })
    expect(await rowOf(id)).toMatchObject({ hidden_by: 'operator' })
    expect(await show(id)).toEqual({ ok: true, changed: true, stillHiddenBy: null })
  })

  it('gives a listing that its owner had hidden back to the owner', async () => {
    const { db } = world
    const user = await aUser(db)
    const hiddenAt = new Date('2026-10-01T00:00:00Z')
    const { id } = await aBusiness(db, { user_id: user.id, hidden_at: hiddenAt, hidden_by: 'owner' })
    await hide(id)
    await hide(id, 'Still not a venue')
    expect(await showListing(world.deps, { userId: user.id, businessId: id })).toMatchObject({
      reason: 'hidden_by_operator',
    })
    expect(await show(id)).toEqual({ ok: true, changed: true, stillHiddenBy: 'owner' })
    expect(await rowOf(id)).toEqual({ hidden_at: hiddenAt, hidden_by: 'owner', owner_hidden_at: null })
    expect((await noticesOf(user.id)).at(-1)).toBe(
      'You had hidden it yourself, so it stays hidden until you show it.',
    )
    expect(await showListing(world.deps, { userId: user.id, businessId: id })).toEqual({
      ok: true,
      isWaiting: false,
    })
    // The owner's hiding is over: the next operator's is followed by nothing.
    await hide(id)
    expect(await show(id)).toEqual({ ok: true, changed: true, stillHiddenBy: null })
  })
})

describe('hideListing', () => {
  it('hides a listing that only an operator can show again', async () => {
    const { db, deps } = world
    const business = await aBusiness(db)
    const hide = { operator, businessId: business.id, reason: 'by its owner' }
    expect(await hideListing(deps, hide)).toEqual({ ok: true, changed: true })
    const row = () =>
      db
        .selectFrom('businesses')
        .select(['hidden_at', 'hidden_by', 'operator_reason'])
        .where('id', '=', business.id)
        .executeTakeFirstOrThrow()
    // A reason that equals the label for owners doesn't make the listing look hidden by its owner.
    expect(await row()).toMatchObject({ hidden_by: 'operator', operator_reason: 'by its owner' })
    expect(await hideListing(deps, hide)).toEqual({ ok: true, changed: false })
    expect(await showHiddenListing(deps, { operator, businessId: business.id })).toEqual({
      ok: true,
      changed: true,
      stillHiddenBy: null,
    })
    expect(await row()).toEqual({ hidden_at: null, hidden_by: null, operator_reason: null })
    await db
      .updateTable('businesses')
      .set({ hidden_at: world.clock.now(), hidden_by: 'owner' })
      .where('id', '=', business.id)
      .execute()
    expect(await showHiddenListing(deps, { operator, businessId: business.id })).toMatchObject({
      reason: 'hidden_by_owner',
    })
    expect(await hideListing(deps, { ...hide, businessId: 'none' })).toMatchObject({ reason: 'not_found' })
  })
})
