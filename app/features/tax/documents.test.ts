import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingWorld } from '../../../tests/builders.ts'
import { findMoneyDifferences } from '../../../tests/money-proof.ts'
import { aPaidVendor, books, OPERATOR, refundsAsOperator } from '../../../tests/payout-stage.ts'
import { documentsOf, registerSays, taxDepsOf } from '../../../tests/tax-stage.ts'
import { decideBooking } from '../bookings/decisions/commands.server.ts'
import { issueSaleDocuments } from './commands.server.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())

const issue = () => issueSaleDocuments(taxDepsOf(world))
const isProved = async () => expect(await findMoneyDifferences(world.db)).toEqual([])

/** A vendor whose ABN the register has with GST since 2000. */
async function aTaxedVendor() {
  const vendor = await aPaidVendor(world)
  await registerSays(world, { abn: await ownAbn(vendor.userId), gstSince: '2000-07-01' })
  return vendor
}

let nextAbn = 10_000_000_000
/** An ABN of this vendor alone, since the register's answers are by ABN. */
async function ownAbn(userId: string): Promise<string> {
  const abn = String(nextAbn++)
  await world.db.updateTable('business_registrations').set({ abn }).where('user_id', '=', userId).execute()
  return abn
}

describe('the documents of a booking of $8,700.00', () => {
  it('are a tax invoice with $790.91 GST once it is approved, and none before', async () => {
    const { business, userId } = await aTaxedVendor()
    const { bookingId } = await books(world, business, { isApproved: false })
    await issue()
    expect(await documentsOf(world, bookingId)).toEqual([])
    await decideBooking(world.deps, { userId, bookingId, decision: 'approved' })
    await issue()
    await issue()
    expect(await documentsOf(world, bookingId)).toMatchObject([
      {
        kind: 'invoice',
        isTaxed: true,
        number: 'S-000001',
        cents: 870_000,
        gstCents: 79_091,
        supplier: { name: 'Harbour Light' },
        buyer: { name: 'Kim Lee' },
        issuer: { brand: 'Jubilee', abn: '51824753556' },
        lines: [{ quantity: 60, unitPriceCents: 14_500, cents: 870_000, gstCents: 79_091 }],
      },
    ])
    await isProved()
  })

  it('are a note of $4,350.00 with $395.46 GST once half of it went back', async () => {
    const { business } = await aTaxedVendor()
    const { bookingId, paymentId } = await books(world, business)
    await issue()
    await refundsAsOperator(world.deps, {
      ...{ operator: OPERATOR, paymentId, amountCents: 435_000, reason: 'The heater failed.' },
    })
    await issue()
    expect(await documentsOf(world, bookingId)).toMatchObject([
      { cents: 870_000, gstCents: 79_091 },
      {
        kind: 'adjustment',
        cents: -435_000,
        gstCents: -39_546,
        adjusts: { title: 'Tax invoice', number: 'S-000001', beforeCents: 870_000, afterCents: 435_000 },
      },
    ])
    await isProved()
  })
})
