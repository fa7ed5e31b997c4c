import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { booked, deps, refundedCents, setBookingStage, world } from '../../../tests/booking-stage.ts'
import { leavesAsIs } from '../../../tests/leaves-as-is.ts'
import { OPERATOR, payoutDepsOf, SECOND_OPERATOR } from '../../../tests/payout-stage.ts'
import { ACT_NAMES, type ActName, APPROVAL_ACTS, actOf } from './act-rules.ts'
import { expireApprovals } from './approval-commands.server.ts'
import { findOpenApproval, listOpenApprovals } from './approval-queries.server.ts'
import { settleCancellation } from './cancellation-commands.server.ts'
import { settleAnswer } from './dispute-answer-commands.server.ts'
import { decidePayoutOrder } from './payout-commands.server.ts'
import { settleNaming } from './people-commands.server.ts'
import { orderRefund, settleRefund } from './refund-order-commands.server.ts'
import { ORDER_LIFE_MS } from './rules.ts'

setBookingStage()

const using = () => ({ ...deps, secondOperatorCents: 0 })

/** A refund of $100 that waits for a second person. */
async function aWaitingRefund() {
  const payment = await booked()
  const { paymentId } = payment
  const refund = {
    kind: 'refund',
    paymentId,
    amountCents: 10_000,
    borneBy: 'operator',
    reason: 'Cold.',
  } as const
  expect(await orderRefund(using(), { ...refund, operator: OPERATOR })).toMatchObject({ isAsked: true })
  const [approval] = await listOpenApprovals(world.db, APPROVAL_ACTS.refund, paymentId)
  if (!approval) throw new Error('No refund waits.')
  return { ...payment, id: approval.id }
}

const settle = (orderId: string, isConfirmed = true) =>
  settleRefund(using(), { operator: SECOND_OPERATOR, orderId, isConfirmed })

describe('an act that a second person may have to confirm', () => {
  const flows = Object.entries(APPROVAL_ACTS)

  it('belongs to exactly one flow', () => {
    const asking = ACT_NAMES.filter((name) => actOf(name).secondPerson)
    expect(flows.flatMap(([, acts]) => acts).toSorted()).toEqual(asking.toSorted())
  })

  it.each(flows)(
    'can be confirmed with a fresh proof, and dropped, by the roles that may ask for it: %s',
    (flow, acts) => {
      const [confirm, drop] = [actOf(`confirm-${flow}` as ActName), actOf(`drop-${flow}` as ActName)]
      for (const name of acts) {
        expect([confirm.permission, drop.permission]).toEqual([
          actOf(name).permission,
          actOf(name).permission,
        ])
        expect(actOf(name).asksAgain).toBe(true)
      }
      expect([confirm.asksAgain, drop.asksAgain]).toEqual([true, false])
    },
  )
})

describe('an approval', () => {
  it('ignores the button of every other act, even with its own id', async () => {
    const { id, reference } = await aWaitingRefund()
    const people = { ...deps, adminEmails: new Set<string>() }
    const as = { operator: SECOND_OPERATOR, isConfirmed: true }
    const others: (() => Promise<{ ok: boolean }>)[] = [
      () => settleCancellation(using(), { ...as, orderId: id }),
      () => decidePayoutOrder(payoutDepsOf(world), { ...as, orderId: id }),
      () => settleAnswer(using(), { ...as, answerId: id }),
      () => settleNaming(people, { ...as, namingId: id }),
      () => settleNaming(people, { ...as, namingId: id, isConfirmed: false }),
    ]
    for (const other of others)
      expect(await leavesAsIs(world.db, 'settleApproval', other)).toEqual({ ok: false, reason: 'settled' })
    expect(await refundedCents(reference)).toBe(0)
    expect(await settle(id)).toMatchObject({ ok: true })
    expect(await refundedCents(reference)).toBe(10_000)
  })

  it('moves no money with a payload that its act’s schema refuses', async () => {
    const { id, reference } = await aWaitingRefund()
    const payload = JSON.stringify({ paymentId: 7, borneBy: 'the bank' })
    await sql`update approvals set payload = ${payload}::jsonb where id = ${id}`.execute(world.db)
    await expect(settle(id)).rejects.toThrow(/borneBy/)
    expect(await refundedCents(reference)).toBe(0)
  })

  it('can’t be confirmed once something else is left than when it was asked for', async () => {
    const { id, reference } = await aWaitingRefund()
    await sql`update approvals set seen = 'as it was' where id = ${id}`.execute(world.db)
    expect(await settle(id)).toEqual({ ok: false, reason: 'changed' })
    expect(await refundedCents(reference)).toBe(0)
  })

  it('moves its money once, by two confirmations at the same time', async () => {
    const { id, reference } = await aWaitingRefund()
    const both = await Promise.all([settle(id), settle(id)])
    expect(both.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await refundedCents(reference)).toBe(10_000)
  })

  it('ends after three days, of which whoever asked is told', async () => {
    const { id, paymentId } = await aWaitingRefund()
    world.clock.forward(ORDER_LIFE_MS)
    await expireApprovals(world.deps, world.clock.now())
    expect(await findOpenApproval(world.db, id, APPROVAL_ACTS.refund)).toBeNull()
    const { rows } = await sql`select outcome from approvals where id = ${id}`.execute(world.db)
    expect(rows).toEqual([{ outcome: 'expired' }])
    const told = await world.db
      .selectFrom('notifications')
      .select(['user_id', 'body', 'link'])
      .where('event_key', '=', `approval-expired:${id}`)
      .execute()
    expect(told).toEqual([
      {
        user_id: OPERATOR.userId,
        body: 'Refund: The Walled Garden. It has expired. If it’s still needed, ask again.',
        link: `/operations/payments/${paymentId}`,
      },
    ])
    expect(await settle(id)).toMatchObject({ ok: false })
  })
})
