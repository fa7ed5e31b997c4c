import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestConnection } from '../../../tests/database.ts'
import { newId } from '../../shared/ids.ts'
import {
  LedgerKeyReused,
  type LedgerTransaction,
  postTransactions,
  setCommissionRate,
} from './commands.server.ts'
import {
  findBookingMoney,
  findCommissionRate,
  findTrialBalance,
  findUnfulfilledMoney,
  findVendorBalances,
  listBalancesOf,
  listBookingTransactions,
  proveLedger,
} from './queries.server.ts'
import { adjustment, charge, commission, type Entry, earned, fee, refund, transfer } from './rules.ts'

const AT = new Date('2027-03-13T05:00:00Z')
const TERMS = { basisPoints: 1_000, isGstRegistered: true }

let connection: TestConnection
beforeAll(async () => {
  connection = await openTestDatabase()
})
afterAll(() => connection.close())

const post = (...transactions: LedgerTransaction[]) =>
  connection.db.transaction().execute((tx) => postTransactions(tx, transactions))

/** A booking's transactions. Each has a new key unless it names one. */
function aBooking(vendorUserId = newId()) {
  const bookingId = newId()
  const about = (entry: Entry, overrides: Partial<LedgerTransaction> = {}): LedgerTransaction => ({
    ...entry,
    key: newId(),
    vendorUserId,
    bookingId,
    paymentId: `payment-of-${bookingId}`,
    providerReference: null,
    at: AT,
    ...overrides,
  })
  return { bookingId, vendorUserId, about }
}

const isProved = async () => (await proveLedger(connection.db)).every(({ count }) => count === 0)

