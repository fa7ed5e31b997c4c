import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBookingWorld } from '../../../tests/builders.ts'
import { aPaidVendor, books } from '../../../tests/payout-stage.ts'
import type { LiveTopic } from '../../adapters/live-updates/port.ts'
import { newId } from '../../shared/ids.ts'
import { HOUR_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { decideBooking } from '../bookings/decisions/commands.server.ts'
import { endSnoozes, snoozeTask, unsnoozeTask } from './commands.server.ts'
import { countVendorTasks, listVendorDesk } from './queries.server.ts'
import type { SnoozeChoice } from './snooze-rules.ts'

let world: Awaited<ReturnType<typeof aBookingWorld>>
let vendor: Awaited<ReturnType<typeof aPaidVendor>>
let request: { kind: string; row: string }

beforeAll(async () => {
  world = await aBookingWorld()
})
afterAll(() => world.close())
/** A request to answer within ten days. */
beforeEach(async () => {
  vendor = await aPaidVendor(world)
  const { bookingId } = await books(world, vendor.business, { daysAhead: 60, isApproved: false })
  request = { kind: 'request', row: bookingId }
  await decideBy(240 * HOUR_MS)
})

const now = () => world.clock.now()
const decideBy = (ms: number) =>
  world.db
    .updateTable('bookings')
    .set({ decide_by: new Date(now().getTime() + ms) })
    .where('id', '=', request.row)
    .execute()
const about = (userId = vendor.userId) => ({ userId, provider: 'sandbox', now: now() })
const desk = (userId?: string) => listVendorDesk(world.db, about(userId))
const rowsOf = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id)
const snoozes = (choice: SnoozeChoice = 'three_days', userId = vendor.userId) =>
  snoozeTask({ db: world.db, now }, { userId, provider: 'sandbox', ...request, choice })
const unsnoozes = (userId = vendor.userId) => unsnoozeTask({ db: world.db }, { userId, ...request })

/** Waits until everything announced so far has been heard: announcements keep their order. */
async function allHeard() {
  const topic = `desk:${newId()}` as const
  let isHeard = false
  const stop = world.deps.liveUpdates.subscribe([topic], () => {
    isHeard = true
  })
  await world.db.transaction().execute((tx) => world.deps.liveUpdates.publish(tx, topic))
  await expect.poll(() => isHeard).toBe(true)
  stop()
}

describe('a row of ‘Waiting for you’', () => {
  it('leaves the list for later, and the count follows', async () => {
    const count = await countVendorTasks(world.db, about())
    const snoozed = await snoozes()
    expect(snoozed).toMatchObject({ ok: true })
    const { tasks, later } = await desk()
    expect(rowsOf(tasks)).not.toContain(request.row)
    expect(later).toMatchObject([{ id: request.row, until: snoozed.ok ? snoozed.until.toISOString() : '' }])
    expect(await countVendorTasks(world.db, about())).toBe(count - 1)
  })

  it('comes back at a press, and a second press changes nothing', async () => {
    await snoozes()
    await unsnoozes()
    await unsnoozes()
    const { tasks, later } = await desk()
    expect([rowsOf(tasks), later]).toEqual([[request.row], []])
  })

  it('returns by itself, and open pages hear of it', async () => {
    const heard: LiveTopic[] = []
    const stop = world.deps.liveUpdates.subscribe([`desk:${vendor.userId}`], (topic) => heard.push(topic))
    const snoozed = await snoozes('tomorrow')
    await allHeard()
    heard.length = 0
    const until = snoozed.ok ? snoozed.until.getTime() : 0
    world.clock.forward(until - now().getTime() - MINUTE_MS)
    await endSnoozes({ db: world.db, now })
    expect(rowsOf((await desk()).tasks)).toEqual([])
    await allHeard()
    expect(heard).toEqual([])
    world.clock.forward(MINUTE_MS)
    expect(rowsOf((await desk()).tasks)).toEqual([request.row])
    await endSnoozes({ db: world.db, now })
    await allHeard()
    expect(heard).toHaveLength(1)
    stop()
  })

  it('returns a day before a deadline that has come nearer', async () => {
    await snoozes('week')
    await decideBy(25 * HOUR_MS)
    expect(rowsOf((await desk()).tasks)).toEqual([])
    await decideBy(24 * HOUR_MS)
    expect(rowsOf((await desk()).tasks)).toEqual([request.row])
  })

  it('can’t be put off within 24 hours of its deadline', async () => {
    await decideBy(36 * HOUR_MS)
    expect(await snoozes('three_days')).toEqual({ ok: false, reason: 'too_late' })
    await decideBy(20 * HOUR_MS)
    expect(await snoozes('tomorrow')).toEqual({ ok: false, reason: 'too_late' })
    expect(rowsOf((await desk()).tasks)).toEqual([request.row])
  })

  it('goes when it is done, and doesn’t return when its time comes', async () => {
    await snoozes('tomorrow')
    await decideBooking(world.deps, {
      userId: vendor.userId,
      bookingId: request.row,
      decision: 'approved',
    })
    expect((await desk()).later).toEqual([])
    expect(await snoozes()).toEqual({ ok: false, reason: 'not_found' })
  })

  it('isn’t another vendor’s, nor nobody’s', async () => {
    const stranger = await aPaidVendor(world)
    expect(await snoozes('tomorrow', stranger.userId)).toEqual({ ok: false, reason: 'not_found' })
    expect(await snoozes('tomorrow', '')).toEqual({ ok: false, reason: 'not_found' })
    await snoozes()
    await unsnoozes(stranger.userId)
    expect(rowsOf((await desk()).later)).toEqual([request.row])
  })
})
