import { RouterContextProvider } from 'react-router'
import { describe, expect, it } from 'vitest'
import {
  booked,
  bookingsOf,
  business,
  DECLINE_REASON,
  decide,
  deps,
  event,
  receive,
  refundsOf,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { aBusiness, aUser, movesEvent } from '../../../tests/builders.ts'
import { aDepositBusiness, balanceOf, booksWithDeposit } from '../../../tests/instalment-stage.ts'
import { OPERATOR, refundsAsOperator } from '../../../tests/payout-stage.ts'
import type { UndoAnswer } from '../../features/bookings/decisions/components/grace-note.tsx'
import type { DecisionAnswer } from '../../features/bookings/list/components/booking-list.tsx'
import type { ExtendAnswer } from '../../features/bookings/list/components/extend-button.tsx'
import { offPriceText } from '../../features/bookings/messages.ts'
import type { VendorBooking } from '../../features/bookings/rules.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import { newId } from '../../shared/ids.ts'
import * as bookings from './bookings.tsx'

setBookingStage()

const ENDED_DATE = '2026-01-10'

/** Calls the route as a user, or as nobody. */
async function call(
  run: (args: never) => unknown,
  userId: string | null,
  form?: Record<string, string>,
  payouts = 'off',
) {
  const context = new RouterContextProvider()
  context.set(servicesContext, {
    ...world.deps,
    payments: world.payments,
    accounts: { findSession: async () => (userId ? { id: 's', user: { uid: userId } } : null) },
    config: { ...world.deps, operatorEmails: new Set(), payouts: { provider: payouts } },
  } as unknown as Services)
  const url = new URL('http://localhost:3000/dashboard/bookings')
  const request = new Request(url, form ? { method: 'POST', body: new URLSearchParams(form) } : {})
  return run({ request, url, context, params: {} } as never)
}

async function decline(userId: string | null, fields: Record<string, string>) {
  const form = { decision: 'declined', seen: 'approved', ...fields }
  const answer = (await call(bookings.action, userId, form)) as {
    data: DecisionAnswer
    init: { status: number } | null
  }
  return { status: answer.init?.status ?? 200, answer: answer.data }
}

async function approved(customerUserId: string | null = null) {
  const payment = await booked({ customerUserId })
  await decide(payment.bookingId, 'approved')
  return payment
}

describe('declining an approved booking', () => {
  it('redirects a visitor, and answers 404 to another vendor and to the customer', async () => {
    const customer = await aUser(world.db)
    const other = await aBusiness(world.db)
    const { bookingId, paymentId } = await approved(customer.id)
    const fields = { bookingId, reason: DECLINE_REASON }
    await expect(decline(null, fields)).rejects.toMatchObject({ status: 302 })
    for (const userId of [other.user_id, customer.id])
      expect(await decline(userId, fields)).toEqual({
        status: 404,
        answer: { ok: false, reason: 'not_found' },
      })
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'approved', payment_status: 'paid' }])
    expect(await refundsOf(paymentId)).toEqual([])
  })

  it.each([
    ['no reason', {}, 'Tell the customer why.'],
    ['spaces', { reason: '   ' }, 'Tell the customer why.'],
    ['nine characters', { reason: 'x'.repeat(9) }, 'Say a little more: at least 10 characters.'],
    ['501 characters', { reason: 'x'.repeat(501) }, 'Use at most 500 characters.'],
  ] as const)('answers %s with 422 and a message beside the field', async (_what, reason, message) => {
    const { bookingId, paymentId } = await approved()
    expect(await decline(business.user_id, { bookingId, ...reason })).toEqual({
      status: 422,
      answer: { ok: false, reason: 'reason_invalid', errors: { reason: [message] } },
    })
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'approved' }])
    expect(await decline(business.user_id, { bookingId, reason: `  ${DECLINE_REASON}\n` })).toMatchObject({
      status: 200,
      answer: { ok: true, changed: true },
    })
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'approved', decline_words: DECLINE_REASON }])
  })

  it('needs no reason while the booking is pending, and answers 409 if it was approved meanwhile', async () => {
    const { bookingId } = await booked()
    expect(await decline(business.user_id, { bookingId, seen: 'pending' })).toMatchObject({ status: 200 })
    const other = await approved()
    expect(await decline(business.user_id, { bookingId: other.bookingId, seen: 'pending' })).toEqual({
      status: 409,
      answer: { ok: false, reason: 'changed' },
    })
  })

  it('answers 409 once the event is over, and offers no button', async () => {
    const { bookingId } = await approved()
    await movesEvent(world.db, bookingId, ENDED_DATE)
    expect(await decline(business.user_id, { bookingId, reason: DECLINE_REASON })).toEqual({
      status: 409,
      answer: { ok: false, reason: 'event_over' },
    })
    const shown = await call(bookings.loader, business.user_id)
    expect(shown).toMatchObject({ bookings: [{ id: bookingId, decisions: [] }] })
  })
})

