import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingForm, aBookingWorld, aBusiness, setsAvailability } from '../../../tests/builders.ts'
import { agrees, asCustomer, asVendor, proposes } from '../../../tests/change-stage.ts'
import { approves, booksWithDeposit } from '../../../tests/instalment-stage.ts'
import { findMoneyDifferences } from '../../../tests/money-proof.ts'
import { aPaidVendor, books, OPERATOR, paysBalance, refundsAsOperator } from '../../../tests/payout-stage.ts'
import { documentsOf, registerSays, taxDepsOf } from '../../../tests/tax-stage.ts'
import { createSandboxRegister, type SandboxRow } from '../../adapters/business-register/sandbox.server.ts'
import { addDays, wallTimeAt } from '../../shared/dates.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { cancelBooking } from '../bookings/cancellation/commands.server.ts'
import { findCancelling } from '../bookings/cancellation/queries.server.ts'
import { withdrawBooking } from '../bookings/cancellation/withdrawal-commands.server.ts'
import { decideBooking } from '../bookings/decisions/commands.server.ts'
import { tellDeclines } from '../bookings/decisions/decline-commands.server.ts'
import { bookingLinkToken } from '../bookings/rules.ts'
import { performDueRefunds } from '../payments/refund-sending-commands.server.ts'
import { askAboutSales } from './asking-commands.server.ts'
import { issueSaleDocuments } from './commands.server.ts'
import { exportDocuments, findSaleDocument, listSaleDocuments } from './queries.server.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())

const issue = () => issueSaleDocuments(taxDepsOf(world))
const isProved = async () => expect(await findMoneyDifferences(world.db)).toEqual([])

let nextAbn = 10_000_000_000
/** A vendor with an ABN of their own, since the register answers by ABN. */
async function aVendor(given: Parameters<typeof aPaidVendor>[1] = {}) {
  const vendor = await aPaidVendor(world, given)
  const abn = String(nextAbn++)
  await world.db
    .updateTable('business_registrations')
    .set({ abn, gst_registered: true })
    .where('user_id', '=', vendor.userId)
    .execute()
  return { ...vendor, abn }
}

/** A vendor whom the register has with GST since 2000. */
async function aTaxedVendor(given: Parameters<typeof aPaidVendor>[1] = {}) {
  const vendor = await aVendor(given)
  await registerSays(world, { abn: vendor.abn, gstSince: '2000-07-01' })
  return vendor
}

const amountsOf = async (bookingId: string) =>
  (await documentsOf(world, bookingId)).map(({ kind, isTaxed, cents, gstCents }) => ({
    ...{ kind, isTaxed, cents, gstCents },
  }))
const taxed = (kind: 'invoice' | 'adjustment', cents: number, gstCents: number) => ({
  ...{ kind, isTaxed: true, cents, gstCents },
})

