import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBookingWorld, aBusiness, aPaidBooking, aUser, movesEvent } from '../../../tests/builders.ts'
import type { JobData } from '../../adapters/jobs/port.ts'
import type { MailMessage } from '../../adapters/mail/port.ts'
import { addDays, wallTimeToUtc } from '../../shared/dates.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS, MINUTE_MS, WEEK_MS } from '../../shared/time-units.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { mailReviewReceived, writeReview } from './commands.server.ts'
import { endInvitations, inviteReviews, mailInvitation } from './invitation-commands.server.ts'
import { readRating } from './invitation-rules.ts'
import { findReviewable } from './queries.server.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>

beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())
// The invitations of other tests are sent, and theirs of a week later too.
beforeEach(async () => {
  await sql`update bookings set email = ''`.execute(world.db)
  await sql`update review_invitations set next_at = null`.execute(world.db)
})

const now = () => world.clock.now()
const movesTo = (time: Date) => world.clock.forward(time.getTime() - now().getTime())

/** An approved booking of 7 hours from 4 pm, Melbourne time, in three days. */
async function aBooking(given: { email?: string; customerUserId?: string; ownerId?: string } = {}) {
  const business = await aBusiness(world.db, given.ownerId ? { user_id: given.ownerId } : {})
  const date = new Date(now().getTime() + 3 * DAY_MS).toISOString().slice(0, 10)
  const email = given.email ?? `${newId(8)}@example.com`.toLowerCase()
  const booked = await aPaidBooking(world, {
    businessId: business.id,
    form: { date: new Date(now().getTime() + 30 * DAY_MS).toISOString().slice(0, 10), email },
    customerUserId: given.customerUserId ?? null,
  })
  await movesEvent(world.db, booked.bookingId, date)
  await sets(booked.bookingId, { status: 'approved' })
  const nextDay = addDays(date, 1)
  return {
    ...booked,
    business,
    email,
    linkToken: await bookingLinkToken(world.deps.secret, booked.paymentId),
    invitesAt: wallTimeToUtc(nextDay, '10:00', 'Australia/Melbourne'),
  }
}

const sets = (id: string, columns: object) =>
  world.db.updateTable('bookings').set(columns).where('id', '=', id).execute()

/** The invitations that were queued since the last call, for these bookings. */
async function queued(...bookings: { bookingId: string }[]): Promise<JobData['send-review-invitation'][]> {
  const jobs = await world.jobs.takeAll()
  return jobs
    .filter(({ name }) => name === 'send-review-invitation')
    .map(({ data }) => data as JobData['send-review-invitation'])
    .filter((data) => bookings.some(({ bookingId }) => bookingId === data.bookingId))
}

/** Runs the job, and sends what it queued. @returns the mails to this booking's customer */
async function invited(booking: { bookingId: string }): Promise<MailMessage[]> {
  await inviteReviews(world.deps)
  const sent: MailMessage[] = []
  for (const data of await queued(booking))
    await mailInvitation(world.deps, { send: async (message) => void sent.push(message) }, data)
  return sent
}

const countOf = async (booking: { bookingId: string }) => (await invited(booking)).length

