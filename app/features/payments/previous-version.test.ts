import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  booked,
  bookingsOf,
  decide,
  deps,
  mailsAbout,
  refundedCents,
  refundsOf,
  setBookingStage,
  world,
} from '../../../tests/booking-stage.ts'
import { aBookingForm } from '../../../tests/builders.ts'
import { refundsAsOperator } from '../../../tests/payout-stage.ts'
import { newId } from '../../shared/ids.ts'
import { askAboutRefunds } from './refund-news-commands.server.ts'
import { performDueRefunds } from './refund-sending-commands.server.ts'

/**
 * The version before the provider's refund states (migration 0022) still serves while this one starts. These are its
 * statements, to the letter.
 */

setBookingStage()

const operator = { userId: 'operator-1', email: 'operator@example.com' }

async function oldOrder(paymentId: string, amountCents: number): Promise<string> {
  const id = newId()
  await sql`
    insert into "payment_actions" ("id", "payment_id", "line", "kind", "amount_cents", "reason", "due_at", "claimed_at",
      "last_error", "created_at", "done_at")
    values (${id}, ${paymentId}, ${1}, ${'refund'}, ${amountCents}, ${'declined'}, ${world.clock.now()}, ${null},
      ${null}, ${world.clock.now()}, ${null})`.execute(world.db)
  return id
}

async function oldPerform(refundId: string, reference: string): Promise<boolean> {
  const now = world.clock.now()
  const claimed = await sql<{ amount_cents: string }>`
    update "payment_actions" set "state" = 'claimed', "claimed_at" = ${now}, "attempts" = "attempts" + 1
    where "id" = ${refundId} and "state" = 'due' and "attempts" = 0
    returning "id", "payment_id", "line", "amount_cents"`.execute(world.db)
  const [row] = claimed.rows
  if (!row) return false
  const refunded = await world.payments.refund({
    reference,
    amountCents: Number(row.amount_cents),
    idempotencyKey: `refund-${refundId}`,
  })
  if (!refunded.ok) {
    await sql`update "payment_actions" set "last_error" = ${refunded.message} where "id" = ${refundId}`.execute(
      world.db,
    )
    return false
  }
  await sql`
    update "payment_actions" set "state" = 'done', "done_at" = ${now}, "last_error" = ${null}
    where "id" = ${refundId} and "state" = 'claimed'`.execute(world.db)
  await sql`update "bookings" set "payment_status" = 'refunded' where "payment_row_id" = (
    select payment_id from payment_actions where id = ${refundId})`.execute(world.db)
  return true
}

/** Its booking with the live refund. */
const oldBooking = (bookingId: string) =>
  sql<{ state: string | null; amount_cents: string | null }>`
    select "bookings"."id", "refunds"."state", "refunds"."amount_cents" from "bookings"
    inner join "payments" on "payments"."id" = "bookings"."payment_row_id"
    left join "payment_actions" as "refunds" on "refunds"."payment_id" = "bookings"."payment_row_id"
      and "refunds"."line" = "bookings"."line" and "refunds"."kind" = 'refund' and "refunds"."state" <> 'cancelled'
    where "bookings"."id" = ${bookingId}`.execute(world.db)

describe('the version before', () => {
  it('orders, makes and shows a refund, which this version then knows and mails no second time', async () => {
    const { bookingId, paymentId, reference } = await booked()
    const refundId = await oldOrder(paymentId, 45_500)
    expect(await oldPerform(refundId, reference)).toBe(true)
    expect((await oldBooking(bookingId)).rows).toMatchObject([{ state: 'done' }])
    expect(await refundsOf(paymentId)).toMatchObject([{ provider_status: null }])
    await askAboutRefunds(deps)
    expect(await refundsOf(paymentId)).toMatchObject([{ state: 'done', provider_status: 'succeeded' }])
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refunded' }])
    expect(await mailsAbout(`${bookingId}-refunded`)).toEqual([])
  })

  it('makes and undoes a refund that this version has ordered', async () => {
    const { bookingId, paymentId, reference } = await booked()
    await decide(bookingId, 'declined')
    expect((await oldBooking(bookingId)).rows).toMatchObject([{ state: 'due' }])
    const locked = await sql<{ id: string }>`
      select "id" from "payment_actions" where "payment_id" = ${paymentId} and "line" = 1 and "kind" = 'refund'
        and "state" = 'due' for update`.execute(world.db)
    expect(await oldPerform(locked.rows[0]?.id ?? '', reference)).toBe(true)
    // A second time it finds nothing to claim.
    expect(await oldPerform(locked.rows[0]?.id ?? '', reference)).toBe(false)
    expect(await refundedCents(reference)).toBe(45_500)
  })

  it('sends back no more than the charge after an operator’s refund, and this version sends the rest', async () => {
    const { bookingId, paymentId, reference } = await booked()
    await refundsAsOperator(deps, { operator, paymentId, amountCents: 10_000, reason: 'The heater failed.' })
    // It refunds the whole price and no index stops it any more: the provider does.
    const refundId = await oldOrder(paymentId, 45_500)
    await sql`update "bookings" set "status" = 'declined', "payment_status" = 'refund due'
      where "id" = ${bookingId}`.execute(world.db)
    expect(await oldPerform(refundId, reference)).toBe(false)
    expect(await refundedCents(reference)).toBe(10_000)
    for (let run = 0; run < 2; run++) {
      world.clock.forward(3_600_000)
      await performDueRefunds(deps)
    }
    expect(await refundedCents(reference)).toBe(45_500)
    expect(await bookingsOf(paymentId)).toMatchObject([{ payment_status: 'refunded' }])
  })
})

describe('refunds of the version before', () => {
  it('get their state in steps of 50, and those that came back need an operator', async () => {
    const refunds: { paymentId: string; reference: string }[] = []
    for (let count = 0; count < 52; count++) {
      // One day doesn't hold as many.
      const booking = aBookingForm({ date: count % 2 ? '2027-03-13' : '2027-03-20' })
      const { paymentId, reference } = await booked({ booking })
      await oldPerform(await oldOrder(paymentId, 45_500), reference)
      refunds.push({ paymentId, reference })
    }
    await sql`update sandbox_refunds set status = 'failed' where sandbox_payment_id = ${
      refunds[0]?.reference ?? ''
    }`.execute(world.db)
    const countUnknown = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from payment_actions where state = 'done' and provider_status is null
      `.execute(world.db)
      return rows[0]?.count
    }
    const before = (await countUnknown()) ?? 0
    await askAboutRefunds(deps)
    expect(await countUnknown()).toBe(before - 50)
    await askAboutRefunds(deps)
    expect(await countUnknown()).toBe(0)
    const [failed, done] = refunds
    expect(await bookingsOf(failed?.paymentId ?? '')).toMatchObject([{ payment_status: 'refund due' }])
    expect(await bookingsOf(done?.paymentId ?? '')).toMatchObject([{ payment_status: 'refunded' }])
  }, 60_000)
})
