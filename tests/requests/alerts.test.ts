import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tellAlerts } from '../../app/features/alerts/telling-commands.server.ts'
import { alertDeps } from '../../app/services/deps.server.ts'
import { HOUR_MS } from '../../app/shared/time-units.ts'
import { aBusiness } from '../builders.ts'
import { Client, PASSWORD } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { linkIn, mailTo } from '../sent-mails.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let skippedMs = 0

beforeAll(async () => {
  server = await startServer({
    openDatabase: openTestDatabase,
    demo: true,
    env: { TRUSTED_PROXY: '1' },
    now: () => new Date(Date.now() + skippedMs),
  })
})
afterAll(() => server.close())

const aBrowser = () => new Client(server)
let people = 0
const anEmail = () => `follower-${++people}@example.com`
const SEARCH = '/photographers?guests=40&place=Coober+Pedy%2C+SA'

/** The address of the search that a list's form follows. */
const offeredIn = (html: string) => /name="search" value="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')

/** Looks for news an hour later, as the job does. */
async function tells(): Promise<void> {
  skippedMs += HOUR_MS
  await tellAlerts(alertDeps(server.services))
}

const aPhotographer = (name: string) =>
  aBusiness(server.services.db, {
    ...{ name, category: 'Photographers', place_id: 'coober-pedy-sa' },
    created_at: server.services.now(),
  })

describe('a list with a search', () => {
  it('offers to tell when one does if nobody is found, and about new ones if somebody is', async () => {
    const none = await (await aBrowser().get(SEARCH)).text()
    expect(none).toContain('None yet: tell me when one does')
    expect(offeredIn(none)).toBe(SEARCH)
    const some = await (await aBrowser().get('/venues?guests=90')).text()
    expect(some).toContain('Tell me about new ones')
    expect(offeredIn(some)).toBe('/venues?guests=90')
  })

  it.each([
    '/venues',
    '/venues-vendors',
    '/venues?place=qqqqzzzzqqqq',
    '/venues?date=2020-01-01',
    '/venues?place=me',
  ])('offers nothing where there is nothing to follow: %s', async (path) =>
    expect(offeredIn(await (await aBrowser().get(path)).text())).toBeUndefined(),
  )
})

