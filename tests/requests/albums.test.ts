import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALBUM_LIMIT, type AlbumStep } from '../../app/features/businesses/album-rules.ts'
import { newId } from '../../app/shared/ids.ts'
import { aBusiness } from '../builders.ts'
import { Client } from '../client.ts'
import { openTestDatabase } from '../database.ts'
import { startServer, type TestServer } from '../server.ts'

let server: TestServer
let vendor: Client
let businessId: string
let photo: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  server = await startServer({ openDatabase: openTestDatabase, env: { TRUSTED_PROXY: '1' } })
  const image = sharp({ create: { width: 60, height: 40, channels: 3, background: '#2f5d50' } })
  const exif = {
    IFD0: { Copyright: 'SECRET-OWNER' },
    IFD3: {
      GPSLatitudeRef: 'S',
      GPSLatitude: '37/1 48/1 0/1',
      GPSLongitudeRef: 'E',
      GPSLongitude: '144/1 57/1 0/1',
    },
  }
  photo = new Uint8Array(await image.jpeg().withExif(exif).withMetadata({ orientation: 6 }).toBuffer())
  vendor = await aPerson()
  const user = await vendor.user()
  businessId = (await aBusiness(server.services.db, { user_id: user?.uid ?? '' })).id
})
afterAll(() => server.close())

async function aPerson(): Promise<Client> {
  const person = new Client(server)
  await person.signUp(`${newId()}@example.com`)
  return person
}
const change = (by: Client, step: unknown) => by.postJson(`/api/album/${businessId}`, step)
async function upload(by: Client): Promise<string> {
  const file = new File([photo], 'me.jpg', { type: 'image/jpeg' })
  const sent = await by.post('/api/upload', { kind: 'album', businessName: 'Tide', file })
  const body = (await sent.json()) as { image: { url: string } }
  return body.image.url
}
const add = (url: string): AlbumStep => ({ kind: 'add', url, caption: 'At dusk', alt: '' })
const page = async (by: Client) => (await by.get(`/business/${businessId}`)).text()

describe('the album of a listing', () => {
  it('appears on the page at once, upright and without the place where it was taken', async () => {
    expect(await page(new Client(server))).not.toContain('At dusk')
    const url = await upload(vendor)
    const added = await change(vendor, add(url))
    expect(added.status).toBe(200)
    // It lay on its side.
    expect(await added.json()).toMatchObject({ ok: true, album: [{ url, width: 40, height: 60 }] })
    await expect.poll(() => page(new Client(server))).toContain('At dusk')
    const stored = await new Client(server).get(`${url}?w=320&f=jpeg`)
    expect(stored.status).toBe(200)
    const bytes = Buffer.from(await stored.arrayBuffer())
    expect(bytes.includes('SECRET-OWNER')).toBe(false)
    expect((await sharp(bytes).metadata()).exif).toBeUndefined()
  })

  it('opens for its owner only, and refuses every step of anybody else', async () => {
    const nobody = new Client(server)
    const stranger = await aPerson()
    const [{ url }] = (
      await (await change(vendor, { kind: 'describe', url: '/files/none', caption: '' })).json()
    ).album
    const steps: AlbumStep[] = [
      add(await upload(stranger)),
      { kind: 'move', url, after: null },
      { kind: 'describe', url, caption: 'Not yours' },
      { kind: 'remove', url },
    ]
    for (const step of steps) {
      expect((await change(nobody, step)).status, step.kind).toBe(401)
      expect((await change(stranger, step)).status, step.kind).toBe(404)
    }
    const screen = `/dashboard/list-business/${businessId}/album`
    expect((await stranger.get(screen)).status).toBe(404)
    const away = await nobody.get(screen)
    expect(away.headers.get('location')).toContain('/login?next=')
    expect(await (await vendor.get(screen)).text()).toContain('At dusk')
    expect(await page(nobody)).not.toContain('Not yours')
  })

  it.each([
    {},
    { kind: 'add' },
    { kind: 'add', url: 'x'.repeat(301) },
    { kind: 'remove', url: '/files/a\u0000' },
    { kind: 'describe', url: '/x', caption: 'x'.repeat(2_001) },
    { kind: 'move', url: '/x' },
    { kind: 'shuffle', url: '/x' },
    'text',
    null,
  ])('refuses %j', async (step) => {
    expect((await change(vendor, step)).status).toBe(400)
  })

  it('keeps the steps of a page whose person has logged out, as somebody else has logged in', async () => {
    const user = await vendor.user()
    const step = { kind: 'describe', url: '/files/none', caption: '' }
    const others = await change(vendor, { ...step, userId: newId() })
    expect(others.status).toBe(401)
    expect(await others.json()).toEqual({ ok: false, reason: 'signed_out' })
    expect((await change(vendor, { ...step, userId: user?.uid })).status).toBe(200)
    expect((await change(vendor, { ...step, userId: 7 })).status).toBe(400)
  })

  it('stops changes that come far faster than anyone makes them', async () => {
    const user = await vendor.user()
    await server.services.rateLimits.take(`album:${user?.uid}`, ALBUM_LIMIT, ALBUM_LIMIT.max)
    expect((await change(vendor, { kind: 'remove', url: '/x' })).status).toBe(429)
  })
})
