import { describe, expect, it } from 'vitest'
import { isOneLine, isPersonName, looksLikeLink, toOneLine } from './one-line.ts'

describe('a person’s name', () => {
  it.each([
    'Kim Lee',
    'O’Brien-Smith Jr.',
    "O'Brien-Smith Jr.",
    'Dr. Kim',
    'Dr. Kim Lee, PhD',
    'J.R.R. Tolkien',
    'J. R. R. Tolkien',
    'A.B.C.D',
    'Müller',
    'Mu\u0308ller',
    'Zoë öz',
    '李小龙',
    '阿卜杜拉·买买提',
    'Ṣọlá Ọ̀ṣọ́',
    'محمد علی',
    'נועה כהן',
    'राम सिंह',
    // Persian and Indian names and some emoji need these joiners.
    'علی\u200cرضا',
    '👩\u200d🎤 Nia',
    '2 B. Married',
    'Kim the 3rd',
    'Robin & Alex (Vale)',
    'Cher',
    'X Æ A-12',
    'Ann-Marie d’Arc',
    'Harbour Events Pty. Ltd.',
    'x'.repeat(80),
  ])('can be %j', (name) => {
    expect(isPersonName(name)).toBe(true)
  })

  it.each([
    ['a line break', 'Kim\nLee'],
    ['a Windows line break', 'Kim\r\nLee'],
    ['a tab', 'Kim\tLee'],
    ['NUL', 'Kim\0Lee'],
    ['the next-line character', 'Kim\u0085Lee'],
    ['a line separator', 'Kim\u2028Lee'],
    ['a paragraph separator', 'Kim\u2029Lee'],
    ['a right-to-left override', 'Kim \u202egro.live'],
    ['a bidi isolate', 'Kim \u2067Lee'],
    ['half an emoji', 'Kim \ud83d'],
    ['an escape', 'Kim \u001b[31m'],
    ['81 characters', 'x'.repeat(81)],
    ['no characters', ''],
    ['only spaces', '   '],
    ['an address with a scheme', 'Claim https://evil'],
    ['an address in capitals', 'HTTPS://EVIL'],
    ['another scheme', 'ftp://evil'],
    ['an address without its scheme', '//evil/x'],
    ['a network share', '\\\\evil\\share'],
    ['www', 'see www.evil'],
    ['a domain', 'evil.example'],
    ['a domain with a path', 'Go to evil.example/prize now'],
    ['a domain in brackets', '(evil.example)'],
    ['a domain of one letter', 'go to t.co'],
    ['a domain with digits', '4u.example'],
    ['an internationalised domain', 'пример.рф'],
    ['its ASCII form', 'evil.xn--p1ai'],
    ['a Chinese domain with a Chinese stop', '例子。中国'],
    ['full-width letters', 'ｅｖｉｌ．ｅｘａｍｐｌｅ'],
    ['a soft hyphen in a domain', 'evil\u00ad.example'],
    ['a zero-width space in a domain', 'evil.\u200bexample'],
    ['a domain right after a name', 'Amy.Smith'],
    ['an email address', 'kim@evil.example'],
    ['an email address without a dot', 'kim@evil'],
    ['a mail link', 'mailto:kim'],
    ['a phone link', 'tel:000'],
    ['an address of numbers', '203.0.113.7'],
    ['a phone number', 'Call 0412 345 678'],
    ['a phone number with signs', 'Win +61 (2) 5550-0100'],
  ])('is refused with %s', (_, name) => {
    expect(isPersonName(name)).toBe(false)
  })
})

it('toOneLine puts an older text on one line', () => {
  expect(toOneLine('The Hall\r\nBEGIN:VEVENT\u2028x \u202ey')).toBe('The Hall BEGIN:VEVENT x  y')
  expect(isOneLine(toOneLine('a\nb\0c\ud800'))).toBe(true)
  expect(toOneLine('The Walled Garden')).toBe('The Walled Garden')
})

it('isOneLine and looksLikeLink are independent', () => {
  expect(isOneLine('Bookings at evil.example')).toBe(true)
  expect(looksLikeLink('Bookings at evil.example')).toBe(true)
  expect(looksLikeLink('Line\nbreak')).toBe(false)
})
