import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { booked, business, deps, setBookingStage, started, world } from '../../../../tests/booking-stage.ts'
import { aBookingForm, aBusiness, aUser } from '../../../../tests/builders.ts'
import { newId } from '../../../shared/ids.ts'
import { bookingLinkToken, lineOfBooking } from '../rules.ts'
import {
  findBookingByLink,
  listBookingPlaces,
  listBookingsOfBusinesses,
  listBookingsOfCustomer,
} from './queries.server.ts'
import { listVendorPlaces } from './vendor-list-queries.server.ts'

setBookingStage()

describe('booking queries', () => {
  it('list a vendor’s bookings, of their own businesses only, newest first', async () => {
    const second = await aBusiness(world.db, { user_id: business.user_id })
    const one = await booked()
    world.clock.forward(1_000)
    const two = await booked({ businessId: second.id })
    const list = (businessId: string, userId = business.user_id) =>
      listBookingsOfBusinesses(world.db, { userId, businessId, now: world.clock.now() }).then((found) =>
        found.map((each) => each.id),
      )
    expect(await list('all')).toEqual([two.bookingId, one.bookingId])
    expect(await list(business.id)).toEqual([one.bookingId])
    expect(await list(business.id, 'somebody-else')).toEqual([])
    const only = (ids: string[], userId = business.user_id) =>
      listBookingsOfBusinesses(world.db, { userId, businessId: 'all', now: world.clock.now(), ids }).then(
        (found) => found.map(({ id }) => id),
      )
    expect(await only([one.bookingId])).toEqual([one.bookingId])
    expect(await only([])).toEqual([])
    // The id of someone else's booking finds nothing.
    expect(await only([one.bookingId], 'somebody-else')).toEqual([])
    const places = (businessId: string, userId = business.user_id) =>
      listVendorPlaces(world.db, { userId, businessId }).then((found) => found.map(({ id }) => id))
    expect(await places('all')).toEqual([two.bookingId, one.bookingId])
    expect(await places(business.id)).toEqual([one.bookingId])
    expect(await places('all', 'somebody-else')).toEqual([])
    const [item] = await listBookingsOfBusinesses(world.db, {
      userId: business.user_id,
      businessId: business.id,
      now: world.clock.now(),
    })
    expect(item).toMatchObject({
      listed: {
        businessId: business.id,
        name: 'Kim Lee',
        date: '2027-03-13',
        time: '16:00',
        status: 'pending',
      },
      stored: { totalPrice: '455.00', quantity: 10 },
      decisions: ['approved', 'declined'],
      left: { count: 47, unit: 'hour', isSoon: false },
      refund: null,
    })
    const phoneOf = async (now: Date) => {
      const [found] = await listBookingsOfBusinesses(world.db, {
        userId: business.user_id,
        businessId: business.id,
        now,
      })
      return found?.stored.phone
    }
    expect(await phoneOf(world.clock.now())).toBe(aBookingForm().phone)
    // The response of a booking long ago doesn't have it.
    expect(await phoneOf(new Date('2027-06-01T00:00:00Z'))).toBe('')
  })

  it('list a customer’s bookings: made while signed in, or with their verified email', async () => {
    const customer = await aUser(world.db)
    const email = `${newId()}@example.com`
    const signedIn = await booked({ customerUserId: customer.id })
    world.clock.forward(1_000)
    const asGuest = await booked({ booking: aBookingForm({ email }) })
    const list = (verifiedEmail: string | null, userId = customer.id) =>
      listBookingsOfCustomer(world.db, { userId, verifiedEmail, secret: deps.secret })
    expect((await list(null)).map((each) => each.id)).toEqual([signedIn.bookingId])
    const both = { userId: customer.id, verifiedEmail: email }
    expect((await listBookingPlaces(world.db, both)).map(({ id }) => id)).toEqual([
      asGuest.bookingId,
      signedIn.bookingId,
    ])
    const only = (ids: string[], userId = customer.id) =>
      listBookingsOfCustomer(world.db, { userId, verifiedEmail: null, secret: deps.secret, ids })
    expect((await only([signedIn.bookingId])).map(({ id }) => id)).toEqual([signedIn.bookingId])
    expect(await only([])).toEqual([])
    // The id of someone else's booking finds nothing.
    expect(await only([signedIn.bookingId], 'somebody-else')).toEqual([])
    expect(await listBookingPlaces(world.db, { userId: 'somebody-else', verifiedEmail: null })).toEqual([])
    expect((await list(email.toUpperCase())).map((each) => each.id)).toEqual([
      asGuest.bookingId,
      signedIn.bookingId,
    ])
    expect(await list(null, 'somebody-else')).toEqual([])
    const [mine] = await list(null)
    expect(mine).toMatchObject({
      canWithdraw: true,
      place: 'Melbourne, VIC',
      contact: { phone: '0400 000 000', email: `${business.user_id}@example.com` },
      link: `/bookings/${await bookingLinkToken(deps.secret, signedIn.paymentId)}`,
    })
  })

  it('tell what is still due apart from the stored record, whose payment status stays paid', async () => {
    await world.db
      .updateTable('businesses')
      .set({ deposit_basis_points: 2_000, balance_days_before: 30 })
      .where('id', '=', business.id)
      .execute()
    const { paymentId } = await booked()
    const find = async () =>
      findBookingByLink(world.db, await bookingLinkToken(deps.secret, paymentId)).then((found) => {
        if (!found) throw new Error('no booking at its link')
        return found
      })
    const deposit = await find()
    expect(deposit).toMatchObject({
      // 09:00 in Melbourne, 30 days before 13 March.
      due: {
        cents: 36_400,
        at: '2027-02-10T22:00:00.000Z',
        state: 'scheduled',
        endsAt: '2027-02-17T22:00:00.000Z',
      },
      terms: {
        payments: [
          { cents: 9_100, at: world.clock.now().toISOString(), state: 'paid' },
          { cents: 36_400, state: 'scheduled' },
        ],
      },
      stored: { totalPrice: '455.00', paymentStatus: 'paid' },
    })
    expect(Object.keys(deposit.stored).toSorted()).toEqual(
      [
        ...[
          'vendorId',
          'vendorName',
          'customerName',
          'email',
          'phone',
          'date',
          'time',
          'quantity',
          'bookingType',
        ],
        ...['totalPrice', 'paymentStatus', 'paymentId', 'createdAt', 'status'],
      ].toSorted(),
    )
    expect(lineOfBooking(deposit, world.clock.now())?.map(({ mark }) => mark)).toEqual([
      ...['now', 'next', 'next', 'next', 'next'],
    ])

    await world.db
      .updateTable('instalments')
      .set({ state: 'paid', paid_at: new Date('2027-02-10T22:00:05Z') })
      .where('payment_id', '=', paymentId)
      .where('number', '=', 2)
      .execute()
    expect(await find()).toMatchObject({ due: null, terms: { payments: [{}, { state: 'paid' }] } })
  })

  it('have one payment and nothing due where the price was paid in full, and no terms for older sales', async () => {
    const { paymentId } = await booked()
    const find = async () => findBookingByLink(world.db, await bookingLinkToken(deps.secret, paymentId))
    expect(await find()).toMatchObject({ due: null, terms: { payments: [{ cents: 45_500, state: 'paid' }] } })
    await sql`update sales set policy = null, instalments = null where id = ${paymentId}`.execute(world.db)
    const older = await find()
    expect(older).toMatchObject({ due: null, terms: null })
    expect(older && lineOfBooking(older, world.clock.now())).toBeNull()
  })

  it('find a booking by its link, which the database stores only as a hash', async () => {
    const { paymentId, bookingId } = await booked()
    const token = await bookingLinkToken(deps.secret, paymentId)
    expect(await findBookingByLink(world.db, token)).toMatchObject({ id: bookingId })
    expect(await findBookingByLink(world.db, `${token.slice(0, -1)}_`)).toBeNull()
    const { link_hash: linkHash } = await world.db
      .selectFrom('sales')
      .select('link_hash')
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow()
    expect(linkHash).not.toContain(token)
    const unpaid = await started()
    expect(
      await findBookingByLink(world.db, await bookingLinkToken(deps.secret, unpaid.paymentId)),
    ).toBeNull()
  })
})
