import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness } from '../builders.ts'
import { Client, logIn, sendTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let first: Awaited<ReturnType<typeof aBusiness>>
let second: Awaited<ReturnType<typeof aBusiness>>

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, demo: true })
  const place = { place_id: 'melbourne-vic' }
  first = await aBusiness(server.services.db, { ...place, name: 'First Garden' })
  second = await aBusiness(server.services.db, { ...place, name: 'Second Garden' })
})
afterAll(() => server.close())

class Browser extends Client {
  constructor(cookies = '') {
    super(server, null)
    for (const pair of cookies.split('; ').filter(Boolean)) {
      const [name = ''] = pair.split('=')
      this.cookies.set(name, pair.slice(name.length + 1))
    }
  }
  heart = (businessId: unknown, saved: unknown = true) =>
    this.postJson('/api/shortlist', { businessId, saved })
  ids = async () => ((await (await this.get('/api/shortlist')).json()) as { ids: string[] }).ids
}

const listCookieOf = ({ cookies }: Browser) => `jubilee_shortlist=${cookies.get('jubilee_shortlist')}`

/** The path of the link that the list's page shows. */
async function linkOf(browser: Browser): Promise<string> {
  expect((await browser.post('/shortlist', { intent: 'share' })).status).toBe(200)
  const [, path = ''] =
    /value="http[^"]+(\/shortlist\/[\w-]{43})"/.exec(await (await browser.get('/shortlist')).text()) ?? []
  return path
}

describe('/api/shortlist', () => {
  it('saves and removes for a visitor without an account, by a cookie that scripts can’t read', async () => {
    const browser = new Browser()
    expect(await browser.ids()).toEqual([])
    const saved = await browser.heart(first.id)
    expect(saved.status).toBe(200)
    expect(saved.headers.get('cache-control')).toContain('no-store')
    const cookie = saved.headers.getSetCookie().find((each) => each.startsWith('jubilee_shortlist='))
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Lax/i)
    // A double click saves once.
    await Promise.all([browser.heart(first.id), browser.heart(first.id), browser.heart(second.id)])
    expect(new Set(await browser.ids())).toEqual(new Set([first.id, second.id]))
    await browser.heart(first.id, false)
    await browser.heart(first.id, false)
    expect(await browser.ids()).toEqual([second.id])
    expect(await new Browser().ids()).toEqual([])
  })

  it('refuses what it can’t read, unknown listings, and a cookie that was changed', async () => {
    const browser = new Browser()
    for (const [id, saved] of [
      [1, true],
      [first.id, 'yes'],
      ['', true],
      ['../x', true],
    ] as const)
      expect((await browser.heart(id, saved)).status).toBe(400)
    expect((await browser.heart('no-such-business')).status).toBe(410)
    await browser.heart(first.id)
    const mine = listCookieOf(browser)
    expect(await new Browser(mine).ids()).toEqual([first.id])
    // The first character of the signature: some bits of the last one are padding.
    const changed = mine.replace(/\.([^.])(?=[^.]*$)/, (_, first) => (first === 'A' ? '.B' : '.A'))
    expect(changed).not.toBe(mine)
    expect(await new Browser(changed).ids()).toEqual([])
    const elsewhere = await sendTo(server, '/api/shortlist', {
      body: '{}',
      headers: { origin: 'https://elsewhere.example' },
    })
    expect(elsewhere.status).toBe(403)
  })

  it('leaves public pages the same for every visitor', async () => {
    const browser = new Browser()
    await browser.heart(first.id)
    for (const path of ['/venues', `/business/${first.id}`]) {
      const [mine, others] = [await browser.get(path), await new Browser().get(path)]
      expect(await mine.text()).toBe(await others.text())
      expect(mine.headers.getSetCookie()).toEqual([])
    }
  })
})

