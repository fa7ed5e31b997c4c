import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { emailField, ownPath, PERSON_NAME_LINK, personName, plainText, readForm } from './form.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

describe('where to go after signing in', () => {
  it.each(['/', '/my-bookings', '/book/a-b?date=2027-03-14#x'])('keeps a path of our own: %s', (path) => {
    expect(ownPath(path, '/home')).toBe(path)
  })
  it.each([
    ['/\u200b', '/%E2%80%8B'],
    ['/zoë?q=🎂#ü', '/zo%C3%AB?q=%F0%9F%8E%82#%C3%BC'],
    ['/\ud800', '/%EF%BF%BD'],
  ])('is %j as a header can hold it', (path, encoded) => {
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
  ])('takes the fallback for %j', (path) => {
    expect(ownPath(path, '/home')).toBe('/home')
  })
})

describe('text that people type', () => {
  const name = plainText({ required: 'Tell us your name.', max: 5 })
  it('is trimmed and bounded', () => {
    expect(name.parse('  Zoë ')).toBe('Zoë')
    expect(name.safeParse('   ').error?.issues[0]?.message).toBe('Tell us your name.')
    expect(name.safeParse('abcdef').error?.issues[0]?.message).toBe('Use at most 5 characters.')
  })
  it.each(['a\0b', '\ud83d', '\udc00x'])('is refused when a database could not keep it', (text) => {
    expect(name.safeParse(text).success).toBe(false)
  })
  it.each(['a\nb', 'a\r\nb', 'a\tb', 'a\u2028b', '\u202eab'])('is one line: %j is refused', (text) => {
    expect(name.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
      'Type this on one line, without invisible characters.',
    ])
    expect(plainText({ max: 5, multiline: true }).parse(text)).toBe(text)
  })
  it('keeps whole emoji', () => {
    expect(name.parse('🎂🎈')).toBe('🎂🎈')
  })
})

describe('a name of a person', () => {
  const name = personName('Tell us your name.')
  const messages = (text: string) => name.safeParse(text).error?.issues.map(({ message }) => message)
  it('is trimmed, and says what is wrong with it', () => {
    expect(name.parse(' Dr. Kim ')).toBe('Dr. Kim')
    expect(messages(' ')).toEqual(['Tell us your name.'])
    expect(messages('x'.repeat(81))).toEqual(['Use at most 80 characters.'])
    expect(messages('Kim\nLee')).toEqual(['Type this on one line, without invisible characters.'])
    expect(messages('Kim of evil.example')).toEqual([PERSON_NAME_LINK])
  })
})

describe('an e-mail address', () => {
  const email = emailField('Enter your e-mail address.')
  it('is kept in lower case', () => {
    expect(email.parse(' Kim@Example.COM ')).toBe('kim@example.com')
  })
  it.each(['', 'kim', 'kim@', '@example.com', 'kim @example.com', 'kim@example'])(
    'is refused: %j',
    (text) => {
      expect(email.safeParse(text).success).toBe(false)
    },
  )
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

  it('arrives URL-encoded, as multipart, or empty', async () => {
    const form = new FormData()
    form.append('email', 'a&b=ü')
    form.append('tags', 'one')
    form.append('tags', 'two')
    for (const body of [form, new URLSearchParams([...form] as [string, string][]), 'email=a%26b%3D%C3%BC'])
      expect((await read(body, typeof body === 'string' ? FORM_TYPE : undefined)).get('email')).toBe('a&b=ü')
    expect((await read(form)).getAll('tags')).toEqual(['one', 'two'])
    expect([...(await read(null))]).toEqual([])
  })

  it('sends at most 200 fields', async () => {
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
  ])('is refused as %j of the type %s', async (body, type) => {
    await expect(refusal(read(body, type))).resolves.toBe(400)
  })

  it('sends at most 64 kB of text, files aside', async () => {
    const longest = await read(`email=${'x'.repeat(65_536)}`, FORM_TYPE)
    expect(longest.get('email')).toHaveLength(65_536)
    await expect(refusal(read(`email=${'x'.repeat(65_537)}`, FORM_TYPE))).resolves.toBe(413)
  })
})
