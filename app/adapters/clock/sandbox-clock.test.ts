import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTestDatabase, type TestConnection } from '../../../tests/database.ts'
import { HOUR_MS } from '../../shared/time-units.ts'
import { createLiveUpdates } from '../live-updates/notify.server.ts'
import { createSandboxClock, MAX_AHEAD_MS } from './sandbox-clock.server.ts'

const REAL_NOW = new Date('2027-03-01T00:00:00Z')

let connection: TestConnection
beforeAll(async () => {
  connection = await openTestDatabase()
})
afterAll(() => connection.close())
beforeEach(() => connection.db.deleteFrom('sandbox_clock').execute())

/** A clock as another process would have it. */
async function open() {
  return createSandboxClock({
    db: connection.db,
    liveUpdates: await createLiveUpdates(connection),
    realNow: () => REAL_NOW,
    onError: (error) => {
      throw error
    },
  })
}

const advance = (clock: Awaited<ReturnType<typeof open>>, byMs: number) =>
  connection.db.transaction().execute((tx) => clock.advance(tx, byMs))

it('shows the real time until it is moved, and survives a restart', async () => {
  const clock = await open()
  expect(clock.now()).toEqual(REAL_NOW)
  expect(await advance(clock, HOUR_MS)).toEqual({ ok: true, now: new Date('2027-03-01T01:00:00Z') })
  expect((await open()).now()).toEqual(new Date('2027-03-01T01:00:00Z'))
})

it('moves in every process, and adds up moves of several', async () => {
  const [one, other] = [await open(), await open()]
  await Promise.all([advance(one, HOUR_MS), advance(other, HOUR_MS), advance(one, HOUR_MS)])
  for (const clock of [one, other]) await expect.poll(() => clock.aheadMs()).toBe(3 * HOUR_MS)
})

it('does not move when the transaction is rolled back', async () => {
  const clock = await open()
  const undone = connection.db.transaction().execute(async (tx) => {
    await clock.advance(tx, HOUR_MS)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await clock.reread()
  expect(clock.aheadMs()).toBe(0)
})

it('refuses to go further than its limit', async () => {
  const clock = await open()
  expect(await advance(clock, MAX_AHEAD_MS)).toMatchObject({ ok: true })
  expect(await advance(clock, 1)).toEqual({ ok: false, reason: 'too_far' })
  await clock.reread()
  expect(clock.aheadMs()).toBe(MAX_AHEAD_MS)
})
