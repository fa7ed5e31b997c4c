import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../app/shared/ids.ts'
import { aBookingForm, aBusiness } from '../builders.ts'
import { Client } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { nextEventDate } from '../e2e/browser.ts'
import { bookAndPay } from '../e2e/paid-booking.ts'
import { startServer, type TestServer } from '../server.ts'

/** Operators whose page is older than what another operator, or another tab, has done since. */

const OPERATOR = 'operator@example.com'
let server: TestServer
let operator: Client

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { PAYOUTS: 'sandbox', TRUSTED_PROXY: '1', OPERATOR_EMAILS: OPERATOR },
  })
  operator = new Client(server)
  await operator.signUp(OPERATOR)
  const { db } = server.services
  await db.updateTable('users').set({ email_verified: true }).where('email', '=', OPERATOR).execute()
})
afterAll(() => server.close())

/** The deposit of a booking of $455.00: $91.00 is paid, and the rest is still due. */
async function aPayment() {
  const { db } = server.services
  const { id: businessId } = await aBusiness(db, { place_id: 'melbourne-vic' })
  const { paymentId: id } = await bookAndPay(server.services, {
    businessId,
    amountCents: 45_500,
    booking: aBookingForm({ date: nextEventDate() }),
  })
  const path = `/operations/payments/${id}`
  const opensPage = async () => {
    const [, seen = ''] = /name="seen" value="(\d+)"/.exec(await (await operator.get(path)).text()) ?? []
    return {
      seen,
      refunds: (amount = '50', fields: Record<string, string> = {}) => {
        const typed = { amount, borneBy: 'operator', reason: 'The heater failed.' }
        return operator.post(path, { intent: 'refund', id, seen, ...typed, ...fields })
      },
    }
  }
  const refundedCents = async () => {
    const rows = await db
      .selectFrom('payment_actions')
      .select('amount_cents')
      .where('payment_id', '=', id)
      .where('kind', '=', 'refund')
      .execute()
    return rows.map(({ amount_cents }) => Number(amount_cents))
  }
  return { opensPage, refundedCents }
}

describe('an operator’s refund', () => {
  it('happens once when it is pressed in two tabs, or again after a lost response', async () => {
    const { opensPage, refundedCents } = await aPayment()
    const [first, second] = [await opensPage(), await opensPage()]
    expect(first.seen).toBe('45500')
    expect((await first.refunds()).status).toBe(200)
    for (const stale of [await second.refunds(), await first.refunds()]) {
      expect(stale.status).toBe(409)
      expect(await stale.text()).toContain('another refund may have been made a moment ago')
    }
    expect(await refundedCents()).toEqual([5_000])
    const again = await opensPage()
    expect(again.seen).toBe('40500')
    expect((await again.refunds('20')).status).toBe(200)
    expect((await refundedCents()).toSorted((one, other) => one - other)).toEqual([2_000, 5_000])
  })

  it('comes off what is still due once, too', async () => {
    const { opensPage, refundedCents } = await aPayment()
    const [first, second] = [await opensPage(), await opensPage()]
    expect((await first.refunds('100', { borneBy: 'vendor' })).status).toBe(200)
    expect((await second.refunds('100', { borneBy: 'vendor' })).status).toBe(409)
    expect((await opensPage()).seen).toBe('35500')
    expect(await refundedCents()).toEqual([])
  })

  it('happens once when it is pressed twice at the same moment', async () => {
    const { opensPage, refundedCents } = await aPayment()
    const [first, second] = [await opensPage(), await opensPage()]
    const answers = await Promise.all([first.refunds(), second.refunds()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await refundedCents()).toEqual([5_000])
  })

  it('names what is left, and an amount above it is refused beside its field', async () => {
    const { opensPage, refundedCents } = await aPayment()
    const page = await opensPage()
    for (const seen of ['x', '-1', '455.5', '10'.repeat(20)])
      expect((await page.refunds('50', { seen })).status, seen).toBe(422)
    for (const seen of ['', '0', '45499']) expect((await page.refunds('50', { seen })).status, seen).toBe(409)
    expect((await page.refunds('455.01', { borneBy: 'vendor' })).status).toBe(422)
    expect(await refundedCents()).toEqual([])
  })
})

describe('a decision about a review', () => {
  /** A review that waits, and a page that shows it: its buttons send where it stood then. */
  async function aReview() {
    const { db } = server.services
    const { id: businessId } = await aBusiness(db, { place_id: 'melbourne-vic' })
    const id = newId()
    await db
      .insertInto('reviews')
      .values({
        id,
        business_id: businessId,
        booking_id: null,
        user_id: null,
        author_name: 'Kim L.',
        rating: 5,
        body: 'It was lovely.',
        rejected_reason: null,
        moderated_at: null,
      })
      .execute()
    const opensPage = async (show: 'waiting' | 'decided') => {
      const html = await (await operator.get(`/operations/reviews?show=${show}`)).text()
      const form = html.split('<form').find((part) => part.includes(`value="${id}"`)) ?? ''
      const [, seen = ''] = /name="seen" value="(\w+)"/.exec(form) ?? []
      const decides = (decision: 'approve' | 'reject', reason = 'It names a guest.') =>
        operator.post('/operations/reviews', { intent: `${decision}-review`, id, seen, reason })
      return { seen, decides }
    }
    const stored = () =>
      db
        .selectFrom('reviews')
        .select(['approved', 'rejected_reason'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    return { opensPage, stored }
  }
  const APPROVED = { approved: true, rejected_reason: null }
  const CHANGED = 'This has changed since you opened the page.'

  it('isn’t undone by a page that shows the review as waiting', async () => {
    const { opensPage, stored } = await aReview()
    const [first, second] = [await opensPage('waiting'), await opensPage('waiting')]
    expect(first.seen).toBe('waiting')
    expect((await first.decides('approve')).status).toBe(200)
    const stale = await second.decides('reject')
    expect(stale.status).toBe(409)
    expect(await stale.text()).toContain(CHANGED)
    expect(await stored()).toEqual(APPROVED)
    // The same decision again, as after a lost response.
    expect((await first.decides('approve')).status).toBe(200)

    // An operator who sees the review as approved may reject it, and approve it again.
    const later = await opensPage('decided')
    expect(later.seen).toBe('approved')
    expect((await later.decides('reject')).status).toBe(200)
    const answers = [await later.decides('reject', 'Another reason.'), await second.decides('approve')]
    expect(answers.map(({ status }) => status)).toEqual([409, 409])
    expect(await stored()).toEqual({ approved: false, rejected_reason: 'It names a guest.' })
    expect((await (await opensPage('decided')).decides('approve')).status).toBe(200)
    expect(await stored()).toEqual(APPROVED)
  })

  it('counts once when two are pressed at the same moment', async () => {
    const { opensPage } = await aReview()
    const [first, second] = [await opensPage('waiting'), await opensPage('waiting')]
    const answers = await Promise.all([first.decides('approve'), second.decides('reject')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})
