import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingForm, aBookingWorld, aBusiness, aUser } from '../../../tests/builders.ts'
import {
  approves,
  booksWithDeposit,
  confirms,
  GOOD_CARD,
  instalmentDeps,
} from '../../../tests/instalment-stage.ts'
import { OPERATOR, paysBalance, refundsAsOperator } from '../../../tests/payout-stage.ts'
import { readActualTexts, readPdfText } from '../../../tests/pdf-text.ts'
import { newId } from '../../shared/ids.ts'
import { gstIncluded } from '../../shared/money.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { withdrawBooking } from '../bookings/cancellation/withdrawal-commands.server.ts'
import { startBookingPayment } from '../bookings/checkout/commands.server.ts'
import { decideBooking } from '../bookings/decisions/commands.server.ts'
import { findBookingByLink } from '../bookings/list/queries.server.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { openInstalmentPayment } from '../instalments/charge-commands.server.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { reportPayment } from '../payments/settlement-commands.server.ts'
import { exportAccount } from '../privacy/queries.server.ts'
import { numberReceipt } from './commands.server.ts'
import { findReceipt } from './queries.server.ts'
import { drawReceipt } from './receipt-pdf.server.ts'
import { abnText, receiptNumberText } from './rules.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>

beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())

async function aPaidBooking(
  businessId: string,
  customerUserId: string | null = null,
  email = 'kim@example.com',
) {
  const { deps, payments } = world
  const started = await startBookingPayment(deps, {
    amount: 45_500,
    submitKey: `key-${newId()}`,
    businessId,
    booking: aBookingForm({ email }),
    customerUserId,
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
  return {
    bookingId: settled.purchaseId,
    linkToken: await bookingLinkToken(deps.secret, started.paymentId),
    clientSecret: started.clientSecret,
  }
}

describe('receipt numbers', () => {
  it('count 1, 2, 3 … per seller, across all of their businesses', async () => {
    const seller = await aUser(world.db)
    const [one, two] = [
      await aBusiness(world.db, { user_id: seller.id }),
      await aBusiness(world.db, { user_id: seller.id }),
    ]
    const other = await aBusiness(world.db)
    const numbers = []
    for (const business of [one, two, one, other]) {
      const { linkToken } = await aPaidBooking(business.id)
      numbers.push((await findReceipt(world.db, { linkToken }))?.number)
    }
    expect(numbers).toEqual([1, 2, 3, 1])
  })

  it('stay the same when a booking is numbered again', async () => {
    const business = await aBusiness(world.db)
    const { bookingId } = await aPaidBooking(business.id)
    const receipt = { bookingId, sellerUserId: business.user_id, issuedAt: world.clock.now() }
    const again = () => world.db.transaction().execute((tx) => numberReceipt(tx, receipt))
    expect([await again(), await again()]).toEqual([1, 1])
  })

  it('stay the same when a payment is reported again', async () => {
    const business = await aBusiness(world.db)
    const first = await aPaidBooking(business.id)
    await reportPayment(world.deps, { clientSecret: first.clientSecret })
    const second = await aPaidBooking(business.id)
    expect((await findReceipt(world.db, first))?.number).toBe(1)
    expect((await findReceipt(world.db, second))?.number).toBe(2)
  })

  it('leave no gap after a rollback, or when 20 are given at once', async () => {
    const business = await aBusiness(world.db)
    const booking = await aPaidBooking(business.id)
    const receipt = { sellerUserId: business.user_id, issuedAt: world.clock.now() }
    await expect(
      world.db.transaction().execute(async (tx) => {
        await tx.deleteFrom('receipt_numbers').where('booking_id', '=', booking.bookingId).execute()
        expect(await numberReceipt(tx, { ...receipt, bookingId: booking.bookingId })).toBe(2)
        throw new Error('after the number')
      }),
    ).rejects.toThrow('after the number')
    await Promise.all(Array.from({ length: 20 }, () => aPaidBooking(business.id)))
    const rows = await world.db
      .selectFrom('receipt_numbers')
      .select('number')
      .where('seller_user_id', '=', business.user_id)
      .orderBy('number')
      .execute()
    expect(rows.map((row) => row.number)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1))
  })
})

describe('findReceipt', () => {
  it('returns the receipt to a holder of the link, the vendor and the customer, and to no one else', async () => {
    const business = await aBusiness(world.db)
    const customer = await aUser(world.db)
    const { bookingId, linkToken } = await aPaidBooking(business.id, customer.id, 'guest@example.com')
    const as = (userId: string, verifiedEmail: string | null = null) =>
      findReceipt(world.db, { bookingId, userId, verifiedEmail })
    expect(await findReceipt(world.db, { linkToken })).toMatchObject({ totalCents: 45_500, number: 1 })
    expect(await as(business.user_id)).not.toBeNull()
    expect(await as(customer.id)).not.toBeNull()
    expect(await as('somebody', 'Guest@example.com')).not.toBeNull()
    expect(await as('somebody', 'else@example.com')).toBeNull()
    expect(await as('somebody')).toBeNull()
    expect(await findReceipt(world.db, { linkToken: bookingId })).toBeNull()
  })

  it('includes the refund, first due and then made', async () => {
    const business = await aBusiness(world.db)
    const { bookingId, linkToken } = await aPaidBooking(business.id)
    expect((await findReceipt(world.db, { linkToken }))?.refunds).toEqual([])
    await withdrawBooking(world.deps, { bookingId, by: { linkToken } })
    expect((await findReceipt(world.db, { linkToken }))?.refunds).toMatchObject([
      { state: 'due', amountCents: 45_500 },
    ])
    await performDueRefunds(world.deps)
    expect((await findReceipt(world.db, { linkToken }))?.refunds).toMatchObject([{ state: 'done' }])
  })
})

describe('the receipt of a cancelled booking', () => {
  it('says by whom and when, with the refunds of all its charges', async () => {
    const { db, deps, clock } = world
    const date = new Date(clock.now().getTime() + 300 * DAY_MS).toISOString().slice(0, 10)
    const booked = await booksWithDeposit(world, { date })
    await approves(world, booked)
    const instalments = instalmentDeps(world)
    const opened = await openInstalmentPayment(instalments, booked.linkToken)
    if (!opened.ok) throw new Error(opened.reason)
    await confirms(world, opened.clientSecret, GOOD_CARD)
    await reportPayment(deps, { clientSecret: opened.clientSecret })
    const { owner_user_id: userId } = await db
      .selectFrom('sales')
      .select('owner_user_id')
      .where('id', '=', booked.paymentId)
      .executeTakeFirstOrThrow()
    const { bookingId } = booked
    await decideBooking(deps, {
      userId,
      bookingId,
      decision: 'declined',
      reason: 'The roof leaks.',
      isAtOnce: true,
    })
    const receipt = await findReceipt(db, { linkToken: booked.linkToken })
    expect(receipt?.cancellation).toEqual({ by: 'vendor', at: clock.now() })
    expect(receipt?.refunds.map(({ amountCents }) => amountCents).toSorted()).toEqual([174_000, 696_000])
    if (!receipt) throw new Error('There is no receipt.')
    const text = await readPdfText(await drawReceipt(receipt, { brand: 'Jubilee', host: 'jubilee.example' }))
    for (const part of ['Cancelled', 'by the vendor, ', '-$1,740.00', '-$6,960.00'])
      expect(text).toContain(part)

    const exported = await exportAccount(db, { userId, verifiedEmail: null, now: clock.now() })
    expect(exported).toMatchObject({
      bookingsOfMyBusinesses: [
        {
          status: 'declined',
          cancellation: { by: 'vendor', refund: '8700.00', kept: '0.00', reason: 'The roof leaks.' },
          refunds: [{ state: 'due' }, { state: 'due' }],
        },
      ],
    })
  })

  it('shows what was taken off a balance, and then the sum that was paid', async () => {
    const { deps, jobs } = world
    const date = new Date(world.clock.now().getTime() + 300 * DAY_MS).toISOString().slice(0, 10)
    const booked = await booksWithDeposit(world, { date })
    const { paymentId, linkToken, bookingId } = booked
    await refundsAsOperator(deps, { operator: OPERATOR, paymentId, amountCents: 20_000, reason: 'Heater.' })
    const drawn = async () => {
      const receipt = await findReceipt(world.db, { linkToken })
      if (!receipt) throw new Error('There is no receipt.')
      const seller = { ...receipt.seller, gstRegistered: true }
      return readPdfText(
        await drawReceipt({ ...receipt, seller }, { brand: 'Jubilee', host: 'jubilee.example' }),
      )
    }
    const text = await drawn()
    for (const part of [
      'Total (AUD)',
      'Still due',
      '$6,760.00',
      'Taken off the price',
      '-$200.00',
      '$772.73',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('Total paid')

    await approves(world, booked)
    const mail = (await jobs.mails()).find(({ messageId }) => messageId.includes(`${bookingId}-approved`))
    expect(mail?.text).toMatch(/Total: \$8,700\.00 .*\nTaken off the price: \$200\.00/)

    await paysBalance(world, paymentId)
    expect(await findBookingByLink(world.db, linkToken)).toMatchObject({ takenOffCents: 20_000, due: null })
    const paid = await drawn()
    // GST is a share of the paid sum.
    for (const part of ['Taken off the price', '-$200.00', 'Total paid (AUD)', '$8,500.00', '$772.73'])
      expect(paid).toContain(part)
    expect(paid).toMatch(/Total \(AUD\)[\s\S]*\$8,700\.00[\s\S]*Total paid \(AUD\)/)
    expect(paid).not.toContain('Still due')
  })

  it('covers the deposit alone once the whole balance was taken off', async () => {
    const { paymentId, linkToken } = await booksWithDeposit(world)
    await refundsAsOperator(world.deps, {
      operator: OPERATOR,
      paymentId,
      amountCents: 696_000,
      reason: 'Heater.',
    })
    expect(await findReceipt(world.db, { linkToken })).toMatchObject({ payments: [], reducedCents: 696_000 })
  })
})

describe('the receipt as a PDF', () => {
  const receipt = {
    number: 7,
    issuedAt: new Date('2026-11-20T01:00:00Z'),
    timeZone: 'Australia/Melbourne',
    seller: { name: 'The Walled Garden', abn: '51824753556', gstRegistered: true },
    customer: { name: 'Māia Nguyễn', email: 'maia@example.com' },
    event: { date: '2027-03-13', time: '16:00', place: 'Melbourne VIC' },
    quantity: 10,
    bookingType: 'perPerson' as const,
    unitPriceCents: 4_550,
    lines: null,
    totalCents: 45_500,
    payments: [],
    reducedCents: 0,
    cancellation: null,
    paymentId: 'sb_0',
    refunds: [],
    returns: [],
  }
  const site = { brand: 'Jubilee', host: 'jubilee.example' }

  it('names the seller, the ABN and the GST included', async () => {
    const text = await readPdfText(await drawReceipt(receipt, site))
    for (const part of [
      'The Walled Garden',
      'ABN 51 824 753 556',
      'No. 000007',
      'Friday 20 November 2026',
      '10 people at $45.50',
      '$455.00',
      'GST included',
      '$41.36',
    ])
      expect(text).toContain(part)
  })

  it('shows what is paid and what is still due of a price that isn’t paid in full', async () => {
    const payments = [
      { cents: 9_100, at: new Date('2026-11-20T01:00:00Z'), state: 'paid' as const },
      { cents: 36_400, at: new Date('2027-02-10T22:00:00Z'), state: 'scheduled' as const },
    ]
    const text = await readPdfText(await drawReceipt({ ...receipt, payments }, site))
    for (const part of [
      'Total (AUD)',
      'Paid 20 November 2026',
      '$91.00',
      'Still due 11 February 2027',
      '$364.00',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('Total paid')
    expect(await readPdfText(await drawReceipt(receipt, site))).toContain('Total paid (AUD)')
  })

  it('shows the lines of an accepted quote', async () => {
    const lines = [
      { label: 'Long-table dinner', quantity: 80, unitPriceCents: 5_500 },
      { label: 'Waiting staff', quantity: 1, unitPriceCents: 39_000 },
    ]
    const text = await readPdfText(await drawReceipt({ ...receipt, lines, totalCents: 479_000 }, site))
    for (const part of [
      '80 × Long-table dinner at $55.00',
      '$4,400.00',
      'Waiting staff',
      '$390.00',
      '$4,790.00',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('10 people at')
  })

  it('omits GST for a seller who is not registered for it, and shows the refund', async () => {
    const text = await readPdfText(
      await drawReceipt(
        {
          ...receipt,
          seller: { ...receipt.seller, abn: null, gstRegistered: false },
          refunds: [
            {
              amountCents: 45_500,
              state: 'done',
              resolution: null,
              at: new Date('2026-11-21T01:00:00Z'),
              isWaiting: false,
            },
          ],
        },
        site,
      ),
    )
    expect(text).not.toContain('GST')
    expect(text).not.toContain('ABN')
    expect(text).toContain('Refunded')
    expect(text).toContain('-$455.00')
  })

  it('dates no refund that waits for the bank, and shows what the bank has returned', async () => {
    const at = new Date('2026-11-21T01:00:00Z')
    const text = await readPdfText(
      await drawReceipt(
        {
          ...receipt,
          refunds: [{ amountCents: 9_100, state: 'due', resolution: null, at, isWaiting: true }],
          returns: [{ amountCents: 36_400, at }],
        },
        site,
      ),
    )
    for (const part of [
      'Refund, if the bank leaves the payment with us',
      '-$91.00',
      'Returned by the bank',
      '-$364.00',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('Refund due')
  })

  it.each([
    '李小龙',
    '謝安琪',
    'Łukasz Wałęsa',
    'Nguyễn Thị Hương',
    'Te Whānau Māori',
    'Ægir Þórsson',
    'Иван Петров',
    'Αλέξης',
    'आरव शर्मा',
    '김민준',
    'さくら',
    'สมชาย ใจดี',
    'ਗੁਰਪ੍ਰੀਤ',
    '👰',
    'محمد علي',
    'דוד לוי',
  ])('names %s as typed', async (name) => {
    const seller = { ...receipt.seller, name }
    const customer = { ...receipt.customer, name }
    const pdf = await drawReceipt({ ...receipt, seller, customer }, site)
    const text = await readPdfText(pdf)
    // Letters that aren't drawn one by one have their text beside them.
    const lines = [...readActualTexts(pdf), ...text.split('\n')].filter((line) => line.includes(name))
    expect(lines.length).toBeGreaterThanOrEqual(2)
    expect(text).not.toContain('□')
  })

  it('sets Hebrew from right to left, and a number in it from left to right', async () => {
    const customer = { ...receipt.customer, name: 'דוד 12 (לוי)' }
    const pdf = await drawReceipt({ ...receipt, customer }, site)
    expect(readActualTexts(pdf)).toContain('דוד 12 (לוי)')
    // The words of a line in the order in which they are drawn.
    expect(await readPdfText(pdf)).toMatch(/\( ?לוי ?\) ?12 ?דוד/)
  })

  it('shows a box for a letter that no font has', async () => {
    const customer = { ...receipt.customer, name: 'Kim 𒀀' }
    expect(await readPdfText(await drawReceipt({ ...receipt, customer }, site))).toContain('Kim □')
  })

  it('breaks a long name into lines that fit', async () => {
    const name = 'The Very Long Name of an Events Company in the Hills beyond Ballarat and Bendigo'
    const text = await readPdfText(
      await drawReceipt({ ...receipt, seller: { ...receipt.seller, name } }, site),
    )
    expect(text.replaceAll('\n', ' ')).toContain(name)
  })
})

describe('the rules of receipts', () => {
  it('take GST as one eleventh of the total, to the cent', () => {
    expect([110, 45_500, 100, 50, 99_999_999].map(gstIncluded)).toEqual([10, 4_136, 9, 5, 9_090_909])
  })
  it('format numbers with leading zeros and ABNs in groups', () => {
    expect(receiptNumberText(7)).toBe('000007')
    expect(receiptNumberText(1_234_567)).toBe('1234567')
    expect(abnText('51824753556')).toBe('51 824 753 556')
  })
})

/** Extracts a PDF's text from its compressed streams. */
