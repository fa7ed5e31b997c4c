import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aUser, createKeptJobs } from '../../../tests/builders.ts'
import { openTestDatabase, type TestConnection } from '../../../tests/database.ts'
import { aPushTarget } from '../../../tests/push-receiver.ts'
import type { PushMessage, PushOutcome, PushTarget } from '../../adapters/push/port.ts'
import { newId } from '../../shared/ids.ts'
import { queuePush, sendPush, turnOffPush, turnOnPush } from './push-commands.server.ts'
import { exportPushDevices, listPushDevices } from './push-queries.server.ts'
import { MAX_PUSH_DEVICES, type PushNews, payloadOf } from './push-rules.ts'

const NOW = new Date('2026-11-23T02:00:00Z')
const DAY_MS = 86_400_000
const SESSION_LIFE_MS = 30 * DAY_MS
const NEWS: PushNews = { kind: 'booking', link: '/dashboard/bookings' }

let connection: TestConnection
let jobs: Awaited<ReturnType<typeof createKeptJobs>>
beforeAll(async () => {
  connection = await openTestDatabase()
  jobs = await createKeptJobs(connection.db)
})
afterAll(() => connection.close())
beforeEach(() => jobs.takeAll())

async function aSession(userId: string): Promise<string> {
  const id = newId()
  await connection.db
    .insertInto('sessions')
    .values({
      id,
      user_id: userId,
      token: newId(),
      expires_at: new Date(NOW.getTime() + SESSION_LIFE_MS),
      ip_address: null,
      user_agent: null,
      proved_at: null,
      created_at: NOW,
    })
    .execute()
  return id
}

async function turnsOn(userId: string, target = aPushTarget(), sessionId?: string, isUsable = true) {
  return turnOnPush(
    { db: connection.db, push: { isUsable: () => isUsable }, realNow: () => NOW },
    { userId, sessionId: sessionId ?? (await aSession(userId)), device: 'Chrome on Android', target },
  )
}

const devicesOf = (userId: string) => listPushDevices(connection.db, userId)

describe('turning notifications on', () => {
  it('keeps a device once for its session, and once for its browser', async () => {
    const user = await aUser(connection.db)
    const session = await aSession(user.id)
    const target = aPushTarget()
    expect(await turnsOn(user.id, target, session)).toEqual({ ok: true })
    // The browser made another subscription.
    expect(await turnsOn(user.id, aPushTarget(), session)).toEqual({ ok: true })
    expect(await devicesOf(user.id)).toHaveLength(1)
    expect(await turnsOn(user.id, target)).toEqual({ ok: true })
    // It signed in again.
    expect(await turnsOn(user.id, target)).toEqual({ ok: true })
    expect(await devicesOf(user.id)).toHaveLength(2)
  })

  it('takes the browser from the account that had it before', async () => {
    const [before, after] = [await aUser(connection.db), await aUser(connection.db)]
    const target = aPushTarget()
    await turnsOn(before.id, target)
    await turnsOn(after.id, target)
    expect(await devicesOf(before.id)).toEqual([])
    expect(await devicesOf(after.id)).toHaveLength(1)
  })

  it('gives a browser to one of two accounts that ask at the same moment', async () => {
    for (let round = 0; round < 8; round++) {
      const users = [await aUser(connection.db), await aUser(connection.db)]
      const sessions = await Promise.all(users.map(({ id }) => aSession(id)))
      const target = aPushTarget()
      const answers = await Promise.all(users.map(({ id }, index) => turnsOn(id, target, sessions[index])))
      expect(answers).toEqual([{ ok: true }, { ok: true }])
      const devices = await Promise.all(users.map(({ id }) => devicesOf(id)))
      expect(devices.flat()).toHaveLength(1)
    }
  })

  it('fails with unusable keys or an unusable endpoint', async () => {
    const user = await aUser(connection.db)
    expect(await turnsOn(user.id, aPushTarget(), undefined, false)).toEqual({ ok: false, reason: 'unusable' })
    expect(await devicesOf(user.id)).toEqual([])
  })

  it('takes the browser from the account that had it before, even above the limit of devices', async () => {
    const [before, after] = [await aUser(connection.db), await aUser(connection.db)]
    const target = aPushTarget()
    await turnsOn(before.id, target)
    for (let at = 0; at < MAX_PUSH_DEVICES; at++) await turnsOn(after.id)
    expect(await turnsOn(after.id, target)).toEqual({ ok: false, reason: 'too_many_devices' })
    expect(await devicesOf(before.id), 'it would show their news to another person').toEqual([])
  })

  it('fails above the limit of devices, except on a device that has notifications already', async () => {
    const user = await aUser(connection.db)
    const last = aPushTarget()
    for (let at = 1; at < MAX_PUSH_DEVICES; at++) expect(await turnsOn(user.id)).toEqual({ ok: true })
    expect(await turnsOn(user.id, last)).toEqual({ ok: true })
    expect(await turnsOn(user.id)).toEqual({ ok: false, reason: 'too_many_devices' })
    expect(await turnsOn(user.id, last)).toEqual({ ok: true })
    expect(await devicesOf(user.id)).toHaveLength(MAX_PUSH_DEVICES)
    expect(await turnsOn((await aUser(connection.db)).id)).toEqual({ ok: true })
  })
})

