import { describe, expect, it } from 'vitest'
import { dayText, emailField, PERSON_NAME_LINK, personName, plainText, timeText } from './form-texts.ts'

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

describe('text with answers of its own', () => {
  const phone = plainText({
    required: 'Phone?',
    max: 5,
    tooLong: 'Shorter.',
    unreadable: 'Again.',
    abort: true,
  })
  it.each([
    ['', 'Phone?'],
    ['123456', 'Shorter.'],
    ['1\n2', 'Again.'],
    ['1\0', 'Again.'],
    ['abc', 'Digits.'],
  ])('gets one answer for %j: %s', (text, answer) => {
    const found = phone.regex(/^\d*$/, 'Digits.').safeParse(text)
    expect(found.error?.issues.map(({ message }) => message)).toEqual([answer])
  })
})

describe('a day and a time', () => {
  const says = { missing: 'Choose one.', wrong: 'There is none.' }
  it.each([
    [dayText(says), '2027-03-14', undefined],
    [dayText(says), '', 'Choose one.'],
    [dayText(says), '2027-02-31', 'There is none.'],
    [timeText(says), '16:00', undefined],
    [timeText(says), undefined, 'Choose one.'],
    [timeText(says), '24:30', 'There is none.'],
  ])('%#: of %j it says %s', (schema, text, answer) => {
    expect(schema.safeParse(text).error?.issues[0]?.message).toBe(answer)
  })
})