describe('declining a pending booking', () => {
  const declinePending = (bookingId: string, fields: Record<string, string>) =>
    decline(business.user_id, { bookingId, seen: 'pending', ...fields })

  it('takes a reason in one tap, with or without words, and tells the customer nothing yet', async () => {
    const { bookingId, paymentId } = await booked()
    expect(await declinePending(bookingId, { code: 'price', reason: ' Ask us\nin May. ' })).toMatchObject({
      status: 200,
      answer: { ok: true, changed: true },
    })
    expect(await bookingsOf(paymentId)).toMatchObject([
      { status: 'pending', decline_code: 'price', decline_words: 'Ask us in May.' },
    ])
    const other = await booked()
    expect(await declinePending(other.bookingId, { code: 'other' })).toMatchObject({ status: 200 })
    expect(await bookingsOf(other.paymentId)).toMatchObject([{ decline_code: 'other', decline_words: null }])
  })

  it.each([
    ['an unknown reason', { code: 'weather' }, 400],
    ['501 characters', { code: 'other', reason: 'x'.repeat(501) }, 422],
  ])('refuses %s', async (_what, fields, status) => {
    const { bookingId, paymentId } = await booked()
    expect(await declinePending(bookingId, fields)).toMatchObject({ status, answer: { ok: false } })
    expect(await bookingsOf(paymentId)).toMatchObject([{ tells_at: null, decline_code: null }])
  })
})

describe('undoing a decline', () => {
  async function undo(userId: string | null, bookingId: string) {
    const answer = (await call(bookings.action, userId, { intent: 'undo-decline', bookingId })) as {
      data: UndoAnswer
      init: { status: number } | null
    }
    return { status: answer.init?.status ?? 200, answer: answer.data }
  }

  it('redirects a visitor, and answers 404 to another vendor and to the customer', async () => {
    const customer = await aUser(world.db)
    const other = await aBusiness(world.db)
    const { bookingId, paymentId } = await booked({ customerUserId: customer.id })
    await decline(business.user_id, { bookingId, seen: 'pending', code: 'price' })
    await expect(undo(null, bookingId)).rejects.toMatchObject({ status: 302 })
    for (const userId of [other.user_id, customer.id])
      expect(await undo(userId, bookingId)).toEqual({
        status: 404,
        answer: { ok: false, reason: 'not_found' },
      })
    expect(await bookingsOf(paymentId)).toMatchObject([{ decline_code: 'price' }])
    expect(await undo(business.user_id, bookingId)).toEqual({ status: 200, answer: { ok: true } })
    expect(await bookingsOf(paymentId)).toMatchObject([{ status: 'pending', tells_at: null }])
  })

  it('answers 409 once the grace is over', async () => {
    const { bookingId } = await booked()
    await decline(business.user_id, { bookingId, seen: 'pending' })
    world.clock.forward(deps.refundGraceMs)
    expect(await undo(business.user_id, bookingId)).toEqual({
      status: 409,
      answer: { ok: false, reason: 'decline_told' },
    })
  })
})

/** The commission is 10%. */
describe('the amounts of a booking in the vendor’s list', () => {
  const shown = async (userId: string) => {
    const found = (await call(bookings.loader, userId, undefined, 'sandbox')) as {
      bookings: VendorBooking[]
      shares: Record<string, number>
    }
    return found.bookings.map(({ id, off }) => ({ shareCents: found.shares[id], text: offPriceText(off) }))
  }
  const refund = (paymentId: string, borneBy: 'vendor' | 'operator' = 'vendor') =>
    refundsAsOperator(world.deps, {
      operator: OPERATOR,
      paymentId,
      amountCents: 10_000,
      reason: 'The heater failed.',
      borneBy,
    })

  it('say what was refunded of the price, and what the vendor receives of the rest', async () => {
    const { paymentId } = await approved()
    expect(await shown(business.user_id)).toEqual([{ shareCents: 40_950, text: null }])
    await refund(paymentId)
    expect(await shown(business.user_id)).toEqual([
      { shareCents: 31_950, text: 'of which $100.00 was refunded' },
    ])
    // A refund that we bear doesn't show in the vendor's list.
    await refund(paymentId, 'operator')
    expect(await shown(business.user_id)).toEqual([
      { shareCents: 31_950, text: 'of which $100.00 was refunded' },
    ])
  })

  it('count a refund that waits for the customer’s bank', async () => {
    const { paymentId, reference } = await approved()
    await world.payments.openDispute(reference, 'dispute')
    await receive(deps, event(reference, newId(), 'charge.dispute.created'))
    await refund(paymentId)
    expect(await shown(business.user_id)).toEqual([
      { shareCents: 31_950, text: 'of which $100.00 goes back to the customer' },
    ])
  })

  it('say what was taken off a balance before it was paid', async () => {
    const { id: businessId, user_id: userId } = await aDepositBusiness(world)
    const { paymentId } = await booksWithDeposit(world, { businessId })
    const [before] = await shown(userId)
    await refund(paymentId)
    expect(await shown(userId)).toEqual([
      { shareCents: (before?.shareCents ?? 0) - 9_000, text: 'of which $100.00 was taken off' },
    ])
  })
})

