import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  aBookingWorld,
  aBusiness,
  aConversation,
  aPaidBooking,
  aUser,
  enquiryDepsOf,
  movesEvent,
} from '../../../tests/builders.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { type BookingWriter, findBookingTalk, messageAboutBooking } from './booking-commands.server.ts'
import type { EnquiryDeps } from './deps.server.ts'
import { findConversation, listInbox } from './queries.server.ts'
import { blockConversation } from './status-commands.server.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let deps: EnquiryDeps

beforeAll(async () => {
  world = await aBookingWorld()
  deps = enquiryDepsOf(world.deps)
})
afterAll(() => world.close())

type Account = { id: string; email: string }
const asAccount = (user: Account) => ({ userId: user.id, verifiedEmail: user.email })

/** A paid booking, of a guest or an account, with its link. */
async function aBooking(given: { customer?: Account; email?: string } = {}) {
  const business = await aBusiness(world.db)
  const email = given.email ?? given.customer?.email ?? `${newId(8)}@example.com`.toLowerCase()
  const date = new Date(world.clock.now().getTime() + 30 * DAY_MS).toISOString().slice(0, 10)
  const booked = await aPaidBooking(world, {
    businessId: business.id,
    form: { date, email, fullName: 'Kim Lee' },
    customerUserId: given.customer?.id ?? null,
  })
  const linkToken = await bookingLinkToken(world.deps.secret, booked.paymentId)
  return { ...booked, business, email, date, linkToken }
}

const writes = (
  linkToken: string,
  account: BookingWriter['account'] = null,
  body = 'May we come at three?',
) =>
  messageAboutBooking(deps, {
    by: { linkToken, account },
    message: { body, submitKey: newId(24) },
    address: newId(),
  })
const placeOf = async (linkToken: string, account: BookingWriter['account'] = null) =>
  (await findBookingTalk(deps, { linkToken, account }))?.place ?? null
const inboxOf = async ({ user_id: userId }: { user_id: string }) =>
  (await listInbox(deps, { userId })).conversations

