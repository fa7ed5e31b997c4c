import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endInvitations, inviteReviews } from '../../app/features/reviews/invitation-commands.server.ts'
import { bookingDeps } from '../../app/services/deps.server.ts'
import { newId } from '../../app/shared/ids.ts'
import { DAY_MS } from '../../app/shared/time-units.ts'
import { aBookingForm, movesEvent } from '../builders.ts'
import { logIn, requestsTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { nextEventDate } from '../e2e/browser.ts'
import { bookAndPay } from '../e2e/paid-booking.ts'
import { startServer, type TestServer } from '../server.ts'

/** The time after a booking: a message to its vendor, an invitation to review it, and rows of the desk for later. */

let server: TestServer
let email: string
let booked: Awaited<ReturnType<typeof bookAndPay>>
const cookies: Record<string, string> = { nobody: '' }
const { get, post } = requestsTo(
  () => server,
  () => ({ headers: { accept: 'text/html' } }),
)
const by = (who: string) => ({ cookie: cookies[who] ?? '' })
const db = () => server.services.db

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, demo: true, env: { PAYOUTS: 'sandbox' } })
  for (const account of ['customer', 'vendor', 'operator'])
    cookies[account] = await logIn(server, `${account}@jubilee.example`)
})
afterAll(() => server.close())

/** A guest's paid booking with the demo's vendor. */
beforeEach(async () => {
  email = `${newId(8)}@example.com`.toLowerCase()
  booked = await bookAndPay(server.services, {
    businessId: 'harbour-light-pavilion',
    amountCents: 145_000,
    booking: aBookingForm({ date: nextEventDate(), email }),
  })
})

const textOf = async (answer: Response) => (await answer.text()).replaceAll('<!-- -->', '')

/** Moves the booking's event to three days ago. */
async function passes() {
  const date = new Date(server.services.now().getTime() - 3 * DAY_MS).toISOString().slice(0, 10)
  await movesEvent(db(), booked.bookingId, date)
  await db().updateTable('bookings').set({ status: 'approved' }).where('id', '=', booked.bookingId).execute()
}

const reviewsOf = () =>
  db()
    .selectFrom('reviews')
    .select(['rating', 'user_id'])
    .where('booking_id', '=', booked.bookingId)
    .execute()

describe('the form of a review by the booking’s link', () => {
  const typed = { rating: '5', body: 'The lights on the water, and not one speech too long.' }

  it('shows the rating of the pressed star, and stores nothing when it opens', async () => {
    await passes()
    for (const rating of [1, 2, 3, 4, 5]) {
      const answer = await get(`${booked.path}/review?rating=${rating}`)
      expect(answer.status).toBe(200)
      const html = await textOf(answer)
      const chosen = [...html.matchAll(/<input[^>]*name="rating"[^>]*>/g)].filter(([input]) =>
        input.includes('checked'),
      )
      expect(chosen.map(([input]) => /value="(\d)"/.exec(input)?.[1])).toEqual([String(rating)])
    }
    const none = await textOf(await get(`${booked.path}/review?rating=6`))
    expect(/<input[^>]*name="rating"[^>]*checked/.test(none)).toBe(false)
    expect(await reviewsOf()).toEqual([])
  })

  it('takes a guest’s review without a login, once, and keeps what is refused', async () => {
    await passes()
    const refused = await post(`${booked.path}/review`, { ...typed, rating: '' })
    expect(refused.status).toBe(422)
    expect(await textOf(refused)).toContain(typed.body)
    const sent = await post(`${booked.path}/review`, typed)
    expect(sent.status).toBe(200)
    expect(await textOf(sent)).toContain('Your review is with us')
    expect(await textOf(await post(`${booked.path}/review`, typed))).toContain(
      'You have already written a review',
    )
    expect(await reviewsOf()).toEqual([{ rating: 5, user_id: null }])
  })

  it('refuses the vendor who holds the link, a wrong link, and an event that isn’t over', async () => {
    expect((await post(`${booked.path}/review`, typed)).status).toBe(409)
    await passes()
    expect((await post(`${booked.path}/review`, typed, by('vendor'))).status).toBe(403)
    expect((await post(`/bookings/${'x'.repeat(43)}/review`, typed)).status).toBe(404)
    expect(await reviewsOf()).toEqual([])
  })
})

describe('the end of invitations', () => {
  it('takes one POST of a mail program, without an origin or a login; a GET ends nothing', async () => {
    await passes()
    await inviteReviews(bookingDeps(server.services))
    const mail = async () =>
      ((await server.services.outbox?.list(100)) ?? []).find(
        (each) => each.to === email && each.subject.startsWith('How was'),
      )
    await expect.poll(mail, { timeout: 20_000 }).toBeTruthy()
    const url = new URL((await mail())?.unsubscribeUrl ?? '')
    const path = url.pathname + url.search
    const ends = async () => (await db().selectFrom('review_invitation_ends').selectAll().execute()).length
    expect((await get(path)).status).toBe(200)
    expect(await ends()).toBe(0)
    const wrong = path.replace(/token=.{5}/, 'token=aaaaa')
    expect((await post(wrong, { 'List-Unsubscribe': 'One-Click' })).status).toBe(400)
    const answer = await post(path, { 'List-Unsubscribe': 'One-Click' }, { headers: { origin: undefined } })
    expect(answer.status).toBe(200)
    expect(await ends()).toBe(1)
    expect(await endInvitations(bookingDeps(server.services), { bookingId: '', token: '' })).toMatchObject({
      ok: false,
    })
  })
})

