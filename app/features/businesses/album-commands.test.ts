import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBusiness, aClock, aUser, createKeptJobs } from '../../../tests/builders.ts'
import { openTestDatabase, type TestConnection } from '../../../tests/database.ts'
import { leavesAsIs } from '../../../tests/leaves-as-is.ts'
import { createDiskFileStore } from '../../adapters/file-store/disk.server.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { DAY_MS } from '../../shared/time-units.ts'
import { keepUpload, keyOfUrl, readUpload, sweepStrayUploads } from '../files/commands.server.ts'
import { changeAlbum } from './album-commands.server.ts'
import { exportAlbums, findAlbum, findOwnAlbum } from './album-queries.server.ts'
import { type AlbumStep, MAX_ALBUM_PICTURES } from './album-rules.ts'
import { removeListing } from './commands.server.ts'

const folder = mkdtempSync(join(tmpdir(), 'jubilee-albums-'))
const files = createDiskFileStore(folder)
let connection: TestConnection
let bytes: Uint8Array
let clock: ReturnType<typeof aClock>
let deps: { db: TestConnection['db']; files: typeof files; now: () => Date }
let userId: string
let businessId: string

beforeAll(async () => {
  connection = await openTestDatabase()
  bytes = await sharp({ create: { width: 48, height: 32, channels: 3, background: '#2f5d50' } })
    .png()
    .toBuffer()
})
afterAll(async () => {
  await connection.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  clock = aClock()
  deps = { db: connection.db, files, now: clock.now }
  userId = (await aUser(connection.db)).id
  businessId = (await aBusiness(connection.db, { user_id: userId })).id
})

async function upload(by = userId): Promise<string> {
  const rateLimits = createRateLimits(connection.db, clock.now)
  const input = { kind: 'album', fileName: 'tent.png', businessName: 'Tide', index: 0, bytes } as const
  const kept = await keepUpload({ ...deps, rateLimits }, by, input)
  if (!kept.ok) throw new Error(kept.reason)
  return kept.image.url
}
const change = (step: AlbumStep, by = userId) => changeAlbum(deps, { userId: by, businessId }, step)
const add = (url: string, by = userId) => change({ kind: 'add', url, caption: '', alt: '' }, by)
const urls = async (id = businessId) => (await findAlbum(connection.db, id)).map(({ url }) => url)
async function filled(count: number): Promise<string[]> {
  const added: string[] = []
  for (let index = 0; index < count; index++) {
    const url = await upload()
    expect(await add(url)).toMatchObject({ ok: true })
    added.push(url)
  }
  return added
}