describe('turning notifications off', () => {
  it('refuses another account’s device', async () => {
    const [owner, other] = [await aUser(connection.db), await aUser(connection.db)]
    await turnsOn(owner.id)
    const [device] = await devicesOf(owner.id)
    const id = device?.id ?? ''
    expect(await turnOffPush(connection.db, { userId: other.id, id })).toBe(false)
    expect(await devicesOf(owner.id)).toHaveLength(1)
    expect(await turnOffPush(connection.db, { userId: owner.id, id })).toBe(true)
    expect(await turnOffPush(connection.db, { userId: owner.id, id })).toBe(false)
  })

  it('comes with the end of the session, and with the account', async () => {
    const user = await aUser(connection.db)
    const session = await aSession(user.id)
    await turnsOn(user.id, aPushTarget(), session)
    await turnsOn(user.id)
    await connection.db.deleteFrom('sessions').where('id', '=', session).execute()
    expect(await devicesOf(user.id)).toHaveLength(1)
    await connection.db.deleteFrom('users').where('id', '=', user.id).execute()
    expect(await devicesOf(user.id)).toEqual([])
  })
})

describe('the export of an account', () => {
  it('lists the devices without their endpoints and keys', async () => {
    const user = await aUser(connection.db)
    const target = aPushTarget('https://push.example.net/a-secret-address')
    await turnsOn(user.id, target)
    const exported = await exportPushDevices(connection.db, user.id)
    expect(exported).toEqual([{ device: 'Chrome on Android', service: 'push.example.net', createdAt: NOW }])
    for (const secret of ['a-secret-address', target.auth, target.p256dh])
      expect(JSON.stringify(exported)).not.toContain(secret)
  })
})

describe('news', () => {
  it('queues a message for each device of the user when the event is committed', async () => {
    const [user, other] = [await aUser(connection.db), await aUser(connection.db)]
    for (const { id } of [user, user, other]) await turnsOn(id)
    const rolledBack = connection.db.transaction().execute(async (tx) => {
      await queuePush({ jobs }, tx, { userId: user.id, ...NEWS })
      throw new Error('The event failed.')
    })
    await expect(rolledBack).rejects.toThrow('The event failed.')
    expect(await jobs.takeAll()).toEqual([])
    await connection.db.transaction().execute((tx) => queuePush({ jobs }, tx, { userId: user.id, ...NEWS }))
    const devices = await devicesOf(user.id)
    const queued = (await jobs.takeAll()).map(({ name, data }) => ({ name, data }))
    expect(queued).toHaveLength(2)
    for (const { id } of devices)
      expect(queued).toContainEqual({ name: 'send-push', data: { subscriptionId: id, ...NEWS } })
  })

  it('contains a kind and a link, whatever else is known', () => {
    expect(JSON.parse(payloadOf({ ...NEWS, customerName: 'Kim Lee' } as PushNews))).toEqual(NEWS)
  })
})

describe('sending', () => {
  const sent: { target: PushTarget; message: PushMessage }[] = []
  const warnings: object[] = []
  const ended = new Set<string>()
  beforeEach(() => {
    sent.length = 0
    warnings.length = 0
  })

  const sends = (subscriptionId: string, outcome: PushOutcome | null = 'sent', news = NEWS) =>
    sendPush(
      {
        db: connection.db,
        isLiveSession: async (id) => !ended.has(id),
        log: { warn: (fields) => warnings.push(fields) },
        async send(target, message) {
          sent.push({ target, message })
          return outcome
        },
      },
      { subscriptionId, ...news },
    )

  async function aDevice() {
    const user = await aUser(connection.db)
    const target = aPushTarget()
    const session = await aSession(user.id)
    await turnsOn(user.id, target, session)
    const [device] = await devicesOf(user.id)
    return { userId: user.id, target, session, id: device?.id ?? '' }
  }

  it('goes to the device with its keys, under a topic of its link', async () => {
    const { id, target } = await aDevice()
    await sends(id)
    await sends(id)
    await sends(id, 'sent', { ...NEWS, link: '/dashboard/inbox/a' })
    const [first, again, other] = sent
    expect(first?.target).toEqual(target)
    expect(first?.message.payload).toBe('{"kind":"booking","link":"/dashboard/bookings"}')
    expect(first?.message.topic).toMatch(/^[\w-]{1,32}$/)
    expect(again?.message.topic).toBe(first?.message.topic)
    expect(other?.message.topic).not.toBe(first?.message.topic)
  })

  it('stops once the device’s session is over', async () => {
    const { id, session } = await aDevice()
    ended.add(session)
    await sends(id)
    expect(sent).toEqual([])
  })

  it('does nothing for a device that is off', async () => {
    await sends('no-such-subscription')
    expect(sent).toEqual([])
  })

  it('removes a subscription that its push service has ended', async () => {
    const { id, userId } = await aDevice()
    await sends(id, 'gone')
    expect(await devicesOf(userId)).toEqual([])
  })

  it('fails while the push service is unavailable, so that the queue tries again', async () => {
    const { id, userId } = await aDevice()
    await expect(sends(id, 'unavailable')).rejects.toThrow('unavailable')
    expect(await devicesOf(userId)).toHaveLength(1)
  })

  it('gives up a message that the push service refuses, and logs the service alone', async () => {
    const { id, userId } = await aDevice()
    await sends(id, 'refused')
    expect(await devicesOf(userId)).toHaveLength(1)
    expect(warnings).toEqual([{ service: 'push.example.net' }])
  })
})
