import { describe, expect, it } from 'vitest'
import { booked, CARDS, deps, event, receive, setBookingStage, world } from '../../../tests/booking-stage.ts'
import { newId } from '../../shared/ids.ts'
import { measureDisputes } from './dispute-queries.server.ts'
import { DISPUTE_ALERT_MS } from './rules.ts'

setBookingStage()

describe('measureDisputes', () => {
  it('counts the disputes to answer, and those whose deadline is 72 hours away or less', async () => {
    const measured = () => measureDisputes(world.db, world.clock.now())
    expect(await measured()).toEqual({ open: 0, due: 0 })
    const { paymentId, reference } = await booked({}, CARDS.disputed)
    await receive(deps, event(reference, newId(), 'charge.dispute.created'))
    expect(await measured()).toEqual({ open: 1, due: 0 })
    const { evidence_due_at: dueAt } = await world.db
      .selectFrom('disputes')
      .select('evidence_due_at')
      .where('payment_id', '=', paymentId)
      .executeTakeFirstOrThrow()
    const untilAlert = (dueAt?.getTime() ?? 0) - DISPUTE_ALERT_MS - world.clock.now().getTime()
    world.clock.forward(untilAlert - 1)
    expect(await measured()).toEqual({ open: 1, due: 0 })
    world.clock.forward(1)
    expect(await measured()).toEqual({ open: 1, due: 1 })
    await world.db.updateTable('disputes').set({ status: 'under_review' }).execute()
    expect(await measured()).toEqual({ open: 0, due: 0 })
  })
})
