import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../tests/free-port.ts'
import { createDiskFileStore } from './disk.server.ts'
import type { FileStore } from './port.ts'
import { createS3FileStore, type S3Settings } from './s3.server.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const folder = mkdtempSync(join(tmpdir(), 'jubilee-file-stores-'))
const settings: S3Settings = {
  bucket: 'jubilee',
  region: 'ap-southeast-2',
  endpoint: null,
  // The only credentials that the test server accepts.
  accessKeyId: 'S3RVER',
  secretAccessKey: 'S3RVER',
}
let server: S3rver
let overloaded: Server
let overloadedUrl: string
let hotel: Server
let hotelUrl: string
let ours: S3Settings

beforeAll(async () => {
  const port = await freePort()
  server = new S3rver({
    address: '127.0.0.1',
    port,
    directory: join(folder, 'bucket'),
    silent: true,
    configureBuckets: [{ name: settings.bucket }],
  })
  await server.run()
  overloaded = createServer((_request, response) => {
    response.statusCode = 503
    response.end()
  })
  await new Promise<void>((resolve) => overloaded.listen(0, '127.0.0.1', resolve))
  overloadedUrl = `http://127.0.0.1:${(overloaded.address() as AddressInfo).port}`
  hotel = createServer((_request, response) => response.end('<h1>Welcome to our hotel</h1>'))
  await new Promise<void>((resolve) => hotel.listen(0, '127.0.0.1', resolve))
  hotelUrl = `http://127.0.0.1:${(hotel.address() as AddressInfo).port}`
  ours = { ...settings, endpoint: `http://127.0.0.1:${port}` }
})
afterAll(async () => {
  await server.close()
  overloaded.close()
  hotel.close()
  rmSync(folder, { recursive: true, force: true })
})

const stores: { name: string; open: () => FileStore }[] = [
  { name: 'disk', open: () => createDiskFileStore(join(folder, 'disk')) },
  { name: 'S3', open: () => createS3FileStore(ours) },
]

