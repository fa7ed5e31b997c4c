import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aClock, anAnimation, anUnavailableStore, aUser } from '../../../tests/builders.ts'
import { openTestDatabase } from '../../../tests/database.ts'
import { createDiskFileStore } from '../../adapters/file-store/disk.server.ts'
import { createRateLimits } from '../../adapters/rate-limits/database.server.ts'
import { HOUR_MS } from '../../shared/time-units.ts'
import {
  attachUploads,
  deleteUploads,
  drawUpload,
  type FileDeps,
  keepUpload,
  readOrMake,
  readUpload,
  sweepStrayUploads,
  type UploadDeps,
} from './commands.server.ts'
import {
  accountSender,
  MAX_CONCURRENT_UPLOADS,
  MAX_UPLOAD_BYTES,
  MAX_UPLOADS_WAITING,
  STORED_SIDE,
} from './rules.ts'

let connection: Awaited<ReturnType<typeof openTestDatabase>>
let deps: FileDeps & UploadDeps
let clock: ReturnType<typeof aClock>
let userId: string
const folder = mkdtempSync(join(tmpdir(), 'jubilee-files-'))

beforeAll(async () => {
  connection = await openTestDatabase()
})
afterAll(async () => {
  await connection.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  clock = aClock()
  const { db } = connection
  deps = {
    db,
    files: createDiskFileStore(folder),
    now: clock.now,
    rateLimits: createRateLimits(db, clock.now),
  }
  userId = (await aUser(connection.db)).id
})

const MARK = '<script>alert("jubilee")</script>'

function picture(width = 48, height = 32) {
  return sharp({ create: { width, height, channels: 3, background: '#2f5d50' } })
}

const keep = (bytes: Uint8Array, overrides: object = {}) =>
  keepUpload(deps, userId, {
    kind: 'listing',
    fileName: 'a.jpg',
    businessName: 'Tide House',
    index: 0,
    bytes,
    ...overrides,
  })

async function anUpload() {
  const outcome = await keep(await picture().jpeg().toBuffer())
  if (!outcome.ok) throw new Error(outcome.reason)
  return outcome.key
}

async function stored(key: string) {
  const file = await deps.files.read(key)
  if (!file) throw new Error(`nothing is stored at ${key}`)
  return Buffer.from(file.bytes)
}

