import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBookingForm } from '../builders.ts'
import { logIn, requestsTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { nextEventDate } from '../e2e/browser.ts'
import { bookAndPay } from '../e2e/paid-booking.ts'
import { startServer, type TestServer } from '../server.ts'

/** The desk on both overviews, and its count in the session. */

let server: TestServer
const { get } = requestsTo(() => server)
const cookies: Record<string, string> = { nobody: '' }

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, demo: true, env: { PAYOUTS: 'sandbox' } })
  for (const account of ['customer', 'vendor', 'operator'])
    cookies[account] = await logIn(server, `${account}@jubilee.example`)
  await bookAndPay(server.services, {
    businessId: 'harbour-light-pavilion',
    amountCents: 145_000,
    booking: aBookingForm({ date: nextEventDate(), email: 'customer@jubilee.example' }),
  })
})
afterAll(() => server.close())

async function read(path: string, as: string) {
  const answer = await get(path, { cookie: cookies[as] ?? '', headers: { accept: 'text/html' } })
  // Between texts, React writes comments.
  return { answer, html: (await answer.text()).replaceAll('<!-- -->', '') }
}
const countOf = (html: string) => Number(/Waiting for you \((\d+)\)/.exec(html)?.[1] ?? 0)
const waitingOf = async (as: string) => {
  const { html } = await read('/api/session', as)
  return (JSON.parse(html) as { waiting?: number }).waiting
}

describe('a vendor', () => {
  it('sees as many rows as heading and session count, each with one action', async () => {
    const { html } = await read('/dashboard', 'vendor')
    const count = countOf(html)
    expect(count).toBeGreaterThan(0)
    expect(await waitingOf('vendor')).toBe(count)
    const list = /aria-label="Waiting for you[\s\S]*?<\/section>/.exec(html)?.[0] ?? ''
    expect(list.split('<li').length - 1).toBe(count)
    expect(list.match(/<a [^>]*class="button/g)).toHaveLength(count)
    expect(list).toContain('wants to book')
    expect(html.indexOf('My Dashboard</h1>')).toBeLessThan(html.indexOf('Waiting for you'))
  })

  it('opens the bookings to decide by the time left', async () => {
    const { html } = await read('/dashboard', 'vendor')
    expect(html).toContain('href="/dashboard/bookings?status=pending"')
  })
})

describe('the operators’ list', () => {
  it.each([
    ['nobody', 'free times'],
    ['customer', 'free times'],
    ['vendor', 'free times'],
    ['operator', 'operations'],
  ])('tells its news to operators alone: %s hears of %s', async (as, heard) => {
    const venue = 'harbour-light-pavilion'
    const freeTimes = `availability-${venue}`
    const answer = await get(`/api/live?subject=operations&subject=${freeTimes}`, {
      cookie: cookies[as] ?? '',
    })
    const reader = answer.body?.getReader()
    let text = ''
    const readTo = async (end: RegExp) => {
      while (!end.test(text)) {
        const part = await reader?.read()
        if (!part?.value) throw new Error(`answered with ${answer.status} and ${text}`)
        text += new TextDecoder().decode(part.value)
      }
    }
    await readTo(/retry: .*\n/)
    const { db, liveUpdates } = server.services
    await db.transaction().execute((tx) => liveUpdates.publish(tx, 'operations:tasks', `calendar:${venue}`))
    await readTo(/data: .*\n/)
    await reader?.cancel()
    const first = /data: (.*)\n/.exec(text)?.[1]
    expect(first === freeTimes ? 'free times' : first).toBe(heard)
  })
})

describe('anybody else', () => {
  it('sees nothing of it: nobody is sent to /login, and a customer has no vendor’s rows', async () => {
    const { answer } = await read('/dashboard', 'nobody')
    expect(answer.headers.get('location')).toMatch(/^\/login/)
    expect(await waitingOf('nobody')).toBeUndefined()
    expect(await waitingOf('customer')).toBe(0)
    expect((await read('/dashboard', 'customer')).html).not.toContain('wants to book')
  })

  it('sees their own desk as a customer', async () => {
    const { html } = await read('/userdashboard/user', 'customer')
    expect(html).not.toContain('wants to book')
    const list = /aria-label="Waiting for you[\s\S]*?<\/section>/.exec(html)?.[0] ?? ''
    expect(list.split('<li').length - 1).toBe(countOf(html))
  })
})
