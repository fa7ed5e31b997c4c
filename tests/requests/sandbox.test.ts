import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../app/config.server.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { logIn, sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, demo: true })
})
afterAll(() => server.close())

async function call(path: string, body?: unknown) {
  const answer = await sendTo(server, `/api/sandbox/${path}`, {
    ...(typeof body === 'string' ? { body } : { json: body }),
    headers: { 'content-type': 'application/json', ...server.keyHeader },
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, never> }
}

async function text(path: string, cookie = '') {
  const answer = await sendTo(server, path, { cookie, headers: server.keyHeader })
  return { status: answer.status, html: await answer.text() }
}

async function submit(fields: Record<string, string>) {
  const answer = await sendTo(server, '/sandbox', { fields, headers: server.keyHeader })
  return { status: answer.status, html: await answer.text() }
}

describe('the sandbox’s clock', () => {
  it('moves what pages call today and leaves sessions alone', async () => {
    const cookie = await logIn(server, 'vendor@jubilee.example')
    const before = await call('clock')
    expect(before.body).toMatchObject({ aheadMs: 0 })
    const [business] = await server.services.db
      .selectFrom('businesses')
      .select('id')
      .where('price_cents', '>', 0)
      .limit(1)
      .execute()
    const firstDay = async () =>
      / min="(\d{4}-\d\d-\d\d)"/.exec((await text(`/book/${business?.id}`)).html)?.[1] ?? ''
    const dayBefore = await firstDay()

    const moved = await call('clock', { days: 100 })
    expect([moved.status, moved.body.aheadMs]).toEqual([200, 100 * DAY_MS])
    expect(Date.parse(await firstDay()) - Date.parse(dayBefore)).toBe(100 * DAY_MS)
    // Far longer than any session lives.
    await call('clock', { days: 400 })
    expect((await text('/dashboard/bookings', cookie)).status).toBe(200)
    expect((await call('clock')).body).toMatchObject({ aheadMs: 500 * DAY_MS })
  })

  it('queues each scheduled job once at each move', async () => {
    const queued = async () => {
      const { rows } = await sql<{ name: string; count: number }>`
        select name, count(*)::int as count from jobs.job where name in ('sweep-disputes', 'forget-old-limits')
        group by name order by name`.execute(server.services.db)
      return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
    }
    const before = await queued()
    await call('clock', { minutes: 1 })
    const after = await queued()
    // A minute may begin meanwhile, and queue the job of each minute.
    expect(after['sweep-disputes']).toBeGreaterThan(before['sweep-disputes'] ?? 0)
    expect(after['forget-old-limits']).toBe((before['forget-old-limits'] ?? 0) + 1)
  })

  it.each([
    [{}, 422],
    [{ days: -1 }, 422],
    [{ days: 1.5 }, 422],
    [{ days: 1_461 }, 422],
    [{ days: 'tomorrow' }, 422],
    [{ hours: 24 }, 422],
    [[], 422],
    [null, 422],
    ['not JSON', 400],
  ])('refuses %j with %i', async (body, status) => {
    const before = (await call('clock')).body.aheadMs
    const answer = await call('clock', body)
    expect(answer.status).toBe(status)
    expect(answer.body.error).toHaveProperty('message')
    expect((await call('clock')).body.aheadMs).toBe(before)
  })

  it('refuses to go more than four years ahead', async () => {
    const answer = await call('clock', { days: 1_460 })
    expect([answer.status, answer.body.error]).toEqual([409, expect.objectContaining({ code: 'too_far' })])
  })

  it('keeps a wrong step on the console beside its error', async () => {
    const wrong = await submit({ intent: 'clock', days: 'soon' })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toContain('Enter whole numbers')
    expect(wrong.html).toContain('value="soon"')
  })
})

describe('a step of a payment or account that doesn’t exist', () => {
  it.each([
    ['account', { account: 'sba_none', step: 'complete' }, 409],
    ['payout', { account: 'sba_none', step: 'pay' }, 409],
    ['account', { account: 'sba_none', step: 'open' }, 422],
    ['payout', { account: '\u0000', step: 'pay' }, 422],
    ['account', { step: 'complete' }, 422],
    ['payout', { account: 'x'.repeat(101), step: 'fail' }, 422],
    ['account', { account: 'sba_none', step: 'reject', webhooks: 'sometimes' }, 422],
    ['dispute', { payment: 'sb_none', step: 'open' }, 409],
    ['dispute', { payment: 'sb_none', step: 'win' }, 409],
    ['refund', { payment: 'sb_none', step: 'fail' }, 409],
    ['refund', { payment: '\u0000', step: 'fail' }, 422],
    ['refund', { payment: 'sb_none', step: 'explode' }, 422],
    ['dispute', { step: 'open' }, 422],
    ['dispute', { payment: 'x'.repeat(101), step: 'open' }, 422],
    ['dispute', { payment: 'sb_none', step: 'open', webhooks: 'sometimes' }, 422],
  ])('%s %j is refused with %i', async (path, body, status) => {
    expect((await call(path, body)).status).toBe(status)
  })
})

describe('the console', () => {
  it('exists on a loopback address with the sandbox alone', () => {
    const settings = { NODE_ENV: 'test', DATA_DIR: 'data', SECRET: 'x'.repeat(32) }
    const onPostgres = {
      ...settings,
      DATABASE_URL: 'postgres://localhost/jubilee',
      PAYMENTS: 'sandbox',
      MAIL: 'outbox',
    }
    const stripe = {
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
    }
    expect(readConfig(settings).isSandboxOpen).toBe(true)
    expect(readConfig({ ...onPostgres, PUBLIC_URL: 'http://localhost:3000' }).isSandboxOpen).toBe(true)
    expect(readConfig({ ...onPostgres, PUBLIC_URL: 'https://jubilee.example' }).isSandboxOpen).toBe(false)
    expect(readConfig({ ...settings, ...stripe }).isSandboxOpen).toBe(false)
  })
})
