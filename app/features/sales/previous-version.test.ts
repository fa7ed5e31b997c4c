import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { booked, business, setBookingStage, started, world } from '../../../tests/booking-stage.ts'
import { aPaymentOf, aSale } from '../../../tests/builders.ts'
import { findMoneyDifferences } from '../../../tests/money-proof.ts'
import { newId } from '../../shared/ids.ts'
import { findPayment, selectPayments } from '../payments/queries.server.ts'
import { blankCustomers, changeSale } from './commands.server.ts'
import { findSale } from './queries.server.ts'

/**
 * During an update the version before writes payments with copies of their sale, and reads what this one writes. Triggers keep both
 * equal (migration 0074).
 */

setBookingStage()

type Copies = {
  draft: unknown
  sold: unknown
  follows: string | null
  owner_user_id: string
  customer_user_id: string | null
  link_hash: string
  terms_version: string
}

async function copiesOf(paymentId: string): Promise<Copies> {
  const { rows } = await sql<Copies>`
    select draft, sold, follows, owner_user_id, customer_user_id, link_hash, terms_version
    from payments where id = ${paymentId}`.execute(world.db)
  if (!rows[0]) throw new Error('no payment')
  return rows[0]
}

const span = { from: '2027-03-13T05:00:00.000Z', until: '2027-03-13T12:00:00.000Z' }
const sold = () => ({
  businessId: business.id,
  businessName: business.name,
  place: 'Melbourne, VIC',
  timeZone: 'Australia/Melbourne',
  unitPriceCents: 4_550,
  priceUnit: 'perPerson',
  abn: '51 824 753 556',
  gstRegistered: true,
  event: span,
  occupied: { from: '2027-03-13T03:00:00.000Z', until: '2027-03-13T13:00:00.000Z' },
  commission: { basisPoints: 1_000, isGstRegistered: true },
  terms: {
    policy: { name: 'moderate', version: 1, tiers: [] },
    priceCents: 45_500,
    instalments: [{ number: 1, cents: 45_500, dueAt: null }],
  },
  answerWithinMs: 172_800_000,
})
const draft = {
  fullName: 'Kim Lee',
  email: 'kim@example.com',
  phone: '0411 222 333',
  date: '2027-03-13',
  time: '16:00',
  quantity: 10,
  bookingType: 'perPerson',
}

/** Stores a payment as the version before does. */
async function anOldPayment(id: string, follows: string | null): Promise<void> {
  await sql`
    insert into payments (id, submit_key, provider, amount_cents, draft, sold, owner_user_id, link_hash, terms_version,
      follows, expires_at)
    values (${id}, ${id}, 'sandbox', 45500, ${JSON.stringify(draft)}, ${JSON.stringify(sold())}, ${business.user_id},
      ${follows ? `follows:${id}` : id}, '7', ${follows}, now())`.execute(world.db)
}

describe('a payment of the version before', () => {
  let id: string
  let furtherId: string
  beforeEach(async () => {
    id = newId()
    furtherId = newId()
    await anOldPayment(id, null)
    await anOldPayment(furtherId, id)
  })

  it('gets its sale, which a further payment shares', async () => {
    const { fullName, email, phone, ...event } = draft
    const { priceUnit, ...offered } = sold()
    expect(await findSale(world.db, id)).toEqual({
      ...offered,
      ...event,
      id,
      ownerUserId: business.user_id,
      customerUserId: null,
      termsVersion: '7',
      customer: { fullName, email, phone },
      bookingType: priceUnit,
      priceCents: 45_500,
      quote: null,
    })
    expect((await findPayment(world.db, furtherId))?.sale).toEqual((await findPayment(world.db, id))?.sale)
  })

  it('changes its sale by a change, a blanking or a customer’s account', async () => {
    await sql`update payments set draft = draft || '{"email": "", "quantity": 12}', customer_user_id = 'kim',
      sold = sold || '{"event": {"from": "2027-03-20T05:00:00.000Z", "until": "2027-03-20T12:00:00.000Z"}}'
      where id in (${id}, ${furtherId})`.execute(world.db)
    expect(await findSale(world.db, id)).toMatchObject({
      customerUserId: 'kim',
      customer: { email: '' },
      quantity: 12,
      event: { from: '2027-03-20T05:00:00.000Z', until: '2027-03-20T12:00:00.000Z' },
    })
  })

  it('makes no sale if its key is known already', async () => {
    const again = newId()
    await sql`
      insert into payments (id, submit_key, provider, amount_cents, draft, sold, owner_user_id, link_hash, terms_version,
        expires_at)
      values (${again}, ${id}, 'sandbox', 1, ${JSON.stringify(draft)}, ${JSON.stringify(sold())}, 'x', ${again}, '7', now())
      on conflict (submit_key) do nothing`.execute(world.db)
    expect(await findSale(world.db, again)).toBeNull()
  })
})