describe('an album', () => {
  it('holds uploads of its owner with their size and colour, in order', async () => {
    const [first = '', second = ''] = await filled(2)
    const third = await upload()
    const answer = await change({ kind: 'add', url: third, caption: 'Third', alt: 'A tent', after: first })
    expect(answer).toMatchObject({ ok: true })
    const album = await findAlbum(connection.db, businessId)
    expect(album.map(({ url }) => url)).toEqual([first, third, second])
    expect(album[1]).toEqual({
      url: third,
      width: 48,
      height: 32,
      colour: expect.stringMatching(/^#[0-9a-f]{6}$/),
      caption: 'Third',
      alt: 'A tent',
    })
    expect(answer).toEqual({ ok: true, album })
  })

  it('refuses every step of another user', async () => {
    const [url = ''] = await filled(1)
    const stranger = (await aUser(connection.db)).id
    const steps: AlbumStep[] = [
      { kind: 'add', url: await upload(stranger), caption: '', alt: '' },
      { kind: 'move', url, after: null },
      { kind: 'describe', url, caption: 'Mine' },
      { kind: 'remove', url },
    ]
    for (const step of steps)
      expect(await change(step, stranger), step.kind).toEqual({ ok: false, reason: 'not_found' })
    expect(await findAlbum(connection.db, businessId)).toMatchObject([{ url, caption: '' }])
    expect(await findOwnAlbum(connection.db, { userId: stranger, businessId })).toBeNull()
    expect(await findOwnAlbum(connection.db, { userId, businessId })).toMatchObject({ pictures: [{ url }] })
  })

  it('takes no upload of another user, of another listing’s album or of nobody', async () => {
    const stranger = (await aUser(connection.db)).id
    const other = (await aBusiness(connection.db, { user_id: userId })).id
    const elsewhere = await upload()
    await changeAlbum(
      deps,
      { userId, businessId: other },
      { kind: 'add', url: elsewhere, caption: '', alt: '' },
    )
    for (const url of [
      await upload(stranger),
      elsewhere,
      '/files/businessImages/never_1_0',
      '/illustrations/a/b',
      'https://example.com/x.jpg',
    ])
      expect(await leavesAsIs(connection.db, 'changeAlbum', () => add(url)), url).toEqual({
        ok: false,
        reason: 'unknown_image',
      })
    expect(await urls()).toEqual([])
    expect(await urls(other)).toEqual([elsewhere])
  })

  it(`holds ${MAX_ALBUM_PICTURES} pictures, and a removal makes room`, async () => {
    const all = await filled(MAX_ALBUM_PICTURES)
    const next = await upload()
    expect(await add(next)).toEqual({ ok: false, reason: 'full' })
    // The same one again is no further one.
    expect(await add(all[3] ?? '')).toMatchObject({ ok: true })
    await change({ kind: 'remove', url: all[0] ?? '' })
    expect(await add(next)).toMatchObject({ ok: true })
    expect(await urls()).toEqual([...all.slice(1), next])
  })

  it('keeps the moves, texts and pictures of two tabs that work at once', async () => {
    const [a = '', b = '', c = '', d = ''] = await filled(4)
    const e = await upload()
    await Promise.all([
      change({ kind: 'move', url: d, after: null }),
      change({ kind: 'move', url: b, after: c }),
      add(e),
      change({ kind: 'describe', url: a, caption: 'First' }),
      change({ kind: 'describe', url: a, alt: 'A tent' }),
    ])
    expect(await urls()).toEqual([d, a, c, b, e])
    const [, described] = await findAlbum(connection.db, businessId)
    expect(described).toMatchObject({ caption: 'First', alt: 'A tent' })
  })

  it('doesn’t change the version of its listing', async () => {
    const version = () =>
      connection.db
        .selectFrom('businesses')
        .select('updated_at')
        .where('id', '=', businessId)
        .executeTakeFirst()
    const before = await version()
    clock.forward(60_000)
    await filled(1)
    expect(await version()).toEqual(before)
  })
})

describe('a removed picture', () => {
  it('comes back where it was with its texts, until a day has passed', async () => {
    const [a = '', b = '', c = ''] = await filled(3)
    // Attached, it may be as old as it likes.
    clock.forward(3 * DAY_MS)
    const back = (url: string) => change({ kind: 'add', url, caption: 'Again', alt: '', after: a })
    await change({ kind: 'remove', url: b })
    expect(await urls()).toEqual([a, c])
    // A lost answer: the same step again.
    expect(await change({ kind: 'remove', url: b })).toMatchObject({ ok: true })
    clock.forward(DAY_MS - 1)
    await sweepStrayUploads(deps)
    expect(await back(b)).toMatchObject({ ok: true })
    expect(await urls()).toEqual([a, b, c])
    await change({ kind: 'remove', url: b })
    clock.forward(DAY_MS + 1)
    await sweepStrayUploads(deps)
    expect(await back(b)).toEqual({ ok: false, reason: 'unknown_image' })
    expect(await readUpload(deps, keyOfUrl(b) ?? '', { width: 320, format: 'jpeg' })).toBeNull()
    // The next removal ends its row.
    await change({ kind: 'remove', url: c })
    const rows = await connection.db
      .selectFrom('album_pictures')
      .select('url')
      .where('business_id', '=', businessId)
      .execute()
    expect(rows.map(({ url }) => url).sort()).toEqual([a, c].sort())
  })

  it('comes back too if the demo drew it, so that it isn’t an upload', async () => {
    const url = '/illustrations/venue-marquee/x'
    await connection.db
      .insertInto('album_pictures')
      .values({
        ...{ business_id: businessId, url, position: 0, width: 1600, height: 1067, colour: '#aabbcc' },
        ...{ caption: 'Tent', alt: '', added_at: clock.now(), removed_at: null },
      })
      .execute()
    await change({ kind: 'remove', url })
    expect(await urls()).toEqual([])
    await change({ kind: 'add', url, caption: 'Tent', alt: '', after: null })
    expect(await findAlbum(connection.db, businessId)).toMatchObject([{ url, caption: 'Tent', width: 1600 }])
    await change({ kind: 'remove', url })
    clock.forward(DAY_MS)
    expect(await add(url)).toEqual({ ok: false, reason: 'unknown_image' })
  })
})

it('a deleted listing takes its album and the files with it', async () => {
  const [url = ''] = await filled(1)
  const jobs = await createKeptJobs(connection.db)
  const removal = {
    ...deps,
    jobs,
    brand: 'Jubilee',
    countOpenBookings: async () => new Map<string, number>(),
  }
  expect(await removeListing(removal, { userId, businessId })).toMatchObject({ outcome: 'deleted' })
  expect(await urls()).toEqual([])
  expect(await readUpload(deps, keyOfUrl(url) ?? '', { width: 320, format: 'jpeg' })).toBeNull()
  expect(await add(url)).toEqual({ ok: false, reason: 'not_found' })
})

it('the export names each picture with its texts, removed ones included', async () => {
  const [a = '', b = ''] = await filled(2)
  await change({ kind: 'describe', url: a, caption: 'First', alt: 'A tent' })
  await change({ kind: 'remove', url: b })
  expect((await exportAlbums(connection.db, [businessId])).get(businessId)).toEqual([
    { image: a, caption: 'First', alt: 'A tent', addedAt: clock.now(), removedAt: null },
    { image: b, caption: '', alt: '', addedAt: clock.now(), removedAt: clock.now() },
  ])
  expect(await exportAlbums(connection.db, [])).toEqual(new Map())
})
