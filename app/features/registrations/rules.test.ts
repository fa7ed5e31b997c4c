import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  abnDigits,
  abnState,
  groupAbnDigits,
  isBusinessEmail,
  isBusinessPhone,
  isValidAbn,
  isValidAcn,
  isWebsite,
} from './rules.ts'

describe('isValidAbn', () => {
  // Published by their holders: the ATO's own, and two of the Australian Government.
  it.each(['51824753556', '51 824 753 556', '53004085616', '33102417032'])('accepts %s', (abn) =>
    expect(isValidAbn(abn)).toBe(true),
  )

  it.each([
    '',
    '51824753557',
    '5182475355',
    '518247535566',
    '00000000000',
    '5182475355a',
    '５１８２４７５３５５６',
  ])('refuses %j', (abn) => expect(isValidAbn(abn)).toBe(false))

  it('refuses an ABN in which any one digit is wrong', () => {
    for (let at = 0; at < 11; at++) {
      for (let step = 1; step < 10; step++) {
        const digits = [...'51824753556']
        digits[at] = String((Number(digits[at]) + step) % 10)
        expect(isValidAbn(digits.join(''))).toBe(false)
      }
    }
  })
})

describe('the ABN field', () => {
  it('shows at most eleven digits in groups of 2-3-3-3', () => {
    expect(groupAbnDigits('51824753556')).toBe('51 824 753 556')
    expect(groupAbnDigits('51824753556')).toHaveLength(14)
    expect(abnDigits('ABN: 51-824-753-556 x 99')).toBe('51824753556')
    expect(['', '5', '51', '518', '51824', '518247'].map(groupAbnDigits)).toEqual([
      '',
      '5',
      '51',
      '51 8',
      '51 824',
      '51 824 7',
    ])
    fc.assert(
      fc.property(fc.string(), (text) => {
        const digits = abnDigits(text)
        expect(digits).toMatch(/^\d{0,11}$/)
        expect(abnDigits(groupAbnDigits(digits))).toBe(digits)
      }),
    )
  })

  it('stays neutral while empty or being typed, then turns valid or invalid', () => {
    expect(abnState('', true)).toBe('neutral')
    expect(abnState('', false)).toBe('neutral')
    expect(abnState('51 824', true)).toBe('neutral')
    expect(abnState('51 824', false)).toBe('invalid')
    expect(abnState('51 824 753 556', true)).toBe('valid')
    expect(abnState('51 824 753 557', true)).toBe('invalid')
  })
})

describe('isValidAcn', () => {
  // ASIC's worked example, and numbers whose check digit is 0.
  it.each(['004 085 616', '004085616', '010499966', '001000004', '000000180'])('accepts %s', (acn) =>
    expect(isValidAcn(acn)).toBe(true),
  )
  it.each(['', '004085617', '00408561', '0040856166', '00408561x'])('hints at %j', (acn) =>
    expect(isValidAcn(acn)).toBe(false),
  )
})

describe('isBusinessEmail', () => {
  it.each(['a@b.co', 'first.last+tag@sub.example.com.au', "o'hara@example.com"])('accepts %s', (email) =>
    expect(isBusinessEmail(email)).toBe(true),
  )
  it.each(['', 'a', 'a@b', 'a b@c.de', 'a@b .de', '@b.de', 'a@@b.de', 'a@b.', 'a@b.de\n'])(
    'refuses %j',
    (email) => expect(isBusinessEmail(email)).toBe(false),
  )
})

describe('isBusinessPhone', () => {
  it.each(['123456', '123456789012345', '(03) 5550-1234', '+61 400 000 000', '-----0'])(
    'accepts %s',
    (phone) => expect(isBusinessPhone(phone)).toBe(true),
  )
  it.each([
    '',
    '12345',
    '1234567890123456',
    '0400 00x 000',
    '123\t456',
    '123\n456',
    '１２３４５６',
    '1.800.123',
    '------',
    '+ (    ) -',
  ])('refuses %j', (phone) => expect(isBusinessPhone(phone)).toBe(false))
})

describe('isWebsite', () => {
  it.each(['https://example.com', 'http://www.example.com.au/a?b#c'])('accepts %s', (url) =>
    expect(isWebsite(url)).toBe(true),
  )
  it.each([
    '',
    'example.com',
    'www.example.com',
    'javascript:alert(1)',
    'ftp://example.com',
    'https://',
    'https://localhost',
    'mailto:a@b.co',
  ])('refuses %j', (url) => expect(isWebsite(url)).toBe(false))
})