describe.each(stores)('the file store on $name', ({ open }) => {
  let store: FileStore
  beforeAll(() => {
    store = open()
  })

  it('returns a file unchanged, even to another process', async () => {
    const bytes = new Uint8Array(300_000).map((_, index) => (index * 31) % 256)
    await store.put('variants/businessImages/Tide_House_1700000000000_0/640.webp', {
      bytes,
      contentType: 'image/webp',
    })
    for (const reader of [store, open()]) {
      const file = await reader.read('variants/businessImages/Tide_House_1700000000000_0/640.webp')
      expect(Buffer.from(file?.bytes ?? []).equals(bytes)).toBe(true)
      expect(file?.contentType).toBe('image/webp')
    }
  })

  it.each([
    ['avif', 'image/avif'],
    ['webp', 'image/webp'],
    ['jpeg', 'image/jpeg'],
    ['jpg', 'image/jpeg'],
    ['png', 'image/png'],
    ['pdf', 'application/pdf'],
  ])('returns the content type of a .%s file', async (ending, contentType) => {
    await store.put(`types/a.${ending}`, { bytes: bytesOf(ending), contentType })
    expect((await store.read(`types/a.${ending}`))?.contentType).toBe(contentType)
  })

  it('returns null for a key without a file', async () => {
    expect(await store.read('nothing/here.webp')).toBeNull()
    await store.put('folder/file.webp', { bytes: bytesOf('a'), contentType: 'image/webp' })
    expect(await store.read('folder/file')).toBeNull()
    expect(await store.read('folder/fil')).toBeNull()
    expect(await store.read('folder')).toBeNull()
    expect(await store.read('folder/file.webp/deeper')).toBeNull()
    await store.delete('folder')
    expect(await store.read('folder/file.webp')).not.toBeNull()
  })

  it('replaces an older file', async () => {
    await store.put('again.png', { bytes: bytesOf('a longer first'), contentType: 'image/png' })
    await store.put('again.png', { bytes: bytesOf('second'), contentType: 'image/png' })
    expect(Buffer.from((await store.read('again.png'))?.bytes ?? []).toString()).toBe('second')
  })

  it('stores an empty file', async () => {
    await store.put('empty.png', { bytes: new Uint8Array(0), contentType: 'image/png' })
    expect((await store.read('empty.png'))?.bytes.byteLength).toBe(0)
  })

  it('deletes a file, and ignores a missing file', async () => {
    await store.put('gone/soon.png', { bytes: bytesOf('x'), contentType: 'image/png' })
    await store.put('gone/stays.png', { bytes: bytesOf('y'), contentType: 'image/png' })
    await store.delete('gone/soon.png')
    await store.delete('gone/soon.png')
    await store.delete('never/there.png')
    expect(await store.read('gone/soon.png')).toBeNull()
    expect(await store.read('gone/stays.png')).not.toBeNull()
  })

  it.each([
    'businessLogos/1700000000000_logo.final-2.JPG',
    'businessImages/__._1700000000000_2',
    `userPhotos/${'a'.repeat(180)}.webp`,
    'a',
    '..a/b..c/...d',
    '-rf/--x',
  ])('accepts every kind of key that we make: %s', async (key) => {
    await store.put(key, { bytes: bytesOf(key), contentType: 'image/webp' })
    expect(Buffer.from((await store.read(key))?.bytes ?? []).toString()).toBe(key)
    await store.delete(key)
    expect(await store.read(key)).toBeNull()
  })

  it.each([
    '',
    '/',
    '/etc/passwd',
    '../secret',
    'a/../b',
    'a/./b',
    'a//b',
    'a/',
    'a\0b',
    'a b',
    'a\\b',
    'ümlaut',
    '🎉.png',
    'a%2e%2e',
    'x'.repeat(300),
  ])('refuses a key that we never make: %j', async (key) => {
    const file = { bytes: bytesOf('x'), contentType: 'image/png' }
    await expect(store.put(key, file)).rejects.toThrow(RangeError)
    await expect(store.read(key)).rejects.toThrow(RangeError)
    await expect(store.delete(key)).rejects.toThrow(RangeError)
  })

  it('handles many concurrent writes and reads', async () => {
    const keys = Array.from({ length: 30 }, (_, index) => `many/${index}.png`)
    await Promise.all(keys.map((key) => store.put(key, { bytes: bytesOf(key), contentType: 'image/png' })))
    const read = await Promise.all(keys.map((key) => store.read(key)))
    expect(read.map((file) => Buffer.from(file?.bytes ?? []).toString())).toEqual(keys)
  })

  it('lists every stored file and passes its check', async () => {
    const before = await Array.fromAsync(store.list())
    const file = { bytes: bytesOf('a'), contentType: 'image/webp' }
    await store.put('listed/deep/er/one.webp', file)
    await store.put('listed-two.webp', file)
    await store.put('listed/gone.webp', file)
    await store.delete('listed/gone.webp')
    const now = await Array.fromAsync(store.list())
    expect(now.sort()).toEqual([...before, 'listed/deep/er/one.webp', 'listed-two.webp'].sort())
    await store.check()
  })
})

describe('a faulty S3 server', () => {
  const file = { bytes: bytesOf('x'), contentType: 'image/png' }
  const refused: [string, () => Promise<S3Settings>][] = [
    ['is down', async () => ({ ...settings, endpoint: `http://127.0.0.1:${await freePort()}` })],
    ['lacks the bucket', async () => ({ ...ours, bucket: 'another' })],
    ['refuses our key', async () => ({ ...ours, accessKeyId: 'somebody-else' })],
    ['is overloaded', async () => ({ ...settings, endpoint: overloadedUrl })],
    ['is another kind of server', async () => ({ ...settings, endpoint: hotelUrl })],
  ]

  it.each(refused)('that %s makes every call fail, rather than report a missing file', async (_, wrong) => {
    const store = createS3FileStore(await wrong())
    const began = Date.now()
    await expect(store.read('a.png')).rejects.toThrow()
    await expect(store.put('a.png', file)).rejects.toThrow()
    await expect(store.delete('a.png')).rejects.toThrow()
    await expect(Array.fromAsync(store.list())).rejects.toThrow()
    await expect(store.check()).rejects.toThrow()
    expect(Date.now() - began).toBeLessThan(15_000)
  })
})
