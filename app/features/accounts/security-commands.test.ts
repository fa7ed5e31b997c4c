import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aClock, TEST_SECRET } from '../../../tests/builders.ts'
import { openEmbeddedDatabase, openTestDatabase, type TestConnection } from '../../../tests/database.ts'
import type { SecurityEvent, SecurityLog } from '../../adapters/accounts/security-log.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/time-units.ts'
import { createSecurityLog, forgetSecurityEvents } from './security-commands.server.ts'
import { listActivity } from './security-queries.server.ts'

let connection: TestConnection
let log: SecurityLog
const clock = aClock()
const lost: unknown[] = []

beforeAll(async () => {
  connection = await openTestDatabase()
})
afterAll(() => connection.close())
beforeEach(async () => {
  await connection.db.deleteFrom('security_events').execute()
  lost.length = 0
  log = createSecurityLog({
    db: connection.db,
    secret: TEST_SECRET,
    onLost: (error) => void lost.push(error),
    now: clock.now,
  })
})

const ORIGIN = { userAgent: 'Firefox/140.0 Linux', network: '203.0.113.0/24' }
const anEvent = (changes: Partial<SecurityEvent> = {}): SecurityEvent => ({
  kind: 'sign-in',
  userId: 'person',
  origin: ORIGIN,
  detail: 'password',
  ...changes,
})
const rows = () => connection.db.selectFrom('security_events').selectAll().orderBy('recorded_at').execute()

describe('the security log', () => {
  it('stores who, when, the device in words and the coarse network', async () => {
    await log.noteAfter(anEvent())
    expect(await rows()).toMatchObject([
      {
        kind: 'sign-in',
        user_id: 'person',
        actor_user_id: null,
        detail: 'password',
        device: 'Firefox on Linux',
        network: '203.0.113.0/24',
        times: 1,
        at: clock.now(),
      },
    ])
  })

  it('keeps each sign-in, and counts refusals alike in one row for a quarter of an hour', async () => {
    const refused = anEvent({ kind: 'sign-in-refused', detail: 'invalid-credential' })
    for (const event of [anEvent(), anEvent(), refused, refused, { ...refused, userId: 'other' }])
      await log.noteAfter(event)
    clock.forward(15 * MINUTE_MS)
    await log.noteAfter(refused)
    expect((await rows()).map(({ kind, user_id, times }) => [kind, user_id, times])).toEqual([
      ['sign-in', 'person', 1],
      ['sign-in', 'person', 1],
      ['sign-in-refused', 'person', 2],
      ['sign-in-refused', 'other', 1],
      ['sign-in-refused', 'person', 1],
    ])
  })

  it('counts refusals of an address without an account by a keyed hash, and never stores the address', async () => {
    const of = (email: string) =>
      anEvent({ kind: 'sign-in-refused', userId: null, email, detail: 'invalid-credential' })
    for (const email of ['kim@example.com', 'Kim@Example.com ', 'robin@example.com'])
      await log.noteAfter(of(email))
    const stored = await rows()
    expect(stored.map(({ times }) => times)).toEqual([2, 1])
    expect(JSON.stringify(stored)).not.toMatch(/kim|robin|example/i)
    const other = createSecurityLog({
      db: connection.db,
      secret: 'another secret for tests, long enough',
      onLost: () => {},
      now: clock.now,
    })
    await other.noteAfter(of('kim@example.com'))
    expect(new Set((await rows()).map(({ address_hash }) => address_hash)).size).toBe(3)
  })

  it('counts refusals past a limit by network, however many addresses are typed', async () => {
    for (const name of ['a', 'b', 'c'])
      await log.noteAfter(
        anEvent({
          kind: 'sign-in-refused',
          userId: null,
          email: `${name}@example.com`,
          detail: 'too-many-requests',
        }),
      )
    expect(await rows()).toMatchObject([{ times: 3, address_hash: null }])
  })

  it('stores no event of an act whose transaction fails', async () => {
    const act = connection.db.transaction().execute(async (tx) => {
      await log.note(tx, anEvent({ kind: 'password-reset' }))
      throw new Error('the act failed')
    })
    await expect(act).rejects.toThrow('the act failed')
    expect(await rows()).toEqual([])
  })

  it('deletes events after 180 days', async () => {
    await log.noteAfter(anEvent())
    clock.forward(DAY_MS)
    await log.noteAfter(anEvent({ kind: 'sign-out' }))
    const forget = (days: number) =>
      forgetSecurityEvents({
        db: connection.db,
        realNow: () => new Date(clock.now().getTime() + days * DAY_MS - DAY_MS + 1),
      })
    await forget(179)
    expect(await rows()).toHaveLength(2)
    await forget(180)
    expect((await rows()).map(({ kind }) => kind)).toEqual(['sign-out'])
  })
})

describe('a security log that fails', () => {
  it('lets a sign-in through while its table is locked, and records it later', async () => {
    const locked = Promise.withResolvers<void>()
    const noted = Promise.withResolvers<void>()
    const holding = connection.db.transaction().execute(async (tx) => {
      await sql`lock table security_events in access exclusive mode`.execute(tx)
      locked.resolve()
      await noted.promise
    })
    await locked.promise
    // Without a limit, this would wait for the transaction that waits for it.
    await log.noteAfter(anEvent())
    noted.resolve()
    await holding
    await expect.poll(async () => (await rows()).length).toBe(1)
    expect([log.lost(), lost.length]).toEqual([0, 0])
  })

  it('lets a sign-in through, and reports and counts the lost event', async () => {
    const failing = await openTestDatabase()
    await failing.db.schema.dropTable('security_events').execute()
    const broken = createSecurityLog({
      db: failing.db,
      secret: TEST_SECRET,
      onLost: (error) => void lost.push(error),
      now: clock.now,
    })
    await broken.noteAfter(anEvent())
    expect([broken.lost(), lost.length]).toEqual([1, 1])
    await failing.close()
  })
})

describe('the activity of an account', () => {
  it.each([
    ['the embedded database', openEmbeddedDatabase],
    ["this machine's database", openTestDatabase],
  ])('begins with the newest event for a cursor beyond every date, on %s', async (_, open) => {
    const own = await open()
    await createSecurityLog({
      db: own.db,
      secret: TEST_SECRET,
      onLost: (error) => void lost.push(error),
      now: clock.now,
    }).noteAfter(anEvent())
    for (const digits of [13, 14, 15, 16]) {
      const before = `${'9'.repeat(digits)}-${'z'.repeat(26)}`
      expect(await listActivity(own.db, { userId: 'person', before }), before).toMatchObject({
        events: [{ kind: 'sign-in' }],
      })
    }
    await own.close()
  })
})
