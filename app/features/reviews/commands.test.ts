import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingForm, aBookingWorld, aBusiness, aUser } from '../../../tests/builders.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { startBookingPayment } from '../bookings/checkout/commands.server.ts'
import { decideBooking } from '../bookings/decisions/commands.server.ts'
import { reportPayment } from '../payments/settlement-commands.server.ts'
import { writeReview } from './commands.server.ts'
import { findApprovedReviews, findReviewable, findReviewedBookings } from './queries.server.ts'
import { reviewerName } from './rules.ts'
import { reviewSchema } from './schema.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>

beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())

/** A paid booking for tomorrow by a signed-in customer. */
async function aBooking(customer: { userId: string; email?: string }, ownerId?: string) {
  const { db, deps, payments, clock } = world
  const business = await aBusiness(db, ownerId ? { user_id: ownerId } : {})
  const started = await startBookingPayment(deps, {
    amount: 45_500,
    submitKey: `key-${newId()}`,
    businessId: business.id,
    booking: aBookingForm({
      date: new Date(clock.now().getTime() + 2 * DAY_MS).toISOString().slice(0, 10),
      email: customer.email ?? 'kim@example.com',
    }),
    customerUserId: customer.userId,
  })
  if (!started.ok || started.alreadyPaid) throw new Error('not started')
  await payments.confirmCard({
    clientSecret: started.clientSecret,
    cardNumber: '4242424242424242',
    expiry: '12 / 30',
    cvc: '123',
  })
  const settled = await reportPayment(deps, { clientSecret: started.clientSecret })
  if (!settled.ok || !settled.purchaseId) throw new Error('not settled')
  return { bookingId: settled.purchaseId, business }
}

const approve = (bookingId: string, userId: string) =>
  decideBooking(world.deps, { userId, bookingId, decision: 'approved' })
const words = { rating: 5, body: 'The table was long and the evening longer.' }

describe('writeReview', () => {
  it('accepts one review of an approved past booking, which waits for a moderator', async () => {
    const customer = await aUser(world.db)
    const by = { userId: customer.id, verifiedEmail: null }
    const { bookingId, business } = await aBooking(by)
    expect(await writeReview(world.deps, { by: { ...by, bookingId }, ...words })).toEqual({
      ok: false,
      reason: 'not_approved',
    })
    await approve(bookingId, business.user_id)
    expect(await writeReview(world.deps, { by: { ...by, bookingId }, ...words })).toEqual({
      ok: false,
      reason: 'not_over',
    })
    world.clock.forward(4 * DAY_MS)
    const answers = await Promise.all(
      [1, 2, 3].map(() => writeReview(world.deps, { by: { ...by, bookingId }, ...words })),
    )
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    expect(answers.filter((answer) => !answer.ok)).toEqual(
      Array(2).fill({ ok: false, reason: 'already_written' }),
    )
    expect((await findApprovedReviews(world.db, business.id)).count).toBe(0)
    const row = await world.db
      .selectFrom('reviews')
      .selectAll()
      .where('booking_id', '=', bookingId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ approved: false, author_name: 'Kim L.', rating: 5, user_id: customer.id })
    expect(await findReviewedBookings(world.db, [bookingId, 'another'])).toEqual(new Set([bookingId]))
  })

  it('finds no booking of another customer, except a guest’s with the verified email', async () => {
    const customer = await aUser(world.db)
    const { bookingId, business } = await aBooking({ userId: customer.id, email: 'guest@example.com' })
    await approve(bookingId, business.user_id)
    world.clock.forward(4 * DAY_MS)
    const as = (userId: string, verifiedEmail: string | null) =>
      writeReview(world.deps, { by: { userId, verifiedEmail, bookingId }, ...words })
    expect(await as('somebody-else', null)).toEqual({ ok: false, reason: 'not_found' })
    expect(await as('somebody-else', 'other@example.com')).toEqual({ ok: false, reason: 'not_found' })
    // Booked as a guest, claimed by the verified address (Decision 3).
    expect(await as('somebody-else', 'Guest@example.com')).toMatchObject({ ok: true })
  })

  it('refuses the owner, a declined booking and a deleted business', async () => {
    const owner = await aUser(world.db)
    const by = { userId: owner.id, verifiedEmail: null }
    const own = await aBooking(by, owner.id)
    await approve(own.bookingId, owner.id)
    const customer = await aUser(world.db)
    const declined = await aBooking({ userId: customer.id })
    await decideBooking(world.deps, {
      userId: declined.business.user_id,
      bookingId: declined.bookingId,
      decision: 'declined',
    })
    const gone = await aBooking({ userId: customer.id })
    await approve(gone.bookingId, gone.business.user_id)
    await world.db
      .updateTable('businesses')
      .set({ deleted_at: world.clock.now() })
      .where('id', '=', gone.business.id)
      .execute()
    world.clock.forward(4 * DAY_MS)
    expect(
      await writeReview(world.deps, { by: { ...by, bookingId: own.bookingId }, ...words }),
    ).toMatchObject({
      reason: 'own_business',
    })
    const asCustomer = ({ bookingId }: { bookingId: string }) =>
      writeReview(world.deps, { by: { userId: customer.id, verifiedEmail: null, bookingId }, ...words })
    expect(await asCustomer(declined)).toMatchObject({ reason: 'not_approved' })
    expect(await asCustomer(gone)).toMatchObject({ reason: 'business_gone' })
  })

  it('opens reviews after the event’s day in the venue’s time zone', async () => {
    const customer = await aUser(world.db)
    const { bookingId, business } = await aBooking({ userId: customer.id })
    await approve(bookingId, business.user_id)
    const ask = (now: string) =>
      findReviewable(world.db, {
        by: { bookingId, userId: customer.id, verifiedEmail: null },
        now: new Date(now),
      })
    const found = await ask('2030-01-01T00:00:00Z')
    if (!found.ok) throw new Error(found.reason)
    const day = found.booking.date
    // Melbourne is ten or eleven hours ahead: its next day begins at 13:00 or 14:00 UTC.
    expect(await ask(`${day}T12:59:00Z`)).toMatchObject({ reason: 'not_over' })
    expect(await ask(`${day}T14:01:00Z`)).toMatchObject({ ok: true })
  })
})

describe('reviewSchema', () => {
  it('requires one to five whole stars and some text', () => {
    const check = (rating: unknown, body: unknown) => reviewSchema.safeParse({ rating, body }).success
    expect(check('5', ' It was lovely. ')).toBe(true)
    for (const rating of ['0', '6', '1.5', '', undefined, 'five']) expect(check(rating, 'Words')).toBe(false)
    for (const body of ['', '   ', undefined, 'x'.repeat(2001), 'a\0b']) expect(check('5', body)).toBe(false)
  })
})

describe('reviewerName', () => {
  it('keeps the first name and the initial of the last', () => {
    expect(['Kim Lee', ' Ana  de la Cruz ', 'Cher', 'zoë öz'].map(reviewerName)).toEqual([
      'Kim L.',
      'Ana C.',
      'Cher',
      'zoë Ö.',
    ])
  })
})