describe('hearts on a shared list', () => {
  it('count by name, once for each browser, without an account or a script', async () => {
    const owner = new Browser()
    await owner.heart(first.id)
    await owner.post('/shortlist', {
      intent: 'about',
      title: 'Our wedding',
      date: '2027-03-13',
      guests: '90',
    })
    const link = await linkOf(owner)
    const kim = new Browser()
    const before = await (await kim.get(link)).text()
    expect(before).toContain('Our wedding')
    expect(before).toContain('Saturday 13 March 2027 · 90 guests · 1 saved')
    // The owner's guests count for the total, without an address that says so.
    expect(before).toContain('$4,095 for 90 guests')
    expect(before).not.toContain('value="vote"')
    const named = await kim.post(link, { intent: 'name', name: 'Kim' })
    expect(named.status).toBe(302)
    expect(named.headers.getSetCookie().join()).toMatch(/jubilee_shortlist_voter=.*HttpOnly/)
    const vote = { intent: 'vote', businessId: first.id }
    for (let times = 0; times < 2; times++) expect((await kim.post(link, vote)).status).toBe(200)
    expect(await (await kim.get(link)).text()).toContain('Kim likes it')
    // A browser without a name, then one without the link:
    const unnamed = await new Browser().post(link, vote)
    expect([unnamed.status, await unnamed.text()]).toEqual([
      409,
      expect.stringContaining('Enter your name first, then press the heart again.'),
    ])
    expect((await kim.post('/shortlist', vote)).status).toBe(404)
    // Neither Kim nor a stranger removes a voter or changes the title:
    const [, voter = ''] =
      /value="([\w-]{43})"[^>]*name="voter"/.exec(await (await owner.get('/shortlist')).text()) ?? []
    for (const other of [kim, new Browser()]) {
      expect((await other.post('/shortlist', { intent: 'remove-voter', voter })).status).toBe(404)
      const about = { intent: 'about', title: 'Mine', date: '', guests: '' }
      expect((await other.post('/shortlist', about)).status).toBe(404)
      expect((await other.post(link, about)).status).toBe(404)
    }
    expect((await owner.post('/shortlist', { intent: 'remove-voter', voter })).status).toBe(200)
    const after = await (await kim.get(link)).text()
    expect(after).not.toContain('Kim')
    expect(after).toContain('Our wedding')
  })

  it('keep what was typed if it is refused', async () => {
    const owner = new Browser()
    await owner.heart(first.id)
    const link = await linkOf(owner)
    const about = await owner.post('/shortlist', {
      intent: 'about',
      title: 'See evil.example',
      date: '2027-03-13',
      guests: '90',
    })
    expect(about.status).toBe(422)
    const html = await about.text()
    for (const typed of ['See evil.example', '2027-03-13', '90']) expect(html).toContain(`value="${typed}"`)
    const named = await new Browser().post(link, { intent: 'name', name: 'evil.example' })
    expect(named.status).toBe(422)
    expect(await named.text()).toContain('value="evil.example"')
  })
})

describe('/shortlist', () => {
  it('keeps search engines, caches and other sites out', async () => {
    const answer = await new Browser().get('/shortlist')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(answer.headers.get('x-robots-tag')).toContain('noindex')
    expect(await answer.text()).toContain('name="referrer" content="same-origin"')
  })

  it('works by forms alone: adds, removes, restores and notes', async () => {
    const browser = new Browser()
    const added = await browser.post('/shortlist', { intent: 'add', businessId: first.id })
    expect([added.status, added.headers.get('location')]).toEqual([302, '/shortlist'])
    expect(await (await browser.get('/shortlist')).text()).toContain('First Garden')
    const removed = await (
      await browser.post('/shortlist', { intent: 'remove', businessId: first.id })
    ).text()
    expect(removed).toContain('value="restore"')
    await browser.post('/shortlist', { intent: 'restore', businessId: first.id })
    await browser.post('/shortlist', {
      intent: 'note',
      businessId: first.id,
      note: ' Fig tree \n by the gate ',
    })
    expect(await (await browser.get('/shortlist')).text()).toContain('Fig tree')
    expect(
      (await browser.post('/shortlist', { intent: 'note', businessId: first.id, note: 'x'.repeat(301) }))
        .status,
    ).toBe(422)
    for (const fields of [
      { intent: 'add', businessId: '' },
      { intent: 'drop', businessId: first.id },
      { intent: 'note', businessId: first.id },
    ] as Record<string, string>[])
      expect((await browser.post('/shortlist', fields)).status).toBeGreaterThanOrEqual(400)
    expect((await new Browser().post('/shortlist', { intent: 'share' })).status).toBe(404)
  })

  it('shows the note that someone else saved meanwhile, and keeps the refused one in the field', async () => {
    const browser = new Browser()
    await browser.heart(first.id)
    const note = (text: string, seen: string) =>
      browser.post('/shortlist', { intent: 'note', businessId: first.id, note: text, seen })
    await note('Ask about rain', '')
    const refused = await note('The light at six', '')
    expect(refused.status).toBe(409)
    const html = await refused.text()
    expect(html).toContain('Someone else changed this note in the meantime.')
    expect(html).toContain('name="seen" value="Ask about rain"')
    expect(html).toMatch(/<textarea[^>]*>The light at six<\/textarea>/)
    expect((await note('The light at six', 'Ask about rain')).status).toBe(200)
  })

  it('compares two to four in a table with headers, for what was asked', async () => {
    const browser = new Browser()
    await browser.heart(first.id)
    await browser.heart(second.id)
    const path = `/shortlist?guests=90&compare=${first.id}&compare=${second.id}&compare=${second.id}&compare=nothing`
    const html = await (await browser.get(path)).text()
    expect(html.match(/<th scope="col"/g)).toHaveLength(2)
    expect(html).toContain('<th scope="row">Total</th>')
    expect(html).toContain('$4,095 for 90 guests')
    expect(await (await browser.get(`/shortlist?compare=${first.id}`)).text()).not.toContain(
      '<th scope="col"',
    )
  })

  it('says how many can be compared when Compare is pressed with none or one chosen', async () => {
    const browser = new Browser()
    await browser.heart(first.id)
    await browser.heart(second.id)
    const notice = /role="alert">.*Choose two to four to compare\./
    const pressed = async (query: string) =>
      notice.test(await (await browser.get(`/shortlist?${query}`)).text())
    expect(await pressed('press=compare')).toBe(true)
    expect(await pressed(`compare=${first.id}&press=compare`)).toBe(true)
    expect(await pressed(`compare=${first.id}&compare=${second.id}&press=compare`)).toBe(false)
    // 'Show totals' sends the chosen ones, too.
    expect(await pressed(`compare=${first.id}&guests=90`)).toBe(false)
  })

  it('goes with the account that signs in, is merged without duplicates, and leaves the browser', async () => {
    const browser = new Browser(await logIn(server, 'customer@jubilee.example'))
    await browser.heart(first.id)
    const signedOut = new Browser()
    await signedOut.heart(first.id)
    await signedOut.heart(second.id)
    const signedIn = new Browser(
      [await logIn(server, 'customer@jubilee.example'), listCookieOf(signedOut)].join('; '),
    )
    expect(new Set(await signedIn.ids())).toEqual(new Set([first.id, second.id]))
    expect(new Set(await browser.ids())).toEqual(new Set([first.id, second.id]))
    expect(await signedOut.ids()).toEqual([])
    const exported = await (await signedIn.get('/settings-privacy/my-data.json')).text()
    expect(exported).toContain(second.id)
    expect(await new Browser(await logIn(server, 'vendor@jubilee.example')).ids()).toEqual([])
  })
})