async function countUploads() {
  const row = await deps.db
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** A random number generator with a seed, so that a failing case can be repeated. */
function seeded(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

describe('keepUpload', () => {
  it('stores a picture under the specified key, and returns its size and colour', async () => {
    const outcome = await keep(await picture(900, 600).jpeg().toBuffer())
    const at = clock.now().getTime()
    expect(outcome).toEqual({
      ok: true,
      key: `businessImages/Tide_House_${at}_0`,
      image: {
        url: `/files/businessImages/Tide_House_${at}_0`,
        width: 900,
        height: 600,
        colour: expect.stringMatching(/^#[0-9a-f]{6}$/),
      },
    })
  })

  it('gives pictures with the same name in the same millisecond different keys', async () => {
    const bytes = await picture().png().toBuffer()
    const outcomes = await Promise.all([keep(bytes), keep(bytes), keep(bytes)])
    expect(new Set(outcomes.map((outcome) => outcome.ok && outcome.key)).size).toBe(3)
  })

  it('removes the GPS position and all other metadata, and turns the picture upright', async () => {
    const bytes = await picture(60, 40)
      .withExif({ IFD0: { Artist: 'Nobody' }, IFD3: { GPSLatitude: '37/1 48/1 0/1', GPSLatitudeRef: 'S' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(bytes).metadata()).exif).toBeDefined()
    const outcome = await keep(bytes)
    if (!outcome.ok) throw new Error(outcome.reason)
    expect(outcome.image).toMatchObject({ width: 40, height: 60 })
    const { exif, xmp, iptc, icc, orientation } = await sharp(await stored(outcome.key)).metadata()
    expect({ exif, xmp, iptc, icc, orientation }).toEqual({})
  })

  it('shrinks a large picture, and keeps transparency', async () => {
    const outcome = await keep(await picture(3000, 1000).jpeg().toBuffer())
    expect(outcome).toMatchObject({ ok: true, image: { width: STORED_SIDE, height: 800 } })
    const clear = await sharp({ create: { width: 20, height: 20, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer()
    const logo = await keep(clear, { kind: 'logo', fileName: 'logo.png' })
    if (!logo.ok) throw new Error(logo.reason)
    expect(await sharp(await stored(logo.key)).metadata()).toMatchObject({ format: 'webp', hasAlpha: true })
  })

  it('refuses empty files, and files with too many bytes or pixels', async () => {
    expect(await keep(new Uint8Array(0))).toEqual({ ok: false, reason: 'empty' })
    const large = new Uint8Array(MAX_UPLOAD_BYTES.listing + 1)
    large.set(await picture().jpeg().toBuffer())
    expect(await keep(large)).toEqual({ ok: false, reason: 'too_large' })
    // A small file with 51 million pixels.
    const bomb = await picture(8_500, 6_000).png({ compressionLevel: 9 }).toBuffer()
    expect(bomb.byteLength).toBeLessThan(MAX_UPLOAD_BYTES.listing)
    expect(await keep(bomb)).toEqual({ ok: false, reason: 'too_many_pixels' })
  })

  it('counts the pixels of every frame of an animation', async () => {
    expect(await keep(await anAnimation(34, 1_500, 1_000))).toEqual({ ok: false, reason: 'too_many_pixels' })
    expect(await keep(await anAnimation(33, 1_500, 1_000))).toMatchObject({
      ok: true,
      image: { width: 1_500, height: 1_000 },
    })
  })

  it('accepts six concurrent uploads of an account, and also those of another account', async () => {
    const bytes = await picture().png().toBuffer()
    const stranger = await aUser(connection.db)
    const flood = Array.from({ length: 40 }, () => keep(bytes))
    const beside = keepUpload(deps, stranger.id, {
      kind: 'logo',
      fileName: 'logo.png',
      businessName: '',
      index: 0,
      bytes,
    })
    const outcomes = await Promise.all(flood)
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(MAX_CONCURRENT_UPLOADS)
    for (const outcome of outcomes.slice(MAX_CONCURRENT_UPLOADS))
      expect(outcome).toEqual({ ok: false, reason: 'too_many_at_once' })
    expect(await beside).toMatchObject({ ok: true })
    expect(await keep(bytes)).toMatchObject({ ok: true })
  })

  it('takes turns between senders, so that one’s many pictures hold up no other’s logo', async () => {
    const bytes = await picture().png().toBuffer()
    const gate = Promise.withResolvers<void>()
    const begun: string[] = []
    const draw = (sender: string, name: string) =>
      drawUpload(
        deps,
        { sender: accountSender(sender), bytes, maxBytes: MAX_UPLOAD_BYTES.logo },
        async () => {
          begun.push(name)
          await gate.promise
        },
      )
    const flood = ['1', '2', '3', '4', '5', '6'].map((name) => draw('customer', name))
    const beside = draw('vendor', 'logo')
    gate.resolve()
    await Promise.all([...flood, beside])
    expect(begun).toEqual(['1', '2', 'logo', '3', '4', '5', '6'])
  })

  it('decodes 5,000 megapixels of an account in a day, and counts no refused picture', async () => {
    const { key, megapixels } = accountSender(userId)
    expect(await deps.rateLimits.take(`pixels:${key}`, megapixels, megapixels.max - 3)).toBe(true)
    const four = await picture(2_000, 2_000).png().toBuffer()
    const three = await picture(2_000, 1_500).png().toBuffer()
    expect(await keep(four)).toEqual({ ok: false, reason: 'too_many_today' })
    expect(await keep(three)).toMatchObject({ ok: true })
    expect(await keep(await picture().png().toBuffer())).toEqual({ ok: false, reason: 'too_many_today' })
    clock.forward(megapixels.windowMs)
    expect(await keep(four)).toMatchObject({ ok: true })
  })

  it('refuses an upload once the queue of all accounts is full', async () => {
    const bytes = await picture().png().toBuffer()
    const users = await Promise.all(
      Array.from({ length: MAX_UPLOADS_WAITING + 2 }, () => aUser(connection.db)),
    )
    const outcomes = await Promise.all(
      users.map(({ id }) =>
        drawUpload(
          deps,
          { sender: accountSender(id), bytes, maxBytes: MAX_UPLOAD_BYTES.logo },
          async () => 'drawn',
        ),
      ),
    )
    // One is being decoded while the others wait.
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(MAX_UPLOADS_WAITING + 1)
    expect(outcomes.at(-1)).toEqual({ ok: false, reason: 'overrun' })
  })

  it('refuses or re-encodes each of more than 200 hostile files', async () => {
    const random = seeded(7)
    const plain = {
      jpeg: await picture().jpeg().toBuffer(),
      png: await picture().png().toBuffer(),
      webp: await picture().webp().toBuffer(),
      gif: await picture().gif().toBuffer(),
      avif: await picture().avif({ effort: 0 }).toBuffer(),
    }
    const files: [name: string, bytes: Uint8Array][] = []
    const text = (name: string, content: string) => files.push([name, Buffer.from(content, 'latin1')])

    for (const [type, bytes] of Object.entries(plain)) {
      // Truncated at various points.
      for (let part = 1; part <= 12; part++) {
        files.push([`cut ${type}`, bytes.subarray(0, Math.floor((bytes.length * part) / 13))])
      }
      // Random bytes in header and pixels.
      for (let round = 0; round < 20; round++) {
        const broken = Buffer.from(bytes)
        for (let flips = 0; flips <= round; flips++) {
          broken[Math.floor(random() * broken.length)] = Math.floor(random() * 256)
        }
        files.push([`broken ${type}`, broken])
      }
      // Polyglots: a picture to one reader, a page to another.
      files.push([`${type} then page`, Buffer.concat([bytes, Buffer.from(MARK)])])
      files.push([`page then ${type}`, Buffer.concat([Buffer.from(MARK), bytes])])
      files.push([
        `${type} then archive`,
        Buffer.concat([bytes, Buffer.from('PK\x03\x04'), Buffer.from(MARK)]),
      ])
      // Valid first bytes, then noise.
      for (let noise = 0; noise < 8; noise++) {
        const rest = Buffer.from(Array.from({ length: 200 + noise * 50 }, () => Math.floor(random() * 256)))
        files.push([`noise as ${type}`, Buffer.concat([bytes.subarray(0, 16), rest])])
      }
    }
    text('svg', `<svg xmlns="http://www.w3.org/2000/svg">${MARK}</svg>`)
    text('svg with a head', `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>`)
    text('page', `<!doctype html>${MARK}`)
    text('GIF89a page', `GIF89a/*${MARK}*/=0;`)
    text('JPEG page', `\xff\xd8\xff\xe0<!--${MARK}-->`)
    text('pdf', `%PDF-1.7\n${MARK}`)
    text('program', `MZ\x90\0${MARK}`)
    text('script', `#!/bin/sh\necho ${MARK}`)
    text('NULs', '\0'.repeat(500))
    text('archive', `PK\x03\x04${MARK}`)
    text('php', '\xff\xd8\xff\xdb<?php system($_GET[0]); ?>')
    files.push(['tiff', await picture().tiff().toBuffer()])
    files.push(['svg in a jpeg name', Buffer.from('<svg/>')])
    // A PNG whose header claims 4 billion pixels.
    const oversized = Buffer.from(plain.png)
    oversized.writeUInt32BE(65_000, 16)
    oversized.writeUInt32BE(65_000, 20)
    files.push(['oversized png', oversized])
    const comment = Buffer.from(`\xff\xd8\xff\xfe\0${String.fromCharCode(MARK.length + 2)}${MARK}`, 'latin1')
    files.push(['comment in a jpeg', Buffer.concat([comment, plain.jpeg.subarray(2)])])

    expect(files.length).toBeGreaterThan(200)
    let taken = 0
    for (const [name, bytes] of files) {
      const before = await countUploads()
      const outcome = await keep(bytes, { fileName: `${name}.jpg` })
      if (!outcome.ok) {
        expect(['empty', 'too_large', 'not_an_image', 'too_many_pixels'], name).toContain(outcome.reason)
        expect(await countUploads(), name).toBe(before)
        continue
      }
      taken++
      const result = await stored(outcome.key)
      const { format, width, height, exif, xmp } = await sharp(result).metadata()
      expect(['jpeg', 'webp'], name).toContain(format)
      expect(Math.max(width, height), name).toBeLessThanOrEqual(STORED_SIDE)
      expect({ exif, xmp }, name).toEqual({})
      expect(result.includes(MARK), name).toBe(false)
      expect(result.includes('PK\x03\x04'), name).toBe(false)
    }
    // Complete pictures with trailing data are accepted and re-encoded.
    expect(taken).toBeGreaterThan(8)
  }, 120_000)
})

describe('readUpload', () => {
  it('generates and stores each variant, never larger than the picture', async () => {
    const outcome = await keep(await picture(500, 300).jpeg().toBuffer())
    if (!outcome.ok) throw new Error(outcome.reason)
    for (const format of ['webp', 'jpeg', 'avif'] as const) {
      const file = await readUpload(deps, outcome.key, { width: 320, format })
      expect(file?.contentType).toBe(`image/${format}`)
      const found = await sharp(file?.bytes).metadata()
      expect(found).toMatchObject({ format: format === 'avif' ? 'heif' : format, width: 320, height: 192 })
    }
    const large = await readUpload(deps, outcome.key, { width: 1600, format: 'webp' })
    expect((await sharp(large?.bytes).metadata()).width).toBe(500)
    expect(await deps.files.read(`variants/${outcome.key}/320.webp`)).not.toBeNull()
  })

  it.each(['../0001', 'businessImages/../../x', 'businessImages/none_1_0', 'variants/x', '', 'a\0b'])(
    'returns null for %j',
    async (key) => expect(await readUpload(deps, key, { width: 320, format: 'webp' })).toBeNull(),
  )

  it('returns null once the picture is deleted with all its variants', async () => {
    const outcome = await keep(await picture().jpeg().toBuffer())
    if (!outcome.ok) throw new Error(outcome.reason)
    await readUpload(deps, outcome.key, { width: 320, format: 'webp' })
    await deleteUploads(deps, [outcome.key])
    expect(await readUpload(deps, outcome.key, { width: 320, format: 'webp' })).toBeNull()
    expect(await deps.files.read(outcome.key)).toBeNull()
    expect(await deps.files.read(`variants/${outcome.key}/320.webp`)).toBeNull()
  })
})

describe('attachUploads', () => {
  const attach = (keys: string[], to: `business:${string}` = 'business:a', by = userId) =>
    connection.db.transaction().execute((tx) => attachUploads(tx, { userId: by, keys, to }))

  it('attaches the user’s uploads to one record only, and accepts it again', async () => {
    const key = await anUpload()
    expect((await attach([key]))?.get(key)).toMatchObject({ url: `/files/${key}` })
    expect(await attach([key])).not.toBeNull()
    expect(await attach([key], 'business:b')).toBeNull()
  })

  it('attaches nothing if one upload is missing or another user’s', async () => {
    const key = await anUpload()
    const stranger = await aUser(connection.db)
    expect(await attach([key], 'business:a', stranger.id)).toBeNull()
    expect(await attach([key, 'businessImages/none_1_0'])).toBeNull()
    const row = await connection.db
      .selectFrom('uploads')
      .select('attached_to')
      .where('key', '=', key)
      .executeTakeFirstOrThrow()
    expect(row.attached_to).toBeNull()
  })

  it('keeps attached uploads from being deleted', async () => {
    const [kept = '', dropped = ''] = [await anUpload(), await anUpload()]
    await attach([kept, dropped], 'business:c')
    await deleteUploads(deps, [kept, dropped])
    expect(await deps.files.read(kept)).not.toBeNull()
    await connection.db.updateTable('uploads').set({ attached_to: null }).where('key', '=', dropped).execute()
    await deleteUploads(deps, [dropped])
    expect(await deps.files.read(dropped)).toBeNull()
    expect(await deps.files.read(kept)).not.toBeNull()
  })

  it('deletes the files that a failed deletion has left, but none of an attached upload', async () => {
    const [kept = '', dropped = ''] = [await anUpload(), await anUpload()]
    await attach([kept], 'business:e')
    await expect(
      deleteUploads({ ...deps, files: anUnavailableStore(deps.files) }, [dropped]),
    ).rejects.toThrow('away')
    expect(await deps.files.read(dropped)).not.toBeNull()
    await deleteUploads(deps, [kept, dropped])
    expect(await deps.files.read(dropped)).toBeNull()
    expect(await deps.files.read(kept)).not.toBeNull()
  })

  it('keeps uploads from the sweep, which deletes unattached ones after a day', async () => {
    await connection.db.deleteFrom('uploads').execute()
    const [old = '', attached = ''] = [await anUpload(), await anUpload()]
    await attach([attached], 'business:d')
    clock.forward(25 * HOUR_MS)
    const fresh = await anUpload()
    expect(await sweepStrayUploads(deps)).toBe(1)
    expect(await deps.files.read(old)).toBeNull()
    expect(await deps.files.read(attached)).not.toBeNull()
    expect(await deps.files.read(fresh)).not.toBeNull()
  })
})

describe('a deletion that the file store has failed', () => {
  async function aFailedDeletion() {
    const key = await anUpload()
    const files = anUnavailableStore(deps.files)
    await expect(deleteUploads({ ...deps, files }, [key])).rejects.toThrow('away')
    return key
  }

  it('leaves an upload that is neither served nor attached', async () => {
    const key = await aFailedDeletion()
    expect(await readUpload(deps, key, { width: 320, format: 'jpeg' })).toBeNull()
    const attached = await connection.db
      .transaction()
      .execute((tx) => attachUploads(tx, { userId, keys: [key], to: 'business:f' }))
    expect(attached).toBeNull()
  })

  it('runs again with each sweep until the files are deleted', async () => {
    await connection.db.deleteFrom('uploads').execute()
    const key = await aFailedDeletion()
    clock.forward(25 * HOUR_MS)
    const files = anUnavailableStore(deps.files)
    await expect(sweepStrayUploads({ ...deps, files })).rejects.toThrow('away')
    expect(await deps.files.read(key)).not.toBeNull()
    expect(await sweepStrayUploads(deps)).toBe(1)
    expect(await deps.files.read(key)).toBeNull()
    expect(await sweepStrayUploads(deps)).toBe(0)
  })
})

describe('readOrMake', () => {
  it('generates a file once for concurrent requests, and at most two files at a time', async () => {
    let running = 0
    let most = 0
    let made = 0
    const make = async () => {
      made++
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running--
      return { bytes: new Uint8Array([1]), contentType: 'image/webp' }
    }
    const keys = Array.from({ length: 12 }, (_, index) => `made/${index % 6}.webp`)
    await Promise.all(keys.map((key) => readOrMake(deps.files, key, make)))
    expect(made).toBe(6)
    expect(most).toBe(2)
  })

  it('caches nothing without a source, and tries again after a failure', async () => {
    expect(await readOrMake(deps.files, 'made/none.webp', async () => null)).toBeNull()
    await expect(
      readOrMake(deps.files, 'made/bad.webp', async () => {
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    const file = { bytes: new Uint8Array([2]), contentType: 'image/webp' }
    expect((await readOrMake(deps.files, 'made/bad.webp', async () => file)).bytes).toEqual(file.bytes)
  })
})