describe('a message from the booking’s page', () => {
  const aMessage = (body = 'May the florist come at noon?') => ({ body, submitKey: newId(24) })
  const talks = () =>
    db().selectFrom('conversations').select('id').where('booking_id', '=', booked.bookingId).execute()

  it('leads a guest to the conversation, and the vendor’s inbox to the booking', async () => {
    expect(await textOf(await get(booked.path))).toContain(`href="${booked.path}/message"`)
    const form = await get(`${booked.path}/message`)
    expect(await textOf(form)).toContain('Message Harbour Light Pavilion')
    const sent = await post(`${booked.path}/message`, aMessage())
    expect(sent.status).toBe(302)
    const place = sent.headers.get('location') ?? ''
    expect(place).toMatch(/^\/conversations\/[\w-]{43}$/)
    expect(await textOf(await get(place))).toContain('May the florist come at noon?')
    // A guest's list of bookings is behind the login.
    expect(await textOf(await get(place))).toMatch(/<span>Booking on [^<]+<\/span>/)
    expect(await textOf(await get(place, by('customer')))).toMatch(
      /<a[^>]+href="\/my-bookings"[^>]*>Booking on /,
    )
    // From then on, the booking's page leads there.
    expect((await get(`${booked.path}/message`)).headers.get('location')).toBe(place)
    const [talk] = await talks()
    const inbox = await textOf(await get(`/dashboard/inbox/${talk?.id}`, by('vendor')))
    expect(inbox).toContain(`href="/dashboard/bookings#booking-${booked.bookingId}"`)
  })

  it('keeps what is refused, and stores nothing for a wrong link or for the vendor', async () => {
    const long = await post(`${booked.path}/message`, aMessage('x'.repeat(4_001)))
    expect(long.status).toBe(422)
    expect(await textOf(long)).toContain('x'.repeat(4_001))
    expect((await post(`${booked.path}/message`, { ...aMessage(), body: ' ' })).status).toBe(422)
    expect((await post(`/bookings/${'x'.repeat(43)}/message`, aMessage())).status).toBe(404)
    expect((await get(`/bookings/${'x'.repeat(43)}/message`)).status).toBe(404)
    expect((await post(`${booked.path}/message`, aMessage(), by('vendor'))).status).toBe(403)
    expect(await talks()).toEqual([])
  })

  it('makes one message of a double click', async () => {
    const message = aMessage()
    const places = await Promise.all([1, 2].map(() => post(`${booked.path}/message`, message)))
    expect(new Set(places.map(({ headers }) => headers.get('location'))).size).toBe(1)
    expect(await talks()).toHaveLength(1)
  })
})

describe('a row of the vendor’s desk', () => {
  const snooze = () => ({ intent: 'snooze', kind: 'request', row: booked.bookingId, choice: 'tomorrow' })
  const waiting = async () =>
    ((await (await get('/api/session', by('vendor'))).json()) as { waiting: number }).waiting
  const kept = () =>
    db().selectFrom('desk_snoozes').select('user_id').where('row_id', '=', booked.bookingId).execute()

  beforeEach(async () => {
    const decide_by = new Date(server.services.now().getTime() + 9 * DAY_MS)
    await db().updateTable('bookings').set({ decide_by }).where('id', '=', booked.bookingId).execute()
  })

  it('goes for later and comes back at its vendor’s press, and the session’s count follows', async () => {
    const before = await waiting()
    const html = await textOf(await get('/dashboard', by('vendor')))
    expect(html).toContain('Tomorrow, 9 am')
    expect((await post('/dashboard?index', snooze(), by('vendor'))).status).toBe(200)
    expect(await waiting()).toBe(before - 1)
    expect(await textOf(await get('/dashboard', by('vendor')))).toContain('1 for later')
    const back = { intent: 'unsnooze', kind: 'request', row: booked.bookingId }
    expect((await post('/dashboard?index', back, by('vendor'))).status).toBe(200)
    expect(await waiting()).toBe(before)
  })

  it('stays as it was as nobody, as someone else, and with another choice', async () => {
    const asNobody = await post('/dashboard?index', snooze())
    expect(asNobody.headers.get('location')).toMatch(/^\/login/)
    expect((await post('/dashboard?index', snooze(), by('operator'))).status).toBe(404)
    expect((await post('/dashboard?index', { ...snooze(), choice: 'never' }, by('vendor'))).status).toBe(404)
    expect(await kept()).toEqual([])
    await post('/dashboard?index', snooze(), by('vendor'))
    await post(
      '/dashboard?index',
      { intent: 'unsnooze', kind: 'request', row: booked.bookingId },
      by('operator'),
    )
    expect(await kept()).toHaveLength(1)
  })

  it('can’t be put off within 24 hours of its deadline', async () => {
    const decide_by = new Date(server.services.now().getTime() + DAY_MS)
    await db().updateTable('bookings').set({ decide_by }).where('id', '=', booked.bookingId).execute()
    expect((await post('/dashboard?index', snooze(), by('vendor'))).status).toBe(409)
    expect(await kept()).toEqual([])
  })
})
