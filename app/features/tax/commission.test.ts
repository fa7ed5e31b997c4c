import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingWorld } from '../../../tests/builders.ts'
import { findMoneyDifferences } from '../../../tests/money-proof.ts'
import {
  aPaidVendor,
  books,
  OPERATOR,
  passesEvent,
  payoutDepsOf,
  refundsAsOperator,
} from '../../../tests/payout-stage.ts'
import { taxDepsOf } from '../../../tests/tax-stage.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { postTransactions } from '../ledger/commands.server.ts'
import { findBookingMoney } from '../ledger/queries.server.ts'
import { disputeOpened } from '../ledger/rules.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { sweepPayouts } from '../payouts/settlement-commands.server.ts'
import { issueCommissionDocuments } from './commission-commands.server.ts'
import { findVendorDocument } from './queries.server.ts'
import type { TaxDocument } from './rules.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())

const issue = () => issueCommissionDocuments(taxDepsOf(world))
const sweep = () => sweepPayouts(payoutDepsOf(world))

async function documentsOf(userId: string): Promise<TaxDocument[]> {
  const rows = await world.db
    .selectFrom('tax_documents')
    .select('content')
    .where('vendor_user_id', '=', userId)
    .where('subject', '=', 'commission')
    .orderBy('number')
    .execute()
  return rows.map(({ content }) => JSON.parse(content))
}

/** Earns a booking of $8,700.00, with its commission of $870.00. */
async function earns(vendor: Awaited<ReturnType<typeof aPaidVendor>>) {
  const booked = await books(world, vendor.business)
  passesEvent(world)
  await sweep()
  return booked
}

describe('commission', () => {
  it('gets an invoice after its month, with the GST of the ledger', async () => {
    const vendor = await aPaidVendor(world)
    await earns(vendor)
    await issue()
    expect(await documentsOf(vendor.userId)).toEqual([])
    const earnedIn = world.clock.now().toISOString().slice(0, 7)
    world.clock.forward(32 * DAY_MS)
    await Promise.all([issue(), issue()])
    expect(await documentsOf(vendor.userId)).toMatchObject([
      {
        kind: 'invoice',
        isTaxed: true,
        month: earnedIn,
        cents: 87_000,
        gstCents: 7_909,
        issuer: { brand: 'Jubilee', abn: '51824753556' },
        supplier: { name: 'Jubilee', abn: '51824753556' },
        buyer: { name: 'Harbour Light', abn: '51824753556' },
        lines: [{ cents: 87_000, gstCents: 7_909 }],
      },
    ])
    expect(await findMoneyDifferences(world.db)).toEqual([])
  })

  it('waits in its own month, although an earlier one is due', async () => {
    const vendor = await aPaidVendor(world)
    await earns(vendor)
    const month = world.clock.now().toISOString().slice(0, 7)
    // The second event is over more than a month later.
    await earns(vendor)
    world.clock.forward(MINUTE_MS)
    await issue()
    expect(await documentsOf(vendor.userId)).toMatchObject([{ month, cents: 87_000 }])
  })

  it('gets a note to its invoice when a later month gives it back', async () => {
    const vendor = await aPaidVendor(world)
    const { paymentId } = await earns(vendor)
    world.clock.forward(32 * DAY_MS)
    await issue()
    const order = { operator: OPERATOR, paymentId, amountCents: 435_000, reason: 'The heater failed.' }
    await refundsAsOperator(world.deps, order)
    await performDueRefunds(world.deps)
    await sweep()
    world.clock.forward(32 * DAY_MS)
    await issue()
    const [invoice, note, ...others] = await documentsOf(vendor.userId)
    expect(others).toEqual([])
    expect(note).toMatchObject({
      kind: 'adjustment',
      isTaxed: true,
      cents: -43_500,
      // The invoice had $79.09, and $39.55 stays.
      gstCents: -3_954,
      adjusts: { number: invoice?.number, beforeCents: 87_000, afterCents: 43_500 },
    })
    expect(await findMoneyDifferences(world.db)).toEqual([])
  })

  it('appears net of what the same month gives back', async () => {
    const vendor = await aPaidVendor(world)
    const { paymentId } = await earns(vendor)
    const order = { operator: OPERATOR, paymentId, amountCents: 435_000, reason: 'The heater failed.' }
    await refundsAsOperator(world.deps, order)
    await performDueRefunds(world.deps)
    world.clock.forward(32 * DAY_MS)
    await issue()
    expect(await documentsOf(vendor.userId)).toMatchObject([
      { kind: 'invoice', cents: 43_500, gstCents: 3_955 },
    ])
    expect(await findMoneyDifferences(world.db)).toEqual([])
  })

  it('shares one series of numbers, and shows each vendor their own', async () => {
    const { rows } = await sql<{ number: number; userId: string }>`
      select number, vendor_user_id as "userId" from tax_documents where subject = 'commission' order by 1`.execute(
      world.db,
    )
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1))
    const [one, ...others] = rows
    const other = others.find(({ userId }) => userId !== one?.userId)
    if (!one || !other) throw new Error('two vendors have commission')
    const read = (userId: string) =>
      findVendorDocument(world.db, { userId, subject: 'commission', number: one.number })
    expect(await read(one.userId)).not.toBeNull()
    expect(await read(other.userId)).toBeNull()
  })

  // Last, since the ledger alone knows of this dispute.
  it('counts what is given back no earlier than what was taken, whatever the day of its dispute', async () => {
    const vendor = await aPaidVendor(world)
    const { bookingId } = await earns(vendor)
    const month = world.clock.now().toISOString().slice(0, 7)
    const opens = async (key: string, cents: number) => {
      const money = (await findBookingMoney(world.db, [bookingId])).get(bookingId)
      if (!money) throw new Error('not earned')
      const terms = { basisPoints: 1_000, isGstRegistered: true }
      const about = { vendorUserId: vendor.userId, bookingId, paymentId: null, providerReference: null }
      // The bank took it more than a month before the event, as a dispute that was won once and is lost after all.
      const at = new Date(world.clock.now().getTime() - 40 * DAY_MS)
      await world.db
        .transaction()
        .execute((tx) =>
          postTransactions(tx, [{ ...disputeOpened({ money, cents, terms }), ...about, key, at }]),
        )
    }
    await opens('before-the-invoice', 435_000)
    world.clock.forward(MINUTE_MS)
    await issue()
    // Nothing of the dispute's own month, and the month of the event isn't over.
    expect(await documentsOf(vendor.userId)).toEqual([])
    world.clock.forward(32 * DAY_MS)
    await issue()
    const invoice = { kind: 'invoice', month, cents: 43_500, gstCents: 3_955 }
    expect(await documentsOf(vendor.userId)).toMatchObject([invoice])
    await opens('after-the-invoice', 435_000)
    await earns(vendor)
    const nextMonth = world.clock.now().toISOString().slice(0, 7)
    world.clock.forward(32 * DAY_MS)
    await issue()
    expect(await documentsOf(vendor.userId)).toMatchObject([
      invoice,
      { kind: 'adjustment', month, cents: -43_500, gstCents: -3_955 },
      { kind: 'invoice', month: nextMonth, cents: 87_000 },
    ])
  })
})
