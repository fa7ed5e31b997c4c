import { parseWithZod } from '@conform-to/zod/v4'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PERSON_NAME_LINK } from '../../shared/form-texts.ts'
import {
  ABN_ERROR,
  BIRTH_DATE_ERROR,
  EMAIL_ERROR,
  MISSING_TEXTS,
  PHONE_ERROR,
  WEBSITE_ERROR,
} from './messages.ts'
import { registrationSchema } from './schema.ts'

const schema = registrationSchema('2026-11-20')

const typed = {
  businessName: ' Nia & Co ',
  abn: '51 824 753 556',
  acn: '004085616',
  businessStructure: 'Company',
  industryType: 'Florist',
  gstRegistered: 'on',
  principalAddress: '1 Sample Street, Geelong VIC',
  postalAddress: '',
  businessPhone: '(03) 5550-1234',
  businessEmail: 'shop@example.com',
  website: '',
  ownerName: 'Nia',
  ownerDob: '1990-02-03',
  ownerPhone: '0400 000 000',
  ownerEmail: 'nia@example.com',
  logoUrl: '',
  businessDescription: '',
}

function parse(overrides: Partial<Record<keyof typeof typed, string>> = {}, without: string[] = []) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...typed, ...overrides })) {
    if (!without.includes(name)) form.set(name, value)
  }
  return parseWithZod(form, { schema })
}

function errorOf(submission: ReturnType<typeof parse>) {
  return submission.status === 'success' ? undefined : submission.error
}

const errorsOf = (overrides: Partial<Record<keyof typeof typed, string>>) => errorOf(parse(overrides))

describe('registrationSchema', () => {
  it('turns the typed fields into the stored ones', () => {
    const submission = parse()
    expect(submission.status === 'success' && submission.value).toEqual({
      ...typed,
      businessName: 'Nia & Co',
      abn: '51824753556',
      gstRegistered: true,
    })
  })

  it('treats optional fields as empty and GST as no when they are left out', () => {
    const submission = parse({}, [
      'acn',
      'postalAddress',
      'website',
      'logoUrl',
      'businessDescription',
      'gstRegistered',
    ])
    expect(submission.status === 'success' && submission.value).toMatchObject({
      acn: '',
      website: '',
      gstRegistered: false,
    })
  })

  it.each(Object.keys(MISSING_TEXTS) as (keyof typeof MISSING_TEXTS)[])('requires %s', (field) => {
    for (const blank of ['', '   '])
      expect(errorsOf({ [field]: blank })).toEqual({ [field]: [MISSING_TEXTS[field]] })
    expect(errorOf(parse({}, [field]))).toEqual({ [field]: [MISSING_TEXTS[field]] })
  })

  it('reports errors in the specified words', () => {
    expect(errorsOf({ abn: '51 824 753 557' })).toEqual({ abn: [ABN_ERROR] })
    expect(ABN_ERROR).toBe('Invalid ABN. Please enter a valid ABN.')
    expect(errorsOf({ businessEmail: 'a b@c.de', ownerEmail: 'nia' })).toEqual({
      businessEmail: [EMAIL_ERROR],
      ownerEmail: [EMAIL_ERROR],
    })
    expect(EMAIL_ERROR).toBe('Invalid email format. Please check and try again.')
    expect(errorsOf({ businessPhone: '12345', ownerPhone: '1234567890123456' })).toEqual({
      businessPhone: [PHONE_ERROR],
      ownerPhone: [PHONE_ERROR],
    })
    expect(errorsOf({ businessPhone: '------', ownerPhone: '+ ( ) - -' })).toEqual({
      businessPhone: [PHONE_ERROR],
      ownerPhone: [PHONE_ERROR],
    })
    expect(PHONE_ERROR).toBe('Invalid phone number format. Please check and try again.')
    expect(errorsOf({ website: 'javascript:alert(1)' })).toEqual({ website: [WEBSITE_ERROR] })
  })

  it('accepts an ACN with a wrong check digit, but not with ten characters', () => {
    expect(parse({ acn: '004 085 617' }).status).toBe('success')
    expect(Object.keys(errorsOf({ acn: '0040856166' }) ?? {})).toEqual(['acn'])
  })

  it('accepts a description of at most 500 characters', () => {
    expect(parse({ businessDescription: 'x'.repeat(500) }).status).toBe('success')
    expect(Object.keys(errorsOf({ businessDescription: 'x'.repeat(501) }) ?? {})).toEqual([
      'businessDescription',
    ])
  })

  it.each(['2026-11-21', '1899-12-31', '1990-02-30', 'yesterday'])(
    'refuses %s as a date of birth',
    (ownerDob) => {
      expect(errorsOf({ ownerDob })).toEqual({ ownerDob: [BIRTH_DATE_ERROR] })
    },
  )

  it('never throws on any input, and accepts only values that can be stored', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 600 }),
      fc.constantFrom(
        '',
        ' ',
        '\0',
        '\ud800',
        '51824753556',
        'Company',
        'on',
        '1990-02-03',
        'a@b.co',
        '123456',
        'https://a.au',
      ),
    )
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(...Object.keys(typed), '__proto__', 'userId', 'abn.x', 'abn[0]'),
          anything,
        ),
        (sent) => {
          const form = new FormData()
          for (const [name, value] of Object.entries({ ...typed, ...sent })) form.set(name, value)
          const submission = parseWithZod(form, { schema })
          if (submission.status !== 'success') return
          expect(submission.value.abn).toMatch(/^\d{11}$/)
          // Counted like PostgreSQL: in characters, not in UTF-16 units.
          expect([...submission.value.acn].length).toBeLessThanOrEqual(9)
          expect(submission.value).not.toHaveProperty('userId')
          for (const value of Object.values(submission.value)) {
            if (typeof value === 'string') expect(value).not.toMatch(/\0/)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('names of a registration', () => {
  const NOT_ONE_LINE = 'Type this on one line, without invisible characters.'

  it.each([
    ['ownerName', 'Nia\nCo', NOT_ONE_LINE],
    ['ownerName', 'Nia of evil.example', PERSON_NAME_LINK],
    ['ownerName', 'x'.repeat(81), 'Use at most 80 characters.'],
    ['businessName', 'Nia\r\nCo', NOT_ONE_LINE],
    ['industryType', 'Florist\u2029', undefined],
    ['principalAddress', '1 Sample Street\nGeelong', NOT_ONE_LINE],
  ] as const)('%s: %j', (field, text, message) => {
    const submission = parse({ [field]: text })
    expect(submission.status === 'success' ? undefined : submission.error?.[field]).toEqual(
      message && [message],
    )
  })

  it('accepts a business named after its website, and a description in paragraphs', () => {
    expect(parse({ businessName: 'flowers.com.au', businessDescription: 'One.\n\nTwo.' }).status).toBe(
      'success',
    )
  })
})