describe('an invitation to write a review', () => {
  it('leaves at ten in the morning of the day after the event, at the venue, and not a minute before', async () => {
    const booking = await aBooking()
    movesTo(new Date(booking.invitesAt.getTime() - MINUTE_MS))
    expect(await countOf(booking)).toBe(0)
    movesTo(booking.invitesAt)
    const [mail] = await invited(booking)
    expect(mail).toMatchObject({ to: booking.email, subject: 'How was The Walled Garden?' })
    const links = mail?.content?.stars?.map(({ url }) => new URL(url))
    expect(links?.map(({ pathname }) => pathname)).toEqual(
      Array(5).fill(`/bookings/${booking.linkToken}/review`),
    )
    expect(links?.map(({ searchParams }) => readRating(searchParams.get('rating')))).toEqual([1, 2, 3, 4, 5])
    expect(mail?.unsubscribeUrl).toContain('/reviews/end?')
    // Ending the mails opens nothing of the booking.
    expect(mail?.unsubscribeUrl).not.toContain(booking.linkToken)
  })

  it('leaves once more after a week, and then never again', async () => {
    const booking = await aBooking()
    movesTo(booking.invitesAt)
    expect(await countOf(booking)).toBe(1)
    expect(await countOf(booking)).toBe(0)
    world.clock.forward(WEEK_MS - MINUTE_MS)
    expect(await countOf(booking)).toBe(0)
    world.clock.forward(MINUTE_MS)
    const [mail] = await invited(booking)
    expect(mail?.content?.why).toContain('We won’t ask about it again.')
    world.clock.forward(2 * WEEK_MS)
    expect(await countOf(booking)).toBe(0)
  })

  it('leaves once, however many processes run the job at the same time', async () => {
    const booking = await aBooking()
    movesTo(booking.invitesAt)
    await Promise.all([1, 2, 3].map(() => inviteReviews(world.deps)))
    world.clock.forward(WEEK_MS)
    await Promise.all([1, 2, 3].map(() => inviteReviews(world.deps)))
    expect((await queued(booking)).map(({ number }) => number)).toEqual([1, 2])
  })

  it('doesn’t leave a second time once the review is written', async () => {
    const booking = await aBooking()
    movesTo(booking.invitesAt)
    expect(await countOf(booking)).toBe(1)
    const by = { linkToken: booking.linkToken, userId: null }
    expect(
      await writeReview(world.deps, { by, rating: 4, body: 'A long table under old trees.' }),
    ).toMatchObject({ ok: true })
    world.clock.forward(WEEK_MS)
    expect(await countOf(booking)).toBe(0)
  })

  it('leaves for no booking that is older than a week, such as those from before there were invitations', async () => {
    const booking = await aBooking()
    movesTo(new Date(booking.invitesAt.getTime() + 7 * DAY_MS))
    expect(await countOf(booking)).toBe(0)
  })

  it.each([
    ['cancelled', { status: 'withdrawn' }],
    ['declined', { status: 'declined' }],
    ['undecided', { status: 'pending' }],
    ['refunded', { payment_status: 'refunded' }],
    ['to be refunded', { payment_status: 'refund due' }],
  ])('leaves for no booking that is %s', async (_, columns) => {
    const booking = await aBooking()
    await sets(booking.bookingId, columns)
    movesTo(booking.invitesAt)
    expect(await countOf(booking)).toBe(0)
  })

  it('leaves for no booking that the bank disputes, also one that is disputed after the first', async () => {
    const disputes = (booking: { paymentId: string }) =>
      sql`
      insert into disputes (id, payment_id, provider, provider_dispute, amount_cents, reason, status, funds,
        is_charge_refundable, opened_at, checked_at, created_at)
      values (${newId()}, ${booking.paymentId}, 'sandbox', ${newId()}, 100, 'fraudulent', 'needs_response', 'held',
        false, now(), now(), now())`.execute(world.db)
    const [first, second] = [await aBooking(), await aBooking()]
    await disputes(first)
    movesTo(first.invitesAt)
    expect(await countOf(first)).toBe(0)
    movesTo(second.invitesAt)
    world.clock.forward(MINUTE_MS)
    await inviteReviews(world.deps)
    await disputes(second)
    world.clock.forward(WEEK_MS)
    expect(await countOf(second)).toBe(0)
  })

  it('never goes to a vendor about themselves, by their account or by their address', async () => {
    const owner = await aUser(world.db)
    const own = await aBooking({ customerUserId: owner.id, ownerId: owner.id })
    const byAddress = await aBooking({ email: owner.email, ownerId: owner.id })
    movesTo(byAddress.invitesAt)
    await inviteReviews(world.deps)
    expect(await queued(own, byAddress)).toEqual([])
    const asked = { by: { linkToken: byAddress.linkToken, userId: null }, now: now() }
    expect(await findReviewable(world.db, asked)).toEqual({ ok: false, reason: 'own_business' })
  })

  it('leaves for no account that is deleted or disabled, or that wants no mails about reviews', async () => {
    const [gone, disabled, quiet] = [await aUser(world.db), await aUser(world.db), await aUser(world.db)]
    const bookings = [
      await aBooking({ customerUserId: gone.id }),
      await aBooking({ customerUserId: disabled.id }),
      await aBooking({ customerUserId: quiet.id }),
      // A guest whose address is the account's.
      await aBooking({ email: quiet.email }),
    ]
    const { db } = world
    await db.deleteFrom('users').where('id', '=', gone.id).execute()
    await db.updateTable('users').set({ disabled_at: now() }).where('id', '=', disabled.id).execute()
    await db.updateTable('users').set({ mail_reviews: false }).where('id', '=', quiet.id).execute()
    movesTo(bookings[3]?.invitesAt ?? now())
    for (const booking of bookings) expect(await countOf(booking)).toBe(0)
  })

  it('leaves for no listing that is deleted or hidden', async () => {
    for (const columns of [{ deleted_at: now() }, { hidden_at: now(), hidden_by: 'owner' as const }]) {
      const booking = await aBooking()
      await world.db.updateTable('businesses').set(columns).where('id', '=', booking.business.id).execute()
      movesTo(booking.invitesAt)
      expect(await countOf(booking)).toBe(0)
    }
  })

  it('isn’t sent if the customer ended them after it was queued', async () => {
    const booking = await aBooking()
    movesTo(booking.invitesAt)
    const [mail] = await invited(booking)
    const query = new URL(mail?.unsubscribeUrl ?? '').searchParams
    const link = { bookingId: query.get('booking') ?? '', token: query.get('token') ?? '' }
    expect(await endInvitations(world.deps, { ...link, token: `${link.token}x` })).toEqual({
      ok: false,
      reason: 'wrong_token',
    })
    const another = await aBooking()
    expect(await endInvitations(world.deps, { ...link, bookingId: another.bookingId })).toMatchObject({
      ok: false,
    })
    expect(await endInvitations(world.deps, link)).toEqual({ ok: true })
    // Twice is the same.
    expect(await endInvitations(world.deps, link)).toEqual({ ok: true })
    const sent: MailMessage[] = []
    const mailer = { send: async (message: MailMessage) => void sent.push(message) }
    await mailInvitation(world.deps, mailer, { bookingId: booking.bookingId, number: 2 })
    expect(sent).toEqual([])
    world.clock.forward(WEEK_MS)
    expect(await countOf(booking)).toBe(0)
    // Nor about the next booking of this address, however it is written.
    const next = await aBooking({ email: booking.email.toUpperCase() })
    movesTo(next.invitesAt)
    expect(await countOf(next)).toBe(0)
    // The address itself isn't kept.
    const kept = await world.db.selectFrom('review_invitation_ends').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(booking.email)
  })
})

