import { RouterContextProvider } from 'react-router'
import { describe, expect, it } from 'vitest'
import {
  booked,
  CARDS,
  decide,
  deps,
  event,
  receive,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { nextSentence } from '../../features/bookings/components/booking-status.tsx'
import { findBookingByLink } from '../../features/bookings/list/queries.server.ts'
import { bookingLinkToken } from '../../features/bookings/rules.ts'
import { BSB_INVALID, KIND_MISSING } from '../../features/payments/refund-account-rules.ts'
import { performDueRefunds } from '../../features/payments/refund-sending-commands.server.ts'
import { servicesContext } from '../../request-context.server.ts'
import type { Services } from '../../services.server.ts'
import { newId } from '../../shared/ids.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import * as refund from './refund.tsx'
import * as reminders from './reminders.tsx'

setBookingStage()

const NOBODYS_LINK = 'x'.repeat(43)

function argsOf(path: string, linkToken: string, fields?: Record<string, string>) {
  const context = new RouterContextProvider()
  context.set(servicesContext, {
    ...world.deps,
    payments: world.payments,
    config: { ...world.deps, payouts: { provider: 'off' } },
    rateLimits: createRateLimits(world.db, world.clock.now),
  } as unknown as Services)
  const url = new URL(`http://localhost:3000/bookings/${linkToken}/${path}`)
  const body = fields && new URLSearchParams(fields)
  const request = new Request(url, body ? { method: 'POST', body } : {})
  return { request, context, url, params: { linkToken } } as never
}

/** A declined booking whose refund the customer's bank has sent back. @returns its link */
async function cameBack() {
  const { bookingId, paymentId, reference } = await booked({}, CARDS.refundFails)
  await decide(bookingId, 'declined')
  world.clock.forward(deps.refundGraceMs)
  await performDueRefunds(deps)
  world.clock.forward(DAY_MS)
  await world.payments.runDueWork()
  await receive(deps, event(reference, newId(), 'refund.failed'))
  return bookingLinkToken(deps.secret, paymentId)
}
const accounts = () => world.db.selectFrom('refund_accounts').select('masked').execute()
async function bookingText(link: string) {
  const booking = await findBookingByLink(world.db, link)
  return booking ? nextSentence(booking, world.clock.now()) : ''
}
const account = { kind: 'account', name: 'Kim Lee', bsb: '062-000', account: '12345678' }

describe('POST /bookings/:linkToken/refund', () => {
  it('as nobody and by the link of another: stores nothing', async () => {
    await cameBack()
    const other = await booked()
    const others = await bookingLinkToken(deps.secret, other.paymentId)
    for (const [link, status] of [
      [NOBODYS_LINK, 409],
      ['no-link', 404],
      [others, 409],
    ] as const) {
      const answer = await refund.action(argsOf('refund', link, account))
      expect(answer).toMatchObject({ data: { isDone: false }, init: { status } })
    }
    expect(await accounts()).toEqual([])
    const shown = await refund.loader(argsOf('refund', NOBODYS_LINK))
    expect(shown).toMatchObject({ data: { waiting: null }, init: { status: 404 } })
  })

  it('by its own link: says what is wrong, keeps what was typed, and stores the account', async () => {
    const link = await cameBack()
    expect(await refund.action(argsOf('refund', link, { ...account, bsb: '06' }))).toMatchObject({
      data: { errors: { bsb: BSB_INVALID }, typed: { name: 'Kim Lee', bsb: '06', account: '12345678' } },
      init: { status: 422 },
    })
    expect(await refund.action(argsOf('refund', link, { name: 'Kim Lee' }))).toMatchObject({
      data: { errors: { kind: KIND_MISSING }, typed: { name: 'Kim Lee' } },
    })
    expect(await accounts()).toEqual([])
    expect(await bookingText(link)).toContain('Tell us where to send it.')
    const done = await refund.action(argsOf('refund', link, account))
    expect(done).toMatchObject({
      data: { isDone: true, typed: {}, stored: 'BSB 062-000, account 12345678, Kim Lee' },
    })
    expect(await accounts()).toEqual([{ masked: 'account ending 678' }])
    expect(await refund.loader(argsOf('refund', link))).toMatchObject({
      data: { waiting: { amountCents: 45_500, masked: 'account ending 678' } },
    })
    expect(await bookingText(link)).toContain('We’ll send it to your account ending 678.')
  })

  it('answers 429 to too many presses from one address', async () => {
    const link = await cameBack()
    const statuses = new Set<number>()
    for (let press = 0; press < 25; press++) {
      const answer = await refund.action(argsOf('refund', link, account))
      statuses.add(answer.init?.status ?? 200)
    }
    expect(statuses).toEqual(new Set([200, 429]))
  })
})

describe('POST /bookings/:linkToken/reminders', () => {
  const endedOf = (paymentId: string) =>
    world.db
      .selectFrom('bookings')
      .select('reminders_ended_at')
      .where('payment_row_id', '=', paymentId)
      .executeTakeFirstOrThrow()

  it('as nobody: ends nothing', async () => {
    const { paymentId } = await booked()
    for (const link of [NOBODYS_LINK, 'no-link'])
      expect(await reminders.action(argsOf('reminders', link, {}))).toMatchObject({ init: { status: 404 } })
    expect(await endedOf(paymentId)).toEqual({ reminders_ended_at: null })
  })

  it('by its own link: ends them by the button of a mail program, and never by opening the page', async () => {
    const { paymentId } = await booked()
    const link = await bookingLinkToken(deps.secret, paymentId)
    await reminders.loader(argsOf('reminders', link))
    expect(await endedOf(paymentId)).toEqual({ reminders_ended_at: null })
    const pressed = { 'List-Unsubscribe': 'One-Click' }
    expect(await reminders.action(argsOf('reminders', link, pressed))).toMatchObject({
      data: { isDone: true },
    })
    expect((await endedOf(paymentId)).reminders_ended_at).not.toBeNull()
  })
})