describe('a message about a booking', () => {
  it('reaches the vendor at once, with the booking, and opens the conversation from then on', async () => {
    const booking = await aBooking()
    expect(await placeOf(booking.linkToken)).toBeNull()
    const sent = await writes(booking.linkToken)
    if (!sent.ok || !('linkToken' in sent.place)) throw new Error(JSON.stringify(sent))
    expect(await placeOf(booking.linkToken)).toEqual(sent.place)
    expect(await inboxOf(booking.business)).toMatchObject([
      {
        bookingId: booking.bookingId,
        customerName: 'Kim Lee',
        unread: 1,
        lastMessage: 'May we come at three?',
      },
    ])
    // The next one is in the same conversation.
    expect(await writes(booking.linkToken, null, 'Or at four?')).toEqual(sent)
    const talk = await findConversation(deps, { by: sent.place })
    expect(talk?.messages.map(({ body }) => body)).toEqual(['May we come at three?', 'Or at four?'])
  })

  it('reaches the account of a signed-in customer, even one who booked as a guest', async () => {
    for (const isGuest of [false, true]) {
      const customer = await aUser(world.db)
      const booking = await aBooking(isGuest ? { email: customer.email } : { customer })
      const sent = await writes(booking.linkToken, asAccount(customer))
      if (!sent.ok || !('id' in sent.place)) throw new Error(JSON.stringify(sent))
      const talk = await findConversation(deps, { id: sent.place.id, by: asAccount(customer) })
      expect(talk).toMatchObject({ side: 'customer', bookingId: booking.bookingId })
    }
  })

  it('continues a conversation that the customer has with this business', async () => {
    const customer = await aUser(world.db)
    const booking = await aBooking({ customer })
    const { business, date: eventDate } = booking
    const talk = await aConversation({ deps, db: world.db }, { business, customer, eventDate })
    // The booking isn't attached yet.
    expect(await placeOf(booking.linkToken, asAccount(customer))).toBeNull()
    expect(await writes(booking.linkToken, asAccount(customer))).toEqual({ ok: true, place: { id: talk.id } })
    expect(await inboxOf(business)).toMatchObject([{ id: talk.id, bookingId: booking.bookingId }])
  })

  it('continues a conversation that names no day', async () => {
    const customer = await aUser(world.db)
    const booking = await aBooking({ customer })
    const talk = await aConversation({ deps, db: world.db }, { business: booking.business, customer })
    await world.db.updateTable('conversations').set({ event_date: null }).where('id', '=', talk.id).execute()
    expect(await writes(booking.linkToken, asAccount(customer))).toEqual({ ok: true, place: { id: talk.id } })
  })

  it('leaves the customer’s conversation about another day, or with a quote, as it is', async () => {
    for (const columns of [{}, { event_date: null, status: 'quoted' as const }]) {
      const customer = await aUser(world.db)
      const booking = await aBooking({ customer })
      const talk = await aConversation({ deps, db: world.db }, { business: booking.business, customer })
      if ('status' in columns)
        await world.db.updateTable('conversations').set(columns).where('id', '=', talk.id).execute()
      const sent = await writes(booking.linkToken, asAccount(customer))
      if (!sent.ok || !('id' in sent.place)) throw new Error(JSON.stringify(sent))
      expect(sent.place.id).not.toBe(talk.id)
      expect((await findConversation(deps, { id: talk.id, by: asAccount(customer) }))?.bookingId).toBeNull()
    }
  })

  it('shows the holder of the link nothing that its customer wrote elsewhere', async () => {
    const customer = await aUser(world.db)
    // A stranger has booked with the customer's address.
    const booking = await aBooking({ email: customer.email })
    const own = await aConversation({ deps, db: world.db }, { business: booking.business, customer })
    const sent = await writes(booking.linkToken)
    if (!sent.ok || !('linkToken' in sent.place)) throw new Error(JSON.stringify(sent))
    const seen = await findConversation(deps, { by: sent.place })
    expect(seen?.id).not.toBe(own.id)
    // An account's conversation about the booking is opened by its id alone, which asks for the login.
    const accounts = await aBooking({ customer })
    await writes(accounts.linkToken, asAccount(customer))
    expect(await placeOf(accounts.linkToken)).toHaveProperty('id')
    expect(await writes(accounts.linkToken)).toEqual({ ok: false, reason: 'not_found' })
  })

  it('attaches no booking to the conversation of someone else who holds its link', async () => {
    const [booking, other] = [await aBooking(), await aUser(world.db)]
    const own = await aConversation({ deps, db: world.db }, { business: booking.business, customer: other })
    const sent = await writes(booking.linkToken, asAccount(other))
    expect(sent).toMatchObject({ ok: true, place: { linkToken: expect.any(String) } })
    const rows = await world.db
      .selectFrom('conversations')
      .select(['booking_id', 'customer_user_id'])
      .where('id', '=', own.id)
      .execute()
    expect(rows).toEqual([{ booking_id: null, customer_user_id: other.id }])
  })

  it('goes nowhere with an unknown link, from the vendor, once they are blocked, or to a vendor who is gone', async () => {
    const booking = await aBooking()
    const { user_id: vendorId } = booking.business
    expect(await writes('x'.repeat(43))).toEqual({ ok: false, reason: 'not_found' })
    expect(await findBookingTalk(deps, { linkToken: '', account: null })).toBeNull()
    const vendor = { userId: vendorId, verifiedEmail: null }
    expect(await writes(booking.linkToken, vendor)).toEqual({ ok: false, reason: 'own_business' })
    const sent = await writes(booking.linkToken)
    if (!sent.ok) throw new Error(sent.reason)
    const [talk] = await inboxOf(booking.business)
    await blockConversation(deps, { id: talk?.id ?? '', by: vendor })
    expect(await writes(booking.linkToken)).toEqual({ ok: false, reason: 'blocked' })
    const another = await aBooking()
    await world.db
      .updateTable('users')
      .set({ disabled_at: world.clock.now() })
      .where('id', '=', another.business.user_id)
      .execute()
    expect(await writes(another.linkToken)).toEqual({ ok: false, reason: 'gone' })
  })

  it('reaches a vendor whose listing takes no new bookings', async () => {
    const booking = await aBooking()
    await world.db
      .updateTable('businesses')
      .set({ hidden_at: world.clock.now(), hidden_by: 'owner' })
      .where('id', '=', booking.business.id)
      .execute()
    expect(await writes(booking.linkToken)).toMatchObject({ ok: true })
  })
})

describe('the row of the inbox', () => {
  it('follows the date of the booking, and its open page hears of it', async () => {
    const booking = await aBooking()
    await writes(booking.linkToken)
    const heard: string[] = []
    const inbox = `inbox:${booking.business.user_id}` as const
    const last = `inbox:${newId()}` as const
    const stop = deps.liveUpdates.subscribe([inbox, last], (topic) => heard.push(topic))
    // Announcements keep their order: the message's was heard before this one.
    await world.db.transaction().execute((tx) => deps.liveUpdates.publish(tx, last))
    await expect.poll(() => heard).toContain(last)
    heard.length = 0
    await movesEvent(world.db, booking.bookingId, '2027-02-06')
    await expect.poll(() => heard).toEqual([inbox])
    stop()
    expect(await inboxOf(booking.business)).toMatchObject([{ eventDate: '2027-02-06' }])
  })
})
