import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { cacheResponse, type RequestHead, sendCached, toResponse } from './cached-response.ts'

const text = Buffer.from('A page that is long enough to be worth compressing. '.repeat(40))
const compressed = cacheResponse(
  text,
  { 'content-type': 'text/html', 'cache-control': 'no-cache' },
  {
    br: brotliCompressSync(text),
    gzip: gzipSync(text),
  },
)
const picture = cacheResponse(text, { 'content-type': 'image/png' }, { plain: text })

const send = (cached = compressed, head: Partial<RequestHead> = {}) =>
  toResponse(
    sendCached(
      cached,
      { method: 'GET', target: '/', hosts: 1, acceptEncoding: '', ifNoneMatch: '', ...head },
      ['x-own', '1'],
    ),
  )
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

describe('a cached response', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.1, gzip;q=1', 'br'],
    ['BR', 'br'],
    ['gzip, br;q=0', 'gzip'],
    ['gzip, br; q=0.000', 'gzip'],
    ['gzip', 'gzip'],
    ['brotli, gzip-ish', null],
    ['identity', null],
    ['', null],
  ])('answers Accept-Encoding %j with the encoding %s', async (acceptEncoding, encoding) => {
    const answer = send(compressed, { acceptEncoding })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    const bytes = await bytesOf(answer)
    expect(answer.headers.get('content-length')).toBe(String(bytes.length))
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((same: Buffer) => same)
    expect(unpack(bytes)).toEqual(text)
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    expect(answer.headers.get('x-own')).toBe('1')
  })

  it('with a brotli body alone makes its gzip body once, when a client needs it, and counts it from the start', async () => {
    const page = cacheResponse(text, { 'content-type': 'text/html' }, { br: brotliCompressSync(text) })
    expect(page.gzip).toBeNull()
    expect(await bytesOf(send(page))).toEqual(text)
    const [first, second] = [send(page, { acceptEncoding: 'gzip' }), send(page, { acceptEncoding: 'gzip' })]
    const made = page.gzip
    expect(first.headers.get('content-encoding')).toBe('gzip')
    expect(first.headers.get('etag')).toBe(page.etag)
    expect(first.headers.get('vary')).toBe('accept-encoding')
    const [bytes, again] = [await bytesOf(first), await bytesOf(second)]
    expect(first.headers.get('content-length')).toBe(String(bytes.length))
    expect(gunzipSync(bytes)).toEqual(text)
    expect(again).toEqual(bytes)
    send(page, { acceptEncoding: 'gzip' })
    expect(page.gzip).toBe(made)
    expect(page.bytes).toBeGreaterThanOrEqual((page.br?.body.length ?? 0) + bytes.length)
    expect(await bytesOf(send(page))).toEqual(text)
  })

  it('omits Vary if it has only one encoding', async () => {
    const answer = send(picture, { acceptEncoding: 'br' })
    expect(answer.headers.has('vary')).toBe(false)
    expect(await bytesOf(answer)).toEqual(text)
  })

  it('gets an ETag that depends on its content and its headers', () => {
    const tag = (content: string, headers = {}) => cacheResponse(Buffer.from(content), headers, {}).etag
    expect(tag('a')).toBe(tag('a'))
    expect(tag('a')).not.toBe(tag('b'))
    expect(tag('a')).not.toBe(tag('a', { 'content-security-policy': 'none' }))
  })

  it.each([
    ['its ETag', compressed.etag],
    ['its ETag as a strong one', compressed.etag.slice(2)],
    ['a list with its ETag', `"other", ${compressed.etag}`],
    ['any ETag', '*'],
  ])('becomes 304 if If-None-Match names %s', async (_, ifNoneMatch) => {
    const answer = send(compressed, { ifNoneMatch, acceptEncoding: 'br' })
    expect(answer.status).toBe(304)
    expect(await answer.text()).toBe('')
    expect(answer.headers.get('etag')).toBe(compressed.etag)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(answer.headers.get('vary')).toBe('accept-encoding')
    expect(answer.headers.has('content-length')).toBe(false)
    expect(answer.headers.has('content-type')).toBe(false)
  })

  it.each(['"other"', 'W/"other"', compressed.etag.slice(2, -2), 'nonsense'])(
    'goes out in full if If-None-Match is %j',
    (ifNoneMatch) => expect(send(compressed, { ifNoneMatch }).status).toBe(200),
  )

  it('sends the same headers for HEAD as for GET', async () => {
    const head = send(compressed, { method: 'HEAD', acceptEncoding: 'br' })
    const get = send(compressed, { acceptEncoding: 'br' })
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers))
    expect(await head.text()).toBe('')
  })
})
