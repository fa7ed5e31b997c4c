import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../shared/time-units.ts'
import { responseText } from './messages.ts'
import {
  hasContactDetails,
  LATE_AFTER_MS,
  latenessOf,
  maskContacts,
  textParts,
  VERY_LATE_AFTER_MS,
} from './rules.ts'

describe('hasContactDetails', () => {
  it.each([
    'Call me: 0412 345 678',
    'Call (03) 9555 0123 after six',
    '+61 412 345 678',
    '1300 555 012',
    'ring 13 55 01',
    'kim@example.com',
    'Write to kim.lee+venue@mail.example.com.au, please',
    'see https://venue.example/menu',
    'see www.venue.example',
    'full width: ０４１２ ３４５ ６７８',
  ])('finds them in %j', (text) => {
    expect(hasContactDetails(text)).toBe(true)
  })

  it.each([
    'Is 13/03/2027 at 16:00 free for 120 people?',
    'Between 01-03-2027 and 02-03-2027',
    '2027-03-13, from 4.30 to 11.00',
    'Our budget is $12,500.00 for 110 guests.',
    'It costs 5240.00 to 6000.00.',
    '3 courses, 4 canapés, 2026 wines',
    'Meet @ six',
    '',
  ])('finds none in %j', (text) => {
    expect(hasContactDetails(text)).toBe(false)
  })

  it('finds none in 4,000 characters that NFKC writes as many more', () => {
    for (const part of ['㌖', 'ﷺ', '㍿']) expect(hasContactDetails(part.repeat(4000))).toBe(false)
    expect(hasContactDetails(`${'ﷺ'.repeat(4900)} kim@example.com`)).toBe(true)
  })

  it('stays quick on a message made of digits, dots or at signs', () => {
    for (const part of ['0', '0 ', '+1', 'a.', 'a@', '(0', 'www.'])
      expect(typeof hasContactDetails(part.repeat(2_000))).toBe('boolean')
  })
})

it('maskContacts leaves the rest of a text as it is', () => {
  expect(maskContacts('13/03/2027? Call 0412 345 678 or write kim@example.com, thanks.')).toBe(
    '13/03/2027? Call ••• or write •••, thanks.',
  )
})

it.each([
  'Our day is 05-12-2026.',
  'Our day is 05.12.2026, from 14.30',
  'From 09.00-17.00, or 08:30 - 22:30',
  'Between 01-03-2027 and 08-03-2027',
  '04-12-2026 18.30',
])('maskContacts leaves the dates and times of %j', (text) => {
  expect(maskContacts(text)).toBe(text)
})

it('maskContacts masks what has a date or time within it, or beside it', () => {
  expect(maskContacts('On 05-12-2026, call 0412 345 678 or see https://a.example/05-12-2026/menu')).toBe(
    'On 05-12-2026, call ••• or see •••',
  )
  expect(maskContacts('kim.12.30@example.com at 09.00')).toBe('••• at 09.00')
})

describe('textParts', () => {
  it('shows a link with its whole address, without the sentence’s punctuation', () => {
    expect(textParts('See https://a.example/menu?x=1, then (http://b.example).')).toEqual([
      { text: 'See ', href: null },
      { text: 'https://a.example/menu?x=1', href: 'https://a.example/menu?x=1' },
      { text: ', then (', href: null },
      { text: 'http://b.example', href: 'http://b.example' },
      { text: ').', href: null },
    ])
  })

  it.each(['javascript:alert(1)', 'https://bank.example@evil.example/', 'data:text/html,x', 'https://'])(
    'leaves %j as text',
    (text) => {
      expect(textParts(text)).toEqual([{ text, href: null }])
    },
  )

  it('loses nothing of a text', () => {
    const text = '<script>https://a.example/<b>\nhttps://b.example!! x'
    expect(
      textParts(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
  })
})

it('an answer is late after 24 hours, and very late after 72', () => {
  const now = new Date('2026-11-20T01:00:00Z')
  const ago = (ms: number) => latenessOf(new Date(now.getTime() - ms), now)
  expect(latenessOf(null, now)).toBe('in_time')
  expect(ago(LATE_AFTER_MS - 1)).toBe('in_time')
  expect(ago(LATE_AFTER_MS)).toBe('late')
  expect(ago(VERY_LATE_AFTER_MS - 1)).toBe('late')
  expect(ago(VERY_LATE_AFTER_MS)).toBe('very_late')
})

describe('responseText', () => {
  const times = { conversations: 5, medianMs: 2.2 * HOUR_MS, answeredInADay: 0.929 }
  it('says how fast and how often a business answers, from five conversations on', () => {
    expect(responseText(times)).toBe('Usually answers within 3 hours. Answers 92% of questions within a day.')
    expect(responseText({ ...times, conversations: 4 })).toBeNull()
    expect(responseText({ ...times, medianMs: null })).toBeNull()
  })
  it.each([
    [1, 'an hour'],
    [3_600_001, '2 hours'],
    [DAY_MS, '24 hours'],
    [DAY_MS + 1, '2 days'],
  ])('rounds %d ms up to %s', (medianMs, words) => {
    expect(responseText({ ...times, medianMs })).toContain(`within ${words}.`)
  })
})