describe('/shortlist/{link}', () => {
  it('shows the list to anybody who has it, and joins nothing by being opened', async () => {
    const owner = new Browser()
    await owner.heart(first.id)
    const path = await linkOf(owner)
    const partner = new Browser()
    const opened = await partner.get(path)
    expect(opened.headers.get('cache-control')).toBe('private, no-store')
    expect(opened.headers.get('x-robots-tag')).toContain('noindex')
    expect(opened.headers.getSetCookie()).toEqual([])
    const html = await opened.text()
    expect(html).toContain('First Garden')
    expect(html).toContain('name="referrer" content="same-origin"')
    // For the preview in messengers.
    const shared = await (await partner.get(`${path}?date=2027-11-13&guests=110`)).text()
    expect(shared).toContain(
      'property="og:title" content="A shared shortlist · Saturday 13 November 2027 · 110 guests"',
    )
    expect(shared).toContain('property="og:description" content="First Garden. Compare them')
    expect(shared).not.toContain('rel="canonical"')
    const more = '?date=2027-11-13&time=16:00&guests=110&hours=5&months=2027-11&place=Williamstown'
    const title = (await (await partner.get(path + more)).text()).match(/og:title" content="([^"]*)"/)?.[1]
    expect(title).toBe('A shared shortlist · Saturday 13 November 2027 · 110 guests')
    const own = await (await owner.get(`/shortlist${more}`)).text()
    expect(own).toContain(`${path}?date=2027-11-13&amp;guests=110"`)
    await partner.heart(second.id)
    expect(await owner.ids()).toEqual([first.id])
  })

  it('lets a partner join, add and leave, whose own list stays as it was', async () => {
    const owner = new Browser()
    await owner.heart(first.id)
    const path = await linkOf(owner)
    const partner = new Browser()
    await partner.heart(second.id)
    const joined = await partner.post(path, { intent: 'join' })
    expect([joined.status, joined.headers.get('location')]).toEqual([302, '/shortlist'])
    expect(await partner.ids()).toEqual([first.id])
    await partner.heart(second.id)
    expect(new Set(await owner.ids())).toEqual(new Set([first.id, second.id]))
    expect((await partner.post('/shortlist', { intent: 'unshare' })).status).toBe(404)
    await partner.post('/shortlist', { intent: 'leave' })
    expect(await partner.ids()).toEqual([second.id])
  })

  it('ends for everybody when its owner ends it or makes a new one', async () => {
    const owner = new Browser()
    await owner.heart(first.id)
    const path = await linkOf(owner)
    const partner = new Browser()
    await partner.post(path, { intent: 'join' })
    const renewed = await linkOf(owner)
    expect(renewed).not.toBe(path)
    expect((await partner.get(path)).status).toBe(404)
    expect((await partner.post(path, { intent: 'join' })).status).toBe(404)
    expect(await partner.ids()).toEqual([])
    expect(await (await partner.get('/shortlist')).text()).toContain('its owner ended the link')
    await owner.post('/shortlist', { intent: 'unshare' })
    expect((await new Browser().get(renewed)).status).toBe(404)
    expect((await new Browser().get('/shortlist/x')).status).toBe(404)
  })

  it('refuses an address that opens too many', async () => {
    const headers = { 'x-client-address': '198.51.100.77' }
    const statuses = new Set<number>()
    // A minute may end meanwhile, whose count then begins anew.
    for (let count = 0; count < 122 && !statuses.has(429); count++)
      statuses.add((await sendTo(server, `/shortlist/${'a'.repeat(43)}`, { headers })).status)
    expect([...statuses]).toEqual([404, 429])
  })
})