describe('the documents of a booking of $8,700.00', () => {
  it('begin with a tax invoice of $790.91 GST at the approval', async () => {
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

  it('go on with a note of $395.46 GST when half goes back', async () => {
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

  it('go on with a note of $395.46 GST when the customer cancels with half back', async () => {
    const { business } = await aTaxedVendor({ hasDeposit: true })
    const { bookingId, paymentId } = await books(world, business, { daysAhead: 60 })
    await issue()
    // The deposit alone is paid: the invoice is of the whole price.
    expect(await amountsOf(bookingId)).toEqual([taxed('invoice', 870_000, 79_091)])
    world.clock.forward(30 * DAY_MS)
    await paysBalance(world, paymentId)
    await issue()
    expect(await amountsOf(bookingId)).toHaveLength(1)
    world.clock.forward(10 * DAY_MS)
    const linkToken = await bookingLinkToken(world.deps.secret, paymentId)
    const signed = (await findCancelling(world.deps, linkToken))?.quote?.signed ?? ''
    expect(await cancelBooking(world.deps, { bookingId, by: { linkToken }, signed })).toMatchObject({
      ok: true,
    })
    await issue()
    const after = [taxed('invoice', 870_000, 79_091), taxed('adjustment', -435_000, -39_546)]
    expect(await amountsOf(bookingId)).toEqual(after)
    await performDueRefunds(world.deps)
    await issue()
    expect(await amountsOf(bookingId)).toEqual(after)
    await isProved()
  })

  it('keep what is left of a deposit as taxable when the rest is never charged', async () => {
    const { business } = await aTaxedVendor({ hasDeposit: true })
    const { bookingId, paymentId } = await books(world, business, { daysAhead: 40 })
    await issue()
    world.clock.forward(3 * DAY_MS)
    const linkToken = await bookingLinkToken(world.deps.secret, paymentId)
    const quote = (await findCancelling(world.deps, linkToken))?.quote
    await cancelBooking(world.deps, { bookingId, by: { linkToken }, signed: quote?.signed ?? '' })
    await issue()
    const keptCents = quote?.keptCents ?? 0
    const documents = await documentsOf(world, bookingId)
    expect(documents).toHaveLength(2)
    expect(documents.reduce((sum, { cents }) => sum + cents, 0)).toBe(keptCents)
    expect(documents.reduce((sum, { gstCents }) => sum + gstCents, 0)).toBe(Math.round(keptCents / 11))
    await isProved()
  })

  it('follow a change of the number up and down, each note naming the invoice', async () => {
    const { business, userId } = await aTaxedVendor({ hasDeposit: true })
    const date = addDays(world.clock.now().toISOString().slice(0, 10), 90)
    const booked = await booksWithDeposit(world, { businessId: business.id, date })
    await approves(world, booked)
    await issue()
    await proposes(world.deps, booked, asVendor(userId), { quantity: 70 })
    await issue()
    // A proposal has changed nothing.
    expect(await amountsOf(booked.bookingId)).toHaveLength(1)
    await agrees(world.deps, booked, asCustomer(booked))
    await issue()
    await proposes(world.deps, booked, asVendor(userId), { quantity: 50 })
    await agrees(world.deps, booked, asCustomer(booked))
    await issue()
    expect(await amountsOf(booked.bookingId)).toEqual([
      taxed('invoice', 870_000, 79_091),
      taxed('adjustment', 145_000, 13_182),
      // $7,250.00 carries $659.09.
      taxed('adjustment', -290_000, -26_364),
    ])
    const documents = await documentsOf(world, booked.bookingId)
    expect(documents.map(({ adjusts }) => adjusts?.number)).toEqual([undefined, 'S-000001', 'S-000001'])
    await isProved()
  })

  it('stay as they are while a refund that we bear goes back', async () => {
    const { business } = await aTaxedVendor()
    const { bookingId, paymentId } = await books(world, business)
    await issue()
    const order = { operator: OPERATOR, paymentId, amountCents: 10_000, reason: 'Goodwill.' }
    await refundsAsOperator(world.deps, { ...order, borneBy: 'operator' })
    await performDueRefunds(world.deps)
    await issue()
    expect(await amountsOf(bookingId)).toEqual([taxed('invoice', 870_000, 79_091)])
    await isProved()
  })
})

describe('a decline', () => {
  it('leaves a request without a document, as a withdrawal does', async () => {
    const { business, userId } = await aTaxedVendor()
    const declined = await books(world, business, { isApproved: false })
    await decideBooking(world.deps, { userId, bookingId: declined.bookingId, decision: 'declined' })
    const withdrawn = await books(world, business, { isApproved: false, daysAhead: 31 })
    const linkToken = await bookingLinkToken(world.deps.secret, withdrawn.paymentId)
    await withdrawBooking(world.deps, { bookingId: withdrawn.bookingId, by: { linkToken } })
    world.clock.forward(DAY_MS)
    await performDueRefunds(world.deps)
    await issue()
    expect(await amountsOf(declined.bookingId)).toEqual([])
    expect(await amountsOf(withdrawn.bookingId)).toEqual([])
    await isProved()
  })

  it('makes a note of an approved booking once nobody can take it back', async () => {
    const { business, userId } = await aTaxedVendor()
    const { bookingId } = await books(world, business)
    await issue()
    const decide = (decision: 'approved' | 'declined') =>
      decideBooking(world.deps, { userId, bookingId, decision, reason: 'The roof leaks.' })
    await decide('declined')
    await issue()
    await decide('approved')
    await issue()
    expect(await amountsOf(bookingId)).toHaveLength(1)
    await decide('declined')
    world.clock.forward(HOUR_MS + 1)
    await tellDeclines(world.deps)
    await performDueRefunds(world.deps)
    await issue()
    expect(await amountsOf(bookingId)).toEqual([
      taxed('invoice', 870_000, 79_091),
      taxed('adjustment', -870_000, -79_091),
    ])
    await isProved()
  })
})

describe('the business register', () => {
  const untaxed = { kind: 'invoice', isTaxed: false, cents: 870_000, gstCents: 0 }

  it('makes a tax invoice of ABN 51 824 753 556 while it is active, under whatever name', async () => {
    const { business } = await aPaidVendor(world)
    await registerSays(world, { abn: '51824753556', gstSince: '2000-07-01' })
    const { bookingId } = await books(world, business)
    await issue()
    const [invoice] = await documentsOf(world, bookingId)
    expect(invoice).toMatchObject({ isTaxed: true, supplier: { name: 'Harbour Light', abn: '51824753556' } })
  })

  it('makes an invoice without GST where the ABN was cancelled, or is unknown', async () => {
    for (const status of ['cancelled', 'unknown'] as const) {
      const { business, abn } = await aVendor()
      await registerSays(world, { abn, status, statusSince: '2026-01-01', gstSince: null })
      const { bookingId } = await books(world, business)
      await issue()
      expect(await amountsOf(bookingId)).toEqual([untaxed])
    }
    await isProved()
  })

  it('holds an invoice back during an outage, until it has answered', async () => {
    const { business, abn } = await aVendor()
    const { bookingId } = await books(world, business)
    const approvedOn = world.clock.now()
    await issue()
    expect(await amountsOf(bookingId)).toEqual([])
    await isProved()
    world.clock.forward(3 * DAY_MS)
    await registerSays(world, { abn, gstSince: '2020-01-01' })
    await issue()
    const [invoice] = await documentsOf(world, bookingId)
    expect(invoice).toMatchObject({ isTaxed: true, gstCents: 79_091 })
    const day = (at: Date) => wallTimeAt(at, 'Australia/Melbourne').date
    expect(invoice).toMatchObject({ suppliedOn: day(approvedOn), issuedOn: day(world.clock.now()) })
    await isProved()
  })

  it('makes the proof name an invoice that has waited for it for more than 7 days', async () => {
    const { business, abn } = await aVendor()
    const { bookingId } = await books(world, business)
    await issue()
    world.clock.forward(7 * DAY_MS)
    await issue()
    await isProved()
    world.clock.forward(10 * MINUTE_MS)
    await issue()
    const detail = expect.stringMatching(/^it has waited for the business register since \d{4}-\d\d-\d\d$/)
    expect(await findMoneyDifferences(world.db)).toMatchObject([
      { name: 'tax_documents_agree', count: 1, differences: [{ subject: bookingId, detail }] },
    ])
    await registerSays(world, { abn, gstSince: null })
    world.clock.forward(10 * MINUTE_MS)
    await issue()
    expect(await amountsOf(bookingId)).toEqual([untaxed])
    await isProved()
  })

  it('gets asked about the ABN of a sale after its vendor has changed it', async () => {
    const { business, userId, abn: otherAbn } = await aVendor()
    const abn = '53004085616'
    const setsAbn = (to: string) =>
      world.db.updateTable('business_registrations').set({ abn: to }).where('user_id', '=', userId).execute()
    await setsAbn(abn)
    const { bookingId } = await books(world, business)
    const asked: string[] = []
    const rows = new Map<string, SandboxRow>([[abn, 'outage']])
    const sandbox = createSandboxRegister(rows)
    const asks = () =>
      askAboutSales({
        ...{ db: world.db, now: world.clock.now, wait: async () => {} },
        register: {
          find(one) {
            asked.push(one)
            return sandbox.find(one)
          },
        },
      })
    await issue()
    // Another job asks about registrations.
    await asks()
    await setsAbn(otherAbn)
    expect(asked).toEqual([])
    await asks()
    rows.delete(abn)
    await asks()
    await asks()
    expect(asked).toEqual([abn, abn])
    world.clock.forward(10 * MINUTE_MS)
    await issue()
    expect(await documentsOf(world, bookingId)).toMatchObject([{ isTaxed: true, supplier: { abn } }])
    await isProved()
  })

  it('makes no tax invoice by a later answer that has GST only from then on', async () => {
    const { business, abn } = await aVendor()
    const { bookingId } = await books(world, business)
    world.clock.forward(3 * DAY_MS)
    await registerSays(world, { abn, gstSince: world.clock.now().toISOString().slice(0, 10) })
    await issue()
    expect(await amountsOf(bookingId)).toEqual([untaxed])
  })

  it('makes an invoice without GST where the GST was lost the day before the approval', async () => {
    const { business, userId, abn } = await aTaxedVendor()
    const { bookingId } = await books(world, business, { isApproved: false })
    world.clock.forward(12 * HOUR_MS)
    await registerSays(world, { abn, gstSince: null })
    world.clock.forward(DAY_MS)
    await decideBooking(world.deps, { userId, bookingId, decision: 'approved' })
    await issue()
    expect(await amountsOf(bookingId)).toEqual([untaxed])
    await isProved()
  })

  it('isn’t asked about a vendor without an ABN, whose invoice names the listing', async () => {
    const business = await aBusiness(world.db, { name: 'Robin Plays', price_cents: 14_500 })
    await setsAvailability(world.db, business.id)
    const { bookingId } = await books(world, business)
    await issue()
    expect(await documentsOf(world, bookingId)).toMatchObject([
      { ...untaxed, supplier: { name: 'Robin Plays', abn: null } },
    ])
    await isProved()
  })
})

describe('the buyer', () => {
  it.each([
    [99_999, null],
    [100_000, { name: 'Kim Lee', abn: null }],
  ])('of %d cents is %o', async (cents, buyer) => {
    const { business } = await aTaxedVendor()
    await world.db
      .updateTable('businesses')
      .set({ price_cents: cents })
      .where('id', '=', business.id)
      .execute()
    const { bookingId } = await books(world, { ...business, price_cents: cents }, { quantity: 1 })
    await issue()
    const [invoice] = await documentsOf(world, bookingId)
    expect(invoice).toMatchObject({ cents, buyer })
  })
})

describe('a stored document', () => {
  it('refuses every change, and a content with another hash', async () => {
    const { business } = await aTaxedVendor()
    const { bookingId } = await books(world, business)
    await issue()
    for (const change of [
      sql`update tax_documents set gst_cents = 0`,
      sql`delete from tax_documents`,
      sql`truncate tax_documents cascade`,
      sql`update invoiced_commissions set document_id = null`,
    ])
      await expect(change.execute(world.db)).rejects.toThrow('never changed or deleted')
    await expect(
      sql`insert into tax_documents select 'copy', issuer, number + 100, subject, 'adjustment', is_taxed, vendor_user_id,
        booking_id, month, id, cents, gst_cents, supplied_on, issued_at, content || ' ', sha256
        from tax_documents where booking_id = ${bookingId}`.execute(world.db),
    ).rejects.toThrow('tax_documents_have_their_hash')
  })

  it('says that it is a sample until the operator has a name and an ABN', async () => {
    for (const platform of [
      { name: null, abn: '51824753556' },
      { name: 'Jubilee', abn: null },
    ]) {
      const { business } = await aTaxedVendor()
      const { bookingId } = await books(world, business)
      await issueSaleDocuments(taxDepsOf(world, { platform }))
      const [document] = await documentsOf(world, bookingId)
      expect(document).toMatchObject({ isSample: true, issuer: { brand: 'Jubilee' } })
    }
    const { business } = await aTaxedVendor()
    const { bookingId } = await books(world, business)
    await issue()
    expect(await documentsOf(world, bookingId)).toMatchObject([{ isSample: false }])
  })

  it('opens for the link, the vendor and the customer alone', async () => {
    const { business, userId } = await aTaxedVendor()
    const { bookingId, paymentId } = await books(world, business)
    const other = await aTaxedVendor()
    const theirs = await books(world, other.business)
    await issue()
    const as = (user: string, verifiedEmail: string | null = null) =>
      findSaleDocument(world.db, { bookingId, userId: user, verifiedEmail }, 1)
    const linkToken = await bookingLinkToken(world.deps.secret, paymentId)
    expect(await findSaleDocument(world.db, { linkToken }, 1)).not.toBeNull()
    expect(await listSaleDocuments(world.db, { linkToken })).toMatchObject([
      { number: 'S-000001', isTaxed: true },
    ])
    expect(await as(userId)).not.toBeNull()
    expect(await as('somebody', aBookingForm().email)).not.toBeNull()
    expect(await as('somebody')).toBeNull()
    expect(await as('somebody', 'else@example.com')).toBeNull()
    expect(await as(other.userId)).toBeNull()
    // The same number of another booking.
    const otherLink = await bookingLinkToken(world.deps.secret, theirs.paymentId)
    const found = await findSaleDocument(world.db, { linkToken: otherLink }, 1)
    expect(found?.content.supplier.abn).toBe(other.abn)
    expect(await findSaleDocument(world.db, { linkToken }, 2)).toBeNull()
  })
})

describe('numbers', () => {
  it('count by vendor over all of their listings, and leave no gap where issuing fails', async () => {
    const vendor = await aTaxedVendor()
    const second = await aPaidVendor(world, { userId: vendor.userId })
    const booked = [await books(world, vendor.business), await books(world, second.business)]
    let calls = 0
    const failing = taxDepsOf(world, {
      faultPoint: (point) => {
        if (point === 'tax-document-stored-uncommitted' && ++calls === 1) throw new Error('killed')
      },
    })
    await expect(issueSaleDocuments(failing)).rejects.toThrow()
    world.clock.forward(MINUTE_MS)
    await Promise.all([issue(), issue(), issue()])
    const documents = await Promise.all(booked.map(({ bookingId }) => documentsOf(world, bookingId)))
    expect(
      documents
        .flat()
        .map(({ number }) => number)
        .toSorted(),
    ).toEqual(['S-000001', 'S-000002'])
    await isProved()
  })
})

describe('the export of an account', () => {
  it('leaves customers out of a vendor’s documents', async () => {
    const { business, userId } = await aTaxedVendor()
    const { bookingId } = await books(world, business)
    await issue()
    const vendor = await exportDocuments(world.db, userId, [])
    expect(vendor.asVendor).toMatchObject([{ number: 'S-000001', total: '8700.00', gst: '790.91' }])
    expect(JSON.stringify(vendor)).not.toContain('Kim Lee')
    const customer = await exportDocuments(world.db, 'a-customer', [bookingId])
    expect(customer).toMatchObject({ ofBookingsMade: [{ buyer: { name: 'Kim Lee' } }], asVendor: [] })
  })
})
