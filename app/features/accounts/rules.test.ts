import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requirementText } from './messages.ts'
import {
  containsOwnWord,
  deviceName,
  LONGEST_PASSWORD,
  meetsPolicy,
  type PasswordPolicy,
  requirementsOf,
  toPolicyDocument,
  unmetRequirements,
  withNext,
} from './rules.ts'
import { changePasswordSchema, profileSchema, resetPasswordSchema, signUpSchema } from './schema.ts'

const plain: PasswordPolicy = {
  minLength: 6,
  maxLength: null,
  lowercase: false,
  uppercase: false,
  numeric: false,
  nonAlphanumeric: false,
}

const policies: fc.Arbitrary<PasswordPolicy> = fc
  .record({
    minLength: fc.integer({ min: 1, max: 40 }),
    room: fc.option(fc.nat(60)),
    lowercase: fc.boolean(),
    uppercase: fc.boolean(),
    numeric: fc.boolean(),
    nonAlphanumeric: fc.boolean(),
  })
  .map(({ room, ...policy }) => ({ ...policy, maxLength: room === null ? null : policy.minLength + room }))

const passwords = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...'aZ9!é ß中𝒳🎉'), maxLength: 60 }),
)

describe('the password policy', () => {
  it('asks for six characters and nothing else by default', () => {
    expect(unmetRequirements(plain, '12345')).toEqual(['minLength'])
    expect(unmetRequirements(plain, '123456')).toEqual([])
    expect(requirementsOf(plain)).toEqual(['minLength'])
  })

  it('counts characters, not their code units', () => {
    expect(meetsPolicy(plain, '🎉🎉🎉')).toBe(false)
    expect(meetsPolicy(plain, '🎉🎉🎉🎉🎉🎉')).toBe(true)
  })

  it('names each requirement that is missing', () => {
    const strict = {
      ...plain,
      maxLength: 8,
      lowercase: true,
      uppercase: true,
      numeric: true,
      nonAlphanumeric: true,
    }
    expect(unmetRequirements(strict, '')).toEqual([
      'minLength',
      'lowercase',
      'uppercase',
      'numeric',
      'nonAlphanumeric',
    ])
    expect(unmetRequirements(strict, 'Aa1!Aa1!x')).toEqual(['maxLength'])
    expect(unmetRequirements(strict, 'Aa1!Aa1!')).toEqual([])
  })

  it('accepts a password exactly when no listed requirement is unmet', () => {
    fc.assert(
      fc.property(policies, passwords, (policy, password) => {
        const unmet = unmetRequirements(policy, password)
        expect(requirementsOf(policy)).toEqual(expect.arrayContaining(unmet))
        expect(meetsPolicy(policy, password)).toBe(unmet.length === 0)
      }),
    )
  })

  it('still accepts a password after a character is added, if there is no maximum', () => {
    fc.assert(
      fc.property(
        policies,
        passwords,
        fc.constantFrom('a', 'Z', '7', '#', '🎉'),
        (policy, password, more) => {
          const open = { ...policy, maxLength: null }
          if (meetsPolicy(open, password)) expect(meetsPolicy(open, password + more)).toBe(true)
        },
      ),
    )
  })

  it('never accepts a password under a stricter policy that it refuses under the laxer one', () => {
    fc.assert(
      fc.property(policies, passwords, (policy, password) => {
        const stricter = { ...policy, lowercase: true, numeric: true }
        if (meetsPolicy(stricter, password)) expect(meetsPolicy(policy, password)).toBe(true)
      }),
    )
  })

  it('applies alike in sign-up, reset and change forms', () => {
    fc.assert(
      fc.property(policies, passwords, (policy, password) => {
        const allowed = meetsPolicy(policy, password)
        const account = { displayName: 'Robin', email: 'robin@example.com', password }
        expect(signUpSchema(policy).safeParse(account).success).toBe(allowed)
        expect(resetPasswordSchema(policy).safeParse({ token: 't', password }).success).toBe(allowed)
        const change = { currentPassword: 'x', newPassword: password }
        expect(changePasswordSchema(policy).safeParse(change).success).toBe(allowed)
      }),
    )
  })

  it('accepts a password of the longest length, and none longer', () => {
    expect(meetsPolicy(plain, 'a'.repeat(LONGEST_PASSWORD))).toBe(true)
    expect(meetsPolicy(plain, 'a'.repeat(LONGEST_PASSWORD + 1))).toBe(false)
  })

  it('publishes its schema version and nothing that it doesn’t require', () => {
    expect(toPolicyDocument(plain)).toEqual({
      schemaVersion: 1,
      customStrengthOptions: { minPasswordLength: 6 },
      enforcementState: 'ENFORCE',
      forceUpgradeOnSignin: false,
    })
    fc.assert(
      fc.property(policies, (policy) => {
        const { customStrengthOptions } = toPolicyDocument(policy)
        expect(Object.keys(customStrengthOptions)).toHaveLength(requirementsOf(policy).length)
      }),
    )
  })

  it('describes every requirement', () => {
    fc.assert(
      fc.property(policies, (policy) => {
        for (const requirement of requirementsOf(policy)) {
          expect(requirementText(requirement, policy)).not.toMatch(/undefined|null/)
        }
      }),
    )
  })
})

describe('the profile form', () => {
  it('accepts no phone, or 6 to 15 digits, spaces, plus signs, parentheses and hyphens with at least one digit', () => {
    const parse = (phone?: string) => profileSchema.safeParse({ displayName: 'Robin', phone }).success
    expect(parse()).toBe(true)
    expect(parse('0400 000 000')).toBe(true)
    expect(parse('+61 (3) 5550-0')).toBe(true)
    expect(parse('12345')).toBe(false)
    expect(parse('+61 400 000 0000')).toBe(false)
    expect(parse('call me')).toBe(false)
    expect(parse('------')).toBe(false)
    expect(parse('-----0')).toBe(true)
  })
})

describe('device names', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36',
      'Chrome on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36 Edg/149.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    ['curl/8.5.0', 'Unknown device'],
    [null, 'Unknown device'],
  ])('calls %s %s', (userAgent, name) => expect(deviceName(userAgent)).toBe(name))
})

describe('withNext', () => {
  it('adds the next path as a parameter, except for the home page', () => {
    expect(withNext('/signup', '/')).toBe('/signup')
    expect(withNext('/signup', '/book/tide-house?from=cart')).toBe(
      '/signup?next=%2Fbook%2Ftide-house%3Ffrom%3Dcart',
    )
  })
})

describe('the words that a new password must not contain', () => {
  const own = { email: 'Robin.Vale+jub@example.com', brand: 'Jubilee' }

  it.each([
    'robin.vale',
    'ROBIN.VALE!!',
    'my robin.vale 7',
    'robin.vale+jub',
    'jubilee',
    'JuBiLeE2027',
    'j u b i l e e',
  ])('include those of %s', (password) => {
    expect(containsOwnWord(password, own)).toBe(true)
  })

  it.each(['robin vale', 'under the jacaranda', 'example.com', 'jubile', ''])(
    'leave %j alone',
    (password) => {
      expect(containsOwnWord(password, own)).toBe(false)
    },
  )

  it('don’t include the first part of an address that is shorter than four characters, but the whole address', () => {
    const short = { email: 'jo@example.com', brand: 'Jubilee' }
    expect(containsOwnWord('a joyful noise', short)).toBe(false)
    expect(containsOwnWord('jo@example.com1', short)).toBe(true)
  })

  it('don’t include a brand of fewer than four characters', () => {
    expect(containsOwnWord('a password', { email: 'robin@example.com', brand: 'Ass' })).toBe(false)
  })
})