describe('giving more time for an unpaid balance', () => {
  /** A booking whose balance waits for the customer. */
  async function unpaid() {
    const { id: businessId, user_id: userId } = await aDepositBusiness(world)
    const booking = await booksWithDeposit(world, { businessId })
    await world.db
      .updateTable('instalments')
      .set({ state: 'needs_customer', due_at: world.clock.now() })
      .where('payment_id', '=', booking.paymentId)
      .where('number', '=', 2)
      .execute()
    return { ...booking, userId }
  }

  async function extend(userId: string | null, bookingId: string) {
    const answer = (await call(bookings.action, userId, { intent: 'extend', bookingId })) as {
      data: ExtendAnswer
      init: { status: number } | null
    }
    return { status: answer.init?.status ?? 200, answer: answer.data }
  }
  const extensionMails = async () =>
    (await world.jobs.mails()).filter(({ subject }) => subject.includes(': more time from ')).length
  const dueOf = async (userId: string) => {
    const shown = (await call(bookings.loader, userId)) as { bookings: VendorBooking[] }
    return shown.bookings[0]?.due
  }
  const REFUSED = { status: 409, answer: { ok: false, reason: 'not_extendable' } }

  it('redirects a visitor, and answers 404 to another vendor and for an unknown booking', async () => {
    const other = await aBusiness(world.db)
    const { bookingId, paymentId, userId } = await unpaid()
    const before = await extensionMails()
    await expect(extend(null, bookingId)).rejects.toMatchObject({ status: 302 })
    const unknown = { status: 404, answer: { ok: false, reason: 'not_found' } }
    expect(await extend(other.user_id, bookingId)).toEqual(unknown)
    expect(await extend(userId, newId())).toEqual(unknown)
    expect((await balanceOf(world, paymentId)).extended_at).toBeNull()
    expect(await extensionMails()).toBe(before)
  })

  it('moves the end by 7 days once, however often it is pressed, and mails the customer once', async () => {
    const { bookingId, userId } = await unpaid()
    const before = await extensionMails()
    expect(await dueOf(userId)).toMatchObject({ canExtend: true, extendedUntil: null })
    const answers = await Promise.all([extend(userId, bookingId), extend(userId, bookingId)])
    const until = '2026-12-03T22:00:00.000Z'
    expect(answers.filter(({ status }) => status === 200)).toEqual([
      { status: 200, answer: { ok: true, until } },
    ])
    expect(answers.filter(({ status }) => status !== 200)).toEqual([REFUSED])
    expect(await extend(userId, bookingId)).toEqual(REFUSED)
    expect(await dueOf(userId)).toMatchObject({ canExtend: false, extendedUntil: until, endsAt: until })
    expect(await extensionMails()).toBe(before + 1)
  })

  it.each(['scheduled', 'charging', 'paid', 'overdue', 'ended'] as const)(
    'shows no button, and answers 409, for a balance that is %s',
    async (state) => {
      const { bookingId, paymentId, userId } = await unpaid()
      await world.db
        .updateTable('instalments')
        .set({ state })
        .where('payment_id', '=', paymentId)
        .where('number', '=', 2)
        .execute()
      expect((await dueOf(userId))?.canExtend ?? false).toBe(false)
      expect(await extend(userId, bookingId)).toEqual(REFUSED)
      expect((await balanceOf(world, paymentId)).extended_at).toBeNull()
    },
  )
})

it('a decision that was not sent is told at once: the answer’s status keeps the list from being loaded again first', async () => {
  const lost = () => Promise.reject(new TypeError('Failed to fetch'))
  const answer = await bookings.clientAction({ serverAction: lost } as never)
  expect(answer).toMatchObject({ data: { ok: false, reason: 'not_reached' }, init: { status: 503 } })
})
