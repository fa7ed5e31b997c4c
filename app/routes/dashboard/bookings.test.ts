import { RouterContextProvider } from 'react-router'
import { describe, expect, it } from 'vitest'
import {
  booked,
  bookingsOf,
  business,
  DECLINE_REASON,
  decide,
  refundsOf,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { aBusiness, aUser, movesEvent } from '../../../tests/builders.ts'
import type { DecisionAnswer } from '../../features/bookings/components/booking-list.tsx'
import { servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import * as bookings from './bookings.tsx'

setBookingStage()

const ENDED_DATE = '2026-01-10'

/** Calls the route as a user, or as nobody. */
async function call(run: (args: never) => unknown, userId: string | null, form?: Record<string, string>) {
  const context = new RouterContextProvider()
  context.set(servicesContext, {
    ...world.deps,
    payments: world.payments,
    accounts: { findSession: async () => (userId ? { id: 's', user: { uid: userId } } : null) },
    config: { ...world.deps, operatorEmails: new Set(), payouts: { provider: 'off' } },
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
  it('is refused as nobody, as another vendor and as the customer', async () => {
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
    expect(await refundsOf(paymentId)).toMatchObject([{ note: DECLINE_REASON }])
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
