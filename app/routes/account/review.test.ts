import { RouterContextProvider } from 'react-router'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingForm, aBookingWorld, aBusiness, aUser } from '../../../tests/builders.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { startBookingPayment } from '../../features/bookings/checkout/commands.server.ts'
import { decideBooking } from '../../features/bookings/decisions/commands.server.ts'
import { reportPayment } from '../../features/payments/settlement-commands.server.ts'
import { RATING_MISSING, REVIEW_REFUSALS } from '../../features/reviews/messages.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import * as review from './review.tsx'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let bookingId = ''
let customerId = ''

beforeAll(async () => {
  world = await aBookingWorld()
  const { db, deps, payments, clock } = world
  const business = await aBusiness(db)
  customerId = (await aUser(db)).id
  const started = await startBookingPayment(deps, {
    amount: 45_500,
    submitKey: crypto.randomUUID(),
    businessId: business.id,
    booking: aBookingForm(),
    customerUserId: customerId,
  })
  if (!started.ok || started.alreadyPaid) throw new Error('not started')
  const { clientSecret } = started
  await payments.confirmCard({ clientSecret, cardNumber: '4242424242424242', expiry: '12 / 30', cvc: '123' })
  const settled = await reportPayment(deps, { clientSecret })
  if (!settled.ok || !settled.purchaseId) throw new Error('not settled')
  bookingId = settled.purchaseId
  await decideBooking(deps, { userId: business.user_id, bookingId, decision: 'approved' })
  clock.forward(200 * DAY_MS)
})
afterAll(() => world.close())

function send(uid: string | null, fields: Record<string, string>) {
  const context = new RouterContextProvider()
  const user = uid ? { uid, email: 'somebody@example.com', emailVerified: true } : null
  context.set(servicesContext, {
    ...world.deps,
    rateLimits: createRateLimits(world.db, world.clock.now),
    accounts: { findSession: async () => (user ? { id: 's', user } : null) },
  } as unknown as Services)
  const url = new URL(`http://localhost:3000/my-bookings/${bookingId}/review`)
  const request = new Request(url, { method: 'POST', body: new URLSearchParams(fields) })
  return review.action({ request, context, url, params: { bookingId } } as never)
}
const words = { rating: '5', body: 'We danced until the lights came on.' }

describe('POST /my-bookings/:bookingId/review', () => {
  it('as nobody: redirects to login and saves nothing', async () => {
    const answer = await send(null, words).catch((thrown: Response) => thrown)
    expect((answer as Response).headers.get('location')).toContain('/login?next=')
    expect(await world.db.selectFrom('reviews').select('id').execute()).toEqual([])
  })

  it('as someone else: finds no such booking', async () => {
    expect(await send('somebody-else', words)).toMatchObject({
      data: { ok: false, refusal: REVIEW_REFUSALS.not_found },
      init: { status: 404 },
    })
    expect(await world.db.selectFrom('reviews').select('id').execute()).toEqual([])
  })

  it('as its customer: reports missing fields, keeps the typed values, and accepts one review', async () => {
    expect(await send(customerId, { body: 'Lovely.' })).toMatchObject({
      data: { ok: false, fields: { rating: RATING_MISSING }, typed: { body: 'Lovely.' } },
      init: { status: 422 },
    })
    expect(await send(customerId, words)).toMatchObject({ data: { ok: true } })
    expect(await send(customerId, words)).toMatchObject({
      data: { refusal: REVIEW_REFUSALS.already_written },
      init: { status: 409 },
    })
  })
})
