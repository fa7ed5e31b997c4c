import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { MAX_PART_BYTES } from './body-limits.ts'
import { ownPath, readForm } from './form.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

describe('the path after signing in', () => {
  it.each(['/', '/my-bookings', '/book/a-b?date=2027-03-14#x'])(
    'stays the given one if it is ours: %s',
    (path) => {
      expect(ownPath(path, '/home')).toBe(path)
    },
  )
  it.each([
    ['/\u200b', '/%E2%80%8B'],
    ['/zoë?q=🎂#ü', '/zo%C3%AB?q=%F0%9F%8E%82#%C3%BC'],
    ['/\ud800', '/%EF%BF%BD'],
  ])('can be sent in a header: %j', (path, encoded) => {
    expect(ownPath(path, '/home')).toBe(encoded)
    expect(new Headers({ location: encoded }).get('location')).toBe(encoded)
  })
  it.each([
    null,
    undefined,
    '',
    'my-bookings',
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/\t/elsewhere.example',
    '/a\nb',
    'javascript:alert(1)',
    '/..//elsewhere.example',
    '/.//elsewhere.example/x',
    '/a/../..//elsewhere.example',
  ])('becomes the fallback for %j', (path) => {
    expect(ownPath(path, '/home')).toBe('/home')
  })
})

describe('a posted form', () => {
  const schema = z.object({ email: z.string(), tags: z.array(z.string()).max(400) })
  const read = (body: BodyInit | null, type?: string) =>
    readForm(
      new Request('http://localhost/', {
        method: 'POST',
        body,
        headers: type === undefined ? {} : { 'content-type': type },
      }),
      schema,
    )
  const refusal = async (reading: Promise<FormData>) => {
    const answer = await reading.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(answer).toBeInstanceOf(Response)
    return (answer as Response).status
  }

  it('may be URL-encoded, multipart or empty', async () => {
    const form = new FormData()
    form.append('email', 'a&b=ü')
    form.append('tags', 'one')
    form.append('tags', 'two')
    for (const body of [form, new URLSearchParams([...form] as [string, string][]), 'email=a%26b%3D%C3%BC'])
      expect((await read(body, typeof body === 'string' ? FORM_TYPE : undefined)).get('email')).toBe('a&b=ü')
    expect((await read(form)).getAll('tags')).toEqual(['one', 'two'])
    expect([...(await read(null))]).toEqual([])
  })

  it('may have at most 200 fields', async () => {
    const fields = (count: number) => Array<string>(count).fill('tags=x').join('&')
    expect([...(await read(fields(200), FORM_TYPE))]).toHaveLength(200)
    await expect(refusal(read(fields(201), FORM_TYPE))).resolves.toBe(400)
    const parts = (count: number) => {
      const form = new FormData()
      for (let at = 0; at < count; at++) form.append('tags', 'x')
      return form
    }
    expect([...(await read(parts(200)))]).toHaveLength(200)
    await expect(refusal(read(parts(201)))).resolves.toBe(400)
  })

  it.each([
    ['{"email":"x"}', 'application/json'],
    ['email=x', 'text/plain'],
    ['--x--', 'multipart/form-data'],
    ['--x--', 'multipart/form-data; boundary='],
    ['--x\r\n\r\n', 'multipart/form-data; boundary=x; boundary=y'],
    ['email=x&name=y', FORM_TYPE],
  ])('can’t have the body %j of type %s', async (body, type) => {
    await expect(refusal(read(body, type))).resolves.toBe(400)
  })

  it('may have at most 64 kB of text', async () => {
    const longest = await read(`email=${'x'.repeat(65_536)}`, FORM_TYPE)
    expect(longest.get('email')).toHaveLength(65_536)
    await expect(refusal(read(`email=${'x'.repeat(65_537)}`, FORM_TYPE))).resolves.toBe(413)
  })

  const BOUNDARY = 'a-boundary-of-27-characters'
  const multipart = (disposition: string, value: string | Uint8Array) =>
    new Blob([
      `--${BOUNDARY}\r\ncontent-disposition: ${disposition}\r\n\r\n`,
      value as BlobPart,
      `\r\n--${BOUNDARY}--\r\n`,
    ])
  const withFile = z.object({ file: z.instanceof(File) })
  const readPart = async (disposition: string, value: string | Uint8Array = 'x', type = '') =>
    readForm(
      new Request('http://localhost/', {
        method: 'POST',
        body: await multipart(disposition, value).arrayBuffer(),
        headers: { 'content-type': type || `multipart/form-data; boundary=${BOUNDARY}` },
      }),
      [schema, withFile],
    )

  it('may have a file of any length, whose last boundary may be cut anywhere', async () => {
    for (const bytes of [0, 1, 65_535, 65_536, 66_400, 66_550, 66_559, 66_560, 66_561, 131_072, 500_000]) {
      const sent = new Uint8Array(bytes).map((_, at) => (at * 31) % 251)
      const file = (await readPart('form-data; name="file"; filename="a.png"', sent)).get('file') as File
      expect([bytes, file.size]).toEqual([bytes, bytes])
      expect(new Uint8Array(await file.arrayBuffer())).toEqual(sent)
    }
  })

  it('may arrive with its last boundary and line break in two chunks', async () => {
    const whole = new Uint8Array(
      await multipart('form-data; name="file"; filename="a.png"', new Uint8Array(70_000)).arrayBuffer(),
    )
    for (let cut = 1; cut <= 40; cut++) {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(whole.slice(0, -cut))
          controller.enqueue(whole.slice(-cut))
          controller.close()
        },
      })
      const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
      const request = new Request('http://localhost/', {
        method: 'POST',
        body,
        headers,
        duplex: 'half',
      } as RequestInit)
      const file = (await readForm(request, [schema, withFile])).get('file') as File
      expect([cut, file.size]).toEqual([cut, 70_000])
    }
  })

  it.each([
    ['filename="a b.png"', 'a b.png'],
    ['filename="Zoë 🎂.png"', 'Zoë 🎂.png'],
    ['filename="a%22b%0D%0A.png"', 'a"b\r\n.png'],
    ['filename="C:\\a.png"', 'C:\\a.png'],
    ['filename="a; name=b.png"', 'a; name=b.png'],
    ['filename="100%25.png"', '100%25.png'],
    ['filename=""', ''],
  ])('has a file’s name as browsers write it: %s', async (parameter, name) => {
    const form = await readPart(`form-data; name="file"; ${parameter}`)
    expect((form.get('file') as File).name).toBe(name)
  })

  it.each([
    `form-data; name="email"; x="${'a'.repeat(4_096)}"`,
    'form-data',
    'form-data; name="email',
    'form-data; name="email" "x"',
    'attachment; name="email"',
    '',
  ])('can’t have such a header of a part (%#)', async (disposition) => {
    await expect(refusal(readPart(disposition))).resolves.toBe(400)
  })

  it('refuses a file that no form accepts with 413', async () => {
    const longest = await readPart('form-data; name="file"; filename="a"', new Uint8Array(MAX_PART_BYTES))
    expect((longest.get('file') as File).size).toBe(MAX_PART_BYTES)
    await expect(
      refusal(readPart('form-data; name="file"; filename="a"', new Uint8Array(MAX_PART_BYTES + 1))),
    ).resolves.toBe(413)
  })
})