describe('posting', () => {
  it('stores the postings and keeps the sums by vendor and account', async () => {
    const { about, bookingId, vendorUserId } = aBooking()
    const before = await findTrialBalance(connection.db)
    await post(
      about(charge(870_000), { key: `charge:${bookingId}`, providerReference: 'ch_1' }),
      about(fee(14_820)),
    )
    await post(
      about(earned(870_000)),
      about(commission({ cents: 870_000, commissionCents: 0, gstCents: 0 }, TERMS)),
    )
    await post(about(transfer({ cents: 783_000, debts: [], paidFrom: 'provider_balance' })))
    expect(await findVendorBalances(connection.db, vendorUserId)).toEqual({
      provider_balance: 72_180,
      bank: 0,
      customer_money_held: 0,
      vendor_payable: 0,
      vendor_receivable: 0,
      commission: -79_091,
      gst_on_commission: -7_909,
      provider_fees: 14_820,
      disputed: 0,
      losses: 0,
    })
    const after = await findTrialBalance(connection.db)
    expect(after.provider_balance - before.provider_balance).toBe(72_180)
    expect(Object.values(after).reduce((sum, cents) => sum + cents, 0)).toBe(0)
    expect(await listBalancesOf(connection.db, 'provider_fees')).toContainEqual({
      vendorUserId,
      cents: 14_820,
    })
    const listed = await listBookingTransactions(connection.db, bookingId)
    expect(listed.map(({ kind }) => kind).toSorted()).toEqual([
      'charge',
      'commission',
      'earned',
      'fee',
      'transfer',
    ])
    expect(listed.find(({ kind }) => kind === 'charge')).toEqual({
      key: `charge:${bookingId}`,
      kind: 'charge',
      at: AT,
      providerReference: 'ch_1',
      postings: [
        { account: 'provider_balance', cents: 870_000 },
        { account: 'customer_money_held', cents: -870_000 },
      ],
    })
    expect((await findBookingMoney(connection.db, [bookingId])).get(bookingId)).toMatchObject({
      chargedCents: 870_000,
      heldCents: 0,
      earnedCents: 783_000,
      commissionCents: 87_000,
      payableCents: 0,
      kept: { cents: 870_000, commissionCents: 87_000, gstCents: 7_909 },
    })
    expect(await isProved()).toBe(true)
  })

  it('posts an event once, however often it is reported', async () => {
    const { about, vendorUserId } = aBooking()
    const event = about(charge(500))
    expect(await post(event)).toEqual(new Set([event.key]))
    expect(await post(event)).toEqual(new Set())
    const later = about(fee(20))
    expect(await post({ ...event, at: new Date(AT.getTime() + 1) }, later)).toEqual(new Set([later.key]))
    expect(await findVendorBalances(connection.db, vendorUserId)).toMatchObject({ provider_balance: 480 })
  })

  it.each<[string, (event: LedgerTransaction) => LedgerTransaction]>([
    ['amount', (event) => ({ ...event, ...charge(501) })],
    ['kind', (event) => ({ ...event, ...fee(500) })],
    ['booking', (event) => ({ ...event, bookingId: 'another' })],
    ['vendor', (event) => ({ ...event, vendorUserId: 'another' })],
    ['payment', (event) => ({ ...event, paymentId: 'another' })],
    ['reference', (event) => ({ ...event, providerReference: 'another' })],
  ])('refuses a key that was used with another %s, and posts nothing', async (_, change) => {
    const { about, vendorUserId } = aBooking()
    const event = about(charge(500))
    await post(event)
    await expect(post(about(fee(20)), change(event))).rejects.toThrow(LedgerKeyReused)
    expect(await findVendorBalances(connection.db, vendorUserId)).toMatchObject({ provider_balance: 500 })
  })

  it('refuses one key for two events at once', async () => {
    const { about } = aBooking()
    const key = newId()
    await expect(post(about(charge(500), { key }), about(fee(1), { key }))).rejects.toThrow(LedgerKeyReused)
  })

  it('skips what moves nothing', async () => {
    const { about, bookingId } = aBooking()
    const nothing = commission({ cents: 4, commissionCents: 0, gstCents: 0 }, TERMS)
    expect(await post(about(nothing))).toEqual(new Set())
    expect(await listBookingTransactions(connection.db, bookingId)).toEqual([])
  })

  it('rolls back with its transaction', async () => {
    const { about, vendorUserId } = aBooking()
    const failing = connection.db.transaction().execute(async (tx) => {
      await postTransactions(tx, [about(charge(500))])
      throw new Error('the process ends here')
    })
    await expect(failing).rejects.toThrow('the process ends here')
    expect(await findVendorBalances(connection.db, vendorUserId)).toMatchObject({ provider_balance: 0 })
  })

  it('nets debts of other bookings of the vendor alone', async () => {
    const debtor = aBooking()
    const { about, bookingId, vendorUserId } = aBooking(debtor.vendorUserId)
    const debts = [{ bookingId: debtor.bookingId, cents: 300 }]
    await post(debtor.about(adjustment({ from: 'vendor_payable', to: 'vendor_receivable', cents: 300 })))
    await post(about(charge(1_000)), about(earned(1_000)))
    await post(about(transfer({ cents: 700, debts, paidFrom: 'provider_balance' })))
    expect(await findVendorBalances(connection.db, vendorUserId)).toMatchObject({ vendor_receivable: 0 })
    const money = await findBookingMoney(connection.db, [bookingId, debtor.bookingId])
    expect(money.get(bookingId)).toMatchObject({ earnedCents: 1_000, payableCents: 0 })
    expect(money.get(debtor.bookingId)).toMatchObject({ earnedCents: 0, receivableCents: 0 })
    expect(await listBookingTransactions(connection.db, debtor.bookingId)).toMatchObject([
      { kind: 'adjustment' },
      { kind: 'transfer', postings: [{ account: 'vendor_receivable', cents: -300 }] },
    ])
    expect(await isProved()).toBe(true)
  })

  it('keeps the money of an unfulfilled payment by its payment', async () => {
    const { about } = aBooking()
    const payment = { bookingId: null, paymentId: newId() }
    expect(await findUnfulfilledMoney(connection.db, payment.paymentId)).toBeNull()
    await post(about(charge(500), payment))
    const money = await findUnfulfilledMoney(connection.db, payment.paymentId)
    expect(money).toMatchObject({ chargedCents: 500, heldCents: 500 })
    if (!money) return
    const back = { money, cents: 500, terms: TERMS, borneBy: 'vendor', paidFrom: 'provider_balance' } as const
    await post(about(refund(back), payment))
    expect(await findUnfulfilledMoney(connection.db, payment.paymentId)).toMatchObject({
      refundedCents: 500,
      heldCents: 0,
    })
    expect(await isProved()).toBe(true)
  })

  it('keeps the operator’s own money apart from every vendor’s', async () => {
    const own = { vendorUserId: null, bookingId: null, paymentId: null }
    const { about } = aBooking()
    const before = await findTrialBalance(connection.db)
    await post(about(adjustment({ from: 'provider_balance', to: 'bank', cents: 40 }), own))
    const after = await findTrialBalance(connection.db)
    expect(after.bank - before.bank).toBe(40)
    expect(await isProved()).toBe(true)
  })
})

