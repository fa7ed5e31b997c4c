import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPaymentOf, aSale } from '../../../tests/builders.ts'
import { openTestDatabase, type TestConnection } from '../../../tests/database.ts'
import { blankCustomers, changeSale } from './commands.server.ts'
import { findSale } from './queries.server.ts'
import type { Sale } from './rules.ts'

let connection: TestConnection
beforeAll(async () => {
  connection = await openTestDatabase()
})
afterAll(() => connection.close())

/** A sale whose every property is set. */
const aFullSale = (overrides: Partial<Sale> = {}) =>
  aSale({
    customerUserId: 'kim',
    abn: '51 824 753 556',
    facts: { byo: true, seated: 120, dietary: ['vegan'] },
    commission: { basisPoints: 700, isGstRegistered: false },
    terms: {
      policy: { name: 'flexible', version: 2, tiers: [] },
      priceCents: 45_500,
      instalments: [{ number: 1, cents: 45_500, dueAt: null }],
    },
    quote: { id: 'q', lines: [{ label: 'Hall', quantity: 1, unitPriceCents: 45_500 }] },
    answerWithinMs: 5_000_000_000,
    ...overrides,
  })

describe('a sale', () => {
  it('keeps each property as it was written', async () => {
    const sale = aFullSale()
    expect(Object.values(sale)).not.toContain(null)
    await aPaymentOf(connection.db, sale)
    expect(await findSale(connection.db, sale.id)).toEqual(sale)
  })

  it('keeps what is null, too', async () => {
    const sale = aSale()
    expect(sale.facts).toBeNull()
    await aPaymentOf(connection.db, sale)
    expect(await findSale(connection.db, sale.id)).toEqual(sale)
  })

  it('takes the properties of a change, which leaves other sales alone', async () => {
    const [sale, other] = [aFullSale(), aFullSale()]
    for (const one of [sale, other]) await aPaymentOf(connection.db, one)
    const event = { from: '2027-03-20T05:00:00.000Z', until: '2027-03-20T12:00:00.000Z' }
    const changed = { ...sale, date: '2027-03-20', quantity: 12, event, occupied: event }
    await connection.db.transaction().execute((tx) => changeSale(tx, changed))
    expect(await findSale(connection.db, sale.id)).toEqual(changed)
    expect(await findSale(connection.db, other.id)).toEqual(other)
  })

  it('forgets its customer alone', async () => {
    const sale = aFullSale()
    await aPaymentOf(connection.db, sale)
    await blankCustomers(connection.db, { name: 'Gone', where: sql`sales.id = ${sale.id}` })
    const customer = { fullName: 'Gone', email: '', phone: '' }
    expect(await findSale(connection.db, sale.id)).toEqual({ ...sale, customer })
  })
})
