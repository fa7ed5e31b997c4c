import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../app/shared/ids.ts'
import { MINUTE_MS } from '../../app/shared/time-units.ts'
import { Client, sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

const TOKEN = 'a-token-for-the-security-log'
const OPERATOR = 'operator@example.com'
const ACTIVITY = '/settings-privacy/activity'
const STREAM = '/operations/security-events.ndjson'

let server: TestServer
let owner: Client
let other: Client
let operator: Client
let ownerId = ''

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    env: { TRUSTED_PROXY: '1', OPERATOR_EMAILS: OPERATOR, SECURITY_EVENTS_TOKEN: TOKEN },
  })
  owner = await signedUp('owner@example.com')
  other = await signedUp('other@example.com')
  operator = await signedUp(OPERATOR)
  await server.services.db
    .updateTable('users')
    .set({ email_verified: true })
    .where('email', '=', OPERATOR)
    .execute()
  ownerId = (await owner.user())?.uid ?? ''
})
afterAll(() => server.close())

async function signedUp(email: string): Promise<Client> {
  const browser = new Client(server)
  await browser.signUp(email, { displayName: `Robin of ${email.split('@')[0]}` })
  return browser
}

const textOf = async (response: Response) =>
  (await response.text())
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

describe('recent activity', () => {
  it('shows the person what happened, newest first, with device and network but no whole address', async () => {
    const guesser = new Client(server)
    for (let tries = 0; tries < 3; tries++)
      await guesser.post('/login', { email: owner.email, password: 'a guess' })
    const text = await textOf(await owner.get(ACTIVITY))
    expect(text).toMatch(/Recent activity .*Login refused: wrong password 3 times .*You created your account/)
    expect(text).toContain('Firefox on Linux , the network you use now')
    expect(text).not.toMatch(/198\.18\.\d+\.[1-9]/)
    expect(text).toContain('This wasn’t me')
    expect(text).toContain('If it wasn’t you')
  })

  it('sends nobody to the login, and shows someone else only their own', async () => {
    const visitor = await new Client(server).get(ACTIVITY)
    expect([visitor.status, visitor.headers.get('location')]).toEqual([
      302,
      `/login?next=${encodeURIComponent(ACTIVITY)}`,
    ])
    const text = await textOf(await other.get(ACTIVITY))
    expect(text).toContain('You created your account')
    expect(text).not.toContain('Login refused')
  })

  it('says so when nothing has happened', async () => {
    const person = await signedUp('quiet@example.com')
    const userId = (await person.user())?.uid ?? ''
    await server.services.db.deleteFrom('security_events').where('user_id', '=', userId).execute()
    expect(await textOf(await person.get(ACTIVITY))).toContain('Nothing has happened yet.')
  })

  it('leads to Settings & Privacy, where each id is unique, or the fields of a form would belong to another element', async () => {
    const html = await (await owner.get('/settings-privacy')).text()
    const ids = [...html.matchAll(/<[a-z][^>]*\sid="([^"]+)"/g)].map(([, id = '']) => id)
    expect(ids).toContain('change-password')
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(await (await owner.get(ACTIVITY)).text()).toContain('/settings-privacy#change-password')
  })

  it('stays out of browsers’ caches', async () => {
    const response = await owner.get(ACTIVITY)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  it('comes in pages, and begins with the newest for a malformed cursor', async () => {
    const person = await signedUp('pages@example.com')
    const userId = (await person.user())?.uid ?? ''
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 0, minute))
    await server.services.db
      .insertInto('security_events')
      .values(
        Array.from({ length: 41 }, (_, index) => ({
          id: newId(),
          kind: 'sign-in' as const,
          user_id: userId,
          detail: 'passkey',
          device: `Device ${index}.`,
          network: null,
          // Two at the same moment, on both sides of a page's end.
          first_at: at(Math.floor(index / 2)),
          at: at(Math.floor(index / 2)),
        })),
      )
      .execute()
    const seen: string[] = []
    let path: string | undefined = ACTIVITY
    let pages = 0
    while (path && pages++ < 5) {
      const html = await (await person.get(path)).text()
      seen.push(...[...html.matchAll(/Device (\d+)\./g)].map(([, index = '']) => index))
      path = /href="([^"]*\?before=[^"]*)"/.exec(html)?.[1]
    }
    expect(pages).toBe(3)
    expect(new Set(seen).size).toBe(41)
    expect(seen.filter((index, position) => seen.indexOf(index) === position)).toHaveLength(41)
    for (const cursor of ['x', '1-2', `${'9'.repeat(15)}-${newId()}`, `99999999999999999999-${newId()}`]) {
      const response = await person.get(`${ACTIVITY}?before=${cursor}`)
      expect(response.status, cursor).toBe(200)
    }
  })

  it('appears in the export of the person’s data, which is recorded itself', async () => {
    const exported = (await (await owner.get('/settings-privacy/my-data.json')).json()) as {
      activity: { kind: string; times: number; network: string | null }[]
    }
    expect(exported.activity.map(({ kind }) => kind)).toEqual(['sign-up', 'sign-in-refused', 'data-exported'])
    expect(exported.activity[1]).toMatchObject({
      times: 3,
      network: expect.stringMatching(/^198\.18\.\d+\.0\/24$/),
    })
    expect(JSON.stringify(exported)).not.toContain('tally')
  })
})

