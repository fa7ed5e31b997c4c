import { describe, expect, it } from 'vitest'
import { emailField, ownPath, plainText } from './form.ts'

describe('where to go after signing in', () => {
  it.each(['/', '/my-bookings', '/book/a-b?date=2027-03-14#x'])('keeps a path of our own: %s', (path) => {
    expect(ownPath(path, '/home')).toBe(path)
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
  it('keeps whole emoji', () => {
    expect(name.parse('🎂🎈')).toBe('🎂🎈')
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
