import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { aBusiness } from '../builders.ts'
import { requestsTo, signUp } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { fillEarnings } from '../earnings.ts'
import { startServer, type TestServer } from '../server.ts'

/** The vendor's list of bookings and its CSV. */

let server: TestServer

afterAll(() => server.close())

const { get: read } = requestsTo(() => server)

const ago = (days: number) => new Date(Date.now() - days * DAY_MS)
let vendor: Awaited<ReturnType<typeof signUp>>
let businessId = ''

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase })
  const { db } = server.services
  vendor = await signUp(server, 'busy-vendor@example.com')
  businessId = (await aBusiness(db, { user_id: vendor.userId })).id
  const of = { vendorUserId: vendor.userId, businessId }
  const past = Array.from({ length: 60 }, (_, index) => ({
    ...of,
    customerName: `Guest ${index + 1}`,
    eventUntil: ago(30 + index),
    bookedAt: ago(40 + index),
  }))
  const waiting = { customerName: 'Zoë Ångström', eventUntil: ago(-20), status: 'pending' as const }
  await fillEarnings(db, [...past, { ...of, ...waiting, bookedAt: ago(200) }])
})

async function page(query = '', as = vendor) {
  const answer = await read(`/dashboard/bookings${query}`, as)
  expect(answer.status).toBe(200)
  // Between texts, React writes comments.
  const html = (await answer.text()).replaceAll('<!-- -->', '')
  return {
    html,
    names: [...html.matchAll(/aria-label="Booking of ([^"]+)"/g)].map(([, name]) => name),
  }
}

it('the list reads the newest and what waits, and leads to the rest', async () => {
  const { html, names } = await page()
  expect(names).toEqual([...Array.from({ length: 25 }, (_, index) => `Guest ${index + 1}`), 'Zoë Ångström'])
  expect(html).toContain('Show more (35)')
  expect(html).toContain('1 is waiting for your answer.')
  // The data of those that aren't shown isn't sent either.
  expect(html).not.toContain('Guest 26')
  const more = await page('?more=1')
  expect(more.names).toHaveLength(51)
  expect(more.html).toContain('Show more (10)')
  const all = await page('?more=2')
  expect(all.names).toHaveLength(61)
  expect(all.html).not.toContain('Show more')
})

it('the list finds any booking by its status and its customer’s name, and counts the waiting ones of all', async () => {
  expect((await page('?name=guest+6')).names).toEqual(['Guest 6', 'Guest 60'])
  expect((await page('?status=pending&name=ANGSTROM')).names).toEqual(['Zoë Ångström'])
  const none = await page('?status=declined')
  expect(none.names).toEqual([])
  expect(none.html).toContain('No bookings match this filter.')
  expect(none.html).toContain('1 is waiting for your answer.')
  expect(none.html).toContain('href="/dashboard/bookings.csv?status=declined"')
})

async function csv(query = '', as: { cookie?: string } = {}) {
  const answer = await read(`/dashboard/bookings.csv${query}`, as)
  return { answer, rows: (await answer.text()).trim().split('\r\n').slice(1) }
}

it('the CSV has all bookings, with the filter of the page', async () => {
  const { answer, rows } = await csv('', vendor)
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="bookings.csv"')
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(rows).toHaveLength(61)
  expect(rows[0]).toContain(',Guest 1,')
  expect((await csv('?name=guest+6', vendor)).rows).toHaveLength(2)
  expect((await csv(`?business=${businessId}&status=pending`, vendor)).rows).toHaveLength(1)
})

it('the list and its CSV need a login, and show another vendor only their own', async () => {
  const nobody = await read('/dashboard/bookings.csv?name=guest')
  expect([nobody.status, nobody.headers.get('location')]).toEqual([
    302,
    `/login?next=${encodeURIComponent('/dashboard/bookings.csv?name=guest')}`,
  ])
  const stranger = await signUp(server, 'another-vendor@example.com')
  expect((await page(`?business=${businessId}`, stranger)).names).toEqual([])
  expect((await csv(`?business=${businessId}`, stranger)).rows).toEqual([])
})