describe('an account’s activity', () => {
  const path = () => `/operations/accounts/${ownerId}/activity`

  it('can’t be opened by nobody or by someone else, its owner included', async () => {
    for (const browser of [new Client(server), other, owner])
      expect((await browser.get(path())).status).toBe(404)
  })

  it('opens for operators, and each opening is in their log and in the account’s own activity', async () => {
    const list = await (await operator.get('/operations/accounts?q=owner')).text()
    expect(list).toContain(`href="${path()}"`)
    const text = await textOf(await operator.get(path()))
    expect(text).toContain('Activity of Robin of owner')
    expect(text).toContain('Login refused: wrong password')
    expect(await textOf(await operator.get('/operations/log'))).toMatch(
      /Opened an account’s activity : owner@example\.com operator@example\.com/,
    )
    const own = await (await owner.get(ACTIVITY)).text()
    expect(own).toContain('Our team looked at this list')
    // The owner learns neither which operator it was nor their network.
    expect(own).not.toContain(OPERATOR)
    const rows = await server.services.db
      .selectFrom('security_events')
      .selectAll()
      .where('kind', '=', 'operator-act')
      .execute()
    expect(rows).toMatchObject([
      {
        user_id: ownerId,
        actor_user_id: (await operator.user())?.uid,
        detail: 'open-activity',
        device: 'Firefox on Linux',
        network: expect.stringMatching(/^198\.18\.\d+\.0\/24$/),
      },
    ])
  })

  it('can be found by address or id after a deletion, by operators alone, and each opening is logged', async () => {
    const leaver = new Client(server)
    const email = 'leaver@example.com'
    await leaver.signUp(email, { displayName: 'Robin Left' })
    const id = (await leaver.user())?.uid ?? ''
    await leaver.post('/confirm-deletion', { intent: 'delete' })
    const gone = `/operations/accounts/${id}/activity`
    for (const query of ['Leaver@Example.com', id]) {
      const found = await (await operator.get(`/operations/accounts?q=${encodeURIComponent(query)}`)).text()
      expect([query, found.includes(`href="${gone}"`)]).toEqual([query, true])
      expect(found).not.toContain('Robin Left')
    }
    for (const query of ['leaver', 'someone@example.com', ''])
      expect(await (await operator.get(`/operations/accounts?q=${query}`)).text()).not.toContain(gone)
    for (const browser of [new Client(server), other]) {
      expect((await browser.get(`/operations/accounts?q=${id}`)).status).toBe(404)
      expect((await browser.get(gone)).status).toBe(404)
    }
    const text = await textOf(await operator.get(gone))
    expect(text).toMatch(/Activity of a deleted account .*Account deleted .*You created your account/)
    expect(await textOf(await operator.get(gone))).toContain('Our team looked at this list')
    expect(await textOf(await operator.get('/operations/log'))).toMatch(
      /Opened an account’s activity : deleted account/,
    )
    // The log has the address of a deleted account as a hash alone.
    const rows = await server.services.db
      .selectFrom('security_events')
      .selectAll()
      .where('user_id', '=', id)
      .execute()
    expect(JSON.stringify(rows)).not.toMatch(/leaver@/i)
  })

  it('answers 404 for an unknown account', async () => {
    expect((await operator.get('/operations/accounts/nobody/activity')).status).toBe(404)
  })
})

