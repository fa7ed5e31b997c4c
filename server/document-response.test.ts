import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { encodeDocument, sendDocument } from './document-response.ts'

const html = Buffer.from(
  `<!DOCTYPE html>${'<p>A text – long enough to be worth compressing.</p>'.repeat(50)}`,
)
const answer = () =>
  new Response(null, { status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } })
const request = (acceptEncoding: string, method = 'GET') =>
  new Request('http://localhost/', { method, headers: { 'accept-encoding': acceptEncoding } })

describe('the response of a document', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
    ['identity', null, (body: Buffer) => body],
    ['', null, (body: Buffer) => body],
  ])('is encoded for a client that accepts %o as %o', async (accepted, encoding, unpack) => {
    const response = await sendDocument(answer(), html, request(accepted))
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('vary')).toBe('accept-encoding')
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(unpack(Buffer.from(await response.arrayBuffer())).equals(html)).toBe(true)
  })

  it('leaves out the body for HEAD', async () => {
    const response = await sendDocument(answer(), html, request('br', 'HEAD'))
    expect(response.body).toBeNull()
    expect(response.status).toBe(404)
  })
})

describe('a document in pieces', () => {
  it('equals its whole text byte for byte, whatever its length and characters', () => {
    const short = encodeDocument(['<p>Café – ', '“naïve” 🎉', '</p>'])
    const long = 'Größe – 🎉 '.repeat(100_000)
    expect(encodeDocument([long, 'end']).equals(Buffer.from(`${long}end`))).toBe(true)
    // The next document doesn't overwrite it.
    expect(short.toString()).toBe('<p>Café – “naïve” 🎉</p>')
  })
})
