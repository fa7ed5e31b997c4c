import { describe, expect, it } from 'vitest'
import { booked, decide, mailsAbout, setBookingStage, world } from '../../../tests/booking-stage.ts'
import { aBookingForm, aBusiness, aUser } from '../../../tests/builders.ts'
import { agrees, asCustomer, asVendor, proposes, rowOf } from '../../../tests/change-stage.ts'
import { type Fact, type FactValue, valueText } from '../businesses/fact-kind-rules.ts'
import { FACT_NAMES, FACTS, type Facts, factsOnBooking } from '../businesses/fact-rules.ts'
import { exportAccount } from '../privacy/queries.server.ts'
import { findBookingByLink } from './list/queries.server.ts'
import { mailed } from './notice-commands.server.ts'
import { bookingLinkToken } from './rules.ts'

setBookingStage()

const ROWS = FACT_NAMES.map((name): { name: string; fact: Fact } => ({ name, fact: FACTS[name] }))
const ON_BOOKINGS = ROWS.filter(({ fact }) => fact.isOnBooking)

function sampleOf(fact: Fact): FactValue<Fact> {
  if (fact.kind === 'count') return fact.max
  return fact.kind === 'yesNo' ? false : [Object.keys(fact.options)[0] ?? '']
}

type Exported = Partial<Record<'bookings' | 'bookingsOfMyBusinesses', { stated: unknown }[]>>

/** A booking's stated facts on its page, in its mails, and in the exports of both sides. */
async function saysOf({ paymentId, ownerId }: { paymentId: string; ownerId: string }) {
  const linkToken = await bookingLinkToken(world.deps.secret, paymentId)
  const row = await rowOf(world, { linkToken })
  const now = world.clock.now()
  const vendors: Exported = await exportAccount(world.db, { userId: ownerId, verifiedEmail: null, now })
  const { id: userId } = await aUser(world.db)
  const customers: Exported = await exportAccount(world.db, { userId, verifiedEmail: row.email, now })
  return {
    page: (await findBookingByLink(world.db, linkToken))?.stated,
    mails: mailed(row).stated,
    vendor: vendors.bookingsOfMyBusinesses?.[0]?.stated,
    customer: customers.bookings?.[0]?.stated,
  }
}

const onAll = (stated: { label: string; text: string }[]) => ({
  page: stated,
  mails: stated,
  vendor: stated,
  customer: stated,
})

describe('the facts that a booking states', () => {
  it.each(ON_BOOKINGS)(
    'stand on its page, in its mails and in both exports: $fact.label',
    async ({ name, fact }) => {
      const value = sampleOf(fact)
      for (const category of fact.categories) {
        const facts = JSON.stringify({ [name]: value })
        const business = await aBusiness(world.db, { category, facts, price_unit: 'perPerson' })
        const email = `${name.toLowerCase()}-${category.replace(/\W/g, '').toLowerCase()}@example.com`
        const { paymentId, bookingId } = await booked({
          businessId: business.id,
          booking: aBookingForm({ email }),
        })
        const text = valueText(fact, value)
        const said = await saysOf({ paymentId, ownerId: business.user_id })
        expect(said).toEqual(onAll([{ label: fact.label, text }]))
        const [toOne, toOther, ...more] = await mailsAbout(bookingId)
        for (const mail of [toOne, toOther]) expect(mail?.text).toContain(`${fact.label}: ${text}`)
        expect(more).toEqual([])
      }
    },
  )

  it('stay as they were when it was booked, also after a change of the booking', async () => {
    const business = await aBusiness(world.db, { facts: '{"byo": true}' })
    const booking = aBookingForm({ email: 'stays@example.com' })
    const { paymentId, bookingId } = await booked({ businessId: business.id, booking })
    await world.db
      .updateTable('businesses')
      .set({ facts: '{"byo": false}' })
      .where('id', '=', business.id)
      .execute()
    const ids = { bookingId, linkToken: await bookingLinkToken(world.deps.secret, paymentId) }
    const said = { paymentId, ownerId: business.user_id }
    const before = onAll([{ label: FACTS.byo.label, text: 'Yes' }])
    expect(await saysOf(said)).toEqual(before)
    await decide(bookingId, 'approved', business.user_id)
    expect(await proposes(world.deps, ids, asCustomer(ids), { time: '17:00' })).toMatchObject({ ok: true })
    expect(await agrees(world.deps, ids, asVendor(business.user_id))).toMatchObject({ ok: true })
    expect((await rowOf(world, ids)).time).toBe('17:00')
    expect(await saysOf(said)).toEqual(before)
  })

  it('don’t appear without facts of the listing, or in a sale from before 0082', async () => {
    const business = await aBusiness(world.db)
    const booking = aBookingForm({ email: 'none@example.com' })
    const { paymentId } = await booked({ businessId: business.id, booking })
    const said = { paymentId, ownerId: business.user_id }
    expect(await saysOf(said)).toEqual(onAll([]))
    await world.db.updateTable('sales').set({ facts: null }).where('id', '=', paymentId).execute()
    expect(await saysOf(said)).toEqual(onAll([]))
  })

  it('leave out what a row doesn’t put on bookings', () => {
    const all = Object.fromEntries(ROWS.map(({ name, fact }) => [name, sampleOf(fact)])) as Facts
    expect(factsOnBooking(all).map(({ label }) => label)).toEqual(ON_BOOKINGS.map(({ fact }) => fact.label))
    expect(ON_BOOKINGS.length).toBeLessThan(ROWS.length)
  })
})