describe('the stream of the security log', () => {
  const read = (query = '', headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` }) =>
    sendTo(server, `${STREAM}${query}`, { headers })

  it('answers 404 without its token, even to an operator and on this machine', async () => {
    for (const headers of [{}, { authorization: TOKEN }, { authorization: `Bearer ${TOKEN}x` }] as Record<
      string,
      string
    >[])
      expect((await read('', headers)).status).toBe(404)
    expect((await operator.get(STREAM)).status).toBe(404)
    const unset = await startServer({ openDatabase: openTestDatabase })
    for (const authorization of ['Bearer ', 'Bearer null', `Bearer ${TOKEN}`])
      expect((await sendTo(unset, STREAM, { headers: { authorization } })).status).toBe(404)
    await unset.close()
  })

  it('returns each event once, as lines of JSON, a minute after it was recorded', async () => {
    const { db } = server.services
    const fresh = await read()
    expect([fresh.status, fresh.headers.get('content-type'), await fresh.text()]).toEqual([
      200,
      'application/x-ndjson',
      '',
    ])
    expect(fresh.headers.get('cache-control')).toBe('no-store')
    // They keep their microseconds, which a cursor in milliseconds would round off.
    await db
      .updateTable('security_events')
      .set({ recorded_at: sql<Date>`recorded_at - interval '61 seconds'` })
      .execute()
    const lines = (await (await read()).text()).trimEnd().split('\n')
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const { count } = await db
      .selectFrom('security_events')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    expect(events).toHaveLength(Number(count))
    expect(events.find(({ kind, accountId }) => kind === 'sign-in-refused' && accountId === ownerId)).toEqual(
      {
        cursor: expect.stringMatching(/^\d{16}-[0-9a-z]{26}$/),
        id: expect.any(String),
        at: expect.stringMatching(/Z$/),
        firstAt: expect.stringMatching(/Z$/),
        times: 3,
        kind: 'sign-in-refused',
        accountId: ownerId,
        addressHash: null,
        actorId: null,
        detail: 'invalid-credential',
        device: 'Firefox on Linux',
        network: expect.stringMatching(/^198\.18\.\d+\.0\/24$/),
      },
    )
    for (const [index, { cursor }] of events.entries()) {
      const rest = await (await read(`?after=${cursor}`)).text()
      expect(rest).toBe(
        lines
          .slice(index + 1)
          .map((line) => `${line}\n`)
          .join(''),
      )
    }
    expect(lines.join('')).not.toMatch(/example\.com|under the jacaranda|198\.18\.\d+\.[1-9]/)
  })

  it('returns a refusal again, with the same id, when it was counted again', async () => {
    const { db } = server.services
    const newest = (await (await read()).text()).trimEnd().split('\n').at(-1) ?? '{}'
    const { cursor } = JSON.parse(newest) as { cursor: string }
    await new Client(server).post('/login', { email: owner.email, password: 'a guess' })
    await db
      .updateTable('security_events')
      .set({ recorded_at: new Date(Date.now() - 60_500) })
      .where('kind', '=', 'sign-in-refused')
      .execute()
    const events = (await (await read(`?after=${cursor}`)).text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { times: number; accountId: string })
    expect(events).toMatchObject([{ accountId: ownerId, times: 4 }])
  })

  it('refuses a malformed cursor', async () => {
    for (const after of ['x', '1', `1-${'A'.repeat(26)}`, `${'9'.repeat(30)}-${newId()}`])
      expect((await read(`?after=${after}`)).status, after).toBe(400)
  })
})

describe('the alerts of the security log', () => {
  it('count the most refusals of one account or address, and from one network', async () => {
    // Counts from the database are cached for a while, so this needs a fresh process.
    const fresh = await startServer({ openDatabase: openTestDatabase })
    const values = (changes: object) => ({
      id: newId(),
      kind: 'sign-in-refused' as const,
      device: 'Firefox on Linux',
      network: null,
      first_at: new Date(),
      at: new Date(),
      ...changes,
    })
    await fresh.services.db
      .insertInto('security_events')
      .values([
        values({ user_id: 'a', times: 10, network: '203.0.113.0/24' }),
        values({ user_id: 'a', times: 20 }),
        values({ address_hash: 'b', times: 25, network: '203.0.113.0/24' }),
        values({ user_id: 'a', times: 500, at: new Date(Date.now() - 16 * MINUTE_MS) }),
        values({ kind: 'sign-in' as const, user_id: 'a', network: '203.0.113.0/24' }),
      ])
      .execute()
    const text = await (await sendTo(fresh, '/metrics')).text()
    expect(text).toContain('jubilee_refusals_max{by="account"} 30')
    expect(text).toContain('jubilee_refusals_max{by="network"} 35')
    expect(text).toContain('jubilee_security_events_lost_total 0')
    await fresh.close()
  })
})