describe('the database itself', () => {
  /** Runs statements past our code, in one transaction. */
  const byHand = (statements: string) => connection.executeScript(`begin; ${statements}; commit`)
  const refused = async (statements: string, why: RegExp) => {
    await expect(byHand(statements)).rejects.toThrow(why)
    await connection.executeScript('rollback')
    expect(await isProved()).toBe(true)
  }
  const aTransaction = (kind = 'charge') =>
    `insert into ledger_transactions (key, kind, vendor_user_id, booking_id, posted_at)
     values ('${newId()}', '${kind}', 'v', 'b', now())`
  const ITS_ID = '(select max(id) from ledger_transactions)'
  const postings = (...lines: [line: number, cents: number, vendor?: string, booking?: string][]) =>
    `insert into ledger_postings (transaction_id, line, account, vendor_user_id, booking_id, cents) values ${lines
      .map(
        ([line, cents, vendor = 'v', booking = 'b']) =>
          `(${ITS_ID}, ${line}, 'bank', '${vendor}', '${booking}', ${cents})`,
      )
      .join(', ')}`

  it('takes a transaction that sums to 0', async () => {
    await byHand(`${aTransaction()}; ${postings([1, 5], [2, -5])}`)
    expect(await isProved()).toBe(true)
  })

  it.each([
    ['a sum of 1', () => `${aTransaction()}; ${postings([1, 5], [2, -4])}`, /sum to 1, not 0/],
    ['one without postings', () => aTransaction(), /sum to nothing, not 0/],
    [
      'a posting to another vendor',
      () => `${aTransaction()}; ${postings([1, 5], [2, -5, 'other'])}`,
      /another vendor or booking/,
    ],
    [
      'a posting to another booking',
      () => `${aTransaction()}; ${postings([1, 5], [2, -5, 'v', 'other'])}`,
      /another vendor or booking/,
    ],
    [
      'a transfer that posts to another vendor',
      () => `${aTransaction('transfer')}; ${postings([1, 5], [2, -5, 'other'])}`,
      /another vendor or booking/,
    ],
    ['a posting of 0', () => `${aTransaction()}; ${postings([1, 0])}`, /cents_check/],
    ['an unknown kind', () => aTransaction('gift'), /kind_check/],
    [
      'postings that come later, even if they sum to 0',
      () => `${aTransaction()}; ${postings([1, 5], [2, -5])}; commit; begin; ${postings([3, 7], [4, -7])}`,
      /gets no more postings/,
    ],
  ])('refuses %s', async (_, statements, why) => {
    await refused(statements(), why)
  })

  it.each(['ledger_transactions', 'ledger_postings', 'commission_rates'])(
    'refuses to change, delete or truncate %s',
    async (table) => {
      const column = table === 'commission_rates' ? 'basis_points = 1' : 'vendor_user_id = vendor_user_id'
      await refused(`update ${table} set ${column}`, /never changed or deleted/)
      await refused(`delete from ${table}`, /never changed or deleted/)
      await refused(`truncate ${table} cascade`, /never changed or deleted/)
    },
  )

  it('refuses to write balances past the postings', async () => {
    await refused('update ledger_balances set cents = cents + 1', /Only postings change/)
    await refused("insert into ledger_balances values ('v', 'losses', 1)", /Only postings change/)
    await refused('delete from ledger_balances', /Only postings change/)
    await refused('truncate ledger_balances', /Only postings change/)
  })
})