describe('a review by the booking’s link', () => {
  it('belongs to the customer’s account, if they have one', async () => {
    const customer = await aUser(world.db)
    for (const customerUserId of [undefined, customer.id]) {
      const booking = await aBooking(customerUserId ? { customerUserId } : {})
      const by = { linkToken: booking.linkToken, userId: null }
      const words = { rating: 5, body: 'We danced until the lights came on.' }
      expect(await writeReview(world.deps, { by, ...words })).toEqual({ ok: false, reason: 'not_over' })
      movesTo(booking.invitesAt)
      expect(await writeReview(world.deps, { by, ...words })).toMatchObject({ ok: true })
      expect(await writeReview(world.deps, { by, ...words })).toEqual({
        ok: false,
        reason: 'already_written',
      })
      const row = await world.db
        .selectFrom('reviews')
        .select(['user_id', 'approved', 'business_id'])
        .where('booking_id', '=', booking.bookingId)
        .executeTakeFirstOrThrow()
      expect(row).toEqual({
        user_id: customerUserId ?? null,
        approved: false,
        business_id: booking.business.id,
      })
    }
  })

  it('is told to the booking’s address, once, and without what was written', async () => {
    const booking = await aBooking()
    movesTo(booking.invitesAt)
    await world.jobs.takeAll()
    const by = { linkToken: booking.linkToken, userId: null }
    const words = { rating: 2, body: 'Nobody came to open the gate.' }
    await Promise.all([1, 2].map(() => writeReview(world.deps, { by, ...words })))
    const jobs = (await world.jobs.takeAll()).filter(({ name }) => name === 'send-review-received')
    expect(jobs).toHaveLength(1)
    const sent: MailMessage[] = []
    const mail = { send: async (message: MailMessage) => void sent.push(message) }
    const data = jobs[0]?.data as JobData['send-review-received']
    await mailReviewReceived(world.deps, mail, data)
    expect(sent).toMatchObject([
      { to: booking.email, subject: 'Your review was received: The Walled Garden' },
    ])
    expect(sent[0]?.text).toContain('Not you? Reply to this email.')
    expect(sent[0]?.text).not.toContain(words.body)
    // The account was deleted after the mail was queued.
    await sets(booking.bookingId, { email: '' })
    await mailReviewReceived(world.deps, mail, data)
    expect(sent).toHaveLength(1)
  })

  it('isn’t told by mail when its customer wrote it while signed in', async () => {
    const customer = await aUser(world.db)
    const { bookingId, invitesAt } = await aBooking({ customerUserId: customer.id })
    movesTo(invitesAt)
    await world.jobs.takeAll()
    const by = { bookingId, userId: customer.id, verifiedEmail: null }
    expect(await writeReview(world.deps, { by, rating: 4, body: 'A long table.' })).toMatchObject({
      ok: true,
    })
    expect((await world.jobs.takeAll()).map(({ name }) => name)).not.toContain('send-review-received')
  })

  it('ends with the deletion of the customer’s account', async () => {
    const booking = await aBooking()
    movesTo(booking.invitesAt)
    const by = { linkToken: booking.linkToken, userId: null }
    expect(await findReviewable(world.db, { by, now: now() })).toMatchObject({ ok: true })
    await sets(booking.bookingId, { email: '' })
    expect(await findReviewable(world.db, { by, now: now() })).toEqual({ ok: false, reason: 'not_found' })
    expect(await writeReview(world.deps, { by, rating: 1, body: 'I was never there.' })).toEqual({
      ok: false,
      reason: 'not_found',
    })
  })

  it('needs the right link, and someone other than the listing’s owner', async () => {
    const booking = await aBooking()
    movesTo(booking.invitesAt)
    const words = { rating: 5, body: 'We danced until the lights came on.' }
    const as = (linkToken: string, userId: string | null) =>
      writeReview(world.deps, { by: { linkToken, userId }, ...words })
    expect(await as('x'.repeat(43), null)).toEqual({ ok: false, reason: 'not_found' })
    expect(await as('', null)).toEqual({ ok: false, reason: 'not_found' })
    expect(await as(booking.linkToken, booking.business.user_id)).toEqual({
      ok: false,
      reason: 'own_business',
    })
  })
})

describe('readRating', () => {
  it('takes one to five, and nothing else', () => {
    expect(['1', '3', '5'].map(readRating)).toEqual([1, 3, 5])
    for (const text of ['0', '6', '', '1.5', '05', '-1', 'five', null]) expect(readRating(text)).toBeNull()
  })
})
