import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CARD_LIMIT, CARD_SIZE } from '../../app/adapters/link-cards/port.ts'
import { createLocalLimits } from '../../app/adapters/rate-limits/memory.server.ts'
import { aBusiness } from '../builders.ts'
import { Client } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, demo: true, env: { TRUSTED_PROXY: '1' } })
})
afterAll(() => server.close())

const get = (path: string, headers: Record<string, string> = {}) => new Client(server).send(path, { headers })

/** The path of the picture that a page names for its links. */
async function cardOf(path: string): Promise<string> {
  const html = await (await get(path)).text()
  const [, image = ''] = /<meta property="og:image" content="([^"]*)"/.exec(html) ?? []
  const url = new URL(image.replaceAll('&amp;', '&'))
  return url.pathname + url.search
}

/** The picture of a page's link, decoded. */
async function pictureOf(path: string) {
  const answer = await get(await cardOf(path))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('image/jpeg')
  const picture = sharp(await answer.arrayBuffer())
  const { width, height } = await picture.metadata()
  return { size: { width, height }, pixels: await picture.raw().toBuffer() }
}

const PAGES = [
  '/business/harbour-light-pavilion',
  '/business/okafor-and-daughters',
  '/venues-vendors',
  '/venues-vendors?guests=110',
  '/photographers?near=1&place=Williamstown%2C+VIC',
  '/venues/in/williamstown-vic',
  '/services/celebrant',
  '/services/celebrant/in/melbourne-vic',
  '/events',
]

describe('the picture of a page’s link', () => {
  it('differs between businesses, lists, places, services and occasions', async () => {
    const pictures: Buffer[] = []
    for (const page of PAGES) {
      const { size, pixels } = await pictureOf(page)
      expect(size, page).toEqual(CARD_SIZE)
      expect(
        pictures.some((other) => other.equals(pixels)),
        page,
      ).toBe(false)
      pictures.push(pixels)
    }
  }, 60_000)

  it('comes with a tag, and again only after a change', async () => {
    const { db } = server.services
    const { id } = await aBusiness(db, { place_id: 'melbourne-vic' })
    const path = `/cards/business/${id}`
    const first = await get(path)
    const tag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toContain('public')
    const again = await get(path, { 'if-none-match': tag })
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0])
    await db.updateTable('businesses').set({ name: 'Saltbush House' }).where('id', '=', id).execute()
    const changed = await get(path, { 'if-none-match': tag })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(tag)
    await db
      .updateTable('businesses')
      .set({ hidden_at: new Date(), hidden_by: 'operator' })
      .where('id', '=', id)
      .execute()
    expect((await get(path, { 'if-none-match': tag })).status).toBe(404)
  })

  it('is drawn for another address while one asks for very many', async () => {
    const at = new Date()
    server.services.searchLimits.cards = createLocalLimits(CARD_LIMIT, () => at)
    const greedy = new Client(server)
    const asked = Array.from({ length: CARD_LIMIT.max }, (_, index) =>
      greedy.get(`/cards/venues?guests=${index + 200}`),
    )
    const other = new Client(server).get('/cards/venues?guests=150')
    expect((await other).status).toBe(200)
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(20)
    const again = await greedy.get('/cards/venues?guests=300')
    expect([again.status, Number(again.headers.get('retry-after')) > 0]).toEqual([429, true])
    // A card in memory is for all.
    expect((await greedy.get('/cards/venues?guests=150')).status).toBe(200)
  }, 60_000)

  it('ignores words of the address', async () => {
    const tagOf = async (query: string) => (await get(`/cards/venues?${query}`)).headers.get('etag')
    expect(await tagOf('q=xqzzyx+prize')).toBe(await tagOf('q=qxxqz+other'))
  })

  it.each([
    '/cards/',
    '/cards/my-bookings',
    '/cards/business/no-such-business',
    '/cards/shortlist/no-such-link',
  ])('%s isn’t drawn', async (path) => expect((await get(path)).status).toBe(404))

  it('shows a shared list by its link, until the link ends', async () => {
    const owner = new Client(server)
    await owner.postJson('/api/shortlist', { businessId: 'harbour-light-pavilion', saved: true })
    await owner.post('/shortlist', {
      intent: 'about',
      title: 'Our wedding',
      date: '2027-03-13',
      guests: '90',
    })
    await owner.post('/shortlist', { intent: 'share' })
    const [, link = ''] =
      /value="http[^"]+(\/shortlist\/[\w-]{43})"/.exec(await (await owner.get('/shortlist')).text()) ?? []
    const page = await (await get(link)).text()
    expect(page).toContain('Our wedding')
    expect(page).toMatch(
      /<meta property="og:title" content="Our wedding · Saturday 13 March 2027 · 90 guests"/,
    )
    const card = await get(await cardOf(link))
    expect(card.status).toBe(200)
    expect(card.headers.get('cache-control')).toBe('private, no-cache')
    expect(card.headers.get('x-robots-tag')).toBe('noindex')
    await owner.post('/shortlist', { intent: 'unshare' })
    expect((await get(`/cards${link}`)).status).toBe(404)
  })
})