describe('the proof', () => {
  /** Breaks the ledger as only its owner can, and repairs it again. */
  async function whileBroken(table: string, breakIt: string, repair: string, check: () => Promise<void>) {
    const past = (statement: string) =>
      connection.executeScript(
        `alter table ${table} disable trigger user; ${statement}; alter table ${table} enable trigger user`,
      )
    await past(breakIt)
    try {
      await check()
    } finally {
      await past(repair)
    }
    expect(await isProved()).toBe(true)
  }
  const differencesOf = async (name: string) =>
    (await proveLedger(connection.db)).filter(({ count }) => count > 0).find((check) => check.name === name)

  it('lists a balance that was changed, with its difference', async () => {
    const { about, vendorUserId } = aBooking()
    await post(about(charge(500)))
    const change = (cents: number) =>
      `update ledger_balances set cents = cents + ${cents}
       where vendor_user_id = '${vendorUserId}' and account = 'provider_balance'`
    await whileBroken('ledger_balances', change(7), change(-7), async () => {
      expect(await proveLedger(connection.db)).toEqual([
        { name: 'transactions_sum_to_zero', count: 0, differences: [] },
        {
          name: 'balances_equal_postings',
          count: 1,
          differences: [{ subject: `${vendorUserId} provider_balance`, cents: 7 }],
        },
        { name: 'bookings_accounted_for', count: 0, differences: [] },
      ])
    })
  })

  it('lists a posting that was changed: its transaction, its balance and its booking', async () => {
    const { about, bookingId, vendorUserId } = aBooking()
    const key = newId()
    await post(about(charge(500), { key }))
    const change = (cents: number) =>
      `update ledger_postings set cents = cents + ${cents}
       where booking_id = '${bookingId}' and account = 'provider_balance'`
    await whileBroken('ledger_postings', change(7), change(-7), async () => {
      expect(await differencesOf('transactions_sum_to_zero')).toMatchObject({
        count: 1,
        differences: [{ subject: key, cents: 7 }],
      })
      expect(await differencesOf('balances_equal_postings')).toMatchObject({
        count: 1,
        differences: [{ subject: `${vendorUserId} provider_balance`, cents: -7 }],
      })
      expect(await differencesOf('bookings_accounted_for')).toMatchObject({
        count: 1,
        differences: [{ subject: bookingId, cents: 7 }],
      })
    })
  })

  it('lists a booking of which more was earned than was paid', async () => {
    const { about, bookingId } = aBooking()
    await post(about(charge(500)), about(earned(501)))
    expect(await differencesOf('bookings_accounted_for')).toMatchObject({
      count: 1,
      differences: [{ subject: bookingId, cents: 0 }],
    })
    await post(about(adjustment({ from: 'customer_money_held', to: 'losses', cents: 1 })))
    expect(await isProved()).toBe(true)
  })

  it('counts all differences and lists the first twenty', async () => {
    const owing = Array.from({ length: 21 }, () => aBooking())
    await post(...owing.map(({ about }) => about(earned(1))))
    expect(await differencesOf('bookings_accounted_for')).toMatchObject({ count: 21 })
    expect((await differencesOf('bookings_accounted_for'))?.differences).toHaveLength(20)
    await post(
      ...owing.map(({ about }) => about(adjustment({ from: 'customer_money_held', to: 'losses', cents: 1 }))),
    )
    expect(await isProved()).toBe(true)
  })
})

describe('the rate of commission', () => {
  const set = (of: { category: string } | { vendorUserId: string }, basisPoints: number, validFrom = AT) =>
    connection.db.transaction().execute((tx) => setCommissionRate(tx, { of, basisPoints, validFrom, at: AT }))
  const rateOf = (vendorUserId: string, category: string, at = AT) =>
    findCommissionRate(connection.db, { vendorUserId, category, at, defaultBasisPoints: 1_000 })

  it('comes from the vendor, else from the category, else from the default', async () => {
    const vendorUserId = newId()
    expect(await rateOf(vendorUserId, 'Venues')).toBe(1_000)
    expect(await set({ category: 'Venues' }, 800)).toEqual({ ok: true })
    expect(await rateOf(vendorUserId, 'Venues')).toBe(800)
    expect(await rateOf(vendorUserId, 'Catering')).toBe(1_000)
    await set({ vendorUserId }, 0)
    expect(await rateOf(vendorUserId, 'Venues')).toBe(0)
    expect(await rateOf(newId(), 'Venues')).toBe(800)
  })

  it('changes from the moment on that was set, once for each moment', async () => {
    const vendorUserId = newId()
    const later = new Date(AT.getTime() + 1)
    await set({ vendorUserId }, 500)
    await set({ vendorUserId }, 600, later)
    expect(await rateOf(vendorUserId, 'Extras', new Date(AT.getTime() - 1))).toBe(1_000)
    expect(await rateOf(vendorUserId, 'Extras')).toBe(500)
    expect(await rateOf(vendorUserId, 'Extras', later)).toBe(600)
    expect(await set({ vendorUserId }, 700, later)).toEqual({ ok: false, reason: 'exists' })
    expect(await rateOf(vendorUserId, 'Extras', later)).toBe(600)
  })

  it.each([-1, 10_001])('can’t be %d basis points', async (basisPoints) => {
    await expect(set({ vendorUserId: newId() }, basisPoints)).rejects.toThrow(/basis_points_check/)
  })
})