describe('following a search without an account', () => {
  it('needs one mail, tells of a new business, and ends by the button of a mail program', async () => {
    const email = anEmail()
    const asked = await aBrowser().post('/alerts', { search: SEARCH, email })
    expect(asked.status).toBe(200)
    expect(await asked.text()).toContain(`open the email that we’ve sent to ${email}`)
    const link = linkIn(await mailTo(server, email, /^Confirm your saved search/))
    // Mail programs open links to scan them.
    const page = await aBrowser().get(link)
    expect(page.status).toBe(200)
    expect(page.headers.get('cache-control')).toContain('no-store')
    expect(page.headers.get('x-robots-tag')).toContain('noindex')
    await aPhotographer('Opal Light')
    await tells()
    expect((await aBrowser().post(link, { intent: 'confirm' })).status).toBe(302)
    await tells()
    const mail = await mailTo(server, email, /^New: 1 business/)
    expect(mail.text).toContain('Opal Light')
    const end = /\/alerts\/all\.\S+/.exec(mail.text)?.[0] ?? ''
    expect(await (await aBrowser().get(end)).text()).toContain('Photographers, 40 guests, in Coober Pedy SA')
    const ended = await aBrowser().post(end, { 'List-Unsubscribe': 'One-Click' })
    expect(ended.status).toBe(200)
    expect(await (await aBrowser().get(end)).text()).toContain('No more emails')
    expect((await aBrowser().post(end, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200)
  })

  it('keeps what was typed if it is refused', async () => {
    const wrong = await aBrowser().post('/alerts', { search: SEARCH, email: 'not-an-address' })
    expect(wrong.status).toBe(400)
    const html = await wrong.text()
    expect(html).toContain('value="not-an-address"')
    expect(offeredIn(html)).toBe(SEARCH)
  })

  it('says that a search is too long to follow', async () => {
    const search = `/venues?q=${'x'.repeat(3_000)}`
    const long = await aBrowser().post('/alerts', { search, email: anEmail() })
    expect([long.status, await long.text()]).toEqual([
      400,
      expect.stringContaining('We can’t follow this search.'),
    ])
  })

  it.each([
    [{}, 400],
    [{ search: '/venues?guests=9' }, 400],
    [{ search: '/my-bookings', email: 'one@example.com' }, 409],
    [{ search: 'https://evil.example/venues?guests=9', email: 'one@example.com' }, 409],
    [{ search: `/venues?q=${'x'.repeat(3_000)}`, email: 'one@example.com' }, 400],
  ])('refuses %j', async (fields, status) => {
    expect((await aBrowser().post('/alerts', fields as Record<string, string>)).status).toBe(status)
  })

  it('opens, confirms and ends nothing by a link that isn’t ours', async () => {
    for (const token of ['x', `all.abc.${'x'.repeat(43)}`, `confirm.abc.${'x'.repeat(43)}`]) {
      expect((await aBrowser().get(`/alerts/${token}`)).status).toBe(404)
      for (const intent of ['confirm', 'end-all'])
        expect((await aBrowser().post(`/alerts/${token}`, { intent })).status).toBe(404)
    }
  })

  it('stops at the limit of a network', async () => {
    const browser = aBrowser()
    const statuses: number[] = []
    for (let count = 0; count <= 20; count++)
      statuses.push((await browser.post('/alerts', { search: SEARCH, email: anEmail() })).status)
    expect(statuses.at(-2)).toBe(200)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('following a search with an account', () => {
  it('stays on the same search of the account when its address confirms it as a guest', async () => {
    const customer = aBrowser()
    const email = 'customer@jubilee.example'
    await customer.post('/login', { email, password: 'celebrate' })
    const search = '/photographers?guests=41&place=Coober+Pedy%2C+SA'
    await customer.post('/alerts', { search, email })
    await aBrowser().post('/alerts', { search, email })
    const link = linkIn(await mailTo(server, email, /^Confirm your saved search/))
    const kept = (await aBrowser().post(link, { intent: 'confirm' })).headers.get('location') ?? ''
    expect(await (await aBrowser().get(kept)).text()).toContain('These emails are on')
    await aBrowser().post(kept, { intent: 'end' })
  })

  it('starts at once for a confirmed address, and ends in the settings', async () => {
    const customer = aBrowser()
    await customer.post('/login', { email: 'customer@jubilee.example', password: 'celebrate' })
    const answer = await customer.post('/alerts', { search: SEARCH, email: 'customer@jubilee.example' })
    expect(await answer.text()).toContain('Done. We’ll email customer@jubilee.example.')
    const settings = await (await customer.get('/settings-privacy')).text()
    expect(settings).toContain('Photographers, 40 guests, in Coober Pedy SA')
    const [, id = ''] = /value="([\w-]+)"[^>]*name="alert"/.exec(settings) ?? []
    expect(await (await customer.get('/settings-privacy/my-data.json')).json()).toMatchObject({
      searchAlerts: [{ search: SEARCH }],
    })
    // A visitor, then another account:
    const post = { intent: 'end-alert', alert: id }
    expect((await aBrowser().post('/settings-privacy', post)).headers.get('location')).toContain('/login')
    const stranger = aBrowser()
    await stranger.signUp(anEmail(), { password: PASSWORD })
    await stranger.post('/settings-privacy', post)
    expect(await (await customer.get('/settings-privacy')).text()).toContain('Coober Pedy')
    await customer.post('/settings-privacy', post)
    expect(await (await customer.get('/settings-privacy')).text()).not.toContain('Coober Pedy')
  })

  it('asks by mail if the account hasn’t confirmed its address', async () => {
    const newcomer = aBrowser()
    const email = anEmail()
    await newcomer.signUp(email, { password: PASSWORD })
    const answer = await newcomer.post('/alerts', { search: SEARCH, email })
    expect(await answer.text()).toContain('open the email')
    expect(await (await newcomer.get('/settings-privacy')).text()).not.toContain('Coober Pedy')
  })
})