describe('a payment of this version', () => {
  it('carries the copies that the version before reads', async () => {
    const { paymentId } = await started()
    const sale = await findSale(world.db, paymentId)
    if (!sale) throw new Error('no sale')
    const { commission, terms, answerWithinMs, event, occupied, place, customer } = sale
    expect(await copiesOf(paymentId)).toMatchObject({
      draft: { ...customer, date: sale.date, time: sale.time, quantity: 10, bookingType: 'perPerson' },
      sold: { businessId: business.id, place, event, occupied, commission, terms, answerWithinMs },
      follows: null,
      owner_user_id: business.user_id,
      customer_user_id: null,
      terms_version: sale.termsVersion,
    })
    expect((await copiesOf(paymentId)).sold).not.toHaveProperty('quote')
  })

  it('names the first payment of its purchase, and a change or blanking of the sale reaches all copies', async () => {
    const { paymentId } = await booked()
    const furtherId = newId()
    await world.db
      .insertInto('payments')
      .values({
        id: furtherId,
        sale_id: paymentId,
        submit_key: furtherId,
        provider: 'sandbox',
        provider_reference: null,
        amount_cents: 100,
        last_error: null,
        expires_at: world.clock.now(),
        checked_at: null,
        paid_at: null,
      })
      .execute()
    expect(await copiesOf(furtherId)).toMatchObject({ follows: paymentId, link_hash: `follows:${furtherId}` })
    const { sale } = await selectPayments(world.db)
      .where('payments.id', '=', paymentId)
      .executeTakeFirstOrThrow()
    await world.db.transaction().execute((tx) => changeSale(tx, { ...sale, quantity: 12, event: span }))
    await blankCustomers(world.db, { name: 'Gone', where: sql`sales.id = ${paymentId}` })
    for (const id of [paymentId, furtherId])
      expect(await copiesOf(id)).toMatchObject({
        draft: { fullName: 'Gone', email: '', phone: '', quantity: 12 },
        sold: { event: span },
      })
  })

  it('keeps each property of a sale as it was written', async () => {
    const sale = aSale({
      customerUserId: 'kim',
      abn: '51 824 753 556',
      commission: { basisPoints: 700, isGstRegistered: false },
      terms: {
        policy: { name: 'flexible', version: 2, tiers: [] },
        priceCents: 45_500,
        instalments: [{ number: 1, cents: 45_500, dueAt: null }],
      },
      quote: { id: 'q', lines: [{ label: 'Hall', quantity: 1, unitPriceCents: 45_500 }] },
      answerWithinMs: 5_000_000_000,
    })
    await aPaymentOf(world.db, sale)
    expect(await findSale(world.db, sale.id)).toEqual(sale)
    const differences = await findMoneyDifferences(world.db)
    expect(
      differences.filter(({ name }) => name === 'sales_agree' || name === 'payments_are_of_sales'),
    ).toEqual([])
  })
})
