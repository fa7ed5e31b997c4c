import { describe, expect, it } from 'vitest'
import { dayText, emailField, PERSON_NAME_LINK, personName, plainText, timeText } from './form-texts.ts'

describe('plainText', () => {
  const name = plainText({ required: 'Tell us your name.', max: 5 })
  it('trims a text and limits its length', () => {
    expect(name.parse('  Zoë ')).toBe('Zoë')
    expect(name.safeParse('   ').error?.issues[0]?.message).toBe('Tell us your name.')
    expect(name.safeParse('abcdef').error?.issues[0]?.message).toBe('Use at most 5 characters.')
  })
  it.each(['a\0b', '\ud83d', '\udc00x'])('refuses a text that a database can’t store: %j', (text) => {
    expect(name.safeParse(text).success).toBe(false)
  })
  it.each(['a\nb', 'a\r\nb', 'a\tb', 'a\u2028b', '\u202eab'])(
    'refuses more than one line, unless it is multiline: %j',
    (text) => {
      expect(name.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
        'Type this on one line, without invisible characters.',
      ])
      expect(plainText({ max: 5, multiline: true }).parse(text)).toBe(text)
    },
  )
  it('accepts emoji', () => {
    expect(name.parse('🎂🎈')).toBe('🎂🎈')
  })
})

describe('personName', () => {
  const name = personName('Tell us your name.')
  const messages = (text: string) => name.safeParse(text).error?.issues.map(({ message }) => message)
  it('trims a name, and refuses a bad one with the reason', () => {
    expect(name.parse(' Dr. Kim ')).toBe('Dr. Kim')
    expect(messages(' ')).toEqual(['Tell us your name.'])
    expect(messages('x'.repeat(81))).toEqual(['Use at most 80 characters.'])
    expect(messages('Kim\nLee')).toEqual(['Type this on one line, without invisible characters.'])
    expect(messages('Kim of evil.example')).toEqual([PERSON_NAME_LINK])
  })
})

describe('emailField', () => {
  const email = emailField('Enter your email address.')
  it('converts an address to lower case', () => {
    expect(email.parse(' Kim@Example.COM ')).toBe('kim@example.com')
  })
  it.each(['', 'kim', 'kim@', '@example.com', 'kim @example.com', 'kim@example'])('refuses %j', (text) => {
    expect(email.safeParse(text).success).toBe(false)
  })
})

describe('plainText with its own messages', () => {
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
  ])('returns one message for %j: %s', (text, message) => {
    const parsed = phone.regex(/^\d*$/, 'Digits.').safeParse(text)
    expect(parsed.error?.issues.map((issue) => issue.message)).toEqual([message])
  })
})

describe('dayText and timeText', () => {
  const messages = { missing: 'Choose one.', wrong: 'There is none.' }
  it.each([
    [dayText(messages), '2027-03-14', undefined],
    [dayText(messages), '', 'Choose one.'],
    [dayText(messages), '2027-02-31', 'There is none.'],
    [timeText(messages), '16:00', undefined],
    [timeText(messages), undefined, 'Choose one.'],
    [timeText(messages), '24:30', 'There is none.'],
  ])('return the message for a missing or wrong value (%#)', (schema, text, message) => {
    expect(schema.safeParse(text).error?.issues[0]?.message).toBe(message)
  })
})
