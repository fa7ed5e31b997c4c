import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aBusiness, aUser } from '../builders.ts'
import { requestsTo } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({ openDatabase: () => openTestDatabase('started') })
})
afterAll(() => server.close())

const { get } = requestsTo(() => server)

describe('the picture of a business in mails', () => {
  it('shows its first picture of today, as a JPEG', async () => {
    const { db } = server.services
    const owner = (await aUser(db)).id
    const image = {
      id: 'i',
      url: '/files/businessImages/1-a.webp',
      width: 900,
      height: 600,
      colour: '#AABBCC',
      alt: '',
    }
    await aBusiness(db, { id: 'pictured', user_id: owner, images: JSON.stringify([image]) })
    const answer = await get('/business/pictured/picture')
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe('/files/businessImages/1-a.webp?w=1280&f=jpeg')
  })

  it('shows one of its category while it has none', async () => {
    const { db } = server.services
    await aBusiness(db, { id: 'bare', user_id: (await aUser(db)).id, images: '[]' })
    const location = (await get('/business/bare/picture')).headers.get('location') ?? ''
    expect(location).toMatch(/^\/illustrations\/[\w-]+\/category\/3x2\?w=1280&f=jpeg$/)
    const picture = await get(location)
    expect(picture.headers.get('content-type')).toBe('image/jpeg')
  })

  it('answers 404 for a business that is deleted or was never there', async () => {
    const { db } = server.services
    await aBusiness(db, { id: 'over', user_id: (await aUser(db)).id, deleted_at: new Date() })
    expect((await get('/business/over/picture')).status).toBe(404)
    expect((await get('/business/none/picture')).status).toBe(404)
  })
})
